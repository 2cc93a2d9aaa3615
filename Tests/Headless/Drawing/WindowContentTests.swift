import ProsceniumCore
import ProsceniumTesting
import Testing

/// A toolkit of its own, through the door that ProsceniumUI uses.
@MainActor @Suite("Contents of other toolkits", .serialized) struct WindowContentTests {
  final class Toolkit: WindowContent {
    weak var window: Window?
    var calls: [String] = []
    func layout(_ size: Size) { calls.append("layout \(size.width) \(size.height)") }
    func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      calls.append("draw")
      for rect in damage {
        for y in rect.origin.y..<rect.origin.y + rect.size.height {
          buffer.withRow(y) { row in
            for x in rect.origin.x..<rect.origin.x + rect.size.width { row[x] = 0xFF00_0000 | UInt32(x) }
          }
        }
      }
      buffer.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: Color(red: 1, green: 0, blue: 0, alpha: 0.5))
    }
    func frameDrawn() { calls.append("frameDrawn") }
    var whenVisible = {}
    func visibilityChanged(isVisible: Bool) {
      calls.append("visible \(isVisible)")
      if isVisible { whenVisible() }
    }
    func purge() { calls.append("purge") }
    func detached() { calls.append("detached") }
  }
  final class MainScene: Responder, WindowSceneDelegate {
    static let toolkit = Toolkit()
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let window = Window(windowScene: scene)
      window.content = Self.toolkit
      Self.toolkit.window = window
      window.setNeedsDisplay()
      window.makeKeyAndVisible()
      self.window = window
    }
  }
  final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: MainScene.init)])
  }

  @Test("It draws frames while the window can be seen, and gives back its memory after that")
  func life() throws {
    let program = HeadlessProgram()
    program.launch(Delegate())
    program.advance(by: 100)
    let toolkit = MainScene.toolkit
    let window = try #require(toolkit.window)
    #expect(toolkit.calls == ["visible true", "layout 640 480", "draw", "frameDrawn"])
    let surface = try #require(window.id.flatMap { program.platform.surface(of: $0) })
    #expect(surface[0, 0] == 0xFF80_0000 && surface[639, 479] == 0xFF00_027F)
    toolkit.calls = []
    program.desk.minimize(window)
    program.advance(by: 3000)
    #expect(toolkit.calls.first == "visible false" && toolkit.calls.contains("purge"))
    #expect(!toolkit.calls.contains("frameDrawn"))
  }

  final class AppBased: Responder, ApplicationDelegate {
    let manifest: ApplicationManifest = {
      var manifest = ApplicationManifest()
      manifest.lifecycleModel = .appBased
      return manifest
    }()
    let toolkit = Toolkit()
    var window: Window?
    func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      window = Window()
      window?.content = toolkit
      window?.makeKeyAndVisible()
      return true
    }
    func applicationWillEnterForeground(_ application: Application) { note("willEnterForeground") }
    func applicationDidBecomeActive(_ application: Application) { note("didBecomeActive") }
    func applicationDidEnterBackground(_ application: Application) { note("didEnterBackground") }
    private func note(_ call: String) { toolkit.calls.append(call) }
  }

  @Test("In the app-based model it is seen after the application's delegate has heard of the foreground")
  func appBased() throws {
    for isInBackground in [false, true] {
      let (program, delegate) = (HeadlessProgram(), AppBased())
      let toolkit = delegate.toolkit
      toolkit.whenVisible = { [unowned toolkit] in toolkit.calls.append("\(Application.shared.applicationState)") }
      program.launch(delegate, arguments: isInBackground ? ["--background"] : [])
      program.advance(by: 1000)
      let window = try #require(delegate.window)
      let first = ["visible true", "inactive", "didBecomeActive"]
      let back = ["willEnterForeground"] + first
      if isInBackground {
        #expect(toolkit.calls.first == "didEnterBackground" && !toolkit.calls.contains("visible true"))
        toolkit.calls = []
        let session = try #require(window.windowScene?.session)
        program.application.requestSceneSessionActivation(session, userActivity: nil)
        program.advance(by: 1000)
      }
      #expect(toolkit.calls == (isInBackground ? back : first))
      program.desk.minimize(window)
      program.advance(by: 3000)
      toolkit.calls = []
      program.desk.restore(window)
      program.desk.focus(window)
      program.advance(by: 1000)
      #expect(toolkit.calls == back)
    }
  }
}
