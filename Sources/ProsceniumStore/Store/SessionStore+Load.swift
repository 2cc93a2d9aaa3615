internal import Glibc
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
    /// In how many of the latest runs, on end, a session was connecting when the run died.
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
    var contents = reading.contents
    discarded = Set(contents.discarded.map { $0.identifier })
    beginRun(&contents, taken: reading.taken)
    return contents
  }

  private func beginRun(_ contents: inout Contents, taken: Set<String>) {
    var bytes: [UInt8] = []
    do throws(FileError) { bytes = try files.read(StoreNames.journal, limit: 64 << 20) } catch {
      switch error {
      case FileError.missing: break
      case .notAFile, .tooLarge: contents.messages.append(setAside(StoreNames.journal, "\(error)", taken: taken))
      case .system:
        contents.messages.append(
          "The file \"\(StoreNames.journal)\" cannot be read: \(error). How the last run ended is not known.")
      }
    }
    let journal = RunJournal(bytes)
    contents.lastRun = journal.lastRun
    contents.suspects = journal.suspects
    queue.syncsJournal = true
    // The last names of a killed run may not be synced yet, and from here on they count as stored.
    queue.syncsDirectory = true
    let line = RunJournal.run(Int(getpid()))
    guard bytes.count > 4096 else {
      // Behind a torn line this one would be torn, too.
      return appendToJournal(bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? line : "\n" + line)
    }
    do throws(FileError) {
      try files.replace(StoreNames.journal, with: Array((journal.lines + line).utf8))
    } catch { appendToJournal("\n" + line) }
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
