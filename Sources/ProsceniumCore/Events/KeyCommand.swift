/// Keys that, pressed together, ask for an action.
@preconcurrency @MainActor public struct KeyCommand {
  /// The key's character without Control, Alt and Super, in lower case: `"s"`; empty where ``symbol`` names the key.
  public let input: String
  /// The X11 keysym of a key without a character; 0 where ``input`` names the key.
  public let symbol: UInt32
  /// The modifiers that have to be down, and no others; locks do not count.
  public let modifiers: ModifierFlags
  /// The action of the command; while an alert is shown it goes past its scene, as other input does.
  public let action: Action
  /// The title of the command; for menus and help.
  public let title: String

  /// Makes a command of a key's character.
  ///
  /// Under a layout of another script the key of that letter in the user's layout with Latin letters matches, too
  /// (``Key/latinCharacter``): Control and the key of C copy while Russian is typed.
  /// - Parameters:
  ///   - input: The key's character, in lower case.
  ///   - modifiers: The modifiers that have to be down.
  ///   - title: The title of the command.
  ///   - action: The action.
  public init(input: String, modifiers: ModifierFlags = .control, title: String = "", action: Action) {
    self.input = input.lowercased()
    symbol = 0
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  /// Makes a command of a key's symbol: arrows, function keys.
  ///
  /// The corresponding key of the number pad matches, too (``KeySymbol/withoutKeypad(_:)``), unless an earlier command
  /// is for it.
  /// - Parameters:
  ///   - symbol: The X11 keysym.
  ///   - modifiers: The modifiers that have to be down.
  ///   - title: The title of the command.
  ///   - action: The action.
  public init(symbol: UInt32, modifiers: ModifierFlags = [], title: String = "", action: Action) {
    input = ""
    self.symbol = symbol
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  /// Whether a key, with its modifiers, is the command's.
  /// - Parameter key: The key.
  /// - Returns: Whether it is.
  public func matches(_ key: Key) -> Bool {
    let relevant: ModifierFlags = [.shift, .control, .alternate, .command]
    guard key.modifiers.intersection(relevant) == modifiers.intersection(relevant) else { return false }
    if symbol != 0 { return symbol == key.symbol || symbol == KeySymbol.withoutKeypad(key.symbol) }
    // With Control a key's character is a control character; its symbol stays that of the letter.
    return input == key.baseCharacter || key.latinCode != 0 && input == key.latinCharacter
  }
}

extension Key {
  /// The key's character without Control: the character of its symbol, in lower case.
  var baseCharacter: String {
    // Latin-1 keysyms are their own characters; others have their code point above 0x1000000 (X protocol, appendix A).
    switch symbol {
    case 0x20...0x7E, 0xA0...0xFF: String(UnicodeScalar(UInt8(symbol))).lowercased()
    case 0x0100_0100...0x0110_FFFF: UnicodeScalar(symbol & 0xFF_FFFF).map { String($0).lowercased() } ?? ""
    default: characters.lowercased()
    }
  }
}
