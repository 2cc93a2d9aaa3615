/// The direction of a text.
enum TextDirection: Hashable, Sendable {
  case leftToRight, rightToLeft

  /// The direction of the first letter of a text (Unicode Standard Annex 9, P2 and P3); nil without letters.
  init?(of text: String) {
    guard let letter = text.unicodeScalars.first(where: Self.isStrong) else { return nil }
    switch letter.value {
    // RIGHT-TO-LEFT MARK, Hebrew to Arabic, their presentation forms, and the two blocks reserved for such scripts.
    case 0x200F, 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
      self = .rightToLeft
    default: self = .leftToRight
    }
  }

  private static func isStrong(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // ASCII needs no look into the tables of Unicode, and long lines of numbers are common.
    case 0x00...0x7F: 0x41...0x5A ~= scalar.value || 0x61...0x7A ~= scalar.value
    case 0x200E, 0x200F: true
    default: scalar.properties.isAlphabetic
    }
  }
}
