public import ProsceniumCore

/// An application's delegate that records its calls, and those of its scenes' delegates, as values.
///
/// ```swift
/// let delegate = RecordingDelegate()
/// let program = HeadlessProgram(delegate: { delegate })
/// program.launch()
/// #expect(delegate.takeCalls().map(\.name).last == "applicationDidBecomeActive")
/// ```
///
/// Each scene has a ``RecordingSceneDelegate``, which shows one window. Its answers are properties; a subclass can override
/// every callback. Callbacks whose presence alone changes the program (the choice of a configuration, the question whether
/// a scene may close, state restoration) are not implemented. For the main thread.
@MainActor open class RecordingDelegate: Responder, ApplicationDelegate {
  /// The calls so far, in order.
  public private(set) var calls: [DelegateCall] = []
  /// The sessions in the order in which they first appeared: ``DelegateCall/scene`` counts them from 1.
  public private(set) var sessions: [SceneSession] = []
  /// The names of the calls that are recorded; nil for all of them.
  public var recordedNames: Set<String>?
  /// Called with each call after it has been recorded, before the callback returns.
  public var onCall: (DelegateCall) -> Void = { _ in }

  /// Whether each scene makes a window and shows it when it connects.
  public var showsWindows = true
  /// Whether the program ends when its last scene has been closed.
  public var endsAfterLastScene = true
  /// The answer to `applicationShouldTerminate(_:)`.
  public var terminateReply = TerminateReply.now
  /// Whether shortcut items and activities are reported as performed, and URLs as opened.
  public var performs = true

  /// The manifest; with one configuration, "Main", whose delegates ``makeSceneDelegate()`` makes.
  public lazy var manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Main") { [unowned self] in makeSceneDelegate() }])

  /// Makes the delegate of a scene.
  /// - Returns: A ``RecordingSceneDelegate``.
  open func makeSceneDelegate() -> RecordingSceneDelegate { RecordingSceneDelegate(self) }

  // MARK: Recording

  /// Records a call, or an event of the test's own.
  /// - Parameters:
  ///   - name: The callback, or a name of the test's own.
  ///   - session: The session that it is about, for a call of a scene's delegate.
  ///   - details: What the call delivers.
  public func record(_ name: String, _ session: SceneSession? = nil, _ details: String...) {
    let number = session.map { session in
      if let index = sessions.firstIndex(of: session) { return index + 1 }
      sessions.append(session)
      return sessions.count
    }
    guard recordedNames?.contains(name) ?? true else { return }
    let call = DelegateCall(name, scene: number, details)
    calls.append(call)
    onCall(call)
  }

  /// Removes and returns the calls so far.
  /// - Returns: The calls, in order.
  public func takeCalls() -> [DelegateCall] {
    defer { calls = [] }
    return calls
  }

  // MARK: Launch and end

  open func application(
    _ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool {
    record("willFinishLaunchingWithOptions")
    return true
  }

  open func application(
    _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool {
    record("didFinishLaunchingWithOptions")
    return true
  }

  open func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    record("applicationShouldTerminate")
    return terminateReply
  }

  open func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { endsAfterLastScene }

  open func applicationWillTerminate(_ application: Application) { record("applicationWillTerminate") }

  // MARK: Sessions

  open func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    record("didDiscardSceneSessions", nil, "\(sceneSessions.count)")
  }

  open func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {
    record("didHoldBackSceneSessions", nil, "\(sceneSessions.count)")
  }

  open func application(_ application: Application, didFailToSaveSceneSessions error: any Error) {
    record("didFailToSaveSceneSessions", nil, "\(error)")
  }

  // MARK: The app-based model

  open func applicationWillEnterForeground(_ application: Application) { record("applicationWillEnterForeground") }
  open func applicationDidBecomeActive(_ application: Application) { record("applicationDidBecomeActive") }
  open func applicationWillResignActive(_ application: Application) { record("applicationWillResignActive") }
  open func applicationDidEnterBackground(_ application: Application) { record("applicationDidEnterBackground") }

  // MARK: The machine

  open func applicationSignificantTimeChange(_ application: Application) {
    record("applicationSignificantTimeChange")
  }

  open func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    record("applicationProtectedDataWillBecomeUnavailable")
  }

  open func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    record("applicationProtectedDataDidBecomeAvailable")
  }
}
