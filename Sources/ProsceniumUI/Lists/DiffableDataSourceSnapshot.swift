import ProsceniumCore

/// What a list shows, by identifiers: sections in order, and the items of each.
///
/// UIKit's `NSDiffableDataSourceSnapshot`. A change at an identifier that is not there, or the addition of a section
/// that is there already, is reported as an error and left out; items that are there twice are reported when the
/// snapshot is applied.
public struct DiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
  /// Creates an empty snapshot.
  public init() {}

  /// The sections, in order.
  public private(set) var sectionIdentifiers: [Section] = []
  private(set) var items: [[Item]] = []
  private(set) var reloaded: Set<Item> = []
  /// Where an item was inserted or moved to last, from which on others are searched for: most are near it.
  private var last = (section: 0, item: 0)

  // MARK: What is there

  /// The number of sections.
  public var numberOfSections: Int { items.count }
  /// The number of items.
  public var numberOfItems: Int { items.reduce(0) { $0 + $1.count } }
  /// All items, in order.
  public var itemIdentifiers: [Item] { Array(items.joined()) }

  /// The items of a section.
  /// - Parameter section: The section.
  /// - Returns: The items in order; none for a section that is not there.
  public func itemIdentifiers(inSection section: Section) -> [Item] { indexOfSection(section).map { items[$0] } ?? [] }

  /// The number of items of a section.
  /// - Parameter section: The section.
  /// - Returns: The number; 0 for a section that is not there.
  public func numberOfItems(inSection section: Section) -> Int { indexOfSection(section).map { items[$0].count } ?? 0 }

  /// The place of a section.
  /// - Parameter section: The section.
  /// - Returns: The place; nil where it is not there.
  public func indexOfSection(_ section: Section) -> Int? { sectionIdentifiers.firstIndex(of: section) }

  /// The place of an item among all of them.
  /// - Parameter item: The item.
  /// - Returns: The place; nil where it is not there.
  public func indexOfItem(_ item: Item) -> Int? {
    place(of: item).map { place in items[..<place.section].reduce(place.item) { $0 + $1.count } }
  }

  /// The section of an item.
  /// - Parameter item: The item.
  /// - Returns: The section; nil where the item is not there.
  public func sectionIdentifier(containingItem item: Item) -> Section? {
    place(of: item).map { sectionIdentifiers[$0.section] }
  }

  private func place(of item: Item) -> (section: Int, item: Int)? {
    // Deletions may have left less than there was.
    var ahead: (section: Int, item: Int) = last.section < items.count ? last : (items.count, 0)
    if ahead.section < items.count { ahead.item = min(ahead.item, items[ahead.section].count) }
    var behind = ahead
    while true {
      while ahead.section < items.count, ahead.item == items[ahead.section].count { ahead = (ahead.section + 1, 0) }
      if ahead.section < items.count {
        if items[ahead.section][ahead.item] == item { return ahead }
        ahead.item += 1
      }
      while behind.item == 0, behind.section > 0 { behind = (behind.section - 1, items[behind.section - 1].count) }
      if behind.item > 0 {
        behind.item -= 1
        if items[behind.section][behind.item] == item { return behind }
      } else if ahead.section == items.count {
        return nil
      }
    }
  }

  // MARK: Items

  /// Adds items at the end of a section.
  /// - Parameters:
  ///   - identifiers: The items.
  ///   - section: The section; the last one where nil.
  public mutating func appendItems(_ identifiers: [Item], toSection section: Section? = nil) {
    guard let index = section.map(indexOfSection) ?? items.indices.last else {
      return report("has no section \(section.map { "\($0)" } ?? "") to append items to: append the section first")
    }
    items[index] += identifiers
  }

  /// Inserts items before another one.
  /// - Parameters:
  ///   - identifiers: The items.
  ///   - item: The other one.
  public mutating func insertItems(_ identifiers: [Item], beforeItem item: Item) { insert(identifiers, near: item, 0) }

  /// Inserts items after another one.
  /// - Parameters:
  ///   - identifiers: The items.
  ///   - item: The other one.
  public mutating func insertItems(_ identifiers: [Item], afterItem item: Item) { insert(identifiers, near: item, 1) }

  private mutating func insert(_ identifiers: [Item], near item: Item, _ distance: Int) {
    guard let place = place(of: item) else { return report("has no item \(item)") }
    last = (place.section, place.item + distance)
    items[last.section].insert(contentsOf: identifiers, at: last.item)
  }

  /// Deletes items.
  /// - Parameter identifiers: The items; those that are not there are left out, without an error.
  public mutating func deleteItems(_ identifiers: [Item]) {
    let gone = Set(identifiers)
    for section in items.indices { items[section].removeAll(where: gone.contains) }
  }

  /// Deletes all items and sections.
  public mutating func deleteAllItems() { self = DiffableDataSourceSnapshot() }

  /// Moves an item before another one.
  /// - Parameters:
  ///   - item: The item.
  ///   - other: The other one.
  public mutating func moveItem(_ item: Item, beforeItem other: Item) { move(item, near: other, 0) }

  /// Moves an item after another one.
  /// - Parameters:
  ///   - item: The item.
  ///   - other: The other one.
  public mutating func moveItem(_ item: Item, afterItem other: Item) { move(item, near: other, 1) }

  private mutating func move(_ item: Item, near other: Item, _ distance: Int) {
    guard item != other else { return }
    guard let place = place(of: item), let target = self.place(of: other) else {
      return report("cannot move the item \(item) to \(other), because one of them is not there")
    }
    items[place.section].remove(at: place.item)
    let isBehind = target.section == place.section && target.item > place.item
    last = (target.section, target.item + distance - (isBehind ? 1 : 0))
    items[last.section].insert(item, at: last.item)
  }

  /// Has the list make new cells of items, whose content has changed.
  /// - Parameter identifiers: The items; those that are not there are left out, without an error.
  public mutating func reloadItems(_ identifiers: [Item]) { reloaded.formUnion(identifiers) }

  // MARK: Sections

  /// Adds sections at the end.
  /// - Parameter identifiers: The sections.
  public mutating func appendSections(_ identifiers: [Section]) { insert(identifiers, at: items.count) }

  /// Inserts sections before another one.
  /// - Parameters:
  ///   - identifiers: The sections.
  ///   - section: The other one.
  public mutating func insertSections(_ identifiers: [Section], beforeSection section: Section) {
    guard let index = indexOfSection(section) else { return report("has no section \(section)") }
    insert(identifiers, at: index)
  }

  /// Inserts sections after another one.
  /// - Parameters:
  ///   - identifiers: The sections.
  ///   - section: The other one.
  public mutating func insertSections(_ identifiers: [Section], afterSection section: Section) {
    guard let index = indexOfSection(section) else { return report("has no section \(section)") }
    insert(identifiers, at: index + 1)
  }

  private mutating func insert(_ identifiers: [Section], at index: Int) {
    var index = index
    for section in identifiers {
      guard indexOfSection(section) == nil else {
        report("has the section \(section) already")
        continue
      }
      sectionIdentifiers.insert(section, at: index)
      items.insert([], at: index)
      index += 1
    }
  }

  /// Deletes sections with their items.
  /// - Parameter identifiers: The sections; those that are not there are left out, without an error.
  public mutating func deleteSections(_ identifiers: [Section]) {
    for section in identifiers {
      guard let index = indexOfSection(section) else { continue }
      sectionIdentifiers.remove(at: index)
      items.remove(at: index)
    }
  }

  private func report(_ fault: String) { Application.report("a snapshot of a list \(fault).") }

  // MARK: The data source's side

  /// Takes out what is there twice, and says so.
  ///
  /// - Returns: The place of each item among all of them.
  mutating func makeUnique() -> [Item: Int] {
    var (places, next) = ([Item: Int](minimumCapacity: numberOfItems), 0)
    for section in items.indices {
      var twice: [Item] = []
      for item in items[section] {
        if places.updateValue(next, forKey: item) == nil {
          next += 1
          continue
        }
        twice.append(item)
      }
      guard !twice.isEmpty else { continue }
      report("has the item \(twice[0]) twice; the second one is left out")
      return withoutRepetitions()
    }
    return places
  }

  private mutating func withoutRepetitions() -> [Item: Int] {
    var places: [Item: Int] = [:]
    for section in items.indices {
      items[section] = items[section].filter { item in
        if places[item] != nil { return false }
        places[item] = places.count
        return true
      }
    }
    return places
  }

  mutating func forgetReloads() { reloaded = [] }

  /// Moves an item, because the user has moved it.
  /// - Returns: Where it is now; nil where there is no such item or section.
  mutating func move(
    from: (section: Int, item: Int), to: (section: Int, item: Int)
  ) -> (section: Int, item: Int)? {
    guard items.indices.contains(from.section), items[from.section].indices.contains(from.item),
      items.indices.contains(to.section)
    else { return nil }
    let item = items[from.section].remove(at: from.item)
    last = (to.section, min(max(0, to.item), items[to.section].count))
    items[last.section].insert(item, at: last.item)
    return last
  }
}
