/// A golden trace: what is done, step by step, and the life-cycle lines that each step gives.
///
/// ```
/// # A comment
/// arguments --app-based
/// launch
///   > willFinishLaunchingWithOptions [inactive]
/// user minimize 1
///   > ...
/// ```
/// Steps that begin with `user` are done by a person or the window manager, the others by the program itself.
package struct Scenario: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package var action: String
    package var expected: [String]
    package init(action: String, expected: [String] = []) {
      self.action = action
      self.expected = expected
    }
  }
  package var head: [String] = []
  package var arguments: [String] = []
  package var steps: [Step] = []

  package init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if line.hasPrefix("#") {
        head.append(String(line))
      } else if line.hasPrefix("  > ") {
        if !steps.isEmpty { steps[steps.count - 1].expected.append(String(line.dropFirst(4))) }
      } else if line.hasPrefix("arguments ") {
        arguments = line.split(separator: " ").dropFirst().map(String.init)
      } else {
        steps.append(Step(action: String(line)))
      }
    }
  }

  /// The file's text.
  package var text: String {
    var lines = head
    if !arguments.isEmpty { lines.append("arguments " + arguments.joined(separator: " ")) }
    for step in steps {
      lines.append(step.action)
      lines += step.expected.map { "  > " + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether the lines of one step are what was expected of it.
  ///
  /// Where a window system decides how events fall into batches, lines of different subjects may change places; each
  /// scene's own order and the application's may not.
  package static func agree(_ lines: [String], _ expected: [String]) -> Bool {
    func bySubject(_ lines: [String]) -> [String: [String]] {
      Dictionary(grouping: lines) { line in
        line.hasPrefix("scene") ? String(line.prefix { $0 != " " }) : "application"
      }
    }
    guard bySubject(lines) == bySubject(expected) else { return false }
    return true
  }
}

extension Scenario {
  /// Whether no two scenes are ever active at a time; nil if so, else the line that breaks it.
  package static func secondActive(in lines: [String]) -> String? {
    var active: Set<Substring> = []
    for line in lines {
      let scene = line.prefix { $0 != " " }
      if line.contains(" sceneWillResignActive ") { active.remove(scene) }
      if line.contains(" sceneDidBecomeActive ") { active.insert(scene) }
      if active.count > 1 { return line }
    }
    return nil
  }
}
