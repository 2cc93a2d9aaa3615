import FoundationEssentials
import ProsceniumTesting
import SceneLifecycle
import TestSupport
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// What other programs ask for in the app-based model.
@MainActor @Suite("URLs of other programs, app-based") struct AppBasedRequestTests {
  private func launch(_ arguments: [String] = [], _ prepare: (RequestProgram) -> Void = { _ in }) -> RequestRun {
    RequestRun {
      $0.isAppBased = true
      prepare($0)
    }.launch(arguments, forgets: false)
  }

  /// Launched, with the one window out of sight.
  private func minimized() throws -> RequestRun {
    let run = launch()
    run.platform.minimize(try #require(run.platform.windows.keys.first))
    run.platform.advance(by: 1000)
    run.delegate.calls = []
    return run
  }

  @Test("Those of the launch come one by one, after didFinishLaunching, while the program is inactive")
  func cold() {
    let run = launch(["note:a", "note:b"])
    #expect(run.calls() == ["launched", "open a inactive", "open b inactive", "active"])
  }

  @Test(
    "A launch callback that returns false has handled those of the launch", arguments: [(false, true), (true, false)])
  func handled(_ answers: (Bool, Bool)) {
    let run = launch(["note:a"]) { $0.launches = answers }
    #expect(run.calls() == ["launched", "active"])
    run.open("b")
    #expect(run.calls() == ["open b active"])
  }

  @Test("A launch into the background hears of them, too")
  func coldBackground() {
    let run = launch(["--background", "note:a"]) { $0.showsWindows = false }
    #expect(run.calls() == ["launched", "open a background", "background"])
  }

  @Test("A program in the background comes to the foreground, is called, and becomes active")
  func background() throws {
    let run = try minimized()
    run.open("a")
    #expect(run.calls() == ["foreground", "open a inactive", "active"])
  }

  @Test("Not shown, it is called all the same, and before it ends")
  func neverShown() throws {
    let run = try minimized()
    run.platform.windowManager.showsAtOnce = false
    run.platform.windowManager.obeysActivation = false
    run.open("a")
    #expect(run.calls(after: 4900) == [])
    #expect(run.calls(after: 200) == ["open a background"])
    run.open("b")
    run.application.terminate()
    #expect(run.calls() == ["open b background", "willTerminate"])
  }

  @Test("Without its window it is called at once, and asked for itself it shows that again")
  func closed() throws {
    let run = launch()
    run.platform.requestClose(try #require(run.platform.windows.keys.first))
    _ = run.calls(after: 1000)
    run.open("a")
    #expect(run.calls() == ["open a background"])
    run.open()
    #expect(run.calls() == ["foreground", "active"])
  }

  @Test("Asked for itself it comes to the foreground")
  func activate() throws {
    let run = try minimized()
    run.open()
    #expect(run.calls() == ["foreground", "active"])
  }

  @Test("Activities: announced, and then either continued or failed")
  func activities() throws {
    let run = try minimized()
    run.program.machine.handOver(UserActivity(activityType: "edit"))
    #expect(run.calls() == ["foreground", "will edit", "continue edit", "restored edit", "active"])
    var request = IncomingRequest()
    request.activity = .failed(type: "edit", reason: "it is too big")
    run.program.machine.receive(request)
    #expect(run.calls() == ["will edit", "failed edit"])
    #expect("\(try #require(run.delegate.errors.first))".contains("too big"))
  }
}

extension AppBasedRequestTests {
  @Test("An activity that the program does not go on with has not been continued; its page is opened elsewhere")
  func notContinued() {
    let run = launch { $0.performs = false }
    let desktop = RequestTests.Desktop()
    run.application.desktop = desktop
    _ = run.calls()
    let activity = UserActivity(activityType: "read")
    run.program.machine.handOver(activity)
    #expect(run.calls() == ["will read", "continue read"] && desktop.opened.isEmpty)
    for (page, isOpened) in [("https://example.org/a", true), ("file:///etc/passwd", false)] {
      activity.webpageURL = URL(string: page)
      desktop.opened = []
      run.program.machine.handOver(activity)
      #expect(run.calls() == ["will read", "continue read"])
      #expect(desktop.opened.map(\.url.absoluteString) == (isOpened ? [page] : []))
    }
    run.delegate.performs = true
    desktop.opened = []
    run.program.machine.handOver(activity)
    #expect(desktop.opened.isEmpty)
  }
}

/// Activities of other instances, command lines of second starts, and what the program asks of the desktop.
@MainActor @Suite("Other requests of programs") struct RequestTests {
  private func failed() -> IncomingRequest {
    var request = IncomingRequest()
    request.activity = .failed(type: "edit", reason: "it is too big")
    return request
  }

  @Test("An activity goes to the scene that its target is for: announced, and continued, on the way to the foreground")
  func activity() {
    let run = RequestRun().launch()
    run.newScene()
    run.delegate.sessions[0].activationConditions.prefersToActivateForTargetContentIdentifier = .equals("letter")
    run.minimize(1)
    let activity = UserActivity(activityType: "edit")
    activity.targetContentIdentifier = "letter"
    activity.userInfo = ["line": 7]
    run.program.machine.handOver(activity)
    #expect(
      run.calls().filter { $0.hasPrefix("1") } == ["1 foreground", "1 will edit", "1 continue edit", "1 active"])
    #expect(run.delegate.activities.first?.userInfo?["line"] as? Int == 7)
    // Without a target it is for the scene that was used last.
    run.program.machine.handOver(UserActivity(activityType: "read"))
    #expect(run.calls() == ["1 will read", "1 continue read"])
  }

  @Test("One that cannot be used is announced, and fails; a new scene knows its kind beforehand")
  func failure() {
    let run = RequestRun().launch()
    run.program.machine.receive(failed())
    #expect(run.calls() == ["1 will edit", "1 failed edit"])
    run.application.requestSceneSessionDestruction(run.delegate.sessions[0])
    _ = run.calls()
    run.program.machine.receive(failed())
    #expect(run.calls() == ["2 connect edit", "2 foreground", "2 will edit", "2 failed edit", "2 active"])
    #expect(run.delegate.options.last?.handoffUserActivityType == "edit")
  }

  @Test(
    "A new scene has the activity in its options, or hears of it where the program replays", arguments: [false, true])
  func newScene(replays: Bool) {
    let run = RequestRun { $0.manifest.replaysConnectionPayloads = replays }.launch()
    run.application.requestSceneSessionDestruction(run.delegate.sessions[0])
    _ = run.calls()
    run.program.machine.handOver(UserActivity(activityType: "edit"))
    let told = ["2 connect", "2 foreground", "2 will edit", "2 continue edit", "2 active"]
    #expect(run.calls() == (replays ? told : ["2 connect edit", "2 foreground", "2 active"]))
    #expect(run.delegate.options.last?.userActivities.count == (replays ? 0 : 1))
  }

  @Test("An own request's activity is not announced, and comes on the way to the foreground")
  func own() {
    let run = RequestRun().launch()
    run.minimize(1)
    run.application.activateSceneSession(
      for: SceneSessionActivationRequest(
        session: run.delegate.sessions[0], userActivity: UserActivity(activityType: "edit")))
    #expect(run.calls() == ["1 foreground", "1 continue edit", "1 active"])
  }

  @Test("The command line of a second start comes before any scene is called, once")
  func secondLaunch() {
    let run = RequestRun().launch()
    run.minimize(1)
    var request = IncomingRequest()
    request.arguments = ["--line", "7", "note:a"]
    request.directory = "/home"
    request.sender = IncomingRequest.Sender(process: 12)
    request.urls = [note("a")]
    run.program.machine.receive(request)
    #expect(run.calls() == ["again --line 7 note:a", "1 foreground", "1 urls a", "1 active"])
    #expect(
      run.delegate.launchesAgain == [
        SecondLaunch(arguments: ["--line", "7", "note:a"], directory: "/home", process: 12)
      ])
    run.program.machine.startAgain(["--background"])
    run.open()
    #expect(run.calls() == ["again --background"])
  }

