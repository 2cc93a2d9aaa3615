package import ProsceniumLoop

/// The requests of scheduled work, beside the sessions: a file that is replaced as a whole.
extension SessionStore {
  private static let tasksName = "tasks.json"
  /// The most bytes of the file; it has eleven requests.
  private static let tasksLimit = 1 << 20

  /// Reads the file.
  /// - Returns: Its bytes; nil where there is none.
  /// - Throws: The error of the file system.
  package func readTasks() throws(FileError) -> [UInt8]? {
    do throws(FileError) { return try files.read(Self.tasksName, limit: Self.tasksLimit) } catch FileError.missing {
      return nil
    }
  }

  /// Replaces the file; on return it would survive a power cut.
  /// - Parameter bytes: The new content.
  /// - Throws: The error of the file system; the old content is still there.
  package func writeTasks(_ bytes: [UInt8]) throws(FileError) {
    try files.replace(Self.tasksName, with: bytes)
    try files.syncDirectory()
  }
}
