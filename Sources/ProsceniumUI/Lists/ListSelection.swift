/// Which items of a list are selected, and where keys go on from.
struct ListSelection: Hashable, Sendable {
  /// How many items may be selected.
  enum Mode: Hashable, Sendable { case none, single, multiple }

  var items = RangeSet<Int>()
  /// The item from which Shift selects.
  var anchor: Int?
  /// The item from which the arrows go on.
  var lead: Int?

  /// Selects one item, and no other.
  mutating func selectOnly(_ item: Int) {
    items = RangeSet(item..<item + 1)
    (anchor, lead) = (item, item)
  }

  /// Selects an item that is not, and deselects one that is.
  mutating func toggle(_ item: Int) {
    if items.contains(item) {
      items.remove(contentsOf: item..<item + 1)
    } else {
      items.insert(contentsOf: item..<item + 1)
    }
    (anchor, lead) = (item, item)
  }

  /// Selects another item in place of one.
  mutating func replace(_ item: Int, with other: Int) {
    guard other != item else { return }
    items.remove(contentsOf: item..<item + 1)
    items.insert(contentsOf: other..<other + 1)
    if anchor == item { anchor = other }
    if lead == item { lead = other }
  }

  /// Selects from the anchor to an item.
  /// - Parameters:
  ///   - item: The item.
  ///   - adds: Whether the items selected before stay.
  mutating func extend(to item: Int, adds: Bool) {
    let from = anchor ?? lead ?? item
    let range = min(from, item)..<max(from, item) + 1
    if adds { items.insert(contentsOf: range) } else { items = RangeSet(range) }
    (anchor, lead) = (from, item)
  }

  /// Deselects all but a number of items, where fewer may be selected.
  mutating func limit(to mode: Mode, of count: Int) {
    items.remove(contentsOf: max(0, count)..<Int.max)
    switch mode {
    // The user selects none, the program may select one.
    case .none, .single: if let first = items.ranges.first?.first { items = RangeSet(first..<first + 1) }
    case .multiple: break
    }
    anchor = anchor.flatMap { $0 < count ? $0 : nil }
    lead = lead.flatMap { $0 < count ? $0 : nil }
  }

  /// The selection after the items of the list have changed.
  /// - Parameters:
  ///   - change: What becomes of each item.
  ///   - count: The number of items before.
  /// - Returns: The selection.
  func mapped(by change: ListChange, of count: Int) -> ListSelection {
    ListSelection(
      items: change.items(items), anchor: anchor.flatMap(change.item), lead: lead.flatMap { change.nearest($0, count) })
  }
}

/// What the user has selected and deselected, and the program has not been told of.
struct ListNews {
  private var deselected = Items()
  private var selected = Items()

  /// Items that are told of in their order.
  private struct Items {
    var set = RangeSet<Int>()
    /// The program knows of those below, which stay in the set: there may be very many ranges.
    var known = 0

    /// Those that the program does not know of.
    var rest: RangeSet<Int> { known > 0 ? set.without(RangeSet(0..<known)) : set }

    mutating func next() -> Int? {
      let index = set.ranges.partitioningIndex { $0.upperBound > known }
      guard index < set.ranges.endIndex else { return nil }
      let item = max(known, set.ranges[index].lowerBound)
      known = item + 1
      return item
    }
  }

  /// Adds the difference of two selections; what comes back before it was told of is none.
  mutating func add(from old: RangeSet<Int>, to new: RangeSet<Int>) {
    let (gone, come) = (old.without(new), new.without(old))
    let (untoldGone, untoldCome) = (deselected.rest, selected.rest)
    deselected = Items(set: untoldGone.without(come).union(gone.without(untoldCome)))
    selected = Items(set: untoldCome.without(gone).union(come.without(untoldGone)))
  }

  /// Takes the next item, and whether it is selected; the deselected ones first.
  mutating func next() -> (item: Int, isSelected: Bool)? {
    if let item = deselected.next() { return (item, false) }
    return selected.next().map { ($0, true) }
  }

  /// What is left after the items of the list have changed.
  mutating func map(by change: ListChange) {
    deselected = Items(set: change.items(deselected.rest))
    selected = Items(set: change.items(selected.rest))
  }
}

