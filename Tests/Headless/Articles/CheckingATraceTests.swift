import ProsceniumCore
import ProsceniumTesting
import Testing

private final class AppDelegate: RecordingDelegate {}

@MainActor @Suite("The code of Checking a trace") struct CheckingATraceTests {
  @Test("A text is checked") func text() {
    let text =
      #"{"t":1,"pid":1,"kind":"launch","application":"editor","reason":"launch","version":1}"# + "\n"
    // Begin: code of CheckingATrace.md
    #expect(TraceChecker.violations(in: text).isEmpty)
    // End: code of CheckingATrace.md
    #expect(!TraceChecker.violations(in: text + "Proscenium: something is amiss.\n").isEmpty)
  }

  // Begin: code of CheckingATrace.md
  @Test @MainActor func anythingThatMayHappen() {
    let tester = HistoryTester { AppDelegate() }
    let failure = tester.search(steps: 20_000, seed: 1)
    #expect(failure == nil, "\(failure.map(\.description) ?? "")")
  }
  // End: code of CheckingATrace.md

  @Test("A line is pasted in") func line() throws {
    // Begin: code of CheckingATrace.md
    let history = try History("launch; lock; new; at sceneWillEnterForeground extend 2; unlock")
    #expect(HistoryTester { AppDelegate() }.failure(of: history) == nil)
    // End: code of CheckingATrace.md
  }
}
