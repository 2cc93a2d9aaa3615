import ProsceniumCore

/// What a key does in a text.
enum TextCommand: Hashable, Sendable {
  /// Where the caret goes, as it is seen.
  enum Move: Hashable, Sendable, CaseIterable {
    case left, right, wordLeft, wordRight, up, down, paragraphUp, paragraphDown
    case lineStart, lineEnd, pageUp, pageDown, documentStart, documentEnd
  }
  case type(String)
  case newLine
  case deleteBackward(TextEditing.Unit)
  case deleteForward(TextEditing.Unit)
  case move(Move, extending: Bool)

  /// Nil for keys that do nothing in a text.
  init?(_ key: Key) {
    let modifiers = key.modifiers.intersection([.shift, .control, .alternate, .command])
    let hasControl = modifiers.contains(.control)
    guard modifiers.isDisjoint(with: [.alternate, .command]) else { return nil }
    let extending = modifiers.contains(.shift)
    func move(_ plain: Move, _ controlled: Move) -> TextCommand {
      .move(hasControl ? controlled : plain, extending: extending)
    }
    // Keysyms (X protocol, appendix A), with those of the number pad.
    switch key.symbol {
    case 0xFF08: self = .deleteBackward(hasControl ? .word : .character)
    case 0xFFFF, 0xFF9F: self = .deleteForward(hasControl ? .word : .character)
    case 0xFF50, 0xFF95: self = move(.lineStart, .documentStart)
    case 0xFF51, 0xFF96: self = move(.left, .wordLeft)
    case 0xFF52, 0xFF97: self = move(.up, .paragraphUp)
    case 0xFF53, 0xFF98: self = move(.right, .wordRight)
    case 0xFF54, 0xFF99: self = move(.down, .paragraphDown)
    case 0xFF55, 0xFF9A: self = move(.pageUp, .documentStart)
    case 0xFF56, 0xFF9B: self = move(.pageDown, .documentEnd)
    case 0xFF57, 0xFF9C: self = move(.lineEnd, .documentEnd)
    case 0xFF0D,
      0xFF8D where !hasControl:
      self = .newLine
    case 0xFF09 where modifiers.isEmpty: self = .type("\t")
    default:
      let isText = key.characters.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      guard !hasControl, !key.characters.isEmpty, isText else { return nil }
      self = .type(key.characters)
    }
  }

  var changesText: Bool { if case .move = self { false } else { true } }
}
