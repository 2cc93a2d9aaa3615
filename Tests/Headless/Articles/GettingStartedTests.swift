import Proscenium
import ProsceniumTesting
import Testing

// Begin: code of GettingStarted.md
private final class AppDelegate: Responder {
  let manifest = ApplicationManifest(
    applicationIdentifier: "org.example.Swatch",
    sceneConfigurations: [SceneConfiguration(name: "Swatch", delegate: SwatchScene.init)])
}

extension AppDelegate: ApplicationDelegate {}

private final class SwatchScene: Responder {
  static let colors = [0x2E8B57, 0xE0A030, 0x37474F, 0x9C27B0].map { Color(rgb: $0) }
  var window: Window?
  var index = 0 {
    didSet { window?.backgroundColor = Self.colors[index] }
  }

  // Events that the window does not handle arrive here, along the responder chain.
  override func handle(_ event: Event) -> Bool {
    guard case .button(let button) = event.kind, button.isDown else { return false }
    index = (index + 1) % Self.colors.count
    window?.windowScene?.invalidateRestorableState()
    return true
  }
}

extension SwatchScene: WindowSceneDelegate {
  // A window for the new scene. Its content comes next, if it has been saved.
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.title = "Swatch"
    window?.backgroundColor = Self.colors[index]
    window?.makeKeyAndVisible()
  }

  // The content of the window, as plain values. Written to disk within a second.
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.Swatch.color")
    activity.userInfo = ["index": index]
    return activity
  }
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    index = (activity.userInfo?["index"] as? Int ?? 0) % Self.colors.count
  }
}
// End: code of GettingStarted.md

@MainActor @Suite("The program of the article Getting started") enum GettingStarted {
  @Test("Its test passes") static func minimized() throws {
    // Begin: code of GettingStarted.md
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    program.ignoreLines()
    program.windows.first.map(program.desk.minimize)
    program.advance(by: .milliseconds(300))
    try program.expect(
      """
      scene1 sceneWillResignActive foregroundActive -> foregroundInactive
      applicationWillResignActive [inactive]
      scene1 sceneDidEnterBackground foregroundInactive -> background
      applicationDidEnterBackground [background]
      """)
    // End: code of GettingStarted.md
  }

  @Test("Its colour survives a kill, a second after the click") static func killed() throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    let window = try #require(program.windows.first)
    program.desk.send(.button(PointerButton(number: 1, isDown: true, location: Point(x: 5, y: 5))), to: window)
    program.advance(by: .seconds(2))
    #expect((program.scenes.first?.delegate as? SwatchScene)?.index == 1)
    program.kill()
    program.relaunch()
    program.advance(by: .seconds(1))
    #expect((program.scenes.first?.delegate as? SwatchScene)?.index == 1)
    #expect(program.windows.first?.backgroundColor == SwatchScene.colors[1])
  }
}
