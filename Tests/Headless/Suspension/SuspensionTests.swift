import FoundationEssentials
import Glibc
import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// A program that is suspended in the background, and what it hears afterwards.
@MainActor @Suite("Suspension of a program", .serialized) struct ProgramSuspensionTests {
  /// A program with one scene that may be suspended.
  private func launch(
    _ disk: CuttableDisk = CuttableDisk(), _ arguments: [String] = [],
    _ prepare: (SessionRunDelegate) -> Void = { _ in }
  ) -> SessionRun {
    SessionRun(disk) {
      $0.manifest.suspensionPolicy = .whenAllInBackground
      prepare($0)
    }.launch(arguments)
  }

  /// Its windows, in order.
  private func windows(_ run: SessionRun) -> [WindowID] {
    run.platform.windows.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// Everything out of sight, until the program is suspended.
  private func suspend(_ run: SessionRun) {
    for window in windows(run) { run.platform.minimize(window) }
    run.platform.advance(by: 6000)
    #expect(run.platform.isSuspended)
  }

  private func systemLines(_ run: SessionRun) -> [String] {
    run.program.entries.filter { $0.kind == "system" }.compactMap { $0.text("name") }
  }

  private func key(_ characters: String) -> InputEvent {
    InputEvent(.key(Key(code: 38, symbol: 97, characters: characters, isDown: true)), time: 1)
  }

  @Test("Without the policy nothing is ever suspended")
  func never() {
    let run = SessionRun(CuttableDisk()).launch()
    run.platform.minimize(windows(run)[0])
    run.platform.advance(by: 3_600_000)
    #expect(!run.platform.isSuspended && !run.platform.commands.contains(.suspend))
  }

  @Test("Suspended after the grace, in silence: nothing is called, posted or changed")
  func silence() {
    let run = launch()
    run.platform.minimize(windows(run)[0])
    // The hold of the background, and then the grace but for a moment.
    run.platform.advance(by: 250 + 4990)
    #expect(!run.platform.isSuspended && run.application.executionGate.isOpen)
    let (calls, lines) = (run.calls, run.program.golden)
    run.platform.advance(by: 20)
    #expect(run.platform.isSuspended && !run.application.executionGate.isOpen)
    #expect(run.calls == calls && run.program.golden == lines)
    #expect(systemLines(run) == ["suspended"])
    #expect(run.application.applicationState == .background && run.scenes[0].scene?.activationState == .background)
    run.platform.advance(by: 3_600_000)
    #expect(run.calls == calls && systemLines(run) == ["suspended"])
    #expect(run.platform.commands.filter { $0 == .suspend }.count == 1)
  }

  @Test("Every scene has to be out of sight, and who comes back within the grace runs on")
  func allScenes() {
    let run = launch()
    run.open()
    let (first, second) = (windows(run)[0], windows(run)[1])
    run.platform.minimize(first)
    run.platform.advance(by: 60_000)
    #expect(!run.platform.isSuspended)
    run.platform.minimize(second)
    run.platform.advance(by: 4000)
    run.platform.restore(first)
    run.platform.advance(by: 60_000)
    #expect(!run.platform.isSuspended)
    // A new grace begins.
    run.platform.minimize(first)
    run.platform.advance(by: 4000)
    #expect(!run.platform.isSuspended)
    run.platform.advance(by: 2000)
    #expect(run.platform.isSuspended)
  }

  @Test("The grace can be set, as the holds can")
  func grace() {
    let run = launch()
    run.application.holdTimes = .none
    run.platform.minimize(windows(run)[0])
    run.platform.advance(by: 0)
    #expect(run.platform.isSuspended)
  }

  @Test("A window that is shown again wakes the program before anything else happens")
  func shown() {
    let run = launch()
    suspend(run)
    let calls = run.calls.count
    run.platform.restore(windows(run)[0])
    #expect(!run.platform.isSuspended && run.application.executionGate.isOpen)
    #expect(Array(run.calls[calls...]) == ["sceneWillEnterForeground"])
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
    #expect(systemLines(run) == ["suspended", "resumed"])
    #expect(run.program.entries.last { $0.kind == "system" }?.text("cause") == "shown")
  }

  #if !WITHOUT_Memory
    @Test("A close request, the session manager, the focus and the kernel wake the program, and the grace begins anew")
    func wakers() {
      let run = launch { $0.closeReply = .cancel }
      run.application.reclaimPolicy.disconnectsUnderPressure = false
      func wakes(_ cause: String, _ wake: () -> Void) {
        suspend(run)
        let calls = run.calls.count
        wake()
        #expect(!run.platform.isSuspended, "\(cause)")
        #expect(run.program.entries.last { $0.text("name") == "resumed" }?.text("cause") == cause)
        #expect(run.scenes[0].scene?.activationState == .background, "\(cause) \(run.calls[calls...])")
      }
      wakes("closeRequested") { run.platform.requestClose(windows(run)[0]) }
      #expect(run.calls.last == "sceneShouldClose")
      wakes("sessionManager") { run.platform.send(.sessionSave(endsSession: false, mayInteract: true)) }
      #expect(
        run.platform.commands.last { if case .sessionSaved = $0 { true } else { false } }
          == .sessionSaved(success: true))
      wakes("focused") { run.platform.focus(windows(run)[0]) }
      run.platform.focus(nil)
      wakes("request") {
        run.application.conductor?.post(SystemEvent.memoryPressure(.warning))
        run.platform.deliver()
      }
      wakes("request") {
        if let session = run.scenes[0].scene?.session { run.application.requestSceneSessionRefresh(session) }
        run.platform.deliver()
      }
    }
  #endif