/// What becomes of the items of a list that changes.
struct ListChange {
  /// The new number of an item; nil where it is gone.
  let item: (Int) -> Int?
  /// The new numbers of items.
  let items: (RangeSet<Int>) -> RangeSet<Int>
  /// The new number of an item, else of the next one that is left, else of the one before; nil for none.
  ///
  /// Gets the number of items before, too.
  let nearest: (Int, _ count: Int) -> Int?

  /// A change that says where each item goes.
  init(item: @escaping (Int) -> Int?) {
    self.item = item
    items = { old in RangeSet(sorted: old.elements.compactMap(item).sorted()) }
    nearest = { old, count in
      (old..<max(old, count)).lazy.compactMap(item).first ?? (0..<old).reversed().lazy.compactMap(item).first
    }
  }

  /// A change of a few items.
  init(_ steps: ListSteps) {
    item = steps.item
    items = steps.items
    nearest = steps.nearest
  }
}

/// Items that are deleted, inserted and moved, all at once.
struct ListSteps {
  /// The items that leave their place, by their old numbers: deleted and moved ones.
  let removed: RangeSet<Int>
  /// The items that come to a place, by their new numbers: inserted and moved ones.
  let added: RangeSet<Int>
  /// The new number of each moved item.
  let moved: [Int: Int]
  private let removals: Shifts
  private let additions: Shifts

  /// Ranges in order, with the number of items that are in those before.
  private struct Shifts {
    var ranges: [Range<Int>] = []
    var sums = [0]

    init(_ set: RangeSet<Int>) {
      for range in set.ranges {
        ranges.append(range)
        sums.append((sums.last ?? 0) + range.count)
      }
    }

    var total: Int { sums.last ?? 0 }

    /// The number of items of the ranges that are less than a number.
    func below(_ number: Int) -> Int {
      let index = ranges.partitioningIndex { $0.upperBound > number }
      guard index < ranges.count, ranges[index].lowerBound < number else { return sums[index] }
      return sums[index] + number - ranges[index].lowerBound
    }

    /// The number that is in none of the ranges, and has so many of these before it.
    func free(_ rank: Int) -> Int {
      // The ranges before it are those that fewer free numbers precede.
      let index = ranges.indices.partitioningIndex { ranges[$0].lowerBound - sums[$0] > rank }
      return rank + sums[index]
    }
  }

  /// - Parameters:
  ///   - deleted: The old numbers of the items that go.
  ///   - inserted: The new numbers of the items that come.
  ///   - moves: The old and the new numbers of the items that move.
  init(deleted: RangeSet<Int>, inserted: RangeSet<Int>, moves: [(from: Int, to: Int)]) {
    var (removed, added) = (deleted, inserted)
    for move in moves {
      removed.insert(contentsOf: move.from..<move.from + 1)
      added.insert(contentsOf: move.to..<move.to + 1)
    }
    (self.removed, self.added) = (removed, added)
    moved = Dictionary(moves.map { ($0.from, $0.to) }) { $1 }
    (removals, additions) = (Shifts(removed), Shifts(added))
  }

  /// The difference of the number of items.
  var growth: Int { additions.total - removals.total }

  func item(_ old: Int) -> Int? {
    if let new = moved[old] { return new }
    return removed.contains(old) ? nil : additions.free(old - removals.below(old))
  }

  /// Follows an item, or where it is gone the next one that stays in its place, else the one before.
  /// - Parameters:
  ///   - old: The old number.
  ///   - count: The old number of items.
  /// - Returns: The new number; nil for none.
  func nearest(_ old: Int, of count: Int) -> Int? {
    if let new = item(old) { return new }
    let index = removed.ranges.partitioningIndex { $0.upperBound > old }
    guard index < removed.ranges.endIndex, case let gone = removed.ranges[index] else { return nil }
    if gone.upperBound < count { return item(gone.upperBound) }
    return gone.lowerBound > 0 ? item(gone.lowerBound - 1) : nil
  }

  func items(_ old: RangeSet<Int>) -> RangeSet<Int> {
    var new = RangeSet<Int>()
    for range in old.ranges {
      let (first, end) = (
        range.lowerBound - removals.below(range.lowerBound), range.upperBound - removals.below(range.upperBound)
      )
      if first < end { new.insert(contentsOf: additions.free(first)..<additions.free(end - 1) + 1) }
    }
    new = new.without(added)
    for (from, to) in moved where old.contains(from) { new.insert(contentsOf: to..<to + 1) }
    return new
  }
}
