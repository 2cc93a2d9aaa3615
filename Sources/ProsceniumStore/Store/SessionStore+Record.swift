extension SessionStore {
  /// A stored session whose body has not been decoded.
  package struct Record {
    enum Body {
      case encoded(ArraySlice<UInt8>)
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

    /// Decodes the whole session.
    /// - Returns: The session.
    /// - Throws: ``DamagedRecord``; the file is set aside then.
    @MainActor package func decode() throws(DamagedRecord) -> StoredSession {
      switch storage.body {
      case .damaged(let why): throw DamagedRecord(message: "The record \"\(name)\" cannot be read: \(why).")
      case .encoded(let bytes):
        let session: StoredSession
        do { session = try RecordCoder.decode(storage.header, body: bytes) } catch {
          throw storage.store.setAsideLoaded(self)
        }
        storage.store.recordDecoded(session)
        return session
      }
    }
  }

  fileprivate func recordDecoded(_ session: StoredSession) {
    decodedCount += 1
    if latest[session.identifier] == nil { latest[session.identifier] = session }
  }

  fileprivate func setAsideLoaded(_ record: Record) -> DamagedRecord {
    if let known = setAside[record.identifier] { return known }
    let why = "its contents cannot be read"
    let message: String
    if latest[record.identifier] != nil || discarded.contains(record.identifier) {
      // A newer one is in its place, or it is no longer wanted.
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
