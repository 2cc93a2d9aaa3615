import FoundationEssentials
import Glibc
import ProsceniumLoop
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle
import Synchronization
import Testing

@testable import ProsceniumCore

/// A program whose windows come and go.
@MainActor final class TaskProgram: RecordingDelegate {
  let program = HeadlessProgram()
  let inhibitor = CountingInhibitor()
  var application: Application { program.application }
  var platform: HeadlessPlatform { program.platform }

  override init() {
    super.init()
    numbersScenes = false
    recordedNames = ["sceneDidEnterBackground", "sceneDidDisconnect", "applicationWillTerminate"]
  }
  override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? { DelegateCall(call.name) }

  @discardableResult func launch(_ arguments: [String] = []) -> TaskProgram {
    program.launch(self, arguments: arguments)
    application.conductor?.sleepInhibitor = inhibitor
    platform.advance(by: 100)
    return self
  }

  var window: Window? { application.connectedScenes.compactMap { ($0 as? WindowScene)?.windows.first }.first }

  func minimize() {
    if let window { program.desk.minimize(window) }
    platform.advance(by: 300)
  }

  func restore() {
    if let window { program.desk.restore(window) }
    platform.deliver()
  }

  var errors: [String] { program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }
}

/// Tasks that are finished in the background.
@MainActor @Suite("Background tasks", .serialized) struct BackgroundTaskTests {
  @Test("There is no limit in the foreground, and thirty seconds in the background that run while a task is open")
  func time() {
    let run = TaskProgram().launch()
    let application = run.application
    #expect(application.backgroundTimeRemaining == .greatest)
    let task = application.beginBackgroundTask(withName: "saving")
    #expect(task != .invalid)
    run.platform.advance(by: 100_000)
    #expect(application.backgroundTimeRemaining == .greatest)
    run.minimize()
    let first = application.backgroundTimeRemaining.seconds
    #expect(first <= 30 && first > 29)
    run.platform.advance(by: 10_000)
    #expect(abs(application.backgroundTimeRemaining.seconds - (first - 10)) < 0.001)
    application.endBackgroundTask(task)
    run.platform.advance(by: 60_000)
    #expect(abs(application.backgroundTimeRemaining.seconds - (first - 10)) < 0.001)
    // The rest is for the next task.
    let next = application.beginBackgroundTask()
    run.platform.advance(by: 5000)
    #expect(abs(application.backgroundTimeRemaining.seconds - (first - 15)) < 0.001)
    application.endBackgroundTask(next)
    run.restore()
    #expect(application.backgroundTimeRemaining == .greatest)
    run.minimize()
    #expect(application.backgroundTimeRemaining.seconds == 30)
    #expect(run.inhibitor.calls == ["inhibit", "release", "inhibit", "release"])
    #expect(run.errors.isEmpty)
  }

  @Test("Handlers are called in the order of the tasks just before the end; what stays open is named and holds nothing")
  func expiry() throws {
    let run = TaskProgram().launch()
    let application = run.application
    let tasks = Mutex<[BackgroundTaskIdentifier]>([])
    for name in ["first", "second", "third"] {
      let index = tasks.withLock { $0.count }
      let task = application.beginBackgroundTask(withName: name) {
        MainActor.assumeIsolated {
          run.calls.append(DelegateCall(name))
          if name != "second" { application.endBackgroundTask(tasks.withLock { $0[index] }) }
        }
      }
      tasks.withLock { $0.append(task) }
    }
    run.minimize()
    run.platform.advance(by: 28_500)
    #expect(run.calls == ["sceneDidEnterBackground"])
    run.platform.advance(by: 500)
    #expect(run.calls == ["sceneDidEnterBackground", "first", "second", "third"])
    #expect(application.hasBackgroundTasks == true && run.errors.isEmpty)
    #expect(application.beginBackgroundTask() == .invalid)
    run.platform.advance(by: 1000)
    #expect(application.hasBackgroundTasks == false)
    #expect(application.backgroundTimeRemaining.seconds == 0)
    #expect(run.errors.count == 1 && run.errors[0].contains("\"second\""))
    #expect(run.calls == ["sceneDidEnterBackground", "first", "second", "third"])
    #expect(run.inhibitor.calls == ["inhibit", "release"])
    // Ended too late: harmless, and logged.
    application.endBackgroundTask(tasks.withLock { $0[1] })
    run.platform.deliver()
    #expect(run.errors.count == 2 && run.errors[1].contains("its time was over"))
    run.restore()
    #expect(application.beginBackgroundTask() != .invalid)
  }

  @Test("A handler that ends another's task spares it the call")
  func endedByAnother() {
    let run = TaskProgram().launch()
    let application = run.application
    let second = Mutex(BackgroundTaskIdentifier.invalid)
    let first = Mutex(BackgroundTaskIdentifier.invalid)
    let one = application.beginBackgroundTask(withName: "one") {
      application.endBackgroundTask(second.withLock { $0 })
      application.endBackgroundTask(first.withLock { $0 })
    }
    first.withLock { $0 = one }
    let two = application.beginBackgroundTask(withName: "two") { run.calls.append("two") }
    second.withLock { $0 = two }
    run.minimize()
    run.platform.advance(by: 40_000)
    #expect(run.calls == ["sceneDidEnterBackground"] && run.errors.isEmpty)
    #expect(application.conductor?.pendingDeadlines == 0)
  }

