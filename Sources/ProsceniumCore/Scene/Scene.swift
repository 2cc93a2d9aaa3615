/// One running instance of the program's interface.
///
/// Scenes are made by the framework when a session connects; a subclass is named by
/// ``SceneConfiguration/sceneClass`` and overrides ``init(session:connectionOptions:)``.
@preconcurrency @MainActor open class Scene: Responder {
  /// The states of a scene.
  public typealias ActivationState = SceneLifecycle.ActivationState

  // The first member, so that `ClassInstantiation` finds it in the same place of every subclass' method table.
  /// Called by the framework when a session connects, before the delegate is made.
  /// - Parameters:
  ///   - session: The session that connects.
  ///   - connectionOptions: The options of the connection.
  public init(session: SceneSession, connectionOptions: ConnectionOptions) {
    storage = SceneStorage(session: session)
    super.init()
  }

  /// The durable identity of this scene.
  public var session: SceneSession { storage.session }

  /// The scene's delegate; held strongly, never wrapped, and the program may replace it.
  public var delegate: (any SceneDelegate)? {
    get { storage.delegate }
    set {
      assertMainThread()
      storage.delegate = newValue
    }
  }

  /// The state of the scene.
  ///
  /// Holds the old value in `will...` callbacks and the new one in `did...` callbacks.
  public internal(set) var activationState: ActivationState {
    get { storage.activationState }
    set {
      storage.activationState = newValue
      storage.states.yield(newValue)
    }
  }

  /// The reason why the scene is in the foreground but not active, or is about to become inactive: set in
  /// ``SceneLifecycleDelegate/sceneWillResignActive(_:)``; nil in every other state.
  public var inactiveReason: InactiveReason? {
    activationState >= .foregroundInactive ? record.flatMap { $0.machine.inactiveReason(at: $0.activation) } : nil
  }

  /// The reason why the scene was disconnected; nil until it is.
  public internal(set) var disconnectionReason: DisconnectionReason? {
    get { storage.disconnectionReason }
    set { storage.disconnectionReason = newValue }
  }

  /// The scene's name in taskbars and switchers; the title of its windows that have none of their own.
  public var title: String? {
    get { storage.title }
    set {
      assertMainThread()
      storage.title = newValue
      record?.titleChanged()
      record?.sessionChanged()
    }
  }

  /// Every state from now on, the present one first; ends with `.unattached` after the disconnection.
  ///
  /// No state is skipped. Each call gives a sequence of its own.
  public var activationStates: AsyncStream<ActivationState> { storage.states.stream(startingWith: activationState) }

  /// The scene delegate if that is a responder, else the application.
  open override var next: Responder? {
    if let delegate = delegate as? Responder { return delegate }
    return record?.conductor?.application
  }

  /// Which content the scene can be activated for, and which it prefers; stored with the session.
  public var activationConditions: SceneActivationConditions {
    get { session.activationConditions }
    set { session.activationConditions = newValue }
  }

  /// The framework's record of the scene; nil before it connects, after it has been disconnected, and when the program
  /// has ended.
  var record: SceneRecord? {
    get { storage.record }
    set { storage.record = newValue }
  }

  /// All that the scene stores, in one place: a twin of the class has as many stored properties as this one.
  let storage: SceneStorage

  /// Ends the sequences of states once the scene has been disconnected.
  func finishStates() { storage.states.finish() }
}

/// The stored properties of a scene.
@MainActor final class SceneStorage {
  let session: SceneSession
  var delegate: (any SceneDelegate)? { didSet { (delegate as? Responder)?.isSceneDelegate = true } }
  var activationState = ActivationState.unattached
  var disconnectionReason: DisconnectionReason?
  var title: String?
  var record: SceneRecord?
  let states = StateBroadcast<ActivationState>()

  init(session: SceneSession) { self.session = session }
}

/// The reason why a scene was disconnected.
public enum DisconnectionReason: String, Hashable, Sendable, CaseIterable {
  /// The user closed the window; the session is discarded.
  case closedByUser
  /// The framework freed its resources; the session stays.
  case reclaimed
  /// The program requested it: the session stays after a disconnection, and is discarded by a destruction.
  case requested
  /// The program ends; the session stays.
  case applicationExit
  /// Another client destroyed the window; the session stays.
  case windowLost
  /// The external display that the scene was for is gone, or has become the main screen; the session stays, and waits
  /// for another one.
  case displayDisconnected
}
