import Glibc
import ProsceniumCore
import ProsceniumLoop
import ProsceniumTesting
import ScenarioKit
import TestSupport

/// Random histories of programs in memory, as many steps as are asked for.
///
///     swift run -c release RandomHistories 1000000 [seed]
///
/// Says how many steps a second were made; ends with 1 and the shortest history found where something goes wrong.
@main struct RandomHistories {
  @MainActor static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
    guard arguments.count <= 2, !arguments.contains(nil) else {
      StandardError.write("usage: RandomHistories [steps [seed]]")
      exit(2)
    }
    let steps = Int(clamping: arguments.first.flatMap(\.self) ?? 100_000)
    let seed = arguments.dropFirst().first.flatMap(\.self) ?? 1
    let start = ContinuousClock.now
    var (made, seeds) = (0, SeededNumbers(seed))
    let kinds = HistoryProgram.Kind.allCases.count + 1
    var number = 0
    // Each turn takes another program.
    while made < steps {
      let tester = tester(number % kinds)
      number += 1
      if let failure = tester.search(steps: min(2000, steps - made), seed: seeds.next()) {
        print("program: \(name((number - 1) % kinds))\n\(failure)")
        exit(1)
      }
      made += tester.stepCount
    }
    let duration = start.duration(to: .now)
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    print("\(made) steps, \(Int(Double(made) / seconds)) a second, \(Int(seconds.rounded(.up))) s, seed \(seed)")
  }

  private static func name(_ number: Int) -> String {
    number == 0 ? "app-based" : HistoryProgram.Kind(number: number - 1).rawValue
  }

  @MainActor private static func tester(_ number: Int) -> HistoryTester {
    guard number > 0 else { return HistoryTester { AppHistoryProgram() } }
    let kind = HistoryProgram.Kind(number: number - 1)
    let tester = HistoryTester { HistoryProgram(kind) }
    tester.invariant = { ($0 as? HistoryProgram)?.violation }
    return tester
  }
}
