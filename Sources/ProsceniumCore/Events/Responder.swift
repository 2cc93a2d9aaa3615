/// The base of everything that can hear of events: the application, scenes, windows, and delegates that want to.
///
/// Events that a responder does not handle go to its ``next``: window, scene, scene delegate, application,
/// application delegate; delegates only if they are responders. Subclasses that are named as a class (`@main`,
/// ``SceneConfiguration/delegateClass``) need an `init()` without arguments, written out or inherited.
@preconcurrency @MainActor open class Responder {
  // The first member, so that `ClassInstantiation` finds it in the same place of every subclass' method table.
  /// A responder that is in no chain yet.
  public init() {}

  /// The next responder in the chain; nil at its end.
  open var next: Responder? { nil }

  /// Handles an event, or says false so that the next responder is asked.
  ///
  /// Called on the main thread for every event that reaches the responder, after the batch's life-cycle
  /// callbacks. The default handles nothing.
  /// - Parameter event: What happened.
  /// - Returns: Whether the event has been handled and goes no further.
  open func handle(_ event: Event) -> Bool { false }
}
