import Proscenium

/// What Tests/Benchmarks/Peers/pixels-cairo.c does, in a window that draws by hand: the contract stands in
/// Peers/pixels.h.
@main final class PixelPeer: Responder, ApplicationDelegate {
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    application.holdTimes = .none
    return true
  }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let configuration = SceneConfiguration(name: "Peer", delegate: PixelScene.init)
    configuration.launchPosition = Point(x: 0, y: 0)
    configuration.launchSize = Size(width: 1920, height: 1080)
    return configuration
  }
}

/// The scene of the window.
final class PixelScene: Responder, WindowSceneDelegate {
  var window: Window?

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions) {
    guard let windowScene = scene as? WindowScene else { return }
    let window = PixelWindow(windowScene: windowScene)
    window.title = "pixels"
    window.backgroundColor = Color(rgb: 0x2E8B57)
    window.setNeedsDisplay()
    window.isHidden = false
    self.window = window
  }
}

/// A plain window with a square, which has another colour after each key.
final class PixelWindow: Window {
  private static let square = Rect(x: 100, y: 100, width: 100, height: 100)
  private var presses = 0

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown else { return super.handle(event) }
    presses += 1
    setNeedsDisplay(Self.square)
    return true
  }

  override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    let first = Color(rgb: 0xC04020)
    let color = presses % 2 == 0 ? first : Color(rgb: 0x2040C0)
    let mark = Rect(x: buffer.size.width - 20, y: buffer.size.height - 20, width: 20, height: 20)
    for rect in damage {
      if !Self.square.contains(rect) { buffer.fill(rect, with: backgroundColor) }
      if let part = rect.intersection(Self.square) { buffer.fill(part, with: color) }
      if let part = rect.intersection(mark) { buffer.fill(part, with: first) }
    }
  }
}
