import SceneLifecycle
import Testing

@Suite("The whole grid of a scene")
struct SceneGridTests {
  static let inputs: [SceneMachine.Input] = {
    var inputs: [SceneMachine.Input] = [.connect, .disconnect, .step, .siblingGainedFocus]
    for flag in [false, true] { inputs += [.interruption(flag), .concealment(flag)] }
    inputs += Hold.allCases.map { .expired($0) }
    for facts in 0..<8 {
      for visibleFall in Fall.allCases {
        for focusFall in Fall.allCases {
          inputs.append(
            .observe(
              SceneObservation(
                visible: facts & 1 != 0, focused: facts & 2 != 0, grabbed: facts & 4 != 0, visibleFall: visibleFall,
                focusFall: focusFall)))
        }
      }
    }
    return inputs
  }()

  static func states(
    _ policy: ActivationPolicy, _ attachment: SceneMachine.Attachment, _ body: (SceneMachine.State) -> Bool
  ) {
    for activation in ActivationState.allCases {
      for visibility in SceneMachine.Visibility.allCases {
        for focus in SceneMachine.Focus.allCases {
          for grab in SceneMachine.Grab.allCases {
            for flags in 0..<4 {
              let state = SceneMachine.State(
                activation: activation, visibility: visibility, focus: focus, grab: grab, interrupted: flags & 1 != 0,
                concealed: flags & 2 != 0, attachment: attachment, policy: policy)
              guard body(state) else { return }
            }
          }
        }
      }
    }
  }

  @Test(
    "Every state answers every input as the sheet says",
    arguments: ActivationPolicy.allCases, SceneMachine.Attachment.allCases)
  func grid(policy: ActivationPolicy, attachment: SceneMachine.Attachment) {
    var count = 0
    Self.states(policy, attachment) { state in
      for input in Self.inputs {
        let (next, effects) = SceneMachine.reduce(state, input)
        let (expected, expectedEffects) = SceneSheet.answer(to: input, in: state)
        count += 1
        guard next == expected, effects == expectedEffects else {
          Issue.record(
            """
            \(state)
            \(input)
            is       \(next) \(effects)
            should be \(expected) \(expectedEffects)
            """)
          return false
        }
      }
      return true
    }
    #expect(count == 4 * 6 * 4 * 3 * 4 * 84)
  }

  @Test("The target, the running holds and the reason for being inactive follow from every state")
  func derived() {
    for policy in ActivationPolicy.allCases {
      for attachment in SceneMachine.Attachment.allCases {
        Self.states(policy, attachment) { state in
          let isFading = [.fading, .fadingLong].contains(state.visibility)
          let isInterrupted = state.interrupted || state.grab == .interrupting
          let reason: InactiveReason? =
            state.activation != .foregroundInactive
            ? nil
            : SceneSheet.target(state) != .foregroundInactive || isFading
              ? .passing : isInterrupted ? .interrupted : .unfocused
          guard state.target == SceneSheet.target(state), state.isInterrupted == isInterrupted,
            state.isHidden == (state.visibility != .visible), state.inactiveReason == reason
          else {
            Issue.record("\(state): \(state.target) \(String(describing: state.inactiveReason))")
            return false
          }
          return true
        }
      }
    }
  }
}
