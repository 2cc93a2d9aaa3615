import FoundationEssentials
private import Glibc
import ProsceniumLoop
package import ProsceniumStore
package import ProsceniumTrace
public import SceneLifecycle
import Synchronization

/// The program: its state, its scenes and sessions, and the first to see each event.
///
/// There is one, made by `@main` on the application delegate or by `ApplicationMain`; a subclass can be named there.
@preconcurrency @MainActor open class Application: Responder {
  /// The states of the program.
  public typealias State = ApplicationState

  /// The application; made on first use.
  public static var shared: Application {
    if let sharedIfLaunched { return sharedIfLaunched }
    let application = Application()
    sharedIfLaunched = application
    return application
  }

  /// The application if it has been made.
  package internal(set) static var sharedIfLaunched: Application?

  /// Called by the framework; a subclass overrides it to set itself up.
  public override init() { super.init() }

  /// The application's delegate; held strongly.
  public internal(set) var delegate: (any ApplicationDelegate)?

  /// The application's id; see ``ApplicationDelegate/applicationIdentifier``.
  public var identifier: String { stage?.identity.id ?? Application.programName }

  /// The state of the most active connected scene.
  ///
  /// Holds the old value in `will...` callbacks and the new one in `did...` callbacks.
  ///
  /// While the two launch callbacks run it is `.inactive` if a scene is going to be shown, else `.background`.
  public internal(set) var applicationState = State.background {
    didSet {
      if oldValue != applicationState { states.yield(applicationState) }
      stage?.applicationStateChanged()
    }
  }

  /// Every state from now on, the present one first.
  ///
  /// Each call gives a sequence of its own.
  public var applicationStates: AsyncStream<State> { states.stream(startingWith: applicationState) }

  /// The scenes that are connected: from `willConnectTo` to just before `sceneDidDisconnect`.
  public var connectedScenes: Set<Scene> { Set(orderedScenes) }

  /// The same, the oldest session first.
  package var orderedScenes: [Scene] { stage?.records.ordered.compactMap { $0.isListed ? $0.scene : nil } ?? [] }

  /// Every session that has not been discarded, connected or not.
  public var openSessions: Set<SceneSession> { Set(stage?.records.ordered.map(\.session) ?? []) }

  /// Connected scenes, the most recently active first.
  public var scenesByActivity: [Scene] {
    let listed = stage?.records.ordered.filter(\.isListed) ?? []
    return listed.sorted { ($0.lastActive, $0.number) > ($1.lastActive, $1.number) }.compactMap(\.scene)
  }

  /// Whether more than one scene may be open.
  public var supportsMultipleScenes: Bool {
    guard stage?.law.model == .sceneBased, let delegate else { return false }
    // What an application that is its own delegate says is what it asks here.
    return delegate === self || delegate.supportsMultipleScenes
  }

  /// How the user wants programs to look; light and nothing else until somebody says otherwise.
  ///
  /// Told by `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` and ``TraitCollectionDidChangeMessage``.
  public internal(set) var traitCollection = TraitCollection()
  /// Whether carets blink.
  package internal(set) var caretBlinks = true
  /// The region, where somebody says it.
  var chosenRegion: String?

  /// The screens, the primary one first.
  public internal(set) var screens: [Screen] = []

  /// How long falling facts are held; the defaults are measured, see ``HoldTimes``.
  ///
  /// Zero in benchmarks.
  public var holdTimes: HoldTimes {
    get { choices.holdTimes }
    set { choices.holdTimes = newValue }
  }

  /// Which scenes in the background are disconnected so that their memory comes back; see ``ReclaimPolicy``.
  ///
  /// May be set at any time; what it asks for happens after the present callback has returned, and after the launch.
  public var reclaimPolicy: ReclaimPolicy {
    get { choices.reclaimPolicy }
    set {
      guard choices.reclaimPolicy != newValue else { return }
      choices.reclaimPolicy = newValue
      stage?.post(.reclaim)
    }
  }

  /// Open while the program runs, closed while it is suspended: work on other threads can wait at it.
  ///
  /// The same one for as long as the application lives. See ``SuspensionPolicy/whenAllInBackground``.
  public nonisolated let executionGate = ExecutionGate()