  @Test("A descriptor that the framework watches is looked at, and its handler alone decides whether to wake")
  func sources() throws {
    let run = launch()
    let stage = try #require(run.application.conductor)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    var heard = 0
    _ = stage.watch(
      LoopSource(descriptor: ends[0], interest: .readable) { _ in
        var byte: UInt8 = 0
        _ = read(ends[0], &byte, 1)
        heard += 1
        if byte == 2 { stage.post(SystemEvent.memoryPressure(.warning)) }
      })
    suspend(run)
    for byte in [UInt8(1), 2] {
      _ = [byte].withUnsafeBytes { write(ends[1], $0.baseAddress, 1) }
      run.platform.pollSources()
      #expect(heard == Int(byte))
      #expect(run.platform.isSuspended == (byte == 1))
    }
  }

  @Test("Resources are open again before the gate is, and what their closing changes is saved before the suspension")
  func resources() {
    final class Resource: SuspendableResource {
      var calls: [String] = []
      var onClose: () -> Void = {}
      func closeBeforeSuspension() {
        calls.append("close")
        onClose()
      }
      func reopenAfterSuspension() { calls.append(Application.shared.executionGate.isOpen ? "late" : "open") }
    }
    let disk = CuttableDisk()
    let run = launch(disk)
    let resource = Resource()
    run.application.register(resource)
    suspend(run)
    #expect(resource.calls == ["close"])
    run.platform.restore(windows(run)[0])
    #expect(resource.calls == ["close", "open"])
    resource.onClose = { run.scenes[0].scene?.session.userInfo = ["name": "closed"] }
    suspend(run)
    run.platform.send(.signal(15))
    #expect(resource.calls == ["close", "open", "close"])
    let next = SessionRun(disk).launch()
    #expect(next.application.openSessions.map { $0.userInfo?["name"] as? String } == ["closed"])
  }

  #if !WITHOUT_Memory
    @Test("Pressure that lasts wakes the program as often as it is told of it, and not between")
    func lastingPressure() throws {
      let run = launch()
      run.application.reclaimPolicy.disconnectsUnderPressure = false
      let stage = try #require(run.application.conductor)
      func press() {
        stage.post(SystemEvent.memoryPressure(.warning))
        run.platform.deliver()
      }
      suspend(run)
      press()
      #expect(!run.platform.isSuspended)
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
      press()
      #expect(run.platform.isSuspended)
      run.platform.advance(by: 6000)
      press()
      #expect(!run.platform.isSuspended)
      #expect(systemLines(run).count { $0 == "memoryWarning" } == 2)
    }
  #endif

