internal import Glibc
import ProsceniumLoop

extension SessionStore {
  /// What is known of a stored session without decoding its record.
  package struct Record {
    enum Body {
      case encoded(ArraySlice<UInt8>)
      case decoded(StoredSession)
      case damaged(String)
    }

    /// One reference for all of it, so that lists of records are cheap to move and to sort.
    private final class Storage {
      let header: RecordHeader
      let body: Body
      let name: String
      let store: SessionStore
      init(_ header: RecordHeader, _ body: Body, _ name: String, _ store: SessionStore) {
        self.header = header
        self.body = body
        self.name = name
        self.store = store
      }
    }
    private let storage: Storage
    package let lastActive: Double

    init(_ header: RecordHeader, body: Body, name: String, store: SessionStore) {
      storage = Storage(header, body, name, store)
      lastActive = header.lastActive
    }

    package var identifier: String { storage.header.identifier }
    package var role: String { storage.header.role }
    package var configuration: String? { storage.header.configuration }
    package var presence: StoredSession.Presence { storage.header.presence }
    /// The file that it was read from.
    var name: String { storage.name }

    /// By when they were last active; of several at once in the order of their identifiers.
    static func comesBefore(_ first: Record, _ second: Record) -> Bool {
      first.lastActive == second.lastActive
        ? first.identifier < second.identifier : first.lastActive < second.lastActive
    }

    /// The whole session.
    ///
    /// A record that turns out to be damaged is set aside then.
    @MainActor package func decode() throws(DamagedRecord) -> StoredSession {
      switch storage.body {
      case .damaged(let why): throw DamagedRecord(message: "The record \"\(name)\" cannot be read: \(why).")
      case .decoded(let session):
        storage.store.noteDecoded(session)
        return session
      case .encoded(let bytes):
        let session: StoredSession
        do { session = try RecordCoder.decode(storage.header, body: bytes) } catch {
          throw storage.store.setAsideLoaded(self)
        }
        storage.store.noteDecoded(session)
        return session
      }
    }
  }

  /// What the store held at launch.
  package struct Contents {
    /// Ascending by when they were last active.
    package var sessions: [Record] = []
    /// Discarded, and the program has not been told.
    package var discarded: [Record] = []
    /// Identifiers whose records a newer version wrote; they stay as they are.
    package var newer: [String] = []
    /// In how many of the latest runs, on end, a session was connecting when the run died.
    package var suspects: [String: Int] = [:]
    package var lastRun = LastRun.none
    /// What was wrong, each file once.
    package var messages: [String] = []
    package init() {}
  }

  /// Reads the directory, and notes that a run has begun.
  ///
  /// To be called once, before anything else. What it has to sync goes to the disk with the next ``flush()``.
  package func load() -> Contents {
    var contents = Contents()
    var names: [String] = []
    do throws(FileError) { names = try files.names() } catch {
      contents.messages.append("The directory of the stored sessions cannot be read: \(error). No session is restored.")
    }
    var reading = Reading(store: self, names: names)
    var records: [(name: String, identifier: String)] = []
    var pictures: [(name: String, identifier: String)] = []
    for name in names {
      switch StoreNames.kind(of: name) {
      case .tombstone(let identifier): reading.tombstone(name, identifier)
      case .temporary: reading.temporary(name)
      case .record(let identifier): records.append((name, identifier))
      case .picture(let identifier): pictures.append((name, identifier))
      case .other: break
      }
    }
    // Tombstones came first: whatever has one is not coming back.
    for (name, identifier) in records { reading.record(name, identifier) }
    for (name, identifier) in pictures { reading.picture(name, identifier) }
    reading.contents.messages.sort()
    reading.contents.messages.insert(contentsOf: contents.messages, at: 0)
    contents = reading.contents
    contents.sessions.sort(by: Record.comesBefore)
    contents.discarded.sort(by: Record.comesBefore)
    discarded = Set(contents.discarded.map { $0.identifier })
    beginRun(&contents, &reading)
    return contents
  }

