import ProsceniumTrace

/// The lines of a program in memory, over all its processes.
struct ProgramRecording {
  /// The lines as a test reads them.
  private(set) var trace = Trace()
  /// The records as the framework writes them.
  private(set) var records: [TraceRecord] = []
  private var rules = OwnRules.ifAsked()
  /// How many lines a test has examined.
  private var examined = 0

  /// Adds a record.
  /// - Parameters:
  ///   - record: The record.
  ///   - time: When it was written, in seconds.
  mutating func add(_ record: TraceRecord, time: Double) {
    records.append(record)
    rules?.check(record, time: time)
    trace.append(record)
  }

  /// Removes and returns the lines that no test has examined yet.
  mutating func take() -> Slice<Trace> {
    defer { examined = trace.count }
    return trace[examined...]
  }
}
