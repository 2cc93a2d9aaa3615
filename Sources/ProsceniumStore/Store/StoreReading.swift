internal import Glibc
import ProsceniumLoop

/// One pass over a store's directory, and its journal.
@MainActor struct StoreReading {
  private let store: SessionStore
  /// What has been read of files already.
  private let read: ReadFiles
  private var names: [String] = []
  private(set) var contents = SessionStore.Contents()
  /// Every name in the directory; a set only once it is needed.
  private lazy var taken = Set(names)
  private var buried: Set<String> = []
  private var found: Set<String> = []
  private var budget = ReadingBudget()

  init(store: SessionStore, _ read: ReadFiles = ReadFiles()) { (self.store, self.read) = (store, read) }

  mutating func readAll() {
    var failure: String?
    do throws(FileError) { names = try store.files.names() } catch {
      store.untouchable.unread.isUnlisted = true
      failure =
        "The directory of the stored sessions cannot be read: \(error). No session is restored before it can be, which is "
        + "tried for a minute."
    }
    var records: [(name: String, identifier: String)] = []
    var pictures: [(name: String, identifier: String)] = []
    for name in names {
      switch StoreNames.kind(of: name) {
      case .tombstone(let identifier): readTombstone(name, identifier)
      case .temporary: removeTemporary(name)
      case .record(let identifier): records.append((name, identifier))
      case .picture(let identifier): pictures.append((name, identifier))
      case .other: if let file = WaitingFile(name: name) { store.waiting.insert(file) }
      }
    }
    // Tombstones came first: a session that has one does not come back.
    for (name, identifier) in records { readRecord(name, identifier) }
    for (name, identifier) in pictures { removeStrayPicture(name, identifier) }
    finish(failure)
  }

  /// Takes over the files that have been read by now.
  mutating func readAgain() {
    guard let all = read.names else { return }
    names = all
    store.untouchable.unread.isUnlisted = false
    // This run's own files are in the directory, too.
    func isOwn(_ identifier: String) -> Bool {
      store.latest[identifier] != nil || store.discarded.contains(identifier)
        || store.untouchable.unread.ended.contains(identifier)
    }
    var records: [(name: String, identifier: String)] = []
    for name in read.starts.keys.sorted() + read.unread.sorted() {
      switch StoreNames.kind(of: name) {
      case .tombstone(let identifier) where !isOwn(identifier):
        take(name, identifier)
        readTombstone(name, identifier)
      case .record(let identifier) where !isOwn(identifier): records.append((name, identifier))
      // The journal: what it says of earlier runs is for the next launch now.
      case .other where read.starts[name] != nil: store.untouchable.unread.names.remove(name)
      case .tombstone, .record, .temporary, .picture, .other: break
      }
    }
    for (name, identifier) in records {
      if !buried.contains(identifier) { take(name, identifier) }
      readRecord(name, identifier)
    }
    finish(nil)
  }

  /// Makes a file one that may be changed; ``start(of:_:limit:count:_:)`` undoes that where it cannot be read still.
  private func take(_ name: String, _ identifier: String) {
    store.untouchable.unread.names.remove(name)
    store.untouchable.identifiers.remove(identifier)
  }

  private mutating func finish(_ failure: String?) {
    contents.messages = (failure.map { [$0] } ?? []) + contents.messages.sorted()
    contents.sessions.sort(by: SessionStore.Record.comesBefore)
    contents.discarded.sort(by: SessionStore.Record.comesBefore)
  }

  /// Reads the journal, and begins the line of this run.
  mutating func beginRun() {
    let file = start(
      of: StoreNames.journal, nil, limit: RunJournal.limit, count: .max,
      "How the last run ended is not known. It is read again for a minute.")
    let isUnread = store.untouchable.unread.names.contains(StoreNames.journal)
    let bytes = file?.bytes ?? []
    let journal = RunJournal(bytes)
    contents.lastRun = journal.lastRun
    contents.suspects = journal.suspects
    if !contents.suspects.isEmpty { store.writeJournalAtOnce() }
    store.queue.syncsJournal = true
    // The last names of a killed run may not be synced yet, and from here on they count as stored.
    store.queue.syncsDirectory = true
    defer { if let file = store.files.appender(StoreNames.journal) { store.crashNote = CrashNote(file: file) } }
    let line = RunJournal.run(Int(getpid()))
    guard bytes.count > 4096 else {
      // Behind a torn line this one would be torn, too.
      let isTorn = isUnread || bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
      return store.appendToJournal(isTorn ? RunJournal.again(line) : line)
    }
    do throws(FileError) {
      try store.files.replace(StoreNames.journal, with: Array((journal.lines + line).utf8))
    } catch { store.appendToJournal("\n" + line) }
  }

  private mutating func setAside(_ name: String, _ why: String) {
    contents.messages.append(store.setAside(name, why, taken: taken))
    taken.insert(StoreNames.damaged(name, taken: taken))
  }

  /// Removes a file of the store's own, if it is there.
  private func remove(_ name: String) throws(FileError) {
    if try store.files.removeIfThere(name) { store.queue.syncsDirectory = true }
  }

  /// Removes half of a file that was never finished.
  private mutating func removeTemporary(_ name: String) {
    do throws(FileError) { try remove(name) } catch {
      setAside(name, "it is in the way of a record that is to be written")
    }
  }

