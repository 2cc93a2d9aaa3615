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
  static let ways: [Walk] =
    ActivationState.allCases.flatMap { from in
      ActivationState.allCases.map { Walk(scene: 0, from: from, to: $0) }
    }
    + [.foregroundActive, .background].map { from in
      Walk(scene: 0, from: from, to: .foregroundInactive, isHidden: true)
    }

  private func walks(_ ways: [Walk]) -> [Walk] {
    ways.enumerated().map { index, way in
      var walk = way
      walk.scene = index * 7 + 3
      return walk
    }
  }

  /// Compares one batch in all states of the program; false after a mismatch.
  private func compare(_ walks: [Walk], from first: Int = 0, by stride: Int = 1) -> Bool {
    for others in ActivationState.allCases {
      var sheet = ApplicationSheet(walks, others: others)
      for index in Swift.stride(from: first, to: Self.states.count, by: stride) {
        var state = Self.states[index]
        for walk in walks { state.scenes[walk.scene] = walk.machine }
        // One that stays where it is, connected last.
        if others != .unattached { state.scenes[1000] = Walk(scene: 1000, from: others, to: others).machine }
        var next = state
        let effects = Machine.reduce(&next, .settle)
        var (expected, expectedEffects) = sheet.settle(state)
        expected.scenes = next.scenes
        let hasArrived = walks.allSatisfy { next.scenes[$0.scene].activation == $0.to } && next.scenes.pending.isEmpty
        guard next == expected, effects == expectedEffects, hasArrived else {
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
    inputs.append(.resignExpired)
    let states = Self.states.flatMap { state in
      ActivationState.allCases.map { activation in
        var state = state
        state.scenes[3] = Walk(scene: 3, from: activation, to: activation).machine
        return state
      }
    }
    for state in states {
      for input in inputs {
        var next = state
        let effects = Machine.reduce(&next, input)
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
