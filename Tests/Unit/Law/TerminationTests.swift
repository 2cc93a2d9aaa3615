import SceneLifecycle
import Testing

private typealias Machine = TerminationMachine

/// The question before the end, over its whole grid.
@Suite("May the program be terminated?")
struct TerminationTests {
  private static let states: [Machine.State] =
    [.running, .approved, .ending] + TerminationCause.allCases.flatMap { [.asking($0), .waiting($0)] }
  private static let inputs: [Machine.Input] =
    TerminationCause.allCases.map { .asked($0) } + TerminateReply.allCases.map { .answered($0) }
    + [.replied(true), .replied(false), .expired, .sessionContinues]

  @Test("Every state answers every input as the sheet says")
  func grid() {
    var cells = 0
    for state in Self.states {
      for input in Self.inputs {
        let (next, effects) = Machine.reduce(state, input)
        let (expectedNext, expectedEffects) = sheet(state, input)
        #expect(next == expectedNext && effects == expectedEffects, "\(state) + \(input) -> \(next) \(effects)")
        cells += 1
      }
    }
    #expect(cells == 17 * 14)
  }

  @Test("What cannot be refused always ends the program, whatever is answered")
  func uncancellable() {
    for cause in TerminationCause.allCases where !cause.isCancellable {
      for reply in TerminateReply.allCases {
        var state = Machine.reduce(.running, .asked(cause)).0
        state = Machine.reduce(state, .answered(reply)).0
        if reply == .later {
          #expect(Machine.reduce(state, .expired).0 == .ending)
          #expect(Machine.reduce(state, .replied(false)).0 == .ending)
          state = Machine.reduce(state, .replied(true)).0
        }
        #expect(state == .ending)
      }
    }
  }

  @Test("Every hold is released or runs out, once")
  func holds() {
    // Every walk of five inputs from the beginning.
    var front: [(Machine.State, Bool)] = [(.running, false)]
    for _ in 0..<5 {
      var next: [(Machine.State, Bool)] = []
      for (state, isHeld) in front {
        for input in Self.inputs {
          if input == .expired && !isHeld { continue }
          var held = input == .expired ? false : isHeld
          let (after, effects) = Machine.reduce(state, input)
          for effect in effects {
            if effect == .hold {
              #expect(!held, "\(state) + \(input)")
              held = true
            }
            if effect == .release {
              #expect(held, "\(state) + \(input)")
              held = false
            }
          }
          if after == .ending || after == .running { #expect(!held, "\(state) + \(input)") }
          if !next.contains(where: { $0 == (after, held) }) { next.append((after, held)) }
        }
      }
      front = next
    }
  }

  /// The same law, said another way: first what ends everything, then question by question.
  private func sheet(_ state: Machine.State, _ input: Machine.Input) -> (Machine.State, [Machine.Effect]) {
    switch state {
    case .ending: return (.ending, [])
    case .running:
      if case .asked(let cause) = input { return (.asking(cause), [.ask(cause)]) }
      return (.running, [])
    case .approved:
      if input == .sessionContinues { return (.running, []) }
      guard case .asked(let cause) = input else { return (.approved, []) }
      return cause == .sessionQuery ? (.approved, [.approve]) : (.ending, [.end(cause)])
    case .asking(let cause): return question(cause, input, isWaiting: false, state)
    case .waiting(let cause): return question(cause, input, isWaiting: true, state)
    }
  }

  private func question(
    _ cause: TerminationCause, _ input: Machine.Input, isWaiting: Bool, _ state: Machine.State
  ) -> (Machine.State, [Machine.Effect]) {
    let mustEnd = [.sessionEnd, .signal, .connectionLost, .memoryPressure].contains(cause)
    let release: [Machine.Effect] = isWaiting && mustEnd ? [.release] : []
    switch input {
    case .asked(let new):
      let newMustEnd = [.sessionEnd, .signal, .connectionLost, .memoryPressure].contains(new)
      var winner = cause
      if !mustEnd && newMustEnd { winner = new }
      if !mustEnd && !newMustEnd && cause == .sessionQuery { winner = new }
      return isWaiting ? (.waiting(winner), !mustEnd && newMustEnd ? [.hold] : []) : (.asking(winner), [])
    case .answered(.later): return isWaiting ? (state, []) : (.waiting(cause), mustEnd ? [.hold] : [])
    case .answered(.now), .replied(true):
      if isWaiting != (input == .replied(true)) { return (state, []) }
      return cause == .sessionQuery ? (.approved, [.approve]) : (.ending, release + [.end(cause)])
    case .answered(.cancel), .replied(false):
      if isWaiting != (input == .replied(false)) { return (state, []) }
      return mustEnd ? (.ending, release + [.end(cause)]) : (.running, [.refuse(cause)])
    case .expired: return isWaiting ? (.ending, [.end(cause)]) : (state, [])
    case .sessionContinues: return cause == .sessionQuery ? (.running, []) : (state, [])
    }
  }
}
