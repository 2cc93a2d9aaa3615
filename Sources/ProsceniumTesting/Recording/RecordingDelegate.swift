public import ProsceniumCore

/// An application's delegate that records its calls, and those of its scenes' delegates, as values.
///
/// ```swift
/// let delegate = RecordingDelegate()
/// let program = HeadlessProgram(delegate: { delegate })
/// program.launch()
/// #expect(delegate.takeCalls().last == "scene1 sceneDidBecomeActive")
/// ```
///
/// Each scene has a ``RecordingSceneDelegate``, which shows one window. The answers of both are properties here. A
/// subclass overrides callbacks, or ``willRecord(_:value:)`` for all of them at once. Use it on the main thread.
@MainActor open class RecordingDelegate: Responder, ApplicationDelegate {
  /// The calls so far, in order.
  public var calls: [DelegateCall] = []
  /// The sessions in the order in which they first appeared, over all processes, as the last process has them:
  /// ``DelegateCall/scene`` counts them from 1.
  public private(set) var sessions: [SceneSession] = []
  /// The names of the four calls about a scene's state.
  public static let sceneStates: Set = [
    "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground",
  ]
  /// The names of the calls that are recorded; nil, the default, for all of them.
  public var recordedNames: Set<String>?
  /// Whether recorded calls have the number of their scene; true by default.
  public var numbersScenes = true
  /// Called with each call, on the main thread, after it has been recorded and before the callback returns.
  public var onCall: (DelegateCall) -> Void = { _ in }

  /// Whether each scene makes a window and shows it when it connects; true by default.
  public var showsWindows = true
  /// Whether the program ends when its last scene has been closed; true by default.
  public var endsAfterLastScene = true
  /// The answer to `applicationShouldTerminate(_:)`; `.now` by default.
  public var terminateReply = TerminateReply.now
  /// The answer to `sceneShouldClose(_:)`, where ``sceneCallbacks`` has it; `.now` by default.
  public var closeReply = SceneCloseReply.now
  /// Whether shortcut items and activities are reported as performed, and URLs as opened; true by default.
  public var performs = true
  /// Whether the state of an app-based program is saved and restored; false by default.
  public var keepsApplicationState = false
  /// The callbacks that scenes' delegates implement beside those that every delegate may have; none by default.
  public var sceneCallbacks: Set<OptionalSceneCallback> = []

  /// The manifest; with one configuration, "Main", whose delegates ``makeSceneDelegate(for:)`` makes.
  ///
  /// Set it, or change values of it, before the launch.
  public lazy var manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Main") { [unowned self] in makeSceneDelegate(for: $0) }])

