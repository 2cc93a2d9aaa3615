import ProsceniumLoop

extension Application {
  /// Writes an error to standard error, for toolkits and libraries that are built on the framework.
  ///
  /// A closed pipe or a full disk does not end the program. May be called on any thread.
  /// - Parameter message: What is wrong and what to do, as a sentence.
  nonisolated public static func report(_ message: String) { StandardError.write("Proscenium: " + message) }
}
