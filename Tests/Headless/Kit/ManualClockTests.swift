import ProsceniumTesting
import Testing

@MainActor @Suite("The kit's clock", .serialized) struct ManualClockTests {
  private let program = HeadlessProgram()

  @Test("It moves when it is advanced, and not else")
  func advances() {
    let clock = ManualClock()
    let start = clock.now
    #expect(clock.now == start)
    clock.advance(by: .milliseconds(1500))
    clock.advance(by: .zero - .seconds(1))
    #expect(start.duration(to: clock.now) == .milliseconds(1500))
    #expect(clock.now == start.advanced(by: .milliseconds(1500)))
  }

  @Test("It stops rather than running over")
  func limit() {
    let clock = ManualClock()
    for _ in 0..<20 { clock.advance(by: .seconds(Int64.max / 4)) }
    #expect(clock.now == clock.now.advanced(by: .zero))
    for _ in 0..<20 { program.advance(by: .seconds(Int64.max / 4)) }
    #expect(program.clock.now == clock.now)
  }

  @Test("A sleeper is woken when its time has come, and not before")
  func sleeps() async {
    let clock = program.clock
    var woken: [String] = []
    let late = Task {
      try await clock.sleep(for: .milliseconds(300))
      woken.append("late")
    }
    let early = Task {
      try await clock.sleep(until: clock.now.advanced(by: .milliseconds(100)))
      woken.append("early")
    }
    #expect(await program.waits { clock.sleeperCount == 2 })
    // Tenths that add up to a little less than three of them.
    for _ in 0..<2 { program.advance(by: .milliseconds(100)) }
    #expect(await program.waits { woken == ["early"] })
    #expect(clock.sleeperCount == 1)
    program.advance(by: .milliseconds(100))
    #expect(await program.waits { woken == ["early", "late"] })
    _ = await (late.result, early.result)
  }

  @Test("Who sleeps until a moment that has passed is not kept waiting")
  func past() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(for: .zero)
    #expect(clock.sleeperCount == 0)
  }

  @Test("A sleeper that is cancelled is woken at once", arguments: [true, false])
  func cancelled(isAsleep: Bool) async {
    let clock = program.clock
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    if isAsleep { #expect(await program.waits { clock.sleeperCount == 1 }) }
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(clock.sleeperCount == 0)
  }
}