  // MARK: What the program asks of the desktop

  @MainActor final class Desktop: DesktopLink {
    var asked: [Bool] = []
    var opened: [(url: URL, token: String?, completion: @MainActor (Bool) -> Void)] = []
    var activities: [StoredActivity] = []
    var result: Result<Void, DesktopFailure> = .success(())
    func open(
      _ url: URL, asksUser: Bool, token: String?, completion: @escaping @MainActor (Bool) -> Void
    ) {
      asked.append(asksUser)
      opened.append((url, token, completion))
    }
    nonisolated func canOpen(_ url: URL) -> Bool { url.scheme == "note" }
    func handOff(
      _ activity: StoredActivity, token: String?,
      completion: @escaping @MainActor (Result<Void, DesktopFailure>) -> Void
    ) {
      activities.append(activity)
      completion(result)
    }
  }

  @Test("A URL is opened by the desktop, with the user's time; without a desktop it is not opened")
  func open() {
    let run = RequestRun().launch()
    var answers: [Bool] = []
    run.application.open(note("a")) { answers.append($0) }
    #expect(answers == [] && !run.application.canOpenURL(note("a")))
    run.platform.deliver()
    #expect(answers == [false])
    let desktop = Desktop()
    run.application.desktop = desktop
    run.platform.userTime = 4711
    #expect(run.application.canOpenURL(note("a")) && !run.application.canOpenURL(URL(filePath: "/tmp")))
    run.application.scenesByActivity.first?.open(note("b")) { answers.append($0) }
    run.platform.deliver()
    #expect(desktop.opened.map(\.url) == [note("b")] && desktop.opened.first?.token == "headless_TIME4711")
    #expect(answers == [false])
    desktop.opened.first?.completion(true)
    run.platform.deliver()
    #expect(answers == [false, true])
    // With the user's choice, and without a program that could take it
    run.application.open(note("c"), options: Scene.OpenExternalURLOptions(asksUser: true))
    #expect(desktop.asked == [false, true])
    run.application.open(note("d"), options: Scene.OpenExternalURLOptions(universalLinksOnly: true)) {
      answers.append($0)
    }
    run.platform.deliver()
    #expect(answers == [false, true, false] && desktop.opened.count == 2)
  }

