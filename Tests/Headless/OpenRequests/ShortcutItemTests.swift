import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// What launchers ask the program to do: in every state of the scene that it is for.
@MainActor @Suite("Shortcut items") struct ShortcutItemTests {
  private func perform(_ number: Int = 0, in run: RequestRun, quietly: Bool = false) {
    var request = IncomingRequest()
    request.shortcut = run.delegate.manifest.shortcutItems[number]
    request.isBackground = quietly
    run.program.machine.receive(request)
  }

  @Test("An active scene performs it at once, with what the program had written to it")
  func active() {
    let run = RequestRun().launch()
    run.program.machine.performAction(for: run.delegate.manifest.shortcutItems[0])
    #expect(run.calls() == ["1 action compose"])
    #expect(run.delegate.items.first?.userInfo == ["kind": "letter"])
  }

  #if !WITHOUT_Suspension
    @Test(
      "A scene in the background comes to the foreground, performs it, and becomes active", arguments: [false, true])
    func background(suspends: Bool) {
      let run = RequestRun { if suspends { $0.manifest.suspensionPolicy = .whenAllInBackground } }.launch()
      run.minimize(1)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended == suspends)
      perform(in: run)
      #expect(run.calls() == ["1 foreground", "1 action compose", "1 active"])
    }
  #endif

  @Test("A session that was disconnected is connected first, without it")
  func disconnected() {
    let run = RequestRun().launch()
    run.disconnect(1)
    perform(in: run)
    #expect(run.calls() == ["1 connect", "1 foreground", "1 action compose", "1 active"])
  }

  @Test("A new scene finds it in its options, and hears no more of it; or hears of it where the program replays")
  func newScene() {
    for replays in [false, true] {
      let run = RequestRun { $0.manifest.replaysConnectionPayloads = replays }.launch()
      run.windowID(1).map(run.platform.requestClose)
      _ = run.calls(after: 1000)
      perform(in: run)
      let heard = ["2 connect", "2 foreground", "2 action compose", "2 active"]
      #expect(run.calls() == (replays ? heard : ["2 connect compose", "2 foreground", "2 active"]))
      #expect(run.delegate.items.count == 1)
    }
  }

  @Test("At a cold start the first scene finds it, once; into the background too", arguments: [false, true])
  func cold(isBackground: Bool) {
    let arguments = (isBackground ? ["--background"] : []) + ["--action", "compose"]
    let run = RequestRun().launch(arguments, forgets: false)
    let shown = isBackground ? [] : ["1 foreground", "1 active"]
    #expect(run.calls(after: 10_000) == ["launched", "1 connect compose"] + shown)
    #expect(run.delegate.items.count == 1)
  }

  @Test("At a cold start with sessions that come back the one that it is for has it, with the URLs that are for it")
  func coldSessions() {
    let disk = CuttableDisk()
    let first = RequestRun(disk).launch()
    first.newScene()
    first.newScene()
    first.delegate.sessions[0].activationConditions.canActivateForTargetContentIdentifier = .equals("inbox")
    for session in first.delegate.sessions.dropFirst() {
      session.activationConditions.canActivateForTargetContentIdentifier = .none
    }
    first.application.terminate()
    first.platform.deliver()
    let second = RequestRun(disk).launch(["note:q", "--action", "org.example.reply"], forgets: false)
    let calls = second.calls(after: 1000).filter { $0.contains("connect") }
    #expect(second.delegate.items.map(\.type) == ["org.example.reply"])
    #expect(calls.count { $0.contains("org.example.reply") } == 1 && calls.count { $0.hasSuffix(" q") } == 1)
    #expect(!calls.contains { $0.contains("reply") && $0.contains("q") })
    // Without a target it is for the one that was used last
    second.application.terminate()
    second.platform.deliver()
    let third = RequestRun(disk).launch(["--action", "compose"], forgets: false)
    #expect(third.calls(after: 1000).count { $0.contains("compose") } == 1)
  }

  @Test("Each goes to the scene that is best for its target, else to the one used last")
  func target() {
    let run = RequestRun().launch()
    run.newScene()
    run.delegate.sessions[0].activationConditions.prefersToActivateForTargetContentIdentifier = .equals("inbox")
    perform(1, in: run)
    #expect(run.calls().filter { $0.contains("action") } == ["1 action org.example.reply"])
    run.newScene()
    perform(0, in: run)
    #expect(run.calls() == ["3 action compose"])
  }

  @Test("Asked to show nothing, the scene performs it where it is")
  func quiet() {
    let run = RequestRun().launch()
    run.minimize(1)
    perform(in: run, quietly: true)
    #expect(run.calls(after: 10_000) == ["1 action compose"])
  }

  @Test("Closed meanwhile, the next scene performs it; before the end it is performed in any case")
  func notLost() {
    let run = RequestRun().launch()
    run.newScene()
    run.minimize(2)
    run.minimize(1)
    run.platform.windowManager.showsAtOnce = false
    run.platform.windowManager.obeysActivation = false
    perform(in: run)
    run.application.requestSceneSessionDestruction(run.delegate.sessions[0])
    run.platform.deliver()
    #expect(run.calls() == ["1 disconnect"])
    run.application.terminate()
    #expect(run.calls() == ["2 action compose", "2 disconnect", "willTerminate"])
  }

  @Test("App-based: after the launch callbacks unless they have done it, later on the way to the foreground")
  func appBased() throws {
    for handles in [false, true] {
      let run = RequestRun {
        $0.isAppBased = true
        $0.launches = (true, !handles)
      }.launch(["--action", "compose"], forgets: false)
      #expect(run.calls() == ["launched"] + (handles ? [] : ["action compose inactive"]) + ["active"])
      run.platform.minimize(try #require(run.platform.windows.keys.first))
      _ = run.calls(after: 1000)
      perform(in: run)
      #expect(run.calls() == ["foreground", "action compose inactive", "active"])
    }
  }

  @Test("What came of it is in the trace", arguments: [false, true])
  func outcome(performs: Bool) {
    let run = RequestRun { $0.performs = performs }.launch()
    perform(in: run)
    let line = run.program.entries.last { $0.kind == "request" && $0.text("name") == "performActionFor" }
    #expect(line?.text("outcome") == (performs ? "done" : "denied"))
    let request = run.program.entries.first { $0.kind == "system" && $0.text("name") == "request" }
    #expect(request?.text("action") == "compose")
  }

  @Test(
    "A type that can be the name of an action is; any other is written in one that can",
    arguments: [
      ("new-window", "new-window"), ("org.example.a-b", "org-2eexample-2ea-2db"), ("a b", "a-20b"),
      ("\u{1}é", "-01-c3-a9"),
    ])
  func names(type: String, name: String) {
    let item = ApplicationShortcutItem(type: type, localizedTitle: "x")
    #expect(item.actionName == name)
    #expect([item].item(named: name) == item && [item].item(named: type) == item)
    #expect([item].item(named: "") == nil)
  }
}
