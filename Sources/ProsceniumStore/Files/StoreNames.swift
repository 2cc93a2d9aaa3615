/// The names of the store's files.
enum StoreNames {
  static let lock = "lock"
  static let journal = "runs"

  static func record(_ identifier: String) -> String { identifier + ".session" }
  static func tombstone(_ identifier: String) -> String { identifier + ".discarded" }
  static func picture(_ identifier: String) -> String { identifier + ".qoi" }
  static func temporary(_ name: String) -> String { ".\(name).tmp" }

  /// The kind of a file, by its name.
  enum Kind: Equatable {
    case record(String)
    case tombstone(String)
    /// The snapshot of the session's window.
    case picture(String)
    case temporary
    /// The lock, the journal, or a file that is not the store's.
    case other
  }

  private static let kinds: [(suffix: [UInt8], make: @Sendable (String) -> Kind)] = [
    (Array(".session".utf8), Kind.record), (Array(".discarded".utf8), Kind.tombstone),
    (Array(".qoi".utf8), Kind.picture),
  ]

  static func kind(of name: String) -> Kind {
    name.withBytes { bytes in
      if bytes.first == UInt8(ascii: ".") { return bytes.suffix(4).elementsEqual(".tmp".utf8) ? .temporary : .other }
      for (suffix, make) in kinds where bytes.count > suffix.count {
        guard bytes.suffix(suffix.count).elementsEqual(suffix) else { continue }
        let identifier = String(decoding: bytes.dropLast(suffix.count), as: UTF8.self)
        if canName(identifier) { return make(identifier) }
      }
      return .other
    }
  }

  /// Whether a session's identifier can name its files.
  static func canName(_ identifier: String) -> Bool { isName(identifier) && identifier.utf8.first != UInt8(ascii: ".") }

  /// The most bytes of an identifier.
  static let longest = 200

  /// Whether a text can be a part of a file's name.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest
      && text.withBytes { $0.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 } }
  }

  /// How many damaged files of a name stay: the first ones and the latest.
  static let mostDamaged = 4

  /// The first free name for a damaged file; after a few the last one is used again.
  static func damaged(_ name: String, taken: Set<String>) -> String {
    let first = name + ".damaged"
    guard taken.contains(first) else { return first }
    var number = 1
    while number < mostDamaged - 1, taken.contains("\(first).\(number)") { number += 1 }
    return "\(first).\(number)"
  }
}

extension String {
  /// Calls a function with the bytes in one place: by a UTF8View each costs twenty instructions and more, of which the
  /// names of a thousand sessions at a launch have many.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = self
    return text.withUTF8(body)
  }

  /// Whether two texts are the same bytes, and not only the same characters.
  func hasBytes(of other: String) -> Bool {
    withBytes { own in other.withBytes { own.elementsEqual($0) } }
  }
}
