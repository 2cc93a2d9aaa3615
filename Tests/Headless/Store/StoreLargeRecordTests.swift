import Glibc
import ProsceniumCore
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import Testing

@Suite("Records that are too large to be read before they are needed")
@MainActor struct StoreLargeRecordTests {
  private let disk = CuttableDisk()
  private let large = titled("large", String(repeating: "t", count: 1 << 20))

  /// The record of the large session, which a new store has loaded.
  private func loaded() throws -> (store: SessionStore, record: SessionStore.Record) {
    let first = SessionStore(files: disk, runsInline: true)
    _ = first.load()
    first.save(large)
    first.flush()
    let store = SessionStore(files: disk, runsInline: true)
    let contents = store.load()
    #expect(contents.messages == [])
    return (store, try #require(contents.sessions.first))
  }

  @Test("One is read when it is decoded; what has been saved over it counts")
  func decoding() throws {
    let (store, record) = try loaded()
    #expect(try record.decode() == large)
    store.save(titled("large", "small"))
    store.flush()
    #expect(try record.decode() == titled("large", "small"))
  }

  @Test("A session that has been discarded is read from its tombstone, until it is forgotten")
  func discarded() throws {
    let (store, record) = try loaded()
    store.discard("large")
    store.flush()
    #expect(try record.decode() == large)
    #expect(try SessionStore(files: disk, runsInline: true).load().discarded.first?.decode() == large)
    let next = SessionStore(files: disk, runsInline: true)
    let tombstone = try #require(next.load().discarded.first)
    next.forget("large")
    next.flush()
    #expect(throws: DamagedRecord.self) { try tombstone.decode() }
    #expect(try disk.names() == ["runs"])
  }

  @Test("One that is damaged is set aside when it is decoded, with one message")
  func damaged() throws {
    let (store, record) = try loaded()
    let bytes = try disk.read("large.session", limit: .max).dropLast(2)
    disk.replace("large.session", with: Array(bytes))
    var messages: Set<String> = []
    for _ in 0..<2 {
      do { _ = try record.decode() } catch { messages.insert(error.message) }
      store.save(titled("large", "new"))
      store.flush()
    }
    #expect(messages.count == 1)
    #expect(try disk.read("large.session.damaged", limit: .max) == Array(bytes))
    #expect(try SessionStore(files: disk, runsInline: true).load().sessions.first?.decode() == titled("large", "new"))
  }

  @Test("One that cannot be read when it is needed stays as it is, and is not written over")
  func unreadable() throws {
    let directory = try TemporaryDirectory()
    directory.put("large.session", try SessionStore.recordBytes(large))
    let store = try directory.store()
    let record = try #require(store.load().sessions.first)
    let (path, away) = (directory.path + "/large.session", directory.path + "/away")
    #expect(rename(path, away) == 0 && mkdir(path, 0o700) == 0)
    #expect(throws: DamagedRecord.self) { try record.decode() }
    #expect(rmdir(path) == 0 && rename(away, path) == 0)
    store.save(titled("large", "new"))
    store.flush()
    #expect(try directory.store().load().sessions.first?.decode() == large)
  }

  @Test("A session whose first line would be too long is not saved, and says so")
  func longLine() throws {
    let store = SessionStore(files: disk, runsInline: true)
    _ = store.load()
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    for count in [4000, 4100] {
      store.save(StoredSession(identifier: "\(count)", role: "r", configuration: String(repeating: "c", count: count)))
    }
    store.flush()
    #expect(failures.map(\.identifier) == ["4100"])
    #expect(SessionStore(files: disk, runsInline: true).load().sessions.map(\.identifier) == ["4000"])
  }
}
