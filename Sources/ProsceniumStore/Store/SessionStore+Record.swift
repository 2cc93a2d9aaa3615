import ProsceniumLoop

extension SessionStore {
  /// A stored session whose body has not been decoded.
  ///
  /// A class, so that lists of records are cheap to move and to sort.
  package final class Record {
    /// What stands behind the first line.
    enum Body {
      case bytes(ArraySlice<UInt8>)
      /// Too large to be read before it is needed, from this byte of a file of that size on.
      case onDisk(Int, size: Int)
      case damaged(DamagedRecord)
    }

    /// The session as far as the record's first line has it.
    private let header: StoredSession
    private let body: Body
    /// The sum of the body, as the first line has it; nil for a record of an earlier version.
    private let sum: String?
    /// The file that it was read from.
    let name: String
    private let store: SessionStore

    init(_ header: StoredSession, body: Body, sum: String? = nil, name: String, store: SessionStore) {
      self.header = header
      self.body = body
      self.sum = sum
      self.name = name
      self.store = store
    }

    package var identifier: String { header.identifier }
    package var lastActive: Double { header.lastActive }
    package var role: String { header.role }
    package var configuration: String? { header.configuration }
    package var presence: StoredSession.Presence { header.presence }

    /// How many bytes are read and decoded with ``decode()``.
    @MainActor package var cost: Int {
      if store.latest[identifier] != nil { return 0 }
      return switch body {
      case .bytes(let known): known.count
      case .onDisk(_, let size): size
      case .damaged: 0
      }
    }

    /// By when they were last active; of several at once in the order of their identifiers.
    static func comesBefore(_ first: Record, _ second: Record) -> Bool {
      first.lastActive == second.lastActive
        ? first.identifier < second.identifier : first.lastActive < second.lastActive
    }

    /// Decodes the whole session.
    /// - Returns: The session.
    /// - Throws: ``DamagedRecord``; the file is set aside then.
    @MainActor package func decode() throws(DamagedRecord) -> StoredSession {
      let bytes: ArraySlice<UInt8>
      switch body {
      case .damaged(let damage): throw damage
      case .bytes(let known): bytes = known
      case .onDisk(let start, _):
        // The file may have been saved over since.
        if let session = store.latest[identifier]?.session { return session }
        bytes = try store.bytes(of: self).dropFirst(start)
      }
      if let sum, sum != RecordHeader.sum(of: bytes), !store.mayDecodeSuspect(bytes.count) {
        throw store.setAsideLoaded(self)
      }
      let session: StoredSession
      do { session = try RecordCoder.decode(header, body: bytes) } catch { throw store.setAsideLoaded(self) }
      store.recordDecoded(session)
      return session
    }
  }

  /// Whether a body is decoded whose sum is not the one that was written: a letter that has changed costs no session,
  /// and a thousand damaged records cost a launch no more than their bytes and this many.
  fileprivate func mayDecodeSuspect(_ count: Int) -> Bool {
    setAside.suspectBytes += count
    return setAside.suspectBytes <= Self.mostSuspectBytes
  }

  fileprivate func recordDecoded(_ session: StoredSession) {
    decodedCount += 1
    if latest[session.identifier] == nil { latest[session.identifier] = Latest(session) }
  }

  /// Reads the file of a record; its tombstone where the session has been discarded since.
  fileprivate func bytes(of record: Record) throws(DamagedRecord) -> [UInt8] {
    if let known = setAside.damage[record.identifier] { throw known }
    do throws(FileError) {
      do throws(FileError) { return try files.read(record.name, limit: RecordCoder.limit) } catch FileError.missing {
        return try files.read(StoreNames.tombstone(record.identifier), limit: RecordCoder.limit)
      }
    } catch {
      if error != .missing, !discarded.contains(record.identifier) {
        untouchable.identifiers.insert(record.identifier)
        if case .system = error { untouchable.unread.names.insert(record.name) }
      }
      let rest = untouchable.unread.names.contains(record.name) ? ", and read again for a minute" : ""
      throw DamagedRecord(message: "The file \"\(record.name)\" cannot be read: \(error). It is kept as it is\(rest).")
    }
  }

  fileprivate func setAsideLoaded(_ record: Record) -> DamagedRecord {
    if let known = setAside.damage[record.identifier] { return known }
    let why = "its contents cannot be read"
    let message: String
    if latest[record.identifier] != nil || discarded.contains(record.identifier) {
      // A newer one is in its place, or it is no longer wanted.
      message = "The file \"\(record.name)\" was damaged: \(why)."
    } else {
      // Read once: nobody else writes here, and records are set aside by the thousand where a disk is damaged.
      if setAside.names == nil { setAside.names = (try? files.names()).map { Set($0) } }
      message = setAside(record.name, why, taken: setAside.names ?? [])
      let new = StoreNames.damaged(record.name, taken: setAside.names ?? [])
      setAside.names?.insert(new)
    }
    let damage = DamagedRecord(message: message)
    setAside.damage[record.identifier] = damage
    return damage
  }
}
