import Glibc
import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@Suite("The store for other threads") @MainActor struct StoreAccessTests {
  @Test("The end of the process waits for a save that is under way, and none begins meanwhile")
  func waits() async throws {
    // Given a save that hangs in a slow disk
    let disk = SlowFiles()
    let store = SessionStore(files: disk, runsInline: false)
    let access = store.access
    disk.isSlow.store(true, ordering: .sequentiallyConsistent)
    store.save(titled("a", "1"))
    store.flush()
    try await waitUntil { disk.isWriting.load(ordering: .sequentiallyConsistent) }
    // When the process is to end
    let isDone = Flag()
    #expect(
      DetachedThread.run {
        access.whileNothingIsSaved {
          if disk.isWriting.load(ordering: .sequentiallyConsistent) { isDone.isWrong.store(true, ordering: .relaxed) }
          isDone.isSet.store(true, ordering: .sequentiallyConsistent)
        }
      })
    try await Task.sleep(for: .milliseconds(50))
    #expect(!isDone.value)
    // Then that happens when the save has been completed
    disk.isSlow.store(false, ordering: .sequentiallyConsistent)
    try await waitUntil { isDone.isSet.load(ordering: .sequentiallyConsistent) }
    #expect(!isDone.wrong)
    #expect(try disk.names().contains("a.session"))
  }

  @Test("An end that the disk outlasts says in tenths of a second how long it has waited")
  func outlasted() async throws {
    let disk = SlowFiles()
    let store = SessionStore(files: disk, runsInline: false)
    var failures: [String] = []
    store.onFailure = { failures.append($0.message) }
    disk.isSlow.store(true, ordering: .sequentiallyConsistent)
    store.save(titled("a", "1"))
    store.end(.quit, within: .nanoseconds(123_456_789))
    #expect(failures == ["The sessions were not saved within 0.1 seconds: the disk is too slow, or hangs."])
    disk.isSlow.store(false, ordering: .sequentiallyConsistent)
    try await waitUntil { (try? disk.names().contains("a.session")) == true }
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
    let isWrong = Atomic(false)
    var value: Bool { isSet.load(ordering: .sequentiallyConsistent) }
    var wrong: Bool { isWrong.load(ordering: .sequentiallyConsistent) }
  }
}

/// A disk whose writes end when a test says so.
private final class SlowFiles: StoreFiles {
  let isSlow = Atomic(false)
  let isWriting = Atomic(false)
  private let disk = CuttableDisk()

  func names() throws(FileError) -> [String] { try disk.names() }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try disk.read(name, limit: limit) }
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { try disk.write(name, bytes) }
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError) { try disk.append(name, bytes) }
  func sync(_ name: String) throws(FileError) { try disk.sync(name) }
  func rename(_ name: String, to new: String) throws(FileError) {
    isWriting.store(true, ordering: .sequentiallyConsistent)
    while isSlow.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    try disk.rename(name, to: new)
    isWriting.store(false, ordering: .sequentiallyConsistent)
  }
  func renameNew(_ name: String, to new: String) throws(FileError) { try disk.renameNew(name, to: new) }
  func remove(_ name: String) throws(FileError) { try disk.remove(name) }
  func syncDirectory() throws(FileError) { try disk.syncDirectory() }
}
