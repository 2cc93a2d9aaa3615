import CXCB

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
    if isLocked, !lockIsShift {
      return KeySymbols.cases(isShifted ? pair.1 : pair.0).upper
    }
    return isShifted || isLocked ? pair.1 : pair.0
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
