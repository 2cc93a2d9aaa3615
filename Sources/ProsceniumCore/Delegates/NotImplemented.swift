/// What an optional delegate method returns where a delegate does not implement it.
///
/// The framework has to know, without calling it, whether a delegate answers ``ApplicationDelegate``'s
/// `application(_:configurationForConnecting:options:)` or ``SceneDelegate``'s `sceneShouldClose(_:)`: the
/// return type of the method is an associated type, which is this type unless the delegate says otherwise.
/// Known limit: a subclass that adds the method to a base class that conforms already is not seen; conform in
/// the class that implements.
public struct NotImplemented: Sendable {
  package init() {}
}
