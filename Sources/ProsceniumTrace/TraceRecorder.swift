/// Where the lines of the trace go: to a file, to a test, or nowhere.
@MainActor package struct TraceRecorder {
  private let sink: ((TraceEntry) -> Void)?

  /// Writes nothing and costs nothing.
  package static let off = TraceRecorder(sink: nil)

  package init(sink: ((TraceEntry) -> Void)?) { self.sink = sink }

  package var isOn: Bool { sink != nil }

  package func record(_ kind: String, _ fields: @autoclosure () -> [(key: String, value: TraceEntry.Value)]) {
    guard let sink else { return }
    sink(TraceEntry(kind, fields()))
  }

  /// Records a line, which is made only if the trace is on.
  package func record(_ entry: @autoclosure () -> TraceEntry) {
    guard let sink else { return }
    sink(entry())
  }
}
