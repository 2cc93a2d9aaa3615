import FoundationEssentials
import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore

/// Programs that the bus has started with `--background`, and the request for which it has.
@MainActor @Suite("Starts by the bus") struct BusStartTests {
  /// A request for which the bus starts a program, and the command line of a plain start that asks for the same.
  enum Kind: CaseIterable {
    case activate, open, action

    var arguments: [String] {
      switch self {
      case .activate: []
      case .open: ["note:a", "note:b"]
      case .action: ["--action", "compose"]
      }
    }
  }

  /// A program that the bus has started: it waits for the request.
  private func start(
    _ disk: CuttableDisk? = nil, _ arguments: [String] = ["--background"],
    prepare: (RequestProgram) -> Void = { _ in }
  ) -> RequestRun {
    let run = RequestRun(disk, prepare)
    run.source.onStart = { $0.post(.firstRequest(isAwaited: true)) }
    return run.launch(arguments, forgets: false)
  }

  private func receive(_ run: RequestRun, _ kind: Kind, from sender: String? = nil) {
    var request = IncomingRequest()
    request.sender = sender.map { IncomingRequest.Sender(application: $0) }
    switch kind {
    case .activate: break
    case .open: request.urls = [note("a"), note("b")]
    case .action:
      request.shortcut = run.application.resolvedManifest.shortcutItems.first { $0.type == "compose" }
    }
    run.program.machine.receive(request)
  }

  /// No request comes any more.
  private func giveUp(_ run: RequestRun) {
    run.source.host?.post(.firstRequest(isAwaited: false))
    run.platform.deliver()
  }

  private func options(_ run: RequestRun) -> LaunchOptions? { run.application.conductor?.feature(Launch.self)?.options }

  /// A disk with two sessions.
  private func saved(_ prepare: (RequestProgram) -> Void = { _ in }) -> CuttableDisk {
    let disk = CuttableDisk()
    let run = RequestRun(disk, prepare).launch()
    if !run.delegate.isAppBased { run.newScene() }
    run.platform.advance(by: 2000)
    run.platform.send(.signal(15))
    return disk
  }

  @Test("A start for a request is as a plain one that asks for the same", arguments: Kind.allCases, [false, true])
  func asPlain(kind: Kind, isAppBased: Bool) {
    let prepare: (RequestProgram) -> Void = { $0.isAppBased = isAppBased }
    let plain = RequestRun(saved(prepare), prepare).launch(kind.arguments, forgets: false)
    let expected = plain.calls(after: 10_000)
    let run = start(saved(prepare), prepare: prepare)
    #expect(run.calls(after: 1000) == [])
    #expect(run.application.conductor?.machine.phase == ApplicationMachine.Phase.notLaunched)
    receive(run, kind, from: "org.example.files")
    #expect(run.calls(after: 10_000) == expected)
    #expect(run.application.applicationState == Application.State.active)
    #expect(options(run)?.isBackground == false)
    #expect(options(run)?.sourceApplication == "org.example.files")
    #expect(options(run)?.urls == options(plain)?.urls)
    #expect(options(run)?.shortcutItem == options(plain)?.shortcutItem)
    #expect(run.delegate.contexts.allSatisfy { $0.options.sourceApplication == "org.example.files" })
    if kind != .activate, !isAppBased {
      #expect(run.delegate.options.contains { $0.sourceApplication == "org.example.files" })
    }
  }

  @Test("Where no request comes the program launches in the background, and the first one brings everything back")
  func late() {
    for kind in Kind.allCases {
      let plain = RequestRun(saved()).launch(forgets: false).calls(after: 1000)
      let run = start(saved())
      giveUp(run)
      #expect(run.calls(after: 10_000) == ["launched"])
      #expect(run.application.applicationState == .background)
      #expect(options(run)?.isBackground == true)
      receive(run, kind)
      let calls = run.calls(after: 10_000)
      #expect(calls.count { $0.hasSuffix("connect") } == 2, "\(kind): \(calls)")
      switch kind {
      case .activate: #expect(["launched"] + calls == plain)
      case .open: #expect(run.delegate.counts == ["a": 1, "b": 1], "\(calls)")
      case .action: #expect(run.delegate.items.map(\.type) == ["compose"], "\(calls)")
      }
      // And once
      run.disconnect(1)
      receive(run, .activate)
      #expect(!run.calls(after: 10_000).contains("1 connect"))
    }
  }