  @Test("A window that came to a screen of another scale meanwhile keeps its points, and stays there")
  func otherScale() throws {
    let run = launch()
    var screen = HeadlessScreen("DP-1", frame: Rect(x: 1920, y: 0, width: 3840, height: 2160))
    screen.scale = 2
    run.program.desk.screens.append(screen)
    let id = try #require(windows(run).first)
    let size = try #require(run.platform.windows[id]?.frame.size)
    suspend(run)
    run.platform.move(id, to: Rect(x: 3000, y: 800, width: size.width, height: size.height))
    #expect(run.platform.isSuspended)
    run.platform.restore(id)
    let frame = try #require(run.platform.windows[id]?.frame)
    #expect(frame.size == Size(width: 2 * size.width, height: 2 * size.height))
    #expect(frame.origin == Point(x: 3000 - size.width / 2, y: 800 - size.height / 2))
  }

  @Test("What is on its way keeps the program running: a close that is asked about, a scene that is being restored")
  func onTheWay() {
    let asked = launch { $0.closeReply = .later }
    asked.platform.minimize(windows(asked)[0])
    asked.platform.requestClose(windows(asked)[0])
    asked.platform.advance(by: 60_000)
    #expect(!asked.platform.isSuspended)
    asked.scenes[0].scene?.reply(toShouldClose: false)
    asked.platform.deliver()
    asked.platform.advance(by: 6000)
    #expect(asked.platform.isSuspended)

    let ending = launch { $0.terminateReply = .later }
    ending.application.terminate()
    ending.platform.minimize(windows(ending)[0])
    ending.platform.advance(by: 20_000)
    #expect(!ending.platform.isSuspended)
    ending.application.reply(toApplicationShouldTerminate: false)
    ending.platform.deliver()
    ending.platform.advance(by: 6000)
    #expect(ending.platform.isSuspended)
  }

  @Test("What changed during the grace is saved before, and deadlines stand still until the program is woken")
  func saving() throws {
    let disk = CuttableDisk()
    let run = launch(disk)
    run.platform.minimize(windows(run)[0])
    // The hold of the background, and the grace but for less than saving waits
    run.platform.advance(by: 250 + 4900)
    run.scenes[0].scene?.session.userInfo = ["name": "late"]
    run.platform.advance(by: 150)
    #expect(run.platform.isSuspended)
    run.kill()
    let next = SessionRun(disk).launch()
    #expect(next.application.openSessions.map { $0.userInfo?["name"] as? String } == ["late"])
    #expect(next.reason() == "recover")
  }

  @Test(
    "Told to end while suspended it ends at once, without a call, and the next launch knows why",
    arguments: [
      (.signal(15), 0), (.signal(1), 0), (.signal(2), 130), (.sessionEnded, 0), (.connectionLost("gone"), 1),
    ] as [(PlatformEvent, Int32)])
  func endings(_ event: PlatformEvent, _ status: Int32) {
    // Given one that ends while it runs
    let (awake, asleep) = (CuttableDisk(), CuttableDisk())
    let running = launch(awake)
    running.platform.minimize(windows(running)[0])
    running.platform.advance(by: 1000)
    running.platform.send(event)
    #expect(running.platform.quitStatus == status)
    // When the other is suspended
    let run = launch(asleep)
    suspend(run)
    let (calls, lines) = (run.calls, run.program.golden)
    run.platform.send(event)
    // Then it has ended in the same way, but without a callback
    #expect(run.platform.quitStatus == status)
    #expect(run.calls == calls && run.program.golden == lines)
    let (one, other) = (SessionRun(awake).launch(), SessionRun(asleep).launch())
    #expect(one.reason() == other.reason())
    #expect(other.reason() != "recover")
    #expect(one.application.openSessions.count == 1 && other.application.openSessions.count == 1)
  }

