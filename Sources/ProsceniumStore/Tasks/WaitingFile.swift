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

  /// Begins to replace a file, or to remove it; when that is done it would survive a power cut.
  ///
  /// On a thread of its own: a disk may hang. The caller begins no other write of the file before this one is done.
  /// - Parameters:
  ///   - bytes: The new content; nil to remove the file, which may be missing.
  ///   - file: The file.
  /// - Returns: The write; one that fails may leave the old content.
  package func write(_ bytes: [UInt8]?, to file: WaitingFile) -> WaitingWrite {
    if bytes == nil { waiting.remove(file) } else { waiting.insert(file) }
    return WaitingWrite(runsInline: writesInline) { [files] () throws(FileError) in
      if let bytes {
        try files.replace(file.name, with: bytes)
      } else if try !files.removeIfThere(file.name) {
        return
      }
      try files.syncDirectory()
    }
  }

  /// Renames a file whose content is damaged, so that it is reported once.
  /// - Parameters:
  ///   - file: The file.
  ///   - why: What is wrong with it.
  /// - Returns: The message about it.
  package func setAside(_ file: WaitingFile, _ why: String) -> String {
    setAside(file.name, why, taken: Set((try? files.names()) ?? []))
  }
}

/// A write of a file on a thread of its own.
package final class WaitingWrite: Sendable {
  /// The outcome; nil while it is under way.
  private let result = Monitor<Result<Void, FileError>?>(nil)

  /// - Parameters:
  ///   - runsInline: Whether it is done here instead.
  ///   - body: Writes the file.
  init(runsInline: Bool, _ body: @escaping @Sendable () throws(FileError) -> Void) {
    let work: @Sendable () -> Void = { [result] in
      let outcome: Result<Void, FileError>
      do throws(FileError) { outcome = .success(try body()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
    }
    if runsInline || !DetachedThread.run(work) { work() }
  }

  /// Waits until it is done.
  /// - Parameter timeout: The longest time.
  /// - Returns: The outcome; nil where it is not done in time.
  package func wait(for timeout: Duration) -> Result<Void, FileError>? { result.wait(for: timeout) { $0 } }
}
