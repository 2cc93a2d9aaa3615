/// Messages that no X server would write, whole as the protocol frames them (X protocol, appendix B).
package enum XRubbish {
  /// How much truth is in them.
  package enum Kind: CaseIterable, Sendable {
    /// About windows that there are not, and in states that there are not: nothing may come of it.
    case senseless
    /// As another client may send them (SendEvent), about these windows: nothing may come of it.
    case sent
    /// Of the server, about these windows: a lie, of which anything may come but a crash or a hang.
    case lie
  }

  /// An event or, with the codes 0 and 1, an error or a reply.
  package static func message(
    _ code: UInt8, _ kind: Kind, about windows: [UInt32], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    if code == 35 { return genericEvent(kind, about: windows, using: &random) }
    var bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes[0] = code | (kind == .sent ? 0x80 : 0)
    // No code of a state or of a detail is that large.
    if kind == .senseless { bytes[1] |= 0x80 }
    if kind != .senseless, !(kind == .sent && isTold(code)) { put(windows, into: &bytes, using: &random) }
    // A reply has its length here: of this little, or it would be waited for.
    if code == 1 { bytes.replaceSubrange(4..<8, with: [2, 0, 0, 0]) }
    return code == 1 ? bytes + [UInt8](repeating: 0xA5, count: 8) : bytes
  }

  /// A GenericEvent, of up to a megabyte.
  package static func genericEvent(
    _ kind: Kind, about windows: [UInt32], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let units = [0, 1, 2, 11, 20, 1000, 65_535, 65_536, 262_144].randomElement(using: &random) ?? 0
    var bytes = (0..<min(32 + 4 * units, 200)).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes += [UInt8](repeating: 0xFF, count: 32 + 4 * units - bytes.count)
    bytes[0] = 35 | (kind == .sent ? 0x80 : 0)
    // The extension's major opcode: those that there are begin with 128.
    bytes[1] = UInt8.random(in: 128...160, using: &random)
    for byte in 0..<4 { bytes[4 + byte] = UInt8(truncatingIfNeeded: units >> (8 * byte)) }
    // Its type, of which there are few.
    bytes[8] = UInt8.random(in: 0...30, using: &random)
    bytes[9] = 0
    if kind != .senseless { put(windows, into: &bytes, using: &random) }
    return bytes
  }

  /// Whether programs do what clients say in such a message: input, and what is called a client's message.
  private static func isTold(_ code: UInt8) -> Bool { (2...6).contains(code) || code == 33 }

  /// Writes windows where events have them.
  private static func put(
    _ windows: [UInt32], into bytes: inout [UInt8], using random: inout some RandomNumberGenerator
  ) {
    guard let window = windows.randomElement(using: &random) else { return }
    for offset in stride(from: 4, to: min(bytes.count, 32), by: 4) where offset != 4 || bytes[0] & 0x7F != 35 {
      guard Bool.random(using: &random) || offset < 16 else { continue }
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: window >> (8 * byte)) }
    }
  }
}
