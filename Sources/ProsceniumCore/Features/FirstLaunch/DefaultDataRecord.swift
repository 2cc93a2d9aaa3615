import ProsceniumJSON
import ProsceniumLoop

/// What is known of the data that were copied: a file in the support directory, replaced as a whole.
///
/// It goes with the directory: a program whose support directory was deleted is launched for the first time.
struct DefaultDataRecord: Equatable {
  static let name = ".default-data.json"
  /// The most bytes of the file: some ten thousand names.
  static let limit = 1 << 23

  /// A copy that may have been interrupted.
  struct Copy: Equatable {
    var version: String
    /// By name, every content that may stand there of this copy, and of interrupted ones before.
    var files: [String: Set<ContentDigest>]
  }

  /// The version whose data were copied last, all of them; nil before the first copy has ended.
  var version: String?
  /// The content that was copied last, by name.
  var files: [String: ContentDigest] = [:]
  var copy: Copy?

  init() {}

  /// Reads a record; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let members = try? JSONValue.object(in: bytes), let files = members["files"]?.members else { return nil }
    version = members["version"]?.text
    for (name, value) in files {
      guard let text = value.text else { return nil }
      self.files[name] = ContentDigest(text: text)
    }
    guard let copying = members["copying"]?.members else { return }
    guard let version = copying["version"]?.text, let files = copying["files"]?.members else { return nil }
    var copy = Copy(version: version, files: [:])
    for (name, value) in files {
      guard case .array(let values) = value else { return nil }
      copy.files[name] = Set(values.compactMap(\.text).map { ContentDigest(text: $0) })
    }
    self.copy = copy
  }

  /// A file that was copied where another one is to be a folder, or in a folder that is to be a file.
  func other(inPlaceOf name: String) -> String? {
    files.keys.sorted().first { name.hasPrefix($0 + "/") || $0.hasPrefix(name + "/") }
  }

  /// The record after the copy of a version.
  func ended(_ version: String) -> Self {
    var record = self
    (record.copy, record.version) = (nil, version)
    return record
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    var members: [String: JSONValue] = ["files": .object(files.mapValues { .string($0.text) })]
    if let version { members["version"] = .string(version) }
    if let copy {
      let files = copy.files.mapValues { JSONValue.array($0.map(\.text).sorted().map { .string($0) }) }
      members["copying"] = .object(["version": .string(copy.version), "files": .object(files)])
    }
    // Texts alone, which the encoder never refuses.
    return (try? JSONValue.bytes(of: members, isPretty: true)) ?? []
  }
}

/// What tells one content of a file from another: its length, its ``Checksum``, and whether its owner may execute it.
struct ContentDigest: Hashable, Sendable {
  let text: String

  init(text: String) { self.text = text }

  init(_ bytes: [UInt8], isExecutable: Bool = false) {
    text = String(Checksum(bytes).value, radix: 16) + "-\(bytes.count)" + (isExecutable ? "-x" : "")
  }
}

/// What is to become of one file of the data.
enum DefaultDataStep: Equatable {
  /// No file has the name, and none that gets it meanwhile is replaced.
  case copy
  /// The file is the program's own.
  case replace
  /// The content is there.
  case same
  /// The user's doing: it stays as it is.
  case keep

  /// What stands in a file's place.
  enum Existing: Equatable {
    case missing
    case file(ContentDigest)
    /// A link, a folder, or a file that cannot be read.
    case other
  }

  /// Decides about one file.
  /// - Parameters:
  ///   - content: What the program brings along.
  ///   - existing: What stands there.
  ///   - copied: What was copied there last; nil where nothing was.
  ///   - begun: What an interrupted copy may have put there.
  ///   - isTemplate: Whether it is never replaced.
  init(
    _ content: ContentDigest, over existing: Existing, copied: ContentDigest?, begun: Set<ContentDigest>,
    isTemplate: Bool
  ) {
    switch existing {
    // A file that was copied is gone because the user has removed it.
    case .missing: self = copied == nil ? .copy : .keep
    case .file(content): self = .same
    case .file(let digest):
      let isOurs = digest == copied || begun.contains(digest)
      self = isOurs && !isTemplate ? .replace : .keep
    case .other: self = .keep
    }
  }
}
