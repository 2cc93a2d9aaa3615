import Dispatch
import Proscenium

/// The delegate of one meter.
@MainActor final class MeterScene: Responder {
  private static let activityType = "org.proscenium.Meter.meter"

  var window: MeterWindow?
  private weak var scene: WindowScene?
  private var upload: Upload?
  /// Seconds that the scene has been active.
  private var seconds = 0.0
  private var lastFrame: Duration?

  // MARK: Hearing the user

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown, !key.isRepeat, let scene else { return false }
    let application = Application.shared
    switch key.symbol {
    // n
    case 0x4E, 0x6E: application.activateSceneSession(for: SceneSessionActivationRequest())
    // u
    case 0x55, 0x75: upload?.begin()
    // w
    case 0x57, 0x77: application.requestSceneSessionDestruction(scene.session)
    // d
    case 0x44, 0x64:
      if let idle = application.scenesByActivity.last(where: { $0.activationState == .background }) {
        application.requestSceneDisconnection(idle.session)
      }
    // q
    case 0x51, 0x71: application.terminate()
    default: return false
    }
    return true
  }
}

extension MeterScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    self.scene = scene
    log(options.isReconnect ? "brought back" : "connects", session)
    let window = MeterWindow(windowScene: scene)
    window.backgroundColor = MeterWindow.background
    window.minimumSize = Size(width: 210, height: 100)
    self.window = window
    let upload = Upload.of(session)
    upload.changed = { [weak self] in self?.show() }
    self.upload = upload
    let link = FrameLink(window: window) { [weak self] timing in self?.tick(timing) }
    link.preferredFramesPerSecond = 10
    link.isPaused = true
    // The clock stops when the scene resigns, and continues when it is active again.
    scene.whileActive {
      link.isPaused = false
    } stop: { [weak self] in
      link.isPaused = true
      self?.lastFrame = nil
    }
    show()
    window.makeKeyAndVisible()
  }

  func sceneWillEnterForeground(_ scene: Scene) { if upload?.isInterrupted == true { upload?.begin() } }

  func sceneDidBecomeActive(_ scene: Scene) {
    log("clock runs from \(tenths(seconds)) s", scene.session)
    if Upload.beginsAtOnce, upload?.sent == 0 { upload?.begin() }
    show()
  }

  func sceneWillResignActive(_ scene: Scene) { log("clock stops at \(tenths(seconds)) s", scene.session) }

  func sceneDidEnterBackground(_ scene: Scene) {
    let session = scene.session
    let before = proportionalMemory().map { "\($0)" } ?? "?"
    // After this returns the framework frees the window's memory.
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        let after = proportionalMemory().map { "\($0)" } ?? "?"
        log("in the background: \(before) KiB before, \(after) KiB after", session)
      }
    }
  }

  func sceneDidDisconnect(_ scene: Scene) { log("disconnected", scene.session) }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: Self.activityType)
    activity.userInfo = ["seconds": seconds, "sent": upload?.sent ?? 0]
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    seconds = activity.userInfo?["seconds"] as? Double ?? 0
    // The upload may have gone on since that was stored.
    if let upload, !upload.isRunning, !upload.isInterrupted {
      upload.sent = max(upload.sent, activity.userInfo?["sent"] as? Int ?? 0)
    }
    show()
  }

  // MARK: Display

  private func tick(_ timing: FrameTiming) {
    if let lastFrame { seconds += max(0, (timing.timestamp - lastFrame) / .seconds(1)) }
    lastFrame = timing.timestamp
    show()
  }

  private func show() {
    window?.show(seconds: seconds, sent: upload?.sent ?? 0, isUploading: upload?.isRunning ?? false)
  }

  private func tenths(_ seconds: Double) -> String {
    let tenths = Int(seconds * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
