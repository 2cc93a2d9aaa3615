import CSystem
import ProsceniumDesktop
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle
import Testing

@testable import ProsceniumCore

/// What a debug build reports of work in the background.
@MainActor @Suite("Conduct in the background", .serialized) struct ConductTests {
  @Test("Work stops when the scene resigns and goes on when it is active, in pairs")
  func whileActive() throws {
    let run = TaskProgram().launch()
    let scene = try #require(run.window?.windowScene)
    var calls: [String] = []
    let work = scene.whileActive {
      calls.append("start")
    } stop: {
      calls.append("stop")
    }
    #expect(calls == ["start"] && work.isRunning)
    run.program.desk.focus(nil)
    run.platform.advance(by: 200)
    #expect(calls == ["start", "stop"] && !work.isRunning)
    run.minimize()
    run.restore()
    #expect(calls == ["start", "stop", "start"])
    work.cancel()
    #expect(calls == ["start", "stop", "start", "stop"])
    run.minimize()
    run.restore()
    #expect(calls.count == 4)
  }

  @Test("What is the user's to resume waits for that, also in the active scene")
  func byUser() throws {
    let run = TaskProgram().launch()
    let scene = try #require(run.window?.windowScene)
    var calls: [String] = []
    let work = scene.whileActive(resumption: .byUser) {
      calls.append("start")
    } stop: {
      calls.append("stop")
    }
    run.minimize()
    // Asked for in the background, it begins in the foreground.
    run.restore()
    #expect(calls == ["start", "stop"] && work.isWaitingForUser)
    work.resume()
    #expect(calls == ["start", "stop", "start"])
    work.pause()
    run.minimize()
    work.resume()
    #expect(calls == ["start", "stop", "start", "stop"])
    run.restore()
    #expect(calls == ["start", "stop", "start", "stop", "start"])
  }

  @Test("A task is cancelled and begun anew")
  func task() async throws {
    let run = TaskProgram().launch()
    let scene = try #require(run.window?.windowScene)
    var calls: [String] = []
    scene.whileActive {
      calls.append("begins")
      while !Task.isCancelled { await Task.yield() }
      calls.append("cancelled")
    }
    while calls.count < 1 { await Task.yield() }
    run.minimize()
    while calls.count < 2 { await Task.yield() }
    run.restore()
    while calls.count < 3 { await Task.yield() }
    run.platform.send(.signal(15))
    while calls.count < 4 { await Task.yield() }
    #expect(calls == ["begins", "cancelled", "begins", "cancelled"])
  }

  @Test("A scene that is disconnected has its work stopped, and lets it go")
  func disconnected() throws {
    final class Captured {}
    let run = TaskProgram().launch()
    weak var captured: Captured?
    var stops = 0
    do {
      let scene = try #require(run.window?.windowScene)
      let held = Captured()
      captured = held
      scene.whileActive {
        _ = held
      } stop: {
        stops += 1
      }
    }
    #expect(captured != nil)
    run.endsAfterLastScene = false
    run.program.desk.close(try #require(run.window))
    #expect(stops == 1 && captured == nil)
  }

  @Test("A program that exits on suspension ends when its last scene goes to the background, after its tasks")
  func exits() {
    let run = TaskProgram()
    run.manifest.exitsOnSuspend = true
    run.launch()
    let task = run.application.beginBackgroundTask(withName: "saving")
    run.minimize()
    run.platform.advance(by: 1000)
    #expect(run.calls == ["sceneDidEnterBackground"] && run.platform.quitStatus == nil)
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(
      run.calls == ["sceneDidEnterBackground", "sceneDidDisconnect", "applicationWillTerminate"]
        && run.platform.quitStatus == 0)
  }

  @Test("Launched into the background it stays until it has been seen")
  func exitsAfterBackgroundLaunch() throws {
    let run = TaskProgram()
    run.manifest.exitsOnSuspend = true
    run.launch(["--background"])
    run.platform.advance(by: 5000)
    #expect(run.platform.quitStatus == nil)
    run.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 100)
    run.minimize()
    run.platform.deliver()
    #expect(run.platform.quitStatus == 0)
  }

