import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import Testing

@MainActor @Suite("Golden traces, headless") struct GoldenTraceTests {
  @Test("Every step of a scenario gives exactly its lines", arguments: Golden.names)
  func scenario(_ name: String) throws {
    var scenario = Scenario(try #require(Golden.read(name)))
    #expect(!scenario.steps.isEmpty)
    let run = HeadlessScenario(arguments: scenario.arguments)
    for index in scenario.steps.indices {
      let step = scenario.steps[index]
      let lines = try #require(run.perform(step.action), "unknown step: \(step.action)")
      if Golden.isRecording {
        scenario.steps[index].expected = lines
      } else {
        #expect(lines == step.expected, "\(name): \(step.action)")
      }
    }
    #expect(run.probe.violations == [])
    #expect(run.program.violations == [])
    if run.probe.options.activationPolicy == .whenFocused {
      #expect(Scenario.secondActive(in: run.program.golden) == nil)
    }
    if Golden.isRecording { Golden.write(name, scenario.text) }
  }

  @Test("There are scenarios for every order that is promised")
  func coverage() {
    var letters = ["A", "F", "G", "H", "I", "J", "L", "N"]
    #if !WITHOUT_OpenRequests
      letters += ["C", "E"]
    #endif
    for letter in letters {
      #expect(Golden.names.contains { $0.prefix { $0 != "-" }.contains(letter) }, "no scenario for \(letter)")
    }
  }
}
