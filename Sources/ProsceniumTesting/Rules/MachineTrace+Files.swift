import ProsceniumJSON
import ProsceniumTrace

/// What is said of the user's documents and protected files.
extension MachineTrace {
  static let unsaved = "unsaved document "

  mutating func checkDocument(_ details: TraceDetails) {
    guard case .int(let number) = details["document"], case .string(let event) = details["event"] else {
      return fail(.documents, "the line lacks the number of the document, or what has happened to it")
    }
    let name = Self.unsaved + "\(number)"
    switch event {
    case "edited": facts[name] = .text(event)
    // It may end so, but not be closed.
    case "failed": if facts[name] != nil { facts[name] = .text(event) }
    case "saved", "kept", "undone", "reverted", "reread": facts[name] = nil
    case "closed":
      if facts[name] != nil {
        fail(.documents, "document \(number) is closed, and its changes are nowhere on the disk")
      }
      facts[name] = nil
    case "opened", "conflict": break
    default: fail(.documents, "nothing that is called \(event) happens to a document")
    }
  }

  /// A key is fetched or wiped, or a protected file is read or written.
  mutating func checkProtection(_ name: String, _ details: TraceDetails) {
    guard case .string(let event) = details["event"], case .string(let protection) = details["protection"] else {
      return fail(.protectedFiles, "the line lacks the class, or what has happened")
    }
    let key = "key of \(protection) files"
    switch (name, event) {
    case ("protectionKey", "fetched"):
      if facts[key] == .text("fetched") { fail(.protectedFiles, "the \(key) was there") }
      if isProtected, facts[key] == .text("locked") {
        fail(.protectedFiles, "the \(key) is fetched while protected data is unavailable")
      }
      facts[key] = .text(event)
    case ("protectionKey", "wiped"):
      let isLocked = details["cause"]?.text == "locked"
      if facts[key] != .text("fetched") {
        fail(.protectedFiles, "the \(key) was not there")
      } else if isLocked, !isProtected {
        fail(.protectedFiles, "the \(key) is wiped for a lock, and protected data is available")
      }
      facts[key] = .text(isLocked ? "locked" : event)
    case ("protectedFile", "read"), ("protectedFile", "write"):
      if facts[key] != .text("fetched") { fail(.protectedFiles, "the \(key) is not there for a \(event)") }
    case ("protectionKey", "failed"), ("protectedFile", "refused"): break
    default: fail(.protectedFiles, "nothing that is called \(event) happens to it")
    }
  }
}
