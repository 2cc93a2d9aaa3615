package import FoundationEssentials

/// What a distributor of pushed notifications tells the program (UnifiedPush, "D-Bus").
package enum PushEvent: Hashable, Sendable {
  /// The program is reached at this address from now on.
  case endpoint(URL)
  /// A message of the program's server.
  case message(Data)
  /// The program is not reached any more.
  case unregistered

  /// What the trace calls it.
  package var name: String {
    switch self {
    case .endpoint: "endpoint"
    case .message: "message"
    case .unregistered: "unregistered"
    }
  }
}

/// The program's registration with a distributor, which outlasts the process: the bus starts the program for a message.
package struct PushRegistration: Hashable, Sendable {
  /// The secret that the distributor's calls have to have.
  package var token: String
  /// The distributor's name on the bus.
  package var distributor: String

  /// The distributor that the user has chosen in the program, which may be away; nil for none.
  package var chosen: String?

  package init(token: String, distributor: String, chosen: String? = nil) {
    (self.token, self.distributor, self.chosen) = (token, distributor, chosen)
  }
}

/// Keeps the program's registration for its next run.
@MainActor package protocol PushRegistrationStore {
  /// The registration that is kept; nil where none is.
  /// - Throws: Why it cannot be read, which may be so for a moment.
  func read() throws -> PushRegistration?

  /// Keeps a registration in place of an earlier one; nil for none.
  ///
  /// Where that is not possible it counts in this run alone.
  func keep(_ registration: PushRegistration?)
}

/// Registers the program with the user's distributor of pushed notifications.
///
/// What that tells is posted as a request with an ``IncomingRequest/push``.
@MainActor package protocol PushService: AnyObject {
  /// Whether the program is registered, or a distributor is asked for it: the program has not ended that.
  var isRegistered: Bool { get }

  /// Registers the program, again whenever the distributor is started anew.
  /// - Parameters:
  ///   - key: The public key of the program's server (VAPID), for distributors that ask for it; nil for none.
  ///   - distributor: The distributor that the program has chosen; nil for the first one of ``listDistributors(_:)``.
  ///   - completion: Called later, once, with why it is not registered; nil where it is: an endpoint follows.
  func register(key: String?, distributor: String?, completion: @escaping @MainActor (DesktopFailure?) -> Void)

  /// Asks for the distributors that are there, the one first that is registered with where the program has no choice.
  func listDistributors(_ completion: @escaping @MainActor ([String]) -> Void)

  /// Ends the registration; nothing is told of it, but one that is still asked for fails.
  func unregister()
}
