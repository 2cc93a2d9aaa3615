import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import SceneLifecycle
import Testing

/// The table of endings in the documentation: each cell is a golden trace in `Tests/Golden/Endings`.
@MainActor @Suite("The table of endings", .serialized) struct EndingTableTests {
  enum Cause: String, CaseIterable, Sendable {
    case terminate, lastClose, sigterm, sighup, sigint, sessionQuery, sessionDie, lostDisplay, lostWindow, kill
  }
  enum Start: String, CaseIterable, Sendable { case active, inactive, background }

  @Test("Each cause in each state gives exactly its lines", arguments: Cause.allCases, Start.allCases)
  func cell(_ cause: Cause, _ start: Start) throws {
    let disk = CuttableDisk()
    let run = SessionRun(disk).launch()
    let window = try #require(run.scenes[0].window)
    switch start {
    case .active: break
    case .inactive: run.program.focus(nil)
    case .background: run.program.minimize(window)
    }
    run.platform.advance(by: 3000)
    _ = run.program.newLines()
    switch cause {
    case .terminate:
      run.application.terminate()
      run.platform.deliver()
    case .lastClose: run.program.requestClose(window)
    case .sigterm: run.end(15)
    case .sighup: run.end(1)
    case .sigint: run.end(2)
    case .sessionQuery: run.platform.send(.sessionSave(SessionSave(endsSession: true, mayInteract: true)))
    case .sessionDie: run.platform.send(.sessionEnded)
    case .lostDisplay: run.platform.send(.connectionLost("the server is gone"))
    case .lostWindow: run.platform.destroyForeign(try #require(window.id))
    case .kill: run.kill()
    }
    run.platform.advance(by: 10_000)
    let status = run.platform.quitStatus.map { "status \($0)" } ?? "no end of its own"
    let after = SessionRun(disk).launch()
    let bare = after.platform.windows.values.filter(\.isBare).count
    let connected = after.delegate.options.filter(\.isReconnect).count
    let next = "next launch: \(after.reason() ?? "?"), \(connected) connected again, \(bare) bare"
    let lines = run.program.newLines() + [status] + (cause == .sessionQuery ? [] : [next])
    let name = "Endings/\(cause.rawValue)-\(start.rawValue)"
    if Golden.isRecording {
      Golden.write(name, lines.joined(separator: "\n") + "\n")
    } else {
      let expected = try #require(Golden.read(name)).split(separator: "\n").map(String.init)
      #expect(lines == expected, "\(name)")
    }
  }
}
