import Glibc
import Synchronization

/// A server, a window manager and a person: everything that a program needs around it.
package final class PrivateDesktop: Sendable {
  package let server: XServer
  private let present: Mutex<(windowManager: RunningWindowManager, desk: Desk)>

  package var desk: Desk { present.withLock { $0.desk } }

  package init(_ kind: WindowManager = .none, withoutExtensions: [String] = []) async throws {
    server = try await XServer(withoutExtensions: withoutExtensions)
    present = Mutex((try await kind.start(on: server), try Desk(server: server, windowManager: kind)))
  }

  /// Kills the window manager with a signal, and leaves the windows without one.
  package func killWindowManager(_ signal: Int32) async throws {
    try await present.withLock { $0.windowManager }.kill(signal)
    let client = desk.client
    try await waitUntil("the window manager to be gone") { !client.windowManagerRuns }
    try await start(.none)
  }

  /// Starts a window manager after another has gone.
  package func start(_ kind: WindowManager) async throws {
    let next = (try await kind.start(on: server), try Desk(server: server, windowManager: kind))
    present.withLock { $0 = next }
  }

  package func start(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], home: TemporaryFolder? = nil
  ) throws -> Program {
    try Program(path, arguments, display: server.display, environment: environment, home: home, on: self)
  }

  /// What the server says about each scene's window.
  package func view(of program: Program) -> String {
    let scenes = (try? program.trace.lines().scenes) ?? []
    let rows = scenes.map { scene in
      "\(scene.identifier) \(scene.state) | \(scene.window.map { "\(desk.client.truth($0))" } ?? "no window")"
    }
    return "--- trace | server\n" + rows.joined(separator: "\n")
  }

  /// Waits until the trace and the server agree about every connected scene, and stay so.
  ///
  /// They have stayed so when `quiet` has passed without another edge while the server's answers were the same.
  /// `quiet` has to be longer than every hold that may be running: 400 ms in general, 1500 ms while the window
  /// manager is changing.
  /// `interrupted`: another client holds the keyboard, and nothing can be more than inactive. `also` says what else
  /// must be true of the server's answers, so that "nothing happened" is no agreement.
  @discardableResult
  package func settle(
    _ program: Program, quiet: Duration = .milliseconds(600), interrupted: Bool = false,
    _ what: String = "agreement", also: ([WindowTruth]) -> Bool = { _ in true }
  ) async throws -> [TracedScene] {
    do {
      return try await agreement(program, quiet, interrupted, what, also)
    } catch {
      await takePicture(of: program)
      throw error
    }
  }

  /// Keeps a picture of the screen for people, where `PROSCENIUM_TESTS_ARTIFACTS` names a folder.
  private func takePicture(of program: Program) async {
    guard let folder = getenv("PROSCENIUM_TESTS_ARTIFACTS") else { return }
    try? await desk.screenshot(to: "\(String(cString: folder))/screen-\(program.pid).png")
  }

  private func agreement(
    _ program: Program, _ quiet: Duration, _ interrupted: Bool, _ what: String, _ also: ([WindowTruth]) -> Bool
  ) async throws -> [TracedScene] {
    var since = ContinuousClock.now
    var last: (edges: Int, truths: [WindowTruth])?
    let client = desk.client
    return try await program.wait(for: "\(what), settled", evidence: { self.view(of: program) }) { lines in
      if let violation = lines.violations.first {
        throw DeskFailure("\(violation)\n\(program.evidence)")
      }
      let scenes = lines.scenes.filter { $0.state != "unattached" }
      let truths = scenes.map { client.truth($0.window ?? 0) }
      let edges = lines.edges().count
      let agrees = zip(scenes, truths).allSatisfy { scene, truth in
        scene.state == (interrupted ? truth.expectedWhileInterrupted : truth.expectedState).rawValue
      }
      let now = ContinuousClock.now
      if let last, last.truths == truths, last.edges != edges, now - since > .milliseconds(300) {
        throw DeskFailure("an edge with nothing behind it\n\(program.evidence)\n\(view(of: program))")
      }
      guard agrees, also(truths) else {
        last = nil
        return nil
      }
      if let last, last.edges == edges, last.truths == truths { return now - since > quiet ? scenes : nil }
      last = (edges, truths)
      since = now
      return nil
    }
  }
}

extension WindowTruth {
  /// As `expectedState`, while another client holds the keyboard.
  package var expectedWhileInterrupted: State {
    expectedState == .foregroundActive ? .foregroundInactive : expectedState
  }
}
