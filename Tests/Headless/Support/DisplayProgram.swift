import FoundationEssentials
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting

/// A program with one window that records its calls about screens and the surroundings of its scenes.
@MainActor final class DisplayProgram: RecordingDelegate {
  /// Draws, and counts how often.
  final class Canvas: Window {
    var draws = 0
    override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      draws += 1
      super.draw(&buffer, damage: damage)
    }
  }

  final class MainScene: RecordingSceneDelegate {
    override func makeWindow(for scene: WindowScene) -> Window? {
      let window = Canvas(windowScene: scene)
      window.setNeedsDisplay()
      return window
    }
    override func windowScene(
      _ windowScene: WindowScene, didUpdate space: any CoordinateSpace, interfaceOrientation: InterfaceOrientation,
      traitCollection: TraitCollection
    ) {
      let size = space.bounds.size
      record(
        "didUpdate", windowScene,
        "\(size.width)x\(size.height) \(interfaceOrientation.rawValue) \(traitCollection.displayScale)")
    }
    override func handle(_ event: Event) -> Bool {
      if case .button = event.kind, let scene { record("input", scene) }
      return true
    }
  }

  static let laptop = ScreenDescription(
    name: "LAPTOP", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
  static let beamer = ScreenDescription(
    name: "BEAMER", frame: Rect(x: 1920, y: 0, width: 1024, height: 768), isPrimary: false)

  let program: HeadlessProgram
  var platform: HeadlessPlatform { program.platform }
  /// The scenes of each configuration.
  private(set) var scenes: [String: [WindowScene]] = [:]
  var supported = InterfaceOrientationMask.all
  private var tokens: [NotificationCenter.ObservationToken] = []

  init(store: StoreSource = .none, showsOnDisplays: Bool = false) {
    program = HeadlessProgram(store: store)
    super.init()
    #if !WITHOUT_ExternalDisplays
      if showsOnDisplays {
        manifest.sceneConfigurations.append(
          SceneConfiguration(name: "Display", sessionRole: .windowExternalDisplayNonInteractive) { [unowned self] in
            makeSceneDelegate(for: $0)
          })
      }
    #endif
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

  override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
    MainScene(self, session: session)
  }
  /// Writes calls of scenes with the name of their configuration.
  override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
    guard let number = call.scene else { return call.name == "didDiscardSceneSessions" ? call : nil }
    let session = sessions[number - 1]
    if call.name == "sceneWillConnect", let scene = session.scene as? WindowScene {
      scenes[session.configuration.name ?? "", default: []].append(scene)
    }
    return DelegateCall(session.configuration.name ?? "", DelegateCall(call.name, call.details).description)
  }
  override func application(_ application: Application, supportedInterfaceOrientationsFor window: Window?)
    -> InterfaceOrientationMask
  { supported }

  var scene: WindowScene? { scenes["Main"]?.last }
  var display: WindowScene? { scenes["Display"]?.last }
  var canvas: Canvas? { scene?.windows.first as? Canvas }

  /// Launches on these screens, and lets every hold run out.
  @discardableResult func launch(_ screens: ScreenDescription..., arguments: [String] = []) -> DisplayProgram {
    platform.windowManager.screens = screens
    program.launch(self, arguments: arguments)
    platform.advance(by: 3000)
    // As a window manager says when it has placed a window.
    if let id = canvas?.id, let window = platform.windows[id] { platform.send(.geometry(id, window.geometry)) }
    return self
  }

  /// What the program hears when these are the screens, perhaps with something else that the batch brings.
  func heard(_ screens: ScreenDescription..., also: PlatformEvent...) -> [DelegateCall] {
    platform.windowManager.screens = screens
    let before = calls.count
    platform.send([.screens(screens)] + also)
    return Array(calls[before...])
  }

  /// What the program hears of something.
  func heard(_ body: () -> Void) -> [DelegateCall] {
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
