import ProsceniumTrace

/// The lines of a program in memory, over all its processes.
struct ProgramRecording {
  /// The lines as a test reads them.
  private(set) var trace = Trace()
  /// The records as the framework writes them.
  private(set) var records: [TraceRecord] = []
  /// The lines that a run on X11 has in common with one in memory.
  private(set) var golden: [String] = []
  private var rules = OwnRules.ifAsked()
  private var expectedLines = 0
  private var expectedGolden = 0

  /// Adds a record.
  /// - Parameters:
  ///   - record: The record.
  ///   - time: When it was written, in seconds.
  mutating func add(_ record: TraceRecord, time: Double) {
    records.append(record)
    rules?.check(record, time: time)
    if let line = trace.append(record) { golden.append(line) }
  }

  /// Removes and returns the lines that have to be expected and that no test has examined yet.
  mutating func takeLines() -> [String] {
    let lines = trace[expectedLines...].filter(\.isExpected).map(\.description)
    (expectedLines, expectedGolden) = (trace.count, golden.count)
    return lines
  }

  /// Removes and returns the golden lines that no test has examined yet.
  mutating func takeGolden() -> [String] {
    let lines = golden[expectedGolden...]
    (expectedLines, expectedGolden) = (trace.count, golden.count)
    return Array(lines)
  }
}
