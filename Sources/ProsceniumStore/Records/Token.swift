import ProsceniumPlatform

/// Text without spaces and line ends: the form of names in the lines of the store's files.
enum Token {
  /// Encodes a text: letters, digits and a few signs as they are, every other byte as `%` and two digits.
  ///
  /// A lone `-` stands for nil, a lone `%` for the empty text.
  static func encode(_ text: String?) -> String {
    guard let text else { return "-" }
    if text.isEmpty { return "%" }
    if text == "-" { return "%2D" }
    let needsNoEscape = text.withBytes { $0.allSatisfy(isPlain) }
    return needsNoEscape ? text : text.escaped("%", uppercase: true, unless: isPlain)
  }

  /// Decodes a token.
  /// - Returns: The text, nil for none; or nil at all where the bytes are no token.
  static func decode(_ token: ArraySlice<UInt8>) -> String?? {
    guard let first = token.first else { return nil }
    if token.count == 1, first == UInt8(ascii: "-") { return .some(nil) }
    if token.count == 1, first == UInt8(ascii: "%") { return "" }
    if token.allSatisfy(isPlain) { return String(decoding: token, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(token.count)
    var rest = token
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        byte = high << 4 | low
      }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self).map { .some($0) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
