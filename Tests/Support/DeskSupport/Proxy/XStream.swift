/// Cuts one direction of an X connection into its messages.
///
/// Only lengths are looked at: the connection setup (X protocol, section 8), requests with their lengths in units of
/// four bytes, 0 meaning a longer length that follows (BIG-REQUESTS), and replies, events and errors of 32 bytes with
/// what follows replies and generic events. Byte order is this machine's, which is what libxcb asks for.
struct XStream {
  enum Direction { case fromClient, fromServer }

  let direction: Direction
  private var bytes: [UInt8] = []
  private var isSetUp = false

  init(_ direction: Direction) { self.direction = direction }

  /// Takes what was read and gives the whole messages that it completes; the first one is the connection setup.
  mutating func cut(_ new: ArraySlice<UInt8>) -> [(message: [UInt8], isSetup: Bool)] {
    bytes += new
    var result: [(message: [UInt8], isSetup: Bool)] = []
    var start = 0
    while let length = length(at: start), start + length <= bytes.count {
      result.append((Array(bytes[start..<(start + length)]), !isSetUp))
      isSetUp = true
      start += length
    }
    bytes.removeFirst(start)
    return result
  }

  private func short(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  private func long(_ offset: Int) -> Int { short(offset) | short(offset + 2) << 16 }
  private func padded(_ length: Int) -> Int { (length + 3) & ~3 }

  private func length(at start: Int) -> Int? {
    let available = bytes.count - start
    switch direction {
    case .fromClient where !isSetUp:
      return available < 12 ? nil : 12 + padded(short(start + 6)) + padded(short(start + 8))
    case .fromServer where !isSetUp:
      return available < 8 ? nil : 8 + 4 * short(start + 6)
    case .fromClient:
      guard available >= 4 else { return nil }
      let units = short(start + 2)
      if units > 0 { return 4 * units }
      guard available >= 8 else { return nil }
      return max(8, 4 * long(start + 4))
    case .fromServer:
      guard available >= 32 else { return nil }
      // 1 is a reply, 35 a generic event; the top bit of an event says only that a client sent it.
      let isLonger = bytes[start] == 1 || bytes[start] & 0x7f == 35
      return 32 + (isLonger ? 4 * long(start + 4) : 0)
    }
  }
}
