import DeskSupport
import TestSupport

/// What goes wrong in one run, and what is done meanwhile: the same for the same seed.
struct FaultPlan: CustomStringConvertible {
  enum Action: CaseIterable {
    case focusFirst, focusSecond, iconify, restore, rubbish
  }

  var seed: UInt64
  var faults = Faults()
  var xFaults = XFaults()
  var arguments = ["--scenes", "2"]
  var actions: [Action] = []
  var random: SeededNumbers

  init(seed: UInt64) {
    self.seed = seed
    random = SeededNumbers(seed)
    func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
    faults.delay = .milliseconds(one(of: [0, 0, 1, 5, 25]))
    faults.gathering = .milliseconds(one(of: [0, 0, 3, 20]))
    faults.pieces = one(of: [[], [], [1], [1, 2, 3], [31, 1, 33], [7, 64, 1000], [4096, 1]])
    // Pictures of thirty thousand pieces say no more than a few hundred do.
    if !faults.pieces.isEmpty || Bool.random(using: &random) { arguments.append("--plain") }
    let extensions = [
      "SYNC", "XFIXES", "XKEYBOARD", "Present", "XInputExtension", "BIG-REQUESTS", "XC-MISC", "RANDR", "MIT-SHM",
      "MIT-SCREEN-SAVER", "X-Resource",
    ]
    xFaults.hidden = Set(extensions.filter { _ in one(of: [true, false, false, false, false, false]) })
    for _ in 0..<one(of: [0, 0, 1, 3]) {
      xFaults.refused[.number(.random(in: 1...150, using: &random))] = UInt8.random(in: 1...255, using: &random)
    }
    for _ in 0..<one(of: [0, 0, 5, 40]) {
      xFaults.said[Int.random(in: 1...150, using: &random)] = XRubbish.message(
        Self.code(using: &random), .senseless, about: [], using: &random)
    }
    actions = (0..<3).map { _ in one(of: Action.allCases) } + [.rubbish]
  }

  /// Any but 1: a reply is an answer to something, and a wrong one is a lie.
  static func code(using random: inout SeededNumbers) -> UInt8 {
    let code = UInt8.random(in: 0...126, using: &random)
    return code == 1 ? 127 : code
  }

  /// What is said to a program that has these windows.
  mutating func rubbish(about windows: [UInt32]) -> [[UInt8]] {
    (0..<Int.random(in: 1...60, using: &random)).map { _ in
      XRubbish.message(
        Self.code(using: &random), Bool.random(using: &random) ? .sent : .senseless, about: windows, using: &random)
    }
  }

  var description: String {
    "TEST_SEED=\(seed) FAULT_SEEDS=1: delay \(faults.delay), gathering \(faults.gathering), pieces \(faults.pieces), "
      + "hidden \(xFaults.hidden.sorted()), refused \(xFaults.refused), said before \(xFaults.said.keys.sorted()), "
      + "\(arguments), \(actions)"
  }
}
