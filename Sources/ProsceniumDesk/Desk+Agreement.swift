/// Compares the program's trace with the server.
extension Desk {
  /// Waits until a program's trace and the server agree about every connected scene, and stay so; from its launch on.
  ///
  /// The server reports the properties of each scene's window; the state that follows from them is compared with the
  /// state in the trace. The agreement is stable when `quiet` has passed without another edge while the server's
  /// answers were the same.
  ///
  /// For scenes of one window with the activation policy `.whenFocused`: the server knows neither which of a scene's
  /// windows has the focus nor that a scene is active without it.
  /// - Parameters:
  ///   - program: The program, which has to use Proscenium.
  ///   - quiet: Longer than every hold of the life cycle that may be running: 400 ms in general, 1500 ms while the
  ///     window manager is changing.
  ///   - what: The name of the condition in the failure.
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  ///   - also: A further condition on the server's answers, the oldest scene's first, so that an unchanged start is no
  ///     agreement. By default there has to be a scene: a program that has connected none yet agrees with all.
  /// - Returns: The connected scenes, the oldest first.
  /// - Throws: ``DeskFailure`` where they do not agree within 60 seconds, with the program's evidence.
  @discardableResult
  public func waitUntilSettled(
    _ program: Program, quiet: Duration = .milliseconds(600), _ what: String = "agreement",
    fileID: StaticString = #fileID, line: UInt = #line, also: ([WindowTruth]) -> Bool = { !$0.isEmpty }
  ) async throws -> [TracedScene] {
    try await agreement(program, quiet, interrupted: false, what, fileID: fileID, line: line, also) { _ in }
  }

  /// The same, with further conditions for the tests of the library itself.
  ///
  /// `interrupted`: another client holds the keyboard, and no scene can be more than inactive. `rules` checks the whole
  /// trace and throws where it breaks a rule.
  package func agreement(
    _ program: Program, _ quiet: Duration, interrupted: Bool, _ what: String,
    fileID: StaticString, line: UInt, _ also: ([WindowTruth]) -> Bool, _ rules: ([TraceLine]) throws -> Void
  ) async throws -> [TracedScene] {
    var since = ContinuousClock.now
    // Whether this process got no processor for longer than a hold since: what came and went meanwhile is not seen.
    var (looked, hasMissed) = (since, false)
    var last: (edges: Int, truths: [WindowTruth])?
    var checkedCount = 0
    return try await program.wait(for: "\(what), settled", fileID: fileID, line: line) { lines in
      // A program that has not begun would agree with any state.
      guard lines.contains(where: { $0.kind == "launch" }) else { return nil }
      // The whole trace takes its time.
      if lines.count != checkedCount { try rules(lines) }
      checkedCount = lines.count
      let scenes = lines.scenes.filter { $0.state != "unattached" }
      let truths = scenes.map { client.truth($0.window ?? 0) }
      let edges = lines.edges().count
      let agrees = zip(scenes, truths).allSatisfy { scene, truth in
        scene.state == (interrupted ? truth.expectedWhileInterrupted : truth.expectedState).rawValue
      }
      let now = ContinuousClock.now
      hasMissed = hasMissed || now - looked > .milliseconds(80)
      looked = now
      if let last, last.truths == truths, last.edges != edges, now - since > .milliseconds(300), !hasMissed {
        throw DeskFailure("an edge with nothing behind it", evidence: program.evidence, location: "\(fileID):\(line)")
      }
      guard agrees, also(truths) else {
        last = nil
        return nil
      }
      if let last, last.edges == edges, last.truths == truths { return now - since > quiet ? scenes : nil }
      last = (edges, truths)
      (since, hasMissed) = (now, false)
      return nil
    }
  }

  /// The trace's and the server's view of each scene of a program, a line each, for display.
  /// - Parameter program: The program.
  /// - Returns: The view.
  public func view(of program: Program) -> String {
    let scenes = (try? program.scenes()) ?? []
    let rows = scenes.map { scene in
      "\(scene.identifier) \(scene.state) | \(scene.window.map { "\(client.truth($0))" } ?? "no window")"
    }
    return "--- trace | server\n" + rows.joined(separator: "\n")
  }
}
