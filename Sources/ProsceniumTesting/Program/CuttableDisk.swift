internal import Glibc
import ProsceniumCore
package import ProsceniumLoop
package import ProsceniumStore
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
    case overwrite(String, Int)
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

  /// A change of the names that is not synced with the directory.
  private enum Change {
    /// A name gets a file, or none.
    case link(String, Int?)
    case rename(String, String, Int)

    func concerns(_ name: String) -> Bool {
      switch self {
      case .link(let own, _): own == name
      case .rename(let old, let new, _): old == name || new == name
      }
    }

    func apply(to names: inout [String: Int]) {
      switch self {
      case .link(let name, let inode): names[name] = inode
      case .rename(let name, let new, let inode):
        names[new] = inode
        if names[name] == inode { names[name] = nil }
      }
    }
  }

  /// The files: what outlives a run.
  private struct Files {
    struct Content {
      var live: [UInt8]
      var synced: [UInt8] = []
      /// How often it has been changed: the time of its last change, for those who look.
      var version = 0
    }

    var contents: [Int: Content] = [:]
    var names: [String: Int] = [:]
    var syncedNames: [String: Int] = [:]
    var changes: [Change] = []
    private var next = 0

    /// Makes the content of a file.
    /// - Returns: Its number.
    mutating func add(_ content: Content) -> Int {
      contents[next] = content
      next += 1
      return next - 1
    }

    /// Makes a file, in place of one of that name.
    mutating func create(_ name: String, _ bytes: some Sequence<UInt8>) {
      if names[name] != nil { changes.append(.link(name, nil)) }
      change(.link(name, add(Content(live: Array(bytes)))))
    }

    mutating func change(_ change: Change) {
      change.apply(to: &names)
      changes.append(change)
    }

    /// Loses what was not synced, in part.
    mutating func loseUnsynced(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      names = syncedNames
      for change in changes where Bool.random(using: &random) { change.apply(to: &names) }
      let old = contents
      contents = [:]
      for inode in Set(names.values).sorted() {
        guard let content = old[inode] else { continue }
        let survivor = Self.survivor(of: content, using: &random)
        contents[inode] = Content(live: survivor, synced: survivor, version: content.version)
      }
      syncedNames = names
      changes = []
    }

    private static func survivor(of content: Content, using random: inout SeededGenerator) -> [UInt8] {
      guard content.live != content.synced else { return content.live }
      let isLonger = content.live.starts(with: content.synced)
      let least = isLonger ? content.synced.count : 0
      let kept = content.live.prefix(Int.random(in: least...max(least, content.live.count), using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return content.synced
      case 1: return Array(kept)
      case _: return kept + [UInt8](repeating: 0, count: content.live.count - kept.count)
      }
    }
  }

  private struct State {
    var files = Files()
    var operations: [Operation] = []
    /// How many operations there have been, over all runs.
    var count = 0
    var cut: Int?
    var torn = 0
    var isDead = false
    var isSilent = false
    var failure: FileError?
    var unreadable: Set<String> = []
    var readCount = 0
  }

  private let state: Mutex<State>

  /// An empty disk.
  package convenience init() { self.init(State()) }
  private init(_ state: State) { self.state = Mutex(state) }

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

  /// Makes every reading of these files fail with EIO, in later runs too.
  package func withhold(_ names: Set<String>) { state.withLock { $0.unreadable = names } }

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
    let old = state.withLock { $0 }
    var new = State(files: old.files, count: old.count, failure: old.failure, unreadable: old.unreadable)
    if case .unsynced(let seed) = loss { new.files.loseUnsynced(seed: seed) }
    return CuttableDisk(new)
  }

  /// Replaces or removes a file, as synced.
  package func replace(_ name: String, with bytes: [UInt8]?) {
    state.withLock { state in
      state.files.changes.removeAll { $0.concerns(name) }
      let inode = bytes.map { state.files.add(Files.Content(live: $0, synced: $0)) }
      (state.files.names[name], state.files.syncedNames[name]) = (inode, inode)
    }
  }

  // MARK: - Files

  package func names() throws(FileError) -> [String] {
    try state.withLock { state throws(FileError) in
      if state.isDead { throw FileError.system(EIO) }
      return Array(state.files.names.keys)
    }
  }

  package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    try state.withLock { state throws(FileError) in
      if state.isDead || state.unreadable.contains(name) { throw FileError.system(EIO) }
      state.readCount += 1
      let files = state.files
      guard let inode = files.names[name], let content = files.contents[inode] else { throw FileError.missing }
      guard content.live.count <= limit else { throw FileError.tooLarge(content.live.count) }
      return content.live
    }
  }

  /// Does an operation, unless the power fails before it.
  /// - Parameters:
  ///   - operation: What it is.
  ///   - body: What it does; given how much of its bytes arrive.
  /// - Throws: The error of ``fail(with:)``, or EIO without power, unless the process is dead.
  private func perform(_ operation: Operation, _ body: (inout Files, Int) throws(FileError) -> Void) throws(FileError) {
    try state.withLock { state throws(FileError) in
      if state.isDead {
        if state.isSilent { return }
        throw FileError.system(EIO)
      }
      if let failure = state.failure { throw failure }
      guard state.count != state.cut else {
        switch operation {
        case .write, .append, .overwrite: try? body(&state.files, state.torn)
        case .rename, .remove, .sync, .syncDirectory: break
        }
        state.isDead = true
        if state.isSilent { return }
        throw FileError.system(EIO)
      }
      state.operations.append(operation)
      state.count += 1
      try body(&state.files, Int.max)
    }
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    try perform(.write(name, bytes.count)) { $0.create(name, bytes.prefix($1)) }
  }

  package func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    try perform(.append(name, bytes.count)) { files, arriving in
      if let inode = files.names[name] {
        files.contents[inode]?.live += bytes.prefix(arriving)
        files.contents[inode]?.version += 1
      } else {
        files.create(name, bytes.prefix(arriving))
      }
    }
  }

  package func sync(_ name: String) throws(FileError) {
    try perform(.sync(name)) { files, _ throws(FileError) in
      guard let inode = files.names[name], let live = files.contents[inode]?.live else { throw FileError.missing }
      files.contents[inode]?.synced = live
    }
  }

  package func rename(_ name: String, to new: String) throws(FileError) {
    try perform(.rename(name, new)) { files, _ throws(FileError) in
      guard let inode = files.names[name] else { throw FileError.missing }
      files.change(.rename(name, new, inode))
    }
  }

  package func renameNew(_ name: String, to new: String) throws(FileError) {
    try perform(.rename(name, new)) { files, _ throws(FileError) in
      guard let inode = files.names[name] else { throw FileError.missing }
      guard files.names[new] == nil else { throw FileError.system(EEXIST) }
      files.change(.rename(name, new, inode))
    }
  }

  package func remove(_ name: String) throws(FileError) {
    try perform(.remove(name)) { files, _ throws(FileError) in
      guard files.names[name] != nil else { throw FileError.missing }
      files.change(.link(name, nil))
    }
  }

  package func syncDirectory() throws(FileError) {
    try perform(.syncDirectory) { files, _ in
      files.syncedNames = files.names
      files.changes = []
    }
  }
}