  @Test("Grabs and the screen's wakefulness are given up in the background, and the latter comes back")
  func restraint() {
    let run = TaskProgram().launch()
    func taken() -> [PlatformCommand] {
      run.platform.commands.filter {
        switch $0 {
        case .releaseGrabs, .suspendScreenSaver: true
        default: false
        }
      }
    }
    #expect(taken() == [])
    run.application.isIdleTimerDisabled = true
    #expect(taken() == [.suspendScreenSaver(true)])
    run.minimize()
    #expect(taken() == [.suspendScreenSaver(true), .releaseGrabs, .suspendScreenSaver(false)])
    run.application.isIdleTimerDisabled = true
    run.restore()
    run.application.isIdleTimerDisabled = false
    run.minimize()
    #expect(
      taken() == [
        .suspendScreenSaver(true), .releaseGrabs, .suspendScreenSaver(false), .suspendScreenSaver(true),
        .suspendScreenSaver(false), .releaseGrabs,
      ])
  }

  @Test("A frame in the background is refused, and named once")
  func frames() throws {
    let run = TaskProgram().launch()
    let window = try #require(run.window)
    window.setNeedsDisplay()
    run.platform.advance(by: 100)
    #expect(run.platform.drawCount == 1 && window.mayPresentFrame())
    run.minimize()
    for _ in 0..<3 { #expect(!window.mayPresentFrame()) }
    let id = try #require(window.id)
    let now = Duration.seconds(run.platform.now)
    run.platform.send(.frame(id, FrameTiming(timestamp: now, targetTimestamp: now)))
    #expect(run.platform.drawCount == 1)
    let lines = run.program.entries.filter { $0.text("name") == "presentFrame" }
    #expect(lines.count == 1 && lines.first?.text("outcome")?.hasPrefix("refused") == true)
    run.restore()
    run.platform.advance(by: 100)
    #expect(window.mayPresentFrame() && run.platform.drawCount == 2)
    // Nor is one shown on a server that has gone, which is not the program's fault.
    run.platform.isConnected = false
    #expect(!window.mayPresentFrame())
    #expect(run.program.entries.count { $0.text("name") == "presentFrame" } == 1)
  }

  @Test("A busy program is named once for each stay in the background, and never with a task open")
  func busy() throws {
    let run = TaskProgram().launch()
    let process = LinuxProcess()
    run.application.host.process = process
    run.application.conductor?.feature(BackgroundReport.self)?.isOn = true
    run.application.isIdleTimerDisabled = true
    run.minimize()
    // Work for more than a tenth of what the platform's clock is going to say.
    var sum = 0.0
    // The time of this thread alone: tests on other threads use theirs.
    func used() -> Double { process.threadTimes()[linux_thread()]?.seconds ?? 0 }
    let start = used()
    while used() - start < 0.8 {
      for number in 1...100_000 { sum += 1 / Double(number) }
    }
    #expect(sum > 0)
    run.platform.advance(by: 5100)
    #expect(run.errors.count == 1)
    #expect(run.errors.first?.contains("% of a core") == true)
    #expect(run.errors.first?.contains("isIdleTimerDisabled") == true)
    run.platform.advance(by: 60_000)
    #expect(run.errors.count == 1 && run.application.conductor?.pendingDeadlines == 0)
    // With a task open nothing is reported.
    run.restore()
    let task = run.application.beginBackgroundTask()
    run.minimize()
    run.platform.advance(by: 6000)
    #expect(run.errors.count == 1)
    run.application.isIdleTimerDisabled = false
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    run.platform.advance(by: 6000)
    #expect(run.errors.count == 1 && run.application.conductor?.pendingDeadlines == 0)
  }
}
