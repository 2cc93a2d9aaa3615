/// Whom a message is for, and what it asks or says.
package struct BusMember: Hashable, Sendable {
  package var path: String
  package var interface: String
  package var name: String

  package init(path: String, interface: String, name: String) {
    self.path = path
    self.interface = interface
    self.name = name
  }
}

/// A message that has come in.
@MainActor struct BusMessage {
  enum Kind {
    case call
    case reply
    case error(BusFailure)
    case signal
  }

  var kind: Kind
  /// The sender's unique name; empty where the bus does not say.
  var sender: String
  var member: BusMember
  /// Which of our calls it answers.
  var replyCookie: UInt64
  var body: BusBody
}

/// What a message says, read when somebody who may know it wants to.
@MainActor package final class BusBody {
  private let read: () -> [BusValue]?
  /// Nil where they cannot be read: too many, too large, or damaged.
  package private(set) lazy var values = read()

  init(_ read: @escaping () -> [BusValue]?) { self.read = read }
}

/// Why a call was not answered with what it asked for.
package struct BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's name, as `org.freedesktop.DBus.Error.ServiceUnknown`.
  package var name: String
  package var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(name): \(message)" }

  /// There is no bus, or it has gone.
  package static let disconnected = BusFailure(
    name: "org.freedesktop.DBus.Error.Disconnected", message: "there is no connection to the bus")
  /// Nobody has answered in time.
  package static let noReply = BusFailure(
    name: "org.freedesktop.DBus.Error.NoReply", message: "there was no answer in time")
  /// The answer was none that can be used.
  package static let badAnswer = BusFailure(
    name: "org.freedesktop.DBus.Error.InconsistentMessage", message: "the answer has other types than it should have")
}
