public import SceneLifecycle

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
  ///   - connectionOptions: Why and with what it connects.
  public init(session: SceneSession, connectionOptions: ConnectionOptions) {
    storage = SceneStorage(session: session)
    super.init()
  }

  /// The durable identity of this scene.
  public var session: SceneSession { storage.session }

  /// The scene's delegate; held strongly, never wrapped, and the program may replace it.
  public var delegate: (any SceneDelegate)? {
    get { storage.delegate }
    set { storage.delegate = newValue }
  }

  /// Where the scene stands.
  ///
  /// Holds the old value in `will...` callbacks and the new one in `did...` callbacks.
  public internal(set) var activationState: ActivationState {
    get { storage.activationState }
    set {
      storage.activationState = newValue
      storage.states.yield(newValue)
    }
  }

  /// Why the scene is in the foreground but not active, or is not active any more in a moment: known in
  /// ``SceneDelegate/sceneWillResignActive(_:)``; nil in every other state.
  public var inactiveReason: InactiveReason? {
    activationState >= .foregroundInactive ? record.flatMap { $0.machine.inactiveReason(at: $0.activation) } : nil
  }

  /// Why the scene was disconnected; nil until it is.
  public internal(set) var disconnectionReason: DisconnectionReason? {
    get { storage.disconnectionReason }
    set { storage.disconnectionReason = newValue }
  }

  /// What taskbars and switchers call the scene; the title of its primary window where that has none of its own.
  public var title: String? {
    get { storage.title }
    set {
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
    return record?.stage?.application
  }

  /// Keeps the scene from being active: it hears no key, pointer or touch until ``endInterruption()``.
  ///
  /// For something that must have the user's whole attention. May be nested. An own alert or panel is a window of
  /// its scene, and no interruption.
  public func beginInterruption() { record?.interrupt(by: 1) }

  /// Ends what ``beginInterruption()`` began.
  ///
  /// Does nothing without one.
  public func endInterruption() { record?.interrupt(by: -1) }

  /// Which content the scene can be activated for, and which it prefers; kept with the session.
  public var activationConditions: SceneActivationConditions {
    get { session.activationConditions }
    set { session.activationConditions = newValue }
  }

  /// Says that what ``SceneDelegate/stateRestorationActivity(for:)`` would answer has changed (AppKit's name).
  ///
  /// The delegate is asked within a second, at most once a second, and the answer is saved. May be called at any time;
  /// does nothing while the scene is not connected.
  public func invalidateRestorableState() { record?.stateChanged() }

  /// Keeps the scene out of sight while its state is being brought back.
  ///
  /// Call it in `scene(_:willConnectTo:options:)` or `scene(_:restoreInteractionStateWith:)`, and
  /// ``completeStateRestoration()`` when the content is there: only then are the windows shown, and the scene comes to
  /// the foreground. For short local work only: after five seconds the scene is shown as it is, and an error is logged.
  /// May be nested. Does nothing once the scene has been in the foreground, or is on its way there. Until it is completed
  /// the scene is not asked for its state: what was saved before stays, whatever ends the program meanwhile.
  public func extendStateRestoration() { record?.extendRestoration(limit: Stage.restorationLimit) }

  /// Ends what ``extendStateRestoration()`` began.
  ///
  /// Does nothing without one.
  public func completeStateRestoration() { record?.completeRestoration() }

  /// Answers a ``SceneDelegate/sceneShouldClose(_:)`` that said `.later`.
  ///
  /// Does nothing if nothing is asked.
  /// - Parameter closes: Whether the scene closes.
  public func reply(toShouldClose closes: Bool) {
    guard let record else { return }
    record.stage?.post(.closeReply(record, closes))
  }

  /// What the framework keeps about the scene; nil before it connects and after it has been disconnected.
  var record: SceneRecord? {
    get { storage.record }
    set { storage.record = newValue }
  }

  /// All that the scene stores, in one place: a twin of the class has as many stored properties as this one.
  let storage: SceneStorage

  /// Ends the sequences of states once the scene has been disconnected.
  func finishStates() { storage.states.finish() }
}

// Not in the class itself: subclasses have no need to override it, and its type is spelt differently in their tables.
extension Scene {
  /// Brings the scene's state back in a task, and shows the scene when the task is done or its time is over.
  ///
  /// The asynchronous form of ``extendStateRestoration()`` and ``completeStateRestoration()``, to be called where they
  /// are. When the time is over the task is cancelled and the scene is shown as it is.
  /// - Parameters:
  ///   - limit: How long the task may take.
  ///   - operation: Brings the content back; runs on the main thread.
  public func extendStateRestoration(
    limit: Duration, operation: @escaping @MainActor @Sendable () async -> Void
  ) {
    guard let record, record.extendRestoration(limit: limit) else { return }
    let task = Task { @MainActor in
      await operation()
      // Cancelled when its time is over or its scene is gone: what there is to complete then is somebody else's.
      if !Task.isCancelled { record.completeRestoration() }
    }
    record.restorationTasks.append(task)
  }
}

/// What a scene stores.
@MainActor final class SceneStorage {
  let session: SceneSession
  var delegate: (any SceneDelegate)?
  var activationState = ActivationState.unattached
  var disconnectionReason: DisconnectionReason?
  var title: String?
  weak var record: SceneRecord?
  let states = StateBroadcast<ActivationState>()
  let caches = PurgeableList()

  init(session: SceneSession) { self.session = session }
}

/// Why a scene was disconnected.
public enum DisconnectionReason: String, Hashable, Sendable, CaseIterable {
  /// The user closed the window; the session is discarded.
  case closedByUser
  /// The framework wanted the resources back; the session stays.
  case reclaimed
  /// The program asked for it: the session stays after a disconnection, and is discarded by a destruction.
  case requested
  /// The program ends; the session stays.
  case applicationExit
  /// Another client destroyed the window; the session stays.
  case windowLost
  /// The external display that the scene was for is gone, or has become the main screen; the session stays, and waits for
  /// another one.
  case displayDisconnected
}
