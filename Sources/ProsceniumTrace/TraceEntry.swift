package import ProsceniumJSON

// The way in of callers that write a line as pairs of keys and values. It goes with the last of them.

/// The values of such a line.
package enum TraceEntry {
  package typealias Value = JSONValue
}

extension JSONValue {
  package static func text(_ text: String) -> JSONValue { .string(text) }
  package static func flag(_ flag: Bool) -> JSONValue { .bool(flag) }
  package static func number(_ number: Int) -> JSONValue { .int(number) }
  package static func list(_ list: [String]) -> JSONValue { .array(list.map(JSONValue.string)) }
}

extension TraceRecorder {
  package func record(_ kind: String, _ fields: @autoclosure () -> [(key: String, value: TraceEntry.Value)]) {
    guard isOn, let record = TraceRecord(kind: kind, fields: TraceDetails(fields())) else { return }
    self(record)
  }
}