  /// Reads the first bytes of a file.
  /// - Parameters:
  ///   - name: The file's name.
  ///   - identifier: The session whose file it is; nil for the journal.
  ///   - limit: The most bytes that it may have.
  ///   - count: The most bytes that are read; as many as there is room for where nil.
  ///   - consequence: What follows where it cannot be read.
  /// - Returns: The bytes, and whether they are all; nil where it has been dealt with.
  private mutating func start(
    of name: String, _ identifier: String?, limit: Int = RecordCoder.limit, count: Int? = nil,
    _ consequence: String = "It is kept as it is, and read again for a minute."
  ) -> ReadFiles.Start? {
    do throws(FileError) {
      if let known = read.starts[name] { return try known.get() }
      // Another try comes later.
      if read.unread.contains(name), let identifier {
        leave(name, identifier)
        return nil
      }
      let start = try store.files.start(of: name, limit: limit, count: count ?? budget.mostOfStart)
      budget.spend(start.bytes.count)
      return start
    } catch {
      switch error {
      case FileError.missing: break
      case .notAFile, .tooLarge, .foreign: setAside(name, "\(error)")
      case .system:
        if let identifier { store.untouchable.identifiers.insert(identifier) }
        store.untouchable.unread.names.insert(name)
        contents.messages.append("The file \"\(name)\" cannot be read: \(error). \(consequence)")
      }
      return nil
    }
  }

  /// Leaves a file alone until it has been read.
  private func leave(_ name: String, _ identifier: String) {
    store.untouchable.identifiers.insert(identifier)
    store.untouchable.unread.names.insert(name)
  }

  private mutating func readTombstone(_ name: String, _ identifier: String) {
    guard let start = start(of: name, identifier) else { return }
    guard buried.insert(identifier).inserted else { return }
    switch decode(start, identifier) {
    case .record(let header, let body, let sum): contents.discarded.append(record(name, header, start, body, sum))
    case .newer: leaveNewer(identifier)
    case .damaged(let why):
      // Its name says all that matters.
      let header = StoredSession(identifier: identifier, role: "", configuration: nil)
      let damage = DamagedRecord(message: "The record \"\(name)\" cannot be read: \(why).")
      contents.discarded.append(SessionStore.Record(header, body: .damaged(damage), name: name, store: store))
    }
  }

  private mutating func readRecord(_ name: String, _ identifier: String) {
    // The user has closed it, as far as is known.
    if store.untouchable.unread.names.contains(StoreNames.tombstone(identifier)) { return leave(name, identifier) }
    if buried.contains(identifier) {
      // The power failed between the two names. The tombstone is the later one.
      guard !store.untouchable.identifiers.contains(identifier) else { return }
      do throws(FileError) { try remove(name) } catch {
        setAside(name, "\(error)")
        // Also where that fails: with the tombstone gone the session would come back.
        store.queue.discard(identifier)
      }
      return
    }
    guard let start = start(of: name, identifier) else { return }
    // Two names can be the same text in different bytes.
    guard found.insert(identifier).inserted else { return setAside(name, "another file has the same identity") }
    switch decode(start, identifier) {
    case .record(let header, let body, let sum): contents.sessions.append(record(name, header, start, body, sum))
    case .newer(let version):
      leaveNewer(identifier)
      contents.messages.append(
        "The file \"\(name)\" was written by a newer version of the program (format \(version)). It is kept as it is; "
          + "its session is not restored.")
    case .damaged(let why):
      found.remove(identifier)
      setAside(name, why)
    }
  }

  /// Removes the picture of a session that is gone: nobody may see it any more.
  private mutating func removeStrayPicture(_ name: String, _ identifier: String) {
    guard !found.contains(identifier), !store.untouchable.identifiers.contains(identifier) else { return }
    do throws(FileError) { try remove(name) } catch {
      contents.messages.append("The picture \"\(name)\" of a session that is gone cannot be removed: \(error).")
    }
  }

  private mutating func leaveNewer(_ identifier: String) {
    store.untouchable.identifiers.insert(identifier)
    contents.newer.append(identifier)
  }

  /// A record whose body begins at this byte of its file.
  private func record(
    _ name: String, _ header: StoredSession, _ start: ReadFiles.Start, _ body: Int, _ sum: String?
  ) -> SessionStore.Record {
    let isWhole = start.bytes.count == start.size
    return SessionStore.Record(
      header, body: isWhole ? .bytes(start.bytes[body...]) : .onDisk(body, size: start.size), sum: sum, name: name,
      store: store)
  }

  /// Reads a record's header, and checks what a launch can check without decoding its body.
  private func decode(_ start: ReadFiles.Start, _ identifier: String) -> RecordHeader.Reading {
    let reading = RecordHeader.read(start.bytes)
    guard case .record(let header, let body, _) = reading else { return reading }
    guard start.bytes.count > body else { return .damaged("it ends after its first line") }
    guard start.bytes.count < start.size || RecordCoder.isWhole(start.bytes[body...]) else {
      return .damaged("it is not whole")
    }
    guard header.identifier.hasBytes(of: identifier) else {
      let other = String(decoding: header.identifier.utf8.prefix(StoreNames.longest), as: UTF8.self)
      return .damaged("it is the record of another session, \"\(other)\"")
    }
    return reading
  }
}
