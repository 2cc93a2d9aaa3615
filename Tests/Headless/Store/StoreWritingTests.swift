import CSystem
import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import Synchronization
import Testing

@Suite("What the session store writes, and when")
@MainActor struct StoreWritingTests {
  private func loaded(_ disk: CuttableDisk) -> SessionStore {
    let store = SessionStore(files: disk, runsInline: true)
    _ = store.load()
    store.flush()
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

  @Test("Records are written before one is synced, synced before one is renamed, and no more than 8 of them at once")
  func groups() {
    let disk = CuttableDisk()
    let store = loaded(disk)
    let before = disk.operations.count
    for number in 0..<20 { store.save(titled("s\(number)", "1")) }
    store.flush()
    let kinds = disk.operations[before...].map { operation in
      switch operation {
      case .write: "write"
      case .sync: "sync"
      case .rename: "rename"
      default: "\(operation)"
      }
    }
    let groups = [8, 8, 4].flatMap { count in
      ["write", "sync", "rename"].flatMap { Array(repeating: $0, count: count) }
    }
    #expect(kinds == groups + ["\(CuttableDisk.Operation.syncDirectory)"])
  }

  @Test(
    "Of records that are written together, the one that fails leaves no file, and the others are there",
    arguments: [PassingTrouble.Call.write, .sync, .rename])
  func oneFails(_ call: PassingTrouble.Call) throws {
    let disk = CuttableDisk()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: true)
    _ = store.load()
    store.flush()
    for number in 0..<3 { store.save(titled("s\(number)", "1")) }
    files.fail(call, times: 1)
    store.flush()
    #expect(try disk.names().sorted() == ["runs", "s1.session", "s2.session"])
    store.flush()
    #expect(try disk.names().sorted() == ["runs", "s0.session", "s1.session", "s2.session"])
  }

  @Test("Of records that are written together, one that finds no room is written once more when the others are named")
  func noRoom() throws {
    let disk = CuttableDisk()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: true)
    _ = store.load()
    store.flush()
    for number in 0..<3 { store.save(titled("s\(number)", "1")) }
    files.fail(.write, after: 2)
    store.flush()
    #expect(files.failureCount == 1)
    #expect(try disk.names().sorted() == ["runs", "s0.session", "s1.session", "s2.session"])
    let written = disk.operations.lastIndex { if case .write(".s2.session.tmp", _) = $0 { true } else { false } }
    let named = try #require(
      disk.operations.lastIndex { if case .rename(_, "s1.session") = $0 { true } else { false } })
    #expect(try #require(written) > named)
  }

  @Test("A session whose picture cannot be removed is closed and forgotten all the same, and nothing is tried for ever")
  func pictureStays() throws {
    let disk = CuttableDisk()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: true)
    _ = store.load()
    for name in ["a", "b"] { store.save(titled(name, "1")) }
    store.flush()
    for name in ["a", "b"] { try disk.write("\(name).qoi", []) }
    files.fail(.remove, times: 1)
    store.discard("a")
    store.flush()
    #expect(try disk.names().sorted() == ["a.discarded", "a.qoi", "b.qoi", "b.session", "runs"])
    // Once more when the program has been told
    store.forget("a")
    store.flush()
    #expect(try disk.names().sorted() == ["b.qoi", "b.session", "runs"])
    // And one that stays: the launch removes it
    files.fail(.remove, times: 1)
    store.discard("b")
    store.flush()
    let before = files.count
    store.flush()
    #expect(files.count == before)
    #expect(try disk.names().sorted() == ["b.discarded", "b.qoi", "runs"])
    _ = SessionStore(files: disk, runsInline: true).load()
    #expect(try disk.names().sorted() == ["b.discarded", "runs"])
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
    try await waitUntil { !failures.isEmpty }
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

  @Test("One thread writes the batches of a burst, and goes at the end or when it has waited long enough")
  func idleTime() async throws {
    // Given a store whose writer would wait for an hour
    let disk = ThreadNotes(CuttableDisk())
    let store = SessionStore(files: disk, runsInline: false, idleTime: .seconds(3600))
    _ = store.load()
    // When batch after batch is written, each when the one before is on the disk
    for number in 1...5 {
      store.save(titled("a", "\(number)"))
      store.flush()
      try await waitUntil { disk.written == number }
    }
    // Then one thread has written them all, and is gone when the store has come to its end
    let thread = try #require(disk.threads.first)
    #expect(disk.threads == [thread] && thread != linux_thread())
    #expect(isThere(thread))
    store.end(.quit)
    try await waitUntil { !isThere(thread) }
    // And one that waits for no more than a moment goes by itself
    let brief = SessionStore(files: disk, runsInline: false, idleTime: .milliseconds(1))
    brief.save(titled("b", "1"))
    brief.flush()
    try await waitUntil { disk.written == 6 }
    try await waitUntil { disk.threads.allSatisfy { !isThere($0) } }
  }

  private func isThere(_ thread: pid_t) -> Bool { access("/proc/self/task/\(thread)", F_OK) == 0 }
}

/// Files that know which threads wrote records.
private final class ThreadNotes: StoreFiles {
  private struct State {
    var threads: Set<pid_t> = []
    var written = 0
  }
  private let files: CuttableDisk
  private let state = Mutex(State())

  init(_ files: CuttableDisk) { self.files = files }

  var threads: Set<pid_t> { state.withLock { $0.threads } }
  var written: Int { state.withLock { $0.written } }

  func names() throws(FileError) -> [String] { try files.names() }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try files.read(name, limit: limit) }
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.write(name, bytes) }
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError) { try files.append(name, bytes) }
  func sync(_ name: String) throws(FileError) { try files.sync(name) }
  func rename(_ name: String, to new: String) throws(FileError) {
    try files.rename(name, to: new)
    state.withLock {
      $0.threads.insert(linux_thread())
      $0.written += 1
    }
  }
  func renameNew(_ name: String, to new: String) throws(FileError) { try files.renameNew(name, to: new) }
  func remove(_ name: String) throws(FileError) { try files.remove(name) }
  func syncDirectory() throws(FileError) { try files.syncDirectory() }
}
