/// The bytes of one reply or event, read with checks: a short or wrong one gives nil, never memory that is not its own.
///
/// Valid only while the handler runs that it is passed to. Offsets are those of the protocol's encoding
/// (X protocol, appendix B), in the byte order of this machine, which libxcb asks the server for.
struct ReplyBytes {
  /// The size of what every reply begins with, and most end with.
  static let header = 32

  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A C structure, or a number, at an offset; nil where it is not there whole.
  func read<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int = 0) -> Value? {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  func u32(_ offset: Int) -> UInt32? { read(UInt32.self, at: offset) }

  /// At most `count` 32-bit values from `offset` on: those that are really there.
  func u32s(_ offset: Int, count: Int) -> [UInt32] {
    let available = max(0, (bytes.count - offset) / 4)
    return (0..<max(0, min(count, available))).compactMap { u32(offset + 4 * $0) }
  }

  /// At most `count` bytes from `offset` on: those that are really there.
  func u8s(_ offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset + count)])
  }
}
