public import ProsceniumCore

/// A scene's delegate that records its calls with a ``RecordingDelegate``.
///
/// Its scene shows one window, unless ``RecordingDelegate/showsWindows`` is false. Use it on the main thread.
@MainActor open class RecordingSceneDelegate: Responder, WindowSceneDelegate {
  /// The delegate with the calls.
  public unowned let owner: RecordingDelegate
  /// The window that the scene shows.
  public var window: Window?
  /// The scene's session.
  public let session: SceneSession
  /// The scene; nil before it connects and after it is gone.
  public private(set) weak var scene: WindowScene?

  /// Makes a scene's delegate.
  /// - Parameters:
  ///   - owner: The delegate with the calls; it has to outlive this one.
  ///   - session: The scene's session.
  public init(_ owner: RecordingDelegate, session: SceneSession) {
    self.owner = owner
    self.session = session
    super.init()
  }

  /// Records a call, or an event of the test's own.
  /// - Parameters:
  ///   - name: The callback, or a name of the test's own without a space.
  ///   - scene: The scene.
  ///   - details: What the call delivers, as text.
  ///   - value: What the call delivers: the callback's argument.
  public func record(_ name: String, _ scene: Scene, _ details: String = "", value: Any? = nil) {
    owner.record(name, scene.session, details, value: value)
  }

  /// Makes the window that the scene shows.
  /// - Parameter scene: The scene, which connects.
  /// - Returns: A window of the scene; a subclass answers one of its own class, or nil for none.
  open func makeWindow(for scene: WindowScene) -> Window? { Window(windowScene: scene) }

  /// Records the call as `sceneWillConnect`, and shows the window of ``makeWindow(for:)``.
  open func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions
  ) {
    self.scene = scene as? WindowScene
    record("sceneWillConnect", scene, value: connectionOptions)
    guard owner.showsWindows, let scene = self.scene else { return }
    window = makeWindow(for: scene)
    window?.makeKeyAndVisible()
  }

  /// Records the call.
  open func sceneWillEnterForeground(_ scene: Scene) { record("sceneWillEnterForeground", scene, value: scene) }
  /// Records the call.
  open func sceneDidBecomeActive(_ scene: Scene) { record("sceneDidBecomeActive", scene, value: scene) }
  /// Records the call.
  open func sceneWillResignActive(_ scene: Scene) { record("sceneWillResignActive", scene, value: scene) }
  /// Records the call.
  open func sceneDidEnterBackground(_ scene: Scene) { record("sceneDidEnterBackground", scene, value: scene) }
  /// Records the call with the disconnection reason.
  open func sceneDidDisconnect(_ scene: Scene) {
    record("sceneDidDisconnect", scene, scene.disconnectionReason?.rawValue ?? "", value: scene)
  }

  // MARK: Closing and state restoration

  /// Whether ``RecordingDelegate/sceneCallbacks`` has a callback.
  open func implements(_ callback: OptionalSceneCallback) -> Bool { owner.sceneCallbacks.contains(callback) }

  /// Records the call; answers ``RecordingDelegate/closeReply``.
  open func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    record("sceneShouldClose", scene)
    return owner.closeReply
  }

  /// Records the call; answers the scene's activity, ``Responder/userActivity``.
  open func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    record("stateRestorationActivity", scene)
    return scene.userActivity
  }

  /// Records the call as `restoreInteractionState` with the activity's type.
  open func scene(_ scene: Scene, restoreInteractionStateWith stateRestorationActivity: UserActivity) {
    record("restoreInteractionState", scene, stateRestorationActivity.activityType, value: stateRestorationActivity)
  }

  /// Records the call as `didUpdateUserActivity` with the activity's type.
  open func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {
    record("didUpdateUserActivity", scene, userActivity.activityType, value: userActivity)
  }

  // MARK: Geometry and surroundings

  /// Records the call as `didUpdateEffectiveGeometry`.
  open func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previousGeometry: WindowScene.Geometry) {
    record("didUpdateEffectiveGeometry", windowScene, value: previousGeometry)
  }

  /// Records the call as `didUpdateCoordinateSpace`.
  open func windowScene(
    _ windowScene: WindowScene, didUpdate previousCoordinateSpace: any CoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: InterfaceOrientation,
    traitCollection previousTraitCollection: TraitCollection
  ) {
    record("didUpdateCoordinateSpace", windowScene, value: previousTraitCollection)
  }
}
