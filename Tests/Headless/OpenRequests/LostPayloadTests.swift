import FoundationEssentials
import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import ProsceniumTrace
import Testing

/// Payloads for which the program has no method: each is an error that names the method to write.
@MainActor @Suite("Payloads that no method takes") struct LostPayloadTests {
  private static let item = ApplicationShortcutItem(type: "compose", localizedTitle: "New letter")

  private final class ShowingScene: Responder, WindowSceneDelegate {
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
    }
  }
  /// No delegate of a window scene.
  private final class BareScene: Responder, SceneDelegate {}
  private final class SceneProgram: ApplicationDelegate {
    let manifest = LostPayloadTests.manifest([SceneConfiguration(name: "Main", delegate: ShowingScene.init)])
  }
  private final class AppProgram: ApplicationDelegate {
    let manifest = LostPayloadTests.manifest([])
    var window: Window?
    func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
      window = Window()
      window?.makeKeyAndVisible()
      return true
    }
  }

  /// The manifest of a program that opens notes and has one shortcut item.
  private static func manifest(_ configurations: [SceneConfiguration]) -> ApplicationManifest {
    var manifest = ApplicationManifest(sceneConfigurations: configurations)
    manifest.openedURLSchemes = ["note"]
    manifest.shortcutItems = [item]
    return manifest
  }

  private func launch(_ delegate: any ApplicationDelegate) -> HeadlessProgram {
    let program = HeadlessProgram()
    program.launch(delegate)
    program.advance(by: .seconds(3))
    return program
  }

  private func errors(of program: HeadlessProgram) -> [String] {
    program.advance(by: .seconds(10))
    return program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") }
  }

  /// The errors name the payload, the class and the method.
  private func expect(_ errors: [String], name parts: [[String]], _ location: SourceLocation = #_sourceLocation) {
    #expect(errors.count == parts.count, "\(errors)", sourceLocation: location)
    for (error, parts) in zip(errors, parts) {
      for part in parts { #expect(error.contains(part), "\(error)", sourceLocation: location) }
    }
  }

  @Test("An own request's activity, for which an open scene is brought forward")
  func ownActivity() throws {
    let program = launch(SceneProgram())
    let activity = UserActivity(activityType: "edit")
    activity.targetContentIdentifier = "letter"
    program.application.requestSceneSessionActivation(nil, userActivity: activity)
    expect(
      errors(of: program),
      name: [["\"edit\" is lost", "ShowingScene has no scene(_:continue:)", "conforms to SceneDelegate"]])
    #expect(program.scenes.count == 1)
    // A new scene finds the activity in its options: nothing is lost.
    try #require(program.scenes.first).activationConditions.canActivateForTargetContentIdentifier = .none
    program.application.requestSceneSessionActivation(nil, userActivity: activity)
    #expect(errors(of: program).count == 1 && program.scenes.count == 2)
  }

  @Test("URLs, a shortcut item and an activity of others, for a scene")
  func scene() {
    let program = launch(SceneProgram())
    program.machine.startAgain(["note:a", "note:b"])
    program.machine.performAction(for: Self.item)
    program.machine.handOver(UserActivity(activityType: "edit"))
    expect(
      errors(of: program),
      name: [
        ["2 URLs are lost", "has no scene(_:openURLContexts:)"],
        ["\"compose\" is lost", "windowScene(_:performActionFor:completionHandler:)", "WindowSceneDelegate"],
        ["\"edit\"", "scene(_:continue:)"],
      ])
  }

  @Test("The same in the app-based model, but for a page that the browser opens")
  func application() {
    let program = launch(AppProgram())
    program.machine.startAgain(["note:a"])
    program.machine.performAction(for: Self.item)
    let activity = UserActivity(activityType: "edit")
    program.machine.handOver(activity)
    let expected = [
      ["A URL is lost", "AppProgram has no application(_:open:options:)", "ApplicationDelegate"],
      ["\"compose\"", "application(_:performActionFor:completionHandler:)"],
      ["\"edit\"", "application(_:continue:restorationHandler:)"],
    ]
    expect(errors(of: program), name: expected)
    program.application.desktop = RequestTests.Desktop()
    activity.webpageURL = URL(string: "https://example.org/a")
    program.machine.handOver(activity)
    expect(errors(of: program), name: expected)
  }

  private final class AsyncScene: Responder, WindowSceneDelegate {
    static var performed: [String] = []
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      window = (scene as? WindowScene).map { Window(windowScene: $0) }
      window?.makeKeyAndVisible()
    }
    func windowScene(_ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem) async -> Bool {
      Self.performed.append("scene \(shortcutItem.type)")
      return true
    }
  }
  private final class AsyncProgram: ApplicationDelegate {
    let manifest: ApplicationManifest
    private(set) var calls: [String] = []
    var window: Window?
    init(_ configurations: [SceneConfiguration]) { manifest = LostPayloadTests.manifest(configurations) }
    func applicationDidFinishLaunching(_ application: Application) {
      calls.append("launched")
      guard manifest.sceneConfigurations.isEmpty else { return }
      window = Window()
      window?.makeKeyAndVisible()
    }
    func application(_ application: Application, performActionFor shortcutItem: ApplicationShortcutItem) async -> Bool {
      calls.append("application \(shortcutItem.type)")
      return true
    }
    func application(_ application: Application, shouldSaveSecureApplicationState state: UserActivity) -> Bool { true }
    func application(_ application: Application, didUpdate userActivity: UserActivity) { calls.append("updated") }
  }

  @Test("UIKit's other spellings are called: asynchronous, without options, in the application's delegate")
  func spellings() {
    func outcomes(_ program: HeadlessProgram) -> [String?] {
      program.entries.filter { $0.kind == "request" && $0.name == "performActionFor" }.map { $0.text("outcome") }
    }
    AsyncScene.performed = []
    let scenes = AsyncProgram([SceneConfiguration(name: "Main", delegate: AsyncScene.init)])
    let first = launch(scenes)
    first.machine.performAction(for: Self.item)
    expect(errors(of: first), name: [])
    #expect(scenes.calls == ["launched"] && AsyncScene.performed == ["scene compose"])
    #expect(outcomes(first) == ["done"])
    let appBased = AsyncProgram([])
    let second = launch(appBased)
    second.machine.performAction(for: Self.item)
    expect(errors(of: second), name: [])
    #expect(appBased.calls == ["launched", "application compose"] && outcomes(second) == ["done"])
    second.application.terminate()
    second.advance(by: .seconds(5))
    #expect(appBased.calls == ["launched", "application compose", "updated"])
  }

  @Test("The arguments of a second start that nothing else takes, in both models")
  func arguments() {
    for delegate in [SceneProgram() as any ApplicationDelegate, AppProgram()] {
      let program = launch(delegate)
      for taken in [[], ["--background"], ["--action", "compose", "--background"], ["--session-id", "7"], ["--"]] {
        program.machine.startAgain(taken)
      }
      program.machine.startAgain(["--lines", "5", "--background", "--", "note:a"])
      program.machine.startAgain(["--quick"])
      let method = "\(type(of: delegate)) has no application(_:didReceiveSecondLaunch:)"
      let lost = errors(of: program).filter { !$0.contains("\"compose\"") }
      expect(
        lost, name: [["\"--lines 5 note:a\"", method, "conforms to ApplicationDelegate"], ["\"--quick\"", method]])
    }
  }

  @Test("A scene whose delegate is none of a window scene, and a scene without a delegate")
  func withoutDelegate() throws {
    let program = launch(SceneProgram())
    let scene = try #require(program.scenes.first)
    scene.delegate = BareScene()
    program.machine.performAction(for: Self.item)
    let first = ["\"compose\"", "BareScene", "windowScene(_:performActionFor:completionHandler:)"]
    expect(errors(of: program), name: [first])
    scene.delegate = nil
    program.machine.startAgain(["note:a"])
    program.machine.handOver(UserActivity(activityType: "edit"))
    expect(
      errors(of: program),
      name: [first, ["A URL", "without a delegate", "scene(_:openURLContexts:)"], ["\"edit\"", "scene(_:continue:)"]])
  }
}
