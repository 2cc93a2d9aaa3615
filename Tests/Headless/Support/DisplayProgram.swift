import FoundationEssentials
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting

/// A program with one window that writes down what it hears of screens and of what is around its scenes.
@MainActor final class DisplayProgram: Responder, ApplicationDelegate {
  /// Draws, and counts how often.
  final class Canvas: Window {
    var draws = 0
    override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      draws += 1
      super.draw(&buffer, damage: damage)
    }
  }

  final class MainScene: Responder, WindowSceneDelegate {
    unowned let owner: DisplayProgram
    let name: String
    var window: Canvas?
    init(_ owner: DisplayProgram, _ name: String) { (self.owner, self.name) = (owner, name) }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      note("willConnect")
      guard let scene = scene as? WindowScene else { return }
      owner.scenes[name, default: []].append(scene)
      let window = Canvas(windowScene: scene)
      window.setNeedsDisplay()
      window.makeKeyAndVisible()
      self.window = window
    }
    func sceneWillEnterForeground(_ scene: Scene) { note("willEnterForeground") }
    func sceneDidBecomeActive(_ scene: Scene) { note("didBecomeActive") }
    func sceneWillResignActive(_ scene: Scene) { note("willResignActive") }
    func sceneDidEnterBackground(_ scene: Scene) { note("didEnterBackground") }
    func sceneDidDisconnect(_ scene: Scene) { note("didDisconnect \(scene.disconnectionReason?.rawValue ?? "?")") }
    func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previous: WindowScene.Geometry) {
      note("geometry")
    }
    func windowScene(
      _ windowScene: WindowScene, didUpdate space: any CoordinateSpace, interfaceOrientation: InterfaceOrientation,
      traitCollection: TraitCollection
    ) {
      note(
        "didUpdate \(space.bounds.size.width)x\(space.bounds.size.height) \(interfaceOrientation.rawValue) "
          + "\(traitCollection.displayScale)")
    }
    override func handle(_ event: Event) -> Bool {
      if case .button = event.kind { note("input") }
      return true
    }
    private func note(_ call: String) { owner.calls.append("\(name) \(call)") }
  }

  static let laptop = ScreenDescription(
    name: "LAPTOP", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
  static let beamer = ScreenDescription(
    name: "BEAMER", frame: Rect(x: 1920, y: 0, width: 1024, height: 768), isPrimary: false)

  let program: HeadlessProgram
  var platform: HeadlessPlatform { program.platform }
  var calls: [String] = []
  var scenes: [String: [WindowScene]] = [:]
  var supported = InterfaceOrientationMask.all
  var configurations: [SceneConfiguration] = []
  var suspensionPolicy = SuspensionPolicy.never
  var supportsMultipleScenes = true
  private var tokens: [NotificationCenter.ObservationToken] = []

  init(store: StoreSource = .none, showsOnDisplays: Bool = false) {
    program = HeadlessProgram(store: store)
    super.init()
    configurations = [SceneConfiguration(name: "Main", delegate: { [unowned self] in MainScene(self, "main") })]
    if showsOnDisplays {
      configurations.append(
        SceneConfiguration(name: "Display", sessionRole: .windowExternalDisplayNonInteractive) { [unowned self] in
          MainScene(self, "display")
        })
    }
    let center = NotificationCenter.default
    tokens = [
      center.addObserver(for: Screen.DidConnectMessage.self) { [weak self] in
        self?.calls.append("+\($0.screen.name)")
      },
      center.addObserver(for: Screen.DidDisconnectMessage.self) { [weak self] in
        self?.calls.append("-\($0.screen.name)")
      },
      center.addObserver(for: Screen.ModeDidChangeMessage.self) { [weak self] in
        self?.calls.append("=\($0.screen.name)")
      },
      center.addObserver(for: Screen.VisibleFrameDidChangeMessage.self) { [weak self] in
        self?.calls.append("#\($0.screen.name)")
      },
    ]
  }

  isolated deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

  var sceneConfigurations: [SceneConfiguration] { configurations }
  var manifest: ApplicationManifest {
    var manifest = ApplicationManifest(
      sceneConfigurations: sceneConfigurations, supportsMultipleScenes: supportsMultipleScenes)
    manifest.suspensionPolicy = suspensionPolicy
    return manifest
  }
  func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask
  { supported }
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    calls.append("didDiscard \(sceneSessions.count)")
  }

  var scene: WindowScene? { scenes["main"]?.last }
  var display: WindowScene? { scenes["display"]?.last }
  var canvas: Canvas? { scene?.windows.first as? Canvas }

  /// Launches on these screens, and lets every hold run out.
  @discardableResult func launch(_ screens: ScreenDescription..., arguments: [String] = []) -> DisplayProgram {
    platform.screens = screens
    program.launch(self, arguments: arguments)
    platform.advance(by: 3000)
    // As a window manager says when it has placed a window.
    if let id = canvas?.id, let window = platform.windows[id] { platform.send(.geometry(id, window.geometry)) }
    return self
  }

  /// What the program hears when these are the screens, perhaps with something else that the batch brings.
  func heard(_ screens: ScreenDescription..., also: PlatformEvent...) -> [String] {
    platform.screens = screens
    let before = calls.count
    platform.send([.screens(screens)] + also)
    return Array(calls[before...])
  }

  /// What the program hears of something.
  func heard(_ body: () -> Void) -> [String] {
    let before = calls.count
    body()
    return Array(calls[before...])
  }
}

extension ScreenDescription {
  /// The screen with something else about it.
  func with(_ change: (inout ScreenDescription) -> Void) -> ScreenDescription {
    var other = self
    change(&other)
    return other
  }
}