  private func beginRun(_ contents: inout Contents, _ reading: inout Reading) {
    var bytes: [UInt8] = []
    do throws(FileError) { bytes = try files.read(StoreNames.journal, limit: 64 << 20) } catch {
      switch error {
      case FileError.missing: break
      case .notAFile, .tooLarge:
        contents.messages.append(setAside(StoreNames.journal, "\(error)", taken: reading.taken))
      case .system:
        contents.messages.append(
          "The file \"\(StoreNames.journal)\" cannot be read: \(error). How the last run ended is not known.")
      }
    }
    let journal = RunJournal(bytes)
    contents.lastRun = journal.lastRun
    contents.suspects = journal.suspects
    queue.syncsJournal = true
    // What a killed run renamed last may not be covered yet, and from here on it counts as stored.
    queue.syncsDirectory = true
    let line = RunJournal.run(Int(getpid()))
    guard bytes.count > 4096 else {
      // Behind a torn line this one would be torn, too.
      note(bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? line : "\n" + line)
      return
    }
    let temporary = StoreNames.temporary(StoreNames.journal)
    do throws(FileError) {
      try files.write(temporary, Array((journal.lines + line).utf8))
      try files.sync(temporary)
      try files.rename(temporary, to: StoreNames.journal)
    } catch { note("\n" + line) }
  }

  func noteDecoded(_ session: StoredSession) {
    decodedCount += 1
    if latest[session.identifier] == nil { latest[session.identifier] = session }
  }

  /// Gives a file that is no good another name.
  /// - Returns: What to say about it.
  func setAside(_ name: String, _ why: String, taken: Set<String>) -> String {
    let new = StoreNames.damaged(name, taken: taken)
    do throws(FileError) { try files.rename(name, to: new) } catch {
      return "The file \"\(name)\" is damaged (\(why)) and could not be set aside: \(error)."
    }
    queue.syncsDirectory = true
    return "The file \"\(name)\" is damaged: \(why). It was set aside as \"\(new)\"."
  }

  fileprivate func setAsideLoaded(_ record: Record) -> DamagedRecord {
    if let known = setAside[record.identifier] { return known }
    let why = "its contents cannot be read"
    let message: String
    if latest[record.identifier] != nil || discarded.contains(record.identifier) {
      // There is a newer one in its place, or nobody wants it any more.
      message = "The file \"\(record.name)\" was damaged: \(why)."
    } else {
      let taken = try? files.names()
      message = setAside(record.name, why, taken: Set(taken ?? []))
    }
    let damage = DamagedRecord(message: message)
    setAside[record.identifier] = damage
    return damage
  }
}

/// One pass over the directory.
@MainActor private struct Reading {
  let store: SessionStore
  /// Every name in the directory; a set only once it is needed.
  lazy var taken = Set(names)
  private let names: [String]
  var contents = SessionStore.Contents()
  private var buried: Set<String> = []
  private var found: Set<String> = []

  init(store: SessionStore, names: [String]) {
    self.store = store
    self.names = names
  }

  private mutating func setAside(_ name: String, _ why: String) {
    contents.messages.append(store.setAside(name, why, taken: taken))
    taken.insert(StoreNames.damaged(name, taken: taken))
  }

  /// Half of something that was never finished.
  mutating func temporary(_ name: String) {
    do throws(FileError) {
      try store.files.remove(name)
      store.queue.syncsDirectory = true
    } catch FileError.missing {} catch {
      setAside(name, "it is in the way of a record that is to be written")
    }
  }

