import DeskSupport
import ScenarioKit
import SuiteSupport
import Testing

extension RealDesk {
  /// Callbacks that ask for more, on a real server; every pair is tried in memory.
  @Suite("Re-entry on X11", .enabled(if: Requirement.sceneLab))
  struct ReentryTests {
    /// Each callback once, each request at least twice.
    static let reactions = [
      ("willFinishLaunching", "newScene"), ("didFinishLaunching", "terminate"),
      ("configurationForConnecting", "closeSelf"), ("willConnect", "closeSelf"),
      ("sceneWillEnterForeground", "newScene"), ("sceneDidBecomeActive", "closeSelf"),
      ("sceneWillResignActive", "closeOther"), ("sceneDidEnterBackground", "disconnectOther"),
      ("sceneDidDisconnect", "newScene"), ("didDiscardSceneSessions", "terminate"),
      ("sceneShouldClose", "disconnectOther"), ("applicationWillTerminate", "closeOther"),
    ]

    @Test("No callback runs within another, nothing is lost, and the program ends in order", arguments: reactions)
    func reaction(_ callback: String, _ request: String) async throws {
      try Requirement.windowManager(.openbox)
      // Given a program that asks for something from within one of its callbacks
      let run = try await DeskScenario(.openbox, arguments: ["--react=\(callback)=\(request)", "--stay"])
      defer { run.close() }
      // When it lives through its callbacks, as far as its own requests let it
      for action in ["new", "user minimize 1", "user restore 1", "user close 1", "terminate"] {
        guard run.program.ending == nil else { break }
        if action == "user close 1", try run.program.trace.lines().scenes.first?.state == "unattached" { continue }
        try? await run.perform(action)
      }
      // Then it ends in order, and every edge began where its scene's last one had ended
      #expect(try await run.program.end() == .exited(0), "\(run.program.evidence)")
      #expect(!run.program.output.contains("nested"))
      #expect(try run.program.trace.lines().violations.isEmpty, "\(run.program.evidence)")
      #expect(try run.lines().last == "applicationWillTerminate [background]")
    }
  }
}
