import FoundationEssentials
import ProsceniumLoop

/// The form of a protected file: a head, and the content in encrypted pieces.
///
/// The head is the mark, the version, the class, what tells the key from others, and the header of libsodium's stream.
/// All of it is bound to each piece, so that none of it can be changed. Behind the number of a later version anything
/// may follow.
struct SealedFile {
  /// The most plain bytes of a piece.
  static let pieceSize = 1 << 16
  /// No text begins with the first byte, and a transfer of the file as text changes the last ones.
  private static let mark: [UInt8] = [0x89] + Array("PSPF".utf8) + [13, 10, 26]
  private static let version: UInt8 = 1
  static let identifierSize = 16
  private static let prefixSize = mark.count + 2 + identifierSize
  static let headSize = prefixSize + Sodium.headerSize

  /// The number of pieces of a content.
  private static func pieces(_ count: Int, size: Int) -> Int { max(1, (count + size - 1) / size) }

  private static func prefix(_ protection: FileProtection, key identifier: [UInt8]) -> [UInt8]? {
    code(of: protection).map { mark + [version, $0] + identifier }
  }

  private static func code(of protection: FileProtection) -> UInt8? {
    switch protection {
    case .none: nil
    case .complete: 1
    case .completeUntilFirstUserAuthentication: 2
    }
  }

  // MARK: Writing

  /// Encrypts a content; nil where there is no memory for it.
  static func bytes(
    of content: Data, _ protection: FileProtection, _ sodium: Sodium, _ key: SecretBytes
  ) -> [UInt8]? {
    let identifier = sodium.identifier(of: key, size: identifierSize)
    guard let prefix = prefix(protection, key: identifier), let sealing = sodium.sealing(key) else { return nil }
    let pieces = pieces(content.count, size: pieceSize)
    let size = headSize + content.count + pieces * Sodium.addedSize
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      let head = prefix + sealing.header
      UnsafeMutableRawPointer(start).copyMemory(from: head, byteCount: head.count)
      count = head.count
      for (index, byte) in stride(from: 0, to: pieces * pieceSize, by: pieceSize).enumerated() {
        content.withUnsafeBytes { all in
          let piece = UnsafeRawBufferPointer(rebasing: all[byte..<min(all.count, byte + pieceSize)])
          sealing.seal(piece, bound: head, isLast: index == pieces - 1, into: start + count)
          count += piece.count + Sodium.addedSize
        }
      }
    }
  }

  // MARK: Reading

  /// Whether a later version of the library has written a file with these first bytes.
  static func isNewer(_ head: [UInt8]) -> Bool {
    head.starts(with: mark) && head.dropFirst(mark.count).first.map { $0 > version } == true
  }

  /// What tells the key of a file with these first bytes from others; nil for a file that is not encrypted.
  static func identifier(in head: [UInt8]) -> ArraySlice<UInt8>? {
    guard head.starts(with: mark), head.count >= prefixSize else { return nil }
    return head[(prefixSize - identifierSize)..<prefixSize]
  }

  /// Decrypts the content of a file.
  /// - Throws: ``ProtectionFailure``; no content is given before all of it is known to be whole.
  static func content(
    of bytes: [UInt8], _ protection: FileProtection, _ sodium: Sodium, _ keys: [SecretBytes]
  ) throws(ProtectionFailure) -> Data {
    guard bytes.starts(with: mark) else { throw .notProtected }
    if isNewer(bytes) { throw .newer }
    guard bytes.count >= headSize + Sodium.addedSize, bytes[mark.count] == version else { throw .damaged }
    let identifier = bytes[(prefixSize - identifierSize)..<prefixSize]
    guard bytes[mark.count + 1] == code(of: protection) else { throw .notProtected }
    guard let key = keys.first(where: { sodium.identifier(of: $0, size: identifierSize).elementsEqual(identifier) })
    else { throw .otherKey }
    let head = Array(bytes[..<headSize])
    guard let opening = sodium.opening(key, header: Array(head[prefixSize...])) else { throw .damaged }
    let sealedSize = pieceSize + Sodium.addedSize
    let pieces = pieces(bytes.count - headSize, size: sealedSize)
    let count = bytes.count - headSize - pieces * Sodium.addedSize
    guard count >= 0 else { throw .damaged }
    let content = SecretBytes(count: count) { memory in
      bytes.withUnsafeBytes { all in
        for index in 0..<pieces {
          let start = headSize + index * sealedSize
          let piece = UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + sealedSize)])
          guard piece.count >= Sodium.addedSize, let base = memory.baseAddress,
            opening.open(piece, bound: head, isLast: index == pieces - 1, into: base + index * pieceSize)
          else { return false }
        }
        return true
      }
    }
    guard let content else { throw .damaged }
    return content.data
  }
}

extension SecretBytes {
  /// The bytes, which are wiped when the last copy of the value goes.
  var data: Data {
    guard let place, count > 0 else { return Data() }
    return Data(bytesNoCopy: place, count: count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}

/// The cipher of one class, with its keys.
struct ProtectionCipher: ContentCipher {
  let protection: FileProtection
  let keys: [SecretBytes]

  /// Encrypts with the key that all programs choose of several ones.
  func seal(_ content: Data) throws(ProtectionFailure) -> [UInt8] {
    guard let sodium = Sodium.shared else { throw .noCipher }
    let named = keys.map { (key: $0, name: sodium.identifier(of: $0, size: SealedFile.identifierSize)) }
    guard let first = named.min(by: { $0.name.lexicographicallyPrecedes($1.name) }) else {
      throw .noKey("there is none")
    }
    guard let bytes = SealedFile.bytes(of: content, protection, sodium, first.key) else {
      throw .noKey("there is no memory for it")
    }
    return bytes
  }

  var headSize: Int { SealedFile.headSize }

  func obstacle(toReplacing head: [UInt8]) -> ProtectionFailure? {
    if SealedFile.isNewer(head) { return .newer }
    guard let identifier = SealedFile.identifier(in: head), let sodium = Sodium.shared else { return nil }
    let isKnown = keys.contains {
      sodium.identifier(of: $0, size: SealedFile.identifierSize).elementsEqual(identifier)
    }
    return isKnown ? nil : .otherKey
  }

  func open(_ bytes: [UInt8]) throws(ProtectionFailure) -> Data {
    guard let sodium = Sodium.shared else { throw .noCipher }
    return try SealedFile.content(of: bytes, protection, sodium, keys)
  }
}
