internal import CSystem
import FoundationEssentials
import ProsceniumLoop

/// libsodium's secret stream: XChaCha20-Poly1305 in pieces, of which none can be changed, dropped or moved unnoticed.
///
/// For any thread.
struct Sodium: Sendable {
  /// The bytes that are added to each piece.
  static let addedSize = Int(sodium_stream_added_size)
  static let headerSize = Int(sodium_stream_header_size)

  /// The library, loaded by the thread that asks first; nil where it is not installed.
  static let shared: Sodium? = {
    guard let library = Library.permanent(sodium_open), library.sodium_init() >= 0 else { return nil }
    return Sodium(library: library)
  }()

  private let library: sodium_library

  /// Tells a key from others; nobody can find the key by it.
  func identifier(of key: SecretBytes, size: Int) -> [UInt8] {
    let name = Array("Proscenium key".utf8)
    return [UInt8](unsafeUninitializedCapacity: size) { hash, count in
      key.withBytes {
        _ = library.crypto_generichash(
          hash.baseAddress, UInt(size), name, UInt64(name.count), $0.baseAddress, UInt($0.count))
      }
      count = size
    }
  }

  // MARK: Streams

  /// Encrypts pieces one after the other.
  struct Sealing: ~Copyable {
    /// What the file begins with.
    let header: [UInt8]
    private let stream: Stream

    fileprivate init?(_ library: sodium_library, _ key: SecretBytes) {
      var header = [UInt8](repeating: 0, count: Sodium.headerSize)
      let stream = Stream(library) { state in
        key.withBytes { library.crypto_secretstream_xchacha20poly1305_init_push(state, &header, $0.baseAddress) == 0 }
      }
      guard let stream else { return nil }
      (self.header, self.stream) = (header, stream)
    }

    /// Encrypts a piece into a place that has room for ``Sodium/addedSize`` more bytes.
    func seal(_ plain: UnsafeRawBufferPointer, bound: [UInt8], isLast: Bool, into place: UnsafeMutableRawPointer) {
      _ = stream.library.crypto_secretstream_xchacha20poly1305_push(
        stream.state, place, nil, plain.baseAddress, UInt64(plain.count), bound, UInt64(bound.count),
        isLast ? UInt8(sodium_stream_last_tag) : 0)
    }
  }

  /// Decrypts pieces one after the other.
  struct Opening: ~Copyable {
    private let stream: Stream

    fileprivate init?(_ library: sodium_library, _ key: SecretBytes, header: [UInt8]) {
      let stream = Stream(library) { state in
        key.withBytes { library.crypto_secretstream_xchacha20poly1305_init_pull(state, header, $0.baseAddress) == 0 }
      }
      guard let stream else { return nil }
      self.stream = stream
    }

    /// Decrypts a piece.
    /// - Returns: Whether it is the one that was encrypted, in its place, the last one or not.
    func open(
      _ sealed: UnsafeRawBufferPointer, bound: [UInt8], isLast: Bool, into place: UnsafeMutableRawPointer
    ) -> Bool {
      var tag: UInt8 = 0
      let result = stream.library.crypto_secretstream_xchacha20poly1305_pull(
        stream.state, place, nil, &tag, sealed.baseAddress, UInt64(sealed.count), bound, UInt64(bound.count))
      return result == 0 && tag == (isLast ? UInt8(sodium_stream_last_tag) : 0)
    }
  }

  func sealing(_ key: SecretBytes) -> Sealing? { Sealing(library, key) }
  func opening(_ key: SecretBytes, header: [UInt8]) -> Opening? {
    header.count == Self.headerSize ? Opening(library, key, header: header) : nil
  }

  /// The state of a stream, which has a key in it: in memory that is wiped.
  private struct Stream {
    let library: sodium_library
    private let memory: SecretBytes
    var state: UnsafeMutableRawPointer? { memory.place }

    init?(_ library: sodium_library, _ begin: (UnsafeMutableRawPointer?) -> Bool) {
      let memory = SecretBytes(count: Int(sodium_stream_state_size)) { begin($0.baseAddress) }
      guard let memory else { return nil }
      (self.library, self.memory) = (library, memory)
    }
  }
}
