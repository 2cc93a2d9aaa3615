/// Why a call failed: the error of the answer, or of the connection.
package struct BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's name, as `org.freedesktop.DBus.Error.ServiceUnknown`.
  package var name: String
  package var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(name): \(message)" }

  /// There is no connection to the bus, or it was lost.
  package static let disconnected = BusFailure(
    name: "org.freedesktop.DBus.Error.Disconnected", message: "there is no connection to the bus")
  /// The answer did not come in time.
  package static let noReply = BusFailure(
    name: "org.freedesktop.DBus.Error.NoReply", message: "there was no answer in time")
  /// The answer cannot be read.
  package static let badAnswer = BusFailure(
    name: "org.freedesktop.DBus.Error.InconsistentMessage", message: "the answer has other types than it should have")
}
