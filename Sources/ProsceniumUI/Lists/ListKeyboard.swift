import ProsceniumCore

/// What a user has typed to find an item.
struct ListSearch {
  private var text = ""
  private var time = Duration.zero

  /// Adds what a key types; after a second without one the search begins again.
  mutating func type(_ characters: String, _ time: Duration) -> String {
    let isLater = time < self.time || time - self.time > .seconds(1)
    text = (isLater ? "" : text) + characters.folded
    self.time = time
    return text
  }

  /// Whether a key at a time continues a search.
  func isOn(_ time: Duration) -> Bool { !text.isEmpty && time >= self.time && time - self.time <= .seconds(1) }
}

/// Keys that go to a list.
@MainActor final class ListKeyboard {
  private unowned let core: ListCore
  private var search = ListSearch()

  init(of core: ListCore) { self.core = core }

  private var host: ListView { core.host }
  private var layout: any ListLayout { core.layout }
  private var sections: ListSections { core.sections }
  private var selection: ListSelection { core.selection }
  private var mode: ListSelection.Mode { core.mode }

  /// The most items that are asked for what a user types to find them.
  private static let mostSearched = 100_000

  /// Handles a key.
  /// - Returns: Whether the list uses it.
  func handle(_ key: Key, _ event: Event) -> Bool {
    guard key.isDown else { return false }
    core.refresh()
    let symbol = KeySymbol.withoutKeypad(key.symbol)
    let modifiers = key.modifiers.intersection([.shift, .control, .alternate, .command])
    if symbol == KeySymbol.escape, core.pointer.drag.kind != .none {
      core.pointer.cancelPress()
      return true
    }
    guard sections.itemCount > 0 else { return false }
    // Alt and the left arrow alone lead back to the page before.
    let isSideways = symbol == KeySymbol.left || symbol == KeySymbol.right
    if modifiers == (isSideways ? [.alternate, .shift] : .alternate) { return moveItem(symbol) }
    guard modifiers.isDisjoint(with: [.alternate, .command]) else { return false }
    // They turn the pages of what the list is in.
    if modifiers.contains(.control), symbol == KeySymbol.pageUp || symbol == KeySymbol.pageDown { return false }
    if let target = target(symbol) {
      go(to: target, modifiers)
      return true
    }
    switch symbol {
    case KeySymbol.space where !search.isOn(event.timestamp): return space(modifiers)
    case KeySymbol.return where modifiers.isEmpty && !key.isRepeat:
      guard let lead = selection.lead else { return false }
      host.open(lead)
      return true
    default: return modifiers.isDisjoint(with: .control) && find(key.characters, event.timestamp)
    }
  }

  /// A point of the item that a menu is for which is opened by key, once that is in sight; nil without such an item.
  ///
  /// That is the one in whose cell the keys are, the one that keys go on from, or the first that is selected.
  func pointForMenu() -> Point? {
    core.refresh()
    let first = host.window?.firstResponder as? View
    let focused = first?.selfAndSuperviews.lazy.compactMap { $0 as? ListCell }.compactMap { core.item(of: $0) }.first
    guard let item = focused ?? selection.lead ?? selection.items.ranges.first?.first else { return nil }
    let generation = core.generation
    core.reveal(item)
    guard let frame = core.frame(of: item), generation == core.generation else { return nil }
    let shown = frame.intersection(host.bounds) ?? frame
    // Not in the middle of a wide row, but near its beginning.
    let size = shown.size
    return shown.origin + Point(x: min(size.width / 2, size.height), y: size.height / 2)
  }

