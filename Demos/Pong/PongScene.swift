import Proscenium

/// The delegate of the game's scene: runs it while it is active, and pauses it when it is not.
@MainActor final class PongScene: Responder {
  private static let activityType = "org.proscenium.Pong.game"

  var window: CourtWindow?
  private weak var scene: WindowScene?
  private var link: FrameLink?
  private var game = Game(seed: UInt64.random(in: 0 ... .max))
  private var hands = Hands()
  private var isPaused = false
  /// When the last frame was shown; nil before the first one of a run.
  private var lastFrame: Duration?

  // MARK: Hearing the user

  override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .key(let key): return handle(key)
    case .button(let button):
      guard button.isDown, button.number == 1 else { return false }
      resume()
    case .motion(let motion):
      // Where the pointer enters or leaves it does not steer.
      guard motion.phase == .moved else { return false }
      point(at: motion.location)
    case .touch(let touch):
      if touch.phase == .began { resume() }
      point(at: touch.location)
    case .scroll, .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
    return true
  }
}

extension PongScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    self.scene = scene
    let window = CourtWindow(windowScene: scene)
    window.backgroundColor = Picture.background
    window.minimumSize = Size(width: 200, height: 150)
    self.window = window
    let link = FrameLink(window: window) { [weak self] timing in self?.frame(timing) }
    // Nothing runs before the scene is active.
    link.isPaused = true
    self.link = link
    show()
    window.setNeedsDisplay()
    window.makeKeyAndVisible()
  }

  func sceneDidBecomeActive(_ scene: Scene) { if !isPaused { run() } }

  /// A returning player has to find the ball first: the game waits for a key or a click.
  func sceneWillResignActive(_ scene: Scene) { pause() }

  func sceneDidDisconnect(_ scene: Scene) {
    link?.invalidate()
    link = nil
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: Self.activityType)
    activity.userInfo = game.stored
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    guard let stored = activity.userInfo, let game = Game(stored: stored) else { return }
    self.game = game
    pause()
  }

  // MARK: The game

  private func run() {
    lastFrame = nil
    link?.isPaused = false
  }

  private func pause() {
    isPaused = true
    hands.letGo()
    link?.isPaused = true
    show()
  }

  private func resume() {
    guard isPaused, scene?.activationState == .foregroundActive else { return }
    isPaused = false
    show()
    run()
  }

  private func frame(_ timing: FrameTiming) {
    if let lastFrame {
      game.advance(by: (timing.timestamp - lastFrame) / .seconds(1), left: hands.left, right: hands.right)
    }
    lastFrame = timing.timestamp
    show()
  }

  private func show() {
    window?.show(game, message: isPaused ? ["PAUSED", "SPACE OR CLICK"] : [])
    let title = "Pong \(game.left.score):\(game.right.score)" + (isPaused ? " (paused)" : "")
    if scene?.title != title { scene?.title = title }
  }

  private func point(at location: Point) {
    if !isPaused, let window { hands.point(at: window.picture.courtY(location)) }
  }

  private func handle(_ key: Key) -> Bool {
    if hands.handle(key) { return true }
    guard key.isDown, !key.isRepeat else { return false }
    switch key.symbol {
    // Space, Return and the keypad's Enter.
    case KeySymbol.space, KeySymbol.return, KeySymbol.keypadEnter: resume()
    // p
    case 0x50, 0x70: if isPaused { resume() } else { pause() }
    // q
    case 0x51, 0x71: Application.shared.terminate()
    default: return false
    }
    return true
  }
}
