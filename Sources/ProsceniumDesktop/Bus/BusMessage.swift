import CSystem

/// A message that was received.
@MainActor package final class BusMessage {
  enum Kind {
    case call
    case reply
    case error(BusFailure)
    case signal
  }

  let kind: Kind
  /// The sender's unique name; empty where the bus does not name it.
  package let sender: String
  package let member: BusMember
  /// The number of the call that it answers.
  let replyCookie: UInt64
  /// The values, read when they are used first; nil where they cannot be read: too many, too large, or damaged.
  package private(set) lazy var values = BusReader.values(of: message, library)
  /// The values of a message whose arrays of bytes are secrets, which are wiped in it; read once.
  func takeSecretValues() -> [BusValue]? { BusReader.values(of: message, library, hasSecrets: true) }

  /// The library's message, which outlasts its handler with this object.
  let message: OpaquePointer
  private let library: sd_bus_library

  init(_ library: sd_bus_library, _ message: OpaquePointer) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    var type: UInt8 = 0
    var cookie: UInt64 = 0
    _ = library.sd_bus_message_get_type(message, &type)
    _ = library.sd_bus_message_get_reply_cookie(message, &cookie)
    kind =
      switch Int32(type) {
      case SD_BUS_MESSAGE_METHOD_CALL: .call
      case SD_BUS_MESSAGE_METHOD_RETURN: .reply
      case SD_BUS_MESSAGE_METHOD_ERROR:
        .error(
          library.sd_bus_message_get_error(message).map {
            BusFailure(name: text($0.pointee.name), message: text($0.pointee.message))
          } ?? .badAnswer)
      case _: .signal
      }
    sender = text(library.sd_bus_message_get_sender(message))
    member = BusMember(
      path: text(library.sd_bus_message_get_path(message)),
      interface: text(library.sd_bus_message_get_interface(message)),
      name: text(library.sd_bus_message_get_member(message)))
    replyCookie = cookie
    self.message = message
    self.library = library
    _ = library.sd_bus_message_ref(message)
  }

  isolated deinit { _ = library.sd_bus_message_unref(message) }
}

/// The reply to a call, given once and at any time.
///
/// A call whose reply is released without an answer is answered with an error.
@MainActor package final class BusReply {
  private let send: (Result<[BusValue], BusFailure>) -> Void
  private var isGiven = false

  init(_ send: @escaping (Result<[BusValue], BusFailure>) -> Void) { self.send = send }

  isolated deinit { give(.failure(.noReply)) }

  package func give(_ result: Result<[BusValue], BusFailure>) {
    guard !isGiven else { return }
    isGiven = true
    send(result)
  }

  /// Answers with an error of the D-Bus Specification.
  func refuse(_ name: String, _ message: String) { give(.failure(.standard(name, message))) }
}

/// Gives the reply to a call of another program, at once or later.
package typealias BusAnswer = @MainActor (BusReply) -> Void

/// A signal that matches a subscription.
package struct BusSignal {
  package var member: BusMember
  package var values: [BusValue]
}