  /// The item that a key leads to; nil for other keys, and where the program has removed all of them.
  private func target(_ symbol: UInt32) -> Int? {
    let lead = lead
    let layout = layout
    // The program, which is asked for places, may have changed the items.
    let last = sections.itemCount - 1
    guard lead <= last else { return nil }
    let page = max(1, host.bounds.size.height * 9 / 10)
    switch symbol {
    case KeySymbol.home: return 0
    case KeySymbol.end: return last
    case KeySymbol.pageUp: return layout.item(-page, below: lead)
    case KeySymbol.pageDown: return layout.item(page, below: lead)
    default:
      guard let direction = Self.arrows[symbol] else { return nil }
      // Without a lead the first arrow goes to what is in sight.
      guard selection.lead != nil else { return lead }
      let target = layout.item(direction, of: lead)
      return target == lead && leaves(direction, at: lead, layout) ? nil : target
    }
  }

  private static let arrows: [UInt32: ListDirection] = [
    KeySymbol.up: .up, KeySymbol.down: .down, KeySymbol.left: .left, KeySymbol.right: .right,
  ]

  /// Whether an arrow is for what is around the list: those to the sides, of a table.
  private func leaves(_ direction: ListDirection, at item: Int, _ layout: any ListLayout) -> Bool {
    [.left, .right].contains(direction) && [.left, .right].allSatisfy { layout.item($0, of: item) == item }
  }

  /// The item that keys go on from.
  private var lead: Int { selection.lead ?? core.topPlace()?.item ?? 0 }

  private func go(to target: Int, _ modifiers: ModifierFlags) {
    var new = selection
    switch mode {
    case .none: new.lead = target
    case .single: if modifiers.contains(.control) { new.lead = target } else { new.selectOnly(target) }
    case .multiple:
      if modifiers.contains(.shift) {
        new.extend(to: target, adds: modifiers.contains(.control))
      } else if modifiers.contains(.control) {
        new.lead = target
      } else {
        new.selectOnly(target)
      }
    }
    select(new, andReveal: target)
  }

  private func select(_ new: ListSelection, andReveal item: Int) {
    let generation = core.generation
    core.userSelects(new)
    if generation == core.generation { core.reveal(item) }
  }

  private func space(_ modifiers: ModifierFlags) -> Bool {
    guard mode != .none, case let lead = lead, lead < sections.itemCount else { return false }
    var new = selection
    if modifiers.contains(.shift), mode == .multiple {
      new.extend(to: lead, adds: false)
    } else if modifiers.contains(.control) {
      if mode == .single, !selection.items.contains(lead) { new.items = RangeSet() }
      new.toggle(lead)
    } else {
      new.selectOnly(lead)
    }
    select(new, andReveal: lead)
    return true
  }

  /// Moves the item that keys go on from by a line, or by a place to the side, where the data source lets it.
  private func moveItem(_ symbol: UInt32) -> Bool {
    let layout = layout
    let generation = core.generation
    guard let direction = Self.arrows[symbol], let item = selection.lead, item < sections.itemCount,
      case let path = sections.path(of: item), !leaves(direction, at: item, layout), host.canMove(path),
      // The data source may have changed the list.
      generation == core.generation
    else { return false }
    let target = sections.path(of: layout.item(direction, of: item))
    guard target != path, target.section == path.section else { return true }
    core.move(path, to: target)
    if let lead = selection.lead { core.reveal(lead) }
    return true
  }

  /// Selects the next item that begins with what is typed.
  private func find(_ characters: String, _ time: Duration) -> Bool {
    guard mode != .none, let first = characters.unicodeScalars.first, first.value >= 0x20, first.value != 0x7F else {
      return false
    }
    let (isNew, count) = (!search.isOn(time), sections.itemCount)
    guard count > 0 else { return false }
    // A new search goes on behind the present item; one that goes on stays where the item still fits.
    let start = max(0, (selection.lead ?? -1) + (isNew ? 1 : 0)) % count
    guard host.typedText(of: sections.path(of: start)) != nil else { return false }
    let text = search.type(characters, time)
    let item = (0..<min(count, Self.mostSearched)).lazy.map { (start + $0) % count }.first {
      self.host.typedText(of: self.sections.path(of: $0))?.begins(with: text) == true
    }
    if let item { go(to: item, []) }
    return true
  }
}
