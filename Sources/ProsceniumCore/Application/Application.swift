import ProsceniumLoop
package import ProsceniumTrace
import Synchronization

/// The program: its state, its scenes and sessions, and the first receiver of each event.
///
/// There is one, made by `@main` on the application delegate or by `ApplicationMain`; a subclass can be named there.
@preconcurrency @MainActor open class Application: Responder {
  /// The states of the program.
  public typealias State = ApplicationState

  /// The application, made on first use; from any thread.
  public nonisolated static var shared: Application {
    theOne.withLock { existing in
      if let existing { return existing }
      // Only stores values, which no other thread has yet.
      let make: @MainActor () -> Application = { Application() }
      let application = unsafeBitCast(make, to: (() -> Application).self)()
      existing = application
      return application
    }
  }

  /// The application; nil before it has been made.
  public package(set) static var sharedIfLaunched: Application? {
    get { existing }
    set { theOne.withLock { $0 = newValue } }
  }

  private nonisolated static let theOne = Mutex<Application?>(nil)
  /// An isolated closure would check its thread at each event.
  private nonisolated static var existing: Application? { theOne.withLock { $0 } }

  /// Called by the framework; a subclass overrides it to set itself up.
  public override init() { super.init() }

  /// The application's delegate; held strongly.
  ///
  /// May be replaced while the program runs: the next callback is the new delegate's. The manifest and the life-cycle
  /// model stay those of the launch.
  public var delegate: (any ApplicationDelegate)? { didSet { assertMainThread() } }

  /// The program's manifest, with the values that a file beside the program replaces; the delegate's from launch on.
  public package(set) var resolvedManifest = ApplicationManifest() { didSet { assertMainThread() } }

  /// The application's id; see ``ApplicationManifest/applicationIdentifier``.
  public var identifier: String { conductor?.identity.id ?? ProgramName.own }

  /// The state of the most active connected scene.
  ///
  /// Holds the old value in `will...` callbacks and the new one in `did...` callbacks.
  ///
  /// While the two launch callbacks run it is `.inactive` if a scene is going to be shown, else `.background`.
  public internal(set) var applicationState = State.background {
    didSet {
      if oldValue != applicationState { states.yield(applicationState) }
      conductor?.announce(.applicationStateSet)
    }
  }

  /// Every state from now on, the present one first.
  ///
  /// Each call gives a sequence of its own.
  public var applicationStates: AsyncStream<State> { states.stream(startingWith: applicationState) }

  /// The scenes that are connected: from `willConnectTo` to just before `sceneDidDisconnect`.
  public var connectedScenes: Set<Scene> { Set(orderedScenes) }

  /// The connected scenes, the oldest session first.
  package var orderedScenes: [Scene] { conductor?.roster.ordered.compactMap { $0.isListed ? $0.scene : nil } ?? [] }

  /// Every session that has not been discarded, connected or not.
  public var openSessions: Set<SceneSession> { Set(conductor?.roster.ordered.map(\.session) ?? []) }

  /// Connected scenes, the most recently active first.
  public var scenesByActivity: [Scene] {
    let listed = conductor?.roster.ordered.filter(\.isListed) ?? []
    return listed.sorted { ($0.lastActive, $0.number) > ($1.lastActive, $1.number) }.compactMap(\.scene)
  }

  /// Whether more than one scene may be open.
  public var supportsMultipleScenes: Bool {
    conductor?.machine.model == .sceneBased && resolvedManifest.supportsMultipleScenes
  }

  /// How long falling facts are held; the defaults are measured, see ``HoldTimes``.
  public var holdTimes = HoldTimes() { didSet { assertMainThread() } }

  /// Whether protected data may be open: false from a moment after the screen has been locked until the user is back.
  ///
  /// See ``ApplicationLifecycleDelegate/applicationProtectedDataWillBecomeUnavailable(_:)``. True unless a source
  /// reports a lock.
  public nonisolated var isProtectedDataAvailable: Bool { protectedData.withLock { $0 } }

  /// Delivers each event to its window or the menus; override to observe events, and call `super` to deliver them.
  /// - Parameter event: The event.
  open func sendEvent(_ event: Event) {
    if let conductor { conductor.deliver(event) } else { event.window?.sendEvent(event) }
  }

  /// Sends an action to a target.
  ///
  /// A target that is given is not asked. Without one the first performs it that can: along the chain of the first
  /// responder in the sender's window, then along the sender's; along the key window's where it is no responder.
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The target; the responder chain where nil.
  ///   - sender: The sender.
  ///   - event: The event that caused the action.
  /// - Returns: Whether a target performed it; false for a target that is not of the action's class.
  @discardableResult
  open func sendAction(_ action: Action, to target: Responder?, from sender: AnyObject?, for event: Event? = nil)
    -> Bool
  {
    if let sender = sender as? Responder { return action.send(to: target, from: sender, for: event) }
    let scene = scenesByActivity.first { $0.activationState >= .foregroundInactive } as? WindowScene
    let window = event?.window ?? scene?.keyWindow ?? scene?.windows.first
    return action.send(to: target, from: sender, along: window?.firstResponder ?? window ?? self, for: event)
  }

  /// Writes an error to standard error, for toolkits and libraries that are built on the framework.
  ///
  /// In the program's callbacks also to the trace. May be called on any thread. A line that no reader takes is lost.
  /// - Parameter message: The error and the remedy, as a sentence.
  nonisolated public static func report(_ message: String) { ErrorReport.write(message) }

  /// The application delegate if that is a responder; nil where that is the application itself.
  open override var next: Responder? { delegate === self ? nil : delegate as? Responder }

  // MARK: The framework's side

  package private(set) var conductor: Conductor?
  /// The program's host.
  package var host = ApplicationHost()
  /// The configurations of scenes, once the delegate is known.
  var registry: SceneConfigurationRegistry?
  private nonisolated let values = ApplicationValues()
  nonisolated let backgroundTasks = BackgroundTaskTable()
  nonisolated let protectedData = Mutex(true)
  nonisolated let desktopLink = Mutex<(any DesktopLink)?>(nil)
  private let states = StateBroadcast<State>()

  /// A value that a feature stores with the application.
  nonisolated func value<Key: ValueKey>(_ key: Key.Type) -> Key.Value { values.value(key) }

  func setValue<Key: ValueKey>(_ value: Key.Value, _ key: Key.Type) {
    assertMainThread()
    values.set(value, key)
  }

  /// Gives the application its platform, and makes it the shared one.
  package func attach(platform: any Platform, trace: TraceRecorder = .off, host: ApplicationHost = ApplicationHost()) {
    Application.sharedIfLaunched = self
    self.host = host
    backgroundTasks.attach(platform)
    conductor = Conductor(application: self, platform: platform, trace: trace)
  }

  /// Opens URLs in other applications, and reaches other instances; nil where nothing does.
  package var desktop: (any DesktopLink)? {
    get { desktopLink.withLock { $0 } }
    set { desktopLink.withLock { $0 = newValue } }
  }

  /// Launches the program and runs it to its end; returns its exit status.
  package func run(delegate: any ApplicationDelegate, arguments: [String]) -> Int32 {
    conductor?.feature(Launch.self)?.run(delegate: delegate, arguments: arguments) ?? 1
  }
}

extension Scene: nonisolated Hashable {
  /// Whether both are the same scene.
  public nonisolated static func == (lhs: Scene, rhs: Scene) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
