/// Writes a message of the input method protocol, in the byte order of this machine, which the server is told of.
struct XIMWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ new: [UInt8]) { bytes.append(contentsOf: new) }

  /// A list with its size in bytes before it.
  mutating func addSized(_ list: [UInt8]) {
    add(UInt16(clamping: list.count))
    add(list)
  }

  /// Ends a list: what follows begins at a multiple of four.
  mutating func pad() { bytes.append(contentsOf: repeatElement(0, count: -bytes.count & 3)) }
}

/// Reads a message with checks: whoever sends messages to a window may write anything.
struct XIMReader {
  /// The message ends before its last value.
  struct CutOff: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(CutOff) -> Number {
    let size = MemoryLayout<Number>.size
    guard place + size <= bytes.count else { throw CutOff() }
    defer { place += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }

  mutating func bytes(_ count: Int) throws(CutOff) -> [UInt8] {
    guard count >= 0, place + count <= bytes.count else { throw CutOff() }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func skip(_ count: Int) throws(CutOff) { _ = try bytes(count) }

  /// A list with its size in bytes before it.
  mutating func sized() throws(CutOff) -> [UInt8] { try bytes(Int(read(UInt16.self))) }

  /// What follows begins at a multiple of four; the last list may lack its padding.
  mutating func align() { place = min((place + 3) & ~3, bytes.count) }
}
