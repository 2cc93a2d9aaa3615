import CXCB
import ProsceniumPlatform

/// The symbols and texts of keys: by libxkbcommon where it agrees with the server, else by the core keyboard map.
struct KeyboardMap {
  /// Rules that differ in more keys than this come from another machine, or are stale.
  private static let mostDifferences = 48

  let core: CoreKeyboardMap
  private let xkb: XKBKeymap?
  /// Keys that have been changed since the rules were written: by xmodmap, or by tools that type characters of no key.
  private(set) var changed: Set<UInt8> = []

  /// Makes a map; a key of the keymap of rules is used only if it has the server's symbols there.
  init(core: CoreKeyboardMap, xkb: XKBKeymap? = nil, codes: ClosedRange<UInt8> = 8...255) {
    self.core = core
    guard let xkb else {
      self.xkb = nil
      return
    }
    changed = Set(codes.filter { !Self.agree(core, xkb, $0) })
    self.xkb = changed.count <= Self.mostDifferences ? xkb : nil
  }

  private static func agree(_ core: CoreKeyboardMap, _ xkb: XKBKeymap, _ code: UInt8) -> Bool {
    let (there, here) = (xkb.lookUp(code, state: 0).symbol, core.plainSymbol(code))
    if there != here, here != 0 { return false }
    let shift = UInt16(XCB_KEY_BUT_MASK_SHIFT.rawValue)
    // The second symbol is Shift's only where it is text: other keys have other levels there (XKB protocol, 12.4).
    let (thereShifted, hereShifted) = (xkb.lookUp(code, state: shift).symbol, core.symbol(code, state: shift))
    return thereShifted == hereShifted || hereShifted == 0 || KeySymbols.isKeypad(hereShifted)
      || KeySymbols.scalar(hereShifted) == nil || thereShifted == 0
  }

  var usesXKB: Bool { xkb != nil }

  func key(_ input: XInput, isDown: Bool, isRepeat: Bool) -> Key {
    let modifiers = Self.modifiers(input.state)
    let symbol: UInt32
    let text: String
    if let xkb, !changed.contains(input.detail) {
      (symbol, text) = xkb.key(input.detail, state: input.state)
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
