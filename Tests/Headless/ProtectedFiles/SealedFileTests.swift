import FoundationEssentials
import ProsceniumLoop
import ProsceniumPlatform
import Testing

@testable import ProsceniumCore

/// The form of protected files, with the real libsodium.
@Suite("The form of a protected file", .enabled(if: Sodium.shared != nil)) struct SealedFileTests {
  private let key: SecretBytes
  private let cipher: ProtectionCipher

  init() throws {
    key = try #require(SecretBytes.random(count: ProtectionKeys.size))
    cipher = ProtectionCipher(protection: .complete, keys: [key])
  }

  private func text(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }) }

  private func failure(_ bytes: [UInt8], _ cipher: ProtectionCipher? = nil) -> ProtectionFailure? {
    do throws(ProtectionFailure) {
      _ = try (cipher ?? self.cipher).open(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "Contents of all sizes come back, and nothing of them can be read",
    arguments: [0, 1, 15, 16, 1000, 65535, 65536, 65537, 131072, 300_001])
  func sizes(_ count: Int) throws {
    let content = text(count)
    let bytes = try cipher.seal(content)
    #expect(bytes.count == SealedFile.headSize + count + max(1, (count + 65535) / 65536) * Sodium.addedSize)
    #expect(try cipher.open(bytes) == content)
    // The same content twice is not the same file.
    #expect(try cipher.seal(content) != bytes)
    if count >= 1000 {
      let piece = Array(content[100..<116])
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: piece) })
    }
  }

  @Test("A file that is cut anywhere, or has any bit changed, is no content at all")
  func damaged() throws {
    let bytes = try cipher.seal(text(90))
    for count in bytes.indices {
      let failure = failure(Array(bytes[..<count]))
      #expect(failure == (count < 8 ? .notProtected : .damaged), "\(count) bytes")
    }
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        let word = failure(changed).map { "\($0)" } ?? "none"
        #expect(
          index == 8 && bit > 0 ? word == "newer" : ["damaged", "notProtected", "otherKey"].contains(word),
          "byte \(index), bit \(bit)")
      }
    }
    #expect(failure(bytes + [0]) == .damaged)
  }

  @Test("A file of a later form is told from a damaged one, wherever that has what follows the number")
  func later() throws {
    var bytes = try cipher.seal(text(10))
    bytes[8] = 2
    for count in [9, 20, bytes.count] { #expect(failure(Array(bytes[..<count])).map { "\($0)" } == "newer") }
  }

  @Test("Pieces cannot be dropped, moved or doubled")
  func pieces() throws {
    let bytes = try cipher.seal(text(3 * SealedFile.pieceSize))
    let size = SealedFile.pieceSize + Sodium.addedSize
    let head = Array(bytes[..<SealedFile.headSize])
    let pieces = (0..<3).map { Array(bytes.dropFirst(SealedFile.headSize + $0 * size).prefix(size)) }
    #expect(failure(head + pieces[0] + pieces[1] + pieces[2]) == nil)
    for order in [[0], [0, 1], [1, 0, 2], [0, 2], [0, 1, 1, 2], [2], [0, 1, 2, 2], []] {
      #expect(failure(head + order.flatMap { pieces[$0] }) == .damaged, "\(order)")
    }
    // Nor taken from another file of the same key
    let other = try cipher.seal(text(3 * SealedFile.pieceSize))
    #expect(failure(head + other[SealedFile.headSize...]) == .damaged)
  }

  @Test("Another key, another class and an ordinary file are told apart; of several keys the file's is found")
  func keys() throws {
    let other = try #require(SecretBytes.random(count: ProtectionKeys.size))
    let bytes = try cipher.seal(text(10))
    #expect(failure(bytes, ProtectionCipher(protection: .complete, keys: [other])) == .otherKey)
    #expect(failure(bytes, ProtectionCipher(protection: .complete, keys: [])) == .otherKey)
    #expect(
      failure(bytes, ProtectionCipher(protection: .completeUntilFirstUserAuthentication, keys: [key])) == .notProtected)
    #expect(failure(Array("plain".utf8)) == .notProtected && failure([]) == .notProtected)
    let both = ProtectionCipher(protection: .complete, keys: [other, key])
    #expect(try both.open(bytes) == text(10))
    // Whoever has them in another order chooses the same one
    let reverse = ProtectionCipher(protection: .complete, keys: [key, other])
    let sealed = [try both.seal(text(10)), try reverse.seal(text(10))]
    #expect(sealed[0][10..<26] == sealed[1][10..<26])
  }

  @Test("Bytes of a secret are as they were given, and are wiped where they were moved from")
  func secrets() throws {
    var source: [UInt8] = Array(1...32)
    let secret = source.withUnsafeMutableBytes { memory in
      memory.baseAddress.flatMap { SecretBytes.move($0, count: memory.count) }
    }
    let moved = try #require(secret)
    #expect(source.allSatisfy { $0 == 0 } && moved.withBytes { Array($0) } == Array(1...32))
    #expect(moved.data == Data(1...32) && moved.isSame(as: moved) && !moved.isSame(as: key))
    let empty = try #require(SecretBytes(count: 0) { _ in true })
    #expect(empty.data.isEmpty && empty.isSame(as: empty))
    #expect(SecretBytes(count: 1) { _ in false } == nil)
  }
}