  /// Makes the delegate of a scene.
  /// - Parameter session: The scene's session.
  /// - Returns: A ``RecordingSceneDelegate``.
  open func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
    RecordingSceneDelegate(self, session: session)
  }

  // MARK: Recording

  /// Records a call, or an event of the test's own.
  /// - Parameters:
  ///   - name: The callback, or a name of the test's own without a space.
  ///   - session: The session that it is about, for a call of a scene's delegate.
  ///   - details: What the call delivers, as text.
  ///   - value: What the call delivers: the callback's argument.
  public func record(_ name: String, _ session: SceneSession? = nil, _ details: String = "", value: Any? = nil) {
    let number = session.map { session in
      // Each process has an object of its own for it.
      if let index = sessions.firstIndex(where: { $0.persistentIdentifier == session.persistentIdentifier }) {
        sessions[index] = session
        return index + 1
      }
      sessions.append(session)
      return sessions.count
    }
    guard recordedNames?.contains(name) ?? true,
      let call = willRecord(DelegateCall(name, scene: numbersScenes ? number : nil, details), value: value)
    else { return }
    calls.append(call)
    onCall(call)
  }

  /// Called before each call is recorded.
  ///
  /// Override it to see what callbacks deliver, or to write calls down in another way. Called on the main thread,
  /// within the callback.
  /// - Parameters:
  ///   - call: The call.
  ///   - value: What the callback delivers: the set of URL contexts, the activity, the shortcut item, the error, the
  ///     second launch, the sessions, the connection or launch options, or the scene of its state; nil where it
  ///     delivers nothing.
  /// - Returns: The call to record; nil for none.
  open func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? { call }

  /// Removes and returns the calls so far.
  /// - Returns: The calls, in order.
  public func takeCalls() -> [DelegateCall] {
    defer { calls = [] }
    return calls
  }

  // MARK: Launch and end

  /// Records `willFinishLaunchingWithOptions`.
  ///
  /// Answers true.
  open func application(
    _ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool {
    record("willFinishLaunchingWithOptions", value: launchOptions)
    return true
  }

  /// Records `didFinishLaunchingWithOptions`.
  ///
  /// Answers true.
  open func application(
    _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool {
    record("didFinishLaunchingWithOptions", value: launchOptions)
    return true
  }

  /// Records the call with the termination cause; answers ``terminateReply``.
  open func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    record("applicationShouldTerminate", nil, application.terminationCause?.rawValue ?? "")
    return terminateReply
  }

  /// Answers ``endsAfterLastScene``; not recorded.
  open func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { endsAfterLastScene }

  /// Records the call.
  open func applicationWillTerminate(_ application: Application) { record("applicationWillTerminate") }

  /// Answers all orientations; not recorded, because the framework asks often.
  open func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask
  { .all }

  // MARK: Sessions

  /// Whether the delegate chooses the configuration of new sessions; false here.
  ///
  /// A subclass that overrides the callback answers true.
  open func implements(_ callback: OptionalApplicationCallback) -> Bool { false }

  /// Records the call; answers the first configuration of the session's role.
  open func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    record("configurationForConnecting", session, value: options)
    return session.configuration
  }

  /// Records `didDiscardSceneSessions` with the number of sessions.
  open func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    record("didDiscardSceneSessions", nil, "\(sceneSessions.count)", value: sceneSessions)
  }

  /// Records `didHoldBackSceneSessions` with the number of sessions.
  open func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {
    record("didHoldBackSceneSessions", nil, "\(sceneSessions.count)", value: sceneSessions)
  }

  /// Records the failure with the text of its error.
  open func application(_ application: Application, didFailToSaveSceneSessions error: any Error) {
    record("didFailToSaveSceneSessions", nil, "\(error)", value: error)
  }

  // MARK: The app-based model

  /// Records the call.
  open func applicationWillEnterForeground(_ application: Application) { record("applicationWillEnterForeground") }
  /// Records the call.
  open func applicationDidBecomeActive(_ application: Application) { record("applicationDidBecomeActive") }
  /// Records the call.
  open func applicationWillResignActive(_ application: Application) { record("applicationWillResignActive") }
  /// Records the call.
  open func applicationDidEnterBackground(_ application: Application) { record("applicationDidEnterBackground") }

  /// Answers ``keepsApplicationState``; not recorded.
  open func application(_ application: Application, shouldSaveSecureApplicationState state: UserActivity) -> Bool {
    keepsApplicationState
  }

  /// Answers ``keepsApplicationState``; not recorded.
  open func application(_ application: Application, shouldRestoreSecureApplicationState state: UserActivity) -> Bool {
    keepsApplicationState
  }

  /// Records the call as `willEncodeRestorableState`.
  open func application(_ application: Application, willEncodeRestorableStateWith state: UserActivity) {
    record("willEncodeRestorableState", value: state)
  }

  /// Records the call as `didUpdateUserActivity` with the activity's type.
  open func application(_ application: Application, didUpdate userActivity: UserActivity) {
    record("didUpdateUserActivity", nil, userActivity.activityType, value: userActivity)
  }

  /// Records the call as `didDecodeRestorableState`.
  open func application(_ application: Application, didDecodeRestorableStateWith state: UserActivity) {
    record("didDecodeRestorableState", value: state)
  }

  // MARK: The machine

  /// Records the call.
  open func applicationSignificantTimeChange(_ application: Application) { record("applicationSignificantTimeChange") }

  /// Records the call.
  open func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    record("applicationProtectedDataWillBecomeUnavailable")
  }

  /// Records the call.
  open func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    record("applicationProtectedDataDidBecomeAvailable")
  }
}
