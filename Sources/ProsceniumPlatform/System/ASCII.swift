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
    utf8.map { byte in
      let number = String(byte, radix: 16, uppercase: uppercase)
      return isPlain(byte) ? String(Unicode.Scalar(byte)) : mark + (byte < 16 ? "0" : "") + number
    }.joined()
  }
}
