import Glibc
import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import Testing

@MainActor @Suite("A program in memory that checks its own trace") struct OwnRulesTests {
  @Test("The process ends at the first rule that is broken, and says which", .serialized, arguments: [false, true])
  func ends(isBroken: Bool) async throws {
    let result =
      isBroken
      ? await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        setenv("PROSCENIUM_CHECK_TRACES", "1", 1)
        await OwnRulesTests.live(clock: -100)
      }
      : await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
        setenv("PROSCENIUM_CHECK_TRACES", "1", 1)
        await OwnRulesTests.live(clock: 100)
      }
    let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(said.contains("rule 2: ") == isBroken, "\(said)")
  }

  /// A little life whose clock may run backwards.
  private static func live(clock milliseconds: Int) {
    let program = HeadlessProgram()
    program.launch(HistoryProgram(.plain))
    program.advance(by: 1000)
    program.desk.focus(nil)
    program.platform.spend(milliseconds: milliseconds)
    program.machine.changeTime(.newDay)
    exit(3)
  }
}
