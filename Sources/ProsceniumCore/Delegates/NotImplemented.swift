/// What an optional delegate method returns where a delegate does not implement it.
///
/// The framework has to know, without calling it, whether a delegate answers ``ApplicationDelegate``'s
/// `application(_:configurationForConnecting:options:)` or ``SceneDelegate``'s `sceneShouldClose(_:)`: the
/// return type of the method is an associated type, which is this type unless the delegate says otherwise.
/// A subclass of a class that conforms overrides the method; it cannot add it. A class whose subclasses may do without it
/// declares the method, and answers `implements(_:)` for each of them.
public struct NotImplemented: Sendable {
  package init() {}
}
