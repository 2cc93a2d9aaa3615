import ProsceniumLoop

extension SessionStore {
  /// The content of the store at launch.
  package struct Contents {
    /// Ascending by when they were last active.
    package var sessions: [Record] = []
    /// Discarded sessions of which the program has not been told.
    package var discarded: [Record] = []
    /// The identifiers of records that a newer version wrote; they stay as they are.
    package var newer: [String] = []
    /// In how many of the latest runs, on end, a session was connecting when the run ended itself; one more where the
    /// run before these held it back.
    package var suspects: [String: Int] = [:]
    package var lastRun = LastRun.none
    /// What was wrong, each file once.
    package var messages: [String] = []
    package init() {}
  }

  /// Reads the directory, and writes to the journal that a run has begun.
  ///
  /// To be called once, before anything else. The directory is synced with the next ``flush()``.
  package func load() -> Contents {
    var reading = StoreReading(store: self)
    reading.readAll()
    discarded = Set(reading.contents.discarded.map { $0.identifier })
    reading.beginRun()
    return reading.contents
  }

  /// Renames a damaged file.
  /// - Returns: The message about it.
  func setAside(_ name: String, _ why: String, taken: Set<String>) -> String {
    let new = StoreNames.damaged(name, taken: taken)
    do throws(FileError) { try files.rename(name, to: new) } catch {
      return "The file \"\(name)\" is damaged (\(why)) and could not be set aside: \(error)."
    }
    queue.syncsDirectory = true
    return "The file \"\(name)\" is damaged: \(why). It was set aside as \"\(new)\"."
  }
}
