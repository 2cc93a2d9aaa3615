import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// Names of keysyms, and which keys do the same.
@MainActor @Suite("Key symbols") struct KeySymbolTests {
  @Test("Each key of the number pad has its twin, and other keys are themselves")
  func keypad() {
    // KP_Space, KP_Tab, KP_Enter, KP_F1 to KP_F4, KP_Home to KP_Begin, KP_Insert, KP_Delete (X protocol, appendix A)
    let keypad: [UInt32] = [0xFF80, 0xFF89, 0xFF8D] + Array(0xFF91...0xFF9F)
    let twins: [UInt32] = [
      0x20, 0xFF09, 0xFF0D, 0xFFBE, 0xFFBF, 0xFFC0, 0xFFC1, 0xFF50, 0xFF51, 0xFF52, 0xFF53, 0xFF54, 0xFF55, 0xFF56,
      0xFF57, 0xFF58, 0xFF63, 0xFFFF,
    ]
    #expect(keypad.map(KeySymbol.withoutKeypad) == twins)
    for symbol in (0 as UInt32)...0x1_0000 where !keypad.contains(symbol) {
      #expect(KeySymbol.withoutKeypad(symbol) == symbol)
    }
  }

  private final class Target: Responder {
    func act(_ sender: AnyObject?) {}
  }

  @Test("A key command by symbol is asked for by the number pad's key as well, and the other way round it is not")
  func commands() {
    func matches(_ command: UInt32, _ key: UInt32) -> Bool {
      KeyCommand(symbol: command, action: Action(Target.act)).matches(
        Key(code: 9, symbol: key, characters: "", isDown: true))
    }
    #expect(matches(KeySymbol.return, KeySymbol.keypadEnter) && matches(KeySymbol.home, 0xFF95))
    #expect(matches(KeySymbol.keypadEnter, KeySymbol.keypadEnter) && !matches(KeySymbol.keypadEnter, KeySymbol.return))
  }

  @Test("Shift that makes a sign is the layout's, and any other one has to be named")
  func shiftedSigns() {
    func matches(_ input: String, naming named: ModifierFlags = [], _ symbol: UInt32, _ held: ModifierFlags) -> Bool {
      let key = Key(code: 9, symbol: symbol, characters: "+", isDown: true, modifiers: held.union(.control))
      return KeyCommand(input: input, modifiers: named.union(.control), action: Action(Target.act)).matches(key)
    }
    // The American and the German plus, the French digit, and commands that name Shift.
    #expect(matches("+", 0x2B, .shift) && matches("+", 0x2B, []) && matches("1", 0x31, .shift))
    #expect(matches("+", naming: .shift, 0x2B, .shift) && !matches("+", naming: .shift, 0x2B, []))
    #expect(!matches("+", 0x2B, [.shift, .alternate]) && !matches("1", 0x21, .shift))
    // Letters, the space and the number pad, of which Shift makes nothing else.
    #expect(!matches("s", 0x53, .shift) && matches("s", naming: .shift, 0x53, .shift))
    #expect(!matches(" ", 0x20, .shift) && matches(" ", 0x20, []))
    #expect(!matches("+", 0xFFAB, .shift) && matches("+", 0xFFAB, []))
    // A key that is named by its symbol, as media keys are.
    let space = Key(code: 65, symbol: KeySymbol.space, characters: " ", isDown: true, modifiers: [.control, .shift])
    let action = Action(Target.act)
    #expect(!KeyCommand(symbol: KeySymbol.space, modifiers: .control, action: action).matches(space))
    #expect(KeyCommand(symbol: KeySymbol.space, modifiers: [.control, .shift], action: action).matches(space))
    // The plus of the user's Latin layout, on a key that types a Thai letter.
    var thai = Key(code: 21, symbol: 0x0DAA, characters: "\u{E0A}", isDown: true, modifiers: [.control, .shift])
    thai.latinCode = 0x2B
    #expect(KeyCommand(input: "+", action: Action(Target.act)).matches(thai))
  }
}