  @Test("What happened meanwhile is told once for each kind, as it is then, and before any input")
  func missed() throws {
    let run = launch { $0.recordedNames?.insert("didUpdateEffectiveGeometry") }
    let window = windows(run)[0]
    var modes = 0
    let token = NotificationCenter.default.addObserver(of: Screen.self, for: .modeDidChange) { _ in modes += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    suspend(run)
    let calls = run.calls.count
    // When the screen and the window change three times
    var screen = run.platform.windowManager.screens[0]
    for width in [800, 1024, 1280] {
      screen.frame = Rect(x: 0, y: 0, width: width, height: 600)
      run.platform.send(.screens([screen]))
      run.platform.move(window, to: Rect(x: width / 10, y: 5, width: 300, height: 200))
      run.platform.send(.input(window, key("lost")))
    }
    #expect(run.platform.isSuspended && run.calls.count == calls && modes == 0)
    // And then the window is shown, and typed into in the very batch
    let levels = WindowLevels(visible: true, visibleCause: "viewable", focused: true, focusedCause: "focus-in")
    run.platform.send(.levels(window, levels), .input(window, key("a")))
    // Then each is told once
    #expect(modes == 1)
    #expect(Array(run.calls[calls...]) == ["didUpdateEffectiveGeometry", "sceneWillEnterForeground", "key a"])
    #expect(run.scenes[0].scene?.effectiveGeometry?.frame.origin == Point(x: 128, y: 5))
    #expect(run.application.screens[0].frame.size.width == 1280)
  }

  @Test("A change that was undone meanwhile is none")
  func undone() throws {
    let run = launch { $0.recordedNames?.insert("didUpdateEffectiveGeometry") }
    let window = windows(run)[0]
    var posts = 0
    let tokens = [
      NotificationCenter.default.addObserver(of: Screen.self, for: .modeDidChange) { _ in posts += 1 },
      NotificationCenter.default.addObserver(of: Screen.self, for: .didConnect) { _ in posts += 1 },
      NotificationCenter.default.addObserver(of: Screen.self, for: .didDisconnect) { _ in posts += 1 },
    ]
    defer { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
    suspend(run)
    let calls = run.calls.count
    let frame = try #require(run.platform.windows[window]?.frame)
    let other = ScreenDescription(
      name: "other", frame: Rect(x: 1920, y: 0, width: 800, height: 600), isPrimary: false)
    run.platform.send(.screens(run.platform.windowManager.screens + [other]), .screenSaver(isOn: true))
    run.platform.move(window, to: Rect(x: 700, y: 50, width: 400, height: 300))
    run.platform.send(.windowManager(.absent, cause: "gone"), .windowManager(.changing, cause: "new"))
    run.platform.send(.windowManager(.settled, cause: "settled"), .screens(run.platform.windowManager.screens))
    run.platform.move(window, to: frame)
    run.platform.send(.screenSaver(isOn: false))
    let lines = run.program.entries.count
    #expect(run.platform.isSuspended)
    run.platform.send(.levels(window, WindowLevels(visible: true, visibleCause: "viewable", focused: true)))
    #expect(Array(run.calls[calls...]) == ["sceneWillEnterForeground"])
    #expect(posts == 0)
    let told = run.program.entries[lines...].filter { $0.kind == "fact" || $0.kind == "system" }.compactMap {
      $0.text("name")
    }
    #expect(told == ["resumed", "visible", "focused"])
  }

  @Test("A clock that was set back and a lock that was undone are none; what stays is told first")
  func machine() throws {
    func time(_ day: Int, offset: Int = 0) -> CivilTime { CivilTime(day: day, offset: offset, zone: "Z", skew: 5) }
    let run = launch()
    let conductor = try #require(run.application.conductor)
    let window = windows(run)[0]
    suspend(run)
    let lines = run.program.entries.count
    func missed() -> [String] {
      run.program.entries[lines...].filter { $0.kind == "system" || $0.text("name") == "locked" }.compactMap {
        $0.text("name")
      }
    }
    conductor.post(.time(from: time(1), to: time(2)))
    conductor.post(.concealment(.locked, isOn: true, source: "a"))
    conductor.post(.concealment(.locked, isOn: false, source: "a"))
    conductor.post(.time(from: time(2), to: time(1)))
    #expect(run.platform.isSuspended)
    run.platform.restore(window)
    #expect(missed() == ["resumed"])
    suspend(run)
    conductor.post(.time(from: time(1), to: time(2)))
    conductor.post(.concealment(.locked, isOn: true, source: "a"))
    conductor.post(.time(from: time(2), to: time(2, offset: 3600)))
    #expect(run.platform.isSuspended && missed() == ["resumed", "suspended"])
    run.platform.restore(window)
    #expect(missed() == ["resumed", "suspended", "resumed", "locked", "timeChange"])
    // The program knows that the user is away: that he is back it has to hear. And a machine that sleeps waits.
    run.platform.advance(by: 6000)
    #expect(run.platform.isSuspended)
    conductor.post(.concealment(.locked, isOn: false, source: "a"))
    run.platform.deliver()
    #expect(!run.platform.isSuspended)
    suspend(run)
    conductor.post(.concealment(.sleeping, isOn: true, source: "a"))
    run.platform.deliver()
    #expect(!run.platform.isSuspended)
  }

  @Test("Resources are closed from the last to the first, opened again in order, and each once")
  func resourceOrder() {
    final class Resource: SuspendableResource {
      let name: String
      init(_ name: String) { self.name = name }
      func closeBeforeSuspension() {}
      func reopenAfterSuspension() {}
    }
    func names(_ resources: [any SuspendableResource]) -> [String] { resources.compactMap { ($0 as? Resource)?.name } }
    let (socket, lock) = (Resource("socket"), Resource("lock"))
    let resources = SuspendableResources()
    for resource in [socket, lock, socket] { resources.add(resource) }
    #expect(names(resources.beginOpening()) == [])
    #expect(names(resources.beginClosing()) == ["lock", "socket"])
    #expect(names(resources.beginClosing()) == [])
    #expect(names(resources.beginOpening()) == ["socket", "lock"])
    #expect(names(resources.beginOpening()) == [])
    resources.remove(lock)
    #expect(names(resources.beginClosing()) == ["socket"])
  }

  @Test("A callback that takes longer than a frame with what was missed is named, and no other")
  func slow() {
    let run = launch { $0.recordedNames?.insert("didUpdateEffectiveGeometry") }
    var cost = 17
    run.delegate.onCall = { [unowned run] in
      if $0 == "didUpdateEffectiveGeometry" { run.platform.spend(milliseconds: cost) }
    }
    for isSlow in [true, false] {
      cost = isSlow ? 17 : 15
      suspend(run)
      let lines = run.program.entries.count
      run.platform.move(windows(run)[0], to: Rect(x: cost, y: 5, width: 300, height: 200))
      run.platform.restore(windows(run)[0])
      let named = run.program.entries[lines...].filter { $0.text("name") == "slowHandler" }
      #expect(named.map { $0.text("handler") } == (isSlow ? ["windowScene(_:didUpdateEffectiveGeometry:)"] : []))
    }
  }

  @Test("Launched into the background: background in both callbacks, nothing mapped, and suspended after the grace")
  func background() {
    var states: [ApplicationState] = []
    let run = launch(CuttableDisk(), ["--background"]) { delegate in
      delegate.onLaunch = { states.append(Application.shared.applicationState) }
    }
    #expect(states == [.background, .background])
    #expect(run.platform.windows.isEmpty && run.scenes.isEmpty)
    run.platform.advance(by: 6000)
    #expect(run.platform.isSuspended)
    // An activation wakes it and shows the first scene.
    run.open()
    #expect(!run.platform.isSuspended && run.scenes[0].scene?.activationState == .foregroundActive)
  }

  @Test(
    "A session of an earlier run that the system asks for connects in the background, unmapped, until it is activated")
  func systemRequested() throws {
    let disk = CuttableDisk()
    launch(disk).end()
    let run = launch(disk, ["--background"])
    let session = try #require(run.application.openSessions.first)
    run.application.requestSceneSessionRefresh(session)
    run.platform.deliver()
    run.platform.advance(by: 100)
    #expect(run.scenes[0].scene?.activationState == .background)
    #expect(run.platform.windows.values.allSatisfy { !$0.isMapped })
    #expect(run.application.applicationState == .background)
    run.platform.advance(by: 12_000)
    #expect(run.platform.isSuspended)
    #expect(run.calls.filter { $0 == "sceneWillEnterForeground" } == [])
    // Showing comes later.
    run.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
    run.platform.deliver()
    run.platform.advance(by: 100)
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
    #expect(run.platform.windows.values.allSatisfy { $0.isMapped })
  }
}
