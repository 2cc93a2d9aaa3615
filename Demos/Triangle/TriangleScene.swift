import Glibc
import Proscenium

/// The delegate of one window: draws by its own means while its scene is in the foreground.
@MainActor final class TriangleScene: Responder {
  private static let activityType = "org.proscenium.Triangle.rotation"

  var window: Window?
  private let graphics: Graphics
  private weak var scene: WindowScene?
  private var renderer: Renderer?
  private var link: FrameLink?
  private var rotation = Rotation()
  private var frames = 0

  init(_ graphics: Graphics) {
    self.graphics = graphics
    super.init()
  }

  // MARK: Hearing the user

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown, !key.isRepeat else { return false }
    switch key.characters {
    case "n": Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
    case "w": if let scene { Application.shared.requestSceneSessionDestruction(scene.session) }
    case "q": Application.shared.terminate()
    default: return false
    }
    return true
  }
}

extension TriangleScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    self.scene = scene
    scene.title = "Triangle"
    let window = Window(windowScene: scene)
    window.backgroundColor = Color(rgb: 0x12171F)
    self.window = window
    window.makeKeyAndVisible()
  }

  /// A window that was in use before starts as soon as it is visible.
  func sceneWillEnterForeground(_ scene: Scene) { if renderer != nil { start() } }

  /// The context is made at the first activation: unused windows cost nothing.
  func sceneDidBecomeActive(_ scene: Scene) { start() }

  /// All submitted commands are finished before this returns, and no more are submitted.
  func sceneDidEnterBackground(_ scene: Scene) { stop() }

  func sceneDidDisconnect(_ scene: Scene) {
    stop()
    renderer?.close()
    renderer = nil
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: Self.activityType)
    activity.userInfo = ["angle": rotation.angle]
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    let values: [String: any Sendable]? = activity.userInfo
    if let angle = values?["angle"] as? Double { rotation = Rotation(angle: angle) }
  }

  // MARK: Drawing

  private func start() {
    guard link == nil, let window, let handle = window.x11Handle else { return }
    do throws(Failure) {
      if renderer == nil { renderer = try Renderer(graphics, handle) }
      try renderer?.wake()
    } catch {
      return fail(error)
    }
    frames = 0
    let link = FrameLink(window: window) { [weak self] timing in self?.frame(timing) }
    // A window without the focus needs fewer frames.
    link.inactiveFramesPerSecond = 30
    self.link = link
    log("starts at \(rotation.degrees) degrees")
  }

  private func stop() {
    guard let link else { return }
    link.invalidate()
    self.link = nil
    renderer?.rest()
    rotation.stop()
    log("stops at \(rotation.degrees) degrees after \(frames) frames")
  }

  private func frame(_ timing: FrameTiming) {
    guard let window, let renderer, window.mayPresentFrame() else { return }
    rotation.turn(to: timing.targetTimestamp / .seconds(1))
    let (cosine, sine) = (Float(cos(rotation.angle)), Float(sin(rotation.angle)))
    do throws(Failure) {
      try renderer.draw(rotation: (cosine, sine), size: window.pixelSize)
      frames += 1
    } catch {
      fail(error)
    }
  }

  /// The window stays, and shows the reason.
  private func fail(_ failure: Failure) {
    stop()
    scene?.title = "Triangle — \(failure.text)"
    TriangleProgram.complain(failure)
  }

  private func log(_ text: String) {
    let session = scene?.session.persistentIdentifier ?? ""
    // Unbuffered, so that a reader sees the line at once.
    let line = "\(session) \(text)\n"
    _ = line.withCString { write(1, $0, strlen($0)) }
  }
}
