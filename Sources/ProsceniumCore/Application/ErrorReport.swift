import ProsceniumLoop

/// An error of the program or of a library, for the person who started it and for the trace.
enum ErrorReport {
  /// Writes an error to standard error, and within the callbacks of a program to its trace.
  ///
  /// Outside of them another one may be the shared application, in tests that run beside each other.
  static func write(_ message: String) {
    guard Responder.isMainThread else { return StandardError.write("Proscenium: " + message) }
    MainActor.assumeIsolated {
      guard let conductor = Application.sharedIfLaunched?.conductor, !conductor.isInboxIdle else {
        return StandardError.write("Proscenium: " + message)
      }
      conductor.report(message)
    }
  }
}
