package import ProsceniumTrace

/// The life-cycle lines of a trace without what differs from run to run: times, process, identifiers, causes.
///
/// Scenes are numbered in order of appearance, so that a run on X11 and a run in memory can be compared line by line.
package struct GoldenTrace: Hashable, Sendable {
  private var numbers: [String: Int] = [:]

  package init() {}

  /// The normal form of one record; nil for kinds that differ by nature between platforms.
  package mutating func line(_ record: TraceRecord) -> String? {
    switch record {
    case .edge(let edge):
      let reason = edge.reason.map { " (\($0))" } ?? ""
      return name(edge.scene) + " \(edge.name) \(edge.from) -> \(edge.to)\(reason)"
    case .app(let app):
      let sessions = app.sessions.map { " " + $0.map { name($0) }.joined(separator: " ") } ?? ""
      return "\(app.name) [\(app.state)]" + sessions
    case .launch, .fact, .system, .request, .error: return nil
    }
  }

  /// The number of a scene that has appeared.
  func number(of scene: String) -> String? { numbers[scene].map { "scene\($0)" } }

  /// A text with numbers in place of identifiers.
  func numbered(_ text: String) -> String { numbers.reduce(text) { $0.replacing($1.key, with: "scene\($1.value)") } }

  private mutating func name(_ scene: String) -> String {
    let number = numbers[scene] ?? numbers.count + 1
    numbers[scene] = number
    return "scene\(number)"
  }
}
