import ProsceniumJSON

extension JSONValue {
  /// The value as a line of the trace has it.
  var inTrace: String { (try? JSONValue.bytes(of: self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
