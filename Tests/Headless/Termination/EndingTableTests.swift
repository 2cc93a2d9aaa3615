import ProsceniumCore
import ProsceniumLoop
import ProsceniumTesting
import ScenarioKit
import SceneLifecycle
import Testing

/// The table of endings: each cell is a golden trace in `Tests/Golden/Endings`.
@MainActor @Suite("The table of endings", .serialized) struct EndingTableTests {
  enum Cause: String, CaseIterable, Sendable {
    case terminate, lastClose, sigterm, sighup, sigint, sessionQuery, sessionDie, lostDisplay, lostWindow, kill,
      watchdog
    /// Logind says that the machine is about to be shut down; then it is, without another word.
    case shutdown
  }
  enum Start: String, CaseIterable, Sendable {
    case active, inactive, background
    /// In the background, with a background task.
    case openTask
    case suspended

    /// Every state, without those of a deleted feature.
    static var tested: [Start] {
      #if WITHOUT_Suspension
        allCases.filter { $0 != .suspended }
      #else
        allCases
      #endif
    }
  }

  @Test("Each cause in each state gives exactly its lines", arguments: Cause.allCases, Start.tested)
  func cell(_ cause: Cause, _ start: Start) throws {
    let disk = CuttableDisk()
    let run = SessionRun(disk) { delegate in
      #if !WITHOUT_Suspension
        if start == .suspended { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
    }.launch()
    let window = try #require(run.scenes[0].window)
    var task = BackgroundTaskIdentifier.invalid
    switch start {
    case .active: break
    case .inactive: run.program.desk.focus(nil)
    case .background, .suspended: run.program.desk.minimize(window)
    case .openTask:
      task = run.application.beginBackgroundTask(withName: "open")
      run.program.desk.minimize(window)
    }
    run.platform.advance(by: start == .suspended ? 10_000 : 3000)
    #expect(run.platform.isSuspended == (start == .suspended))
    _ = run.program.newLines()
    var lines: [String] = []
    switch cause {
    case .terminate:
      run.application.terminate()
      run.platform.deliver()
    case .lastClose: run.program.desk.close(window)
    case .sigterm: run.end(15)
    case .sighup: run.end(1)
    case .sigint: run.end(2)
    case .sessionQuery: run.platform.send(.sessionSave(endsSession: true, mayInteract: true))
    case .sessionDie: run.platform.send(.sessionEnded)
    case .lostDisplay: run.platform.send(.connectionLost("the server is gone"))
    case .lostWindow: run.platform.destroyForeign(try #require(window.id))
    case .kill: run.kill()
    case .watchdog: lines = hang(run, start, disk)
    case .shutdown:
      run.application.conductor?.post(.concealment(.shuttingDown, isOn: true, source: "logind"))
      run.platform.deliver()
    }
    run.platform.advance(by: 10_000)
    lines += run.program.newLines()
    if start == .openTask, cause != .kill, cause != .watchdog {
      lines.append(run.platform.quitStatus == nil ? "the task ends" : "the task was given up")
      run.application.endBackgroundTask(task)
      run.platform.deliver()
      run.platform.advance(by: 10_000)
      lines += run.program.newLines()
    }
    if cause == .shutdown { run.kill() }
    let status = run.platform.quitStatus.map { "status \($0)" } ?? "no end of its own"
    let after = SessionRun(disk).launch()
    let bare = after.platform.windows.values.filter(\.isBare).count
    let connected = after.delegate.options.filter(\.isReconnect).count
    let next = "next launch: \(after.reason() ?? "?"), \(connected) connected again, \(bare) bare"
    lines += [status] + (cause == .sessionQuery ? [] : [next])
    let name = "Endings/\(cause.rawValue)-\(start.rawValue)"
    if Golden.isRecording {
      Golden.write(name, lines.joined(separator: "\n") + "\n")
    } else {
      let expected = try #require(Golden.read(name)).split(separator: "\n").map(String.init)
      #expect(lines == expected, "\(name)")
    }
  }

  /// The process is killed within a callback that does not return: its disk and its lines end there.
  /// - Returns: The lines.
  private func hang(_ run: SessionRun, _ start: Start, _ disk: CuttableDisk) -> [String] {
    var lines: [String] = []
    func die() {
      lines = run.program.newLines()
      disk.fail(with: .system(5))
      run.kill()
    }
    let window = run.scenes[0].window
    switch start {
    case .active:
      run.delegate.recordedNames = ["sceneWillResignActive"]
      run.delegate.onCall = { _ in die() }
      run.program.desk.focus(nil)
    case .inactive:
      run.delegate.onCall = { if $0 == "sceneDidEnterBackground" { die() } }
      window.map(run.program.desk.minimize)
    case .background, .openTask, .suspended:
      run.delegate.onCall = { if $0 == "sceneWillEnterForeground" { die() } }
      window.map(run.program.desk.restore)
    }
    run.platform.advance(by: 3000)
    disk.fail(with: nil)
    _ = run.program.newLines()
    return lines
  }
}
