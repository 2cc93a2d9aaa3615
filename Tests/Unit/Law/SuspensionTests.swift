import SceneLifecycle
import Testing

private typealias Machine = SuspensionMachine

/// When a program stops running and goes on, over the whole grid.
@Suite("Suspension")
struct SuspensionTests {
  private static let facts: [Machine.Facts] = (0..<128).map { bits in
    func bit(_ number: Int) -> Bool { bits >> number & 1 == 1 }
    return Machine.Facts(
      isAllowed: bit(0), isLaunched: bit(1), isInBackground: bit(2), holdsTask: bit(3), holdsMode: bit(4),
      isEnding: bit(5), isIdle: bit(6))
  }
  private static let inputs: [Machine.Input] = facts.map { .observe($0) } + [.expired, .told]
  private static let sleepy = Machine.Facts(isAllowed: true, isLaunched: true, isInBackground: true, isIdle: true)

  @Test("Every state answers every input as the sheet says")
  func grid() {
    var cells = 0
    for state in Machine.State.allCases {
      for input in Self.inputs {
        let (next, effects) = Machine.reduce(state, input)
        let (expectedNext, expectedEffects) = sheet(state, input)
        #expect(next == expectedNext && effects == expectedEffects, "\(state) + \(input) -> \(next) \(effects)")
        cells += 1
      }
    }
    #expect(cells == 5 * 130)
  }

  @Test("Exactly one set of facts lets a program be suspended, and each of them alone keeps it running")
  func permission() {
    let permitting = Self.facts.filter { $0.permitSuspension }
    let reasons = permitting.map {
      Machine.Facts(holdsTask: $0.holdsTask, holdsMode: $0.holdsMode, isEnding: $0.isEnding)
    }
    #expect(Set(reasons).count == 1)
    #expect(permitting.count == 2, "idle or not")
    for input in Self.inputs {
      // A suspended program stays so only for what is exactly so, and for a grace that is long over.
      let (next, _) = Machine.reduce(.suspended, input)
      #expect((next == .suspended) == (input == .observe(Self.sleepy) || input == .expired), "\(input)")
    }
  }

  @Test("Every hold is released or runs out, and a suspended program is woken or ended, once")
  func pairs() {
    // Every walk of six inputs from the beginning.
    var front: Set<[Int]> = [[0, 0, 0]]
    let states = Machine.State.allCases
    for _ in 0..<6 {
      var next: Set<[Int]> = []
      for cell in front {
        for input in Self.inputs {
          var isHeld = cell[1] == 1
          var sleeps = cell[2] == 1
          if input == .expired && !isHeld { continue }
          if input == .expired { isHeld = false }
          let (after, effects) = Machine.reduce(states[cell[0]], input)
          for effect in effects {
            switch effect {
            case .hold:
              #expect(!isHeld && !sleeps)
              isHeld = true
            case .release:
              #expect(isHeld)
              isHeld = false
            case .suspend:
              #expect(!sleeps && !isHeld)
              sleeps = true
            case .wake, .end:
              #expect(sleeps)
              sleeps = false
            }
          }
          #expect((after == .held) == isHeld && (after == .suspended) == sleeps, "\(states[cell[0]]) + \(input)")
          next.insert([states.firstIndex(of: after) ?? 0, isHeld ? 1 : 0, sleeps ? 1 : 0])
        }
      }
      front = next
    }
  }

  /// The same law, said another way.
  private func sheet(_ state: Machine.State, _ input: Machine.Input) -> (Machine.State, [Machine.Effect]) {
    if state == .ended { return (.ended, []) }
    switch input {
    case .told: return state == .suspended ? (.ended, [.end]) : (state, [])
    case .expired: return (state == .held ? .due : state, [])
    case .observe(let facts):
      let mayRest = facts == Self.sleepy
      var busy = Self.sleepy
      busy.isIdle = false
      if mayRest || facts == busy {
        switch state {
        case .running: return (.held, [.hold])
        case .held: return (.held, [])
        case .due: return mayRest ? (.suspended, [.suspend]) : (.due, [])
        case .suspended: return mayRest ? (.suspended, []) : (.running, [.wake])
        case .ended: return (.ended, [])
        }
      }
      let leaving: [Machine.Effect] = state == .held ? [.release] : state == .suspended ? [.wake] : []
      return (.running, leaving)
    }
  }
}
