import DeskSupport
import Glibc
import ScenarioKit
import SuiteSupport
import Testing

extension RealDesk {
  /// The same files as in memory, on a real server with a real window manager.
  @Suite("Golden traces on X11", .enabled(if: Requirement.sceneLab))
  struct GoldenTraceTests {
    @Test("Every step of a scenario gives its lines", arguments: Golden.names)
    func scenario(_ name: String) async throws { try await check(name) }

    /// OUTER_LOOP_SCENARIOS=all tries every scenario in each loop.
    static let loopNames =
      getenv("OUTER_LOOP_SCENARIOS") == nil ? ["C-urls", "F-focus", "I-close", "N-terminate"] : Golden.names

    @Test(
      "And in the loops of other libraries", arguments: ["glib", "served-glib", "hand", "qt", "sdl"], loopNames)
    func outerLoop(_ loop: String, _ name: String) async throws {
      switch loop {
      case "qt": try Requirement.library("libQt5Core.so.5")
      case "sdl": try Requirement.library("libSDL2-2.0.so.0")
      case "glib", "served-glib": try Requirement.library("libglib-2.0.so.0")
      default: break
      }
      try await check(name, loop: loop)
    }

    private func check(_ name: String, loop: String? = nil) async throws {
      try Requirement.windowManager(.openbox)
      let scenario = Scenario(try #require(Golden.read(name)))
      // What a window manager does at once, and a grab of a moment, may take longer than the holds on a busy machine.
      let run = try await DeskScenario(
        .openbox, arguments: scenario.arguments + ["--unhurried"] + (loop.map { ["--loop=\($0)"] } ?? []))
      defer { run.close() }
      var seen = 0
      for step in scenario.steps {
        try await run.perform(step.action)
        // As many lines as are expected have to come; more of them are found out by the next step, or at the end.
        let lines = try await run.program.wait(for: "\(step.action): \(step.expected)") { _ in
          let lines = try run.lines().dropFirst(seen)
          return lines.count >= step.expected.count ? Array(lines) : nil
        }
        seen += lines.count
        #expect(Scenario.agree(lines, step.expected), "\(name): \(step.action) gave \(lines)\n\(run.program.evidence)")
      }
      #expect(try await run.program.end() == .exited(0))
      #expect(try run.lines().count == seen, "\(run.program.evidence)")
      #expect(!run.program.output.contains("nested"))
      if !scenario.arguments.contains("--when-visible") { #expect(Scenario.secondActive(in: try run.lines()) == nil) }
    }
  }
}