  @Test("A return to the foreground after the warning makes the time whole; no handler is called twice")
  func returnAfterWarning() {
    let run = TaskProgram().launch()
    let task = run.application.beginBackgroundTask(withName: "slow") { run.calls.append("expires") }
    run.minimize()
    run.platform.advance(by: 29_000)
    run.restore()
    #expect(run.application.backgroundTimeRemaining == .greatest)
    run.platform.advance(by: 5000)
    run.minimize()
    #expect(run.application.backgroundTimeRemaining.seconds > 29)
    run.platform.advance(by: 29_500)
    #expect(run.calls == ["sceneDidEnterBackground", "expires", "sceneDidEnterBackground"])
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.errors.isEmpty)
  }

  @Test("A double end and an unknown task are harmless and logged; no task at all is passed over")
  func mistakes() {
    let run = TaskProgram().launch()
    let task = run.application.beginBackgroundTask()
    run.application.endBackgroundTask(task)
    run.application.endBackgroundTask(task)
    for number in [4711, -3, .min, .max] {
      run.application.endBackgroundTask(BackgroundTaskIdentifier(rawValue: number))
    }
    run.application.endBackgroundTask(.invalid)
    run.platform.deliver()
    #expect(run.errors.count == 5)
    #expect(run.errors.first?.contains("ended before") == true)
    #expect(run.errors.dropFirst().allSatisfy { $0.contains("never begun") })
    // A flood of them is cut short.
    for _ in 0..<10_000 { run.application.endBackgroundTask(task) }
    run.platform.deliver()
    #expect(run.errors.count == 105)
  }

  @Test("A task keeps a program whose last scene was closed, exactly until it ends")
  func lastScene() throws {
    let run = TaskProgram().launch()
    let task = run.application.beginBackgroundTask(withName: "upload")
    run.program.desk.close(try #require(run.window))
    run.platform.advance(by: 20_000)
    #expect(run.platform.quitStatus == nil && run.calls == ["sceneDidEnterBackground", "sceneDidDisconnect"])
    run.application.endBackgroundTask(task)
    #expect(run.platform.quitStatus == nil)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 0 && run.calls.last == "applicationWillTerminate")
  }

  @Test("It keeps it no longer than its time lasts")
  func lastSceneExpiry() throws {
    let run = TaskProgram().launch()
    let task = run.application.beginBackgroundTask(withName: "upload")
    run.program.desk.close(try #require(run.window))
    run.platform.advance(by: 29_900)
    #expect(run.platform.quitStatus == nil)
    run.platform.advance(by: 200)
    #expect(run.platform.quitStatus == 0)
    #expect(run.errors.count == 1 && run.errors[0].contains("\"upload\""))
    run.application.endBackgroundTask(task)
  }

  @Test("A scene opened while a task held the program keeps it after the task has ended")
  func newScene() throws {
    let run = TaskProgram().launch()
    let task = run.application.beginBackgroundTask()
    run.program.desk.close(try #require(run.window))
    run.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 100)
    run.application.endBackgroundTask(task)
    run.platform.advance(by: 100)
    #expect(run.platform.quitStatus == nil)
  }

  @Test("A quit takes the windows away, lets tasks finish, and ends then")
  func quit() throws {
    let run = TaskProgram().launch()
    let window = try #require(run.window?.id)
    run.onCall = { call in
      guard call == "applicationWillTerminate" else { return }
      run.calls.append(run.application.beginBackgroundTask() == .invalid ? "invalid" : "valid")
    }
    let task = run.application.beginBackgroundTask(withName: "saving")
    run.application.terminate(status: 3)
    run.platform.advance(by: 10_000)
    #expect(run.calls == ["sceneDidEnterBackground"] && run.platform.quitStatus == nil)
    #expect(run.platform.windows[window]?.isMapped == false)
    #expect(run.application.connectedScenes.count == 1)
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.calls == ["sceneDidEnterBackground", "sceneDidDisconnect", "applicationWillTerminate", "invalid"])
    #expect(run.platform.quitStatus == 3)
    #expect(run.application.beginBackgroundTask() == .invalid)
  }

  @Test(
    "A signal calls the handlers at once, and waits one second; also where a quit waits already",
    arguments: [false, true])
  func signal(_ quitsFirst: Bool) {
    let run = TaskProgram().launch()
    _ = run.application.beginBackgroundTask(withName: "endless") { run.calls.append("expires") }
    if quitsFirst {
      run.application.terminate()
      run.platform.advance(by: 1000)
      #expect(run.calls == ["sceneDidEnterBackground"])
    }
    run.platform.send(.signal(15))
    #expect(run.calls == ["sceneDidEnterBackground", "expires"])
    run.platform.advance(by: 990)
    #expect(run.platform.quitStatus == nil)
    run.platform.advance(by: 20)
    #expect(run.platform.quitStatus == 0)
    #expect(run.calls == ["sceneDidEnterBackground", "expires", "sceneDidDisconnect", "applicationWillTerminate"])
  }

  @Test("A signal does not wait for a task that its handler ends")
  func signalEnded() {
    let run = TaskProgram().launch()
    let task = Mutex(BackgroundTaskIdentifier.invalid)
    let application = run.application
    let begun = application.beginBackgroundTask { application.endBackgroundTask(task.withLock { $0 }) }
    task.withLock { $0 = begun }
    run.platform.send(.signal(15))
    #expect(run.platform.quitStatus == 0 && run.errors.isEmpty)
  }

  @Test("A window that the program shows while its end waits for tasks stays out of sight")
  func shownWhileEnding() throws {
    let run = TaskProgram().launch()
    let window = try #require(run.window?.id)
    let task = run.application.beginBackgroundTask(withName: "saving")
    run.application.terminate()
    run.platform.advance(by: 1000)
    #expect(run.platform.windows[window]?.isMapped == false)
    run.window?.makeKeyAndVisible()
    run.platform.advance(by: 1000)
    #expect(run.platform.windows[window]?.isMapped == false)
    run.window?.isHidden = true
    run.window?.isHidden = false
    run.platform.advance(by: 1000)
    #expect(run.platform.windows[window]?.isMapped == false)
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 0)
  }

  @Test("Any number may be said for the times", arguments: [Int.min, -1, 0, Int.max])
  func anyTimes(_ milliseconds: Int) {
    let run = TaskProgram().launch()
    run.endsAfterLastScene = false
    run.application.backgroundTimes.total = .milliseconds(milliseconds)
    run.application.backgroundTimes.warning = .milliseconds(milliseconds)
    let task = run.application.beginBackgroundTask(withName: "saving")
    run.minimize()
    run.platform.advance(by: 100)
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.platform.quitStatus == nil)
  }

  @Test("A task begun at the last moment, as a scene disconnects, is finished too")
  func lateTask() {
    let run = TaskProgram().launch()
    var task = BackgroundTaskIdentifier.invalid
    run.onCall = {
      if $0 == "sceneDidEnterBackground" { task = run.application.beginBackgroundTask(withName: "late") }
    }
    run.application.terminate()
    run.platform.advance(by: 100)
    #expect(run.platform.quitStatus == nil && task != .invalid)
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 0)
  }

  @Test("What there was no time for may begin again when a scene is told that it comes to the foreground")
  func wholeOnTheWay() {
    let run = TaskProgram().launch()
    _ = run.application.beginBackgroundTask(withName: "slow")
    run.minimize()
    run.platform.advance(by: 40_000)
    #expect(run.application.beginBackgroundTask() == .invalid)
    var task = BackgroundTaskIdentifier.invalid
    run.recordedNames = ["sceneWillEnterForeground"]
    run.onCall = { _ in task = run.application.beginBackgroundTask(withName: "again") }
    run.restore()
    #expect(task != .invalid)
    #expect(run.application.backgroundTimeRemaining == .greatest)
  }

  @Test("Launched into the background, tasks have a limit from the beginning")
  func backgroundLaunch() {
    let run = TaskProgram()
    run.endsAfterLastScene = false
    run.launch(["--background"])
    #expect(run.application.applicationState == .background)
    #expect(run.application.backgroundTimeRemaining.seconds == 30)
    _ = run.application.beginBackgroundTask()
    run.platform.advance(by: 31_000)
    #expect(run.application.backgroundTimeRemaining.seconds == 0)
    #expect(run.application.beginBackgroundTask() == .invalid)
  }

  @Test("The budget can be set; a warning longer than it comes at once")
  func settable() {
    let run = TaskProgram().launch()
    run.application.backgroundTimes.total = .milliseconds(500)
    _ = run.application.beginBackgroundTask { run.calls.append("expires") }
    run.minimize()
    #expect(run.calls == ["sceneDidEnterBackground", "expires"])
    run.platform.advance(by: 600)
    #expect(run.application.hasBackgroundTasks == false)
  }

  @Test("A change of the background refresh status is told once")
  func refreshStatus() {
    let run = TaskProgram().launch()
    var told = 0
    let token = NotificationCenter.default.addObserver(of: Application.self, for: .backgroundRefreshStatusDidChange) {
      _ in told += 1
    }
    #expect(run.application.backgroundRefreshStatus == .available)
    run.application.backgroundTasks.setRefreshStatus(.available, of: run.application)
    run.application.backgroundTasks.setRefreshStatus(.denied, of: run.application)
    #expect(told == 1 && run.application.backgroundRefreshStatus == .denied)
    NotificationCenter.default.removeObserver(token)
  }
}
