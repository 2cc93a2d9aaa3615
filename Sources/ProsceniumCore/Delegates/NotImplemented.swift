/// The result of an optional delegate method that a delegate does not implement.
///
/// The framework has to know, without calling it, whether a delegate implements ``ApplicationDelegate``'s
/// `application(_:configurationForConnecting:options:)`, ``SceneDelegate``'s `sceneShouldClose(_:)` or the
/// `tableView(_:heightForRowAt:)` of a table's delegate: the return type of the method is an associated type, which is
/// this type by default.
/// Known limit: a method that a subclass adds to a base class that conforms already is not found; declare it in the
/// class that conforms, and override it.
public struct NotImplemented: Sendable {
  /// The result of a default; a program has no use for it.
  public init() {}

  /// What to report where `implements(_:)` has answered true for a method that the framework does not find.
  /// - Parameters:
  ///   - method: The method.
  ///   - delegate: The delegate that lacks it.
  ///   - consequence: What happens instead.
  /// - Returns: The message.
  static func report(_ method: String, of delegate: AnyObject, _ consequence: String) -> String {
    "implements(_:) of \(type(of: delegate)) is true for \(method), which its class that conforms does not have: "
      + "\(consequence). Declare \(method) in the class that conforms; a subclass overrides it there."
  }
}

// What the methods may return: an answer of another type, such as AppKit's `Bool`, is no implementation then, and the
// compiler warns of a method that nearly matches. It would be called, and its answer ignored.

/// A ``SceneCloseReply``, or ``NotImplemented``.
public protocol OptionalCloseReply {}
/// A ``UserActivity``, optional or not, or ``NotImplemented``.
public protocol OptionalRestorationActivity {}
/// A ``SceneConfiguration``, or ``NotImplemented``.
public protocol OptionalConnectingConfiguration {}

extension NotImplemented: OptionalCloseReply, OptionalRestorationActivity, OptionalConnectingConfiguration {}
extension SceneCloseReply: OptionalCloseReply {}
extension UserActivity: OptionalRestorationActivity {}
extension Optional: OptionalRestorationActivity where Wrapped: UserActivity {}
extension SceneConfiguration: OptionalConnectingConfiguration {}
