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
    let modifiers = input.modifiers
    let symbol: UInt32
    let text: String
    let latin: UInt8
    if let xkb, !changed.contains(input.detail) {
      (symbol, text, latin) = xkb.key(input.detail, state: input.state)
    } else {
      symbol = core.symbol(input.detail, state: input.state)
      text = KeySymbols.text(symbol, control: modifiers.contains(.control))
      latin = core.latin(input.detail, symbol, state: input.state)
    }
    var key = Key(
      code: input.detail, symbol: symbol, characters: text, isDown: isDown, isRepeat: isRepeat, modifiers: modifiers)
    key.otherState = input.state & ~modifiers.rawValue
    key.latinCode = latin
    return key
  }
}

/// The server's core keyboard map: which symbols a key has, and which one the modifiers choose.
///
/// X protocol, section 5 "Keyboards": the first two symbols are group 1, the next two group 2. Servers with XKB append
/// the third and fourth level of group 1 (XKB protocol, section 12.4).
struct CoreKeyboardMap: Hashable, Sendable {
  /// Shift, Lock, Control and Mod1 to Mod5.
  static let modifierCount = 8

  private var firstCode: UInt8
  private var perKey: Int
  private var symbols: [UInt32]
  private var modeSwitchMask: UInt16 = 0
  private var levelThreeMask: UInt16 = 0
  private var numLockMask: UInt16 = 0
  private var lockIsShift = false

  /// Makes a map of two replies.
  /// - Parameters:
  ///   - firstCode: The first keycode of `symbols`.
  ///   - perKey: How many symbols each key has.
  ///   - symbols: The symbols of GetKeyboardMapping.
  ///   - modifiers: The keycodes of GetModifierMapping, the same number for each of the eight modifiers.
  init(firstCode: UInt8, perKey: Int, symbols: [UInt32], modifiers: [UInt8]) {
    self.firstCode = firstCode
    self.perKey = max(0, perKey)
    self.symbols = symbols
    let perModifier = modifiers.count / Self.modifierCount
    guard perModifier > 0 else { return }
    for (index, code) in modifiers.enumerated() where code != 0 {
      let modifier = index / perModifier
      let mask = UInt16(1) << UInt16(modifier)
      let all = self.all(code)
      if modifier == Int(XCB_MAP_INDEX_LOCK.rawValue), all.contains(KeySymbols.shiftLock) { lockIsShift = true }
      guard modifier >= Int(XCB_MAP_INDEX_1.rawValue) else { continue }
      if all.contains(KeySymbols.modeSwitch) { modeSwitchMask |= mask }
      if all.contains(KeySymbols.levelThreeShift) { levelThreeMask |= mask }
      if all.contains(KeySymbols.numLock) { numLockMask |= mask }
    }
  }

  /// The symbol that a key types; 0 where it has none.
  func symbol(_ code: UInt8, state: UInt16) -> UInt32 {
    let all = self.all(code)
    var base = 0
    if state & modeSwitchMask != 0 || XInput.group(state) == 1 { base = 2 }
    if base == 0, state & levelThreeMask != 0, perKey > 4 { base = 4 }
    var pair = (at(base, all), at(base + 1, all))
    if pair.0 == 0, pair.1 == 0, base != 0 { pair = (at(0, all), at(1, all)) }
    // "If the second element is NoSymbol", a letter has both cases and anything else stands for both.
    if pair.1 == 0 { pair = KeySymbols.cases(pair.0) }
    let isShifted = UInt32(state) & XCB_KEY_BUT_MASK_SHIFT.rawValue != 0
    let isLocked = UInt32(state) & XCB_KEY_BUT_MASK_LOCK.rawValue != 0
    if state & numLockMask != 0, KeySymbols.isKeypad(pair.1) {
      return isShifted || isLocked && lockIsShift ? pair.0 : pair.1
    }
    if isLocked, !lockIsShift { return KeySymbols.cases(isShifted ? pair.1 : pair.0).upper }
    return isShifted || isLocked ? pair.1 : pair.0
  }

