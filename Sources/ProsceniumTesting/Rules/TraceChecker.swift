import ProsceniumCore
package import ProsceniumTrace

/// Reads a trace, and names the ``TraceRule``s that it breaks, each with the line.
///
/// A trace may be of several runs one after the other, and of several processes at once: each process is judged by
/// itself, and anew from each `launch` line. It may end anywhere, because a program may be killed. Lines, keys and
/// values that are not known are ignored.
///
/// ```swift
/// #expect(TraceChecker.violations(in: text).isEmpty)
/// ```
///
/// A value; it may be used on any thread.
public struct TraceChecker: Sendable {
  /// A rule that was broken.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public var rule: TraceRule
    /// The number of the line that breaks it, from 1.
    public var line: Int
    /// The persistent identifier of the session, for a rule about one.
    public var scene: String?
    /// The difference between the trace and the rule.
    public var detail: String

    /// `line 12, scene 6F…: rule 6: …`, with the rule's sentence in parentheses.
    public var description: String {
      let scene = scene.map { ", scene \($0)" } ?? ""
      return "line \(line)\(scene): rule \(rule.rawValue): \(detail) (\(rule.sentence))"
    }
  }

  /// The violations that have been found so far, in the order of the lines.
  public private(set) var violations: [Violation] = []
  /// The number of lines so far that are lines of a trace.
  public private(set) var lineCount = 0
  private(set) var runs: [Int: TraceRun] = [:]
  private var decoder = TraceDecoder()

  /// Makes a checker that has read nothing.
  public init() {}

  /// Reads the next piece of a trace.
  /// - Parameter bytes: The piece, in UTF-8; it may end within a line.
  public mutating func check(_ bytes: some Collection<UInt8>) {
    for item in decoder.decode(bytes) {
      switch item {
      case .line(let line): check(line)
      case .rubbish(let number, let text):
        violations.append(Violation(rule: .wholeLines, line: number, detail: "this is no line of a trace: \(text)"))
      }
    }
  }

  /// Ends the trace: reads the last line, if it is whole but for its end.
  public mutating func finish() { if let line = decoder.finish() { check(line) } }

  /// Checks a whole trace.
  /// - Parameter text: The trace.
  /// - Returns: All violations, in the order of the lines; empty where all rules hold.
  public static func violations(in text: String) -> [Violation] {
    var checker = TraceChecker()
    checker.check(text.utf8)
    checker.finish()
    return checker.violations
  }

  /// Checks a record that a program in memory has written.
  package mutating func check(_ record: TraceRecord, number: Int, time: Double, process: Int = 0) {
    check(TraceDecoder.Line(record, number: number, time: time, process: process))
  }

  private mutating func check(_ line: TraceDecoder.Line) {
    lineCount += 1
    var run = runs.removeValue(forKey: line.process) ?? TraceRun()
    // Two runs may have had the same number.
    if line.kind == "launch", run.isLaunched { run = TraceRun() }
    violations += run.check(line)
    runs[line.process] = run
  }
}
