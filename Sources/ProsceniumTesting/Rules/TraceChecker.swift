import ProsceniumCore
package import ProsceniumTrace

/// Reads a trace line by line and says which of the ``TraceRule``s it breaks, and where.
///
/// A trace may be of several runs one after the other, and of several processes at once: each process is judged by
/// itself, and anew from each `launch` line. It may end anywhere, because a program may be killed. Lines, keys and values
/// that are not known are left alone.
///
/// ```swift
/// #expect(TraceChecker.violations(in: text).isEmpty)
/// ```
public struct TraceChecker: Sendable {
  /// A rule that was broken.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public var rule: TraceRule
    /// The number of the line that breaks it, from 1.
    public var line: Int
    /// The session, where it is about one.
    public var scene: String?
    /// What is there, and what should be.
    public var detail: String

    /// `line 12, scene 6F…: rule 6: …`, with the rule's sentence in parentheses.
    public var description: String {
      let scene = scene.map { ", scene \($0)" } ?? ""
      return "line \(line)\(scene): rule \(rule.rawValue): \(detail) (\(rule.sentence))"
    }
  }

  /// What has been found so far, in the order of the lines.
  public private(set) var violations: [Violation] = []
  private(set) var runs: [Int: TraceRun] = [:]

  /// A checker that has read nothing.
  public init() {}

  /// Reads one more line.
  /// - Parameter line: The line.
  public mutating func take(_ line: Line) {
    var run = runs.removeValue(forKey: line.process) ?? TraceRun()
    // Two runs may have had the same number.
    if line.kind == "launch", run.isLaunched { run = TraceRun() }
    run.take(line)
    if !run.found.isEmpty {
      violations += run.found
      run.found = []
    }
    runs[line.process] = run
  }

  /// Reads what a parser has found.
  /// - Parameter item: A line, or something else.
  public mutating func take(_ item: TraceParser.Item) {
    switch item {
    case .line(let line): take(line)
    case .rubbish(let number, let text):
      violations.append(Violation(rule: .wholeLines, line: number, detail: "this is no line of a trace: \(text)"))
    }
  }

  /// What a whole text breaks.
  /// - Parameter text: The trace.
  /// - Returns: Everything that was found, in the order of the lines; empty where all rules hold.
  public static func violations(in text: String) -> [Violation] {
    var checker = TraceChecker()
    for item in TraceParser.parse(text) { checker.take(item) }
    return checker.violations
  }
}

extension TraceChecker {
  /// Reads an entry that a program in memory has just written.
  package mutating func take(_ entry: TraceEntry, number: Int, time: Double, process: Int = 0) {
    let fields = entry.fields.map { field in
      let value: Value =
        switch field.value {
        case .text(let text): .text(text)
        case .flag(let flag): .flag(flag)
        case .number(let number): .number(Double(number))
        case .list(let list): .list(list)
        }
      return Line.Field(key: field.key, value: value)
    }
    take(Line(number: number, time: time, process: process, kind: entry.kind, fields: fields))
  }
}
