import ProsceniumJSON

// The text of a line. Written by hand, because keys have an order and a line is written in the middle of an event.
extension TraceRecord {
  /// The line as JSON, without its end.
  /// - Parameters:
  ///   - time: Seconds on the monotonic clock; microseconds are kept.
  ///   - process: The number of the process.
  /// - Returns: The text.
  package func json(time: Double, process: Int32) -> String {
    var line = "{\"t\":" + Self.microseconds(time) + ",\"pid\":\(process),\"kind\":" + Self.quoted(kind)
    for field in fields.fields { line += "," + Self.quoted(field.key) + ":" + Self.text(field.value) }
    return line + "}"
  }

  /// Seconds with six digits, without a locale.
  private static func microseconds(_ time: Double) -> String {
    guard time.isFinite, time >= 0, time < 1e12 else { return "0.000000" }
    let total = Int((time * 1e6).rounded())
    let fraction = String(total % 1_000_000)
    return String(total / 1_000_000) + "." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .unsigned(let number): String(number)
    case .double(let number): number.isFinite ? "\(number)" : "null"
    case .string(let text): quoted(text)
    case .array(let values): "[" + values.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { quoted($0.key) + ":" + text($0.value) }.joined(separator: ",")
        + "}"
    }
  }

  /// A JSON string (RFC 8259, section 7).
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "\u{0}"..<"\u{20}":
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
