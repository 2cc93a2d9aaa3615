import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumTesting
import Testing

@Suite("What the session store writes, and when")
@MainActor struct StoreWritingTests {
  private func loaded(_ disk: CuttableDisk) -> SessionStore {
    let store = SessionStore(files: disk, runsInline: true)
    _ = store.load()
    return store
  }

  @Test("One session's change writes one small file, whatever else there is")
  func oneChange() throws {
    let disk = CuttableDisk()
    let store = loaded(disk)
    for number in 0..<1000 { store.save(fullSession("s\(number)")) }
    store.flush()
    let before = disk.operations.count
    var session = fullSession("s7")
    session.title = "new"
    for number in 0..<1000 where number != 7 { store.save(fullSession("s\(number)")) }
    store.save(session)
    store.flush()
    let operations = Array(disk.operations[before...])
    guard case .write(let temporary, let size) = operations.first else { Issue.record("nothing written"); return }
    #expect(size < 2048)
    #expect(operations.dropFirst() == [.sync(temporary), .rename(temporary, "s7.session"), .syncDirectory])
  }

  @Test("Loading a thousand sessions reads each file once and decodes none")
  func manyLoads() {
    let disk = CuttableDisk()
    let first = loaded(disk)
    for number in 0..<1000 { first.save(fullSession("s\(number)")) }
    first.flush()
    let before = disk.readCount
    let store = SessionStore(files: disk, runsInline: true)
    #expect(store.load().sessions.count == 1000)
    #expect(disk.readCount - before == 1001)
    #expect(store.decodedCount == 0)
  }

  @Test("Several saves of a session in one batch are written once, as the last; the directory is synced once")
  func coalescing() throws {
    let disk = CuttableDisk()
    let store = loaded(disk)
    let before = disk.operations.count
    for number in 0..<10 {
      store.save(titled("a", "\(number)"))
      store.save(titled("b", "\(number)"))
    }
    store.flush()
    let operations = disk.operations[before...]
    #expect(operations.count { if case .write = $0 { true } else { false } } == 2)
    #expect(operations.count { $0 == .syncDirectory } == 1)
    #expect(
      try SessionStore(files: disk, runsInline: true).load().sessions.map { try $0.decode().title } == ["9", "9"])
  }

  @Test("Nothing to write touches nothing")
  func nothing() {
    let disk = CuttableDisk()
    let store = loaded(disk)
    store.save(titled("a", "1"))
    store.flush()
    let before = disk.operations.count
    store.save(titled("a", "1"))
    store.flush()
    store.flush()
    #expect(disk.operations.count == before)
  }

  @Test("A discarded session is told until it is forgotten, and never comes back")
  func discarding() {
    let disk = CuttableDisk()
    let store = loaded(disk)
    store.save(titled("a", "1"))
    store.flush()
    store.discard("a")
    store.discard("never")
    store.save(titled("a", "2"))
    store.flush()
    store.save(titled("a", "3"))
    store.flush()
    for _ in 0..<2 {
      let contents = SessionStore(files: disk, runsInline: true).load()
      #expect(contents.sessions.isEmpty && contents.discarded.map { $0.identifier } == ["a"])
    }
    let next = SessionStore(files: disk, runsInline: true)
    _ = next.load()
    next.forget("a")
    next.flush()
    let contents = SessionStore(files: disk, runsInline: true).load()
    #expect(contents.sessions.isEmpty && contents.discarded.isEmpty)
  }

  @Test("A session that is too large is not saved, told of once, and keeps its older record")
  func tooLarge() throws {
    let disk = CuttableDisk()
    let store = loaded(disk)
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    store.save(titled("a", "1"))
    store.flush()
    for character in ["x", "y"] {
      store.save(titled("a", String(repeating: character, count: 17 << 20)))
      store.save(titled("b", "1"))
      store.flush()
    }
    #expect(failures.map { $0.identifier } == ["a"])
    let contents = SessionStore(files: disk, runsInline: true).load()
    #expect(try contents.sessions.map { try $0.decode() } == [titled("a", "1"), titled("b", "1")])
  }

  @Test("A value that JSON cannot express costs only its own session")
  func unencodable() {
    let disk = CuttableDisk()
    let store = loaded(disk)
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    var session = titled("a", "1")
    session.activity = StoredActivity(activityType: "t")
    session.activity?.expirationDate = Date(timeIntervalSinceReferenceDate: .infinity)
    store.save(session)
    store.save(titled("b", "1"))
    store.flush()
    #expect(failures.map { $0.identifier } == ["a"])
    #expect(SessionStore(files: disk, runsInline: true).load().sessions.map { $0.identifier } == ["b"])
  }

  @Test("The writer's thread is there while there is work; failures arrive on the main thread")
  func thread() async throws {
    let disk = CuttableDisk()
    let store = SessionStore(files: disk, runsInline: false)
    _ = store.load()
    disk.fail(with: .system(EIO))
    var failures: [StoreFailure] = []
    store.onFailure = {
      MainActor.assertIsolated()
      failures.append($0)
    }
    store.save(titled("a", "1"))
    store.flush()
    try await wait { !failures.isEmpty }
    disk.fail(with: nil)
    for number in 0..<100 {
      store.save(titled("a", "\(number)"))
      store.flush()
    }
    store.end(.quit)
    #expect(failures.count == 1)
    let contents = SessionStore(files: disk.restarted(.unsynced(seed: 1)), runsInline: true).load()
    #expect(try contents.sessions.map { try $0.decode().title } == ["99"])
    #expect(contents.lastRun == .quit)
  }

  private func wait(_ condition: () -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(20)
    while !condition() {
      try #require(ContinuousClock.now < limit)
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
