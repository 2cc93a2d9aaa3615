import ProsceniumLoop

/// Files of a store that are not overwritten.
struct UntouchableFiles: Sendable {
  /// The identifiers of sessions: their files are a newer version's, or cannot be read now.
  var identifiers: Set<String> = []
  var unread = UnreadFiles()
}

/// Files of sessions, and the journal, that could not be read when the store was loaded, and are read again.
///
/// A disk may be ill for a while.
package struct UnreadFiles: Sendable {
  var names: Set<String> = []
  /// Not even the names in the directory could be read.
  var isUnlisted = false
  /// The identifiers of this run's sessions that have ended while they could not.
  var ended: Set<String> = []

  var isEmpty: Bool { names.isEmpty && !isUnlisted }

  /// Takes out the record of a session that the user closes.
  /// - Returns: Whether it was there.
  mutating func end(_ identifier: String) -> Bool {
    guard names.remove(StoreNames.record(identifier)) != nil else { return false }
    ended.insert(identifier)
    return true
  }
}

/// What another reading has found.
package struct ReadFiles: Sendable {
  /// The first bytes of a file, and how many it has.
  typealias Start = (bytes: [UInt8], size: Int)

  /// The files that could be read, or are none that ever can be.
  var starts: [String: Result<Start, FileError>] = [:]
  /// Files that have come with the names of the directory, and cannot be read yet.
  var unread: Set<String> = []
  /// Every name in the directory; nil where these cannot be read still.
  var names: [String]?
}

extension StoreAccess {
  /// Reads files again that could not be read when the store was loaded; on any thread, because the disk may hang.
  package func read(_ last: UnreadFiles) -> ReadFiles {
    var read = ReadFiles()
    guard let all = try? files.names() else { return read }
    read.names = all
    var budget = ReadingBudget()
    for name in last.names.union(last.isUnlisted ? all : []) {
      switch StoreNames.kind(of: name) {
      case .record, .tombstone: break
      case .temporary, .picture, .other: guard last.names.contains(name) else { continue }
      }
      do throws(FileError) {
        let start = try files.start(of: name, limit: RecordCoder.limit, count: budget.mostOfStart)
        budget.spend(start.bytes.count)
        read.starts[name] = .success(start)
      } catch {
        switch error {
        case FileError.missing, .notAFile, .tooLarge, .foreign: read.starts[name] = .failure(error)
        case .system: read.unread.insert(name)
        }
      }
    }
    return read
  }
}

extension SessionStore {
  /// The files of sessions that could not be read when the store was loaded.
  package var unread: UnreadFiles { untouchable.unread }
  /// Whether there are any.
  package var hasUnread: Bool { !untouchable.unread.isEmpty }

  /// Takes over what another reading of ``unread`` has found.
  /// - Returns: The sessions that are known from now on.
  package func load(_ read: ReadFiles) -> Contents {
    var reading = StoreReading(store: self, read)
    reading.readAgain()
    discarded.formUnion(reading.contents.discarded.map { $0.identifier })
    return reading.contents
  }
}
