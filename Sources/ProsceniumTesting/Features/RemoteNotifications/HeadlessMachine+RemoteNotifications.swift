public import FoundationEssentials
import ProsceniumPlatform

/// The user's distributor of pushed notifications.
extension HeadlessMachine {
  /// The address that the distributor gives the program; nil, as at first, where the user has no distributor.
  ///
  /// Another one is told to a program that is registered; none ends its registration.
  public var pushEndpoint: URL? {
    get { parts.push.endpoint }
    set {
      parts.push.endpoint = newValue
      guard parts.push.isRegistered else { return }
      if newValue == nil { parts.push.unregister() }
      parts.push.tell(newValue.map { .endpoint($0) } ?? .unregistered)
    }
  }

  /// Whether the program is registered.
  public var isRegisteredForRemoteNotifications: Bool { parts.push.isRegistered }

  /// The key that the program has registered with; nil for none.
  public var applicationServerKey: String? { parts.push.key }

  /// The program's server pushes a message, which is lost where the program is not registered.
  ///
  /// The program has to run.
  /// - Parameter message: The message.
  public func push(_ message: Data) { parts.push.tell(.message(message)) }
}
