package import ProsceniumCore

/// The life-cycle lines of a trace without what differs from run to run: times, process, identifiers, causes.
///
/// Scenes are numbered in order of appearance, so that a run on X11 and a run in memory can be compared line by line.
package enum GoldenTrace {
  /// The normal form of the `edge` and `app` lines; other kinds differ by nature between platforms.
  package static func lines(_ entries: [TraceEntry]) -> [String] {
    var numbers: [String: Int] = [:]
    func number(_ scene: String) -> String {
      let number = numbers[scene] ?? numbers.count + 1
      numbers[scene] = number
      return "scene\(number)"
    }
    return entries.compactMap { entry in
      switch entry.kind {
      case "edge":
        let reason = entry.text("reason").map { " (\($0))" } ?? ""
        return "\(number(entry.text("scene") ?? "?")) \(entry.text("name") ?? "?") "
          + "\(entry.text("from") ?? "?") -> \(entry.text("to") ?? "?")\(reason)"
      case "app":
        var line = "\(entry.text("name") ?? "?") [\(entry.text("state") ?? "?")]"
        if case .list(let sessions)? = entry["sessions"] {
          line += " " + sessions.map(number).joined(separator: " ")
        }
        return line
      default: return nil
      }
    }
  }
}
