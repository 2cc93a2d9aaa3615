extension UInt8 {
  /// Whether it is an ASCII letter.
  package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Whether it is an ASCII digit.
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension String {
  /// The text with every byte that is not plain as a mark and two hexadecimal digits.
  package func escaped(
    _ mark: String, uppercase: Bool = false, unless isPlain: (UInt8) -> Bool
  ) -> String {
    var text = ""
    for byte in utf8 {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += mark + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: uppercase)
      }
    }
    return text
  }
}
