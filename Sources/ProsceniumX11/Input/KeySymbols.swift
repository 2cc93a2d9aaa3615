/// The texts of keysyms (X protocol, appendix A "Keysym Encoding").
enum KeySymbols {
  static let modeSwitch: UInt32 = 0xFF7E
  static let levelThreeShift: UInt32 = 0xFE03
  static let numLock: UInt32 = 0xFF7F
  static let capsLock: UInt32 = 0xFFE5
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

  /// The two cases of a letter; the symbol twice where it has none.
  static func cases(_ symbol: UInt32) -> (lower: UInt32, upper: UInt32) {
    guard let scalar = scalar(symbol), scalar.value > 0x1F, symbol < 0xFF00 || symbol >= 0x0100_0000 else {
      return (symbol, symbol)
    }
    return (
      keysym(scalar.properties.lowercaseMapping) ?? symbol, keysym(scalar.properties.uppercaseMapping) ?? symbol
    )
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
