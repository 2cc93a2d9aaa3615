import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle
import Testing

/// May the program be terminated, and what is left of it.
@MainActor @Suite("Endings", .serialized) struct EndingTests {
  @Test("A refusal keeps the program; a later yes ends it")
  func refusal() {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = .cancel }.launch()
    run.application.terminate()
    run.platform.deliver()
    #expect(run.platform.quitStatus == nil && run.application.terminationCause == nil)
    run.delegate.terminateReply = .later
    run.application.terminate(status: 3)
    run.platform.deliver()
    #expect(run.platform.quitStatus == nil && run.application.terminationCause == .requested)
    run.platform.advance(by: 60_000)
    #expect(run.platform.quitStatus == nil)
    run.application.reply(toApplicationShouldTerminate: true)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 3)
    #expect(run.calls.filter { $0.name == "applicationShouldTerminate" }.count == 2)
  }

  @Test("An answer that never comes: in the foreground the user is waited for, in the background the time there is")
  func neverAnswered() throws {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = .later }.launch()
    run.application.terminate(status: 4)
    run.platform.advance(by: 3_600_000)
    #expect(run.platform.quitStatus == nil)
    // Refused, it is asked about anew
    run.application.reply(toApplicationShouldTerminate: false)
    run.platform.deliver()
    run.application.terminate(status: 5)
    run.platform.deliver()
    for window in run.platform.windows.keys { run.platform.minimize(window) }
    run.platform.advance(by: 28_000)
    #expect(run.platform.quitStatus == nil)
    run.platform.advance(by: 3_000)
    #expect(run.platform.quitStatus == 5)
  }

  /// A program in the background that has no background time any more, and answers later.
  private func spent() -> SessionRun {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = .later }.launch()
    _ = run.application.beginBackgroundTask(withName: "endless")
    for window in run.platform.windows.keys { run.platform.minimize(window) }
    run.platform.advance(by: 40_000)
    #expect(run.application.beginBackgroundTask() == .invalid)
    return run
  }

  @Test("Where no background time is left a later answer has five seconds")
  func noTimeLeft() {
    let run = spent()
    run.application.terminate(status: 4)
    run.platform.deliver()
    #expect(run.platform.quitStatus == nil)
    run.application.reply(toApplicationShouldTerminate: false)
    run.platform.advance(by: 10_000)
    #expect(run.platform.quitStatus == nil)
    // Each question anew
    run.application.terminate(status: 5)
    run.platform.advance(by: 4_900)
    #expect(run.platform.quitStatus == nil)
    run.platform.advance(by: 200)
    #expect(run.platform.quitStatus == 5)
    #expect(run.program.entries.contains { $0.text("message")?.contains("taken for a yes") == true })
  }

  @Test("In the foreground again by then, it has no limit any more")
  func foregroundMeanwhile() {
    let run = spent()
    run.application.terminate(status: 4)
    run.platform.advance(by: 1000)
    for window in run.platform.windows.keys { run.platform.restore(window) }
    run.platform.advance(by: 60_000)
    #expect(run.platform.quitStatus == nil)
    run.application.reply(toApplicationShouldTerminate: true)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 4)
  }

  @Test("A signal that comes while such an answer is awaited has five seconds of its own")
  func signalMeanwhile() {
    let run = spent()
    run.application.terminate(status: 4)
    run.platform.advance(by: 3000)
    for _ in 0..<2 { run.end() }
    run.platform.advance(by: 4_900)
    #expect(run.platform.quitStatus == nil)
    run.platform.advance(by: 200)
    #expect(run.platform.quitStatus == 0)
  }

  @Test("So has the answer about the end after the last scene, which a task has held up for all of its time")
  func lastSceneWithoutTime() throws {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = .later }.launch()
    _ = run.application.beginBackgroundTask(withName: "endless")
    run.program.desk.close(try #require(run.scenes[0].window))
    run.platform.advance(by: 31_000)
    #expect(run.calls.last == "applicationShouldTerminate lastSceneClosed" && run.platform.quitStatus == nil)
    run.platform.advance(by: 5_000)
    #expect(run.platform.quitStatus == 0)
  }

  @Test("A signal is asked about and cannot be refused", arguments: [TerminateReply.now, .later, .cancel])
  func signals(_ reply: TerminateReply) {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = reply }.launch()
    run.end()
    if reply == .later {
      #expect(run.platform.quitStatus == nil)
      run.platform.advance(by: 4999)
      #expect(run.platform.quitStatus == nil)
      run.platform.advance(by: 2)
    }
    #expect(run.platform.quitStatus == 0)
    #expect(run.calls.contains("applicationShouldTerminate signal"))
  }

  @Test("The display's loss ends the program with an error, five seconds after it asked for time")
  func lostDisplay() {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = .later }.launch()
    run.platform.send(.connectionLost("the server is gone"))
    run.application.reply(toApplicationShouldTerminate: true)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 1)
    #expect(run.calls.suffix(2) == ["sceneDidDisconnect", "applicationWillTerminate"])
  }

  @Test("The last scene closed: a refusal lets the program live on without scenes")
  func lastScene() throws {
    let run = SessionRun(CuttableDisk()) { $0.terminateReply = .cancel }.launch()
    run.program.desk.close(try #require(run.scenes[0].window))
    #expect(run.platform.quitStatus == nil)
    #expect(run.calls.last == "applicationShouldTerminate lastSceneClosed")
    run.open()
    #expect(run.names.count == 0 && run.scenes.count == 1)
  }

  @Test("The session manager's question may be refused; its end may not, and is not asked about twice")
  func sessionManager() {
    let disk = CuttableDisk()
    let run = SessionRun(disk) { $0.terminateReply = .cancel }.launch()
    // A checkpoint saves and does not ask the user.
    run.platform.send(.sessionSave(endsSession: false, mayInteract: true))
    #expect(run.calls.suffix(1) == ["ask"])
    #expect(run.platform.commands.last == .sessionSaved(success: true))
    // Asked and refused.
    run.platform.send(.sessionSave(endsSession: true, mayInteract: true))
    #expect(run.platform.commands.contains(.sessionInteraction(cancelsShutdown: true)))
    // Asked and agreed; then it goes on after all.
    run.delegate.terminateReply = .now
    run.platform.send(.sessionSave(endsSession: true, mayInteract: true))
    #expect(run.platform.commands.suffix(2).contains(.sessionInteraction(cancelsShutdown: false)))
    #expect(run.platform.commands.last == .sessionSaved(success: true))
    #expect(run.platform.quitStatus == nil)
    run.platform.send(.sessionSaveCancelled)
    #expect(run.application.terminationCause == nil)
    // The end: agreed to before, so the program is not asked again.
    run.platform.send(.sessionSave(endsSession: true, mayInteract: true))
    let asked = run.calls.filter { $0.name == "applicationShouldTerminate" }.count
    run.platform.send(.sessionEnded)
    #expect(run.calls.filter { $0.name == "applicationShouldTerminate" }.count == asked)
    #expect(run.platform.quitStatus == 0)
    #expect(SessionRun(disk).launch().reason() == "restore")
  }
}

