import ProsceniumCore

/// The command that a key means in a text.
enum TextCommand: Hashable, Sendable {
  /// A movement of the caret on the screen.
  enum Move: Hashable, Sendable, CaseIterable {
    case left, right, wordLeft, wordRight, up, down, paragraphUp, paragraphDown
    case lineStart, lineEnd, pageUp, pageDown, documentStart, documentEnd
  }
  case type(String)
  case newLine
  case deleteBackward(TextEditing.Unit)
  case deleteForward(TextEditing.Unit)
  case move(Move, extending: Bool)

  /// Nil for keys without a command.
  init?(_ key: Key) {
    let modifiers = key.modifiers.intersection([.shift, .control, .alternate, .command])
    let hasControl = modifiers.contains(.control)
    guard modifiers.isDisjoint(with: [.alternate, .command]) else { return nil }
    let extending = modifiers.contains(.shift)
    func move(_ plain: Move, _ controlled: Move) -> TextCommand {
      .move(hasControl ? controlled : plain, extending: extending)
    }
    switch KeySymbol.withoutKeypad(key.symbol) {
    case KeySymbol.backspace: self = .deleteBackward(hasControl ? .word : .character)
    case KeySymbol.delete: self = .deleteForward(hasControl ? .word : .character)
    case KeySymbol.home: self = move(.lineStart, .documentStart)
    case KeySymbol.left: self = move(.left, .wordLeft)
    case KeySymbol.up: self = move(.up, .paragraphUp)
    case KeySymbol.right: self = move(.right, .wordRight)
    case KeySymbol.down: self = move(.down, .paragraphDown)
    // With Control they turn the pages of what the text is in.
    case KeySymbol.pageUp where !hasControl: self = .move(.pageUp, extending: extending)
    case KeySymbol.pageDown where !hasControl: self = .move(.pageDown, extending: extending)
    case KeySymbol.end: self = move(.lineEnd, .documentEnd)
    case KeySymbol.return, KeySymbol.lineFeed: self = .newLine
    case KeySymbol.tab where modifiers.isEmpty: self = .type("\t")
    default:
      let isText = key.characters.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      guard !hasControl, !key.characters.isEmpty, isText else { return nil }
      self = .type(key.characters)
    }
  }

  var changesText: Bool { if case .move = self { false } else { true } }
}