  @MainActor final class Author: UserActivityDelegate {
    var calls: [String] = []
    func userActivityWillSave(_ userActivity: UserActivity) {
      calls.append("willSave")
      userActivity.addUserInfoEntries(from: ["line": 7])
    }
    func userActivityWasContinued(_ userActivity: UserActivity) { calls.append("wasContinued") }
  }

  @Test("An activity is handed off as it is now, and its delegate hears when it was taken")
  func handOff() throws {
    let run = RequestRun().launch()
    let activity = UserActivity(activityType: "edit")
    let author = Author()
    activity.delegate = author
    var errors: [(any Error)?] = []
    run.application.handOff(activity) { errors.append($0) }
    run.platform.deliver()
    #expect("\(try #require(errors.first ?? nil))".contains("no bus") && author.calls == [])
    let desktop = Desktop()
    run.application.desktop = desktop
    run.application.handOff(activity) { errors.append($0) }
    #expect(errors.count == 1)
    run.platform.deliver()
    #expect(errors.count == 2 && errors.last.flatMap { $0 } == nil)
    #expect(author.calls == ["willSave", "wasContinued"])
    #expect(desktop.activities.first?.userInfo?.count == 1)
    desktop.result = .failure(DesktopFailure("nobody is there"))
    run.application.handOff(activity) { errors.append($0) }
    run.platform.deliver()
    #expect("\(try #require(errors.last ?? nil))".contains("nobody is there"))
    activity.isEligibleForHandoff = false
    run.application.handOff(activity) { errors.append($0) }
    run.platform.deliver()
    #expect(errors.count == 4 && desktop.activities.count == 2)
  }

  // MARK: Any order