  /// - Returns: The file's bytes; nil if it has been dealt with.
  private mutating func bytes(_ name: String, _ identifier: String) -> [UInt8]? {
    do throws(FileError) {
      return try store.files.read(name, limit: RecordCoder.limit)
    } catch {
      switch error {
      case FileError.missing: break
      case .notAFile, .tooLarge: setAside(name, "\(error)")
      case .system:
        store.untouchable.insert(identifier)
        contents.messages.append("The file \"\(name)\" cannot be read: \(error). It is kept as it is.")
      }
      return nil
    }
  }

  mutating func tombstone(_ name: String, _ identifier: String) {
    guard let bytes = bytes(name, identifier) else { return }
    guard buried.insert(identifier).inserted else { return }
    switch read(bytes, identifier) {
    case .record(let header, let body):
      contents.discarded.append(SessionStore.Record(header, body: body, name: name, store: store))
    case .newer: newer(identifier)
    case .damaged(let why):
      // Its name says all that matters.
      let header = RecordHeader(StoredSession(identifier: identifier, role: "", configuration: nil))
      contents.discarded.append(SessionStore.Record(header, body: .damaged(why), name: name, store: store))
    }
  }

  mutating func record(_ name: String, _ identifier: String) {
    if buried.contains(identifier) {
      // The power failed between the two names. The tombstone is the later one.
      guard !store.untouchable.contains(identifier) else { return }
      do throws(FileError) {
        try store.files.remove(name)
        store.queue.syncsDirectory = true
      } catch FileError.missing {} catch { setAside(name, "\(error)") }
      return
    }
    guard let bytes = bytes(name, identifier) else { return }
    // Two names can be the same text in different bytes.
    guard found.insert(identifier).inserted else { return setAside(name, "another file has the same identity") }
    switch read(bytes, identifier) {
    case .record(let header, let body):
      contents.sessions.append(SessionStore.Record(header, body: body, name: name, store: store))
    case .newer(let version):
      newer(identifier)
      contents.messages.append(
        "The file \"\(name)\" was written by a newer version of the program (format \(version)). It is kept as it is; "
          + "its session is not restored.")
    case .damaged(let why):
      found.remove(identifier)
      setAside(name, why)
    }
  }

  /// A picture whose session is gone shows what nobody may see any more.
  mutating func picture(_ name: String, _ identifier: String) {
    guard !found.contains(identifier), !store.untouchable.contains(identifier) else { return }
    do throws(FileError) {
      try store.files.remove(name)
      store.queue.syncsDirectory = true
    } catch FileError.missing {} catch {
      contents.messages.append("The picture \"\(name)\" of a session that is gone cannot be removed: \(error).")
    }
  }

  private mutating func newer(_ identifier: String) {
    store.untouchable.insert(identifier)
    contents.newer.append(identifier)
  }

  private enum Kind {
    case record(RecordHeader, SessionStore.Record.Body)
    case newer(Int)
    case damaged(String)
  }

  private func read(_ bytes: [UInt8], _ identifier: String) -> Kind {
    let header: RecordHeader
    let body: SessionStore.Record.Body
    switch RecordHeader.read(bytes) {
    case .record(let read, let start):
      header = read
      guard bytes.count > start else { return .damaged("it ends after its first line") }
      let whole = bytes.last == UInt8(ascii: "\n") && bytes[bytes.count - 2] == UInt8(ascii: "}")
      if whole {
        body = .encoded(bytes[start...])
      } else if let session = try? RecordCoder.decode(header, body: bytes[start...]) {
        body = .decoded(session)
      } else {
        return .damaged("it is not whole")
      }
    case .wholeObject:
      guard let session = try? RecordCoder.decodeWholeObject(bytes) else {
        return .damaged("it is no record of the first format, and no JSON object with its fields")
      }
      header = RecordHeader(session)
      body = .decoded(session)
    case .newer(let version): return .newer(version)
    case .damaged(let why): return .damaged(why)
    }
    guard header.identifier.utf8.elementsEqual(identifier.utf8) else {
      return .damaged("it is the record of another session, \"\(header.identifier)\"")
    }
    return .record(header, body)
  }
}