  /// Whether the user may be assumed to be at the machine: false from a moment after the screen has been locked until the
  /// user is back.
  ///
  /// See ``ApplicationDelegate/applicationProtectedDataWillBecomeUnavailable(_:)``. True where nothing says otherwise.
  public nonisolated var isProtectedDataAvailable: Bool { protectedData.withLock { $0 } }

  /// Asks for a new scene, or for one that exists to be brought forward.
  ///
  /// May be called anywhere on the main thread; what it causes happens after the present callback has returned. On
  /// X11 the state changes only when the window manager shows and focuses the window, which it may refuse.
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - errorHandler: Called later, on the main thread, only on failure; without one the failure is written to
  ///     standard error.
  public func activateSceneSession(
    for request: SceneSessionActivationRequest, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.activation(request, errorHandler), errorHandler)
  }

  /// Asks for a session to be brought forward, or for a new scene where it is nil.
  /// - Parameters:
  ///   - session: The session; nil for a new scene.
  ///   - userActivity: What the scene is to go on with.
  ///   - errorHandler: Called later, on the main thread, only on failure.
  public func requestSceneSessionActivation(
    _ session: SceneSession?, userActivity: UserActivity?, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    let request =
      session.map { SceneSessionActivationRequest(session: $0, userActivity: userActivity) }
      ?? SceneSessionActivationRequest(userActivity: userActivity)
    activateSceneSession(for: request, errorHandler: errorHandler)
  }

  /// Asks for a session to be discarded, its scene disconnected first.
  ///
  /// The scene's delegate is not asked. What follows when it was the last one is what follows a close.
  /// - Parameters:
  ///   - session: The session.
  ///   - options: What the destruction means to the user.
  ///   - errorHandler: Called later, on the main thread, only on failure.
  public func requestSceneSessionDestruction(
    _ session: SceneSession, options: SceneDestructionRequestOptions? = nil,
    errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.destruction(session, options ?? SceneDestructionRequestOptions(), errorHandler), errorHandler)
  }

  /// Asks for a session whose visible content changed to be brought up to date.
  ///
  /// A scene that is connected is asked for its state, and if it is in the background a new snapshot is taken; a session
  /// that is disconnected is connected in the background for that, where ``reclaimPolicy`` may disconnect it again.
  /// - Parameters:
  ///   - session: The session.
  ///   - errorHandler: Called later, on the main thread, only on failure.
  public func requestSceneSessionRefresh(
    _ session: SceneSession, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.refresh(session, errorHandler), errorHandler)
  }

  /// Asks for a scene in the background to be disconnected (our addition).
  ///
  /// Its scene, delegate, views and pixmaps go; the session stays, and a bare window that keeps its place in the
  /// taskbar. Shown or focused again, the session is connected with a new scene and a new delegate.
  /// - Parameters:
  ///   - session: The session of the scene.
  ///   - errorHandler: Called later, on the main thread, only on failure: if the scene is not in the background.
  public func requestSceneDisconnection(
    _ session: SceneSession, errorHandler: (@MainActor (any Error) -> Void)? = nil
  ) {
    ask(.disconnection(session, errorHandler), errorHandler)
  }

  /// Ends the program in order: scenes to the background, disconnected, then `applicationWillTerminate`.
  ///
  /// The delegate's ``ApplicationDelegate/applicationShouldTerminate(_:)`` is asked first, and may refuse. Sessions stay.
  /// Returns at once; the end comes after the present callback has returned.
  /// - Parameter status: The exit status.
  public func terminate(status: Int32 = 0) { ask(.terminate(.requested, status: status), nil) }

  /// Answers an ``ApplicationDelegate/applicationShouldTerminate(_:)`` that said `.later`.
  ///
  /// Does nothing if nothing is asked.
  /// - Parameter terminates: Whether the program ends.
  public func reply(toApplicationShouldTerminate terminates: Bool) { ask(.terminateReply(terminates), nil) }

  /// Why the program is to end: set while ``ApplicationDelegate/applicationShouldTerminate(_:)`` is being answered and
  /// from then on; nil while it is not going to.
  public var terminationCause: TerminationCause? { stage?.terminationCause }

  /// Why the program was launched, as far as its sessions are concerned.
  public var restorationReason: RestorationReason { stage?.restorationReason ?? .launch }

  /// Sees each event before its window does; override to look, and call `super` to pass it on.
  /// - Parameter event: What happened.
  open func sendEvent(_ event: Event) { event.window?.sendEvent(event) }

  /// Asks somebody to perform an action.
  ///
  /// Without a target the action goes along the responder chain: from the sender if that is a responder, else from the
  /// key window's first responder or the key window, to the first that can perform it.
  /// - Parameters:
  ///   - action: What is asked for.
  ///   - target: Who is asked; the chain where nil.
  ///   - sender: Who asks.
  ///   - event: The event that it comes from.
  /// - Returns: Whether somebody performed it.
  @discardableResult
  open func sendAction(_ action: Action, to target: Responder?, from sender: AnyObject?, for event: Event? = nil)
    -> Bool
  {
    let scene = scenesByActivity.first { $0.activationState >= .foregroundInactive } as? WindowScene
    let window = event?.window ?? scene?.keyWindow ?? scene?.windows.first
    let chain = sender as? Responder ?? window?.firstResponder ?? window ?? self
    return action.send(to: target, from: sender, along: chain, for: event)
  }

  /// The application delegate if that is a responder; nil where that is the application itself.
  open override var next: Responder? {
    guard let next = delegate as? Responder, next !== self else { return nil }
    return next
  }

  // MARK: The framework's side

  package private(set) var stage: Stage?
  var choices = ApplicationChoices()
  /// The preferences, once they have been asked for.
  var preferencesIfUsed: Preferences?
  /// Says where they are (`XDG_CONFIG_HOME`, `HOME`); nil where they are kept in memory alone.
  package var preferencesEnvironment: [String: String]?
  nonisolated let backgroundTasks = BackgroundTaskTable()
  nonisolated let protectedData = Mutex(true)
  nonisolated let desktopLink = Mutex<(any DesktopLink)?>(nil)
  private let states = StateBroadcast<State>()
  /// Caches of the whole program.
  let caches = PurgeableList()

  /// Gives the application its platform, and makes it the shared one.
  package func attach(
    platform: any Platform, trace: TraceRecorder = .off, store: StoreSource = .none,
    sources: [any SystemSource] = []
  ) {
    Application.sharedIfLaunched = self
    backgroundTasks.attach(platform)
    stage = Stage(application: self, platform: platform, trace: trace, store: store, sources: sources)
  }

  /// The process itself; nil where nobody knows it.
  package var ownProcess: (any OwnProcess)?
  /// Sees to it that callbacks return in time; nil where nobody does.
  package var callbackWatch: (any CallbackWatch)?
  /// Has what the program does in the background watched, for whoever develops it; see `BackgroundConduct`.
  package func watchConduct() { stage?.conduct.isWatching = true }

  /// Opens what others open, and reaches other instances; nil where nobody does.
  package var desktop: (any DesktopLink)? {
    get { desktopLink.withLock { $0 } }
    set { desktopLink.withLock { $0 = newValue } }
  }

  /// Hands the launch over to the process that owns the sessions; waits for its answer.
  package var handOver: (@MainActor (SecondStart) -> SecondStart.Outcome)?

  /// Launches the program and runs it to its end; returns its exit status.
  package func run(delegate: any ApplicationDelegate, arguments: [String]) -> Int32 {
    guard let stage else { return 1 }
    return stage.run(delegate: delegate, arguments: arguments)
  }

  private func ask(_ work: Stage.Work, _ errorHandler: (@MainActor (any Error) -> Void)?) {
    guard let stage else {
      errorHandler?(SceneError(.requestDenied, "The application has not been launched."))
      return
    }
    stage.post(work)
  }

  /// The program's file name.
  nonisolated package static var programName: String { ProgramName.own }

  /// Where relative file names start; nil where that place has been removed, or has no name in UTF-8.
  static var currentDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

extension Scene: @MainActor Hashable {
  /// Whether both are the same scene.
  public static func == (lhs: Scene, rhs: Scene) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
