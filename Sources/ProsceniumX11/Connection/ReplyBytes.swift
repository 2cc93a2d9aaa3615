/// The bytes of one reply, read with checks: a short or wrong reply gives nil, never memory that is not its own.
///
/// Valid only while the handler runs that it was handed to. Offsets are those of the protocol's encoding
/// (X protocol, appendix B), in the byte order of this machine, which libxcb asks the server for.
struct ReplyBytes {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func u8(_ offset: Int) -> UInt8? { load(offset) }
  func u16(_ offset: Int) -> UInt16? { load(offset) }
  func i16(_ offset: Int) -> Int16? { load(offset) }
  func u32(_ offset: Int) -> UInt32? { load(offset) }

  /// At most `count` 32-bit values from `offset` on: what is really there.
  func u32s(_ offset: Int, count: Int) -> [UInt32] {
    let available = max(0, (bytes.count - offset) / 4)
    return (0..<max(0, min(count, available))).compactMap { u32(offset + 4 * $0) }
  }

  /// At most `count` bytes from `offset` on: what is really there.
  func u8s(_ offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset + count)])
  }

  private func load<Value: BitwiseCopyable>(_ offset: Int) -> Value? {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }
}
