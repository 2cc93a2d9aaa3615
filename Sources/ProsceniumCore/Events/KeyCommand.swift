/// Keys that, pressed together, ask for an action.
@preconcurrency @MainActor public struct KeyCommand {
  /// What the key types without Control, Alt and Super, in lower case: `"s"`; or nothing where ``symbol`` says which key.
  public let input: String
  /// The X11 keysym of a key that types nothing; 0 where ``input`` says which key.
  public let symbol: UInt32
  /// The modifiers that have to be down, and no others; locks do not count.
  public let modifiers: ModifierFlags
  /// What is asked for.
  public let action: Action
  /// What the command is called; for menus and help.
  public let title: String

  /// A command by what its key types.
  /// - Parameters:
  ///   - input: What the key types, in lower case.
  ///   - modifiers: The modifiers that have to be down.
  ///   - title: What the command is called.
  ///   - action: What is asked for.
  public init(input: String, modifiers: ModifierFlags = .control, title: String = "", action: Action) {
    self.input = input.lowercased()
    symbol = 0
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  /// A command by its key's symbol: arrows, function keys.
  ///
  /// The key of the number pad that does the same asks for it, too (``KeySymbol/withoutKeypad(_:)``), unless a command of its
  /// own stands before this one.
  /// - Parameters:
  ///   - symbol: The X11 keysym.
  ///   - modifiers: The modifiers that have to be down.
  ///   - title: What the command is called.
  ///   - action: What is asked for.
  public init(symbol: UInt32, modifiers: ModifierFlags = [], title: String = "", action: Action) {
    input = ""
    self.symbol = symbol
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  /// Whether a key, with what is down besides, is the command's.
  func matches(_ key: Key) -> Bool {
    let relevant: ModifierFlags = [.shift, .control, .alternate, .command]
    guard key.modifiers.intersection(relevant) == modifiers.intersection(relevant) else { return false }
    if symbol != 0 { return symbol == key.symbol || symbol == KeySymbol.withoutKeypad(key.symbol) }
    // Control turns what a key types into a control character; its symbol stays that of the letter.
    return input == key.baseCharacter
  }
}

extension Key {
  /// What the key stands for, whatever Control makes of it: the character of its symbol, in lower case.
  var baseCharacter: String {
    // Latin-1 keysyms are their own characters; others have their code point above 0x1000000 (X protocol, appendix A).
    switch symbol {
    case 0x20...0x7E, 0xA0...0xFF: String(UnicodeScalar(UInt8(symbol))).lowercased()
    case 0x0100_0100...0x0110_FFFF: UnicodeScalar(symbol & 0xFF_FFFF).map { String($0).lowercased() } ?? ""
    default: characters.lowercased()
    }
  }
}
