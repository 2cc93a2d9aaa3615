public import ProsceniumCore

/// A scene's delegate that records its calls with a ``RecordingDelegate``.
///
/// Its scene shows one window, unless ``RecordingDelegate/showsWindows`` is false. For the main thread.
@MainActor open class RecordingSceneDelegate: Responder, WindowSceneDelegate {
  /// The delegate with the calls.
  public unowned let owner: RecordingDelegate
  /// The window that the scene shows.
  public var window: Window?

  /// Makes a scene's delegate.
  /// - Parameter owner: The delegate with the calls; it has to outlive this one.
  public init(_ owner: RecordingDelegate) {
    self.owner = owner
    super.init()
  }

  /// Records a call, or an event of the test's own.
  /// - Parameters:
  ///   - name: The callback, or a name of the test's own.
  ///   - scene: The scene.
  ///   - details: What the call delivers.
  public func record(_ name: String, _ scene: Scene, _ details: String...) {
    owner.record(name, scene.session, details.joined(separator: " "))
  }

  open func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions
  ) {
    record("sceneWillConnect", scene)
    guard owner.showsWindows, let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }

  open func sceneWillEnterForeground(_ scene: Scene) { record("sceneWillEnterForeground", scene) }
  open func sceneDidBecomeActive(_ scene: Scene) { record("sceneDidBecomeActive", scene) }
  open func sceneWillResignActive(_ scene: Scene) { record("sceneWillResignActive", scene) }
  open func sceneDidEnterBackground(_ scene: Scene) { record("sceneDidEnterBackground", scene) }
  open func sceneDidDisconnect(_ scene: Scene) {
    record("sceneDidDisconnect", scene, scene.disconnectionReason?.rawValue ?? "")
  }

  open func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previousGeometry: WindowScene.Geometry) {
    record("didUpdateEffectiveGeometry", windowScene)
  }

  open func windowScene(
    _ windowScene: WindowScene, didUpdate previousCoordinateSpace: any CoordinateSpace,
    interfaceOrientation previousInterfaceOrientation: InterfaceOrientation,
    traitCollection previousTraitCollection: TraitCollection
  ) {
    record("didUpdateCoordinateSpace", windowScene)
  }
}
