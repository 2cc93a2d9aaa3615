/// A trace is not the one that a test expects.
public struct TraceMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The lines that were expected and did not come.
  public let missing: [String]
  /// The lines that came and were not expected.
  public let unexpected: [String]
  /// Both in one, line by line: `-` before a missing line, `+` before an unexpected one.
  public let difference: String
  /// The file and the line of the expectation, as `Module/File.swift:12`.
  public let location: String

  /// Where the expectation is, and the difference: what a failed test prints.
  public var description: String {
    "The trace is not the one that is expected at \(location) (- missing, + unexpected):\n\(difference)"
  }

  /// What differs; nil where nothing does.
  init?(expected: [String], actual: [String], location: String) {
    let changes = actual.difference(from: expected)
    guard !changes.isEmpty else { return nil }
    var (removed, inserted): ([Int: String], [Int: String]) = ([:], [:])
    for change in changes {
      switch change {
      case .remove(let offset, let line, _): removed[offset] = line
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var lines: [String] = []
    var (before, after) = (0, 0)
    while before < expected.count || after < actual.count {
      if let line = removed[before] {
        lines.append("  - " + line)
        before += 1
      } else if let line = inserted[after] {
        lines.append("  + " + line)
        after += 1
      } else {
        lines.append("    " + expected[before])
        before += 1
        after += 1
      }
    }
    missing = removed.sorted { $0.key < $1.key }.map(\.value)
    unexpected = inserted.sorted { $0.key < $1.key }.map(\.value)
    difference = lines.joined(separator: "\n")
    self.location = location
  }
}
