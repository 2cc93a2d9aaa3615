/// The result of an optional delegate method that a delegate does not implement.
///
/// The framework has to know, without calling it, whether a delegate implements ``ApplicationDelegate``'s
/// `application(_:configurationForConnecting:options:)` or ``SceneDelegate``'s `sceneShouldClose(_:)`: the
/// return type of the method is an associated type, which is this type by default.
/// Known limit: a method that a subclass adds to a base class that conforms already is not found; conform in
/// the class that implements it.
public struct NotImplemented: Sendable {
  package init() {}
}
