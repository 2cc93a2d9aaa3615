import Glibc
import ProsceniumCore
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import Synchronization
import Testing

@Suite("A disk that fails for a while, and is well again")
@MainActor struct StoreRetryTests {
  /// The failures, and their ends, that a store reports.
  @MainActor final class Reports {
    var failures: [StoreFailure] = []
    var ends = 0

    init(_ store: SessionStore) {
      store.onFailure = { [unowned self] in failures.append($0) }
      store.onRecovery = { [unowned self] in ends += 1 }
    }
  }

  /// A disk with the sessions "kept" and "closed".
  private func filled() -> CuttableDisk {
    let disk = CuttableDisk()
    let store = SessionStore(files: disk, runsInline: true)
    _ = store.load()
    for name in ["kept", "closed", "told"] { store.save(titled(name, "1")) }
    store.end(.quit)
    return disk
  }

  private func change(_ store: SessionStore) {
    store.save(titled("kept", "2"))
    store.save(titled("new", "1"))
    store.discard("closed")
    store.discard("told")
    store.forget("told")
    store.flush()
  }

  /// What must be there once everything is saved, also if the power fails then.
  private func check(_ disk: CuttableDisk, _ comment: Comment) throws {
    let contents = SessionStore(files: disk.restarted(.unsynced(seed: 1)), runsInline: true).load()
    let titles = try contents.sessions.map { "\($0.identifier) \(try $0.decode().title ?? "")" }
    #expect(titles.sorted() == ["kept 2", "new 1"], comment)
    #expect(contents.discarded.map(\.identifier) == ["closed"], comment)
    #expect(contents.messages == [], comment)
  }

  @Test(
    "What was changed or closed meanwhile is tried again by itself; the failure is told once, and its end",
    arguments: PassingTrouble.Call.allCases.filter { $0 != .append })
  func running(_ call: PassingTrouble.Call) async throws {
    let disk = filled()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: false)
    _ = store.load()
    store.flush()
    #expect(store.waitUntilWritten(for: .seconds(60)))
    let reports = Reports(store)
    // When one call of the disk fails, however often it is made
    files.fail(call, times: .max)
    change(store)
    try await waitUntil { !reports.failures.isEmpty && files.failureCount > 3 }
    // And works again, while the program does nothing
    files.fail(call, times: 0)
    try await waitUntil { reports.ends > 0 }
    // Then all of it is there
    #expect(reports.failures.count == 1 && reports.ends == 1)
    try check(disk, "\(call)")
    store.end(.quit)
  }

  @Test("An end of the program tries again, too", arguments: PassingTrouble.Call.allCases)
  func ending(_ call: PassingTrouble.Call) throws {
    let disk = filled()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: false)
    _ = store.load()
    files.fail(call, times: 4)
    change(store)
    store.end(.quit)
    try check(disk, "\(call)")
    #expect(SessionStore(files: disk, runsInline: true).load().lastRun == .quit)
  }

  @Test("A step of a connection that cannot be noted is noted later, in order; that is told once, and its end")
  func noted() throws {
    let disk = filled()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: true)
    _ = store.load()
    let reports = Reports(store)
    func journal() throws -> String { String(decoding: try disk.read("runs", limit: 1 << 20), as: UTF8.self) }
    // Given a call whose beginning is noted, and whose end, torn, is not
    store.beginConnecting("kept")
    files.fail(.append, times: 2)
    store.endConnecting("kept")
    store.beginConnecting("new")
    #expect(try !journal().contains("-kept\n") && store.hasUnnoted)
    #expect(reports.failures.count == 1 && reports.ends == 0)
    // When the disk is well, and anything is saved
    store.flush()
    // Then both are noted
    #expect(try journal().hasSuffix("\n-kept\n+new\n") && !store.hasUnnoted)
    #expect(reports.failures.count == 1 && reports.ends == 1)
  }

  @Test("A session that fails and is closed ends no trouble that the next one meets at once: it is told once")
  func closedMeanwhile() async throws {
    let files = PassingTrouble(filled())
    let store = SessionStore(files: files, runsInline: false, idleTime: .seconds(60))
    _ = store.load()
    let reports = Reports(store)
    // Given a session that cannot be written, and is closed
    files.fail(.write, times: .max)
    store.save(titled("closed", "2"))
    store.flush()
    try await waitUntil { files.failureCount > 0 && store.waitUntilWritten(for: .zero) }
    store.discard("closed")
    store.forget("closed")
    store.flush()
    #expect(store.waitUntilWritten(for: .seconds(60)))
    // When another one cannot be written either
    store.save(titled("kept", "2"))
    store.flush()
    #expect(store.waitUntilWritten(for: .seconds(60)))
    files.fail(.write, times: 0)
    store.end(.quit)
    // Then that was one trouble, with one end
    #expect(reports.failures.count == 1 && reports.ends == 1)
  }

  @Test("What fails while a later batch waits is not lost with it")
  func overtaken() async throws {
    let disk = filled()
    let files = PassingTrouble(disk)
    let store = SessionStore(files: files, runsInline: false)
    _ = store.load()
    store.flush()
    #expect(store.waitUntilWritten(for: .seconds(60)))
    // Given a disk that hangs in a rename, and fails then
    files.hang(in: .rename)
    store.discard("closed")
    store.flush()
    try await waitUntil { files.isHanging }
    // When another session changes meanwhile
    store.save(titled("kept", "2"))
    store.flush()
    files.fail(.rename, times: 1)
    files.goOn()
    // Then both are there, with nothing else to write
    try await waitUntil {
      let contents = SessionStore(files: disk.restarted(.nothing), runsInline: true).load()
      return contents.discarded.map(\.identifier) == ["closed"]
        && contents.sessions.compactMap { try? $0.decode().title }.sorted() == ["1", "2"]
    }
    store.end(.quit)
  }

  @Test("A record beside its tombstone that cannot be removed at the launch does not bring its session back")
  func buried() async throws {
    let disk = filled()
    disk.replace("closed.discarded", with: try disk.read("closed.session", limit: 1 << 20))
    // Given a launch on a disk that removes and renames nothing
    disk.fail(with: .system(EIO))
    let store = SessionStore(files: disk, runsInline: true)
    #expect(store.load().sessions.map(\.identifier) == ["kept", "told"])
    // When the program is told, and the disk works again
    disk.fail(with: nil)
    store.forget("closed")
    store.flush()
    // Then nothing is left of it
    let contents = SessionStore(files: disk, runsInline: true).load()
    #expect(contents.sessions.map(\.identifier) == ["kept", "told"] && contents.discarded.isEmpty)
  }
}

