import FoundationEssentials
import ProsceniumJSON
import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// URLs that other programs have opened here: in every state of the scene that they are for.
@MainActor @Suite("URLs of other programs") struct OpenURLTests {
  @Test("An active scene is called at once")
  func active() {
    let run = RequestRun().launch()
    run.open("a", "b")
    #expect(run.calls() == ["1 urls a,b"])
  }

  @Test("A scene that is seen without being used is called, and becomes the one that is")
  func inactive() {
    let run = RequestRun().launch()
    run.program.desk.focus(nil)
    run.platform.advance(by: 1000)
    run.open("a")
    #expect(run.calls() == ["1 urls a", "1 active"])
  }

  #if !WITHOUT_Suspension
    @Test("A scene in the background comes to the foreground, is called, and becomes active", arguments: [false, true])
    func background(suspends: Bool) {
      let run = RequestRun { if suspends { $0.manifest.suspensionPolicy = .whenAllInBackground } }.launch()
      run.minimize(1)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended == suspends)
      run.open("a")
      run.open("b")
      #expect(run.calls() == ["1 foreground", "1 urls a", "1 active", "1 urls b"])
    }
  #endif

  @Test("A session that was disconnected is connected first, without the URL")
  func disconnected() {
    let run = RequestRun().launch()
    run.disconnect(1)
    run.open("a")
    #expect(run.calls() == ["1 connect", "1 foreground", "1 urls a", "1 active"])
  }

  @Test("Where there is no scene a new one finds the URL in its options")
  func none() {
    let run = RequestRun().launch()
    run.windowID(1).map(run.platform.requestClose)
    #expect(run.calls(after: 1000).last == "1 disconnect")
    run.open("a", "b")
    #expect(run.calls() == ["2 connect a,b", "2 foreground", "2 active"])
  }

  @Test(
    "Where the program replays, the options are empty, and the callback comes on the way", arguments: [false, true])
  func replay(isLaunch: Bool) {
    let run = RequestRun { $0.manifest.replaysConnectionPayloads = true }
    if isLaunch {
      run.launch(["note:a"], forgets: false)
      #expect(run.calls() == ["launched", "1 connect", "1 foreground", "1 urls a", "1 active"])
      return
    }
    run.launch()
    run.windowID(1).map(run.platform.requestClose)
    _ = run.calls(after: 1000)
    run.open("a")
    #expect(run.calls() == ["2 connect", "2 foreground", "2 urls a", "2 active"])
  }

  @Test("At a cold start the URLs are in the options of the first scene")
  func cold() {
    let run = RequestRun().launch(["note:a", "note:b"], forgets: false)
    #expect(run.calls() == ["launched", "1 connect a,b", "1 foreground", "1 active"])
  }

  @Test("A cold start into the background connects a scene for them there")
  func coldBackground() {
    let run = RequestRun().launch(["--background", "note:a"], forgets: false)
    #expect(run.calls(after: 10_000) == ["launched", "1 connect a"])
    #expect(run.application.applicationState == .background)
  }

  @Test("What comes before the launch is over waits for its callbacks")
  func launching() {
    final class Early: SystemSource {
      func start(_ host: any SystemHost) {
        var request = IncomingRequest()
        request.urls = [note("a")]
        host.post(.request(request))
      }
      func stop() {}
    }
    let delegate = RequestProgram()
    let program = HeadlessProgram(store: .none, sources: [Early()])
    program.launch(delegate)
    #expect(delegate.calls == ["launched", "1 connect", "1 foreground", "1 urls a", "1 active"])
  }

  @Test("While the screen is locked they wait for the user, however long that takes")
  func locked() {
    let run = RequestRun().launch()
    run.say(.locked, true)
    #expect(run.calls() == ["1 background"])
    run.open("a")
    #expect(run.calls(after: 60_000) == [])
    run.say(.locked, false)
    #expect(run.calls() == ["1 foreground", "1 urls a", "1 active"])
  }

  @Test("A scene that the window manager does not show is called where it is, once its time is over")
  func neverShown() {
    let run = RequestRun().launch()
    run.minimize(1)
    run.platform.windowManager.showsAtOnce = false
    run.platform.windowManager.obeysActivation = false
    run.open("a")
    run.open("b")
    #expect(run.calls(after: 4900) == [])
    #expect(run.calls(after: 200) == ["1 urls a", "1 urls b"])
    run.windowID(1).map(run.platform.restore)
    #expect(run.calls(after: 10_000) == ["1 foreground", "1 active"])
  }

  @Test("A scene whose state is being brought back is called when it is shown, however long that takes")
  func restoring() throws {
    let run = RequestRun().launch()
    run.disconnect(1)
    var scene: Scene?
    let (content, fetching) = AsyncStream.makeStream(of: Never.self)
    defer { fetching.finish() }
    run.delegate.onConnect = {
      $0.scene?.extendStateRestoration(limit: .seconds(60)) { for await _ in content {} }
      scene = $0.scene
    }
    run.open("a")
    #expect(run.calls(after: 30_000) == ["1 connect"])
    try #require(scene).completeStateRestoration()
    #expect(run.calls(after: 100) == ["1 foreground", "1 urls a", "1 active"])
  }

  @Test("If the scene is closed meanwhile they go to the next one, and in the end to a new one")
  func closedMeanwhile() {
    let run = RequestRun().launch()
    run.newScene()
    run.minimize(2)
    run.minimize(1)
    run.platform.windowManager.showsAtOnce = false
    run.platform.windowManager.obeysActivation = false
    // The first one was active last, when the second one was minimised.
    run.open("a")
    for session in [1, 2] {
      #expect(run.calls(after: 1000) == [])
      run.application.requestSceneSessionDestruction(run.delegate.sessions[session - 1])
      run.platform.deliver()
      #expect(run.delegate.calls.first == "\(session) disconnect")
      run.delegate.calls.removeFirst()
    }
    #expect(run.calls(after: 10_000) == ["3 connect a"])
  }

  @Test("A program that ends hands them over before", arguments: [false, true])
  func ending(isSignal: Bool) {
    let run = RequestRun().launch()
    run.minimize(1)
    run.platform.windowManager.showsAtOnce = false
    run.platform.windowManager.obeysActivation = false
    run.open("a")
    if isSignal { run.platform.send(.signal(15)) } else { run.application.terminate() }
    #expect(run.calls() == ["1 urls a", "1 disconnect", "willTerminate"])
  }

  /// A run that ends with two sessions open, for URLs that begin with `note:x` and with `note:y`.
  private func leaveTwoSessions(on disk: CuttableDisk) {
    let run = RequestRun(disk).launch()
    run.newScene()
    for (session, prefix) in zip(run.delegate.sessions, ["note:x", "note:y"]) {
      session.activationConditions.canActivateForTargetContentIdentifier = .prefix(prefix)
    }
    run.application.terminate()
    run.platform.deliver()
  }

  #if !WITHOUT_LaunchGuard
    @Test("What it was launched with for a session that has not had its turn yet is handed over, too")
    func endingBeforeItsTurn() throws {
      // Given two sessions that were connecting when the program died
      let disk = CuttableDisk()
      leaveTwoSessions(on: disk)
      try disk.dieConnecting()
      // When it is launched with something for the second one, and told to end before the first one has been seen
      let run = RequestRun(disk)
      run.platform.windowManager.showsAtOnce = false
      run.launch(["note:y1"], forgets: false)
      #expect(run.calls() == ["launched", "1 connect"])
      run.platform.send(.signal(15))
      // Then the first one has it
      #expect(run.calls() == ["1 urls y1", "1 disconnect", "willTerminate"])
    }
  #endif

  @Test("While the program is asked whether it may end it takes what comes, and afterwards nothing")
  func asked() {
    let run = RequestRun { $0.terminateReply = .later }.launch()
    run.application.terminate()
    run.platform.deliver()
    #expect(run.application.conductor?.acceptsRequests == true)
    run.open("a")
    #expect(run.calls() == ["1 urls a"])
    run.application.reply(toApplicationShouldTerminate: true)
    run.platform.deliver()
    #expect(run.application.conductor?.acceptsRequests == false)
    #expect(run.calls() == ["1 background", "1 disconnect", "willTerminate"])
  }

  @Test("What was taken a moment after the end was asked for is handed over before it comes")
  func behindTheEnd() {
    let run = RequestRun().launch()
    run.application.terminate()
    run.open("a")
    #expect(run.calls() == ["1 urls a", "1 background", "1 disconnect", "willTerminate"])
  }

  @Test("The last scene's close does not end a program that is asked for something in the same moment")
  func behindTheLastClose() {
    let run = RequestRun { $0.endsAfterLastScene = true }.launch()
    run.application.requestSceneSessionDestruction(run.delegate.sessions[0])
    run.open("a")
    #expect(run.calls().suffix(3) == ["2 connect a", "2 foreground", "2 active"])
    #expect(run.platform.quitStatus == nil)
  }

  #if !WITHOUT_Suspension
    @Test("A program suspended with a signal on its heels hears of them before it ends")
    func suspendedEnd() {
      let run = RequestRun { $0.manifest.suspensionPolicy = .whenAllInBackground }.launch()
      run.minimize(1)
      run.platform.advance(by: 10_000)
      var request = IncomingRequest()
      request.urls = [note("a")]
      run.source.host?.post(.request(request))
      run.platform.send(.signal(15))
      #expect(run.calls().contains("1 urls a"))
      #expect(run.platform.quitStatus == 0)
    }
  #endif

  @Test("Each URL goes to the scene that prefers it, else to the one used last; the others to a new one")
  func split() {
    let run = RequestRun().launch()
    run.newScene()
    run.newScene()
    let sessions = run.delegate.sessions
    for (session, prefix) in zip(sessions, ["note:x", "note:y", "note:z"]) {
      session.activationConditions.canActivateForTargetContentIdentifier = .prefix("note:")
      session.activationConditions.prefersToActivateForTargetContentIdentifier = .prefix(prefix)
    }
    var request = IncomingRequest()
    request.urls = ["x1", "y1", "q1", "x2"].map(note) + [URL(filePath: "/tmp/file")]
    run.program.machine.receive(request)
    let calls = run.calls(after: 1000).filter { $0.contains("urls") || $0.contains("connect") }
    #expect(calls.sorted() == ["1 urls x1,x2", "2 urls y1", "3 urls q1", "4 connect ///tmp/file"])
  }

  @Test("At a cold start they are split in the same way between the sessions that come back")
  func coldSplit() {
    let disk = CuttableDisk()
    leaveTwoSessions(on: disk)
    let second = RequestRun(disk).launch(["note:x1", "note:y1", "note:x2", "note:q"], forgets: false)
    let calls = second.calls(after: 1000).filter { $0.contains("connect") }
    #expect(calls == ["1 connect x1,x2", "2 connect y1", "3 connect q"])
    #expect(second.delegate.counts.values.allSatisfy { $0 == 1 })
  }

  @Test("Where there may be one scene alone it gets everything", arguments: [false, true])
  func single(disconnects: Bool) {
    let run = RequestRun { $0.manifest.supportsMultipleScenes = false }.launch()
    run.delegate.sessions[0].activationConditions.canActivateForTargetContentIdentifier = .none
    if disconnects { run.disconnect(1) }
    run.open("a")
    #expect(run.calls().filter { $0.contains("urls") } == ["1 urls a"])
    #expect(run.delegate.sessions.count == 1)
  }

  @Test("Asked to show nothing, the scene is called where it is, connected there if need be")
  func quiet() {
    let run = RequestRun().launch()
    run.minimize(1)
    run.open("a", quietly: true)
    #expect(run.calls(after: 10_000) == ["1 urls a"])
    run.disconnect(1)
    run.open("b", quietly: true)
    #expect(run.calls(after: 10_000) == ["1 connect", "1 urls b"])
    run.application.requestSceneSessionDestruction(run.delegate.sessions[0])
    _ = run.calls()
    run.open("c", quietly: true)
    #expect(run.calls(after: 10_000) == ["2 connect c"])
    run.open(quietly: true)
    #expect(run.calls(after: 10_000) == [])
  }

  @Test("A request for the program itself brings forward what was used last, or opens something")
  func activate() {
    let run = RequestRun().launch()
    run.newScene()
    run.minimize(2)
    run.minimize(1)
    run.open()
    #expect(run.calls() == ["1 foreground", "1 active"])
    run.disconnect(1)
    run.open()
    #expect(run.calls() == ["1 connect", "1 foreground", "1 active"])
    for session in run.delegate.sessions { run.application.requestSceneSessionDestruction(session) }
    _ = run.calls()
    run.open()
    #expect(run.calls() == ["3 connect", "3 foreground", "3 active"])
  }

  @Test("A session that cannot connect leaves them to the next one")
  func cannotConnect() {
    let run = RequestRun().launch()
    run.disconnect(1)
    run.delegate.sessions[0].configuration.makeDelegate = nil
    run.delegate.sessions[0].configuration.delegateClass = nil
    run.open("a")
    #expect(run.calls() == ["2 connect a", "2 foreground", "2 active"])
  }

  @Test("Who asks, and that a file stays where it is, is told with each URL")
  func options() {
    let run = RequestRun().launch()
    run.program.machine.open(note("a"), URL(filePath: "/tmp/b"), from: "org.example.Mail")
    let contexts = run.delegate.contexts.sorted { $0.url.absoluteString < $1.url.absoluteString }
    #expect(contexts.map(\.options.sourceApplication) == ["org.example.Mail", "org.example.Mail"])
    #expect(contexts.map(\.options.openInPlace) == [true, false])
    #expect(OpenURLContext(url: note("a")).options == Scene.OpenURLOptions())
  }

  @Test("A URL that a request names twice comes twice, and a new scene knows who asks")
  func twice() {
    let run = RequestRun().launch()
    run.open("a", "a")
    #expect(run.calls() == ["1 urls a,a"])
    run.windowID(1).map(run.platform.requestClose)
    _ = run.calls(after: 1000)
    run.program.machine.open(note("b"), note("b"), from: "org.example.Mail")
    #expect(run.calls().first == "2 connect b,b")
    #expect(run.delegate.options.last?.sourceApplication == "org.example.Mail")
    let cold = RequestRun().launch(["note:a", "note:a"], forgets: false)
    #expect(cold.calls().contains("1 connect a,a"))
    #expect(cold.delegate.options.first?.sourceApplication == nil)
  }

  @Test("A command line that asks for something impossible starts nothing, and says why")
  func impossible() {
    let run = RequestRun().launch(["note:a", "--action", "none"], forgets: false)
    #expect(run.program.status == 2)
    #expect(run.calls() == [])
    #expect(run.program.entries.contains { $0.text("message")?.contains("no action \"none\"") == true })
  }

  @Test("The user's time is told before anything is shown, and the end of it when everything has been asked for")
  func token() {
    let run = RequestRun().launch()
    run.windowID(1).map(run.platform.requestClose)
    run.platform.advance(by: 1000)
    let count = run.platform.commands.count
    run.open("a", token: "browser_TIME4711")
    let commands = run.platform.commands.dropFirst(count)
    let begin = commands.firstIndex(of: .startup(token: "browser_TIME4711"))
    let show = commands.firstIndex { if case .show(_, .activated) = $0 { true } else { false } }
    let end = commands.firstIndex(of: .startupComplete)
    #expect(begin != nil && show != nil && end != nil)
    if let begin, let show, let end { #expect(begin < show && show < end) }
    run.open("b")
    #expect(run.platform.commands.dropFirst(count).filter { $0 == .startupComplete }.count == 1)
  }

  @Test("Many at once are one call, and a line of the trace says how many, but not which")
  func many() {
    let run = RequestRun().launch()
    var request = IncomingRequest()
    request.urls = (0..<1000).map { note("\($0)") }
    request.sender = IncomingRequest.Sender(process: 7, application: "org.example.Mail")
    run.program.machine.receive(request)
    #expect(run.calls().count == 1 && run.delegate.counts.count == 1000)
    let line = run.program.entries.first { $0.kind == "system" && $0.text("name") == "request" }
    #expect(
      line?["urls"] == .int(1000) && line?.text("sender") == "org.example.Mail" && line?["process"] == .int(7))
    #expect(!run.program.entries.contains { "\($0)".contains("note:") })
  }
}
