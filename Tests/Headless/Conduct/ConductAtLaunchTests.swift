import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import Testing

// Begin: code of ConductAtLaunch.md
final class ReaderScene: Responder {
  var window: Window?
  private(set) var document: String?
  var line = 0
}

extension ReaderScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    // What the user asks for goes before what the window showed last time, and is not told again.
    let asked = options.urlContexts.map(\.url.path).min()
    document = asked ?? session.userInfo?["document"] as? String
    session.userInfo = document.map { ["document": $0] }
    window = Window(windowScene: scene)
    window?.title = document ?? "Nothing to read"
    window?.makeKeyAndVisible()
  }

  // After willConnectTo, and before the window is shown: the place, if it is one in this document.
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    guard let document, activity.userInfo?["document"] as? String == document else { return }
    line = activity.userInfo?["line"] as? Int ?? 0
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.reader.place")
    activity.userInfo = ["document": document ?? "", "line": line]
    return activity
  }
}
// End: code of ConductAtLaunch.md

@MainActor @Suite("Conduct at launch", .serialized) struct ConductAtLaunchTests {
  private func launch(_ disk: CuttableDisk, _ arguments: [String] = []) -> ConductRun {
    ConductRun(ConductDelegate(ReaderScene.init), on: disk, arguments: arguments)
  }

  private func reader(_ run: ConductRun) throws -> ReaderScene { try #require(run.scene?.delegate as? ReaderScene) }

  /// A disk after a run that read a document, was in the background meanwhile, and was killed.
  private func diskAfterReading() throws -> CuttableDisk {
    let disk = CuttableDisk()
    let run = launch(disk, ["doc:/books/one"])
    try reader(run).line = 42
    run.minimize()
    run.restore()
    run.platform.advance(by: 2000)
    run.kill()
    return disk
  }

  @Test("The document that is asked for is open, and the window is shown")
  func asked() throws {
    let run = launch(CuttableDisk(), ["doc:/books/one"])
    #expect(try reader(run).document == "/books/one")
    #expect(run.window?.title == "/books/one" && run.scene?.activationState == .foregroundActive)
  }

  @Test("Document and place are back after the program was killed, before the window is seen")
  func back() throws {
    let run = launch(try diskAfterReading())
    let (reader, names) = (try reader(run), run.program.entries.compactMap { $0.text("name") })
    #expect(reader.document == "/books/one" && reader.line == 42)
    let restored = try #require(names.firstIndex(of: "restoreInteractionState"))
    #expect(restored < (try #require(names.firstIndex(of: "sceneWillEnterForeground"))))
  }

  @Test("What the user asks for goes before what the window showed last time")
  func askedAnew() throws {
    let run = launch(try diskAfterReading(), ["doc:/books/two"])
    let reader = try reader(run)
    #expect(reader.document == "/books/two" && reader.line == 0)
    // And is what the window shows from now on.
    reader.line = 7
    run.minimize()
    #expect(run.scene?.session.userInfo?["document"] as? String == "/books/two")
    #expect(run.scene?.session.stateRestorationActivity?.userInfo?["line"] as? Int == 7)
  }

  @Test("A launch in the background has neither scene nor window, until one is activated")
  func inBackground() throws {
    let run = launch(CuttableDisk(), ["--background"])
    #expect(run.application.connectedScenes.isEmpty && run.platform.windows.isEmpty)
    #expect(run.application.applicationState == .background)
    run.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 100)
    #expect(run.scene?.activationState == .foregroundActive)
  }

  @Test("A scene that shows no window stays in the background, and an error says so")
  func withoutWindow() {
    final class Empty: Responder, WindowSceneDelegate {}
    let run = ConductRun(ConductDelegate(Empty.init))
    #expect(run.scene?.activationState == .background)
    #expect(run.errors.count == 1 && run.errors.first?.contains("has no shown window") == true)
  }
}
