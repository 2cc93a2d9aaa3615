extension SessionStore {
  /// A stored session whose body has not been decoded.
  ///
  /// A class, so that lists of records are cheap to move and to sort.
  package final class Record {
    /// The session as far as the record's first line has it.
    private let header: StoredSession
    private let body: Result<ArraySlice<UInt8>, DamagedRecord>
    /// The file that it was read from.
    let name: String
    private let store: SessionStore

    init(_ header: StoredSession, body: Result<ArraySlice<UInt8>, DamagedRecord>, name: String, store: SessionStore) {
      self.header = header
      self.body = body
      self.name = name
      self.store = store
    }

    package var identifier: String { header.identifier }
    package var lastActive: Double { header.lastActive }
    package var role: String { header.role }
    package var configuration: String? { header.configuration }
    package var presence: StoredSession.Presence { header.presence }

    /// By when they were last active; of several at once in the order of their identifiers.
    static func comesBefore(_ first: Record, _ second: Record) -> Bool {
      first.lastActive == second.lastActive
        ? first.identifier < second.identifier : first.lastActive < second.lastActive
    }

    /// Decodes the whole session.
    /// - Returns: The session.
    /// - Throws: ``DamagedRecord``; the file is set aside then.
    @MainActor package func decode() throws(DamagedRecord) -> StoredSession {
      let bytes = try body.get()
      let session: StoredSession
      do { session = try RecordCoder.decode(header, body: bytes) } catch { throw store.setAsideLoaded(self) }
      store.recordDecoded(session)
      return session
    }
  }

  fileprivate func recordDecoded(_ session: StoredSession) {
    decodedCount += 1
    if latest[session.identifier] == nil { latest[session.identifier] = Latest(session) }
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
