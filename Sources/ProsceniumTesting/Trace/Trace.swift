import ProsceniumJSON
import ProsceniumTrace

/// What a program did, line by line: every edge of every scene, every call of the application's delegate, every error,
/// and the facts that they follow from.
///
/// A value: a later line does not change it. Scenes are numbered in the order in which they first appear; one that
/// comes back after a relaunch keeps its number.
public struct Trace: RandomAccessCollection, Hashable, Sendable {
  /// One line.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// What the line is about: `edge` (a step of a scene), `app` (a call of the application's delegate), `error`, or
    /// one of the kinds of the trace format, such as `fact`, `request` and `system`.
    public let kind: String
    /// The scene, as `scene1`; nil where it is about none.
    public let scene: String?
    /// The callback, the fact or the request.
    public let name: String?
    /// The state of the scene before.
    public let from: String?
    /// The state of the scene after, the application's state, or what a fact is now.
    public let to: String?
    /// Why, where there is more than one reason.
    public let reason: String?
    /// The line: `scene1 sceneDidBecomeActive foregroundInactive -> foregroundActive`,
    /// `applicationDidBecomeActive [active]`, `error: ...`.
    public let description: String

    /// Whether a run on X11 has the line too: edges and calls.
    var isLifeCycle: Bool { kind == "edge" || kind == "app" }
    /// Whether a test has to expect the line: edges, calls and errors.
    var isExpected: Bool { isLifeCycle || kind == "error" }
  }

  private var entries: [Entry] = []
  private var golden = GoldenTrace()

  /// The position of the first line.
  public var startIndex: Int { entries.startIndex }
  /// The position after the last line.
  public var endIndex: Int { entries.endIndex }
  /// A line.
  /// - Parameter position: The position of the line.
  public subscript(position: Int) -> Entry { entries[position] }

  /// Adds a line.
  mutating func append(_ record: TraceRecord) {
    let line = golden.line(record)
    let fields = record.fields
    func text(_ key: String) -> String? { fields[key]?.text }
    let scene = text("scene").map { golden.number(of: $0) ?? $0 }
    var to = text("to") ?? text("state")
    if to == nil, case .bool(let flag) = fields["to"] { to = String(flag) }
    let (name, from) = (text("name"), text("from"))
    let reason = text("reason") ?? text("cause")
    let description: String
    if let line {
      description = line
    } else if let message = text("message") {
      description = record.kind + ": " + golden.numbered(message)
    } else {
      let states = [from, to].compactMap(\.self).joined(separator: " -> ")
      description = [record.kind + ":", scene, name, states.isEmpty ? nil : states, reason.map { "(\($0))" }]
        .compactMap(\.self).joined(separator: " ")
    }
    entries.append(
      Entry(
        kind: record.kind, scene: scene, name: name, from: from, to: to, reason: reason, description: description))
  }
}
