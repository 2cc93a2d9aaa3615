package import ProsceniumLoop

/// What waits for its time, beside the sessions: files that are replaced as a whole.
package enum WaitingFile: Sendable {
  /// The requests of scheduled work.
  case tasks
  /// The notices with triggers.
  case notices

  /// The file of a name; nil for any other name.
  init?(name: String) {
    switch name {
    case Self.tasks.name: self = .tasks
    case Self.notices.name: self = .notices
    default: return nil
    }
  }

  fileprivate var name: String {
    switch self {
    case .tasks: "tasks.json"
    case .notices: "notices.json"
    }
  }
  /// The most bytes of a file; eleven requests, or 64 notices, are fewer.
  package static let limit = 1 << 23
}

extension SessionStore {
  /// Whether a file was there when the directory was read at the launch, or has been written since.
  package func has(_ file: WaitingFile) -> Bool { waiting.contains(file) }

  /// Reads a file.
  /// - Parameter file: The file.
  /// - Returns: Its bytes; nil where there is none.
  /// - Throws: The error of the file system.
  package func read(_ file: WaitingFile) throws(FileError) -> [UInt8]? {
    do throws(FileError) { return try files.read(file.name, limit: WaitingFile.limit) } catch FileError.missing {
      return nil
    }
  }

  /// Replaces a file; on return it would survive a power cut.
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - file: The file.
  /// - Throws: The error of the file system; the old content is still there.
  package func write(_ bytes: [UInt8], to file: WaitingFile) throws(FileError) {
    try files.replace(file.name, with: bytes)
    waiting.insert(file)
    try files.syncDirectory()
  }

  /// Renames a file whose content is damaged, so that it is reported once.
  /// - Parameters:
  ///   - file: The file.
  ///   - why: What is wrong with it.
  /// - Returns: The message about it.
  package func setAside(_ file: WaitingFile, _ why: String) -> String {
    setAside(file.name, why, taken: Set((try? files.names()) ?? []))
  }

  /// Removes a file; on return it would not come back after a power cut.
  /// - Parameter file: The file; one that is not there does no harm.
  /// - Throws: The error of the file system; the file may still be there.
  package func remove(_ file: WaitingFile) throws(FileError) {
    guard try files.removeIfThere(file.name) else { return }
    waiting.remove(file)
    try files.syncDirectory()
  }
}