  @Test("A URL after a launch in the background goes to the session that prefers it, restored for it like the others")
  func lateTarget() {
    for supportsMultiple in [true, false] {
      let disk = CuttableDisk()
      let first = RequestRun(disk).launch()
      first.newScene()
      first.delegate.sessions[0].activationConditions.prefersToActivateForTargetContentIdentifier = .prefix("note:a")
      first.platform.advance(by: 2000)
      first.platform.send(.signal(15))
      let run = start(disk) { $0.manifest.supportsMultipleScenes = supportsMultiple }
      giveUp(run)
      run.open("a")
      let calls = run.calls(after: 10_000)
      #expect(calls.count { $0.hasSuffix("connect") } == (supportsMultiple ? 2 : 1), "\(calls)")
      #expect(run.delegate.counts == ["a": 1])
      #expect(run.application.connectedScenes.contains { $0.activationState == .foregroundActive })
      let identifier = first.delegate.sessions[0].persistentIdentifier
      let active = run.application.connectedScenes.first { $0.activationState == .foregroundActive }
      #expect(active?.session.persistentIdentifier == identifier)
    }
  }

  @Test("A quiet request after a launch in the background brings nothing back")
  func lateQuiet() {
    let run = start(saved())
    giveUp(run)
    run.open("a", quietly: true)
    _ = run.calls(after: 1000)
    #expect(run.application.applicationState == .background)
    receive(run, .activate)
    #expect(run.calls(after: 10_000).contains { $0.hasSuffix("active") })
    #expect(run.application.connectedScenes.count == 2)
  }

  @Test("In the app-based model nothing is told of the background first")
  func appBased() {
    let run = start { $0.isAppBased = true }
    receive(run, .open)
    #expect(run.calls(after: 10_000) == ["launched", "open a inactive", "open b inactive", "active"])
  }

  @Test("An activity is in the options; one that cannot be read is failed when the scene is there")
  func activities() {
    let run = start()
    run.program.machine.handOver(UserActivity(activityType: "edit"))
    #expect(run.calls(after: 1000) == ["launched", "1 connect edit", "1 foreground", "1 active"])
    #expect(options(run)?.handoffUserActivityType == "edit")
    let other = start()
    var request = IncomingRequest()
    request.activity = .failed(type: "edit", reason: "the test says so")
    other.program.machine.receive(request)
    let calls = other.calls(after: 10_000)
    #expect(calls.filter { $0.hasSuffix("edit") } == ["1 will edit", "1 failed edit"], "\(calls)")
    #expect(options(other)?.handoffUserActivityType == "edit")
  }

  @Test("A second start's command line is told after the launch, which it makes no other")
  func secondStart() {
    let run = start()
    run.program.machine.startAgain(["note:a"])
    let calls = run.calls(after: 1000)
    #expect(calls.prefix(2) == ["launched", "again note:a"])
    #expect(run.delegate.counts == ["a": 1])
    #expect(run.application.applicationState == .active)
  }

  @Test("What comes while the launch waits is told after it")
  func held() {
    let run = start()
    run.say(.locked, true)
    run.platform.send(.screens(run.platform.windowManager.screens))
    #expect(run.calls() == [])
    receive(run, .open)
    #expect(run.calls(after: 1000).prefix(2) == ["launched", "1 connect a,b"])
    #expect(run.application.applicationState == .background)
    run.say(.locked, false)
    #expect(run.application.applicationState == .active)
  }

  @Test("A signal ends the wait, and then the program", arguments: [2, 15] as [Int32])
  func signal(_ number: Int32) {
    let run = start(saved())
    run.platform.send(.signal(number))
    #expect(run.calls() == ["launched", "willTerminate"])
    #expect(run.platform.quitStatus == (number == 2 ? 130 : 0))
    // What it had not restored is still there
    #expect(RequestRun(saved()).launch(forgets: false).calls().count { $0.hasSuffix("connect") } == 2)
  }

  @Test("The user's time of the request counts before the windows, and launchers are told after them")
  func token() throws {
    let run = start()
    run.open("a", token: "x_TIME7")
    _ = run.calls(after: 1000)
    let commands = run.platform.commands
    let begun = try #require(commands.firstIndex(of: .startup(token: "x_TIME7")))
    let shown = try #require(commands.firstIndex { if case .show = $0 { true } else { false } })
    let complete = try #require(commands.firstIndex(of: .startupComplete))
    #expect(begun < shown && shown < complete)
    // Nor did tasks of the main queue run before
    let held = try #require(commands.firstIndex(of: .holdMainQueue(true)))
    let released = try #require(commands.firstIndex(of: .holdMainQueue(false)))
    #expect(held < released && released < shown)
  }

  @Test("A start without --background waits for nothing")
  func plain() {
    let run = start(nil, [])
    #expect(run.calls() == ["launched", "1 connect", "1 foreground", "1 active"])
    #expect(!run.platform.commands.contains(.holdMainQueue(true)))
  }
}
