import FoundationEssentials
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
  package var bytes: [UInt8]

  package init(_ reason: Reason, base: FileIdentity?, bytes: [UInt8]) {
    (self.reason, self.base, self.bytes) = (reason, base, bytes)
  }
}

/// The folder of kept versions: `$XDG_STATE_HOME/<application id>/documents`.
///
/// Each is a file named after its document's: a line of JSON that says of which, and the content behind it. It is
/// replaced as a whole, so that it is there or not. For any thread.
package struct KeptVersions: Sendable {
  /// More bytes than the line that describes a version can have: a path has 4096.
  private static let headerLimit = 1 << 16

  private let files: any StoreFiles

  package init(_ files: any StoreFiles) { self.files = files }

  /// Opens the folder of an application; makes it (0700) where it is missing.
  /// - Throws: ``StoreError/unusable(_:)`` where that is not possible.
  package init(applicationIdentifier: String, environment: [String: String]) throws(StoreError) {
    try StoreDirectory.check(applicationIdentifier)
    let path = try StoreDirectory.parent(environment, .state) + "/" + applicationIdentifier + "/documents"
    self.init(PosixFiles(directory: try StoreDirectory.open(path, .state)))
  }

  /// The name of a document's kept version: what tells its path from every other, and its own name for people.
  package static func name(of path: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let last = path.split(separator: "/").last ?? ""
    // Whole characters of at most 150 bytes.
    var short = last
    while short.utf8.count > 150 { short = short.dropLast() }
    return String(hash, radix: 16) + "-" + short + ".kept"
  }

  /// Keeps a version, in place of an earlier one, and returns when it is on the disk.
  package func keep(_ version: KeptVersion, of path: String) throws(FileError) {
    var header: [String: JSONValue] = [
      "document": .string(path), "reason": .string(version.reason.rawValue), "size": .int(version.bytes.count),
    ]
    if let base = version.base {
      header["base"] = .object([
        "device": .string("\(base.device)"), "inode": .string("\(base.inode)"), "size": .string("\(base.size)"),
        "modified": .string("\(base.modified)"),
      ])
    }
    // Texts and whole numbers alone, which the encoder never refuses.
    let line = (try? JSONValue.bytes(of: header, isPretty: false)) ?? []
    try files.replace(Self.name(of: path), with: line + [UInt8(ascii: "\n")] + version.bytes)
    try files.syncDirectory()
  }

  /// The kept version of a document; nil where there is none, or what is there is none.
  /// - Parameters:
  ///   - path: The document.
  ///   - limit: The most bytes that are read.
  /// - Returns: The version.
  package func version(of path: String, limit: Int) -> KeptVersion? {
    let limit = min(limit, .max - Self.headerLimit) + Self.headerLimit
    guard let bytes = try? files.read(Self.name(of: path), limit: limit),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")), let header = try? JSONValue.object(in: Array(bytes[..<end])),
      case .string(path) = header["document"], case .string(let word) = header["reason"],
      let reason = KeptVersion.Reason(rawValue: word), case .int(bytes.count - end - 1) = header["size"]
    else { return nil }
    return KeptVersion(reason, base: header["base"].flatMap(Self.identity), bytes: Array(bytes[(end + 1)...]))
  }

  /// Removes the kept version of a document, if there is one.
  package func remove(_ path: String) throws(FileError) {
    if try files.removeIfThere(Self.name(of: path)) { try files.syncDirectory() }
  }

  /// Puts aside what stood in a file that a kill has interrupted, and that the kept version replaces.
  func putAside(_ bytes: [UInt8], of path: String) throws(FileError) {
    try files.replace(Self.name(of: path) + ".replaced", with: bytes)
    try files.syncDirectory()
  }

  private static func identity(_ value: JSONValue) -> FileIdentity? {
    guard case .object(let members) = value else { return nil }
    func text(_ key: String) -> String { if case .string(let text) = members[key] { text } else { "" } }
    guard let device = UInt64(text("device")), let inode = UInt64(text("inode")), let size = Int(text("size")),
      let modified = Int64(text("modified"))
    else { return nil }
    return FileIdentity(device: device, inode: inode, size: size, modified: modified)
  }
}
