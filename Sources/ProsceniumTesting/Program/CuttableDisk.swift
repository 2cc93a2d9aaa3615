internal import Glibc
import ProsceniumCore
package import ProsceniumLoop
import ProsceniumStore
internal import Synchronization

/// A disk in memory whose power a test cuts.
///
/// After a power cut it has no more than POSIX promises: content that was synced with its file, and names that were
/// synced with their directory. The rest survives in part: names in any selection, content up to any byte or as zeros.
package final class CuttableDisk: StoreFiles {
  /// Something that changed the disk.
  package enum Operation: Equatable, Sendable {
    case write(String, Int)
    case append(String, Int)
    case rename(String, String)
    case remove(String)
    case sync(String)
    case syncDirectory
  }

  /// The fate of data that was not synced.
  package enum Loss: Sendable {
    /// All of it is there: the process was killed, not the machine.
    case nothing
    /// Chosen by a seed.
    case unsynced(seed: UInt64)
  }

  private struct Content {
    var live: [UInt8]
    var synced: [UInt8] = []
  }

  private enum Change {
    case link(String, Int)
    case unlink(String)
    case rename(String, String, Int)

    func concerns(_ name: String) -> Bool {
      switch self {
      case .link(let own, _), .unlink(let own): own == name
      case .rename(let old, let new, _): old == name || new == name
      }
    }
  }

  private struct State {
    var contents: [Int: Content] = [:]
    var names: [String: Int] = [:]
    var syncedNames: [String: Int] = [:]
    var changes: [Change] = []
    var next = 0
    var operations: [Operation] = []
    /// How many operations there have been, over all runs.
    var count = 0
    var cut: Int?
    var torn = 0
    var isDead = false
    var isSilent = false
    var failure: FileError?
    var readCount = 0

    /// Makes a file, in place of one of that name.
    mutating func create(_ name: String, _ bytes: some Sequence<UInt8>) {
      contents[next] = Content(live: Array(bytes))
      if names[name] != nil { changes.append(.unlink(name)) }
      names[name] = next
      changes.append(.link(name, next))
      next += 1
    }
  }

  private let state = Mutex(State())

  /// An empty disk.
  package init() {}

  /// What this run has done, in order.
  package var operations: [Operation] { state.withLock { $0.operations } }
  /// How many operations there have been, over all runs.
  package var operationCount: Int { state.withLock { $0.count } }
  /// How many files have been read.
  package var readCount: Int { state.withLock { $0.readCount } }
  /// Whether the power has failed.
  package var isDead: Bool { state.withLock { $0.isDead } }

  /// Makes every change of the disk fail with an error; succeed again where nil.
  package func fail(with failure: FileError?) { state.withLock { $0.failure = failure } }

  /// Cuts the power.
  /// - Parameters:
  ///   - count: After so many operations from now on.
  ///   - torn: How much of the next one, if it is a write, arrives all the same.
  ///   - isSilent: Whether the process is dead: a change of the disk does nothing, in place of failing.
  package func cut(afterOperation count: Int, tornAt torn: Int, isSilent: Bool = false) {
    state.withLock {
      $0.cut = $0.count &+ max(0, count)
      $0.torn = max(0, torn)
      $0.isSilent = isSilent
    }
  }

  /// The disk as the next run finds it: as full as it was, and with no cut ahead.
  package func restarted(_ loss: Loss) -> CuttableDisk {
    let disk = CuttableDisk()
    let old = state.withLock { $0 }
    var new = State()
    (new.next, new.count, new.failure) = (old.next, old.count, old.failure)
    switch loss {
    case .nothing:
      new.contents = old.contents
      new.names = old.names
      new.syncedNames = old.syncedNames
      new.changes = old.changes
    case .unsynced(let seed):
      var random = SeededGenerator(seed: seed)
      new.names = old.syncedNames
      for change in old.changes where Bool.random(using: &random) { Self.apply(change, to: &new.names) }
      for inode in Set(new.names.values).sorted() {
        guard let content = old.contents[inode] else { continue }
        let survivor = Self.survivor(of: content, using: &random)
        new.contents[inode] = Content(live: survivor, synced: survivor)
      }
      new.syncedNames = new.names
    }
    let state = new
    disk.state.withLock { $0 = state }
    return disk
  }

  private static func apply(_ change: Change, to names: inout [String: Int]) {
    switch change {
    case .link(let name, let inode): names[name] = inode
    case .unlink(let name): names[name] = nil
    case .rename(let name, let new, let inode):
      names[new] = inode
      if names[name] == inode { names[name] = nil }
    }
  }

  private static func survivor(of content: Content, using random: inout SeededGenerator) -> [UInt8] {
    guard content.live != content.synced else { return content.live }
    let isLonger = content.live.starts(with: content.synced)
    let least = isLonger ? content.synced.count : 0
    let kept = Int.random(in: least...max(least, content.live.count), using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return content.synced
    case 1: return Array(content.live.prefix(kept))
    case _:
      return Array(content.live.prefix(kept)) + [UInt8](repeating: 0, count: max(0, content.live.count - kept))
    }
  }

  /// Replaces or removes a file, as synced.
  package func replace(_ name: String, with bytes: [UInt8]?) {
    state.withLock { state in
      state.changes.removeAll { $0.concerns(name) }
      let inode = bytes == nil ? nil : state.next
      (state.names[name], state.syncedNames[name]) = (inode, inode)
      guard let bytes else { return }
      state.contents[state.next] = Content(live: bytes, synced: bytes)
      state.next += 1
    }
  }

  // MARK: - Files

  package func names() throws(FileError) -> [String] {
    try state.withLock { state throws(FileError) in
      if state.isDead { throw FileError.system(EIO) }
      return Array(state.names.keys)
    }
  }

  package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    try state.withLock { state throws(FileError) in
      if state.isDead { throw FileError.system(EIO) }
      state.readCount += 1
      guard let inode = state.names[name], let content = state.contents[inode] else { throw FileError.missing }
      guard content.live.count <= limit else { throw FileError.tooLarge(content.live.count) }
      return content.live
    }
  }

  /// Does an operation, unless the power fails before it.
  /// - Parameters:
  ///   - operation: What it is.
  ///   - body: What it does; given how much of its bytes arrive.
  /// - Throws: The error of ``fail(with:)``, or EIO without power, unless the process is dead.
  private func perform(
    _ operation: Operation, _ body: (inout State, Int) throws(FileError) -> Void
  ) throws(FileError) {
    try state.withLock { state throws(FileError) in
      if state.isDead {
        if state.isSilent { return }
        throw FileError.system(EIO)
      }
      if let failure = state.failure { throw failure }
      guard state.count != state.cut else {
        switch operation {
        case .write, .append: try? body(&state, state.torn)
        case .rename, .remove, .sync, .syncDirectory: break
        }
        state.isDead = true
        if state.isSilent { return }
        throw FileError.system(EIO)
      }
      state.operations.append(operation)
      state.count += 1
      try body(&state, Int.max)
    }
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    try perform(.write(name, bytes.count)) { $0.create(name, bytes.prefix($1)) }
  }

  package func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    try perform(.append(name, bytes.count)) { state, arriving in
      if let inode = state.names[name] {
        state.contents[inode]?.live += bytes.prefix(arriving)
      } else {
        state.create(name, bytes.prefix(arriving))
      }
    }
  }

  package func sync(_ name: String) throws(FileError) {
    try perform(.sync(name)) { state, _ throws(FileError) in
      guard let inode = state.names[name], let live = state.contents[inode]?.live else { throw FileError.missing }
      state.contents[inode]?.synced = live
    }
  }

  package func rename(_ name: String, to new: String) throws(FileError) {
    try perform(.rename(name, new)) { state, _ throws(FileError) in
      guard let inode = state.names[name] else { throw FileError.missing }
      let change = Change.rename(name, new, inode)
      Self.apply(change, to: &state.names)
      state.changes.append(change)
    }
  }

  package func remove(_ name: String) throws(FileError) {
    try perform(.remove(name)) { state, _ throws(FileError) in
      guard state.names[name] != nil else { throw FileError.missing }
      state.names[name] = nil
      state.changes.append(.unlink(name))
    }
  }

  package func syncDirectory() throws(FileError) {
    try perform(.syncDirectory) { state, _ in
      state.syncedNames = state.names
      state.changes = []
    }
  }
}

/// Random numbers that a seed gives again (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