/// A disk one of whose calls fails, or hangs, for a while.
final class PassingTrouble: StoreFiles {
  enum Call: CaseIterable { case write, append, sync, rename, remove, syncDirectory }

  private struct State {
    var call = Call.write
    var times = 0
    /// How many calls succeed first.
    var passing = 0
    var failureCount = 0
    var hanging: Call?
    var isHanging = false
  }

  private let disk: CuttableDisk
  private let state = Mutex(State())

  init(_ disk: CuttableDisk) { self.disk = disk }

  /// How many calls have failed.
  var failureCount: Int { state.withLock { $0.failureCount } }
  /// How many changes have been made.
  var count: Int { disk.operations.count }
  /// Whether a call hangs.
  var isHanging: Bool { state.withLock { $0.isHanging } }

  func fail(_ call: Call, times: Int = 1, after passing: Int = 0) {
    state.withLock { ($0.call, $0.times, $0.passing) = (call, times, passing) }
  }
  func hang(in call: Call) { state.withLock { $0.hanging = call } }
  func goOn() { state.withLock { ($0.hanging, $0.isHanging) = (nil, false) } }

  private func begin(_ call: Call) throws(FileError) {
    while state.withLock({
      if $0.hanging == call { $0.isHanging = true }
      return $0.hanging == call
    }) { usleep(1000) }
    let fails = state.withLock { state in
      guard state.call == call, state.times > 0 else { return false }
      guard state.passing == 0 else {
        state.passing -= 1
        return false
      }
      state.times -= 1
      state.failureCount += 1
      return true
    }
    if fails { throw FileError.system(EIO) }
  }

  func names() throws(FileError) -> [String] { try disk.names() }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try disk.read(name, limit: limit) }
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    try begin(.write)
    try disk.write(name, bytes)
  }
  /// One that fails writes half.
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) { try begin(.append) } catch {
      try disk.append(name, Array(bytes.prefix(bytes.count / 2)))
      throw error
    }
    try disk.append(name, bytes)
  }
  func sync(_ name: String) throws(FileError) {
    try begin(.sync)
    try disk.sync(name)
  }
  func rename(_ name: String, to new: String) throws(FileError) {
    try begin(.rename)
    try disk.rename(name, to: new)
  }
  func renameNew(_ name: String, to new: String) throws(FileError) { try disk.renameNew(name, to: new) }
  func remove(_ name: String) throws(FileError) {
    try begin(.remove)
    try disk.remove(name)
  }
  func syncDirectory() throws(FileError) {
    try begin(.syncDirectory)
    try disk.syncDirectory()
  }
}
