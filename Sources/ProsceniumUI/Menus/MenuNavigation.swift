import ProsceniumCore

/// The keyboard in one menu: which row is highlighted, and what a key means.
struct MenuNavigation: Hashable, Sendable {
  /// What matters of a row.
  struct Row: Hashable, Sendable {
    var title = ""
    var isEnabled = true
    var opensMenu = false
    /// The letter that chooses the row, folded.
    var mnemonic: String?
  }

  enum Effect: Hashable, Sendable {
    /// The key means nothing here.
    case none
    /// Another row may be highlighted.
    case moved
    case choose(Int)
    case open(Int)
    /// This menu is closed.
    case close
    /// The user leaves the menu to a side: to the menu that it belongs to, or to the next one of a menu bar.
    case leave(forward: Bool)
  }

  let rows: [Row]
  private(set) var highlighted: Int?

  init(_ rows: [Row]) { self.rows = rows }

  /// Highlights a row that can be chosen; none for any other.
  mutating func highlight(_ index: Int?) {
    highlighted = index.flatMap { rows.indices.contains($0) && rows[$0].isEnabled ? $0 : nil }
  }

  mutating func highlightFirst() { highlighted = rows.firstIndex(where: \.isEnabled) }

  /// Follows a key.
  mutating func handle(_ key: Key) -> Effect {
    guard key.modifiers.isDisjoint(with: [.control, .command]) else { return .none }
    switch KeySymbol.withoutKeypad(key.symbol) {
    case KeySymbol.down, KeySymbol.tab: return move(by: 1)
    case KeySymbol.up, KeySymbol.backTab: return move(by: -1)
    case KeySymbol.home, KeySymbol.pageUp:
      highlightFirst()
      return .moved
    case KeySymbol.end, KeySymbol.pageDown:
      highlighted = rows.lastIndex(where: \.isEnabled)
      return .moved
    // What a key chooses it chooses once: the one that is held may be that which has opened the menu.
    case KeySymbol.return, KeySymbol.space:
      guard let highlighted, !key.isRepeat else { return .none }
      return rows[highlighted].opensMenu ? .open(highlighted) : .choose(highlighted)
    case KeySymbol.right:
      if let highlighted, rows[highlighted].opensMenu { return .open(highlighted) }
      return .leave(forward: true)
    case KeySymbol.left: return .leave(forward: false)
    case KeySymbol.escape: return .close
    default:
      guard !key.isRepeat else { return .none }
      let effect = find(key.characters)
      return effect == .none ? find(key.latinCharacter) : effect
    }
  }

  /// Highlights the next row that can be chosen, cyclically.
  private mutating func move(by step: Int) -> Effect {
    let start = highlighted ?? (step > 0 ? -1 : rows.count)
    for distance in 1...max(rows.count, 1) {
      let index = start + step * distance
      let place = rows.isEmpty ? 0 : (index % rows.count + rows.count) % rows.count
      if rows.indices.contains(place), rows[place].isEnabled {
        highlighted = place
        break
      }
    }
    return .moved
  }

  /// Highlights the next row that a letter is for; one that is the only one is chosen.
  ///
  /// Those whose mnemonic it is count alone where there are any, else those whose titles begin with it.
  private mutating func find(_ text: String) -> Effect {
    guard text.count == 1, case let letter = text.folded else { return .none }
    let marked = rows.indices.filter { rows[$0].mnemonic == letter }
    let named = marked.isEmpty ? rows.indices.filter { rows[$0].title.begins(with: letter) } : marked
    let fitting = named.filter { rows[$0].isEnabled }
    guard let first = fitting.first else { return .none }
    let next = fitting.first { $0 > highlighted ?? -1 } ?? first
    highlighted = next
    guard fitting.count == 1 else { return .moved }
    return rows[next].opensMenu ? .open(next) : .choose(next)
  }
}
