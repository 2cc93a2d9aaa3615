/// Cuts what a bus writes into the lines of the authentication and, after them, messages (D-Bus Specification,
/// "Authentication Protocol" and "Message Format").
///
/// Only lengths are looked at. The byte order is this machine's, in which dbus-daemon writes.
struct BusStream {
  private var bytes: [UInt8] = []

  /// Takes what was read and gives the whole lines and messages that it completes.
  mutating func cut(_ new: ArraySlice<UInt8>) -> [[UInt8]] {
    bytes += new
    var result: [[UInt8]] = []
    var start = 0
    while let length = length(at: start), start + length <= bytes.count {
      result.append(Array(bytes[start..<(start + length)]))
      start += length
    }
    bytes.removeFirst(start)
    return result
  }

  /// Whether this is a message: it begins with its byte order, as no line does.
  static func isMessage(_ bytes: some Collection<UInt8>) -> Bool { bytes.first == UInt8(ascii: "l") }

  private func length(at start: Int) -> Int? {
    let rest = bytes[start...]
    guard Self.isMessage(rest) else { return rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 - start } }
    guard rest.count >= 16 else { return nil }
    func long(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[start + offset + $1]) << (8 * $1) } }
    // The body's length at 4, that of the fields at 12.
    return 16 + ((long(12) + 7) & ~7) + long(4)
  }
}
