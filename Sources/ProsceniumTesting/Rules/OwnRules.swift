internal import Glibc
import ProsceniumLoop
import ProsceniumTrace

/// Checks the trace of every program in memory while it is written, where `PROSCENIUM_CHECK_TRACES` is set: one more
/// run of tests that are there anyway.
struct OwnRules {
  private static let isOn = getenv("PROSCENIUM_CHECK_TRACES") != nil
  private var checker = TraceChecker()
  private var number = 0

  /// Nil where the environment variable is not set.
  static func ifAsked() -> OwnRules? { isOn ? OwnRules() : nil }

  /// Ends the process at the first rule that is broken: tests of any kind notice that.
  mutating func check(_ record: TraceRecord, time: Double) {
    number += 1
    checker.check(record, number: number, time: time)
    guard let violation = checker.violations.first else { return }
    StandardError.write("PROSCENIUM_CHECK_TRACES: \(violation)\n\(record.json(time: time, process: 0))")
    abort()
  }
}