  /// The ASCII character of a key that types a symbol; see ``KeySymbols/latin(_:_:a:in:)``.
  func latin(_ code: UInt8, _ typed: UInt32, state: UInt16) -> UInt8 {
    // As in a keymap of rules.
    guard state & levelThreeMask == 0 else { return 0 }
    let groups = XInput.groupMask | modeSwitchMask
    return KeySymbols.latin(code, typed) {
      symbol(KeySymbols.keyOfA, state: state & groups)
    } in: {
      symbol(code, state: state & ~groups | $0)
    }
  }

  /// The symbol without modifiers.
  func plainSymbol(_ code: UInt8) -> UInt32 { at(0, all(code)) }

  private func all(_ code: UInt8) -> ArraySlice<UInt32> {
    let start = (Int(code) - Int(firstCode)) * perKey
    guard code >= firstCode, perKey > 0, start + perKey <= symbols.count else { return [] }
    return symbols[start..<start + perKey]
  }

  private func at(_ index: Int, _ all: ArraySlice<UInt32>) -> UInt32 {
    index < all.count ? all[all.startIndex + index] : 0
  }
}

/// The texts of keysyms (X protocol, appendix A "Keysym Encoding").
enum KeySymbols {
  static let modeSwitch: UInt32 = 0xFF7E
  static let levelThreeShift: UInt32 = 0xFE03
  static let numLock: UInt32 = 0xFF7F
  static let shiftLock: UInt32 = 0xFFE6

  static func isKeypad(_ symbol: UInt32) -> Bool {
    (0xFF80...0xFFBD).contains(symbol) || (0x1100_0000...0x1100_FFFF).contains(symbol)
  }

  /// The text that a keysym types: Latin-1, the Unicode range, the keypad and the keys of ASCII's control characters.
  static func scalar(_ symbol: UInt32) -> Unicode.Scalar? {
    switch symbol {
    case 0x20...0x7E, 0xA0...0xFF: Unicode.Scalar(symbol)
    case 0x0100_0100...0x0110_FFFF: Unicode.Scalar(symbol - 0x0100_0000)
    // BackSpace, Tab, Linefeed, Return, Escape.
    case 0xFF08, 0xFF09, 0xFF0A, 0xFF0D, 0xFF1B: Unicode.Scalar(symbol & 0x7F)
    case 0xFF80: " "
    case 0xFF89: "\t"
    case 0xFF8D: "\r"
    // KP_Multiply to KP_9, and KP_Equal.
    case 0xFFAA...0xFFB9, 0xFFBD: Unicode.Scalar(symbol & 0x7F)
    case 0xFFFF: "\u{7F}"
    case _: nil
    }
  }

  /// Whether a keysym is a character of a script other than Latin, such as a Cyrillic letter or an Arabic digit.
  static func isOfOtherScript(_ symbol: UInt32) -> Bool {
    switch symbol {
    // Latin keys are decided by one comparison.
    case 0..<0x400: false
    // Katakana, Arabic, Cyrillic and Greek; Hebrew, Thai and Korean; Armenian, Georgian and those of the Caucasus.
    case 0x400...0x7FF, 0xC00...0xFFF, 0x1400...0x16FF: true
    // Not Vietnamese letters, nor punctuation and signs.
    case 0x0100_0370...0x0100_1DFF, 0x0100_2C00...0x0110_FFFF: true
    case _: false
    }
  }

  /// The code of the key of A on an American keyboard, which types a letter of each script.
  static let keyOfA: UInt8 = 38

  private static func isLetter(_ symbol: UInt32) -> Bool {
    (0x41...0x5A).contains(symbol) || (0x61...0x7A).contains(symbol)
  }

  /// Whether a keysym is a character of ASCII other than letters, digits and the space.
  private static func isSign(_ symbol: UInt32) -> Bool {
    (0x21...0x7E).contains(symbol) && !isLetter(symbol) && !(0x30...0x39).contains(symbol)
  }

