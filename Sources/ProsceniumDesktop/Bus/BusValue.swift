package import ProsceniumLoop

/// A value in a message, of any type of D-Bus (D-Bus Specification, "Type System").
package enum BusValue: Hashable, Sendable {
  case bool(Bool)
  /// A whole number, of the type with this code of ``wholeTypes``.
  case whole(Int128, code: Character)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// A file descriptor.
  case descriptor(BusDescriptor)
  /// An array of bytes that is wiped when it is not used any more.
  case secret(SecretBytes)
  /// Values of one signature.
  case array(of: String, [BusValue])
  /// Pairs of a key and a value, of these signatures.
  case dictionary(key: String, value: String, [BusValue: BusValue])
  case structure([BusValue])
  indirect case variant(BusValue)

  /// The types of whole numbers, by their codes.
  static let wholeTypes: [Character: any (FixedWidthInteger & Sendable).Type] = [
    "y": UInt8.self, "n": Int16.self, "q": UInt16.self, "i": Int32.self, "u": UInt32.self, "x": Int64.self,
    "t": UInt64.self,
  ]

  package static func uint32(_ number: UInt32) -> BusValue { .whole(Int128(number), code: "u") }

  /// The signature of the value's type.
  package var signature: String {
    switch self {
    case .bool: "b"
    case .whole(_, let code): String(code)
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .secret: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{\(key)\(value)}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }

  /// A dictionary of texts and variants, as properties and options are sent.
  package static func options(_ pairs: [String: BusValue]) -> BusValue {
    .dictionary(
      key: "s", value: "v",
      Dictionary(uniqueKeysWithValues: pairs.map { (.string($0.key), .variant($0.value)) }))
  }

  /// The value, without the variants around it.
  package var plain: BusValue { if case .variant(let value) = self { value.plain } else { self } }

  /// The boolean; nil for another type.
  package var bool: Bool? { if case .bool(let value) = plain { value } else { nil } }

  /// A text, a path or a signature; nil for another type.
  package var text: String? {
    switch plain {
    case .string(let text), .objectPath(let text), .signature(let text): text
    case _: nil
    }
  }

  /// The secret; nil for another type.
  package var secret: SecretBytes? { if case .secret(let bytes) = plain { bytes } else { nil } }

  /// A whole number; nil for another type, and for one that `Int` does not have.
  package var integer: Int? { if case .whole(let number, _) = plain { Int(exactly: number) } else { nil } }

  /// The elements of an array; nil for another type.
  package var elements: [BusValue]? { if case .array(_, let values) = plain { values } else { nil } }

  /// The fields of a structure; nil for another type.
  package var fields: [BusValue]? { if case .structure(let values) = plain { values } else { nil } }

  /// A dictionary with text keys; nil for another type.
  package var properties: [String: BusValue]? {
    guard case .dictionary(_, _, let pairs) = plain else { return nil }
    var properties: [String: BusValue] = [:]
    for (key, value) in pairs { if let name = key.text { properties[name] = value.plain } }
    return properties
  }
}

/// A file descriptor in a message; equal to itself alone.
package final class BusDescriptor: Hashable, Sendable {
  package let descriptor: Descriptor

  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  package static func == (lhs: BusDescriptor, rhs: BusDescriptor) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Why a call failed: the error of the answer, or of the connection.
package struct BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's name, as `org.freedesktop.DBus.Error.ServiceUnknown`.
  package var name: String
  package var message: String

  package var description: String { message.isEmpty ? name : "\(name): \(message)" }

  /// There is no connection to the bus, or it was lost.
  package static let disconnected = standard("Disconnected", "there is no connection to the bus")
  /// The answer did not come in time.
  package static let noReply = standard("NoReply", "there was no answer in time")
  /// The answer cannot be read.
  package static let badAnswer = standard("InconsistentMessage", "the answer has other types than it should have")

  /// An error of the D-Bus Specification.
  package static func standard(_ name: String, _ message: String) -> BusFailure {
    BusFailure(name: "\(BusDaemon.name).Error.\(name)", message: message)
  }
}

/// A method or signal of an object.
package struct BusMember: Hashable, Sendable {
  /// The object.
  package var path: String
  package var interface: String
  package var name: String
}
