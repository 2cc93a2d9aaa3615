import SceneLifecycle
import TestSupport
import Testing

/// The law of protected data, over its whole grid.
@Suite("Protected data") struct ProtectedDataTests {
  typealias Machine = ProtectedDataMachine

  @Test(
    "Every state and every input",
    arguments: [
      (.available, .left, .closing, [.announceUnavailable, .hold]), (.available, .returned, .available, []),
      (.available, .expired, .available, []), (.closing, .left, .closing, []),
      (.closing, .returned, .available, [.release, .announceAvailable]), (.closing, .expired, .unavailable, []),
      (.unavailable, .left, .unavailable, []), (.unavailable, .returned, .available, [.announceAvailable]),
      (.unavailable, .expired, .unavailable, []), (.available, .absent, .unavailable, []),
      (.closing, .absent, .closing, []), (.unavailable, .absent, .unavailable, []),
    ] as [(Machine.State, Machine.Input, Machine.State, [Machine.Effect])])
  func grid(_ state: Machine.State, _ input: Machine.Input, _ next: Machine.State, _ effects: [Machine.Effect]) {
    let result = Machine.reduce(state, input)
    #expect(result.0 == next)
    #expect(result.1 == effects)
  }

  @Test("Each announcement of an end is followed by exactly one of a return, and every hold is released or runs out")
  func pairs() {
    var generator = SeededNumbers(testSeed())
    for _ in 0..<1000 {
      var (state, isAnnounced, isHeld) = (Machine.State.available, false, false)
      for _ in 0..<30 {
        let input = Machine.Input.allCases.randomElement(using: &generator) ?? .left
        if input == .expired {
          guard isHeld else { continue }
          isHeld = false
        }
        let (next, effects) = Machine.reduce(state, input)
        // Known without a word.
        if input == .absent, state == .available { isAnnounced = true }
        for effect in effects {
          switch effect {
          case .announceUnavailable:
            #expect(!isAnnounced)
            isAnnounced = true
          case .announceAvailable:
            #expect(isAnnounced)
            isAnnounced = false
          case .hold:
            #expect(!isHeld)
            isHeld = true
          case .release:
            #expect(isHeld)
            isHeld = false
          }
        }
        state = next
        #expect(isAnnounced == (state != .available))
        #expect(isHeld == (state == .closing))
      }
    }
  }
}