  @Test(
    "Whatever happens to the scenes, each URL and each item is handed over exactly once",
    arguments: testSeeds(40, test: "anyOrder"))
  func anyOrder(seed: UInt64) {
    var random = SeededNumbers(seed)
    let isAppBased = seed % 8 == 7
    let disk = CuttableDisk()
    if seed % 3 == 0, !isAppBased {
      let earlier = RequestRun(disk).launch()
      earlier.newScene()
      if seed % 2 == 0 { earlier.platform.client = nil } else { earlier.application.terminate() }
      earlier.platform.deliver()
    }
    let run = RequestRun(disk) {
      $0.isAppBased = isAppBased
      $0.manifest.replaysConnectionPayloads = seed % 2 == 0
      $0.manifest.supportsMultipleScenes = seed % 5 != 0
      #if !WITHOUT_Suspension
        $0.manifest.suspensionPolicy = seed % 3 == 0 ? .whenAllInBackground : .never
      #endif
      $0.endsAfterLastScene = seed % 7 == 0
    }
    var (sent, itemsSent) = (0, 0)
    func names(_ count: Int) -> [String] {
      sent += count
      return (sent - count..<sent).map { ["x", "y", "z"][$0 % 3] + "\($0)" }
    }
    run.delegate.onConnect = { scene in
      let prefix = "note:" + ["x", "y", "z"][run.delegate.sessions.count % 3]
      if Bool.random(using: &random) {
        scene.scene?.activationConditions.canActivateForTargetContentIdentifier = .prefix(prefix)
      } else if Bool.random(using: &random) {
        scene.scene?.activationConditions.prefersToActivateForTargetContentIdentifier = .prefix(prefix)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { scene.scene?.extendStateRestoration() }
    }
    run.delegate.onCall = { call in
      guard call.description.contains(" urls ") else { return }
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let open = run.delegate.sessions.filter { run.application.openSessions.contains($0) }
        open.randomElement(using: &random).map { run.application.requestSceneSessionDestruction($0) { _ in } }
      case 1: run.application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in }
      case _: break
      }
    }
    run.launch((seed % 4 == 0 ? ["--background"] : []) + names(Int(seed % 3)).map { "note:" + $0 })
    for _ in 0..<60 where run.platform.quitStatus == nil {
      let window = run.platform.windows.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
      let session = run.delegate.sessions.filter { run.application.openSessions.contains($0) }
        .randomElement(using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0...3:
        guard run.application.conductor?.acceptsRequests == true else { continue }
        var request = IncomingRequest()
        request.urls = names(Int.random(in: 1..<4, using: &random)).map(note)
        request.isBackground = Int.random(in: 0..<4, using: &random) == 0
        if Bool.random(using: &random) {
          itemsSent += 1
          let target = Bool.random(using: &random) ? "note:x" : nil
          request.shortcut = ApplicationShortcutItem(
            type: "\(itemsSent)", localizedTitle: "x", targetContentIdentifier: target)
        }
        run.source.host?.post(.request(request))
        if Bool.random(using: &random) { run.platform.deliver() }
      case 4, 5: window.map(run.platform.minimize)
      case 6: window.map(run.platform.restore)
      case 7: run.platform.focus(window)
      case 8: window.map(run.platform.requestClose)
      case 9: session.map { run.application.requestSceneDisconnection($0) { _ in } }
      case 10: window.map(run.platform.destroyForeign)
      case 11: run.say(.locked, Bool.random(using: &random))
      case 12:
        run.platform.windowManager.showsAtOnce.toggle()
        run.platform.windowManager.obeysActivation = run.platform.windowManager.showsAtOnce
      case 13: run.application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in }
      case _: run.platform.advance(by: [10, 300, 2000, 7000].randomElement(using: &random) ?? 0)
      }
    }
    // Every way to end hands over what is left.
    switch seed % 3 {
    case 0: run.platform.send(.signal(15))
    case 1: run.application.terminate()
    case _: run.platform.send(.connectionLost("gone"))
    }
    run.platform.deliver()
    run.platform.advance(by: 20_000)
    #expect(run.platform.quitStatus != nil)
    let once = Dictionary(uniqueKeysWithValues: (0..<sent).map { (["x", "y", "z"][$0 % 3] + "\($0)", 1) })
    #expect(run.delegate.items.compactMap { Int($0.type) }.sorted() == Array(1..<itemsSent + 1))
    #expect(run.delegate.counts == once, "lost: \(Set(once.keys).subtracting(run.delegate.counts.keys).sorted())")
  }
}
