/// Writes records to a file, to a test, or nowhere.
///
/// ```swift
/// trace(.system("screenSaver", ["to": .bool(isOn), "cause": .string(source)]))
/// ```
@MainActor package struct TraceRecorder {
  private let sink: ((TraceRecord) -> Void)?

  /// Writes nothing, and does not even make the record.
  package static let off = TraceRecorder(sink: nil)

  /// A recorder.
  /// - Parameter sink: Called with each record; nil for a recorder that is off.
  package init(sink: ((TraceRecord) -> Void)?) { self.sink = sink }

  package var isOn: Bool { sink != nil }

  /// Writes a record.
  /// - Parameter record: The record; not evaluated while the recorder is off.
  package func callAsFunction(_ record: @autoclosure () -> TraceRecord) { sink?(record()) }
}
