/// Keys that, pressed together, ask for an action.
///
/// The sender of the action is the command, so that one method serves several:
///
/// ```swift
/// override var keyCommands: [KeyCommand] {
///   (1...9).map { KeyCommand(input: "\($0)", action: Action(Tabs.choose)) }
/// }
/// func choose(_ sender: AnyObject?) {
///   guard let command = sender as? KeyCommand, let number = Int(command.input) else { return }
///   select(number)
/// }
/// ```
///
/// Where it is the command of an item of a menu bar, the sender is that item, whose `keyEquivalent` it is.
@preconcurrency @MainActor public final class KeyCommand {
  /// The key's character without Control, Alt and Super, in lower case: `"s"`; empty where ``symbol`` names the key.
  public let input: String
  /// The X11 keysym of a key without a character; 0 where ``input`` names the key.
  public let symbol: UInt32
  /// The modifiers that have to be down, and no others; locks do not count, nor does Shift that makes a sign.
  public let modifiers: ModifierFlags
  /// The action of the command; while an alert is shown it goes past its scene, as other input does.
  public let action: Action
  /// The title of the command; for menus and help.
  public let title: String
  /// Whether the command comes before what its key means in a text that is edited; false at first.
  ///
  /// A text that has the keys (``Responder/isTextInput``) receives those without Control, Alt and Super first, and only
  /// the keys that it has no use for ask for commands: Escape, for example, and Tab in a field of one line. With true
  /// the space and the letters, arrows and Return of commands do not come as far as the text. It changes nothing for
  /// other views, such as lists and buttons, whose keys commands take anyway, nor in menu bars, whose commands always
  /// come after the text.
  public var wantsPriorityOverSystemBehavior = false { didSet { assertMainThread() } }

  /// Makes a command of a key's character.
  ///
  /// Under a layout of another script the key of that letter in the user's layout with Latin letters matches, too
  /// (``Key/latinCharacter``): Control and the key of C copy while Russian is typed.
  ///
  /// A sign, a digit, or a letter of a script without cases is the character itself: `"+"` is typed with Shift on an
  /// American keyboard and without it on a German one, and both match a command that does not name Shift. One that
  /// names it is found only where the layout needs Shift. Of a letter, the space and the number pad Shift counts.
  /// - Parameters:
  ///   - input: The key's character, in lower case.
  ///   - modifiers: The modifiers that have to be down. ``ModifierFlags/command`` is the Super key, which most window
  ///     managers keep for themselves; what is Command on a Mac is Control here.
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
    var relevant: ModifierFlags = [.shift, .control, .alternate, .command]
    if key.modifiers.contains(.shift), mayNeedShift(key) { relevant.remove(.shift) }
    guard key.modifiers.intersection(relevant) == modifiers.intersection(relevant) else { return false }
    if symbol != 0 { return symbol == key.symbol || symbol == KeySymbol.withoutKeypad(key.symbol) }
    // With Control a key's character is a control character; its symbol stays that of the letter.
    return input == key.baseCharacter || key.latinCode != 0 && input == key.latinCharacter
  }

  /// Whether the layout decides if Shift makes the command's character on a key.
  private func mayNeedShift(_ key: Key) -> Bool {
    // Keysyms of the number pad and of function keys are FF00 to FFFF (X protocol, appendix A): they ignore Shift.
    symbol == 0 && !modifiers.contains(.shift) && input != " " && input == input.uppercased()
      && key.symbol & 0xFFFF_FF00 != 0xFF00
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
