import SceneLifecycle
import Testing

@Suite("The whole grid of the application")
struct ApplicationGridTests {
  typealias Machine = ApplicationMachine

  static let states: [Machine.State] = Machine.Phase.allCases.flatMap { phase in
    ApplicationState.allCases.flatMap { application in
      LifecycleModel.allCases.flatMap { model in
        [false, true].map { held in
          Machine.State(phase: phase, application: application, isResignHeld: held, model: model)
        }
      }
    }
  }

  /// All ways to walk, and the two that a scene walks while its windows are hidden.
  static let ways: [Machine.Walk] =
    ActivationState.allCases.flatMap { from in
      ActivationState.allCases.map { Machine.Walk(scene: 0, from: from, to: $0) }
    }
    + [.foregroundActive, .background].map { from in
      Machine.Walk(scene: 0, from: from, to: .foregroundInactive, isHidden: true)
    }

  private func walks(_ ways: [Machine.Walk]) -> [Machine.Walk] {
    ways.enumerated().map { index, way in
      var walk = way
      walk.scene = index * 7 + 3
      return walk
    }
  }

  /// Compares one batch in all states of the program; false after a mismatch.
  private func compare(_ walks: [Machine.Walk], from first: Int = 0, by stride: Int = 1) -> Bool {
    for others in ActivationState.allCases {
      var sheet = ApplicationSheet(walks, others: others)
      for index in Swift.stride(from: first, to: Self.states.count, by: stride) {
        let state = Self.states[index]
        let (next, effects) = Machine.reduce(state, .settle(walks, others: others))
        let (expected, expectedEffects) = sheet.settle(state)
        guard next == expected, effects == expectedEffects else {
          Issue.record(
            """
            \(state)
            \(walks.map { "\($0.scene): \($0.from) to \($0.to)" }), others \(others)
            is       \(next) \(effects)
            should be \(expected) \(expectedEffects)
            """)
          return false
        }
      }
    }
    return true
  }

  @Test("Every state answers every input that is not a batch")
  func inputs() {
    var inputs: [Machine.Input] = [
      .launch(foreground: false), .launch(foreground: true), .launched, .nothingShown, .terminate, .concealed,
      .disconnected,
    ]
    inputs += ActivationState.allCases.map { .expired(others: $0) }
    for state in Self.states {
      for input in inputs {
        let (next, effects) = Machine.reduce(state, input)
        let (expected, expectedEffects) = ApplicationSheet.answer(to: input, in: state)
        #expect(next == expected && effects == expectedEffects, "\(state) \(input)")
      }
    }
  }

  @Test("Every state answers every batch of up to two walks")
  func batches() {
    guard compare([]) else { return }
    for first in Self.ways {
      guard compare(walks([first])) else { return }
      for second in Self.ways { guard compare(walks([first, second])) else { return } }
    }
  }

  /// All of it takes a minute in a debug build (`PROSCENIUM_LAW_GRID=full`); otherwise each batch meets every
  /// eleventh state, and each state every eleventh batch.
  @Test("Every state answers batches of three walks", arguments: ways.indices)
  func triples(index: Int) {
    let stride = environment("PROSCENIUM_LAW_GRID") == "full" ? 1 : 11
    for second in Self.ways.indices {
      for third in Self.ways.indices {
        let batch = walks([Self.ways[index], Self.ways[second], Self.ways[third]])
        guard compare(batch, from: (index + second * 3 + third) % stride, by: stride) else { return }
      }
    }
  }
}
