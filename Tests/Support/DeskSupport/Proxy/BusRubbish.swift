/// A D-Bus message written by hand, so that it may say what no library would (D-Bus Specification, "Message Format").
package struct RawBusMessage: Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    case call = 1
    case answer, error, signal
  }

  package var kind: Kind
  package var serial: UInt32 = 1
  /// Which call it answers.
  package var replySerial: UInt32?
  package var path: String?
  package var interface: String?
  package var member: String?
  package var errorName: String?
  package var sender: String?
  package var destination: String?
  package var signature = ""
  package var body: [UInt8] = []
  /// How many descriptors it says to bring with it.
  package var descriptors: UInt32?

  package init(_ kind: Kind) { self.kind = kind }

  /// A signal of the bus itself.
  package init(signal member: String, _ signature: String, _ body: [UInt8]) {
    kind = .signal
    path = "/org/freedesktop/DBus"
    interface = "org.freedesktop.DBus"
    sender = "org.freedesktop.DBus"
    self.member = member
    self.signature = signature
    self.body = body
  }

  package var bytes: [UInt8] {
    var fields: [UInt8] = []
    func field(_ code: UInt8, _ type: Character, _ value: [UInt8]?) {
      guard let value, let type = type.asciiValue else { return }
      fields += [UInt8](repeating: 0, count: -fields.count & 7) + [code, 1, type, 0] + value
    }
    field(1, "o", path.map(Self.text))
    field(2, "s", interface.map(Self.text))
    field(3, "s", member.map(Self.text))
    field(4, "s", errorName.map(Self.text))
    field(5, "u", replySerial.map(Self.long))
    field(6, "s", destination.map(Self.text))
    field(7, "s", sender.map(Self.text))
    field(8, "g", [UInt8(truncatingIfNeeded: signature.utf8.count)] + Array(signature.utf8) + [0])
    field(9, "u", descriptors.map(Self.long))
    let head = [UInt8(ascii: "l"), kind.rawValue, 0, 1] + Self.long(UInt32(body.count)) + Self.long(serial)
    return head + Self.long(UInt32(fields.count)) + fields + [UInt8](repeating: 0, count: -fields.count & 7) + body
  }

  /// A number, as it stands at a multiple of four.
  package static func long(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  /// A text, as it stands at a multiple of four.
  package static func text(_ text: String) -> [UInt8] { long(UInt32(text.utf8.count)) + Array(text.utf8) + [0] }
}
