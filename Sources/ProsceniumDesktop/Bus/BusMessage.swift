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
