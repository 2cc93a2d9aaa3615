import ProsceniumCore

/// What keys mean: by libxkbcommon where it agrees with the server, else by the core keyboard map.
struct KeyboardMap {
  let core: CoreKeyboardMap
  private let xkb: XKBKeymap?

  /// A keymap made from rules is only believed if every key has the symbol there that the server says: people change
  /// single keys (xmodmap), and rules may be stale or come from another machine.
  init(core: CoreKeyboardMap, xkb: XKBKeymap? = nil, codes: ClosedRange<UInt8> = 8...255) {
    self.core = core
    let agrees = xkb.map { xkb in
      codes.allSatisfy { code in
        let (there, here) = (xkb.lookUp(code, state: 0).symbol, core.plainSymbol(code))
        return there == 0 || here == 0 || there == here
      }
    }
    self.xkb = agrees == true ? xkb : nil
  }

  var usesXKB: Bool { xkb != nil }

  func key(_ input: XInput, isDown: Bool, isRepeat: Bool) -> Key {
    let modifiers = Self.modifiers(input.state)
    let symbol: UInt32
    let text: String
    if let xkb {
      (symbol, text) = xkb.lookUp(input.detail, state: input.state)
    } else {
      symbol = core.symbol(input.detail, state: input.state)
      text = KeySymbols.text(symbol, control: modifiers.contains(.control))
    }
    return Key(
      code: input.detail, symbol: symbol, characters: text, isDown: isDown, isRepeat: isRepeat, modifiers: modifiers)
  }

  /// The flags have the bits of the protocol's KEYBUTMASK; Mod3 and Mod5 have no name there.
  static func modifiers(_ state: UInt16) -> ModifierFlags { ModifierFlags(rawValue: state & 0b101_1111) }
}
