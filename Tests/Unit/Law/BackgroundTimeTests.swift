import SceneLifecycle
import Testing

private typealias Machine = BackgroundTimeMachine

/// The law of background time, over its whole grid.
@Suite("Background time")
struct BackgroundTimeTests {
  private static let states: [Machine.State] = Machine.Time.allCases.flatMap { time in
    [false, true].map { Machine.State(time: time, holds: $0) }
  }
  private static let inputs: [Machine.Input] =
    [false, true].flatMap { isInBackground in
      [false, true].map { .observe(isInBackground: isInBackground, hasTasks: $0) }
    } + [.warned, .expired, .grant, .hurry, .terminate]

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
    #expect(cells == 12 * 9)
  }

  /// The same law, said another way: first the tasks, then the clock, each by itself.
  private func sheet(_ state: Machine.State, _ input: Machine.Input) -> (Machine.State, [Machine.Effect]) {
    var effects: [Machine.Effect] = []
    var next = state
    let isTicking = state.time == .running || state.time == .expiring
    switch input {
    case .observe(let isInBackground, let hasTasks):
      next.holds = hasTasks
      if !state.holds && hasTasks { effects.append(.hold) }
      if state.time != .over {
        let ticks = isInBackground && hasTasks && state.time != .spent
        if isTicking && !ticks { effects.append(.stop) }
        if !isInBackground && state.time != .whole { effects.append(.refill) }
        if ticks && !isTicking { effects.append(.run) }
        if !isInBackground {
          next.time = .whole
        } else if ticks {
          next.time = state.time == .expiring ? .expiring : .running
        } else if isTicking {
          next.time = state.time == .expiring ? .spent : .paused
        }
      }
      if state.holds && !hasTasks { effects.append(.release) }
    case .warned:
      if state.time == .running { (next.time, effects) = (.expiring, [.warn]) }
    case .grant:
      if isTicking, state.time != .expiring { effects = [.stop, .refill, .run] }
      if state.time == .paused || state.time == .spent { (next.time, effects) = (.whole, [.refill]) }
    case .hurry:
      if state.holds && !state.refuses { (next.time, effects) = (.expiring, [.warn]) }
    case .expired, .terminate:
      guard input == .terminate || state.time == .expiring else { return (state, []) }
      next = Machine.State(time: input == .terminate ? .over : .spent, holds: false)
      if input == .terminate && isTicking { effects.append(.stop) }
      if state.holds { effects += [.giveUp, .release] }
    }
    return (next, effects)
  }

  @Test("Whatever happens, what is taken is given back once, and the clock runs or stands")
  func walks() {
    struct Walk: Hashable {
      var state = Machine.State()
      var isHeld = false
      var isTicking = false
      var warnings = 0
    }
    var front: Set<Walk> = [Walk()]
    for _ in 0..<8 {
      var next: Set<Walk> = []
      for walk in front {
        for input in Self.inputs {
          // A deadline fires only while it is set, and each moment is the one that is due.
          if input == .warned && walk.state.time != .running { continue }
          if input == .expired && walk.state.time != .expiring { continue }
          var after = walk
          let (state, effects) = Machine.reduce(walk.state, input)
          after.state = state
          for effect in effects {
            switch effect {
            case .hold, .release:
              #expect(after.isHeld == (effect == .release), "\(walk) + \(input)")
              after.isHeld = effect == .hold
            case .run:
              #expect(!after.isTicking, "\(walk) + \(input)")
              after.isTicking = true
            case .stop:
              #expect(after.isTicking, "\(walk) + \(input)")
              after.isTicking = false
            case .warn:
              after.warnings += 1
              after.isTicking = true
              #expect(after.warnings == 1, "\(walk) + \(input)")
            case .refill: after.warnings = 0
            case .giveUp: if input == .expired { after.isTicking = false }
            }
          }
          #expect(after.isHeld == after.state.holds)
          #expect(after.isTicking == (after.state.time == .running || after.state.time == .expiring))
          next.insert(after)
        }
      }
      front = next
    }
  }

  @Test("No task begins from the warning on, until a scene is in the foreground again")
  func refusal() {
    var state = Machine.State()
    for input: Machine.Input in [.observe(isInBackground: true, hasTasks: true), .warned] {
      #expect(!state.refuses)
      state = Machine.reduce(state, input).0
    }
    #expect(state.refuses)
    state = Machine.reduce(state, .expired).0
    #expect(state.refuses)
    state = Machine.reduce(state, .observe(isInBackground: false, hasTasks: false)).0
    #expect(!state.refuses)
    state = Machine.reduce(state, .terminate).0
    state = Machine.reduce(state, .observe(isInBackground: false, hasTasks: false)).0
    #expect(state.refuses)
  }
}
