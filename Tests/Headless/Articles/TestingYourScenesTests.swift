import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

// The article's program and its tests, as people have them.

// Begin: code of TestingYourScenes.md
private final class AppDelegate: Responder {
  let manifest: ApplicationManifest = {
    var manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
    manifest.openedURLSchemes = ["note"]
    return manifest
  }()
  var isPrinting = false
}

extension AppDelegate: ApplicationDelegate {
  func applicationShouldTerminate(_ application: Application) -> TerminateReply { isPrinting ? .cancel : .now }
}

private final class EditorScene: Responder {
  var window: Window?
  var text = "" {
    didSet { window?.windowScene?.invalidateRestorableState() }
  }
}

extension EditorScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    show(options.urlContexts)
    window?.makeKeyAndVisible()
  }
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) { show(urlContexts) }
  private func show(_ contexts: Set<OpenURLContext>) {
    if let url = contexts.first?.url { text = url.absoluteString }
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.editor.text")
    activity.addUserInfoEntries(from: ["text": text])
    return activity
  }
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    // What the launch was asked to show comes before what was there.
    if text.isEmpty { text = activity.userInfo?["text"] as? String ?? "" }
  }
}
// End: code of TestingYourScenes.md

// Begin: code of TestingYourScenes.md
@MainActor @Suite(.serialized) struct EditorTests {
  @Test func aMinimizedWindowIsInTheBackground() throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    try program.expect(
      """
      willFinishLaunchingWithOptions [inactive]
      didFinishLaunchingWithOptions [inactive]
      scene1 sceneWillConnect unattached -> background
      scene1 sceneWillEnterForeground background -> foregroundInactive
      applicationWillEnterForeground [inactive]
      scene1 sceneDidBecomeActive foregroundInactive -> foregroundActive
      applicationDidBecomeActive [active]
      """)
    let window = try #require(program.windows.first)
    // Another program's window is clicked, and then this one is minimised.
    program.desk.focus(nil)
    program.advance(by: .milliseconds(300))
    try program.expect(
      """
      scene1 sceneWillResignActive foregroundActive -> foregroundInactive
      applicationWillResignActive [inactive]
      """)
    program.desk.minimize(window)
    program.advance(by: .milliseconds(40))
    // It might come back within a moment, as windows do while a window manager works.
    try program.expectNothingMore()
    program.advance(by: .milliseconds(260))
    try program.expect(
      """
      scene1 sceneDidEnterBackground foregroundInactive -> background
      applicationDidEnterBackground [background]
      """)
  }
}
// End: code of TestingYourScenes.md

// Begin: code of TestingYourScenes.md
extension EditorTests {
  @Test func theTextComesBackAfterACrash() throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    (program.scenes.first?.delegate as? EditorScene)?.text = "Dear diary"
    program.advance(by: .seconds(2))
    program.kill()
    program.relaunch()
    #expect(program.application.restorationReason == .recover)
    #expect((program.scenes.first?.delegate as? EditorScene)?.text == "Dear diary")
  }
}
// End: code of TestingYourScenes.md

// Begin: code of TestingYourScenes.md
extension EditorTests {
  @Test(arguments: 0..<20) func noPowerCutLosesWhatWasSaved(writes: Int) throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    let editor = try #require(program.scenes.first?.delegate as? EditorScene)
    editor.text = "one"
    program.advance(by: .seconds(2))
    // While the second text is being saved, or after that.
    program.disk.cutPower(afterWrites: writes, tornAt: 10, seed: UInt64(writes))
    editor.text = "two"
    program.advance(by: .seconds(2))
    program.relaunch()
    let text = (program.scenes.first?.delegate as? EditorScene)?.text
    #expect(text == "one" || text == "two")
  }
}
// End: code of TestingYourScenes.md

// Begin: code of TestingYourScenes.md
extension EditorTests {
  @Test func nothingIsShownBehindALock() throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    program.ignoreLines()
    program.machine.lock()
    try program.expect(
      """
      scene1 sceneWillResignActive foregroundActive -> foregroundInactive
      applicationWillResignActive [inactive]
      scene1 sceneDidEnterBackground foregroundInactive -> background
      applicationDidEnterBackground [background]
      applicationProtectedDataWillBecomeUnavailable [background]
      """)
    program.machine.unlock()
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == .foregroundActive)
  }
}
// End: code of TestingYourScenes.md

// Begin: code of TestingYourScenes.md
extension EditorTests {
  @Test func aNoteThatAnotherProgramOpensIsShown() throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    program.machine.open(try #require(URL(string: "note:shopping")), from: "org.example.Mail")
    #expect((program.scenes.first?.delegate as? EditorScene)?.text == "note:shopping")
  }

  @Test func aNoteThatALaunchIsForIsShownInPlaceOfTheOldText() throws {
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    (program.scenes.first?.delegate as? EditorScene)?.text = "Dear diary"
    program.advance(by: .seconds(2))
    program.kill()
    program.relaunch(arguments: ["note:shopping"])
    #expect((program.scenes.first?.delegate as? EditorScene)?.text == "note:shopping")
  }
}
// End: code of TestingYourScenes.md

// Begin: code of TestingYourScenes.md
extension EditorTests {
  @Test func nobodyLogsOutWhileItPrints() throws {
    try HeadlessProgram(delegate: AppDelegate.init).exhaustively { program in
      program.launch()
      program.ignoreLines()
      let delegate = try #require(program.application.delegate as? AppDelegate)
      delegate.isPrinting = true
      program.machine.endSession()
      // It has refused, and nothing has happened to its scene.
      try program.expectNothingMore()
      delegate.isPrinting = false
      program.machine.endSession()
      try program.expect(
        """
        scene1 sceneWillResignActive foregroundActive -> foregroundInactive
        applicationWillResignActive [inactive]
        scene1 sceneDidEnterBackground foregroundInactive -> background
        applicationDidEnterBackground [background]
        scene1 sceneDidDisconnect background -> unattached (applicationExit)
        applicationWillTerminate [background]
        """)
      #expect(program.exitStatus == 0)
    }
  }
}
// End: code of TestingYourScenes.md
