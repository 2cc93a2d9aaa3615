import DeskSupport
import SuiteSupport
import Testing

extension SecondDesk {
  /// The offers of a real program, on a real bus.
  @Suite(
    "Offers of a program", .enabled(if: Requirement.sceneLab && (mustNotSkip || PrivateBus.isInstalled)))
  struct HandoffProgramTests {
    @Test("An offer is on the bus until its activity expires, although nothing else happens then")
    func expires() async throws {
      let bus = try await PrivateBus()
      let run = try await DeskScenario(.openbox, arguments: [], environment: bus.environment)
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.isViewable) }
      /// Waits until others see an offer, or none.
      func isOffered(_ isExpected: Bool) async throws {
        var names = ""
        for _ in 0..<2000 {
          names = try await bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
          if names.contains("org.proscenium.Scenario.Handoff") == isExpected { return }
          try await Task.sleep(for: .milliseconds(20))
        }
        throw DeskFailure("it is offered: \(!isExpected), in \(names)", evidence: run.program.evidence)
      }
      try await run.perform("offer")
      try await isOffered(true)
      try await run.perform("offer 500")
      try await isOffered(false)
      let lines = try run.program.trace.lines().filter { $0.name == "handoff" }.map(\.text)
      #expect(lines.count == 2 && lines[0].contains("offered") && lines[1].contains("withdrawn"), "\(lines)")
      #expect(try run.program.trace.lines().violations == [])
    }
  }
}
