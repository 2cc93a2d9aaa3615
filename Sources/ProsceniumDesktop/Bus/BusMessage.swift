/// A message that was received.
@MainActor struct BusMessage {
  enum Kind {
    case call
    case reply
    case error(BusFailure)
    case signal
  }

  var kind: Kind
  /// The sender's unique name; empty where the bus does not name it.
  var sender: String
  var member: BusMember
  /// The number of the call that it answers.
  var replyCookie: UInt64
  var body: BusBody
}

/// The values of a message, read when they are used first.
@MainActor package final class BusBody {
  private let read: () -> [BusValue]?
  /// Nil where they cannot be read: too many, too large, or damaged.
  package private(set) lazy var values = read()

  init(_ read: @escaping () -> [BusValue]?) { self.read = read }
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
}

/// A call that another program makes of this one.
@MainActor package struct BusRequest {
  /// The caller's unique name.
  package var sender: String
  package var member: BusMember
  let body: BusBody
  /// The arguments; nil where they cannot be read: too many, too large, or damaged.
  package var values: [BusValue]? { body.values }
}

/// The answer to a call of another program.
package enum BusAnswer {
  case success([BusValue])
  case failure(BusFailure)
  /// The function gets the reply, and answers with it when it can.
  case later(@MainActor (BusReply) -> Void)
}

/// A signal that matches a subscription.
package struct BusSignal {
  package var member: BusMember
  package var values: [BusValue]
}
