internal import Glibc
import ProsceniumLoop
import ProsceniumTrace

/// The lines of a program in memory, over all its processes.
struct ProgramRecording {
  /// The lines as a test reads them.
  private(set) var trace = Trace()
  /// The records as the framework writes them.
  private(set) var records: [TraceRecord] = []
  /// Checks every program's trace while it is written, where `PROSCENIUM_CHECK_TRACES` is set; else nil.
  ///
  /// One more run of tests that are there anyway.
  private var checker = checksTraces ? TraceChecker() : nil
  private static let checksTraces = getenv("PROSCENIUM_CHECK_TRACES") != nil
  /// How many lines a test has examined.
  private var examined = 0

  /// Adds a record.
  /// - Parameters:
  ///   - record: The record.
  ///   - time: When it was written, in seconds.
  mutating func add(_ record: TraceRecord, time: Double) {
    records.append(record)
    checker?.check(record, number: records.count, time: time)
    // Ends the process at the first rule that is broken: tests of any kind notice that.
    if let violation = checker?.violations.first {
      StandardError.write("PROSCENIUM_CHECK_TRACES: \(violation)\n\(record.json(time: time, process: 0))")
      abort()
    }
    trace.append(record)
  }

  /// Removes and returns the lines that no test has examined yet.
  mutating func take() -> Slice<Trace> {
    defer { examined = trace.count }
    return trace[examined...]
  }
}
