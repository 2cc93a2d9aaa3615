/// Text without spaces and line ends: how names stand in the lines of the store's files.
enum Token {
  /// Letters, digits and a few signs as they are, every other byte as `%` and two digits.
  ///
  /// A lone `-` means nothing at all, a lone `%` the empty text.
  static func encode(_ text: String?) -> String {
    guard let text else { return "-" }
    if text.isEmpty { return "%" }
    if text == "-" { return "%2D" }
    if text.utf8.allSatisfy(isPlain) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What the bytes stand for.
  /// - Returns: The text, nil for none; or nothing at all if they are no token.
  static func decode(_ token: ArraySlice<UInt8>) -> String?? {
    guard !token.isEmpty else { return nil }
    if token.elementsEqual("-".utf8) { return .some(nil) }
    if token.elementsEqual("%".utf8) { return "" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(token.count)
    var index = token.startIndex
    while index < token.endIndex {
      if token[index] == UInt8(ascii: "%") {
        guard index + 2 < token.endIndex, let high = digit(token[index + 1]), let low = digit(token[index + 2]) else {
          return nil
        }
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(token[index])
        index += 1
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    case _: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case _: nil
    }
  }
}