/// What the files of documents need beyond those of the store.
extension CuttableDisk: DocumentFiles {
  package func status(_ name: String) throws(FileError) -> FileStatus {
    try state.withLock { state throws(FileError) in
      if state.isDead { throw FileError.system(EIO) }
      let files = state.files
      guard let inode = files.names[name], let content = files.contents[inode] else { throw FileError.missing }
      return FileStatus(
        identity: FileIdentity(inode: UInt64(inode), size: content.live.count, modified: Int64(content.version)),
        links: files.names.values.count { $0 == inode })
    }
  }

  package var isWritable: Bool { true }

  /// The disk knows no permissions.
  package func adopt(_ name: String, attributesOf original: String?) throws(FileError) {}

  package func overwrite(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    try perform(.overwrite(name, bytes.count)) { files, arriving throws(FileError) in
      guard let inode = files.names[name], let old = files.contents[inode]?.live else { throw FileError.missing }
      let whole = arriving >= bytes.count
      files.contents[inode]?.live = bytes.prefix(arriving) + (whole ? [] : Array(old.dropFirst(arriving)))
      files.contents[inode]?.version += 1
    }
  }

  /// Gives a file another name, as synced (link(2)).
  package func link(_ name: String, to new: String) {
    state.withLock { state in
      let inode = state.files.names[name]
      (state.files.names[new], state.files.syncedNames[new]) = (inode, inode)
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
