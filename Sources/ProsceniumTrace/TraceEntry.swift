/// One line of the trace: what happened, as key and value pairs in a fixed order.
package struct TraceEntry: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([String])
  }
  package var kind: String
  package var fields: [(key: String, value: Value)]

  package init(_ kind: String, _ fields: [(key: String, value: Value)]) {
    self.kind = kind
    self.fields = fields
  }

  package static func == (lhs: TraceEntry, rhs: TraceEntry) -> Bool {
    lhs.kind == rhs.kind && lhs.fields.map(\.key) == rhs.fields.map(\.key)
      && lhs.fields.map(\.value) == rhs.fields.map(\.value)
  }

  package subscript(key: String) -> Value? { fields.first { $0.key == key }?.value }

  /// The text of a field, if it is one.
  package func text(_ key: String) -> String? {
    guard case .text(let text)? = self[key] else { return nil }
    return text
  }

  /// The line as JSON, without its end.
  package func json(time: Double, process: Int32) -> String {
    var line = "{\"t\":" + Self.microseconds(time) + ",\"pid\":\(process),\"kind\":" + Self.quoted(kind)
    for (key, value) in fields {
      line += "," + Self.quoted(key) + ":"
      switch value {
      case .text(let text): line += Self.quoted(text)
      case .flag(let flag): line += flag ? "true" : "false"
      case .number(let number): line += String(number)
      case .list(let list): line += "[" + list.map(Self.quoted).joined(separator: ",") + "]"
      }
    }
    return line + "}"
  }

  /// Seconds with six digits, without a locale.
  package static func microseconds(_ time: Double) -> String {
    guard time.isFinite, time >= 0, time < 1e12 else { return "0.000000" }
    let total = Int((time * 1e6).rounded())
    let fraction = String(total % 1_000_000)
    return String(total / 1_000_000) + "." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }

  /// A JSON string (RFC 8259, section 7).
  package static func quoted(_ text: String) -> String {
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
