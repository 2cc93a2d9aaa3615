/// A class that is not a ``Responder`` and can be named where the framework makes the delegate: `@main`,
/// ``SceneConfiguration/delegateClass``, `ApplicationMain`.
public protocol DelegateInitializable: AnyObject {
  /// Called once, on the main thread, when the delegate is needed.
  init()
}

/// Has the method table of ``Responder``, with a required initialiser, which can be called through a class that is
/// known only at run time.
///
/// The places of a class's stored properties precede its methods in the table, so the twin stores as many as
/// ``Responder`` does: two. It is open, so that the optimiser assumes subclasses.
@MainActor open class ResponderTwin {
  final var activityHold: ActivityHold?
  final var isSceneDelegate = false

  /// Has the table entry of ``Responder``'s `init()`.
  public required init() {}
}

/// Has the method table of ``Scene``, with a required initialiser; see ``ResponderTwin``.
@MainActor open class SceneTwin: Responder {
  let storage: SceneStorage

  /// Has the table entry of ``Scene``'s initialiser.
  public required init(session: SceneSession, connectionOptions: Scene.ConnectionOptions) {
    storage = SceneStorage(session: session)
    super.init()
  }
}

/// Makes objects of classes that are known only at run time.
///
/// `Responder.init()` cannot be `required`, because then UIKit's usual `override init()` would not compile. A class
/// that lacks the initialiser traps with the Swift runtime's message, which names the class and the initialiser.
@MainActor package enum ClassInstantiation {
  /// Why an object could not be made.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// Make objects of other libraries' base classes; the first result other than nil counts.
  package static var makers: [(AnyClass) -> AnyObject?] = []

  /// Makes an object of a class that the program named.
  /// - Parameters:
  ///   - type: The class.
  ///   - role: The use of the class, for the error.
  /// - Returns: The object.
  /// - Throws: ``Failure`` where the class is neither a ``Responder`` nor ``DelegateInitializable``, nor has a maker.
  package static func make(_ type: AnyClass, role: String) throws(Failure) -> AnyObject {
    if let type = type as? Responder.Type {
      return unsafeBitCast(unsafeBitCast(type, to: ResponderTwin.Type.self).init(), to: Responder.self)
    }
    if let type = type as? any DelegateInitializable.Type { return type.init() }
    for make in makers { if let object = make(type) { return object } }
    throw Failure(
      description: "\(role): \(type) cannot be made from its class. Derive it from Responder, let it conform to "
        + "DelegateInitializable, or give the configuration a factory (delegate: \(type).init).")
  }

  static func makeScene(_ type: Scene.Type, session: SceneSession, options: Scene.ConnectionOptions) -> Scene {
    // The framework's own classes have a known initialiser.
    if type == WindowScene.self { return WindowScene(session: session, connectionOptions: options) }
    if type == Scene.self { return Scene(session: session, connectionOptions: options) }
    let twin = unsafeBitCast(type, to: SceneTwin.Type.self)
    return unsafeBitCast(twin.init(session: session, connectionOptions: options), to: Scene.self)
  }
}
