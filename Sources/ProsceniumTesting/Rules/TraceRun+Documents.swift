import ProsceniumTrace

extension TraceRun {
  /// Reports documents whose changes are nowhere on the disk when the program's code does not run any more, and no
  /// error says why.
  mutating func failUnsavedDocuments(_ event: String) {
    for name in facts.keys.filter({ $0.hasPrefix(MachineTrace.unsaved) }).sorted() where facts[name] == .text("edited")
    {
      facts[name] = nil
      fail(.documents, "the \(name) has changes that are nowhere on the disk, and \(event)")
    }
  }
}
