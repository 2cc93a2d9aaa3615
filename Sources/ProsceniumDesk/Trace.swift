import FoundationEssentials
import Synchronization

/// One line of a trace, as its documentation has it; keys that this reader does not know are ignored.
public struct TraceLine: Decodable, Sendable, CustomStringConvertible {
  /// When, in seconds of the monotonic clock.
  public let t: Double
  /// The process that wrote it.
  public let pid: Int
  /// The kind of the line: `launch`, `fact`, `edge`, `app`, `system`, `request`, `error`.
  public let kind: String
  /// The scene's session, by its persistent identifier.
  public let scene: String?
  /// The X window, as `0x...`; see ``windowNumber``.
  public let window: String?
  /// The name within the kind: `sceneDidBecomeActive`, `visible`.
  public let name: String?
  /// The state before an edge.
  public let from: String?
  /// The state after an edge; the value of a fact.
  public var to: String? { value?.text }
  /// The rule that decided about a fact.
  public let cause: String?
  /// The application's state after it.
  public let state: String?
  /// Why.
  public let reason: String?
  /// The text of an error.
  public let message: String?
  /// The sessions that it is about.
  public let sessions: [String]?
  /// The line itself.
  public private(set) var text = ""
  private let value: Value?

  private enum CodingKeys: String, CodingKey {
    case t, pid, kind, scene, window, name, from, cause, state, reason, message, sessions
    case value = "to"
  }

  /// A string, or the name of a Boolean: a fact's value may be either.
  private struct Value: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = (try? container.decode(String.self)) ?? (try? container.decode(Bool.self)).map { "\($0)" }
    }
  }

  init(parsing line: Substring) throws {
    self = try JSONDecoder().decode(TraceLine.self, from: Data(line.utf8))
    text = String(line)
  }

  /// The line itself.
  public var description: String { text }

  /// The X window as a number.
  public var windowNumber: UInt32? {
    guard let window, window.hasPrefix("0x") else { return nil }
    return UInt32(window.dropFirst(2), radix: 16)
  }
}

/// Reads a trace while it is being written.
package final class TraceReader: Sendable {
  private struct Progress {
    var offset = 0
    var lines: [TraceLine] = []
  }

  package let path: String
  private let progress = Mutex(Progress())

  package init(path: String) { self.path = path }

  /// All whole lines so far.
  ///
  /// A line that is no JSON object with the promised keys is a failure.
  package func lines() throws -> [TraceLine] {
    try progress.withLock { progress in
      let new = contents(of: path, from: progress.offset)
      guard let end = new.lastIndex(of: UInt8(ascii: "\n")) else { return progress.lines }
      for line in String(decoding: new[..<end], as: UTF8.self).split(separator: "\n") {
        do {
          progress.lines.append(try TraceLine(parsing: line))
        } catch {
          throw DeskFailure("not a line of the trace: \(line)\n\(error)")
        }
      }
      progress.offset += end + 1
      return progress.lines
    }
  }
}

/// Where a scene stands by its program's trace.
public struct TracedScene: Hashable, Sendable {
  /// Its session's persistent identifier.
  public var identifier: String
  /// The state that its last edge arrived at, as the trace names it.
  public var state: String
  /// Its primary window's number on the server; nil while it has none.
  ///
  /// A disconnected scene keeps the number of the window that it had: where that stays on the screen, the user brings
  /// the scene back with it.
  public var window: UInt32?

  package init(identifier: String, state: String, window: UInt32? = nil) {
    self.identifier = identifier
    self.state = state
    self.window = window
  }
}

extension [TraceLine] {
  /// The scenes in the order of their first connection, each with the state that its last edge arrived at.
  public var scenes: [TracedScene] {
    var result: [TracedScene] = []
    // Whose window the next fact names: later ones may be about an alert, and edges are about the primary window.
    var unnamed: Set<String> = []
    for line in self where line.kind == "edge" || line.kind == "fact" {
      guard let identifier = line.scene else { continue }
      let index: Int
      if let known = result.firstIndex(where: { $0.identifier == identifier }) {
        index = known
      } else {
        guard line.kind == "edge" else { continue }
        result.append(TracedScene(identifier: identifier, state: line.from ?? "unattached"))
        index = result.count - 1
      }
      if line.kind == "fact" {
        if let window = line.windowNumber, unnamed.remove(identifier) != nil { result[index].window = window }
        continue
      }
      let connects = line.from == "unattached"
      if connects || line.to == "unattached" { unnamed.insert(identifier) } else { unnamed.remove(identifier) }
      // A scene that connects has no window yet, or the one that stayed.
      if !connects || line.windowNumber != nil { result[index].window = line.windowNumber }
      if let to = line.to { result[index].state = to }
    }
    return result
  }

  /// The edges of one scene, or of all.
  /// - Parameter scene: The scene's identifier; all scenes where nil.
  /// - Returns: The lines.
  public func edges(of scene: String? = nil) -> [TraceLine] {
    filter { $0.kind == "edge" && (scene == nil || $0.scene == scene) }
  }
}
