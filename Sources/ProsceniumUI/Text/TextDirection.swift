/// Which side a text begins at.
enum TextDirection: Hashable, Sendable {
  case leftToRight, rightToLeft

  /// That of the first letter (Unicode Standard Annex 9, P2 and P3); nil where there is none.
  init?(of text: String) {
    guard let letter = text.unicodeScalars.first(where: Self.isStrong) else { return nil }
    switch letter.value {
    // The mark for it, Hebrew to Arabic, their presentation forms, and two blocks of planes for scripts of its kind.
    case 0x200F, 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
      self = .rightToLeft
    default: self = .leftToRight
    }
  }

  private static func isStrong(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Long lines of numbers are common; their letters are not worth a look into Unicode's tables.
    case 0x00...0x7F: 0x41...0x5A ~= scalar.value || 0x61...0x7A ~= scalar.value
    case 0x200E, 0x200F: true
    default: scalar.properties.isAlphabetic
    }
  }
}
