import ProsceniumJSON
import ProsceniumTrace

extension TraceRun {
  private static let unsaved = "unsaved document "

  mutating func checkDocument(_ details: TraceDetails) {
    guard case .int(let number) = details["document"], case .string(let event) = details["event"] else {
      return fail(.documents, "the line lacks the number of the document, or what has happened to it")
    }
    let name = Self.unsaved + "\(number)"
    switch event {
    case "edited": facts[name] = .text(event)
    case "saved", "kept", "failed", "undone", "reverted", "reread", "closed": facts[name] = nil
    case "opened", "conflict": break
    default: fail(.documents, "nothing that is called \(event) happens to a document")
    }
  }

  /// Reports documents whose changes are nowhere on the disk when the program's code does not run any more.
  mutating func failUnsavedDocuments(_ event: String) {
    for name in facts.keys.filter({ $0.hasPrefix(Self.unsaved) }).sorted() {
      facts[name] = nil
      fail(.documents, "the \(name) has changes that are nowhere on the disk, and \(event)")
    }
  }
}