/// Restorations that take longer than a callback.
@MainActor @Suite("Extended restoration", .serialized) struct ExtendedRestorationTests {
  @Test("The scene stays out of sight until its restoration is completed")
  func extended() {
    let run = SessionRun(CuttableDisk()) { $0.onConnect = { $0.scene?.extendStateRestoration() } }.launch()
    #expect(run.calls == ["didFinishLaunchingWithOptions", "sceneWillConnect"])
    #expect(run.platform.windows.allSatisfy { !$0.value.isMapped })
    run.scenes[0].scene?.completeStateRestoration()
    run.platform.deliver()
    run.platform.advance(by: 100)
    #expect(run.calls.last == "sceneWillEnterForeground")
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
    #expect(!run.program.entries.contains { $0.kind == "error" })
  }

  @Test("One that is never completed is shown after its time, with an error")
  func neverCompleted() {
    let run = SessionRun(CuttableDisk()) { $0.onConnect = { $0.scene?.extendStateRestoration() } }.launch()
    run.platform.advance(by: 6000)
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
    #expect(run.program.entries.filter { $0.kind == "error" }.count == 1)
    run.scenes[0].scene?.completeStateRestoration()
    run.platform.deliver()
    #expect(run.calls.filter { $0 == "sceneWillEnterForeground" }.count == 1)
  }

  @Test("The asynchronous form completes when its task is done")
  func asynchronous() async throws {
    let run = SessionRun(CuttableDisk()) { delegate in
      delegate.onConnect = { connecting in
        connecting.scene?.extendStateRestoration(limit: .seconds(3)) { connecting.content = "loaded" }
      }
    }.launch()
    #expect(run.platform.windows.allSatisfy { !$0.value.isMapped })
    while run.scenes[0].content != "loaded" { await Task.yield() }
    await Task.yield()
    run.platform.deliver()
    run.platform.advance(by: 100)
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
  }

  @Test("A scene closed while it is being restored goes in order")
  func closedMeanwhile() {
    let run = SessionRun(CuttableDisk()) {
      $0.endsAfterLastScene = false
      $0.onConnect = { $0.scene?.extendStateRestoration() }
    }.launch()
    if let session = run.scenes[0].scene?.session { run.application.requestSceneSessionDestruction(session) }
    run.platform.deliver()
    run.platform.advance(by: 10_000)
    #expect(
      run.calls == [
        "didFinishLaunchingWithOptions", "sceneWillConnect", "sceneDidDisconnect", "didDiscardSceneSessions 1",
      ])
    #expect(!run.program.entries.contains { $0.kind == "error" })
  }
}

/// The app-based model's own way.
@MainActor @Suite("State restoration in the app-based model", .serialized) struct AppBasedRestorationTests {
  final class Delegate: RecordingDelegate {
    var content = "first"
    var window: Window?
    override init() {
      super.init()
      manifest.sceneConfigurations = []
      keepsApplicationState = true
      recordedNames = [
        "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "willEncodeRestorableState",
        "didDecodeRestorableState", "applicationDidEnterBackground",
      ]
    }
    override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
      switch call.name {
      case "didFinishLaunchingWithOptions":
        window = Window()
        window?.makeKeyAndVisible()
      case "willEncodeRestorableState": (value as? UserActivity)?.addUserInfoEntries(from: ["content": content])
      case "didDecodeRestorableState": content = (value as? UserActivity)?.userInfo?["content"] as? String ?? "?"
      default: break
      }
      return call
    }
  }

  @Test("State is saved after the background, and restored between the two launch callbacks")
  func between() {
    let disk = CuttableDisk()
    let first = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
    let delegate = Delegate()
    first.launch(delegate)
    #expect(delegate.calls == ["willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"])
    delegate.content = "second"
    let session = first.application.openSessions.first?.persistentIdentifier
    first.platform.send(.signal(15))
    #expect(delegate.calls.suffix(2) == ["applicationDidEnterBackground", "willEncodeRestorableState"])
    let second = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
    let restored = Delegate()
    second.launch(restored)
    #expect(
      restored.calls == [
        "willFinishLaunchingWithOptions", "didDecodeRestorableState", "didFinishLaunchingWithOptions",
      ])
    #expect(restored.content == "second")
    #expect(second.application.openSessions.first?.persistentIdentifier == session)
  }
}
