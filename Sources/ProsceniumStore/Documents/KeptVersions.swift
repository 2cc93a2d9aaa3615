import FoundationEssentials
internal import Glibc
import ProsceniumJSON
package import ProsceniumLoop

/// The version of a document that is not in its file, or not yet.
package struct KeptVersion: Equatable, Sendable {
  /// Why it is kept.
  package enum Reason: String, Sendable {
    /// The file is being written into: what is there may be a part of it.
    case writing
    /// The file could not be written, or is another program's by now.
    case unsaved
  }

  package var reason: Reason
  /// What the file was when the version was made from it; nil where there was none.
  package var base: FileIdentity?
  /// What the file had then; nil where that is not known.
  package var baseHash: ContentHash?
  package var bytes: [UInt8]
  /// What the file has been written over from: by that and by ``bytes`` a part of a write is known from a change by
  /// another program; nil where nothing was written.
  package var old: [UInt8]?

  package init(
    _ reason: Reason, base: FileIdentity?, baseHash: ContentHash? = nil, bytes: [UInt8], old: [UInt8]? = nil
  ) {
    (self.reason, self.base, self.baseHash, self.bytes, self.old) = (reason, base, baseHash, bytes, old)
  }

  /// Whether the version was made from a content that the file has still, perhaps at another time, with other
  /// permissions, or on a disk that has had another number before a restart.
  package func isMade(from content: DocumentContent) -> Bool {
    isMade(from: content.identity, ContentHash(content.bytes))
  }

  /// Whether the version was made from a content.
  /// - Parameters:
  ///   - identity: What the file was.
  ///   - hash: What it had; nil where that is not known.
  /// - Returns: Whether one of both is the same.
  package func isMade(from identity: FileIdentity, _ hash: ContentHash?) -> Bool {
    base == identity || baseHash != nil && baseHash == hash
  }

  /// Whether a content can be what a write of this version has left that did not come to its end, in whatever order its
  /// blocks came to the disk, whether their content did (a file that grew has zeros there), and where it was cut off.
  func mayHaveLeft(_ content: [UInt8]) -> Bool {
    guard reason == .writing, let old else { return false }
    return content.count <= max(old.count, bytes.count)
      && content.indices.allSatisfy { index in
        index < bytes.count && content[index] == bytes[index] || index < old.count && content[index] == old[index]
          || content[index] == 0
      }
  }
}

