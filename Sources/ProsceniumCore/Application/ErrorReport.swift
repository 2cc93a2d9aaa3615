import ProsceniumLoop

/// An error of the program or of a library, for the person who started it and for the trace.
enum ErrorReport {
  /// Writes an error to standard error, and to the trace on the main thread of a program that is launched.
  static func write(_ message: String) {
    guard Responder.isMainThread else { return StandardError.write("Proscenium: " + message) }
    MainActor.assumeIsolated {
      guard let conductor = Application.sharedIfLaunched?.conductor else {
        return StandardError.write("Proscenium: " + message)
      }
      conductor.report(message)
    }
  }
}