  /// The character by which shortcuts find a key that types a symbol; 0 for one that is found by the symbol.
  ///
  /// Layouts of other scripts have signs on keys of letters, as Greek has the semicolon on that of Q. Such a key keeps
  /// its sign, and is found by the letter as well. It is found by no other sign: the full stop of Russian is on the key
  /// of the slash, and is meant for no command of the slash.
  /// - Parameters:
  ///   - code: The key's code.
  ///   - typed: The key's symbol.
  ///   - letterOfA: The symbol of ``keyOfA`` in the same group, by which the layout's script is known.
  ///   - symbol: The key's symbol in a group, which is given as in the state of an event.
  /// - Returns: The ASCII character.
  static func latin(
    _ code: UInt8, _ typed: UInt32, a letterOfA: () -> UInt32, in symbol: (_ group: UInt16) -> UInt32
  ) -> UInt8 {
    if isOfOtherScript(typed) { return latinCode(code, in: symbol) }
    // A letter of a Latin layout costs two comparisons.
    guard isSign(typed), isOfOtherScript(letterOfA()) else { return 0 }
    let found = latinCode(code) { group in
      let symbol = symbol(group)
      return isLetter(symbol) ? symbol : 0
    }
    return isLetter(UInt32(found)) ? found : 0
  }

  /// Looks for the character by which shortcuts find a key of another script.
  /// - Parameters:
  ///   - code: The key's code.
  ///   - symbol: The key's symbol in a group, which is given as in the state of an event.
  /// - Returns: The ASCII character of the first group that has one, else the letter or digit that is at the key's
  ///   place on an American keyboard; 0 for none.
  private static func latinCode(_ code: UInt8, in symbol: (_ group: UInt16) -> UInt32) -> UInt8 {
    for group: UInt16 in 0..<4 {
      if case let symbol = symbol(group << 13), (0x21...0x7E).contains(symbol) { return UInt8(symbol) }
    }
    // The codes are the kernel's, and 8 (evdev); older drivers have the same ones for these keys.
    for (first, row) in [(10, "1234567890"), (24, "qwertyuiop"), (38, "asdfghjkl"), (52, "zxcvbnm")] as [(Int, String)]
    {
      let place = Int(code) - first
      if (0..<row.utf8.count).contains(place) { return Array(row.utf8)[place] }
    }
    return 0
  }

  /// The two cases of a letter; the symbol twice where it has none.
  static func cases(_ symbol: UInt32) -> (lower: UInt32, upper: UInt32) {
    guard let scalar = scalar(symbol), scalar.value > 0x1F, symbol < 0xFF00 || symbol >= 0x0100_0000 else {
      return (symbol, symbol)
    }
    return (keysym(scalar.properties.lowercaseMapping) ?? symbol, keysym(scalar.properties.uppercaseMapping) ?? symbol)
  }

  /// The text under the modifiers: Control makes ASCII's control characters, as everywhere on X.
  static func text(_ symbol: UInt32, control: Bool) -> String {
    guard let scalar = scalar(symbol) else { return "" }
    guard control else { return String(scalar) }
    switch scalar.value {
    case 0x40...0x7E: return String(Unicode.Scalar(UInt8(scalar.value & 0x1F)))
    case 0x20, 0x32: return "\0"
    // Control-3 to Control-7 are Escape to US, as terminals have them.
    case 0x33...0x37: return String(Unicode.Scalar(UInt8(scalar.value - 0x33 + 0x1B)))
    case 0x38: return "\u{7F}"
    case 0x2F: return "\u{1F}"
    case _: return String(scalar)
    }
  }

  private static func keysym(_ text: String) -> UInt32? {
    guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first else { return nil }
    return scalar.value <= 0xFF ? scalar.value : scalar.value + 0x0100_0000
  }
}