/// The folder of kept versions: `$XDG_STATE_HOME/<application id>/documents`.
///
/// Each is a file named after its document's: a line of JSON that says of which, and the content behind it. It is
/// replaced as a whole, so that it is there or not. For any thread.
package struct KeptVersions: Sendable {
  /// More bytes than the line that describes a version can have: a path has 4096.
  private static let headerLimit = 1 << 16
  /// More versions of one document are not put aside.
  private static let mostAside = 1000

  private let files: any DocumentFiles

  package init(_ files: any DocumentFiles) { self.files = files }

  /// Opens the folder of an application; makes it (0700) where it is missing.
  /// - Throws: ``StoreError/unusable(_:)`` where that is not possible.
  package init(applicationIdentifier: String, environment: [String: String]) throws(StoreError) {
    try StoreDirectory.check(applicationIdentifier)
    let path = try StoreDirectory.parent(environment, .state) + "/" + applicationIdentifier + "/documents"
    self.init(PosixFiles(directory: try StoreDirectory.open(path, .state)))
  }

  /// The name of a document's kept version: what tells its path from every other, and its own name for people.
  ///
  /// With all that is added to it, it has 143 bytes at most: more have no room in an encrypted home (eCryptfs).
  package static func name(of path: String) -> String { name(of: path, most: 90) }

  private static func name(of path: String, most: Int) -> String {
    // Whole characters.
    var short = DocumentPlace(unfollowed: path).name[...]
    while short.utf8.count > most { short = short.dropLast() }
    return String(Checksum(path.utf8).value, radix: 16) + "-" + short + ".kept"
  }

  /// The name of a document's kept version, which takes the place of the longer one that earlier versions gave it.
  private func present(_ path: String) -> String {
    let (name, long) = (Self.name(of: path), Self.name(of: path, most: 150))
    // In most cases none has the longer one.
    if name != long { try? files.renameNew(long, to: name) }
    return name
  }

  /// Keeps a version, in place of an earlier one, and returns when it is on the disk.
  ///
  /// What is there and is no version that can be read is put aside: a later version of the library may have written it.
  package func keep(_ version: KeptVersion, of path: String) throws(FileError) {
    switch found(path, limit: .max) {
    // A full disk need not have room for the same once more.
    case .version(version): return try files.syncDirectory()
    case .unread: _ = try putAside(path)
    case .nothing, .version: break
    }
    var header: [String: JSONValue] = [
      "document": .string(path), "reason": .string(version.reason.rawValue), "size": .int(version.bytes.count),
    ]
    if let old = version.old { header["old"] = .int(old.count) }
    if let base = version.base {
      header["base"] = .object([
        "device": .string("\(base.device)"), "inode": .string("\(base.inode)"), "size": .string("\(base.size)"),
        "modified": .string("\(base.modified)"), "statusChanged": .string("\(base.statusChanged)"),
      ])
    }
    if let hash = version.baseHash { header["baseHash"] = .string(String(hash.value, radix: 16)) }
    // Texts and whole numbers alone, which the encoder never refuses.
    let line = (try? JSONValue.bytes(of: header, isPretty: false)) ?? []
    let name = present(path)
    let bytes = line + [UInt8(ascii: "\n")] + version.bytes + (version.old ?? [])
    try files.replace(name, with: bytes, by: TemporaryFiles(of: name).next(getpid()))
    try files.syncDirectory()
  }

  /// What has the name of a document's kept version.
  private enum Found: Equatable {
    /// Nothing, or what the disk does not give.
    case nothing
    case version(KeptVersion)
    /// What is damaged, or of a later version of the library.
    case unread
  }

  private func found(_ path: String, limit: Int) -> Found {
    // Both contents.
    let limit = min(limit, (.max - Self.headerLimit) / 2) * 2 + Self.headerLimit
    guard let bytes = try? files.read(present(path), limit: limit) else { return .nothing }
    return Self.version(of: path, in: bytes).map { .version($0) } ?? .unread
  }

  /// The kept version of a document; nil where there is none, or what is there is none.
  /// - Parameters:
  ///   - path: The document.
  ///   - limit: The most bytes that are read.
  /// - Returns: The version.
  package func version(of path: String, limit: Int) -> KeptVersion? {
    if case .version(let version) = found(path, limit: limit) { version } else { nil }
  }

  /// Whether something is kept of a document that cannot be read as a version: it is damaged, or a later version of the
  /// library has written it.
  /// - Parameters:
  ///   - path: The document.
  ///   - limit: The most bytes that are read.
  /// - Returns: Whether it is there.
  package func hasUnread(_ path: String, limit: Int) -> Bool { found(path, limit: limit) == .unread }

  private static func version(of path: String, in bytes: [UInt8]) -> KeptVersion? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let header = try? JSONValue.object(in: Array(bytes[..<end])),
      case .string(path) = header["document"], case .string(let word) = header["reason"],
      let reason = KeptVersion.Reason(rawValue: word), case .int(let size) = header["size"], size >= 0
    else { return nil }
    let contents = bytes[(end + 1)...]
    var old: Int?
    if case .int(let count) = header["old"] { old = count }
    guard size <= contents.count, contents.count - size == old ?? 0 else { return nil }
    var hash: ContentHash?
    if case .string(let text) = header["baseHash"] { hash = UInt64(text, radix: 16).map { ContentHash(value: $0) } }
    return KeptVersion(
      reason, base: header["base"].flatMap(identity), baseHash: hash, bytes: Array(contents.prefix(size)),
      old: old == nil ? nil : Array(contents.dropFirst(size)))
  }

  /// Removes what processes have left that were killed while they kept a version.
  func removeWhatIsLeft() { TemporaryFiles.removeAllLeft(in: files) }

  /// Removes the kept version of a document, if there is one.
  package func remove(_ path: String) throws(FileError) {
    if try files.removeIfThere(present(path)) { try files.syncDirectory() }
  }

  /// Returns when the kept versions that are there would survive a power cut: that of a process which was killed as it
  /// kept it may not yet.
  func sync() throws(FileError) { try files.syncDirectory() }

  /// Gives the kept version of a document another name, under which nothing replaces it.
  /// - Parameter path: The document.
  /// - Returns: The name.
  /// - Throws: The error of the file system: it has its name still.
  package func putAside(_ path: String) throws(FileError) -> String {
    let present = present(path)
    for number in 1..<Self.mostAside {
      let name = present + ".unread" + (number == 1 ? "" : "-\(number)")
      // Earlier ones stay.
      do throws(FileError) { try files.renameNew(present, to: name) } catch FileError.system(EEXIST) {
        continue
      }
      try files.syncDirectory()
      return name
    }
    throw .system(EEXIST)
  }

  private static func identity(_ value: JSONValue) -> FileIdentity? {
    guard case .object(let members) = value else { return nil }
    func text(_ key: String) -> String { if case .string(let text) = members[key] { text } else { "" } }
    guard let device = UInt64(text("device")), let inode = UInt64(text("inode")), let size = Int(text("size")),
      let modified = Int64(text("modified")), let statusChanged = Int64(text("statusChanged"))
    else { return nil }
    return FileIdentity(
      device: device, inode: inode, size: size, modified: modified, statusChanged: statusChanged)
  }
}
