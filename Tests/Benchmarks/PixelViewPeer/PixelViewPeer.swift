import Proscenium
import ProsceniumUI

/// What Tests/Benchmarks/Peers/pixels-cairo.c does, with a view: the contract stands in Peers/pixels.h.
@main final class PixelViewPeer: Responder, ApplicationDelegate {
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
    let window = Window(windowScene: windowScene)
    window.title = "pixels"
    window.backgroundColor = Color(rgb: 0x2E8B57)
    let root = Root()
    root.backgroundColor = window.backgroundColor
    let square = Square(frame: Rect(x: 100, y: 100, width: 100, height: 100))
    root.addSubview(square)
    window.rootView = root
    square.becomeFirstResponder()
    window.isHidden = false
    self.window = window
  }
}

/// What fills the window: its mark stays in the lower right corner.
final class Root: View {
  private let mark = View()

  override func layoutSubviews() {
    if mark.superview == nil {
      mark.backgroundColor = Color(rgb: 0xC04020)
      addSubview(mark)
    }
    mark.frame = Rect(x: bounds.size.width - 20, y: bounds.size.height - 20, width: 20, height: 20)
  }
}

/// A square, which has another colour after each key.
final class Square: View {
  private var presses = 0

  override var canBecomeFirstResponder: Bool { true }

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown else { return super.handle(event) }
    presses += 1
    setNeedsDisplay()
    return true
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    context.fill(bounds, with: Color(rgb: presses % 2 == 0 ? 0xC04020 : 0x2040C0))
  }
}
