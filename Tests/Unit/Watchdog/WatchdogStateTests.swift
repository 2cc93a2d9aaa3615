import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// The arithmetic of the watchdog.
@Suite("What runs out") struct WatchdogStateTests {
  static let step: UInt64 = 100
  static let background = CallDescription("sceneDidEnterBackground(_:)", scene: "A", phase: .background)

  @Test("Time that was seen to pass runs out; time that was not does not", arguments: [100, 150, 500, 1000], 0...6)
  func grid(_ limit: UInt64, _ phase: UInt64) {
    // For every age at the first look, and every number of looks before a stop, of every length
    for before in UInt64(0)...12 {
      for stop in [0, 201, 1000, 1_000_000] as [UInt64] {
        var state = WatchdogState(step: Self.step)
        let start: UInt64 = 1000 + phase * 15
        state.begin(Self.background, limit: limit, now: start)
        var ran: UInt64 = 0
        var now = start
        var told = 0
        for look in 0..<40 {
          let first = look == 0 ? Self.step - phase * 15 : Self.step
          let isStopped = look == Int(before) && stop > 0
          now += first + (isStopped ? stop : 0)
          if !isStopped { ran += first }
          let expired = state.check(at: now)
          told += expired.count
          // Told once, at the first look at which enough time had passed without a stop
          #expect((told == 1) == (ran >= limit), "look \(look), ran \(ran)")
          if let watch = expired.first {
            #expect(watch.callback == Self.background)
            #expect(watch.seen >= limit && watch.seen < limit + Self.step)
            #expect(watch.isOverrun)
          }
        }
        #expect(told == 1)
        #expect(!state.isWatching)
      }
    }
  }

  @Test("Looks that come late count less than what has passed, never more", arguments: 0...250)
  func late(_ lateness: UInt64) {
    var state = WatchdogState(step: Self.step)
    state.begin(Self.background, limit: 1000, now: 0)
    var now: UInt64 = 0
    for _ in 0..<30 {
      now += Self.step + lateness
      for watch in state.check(at: now) { #expect(watch.seen <= now) }
    }
    #expect(state.callback?.seen ?? 0 <= now)
    #expect(state.isWatching == (lateness > 100))
  }

  @Test("What returns in time is never told", arguments: [1, 99, 100, 101, 899, 999] as [UInt64])
  func inTime(_ length: UInt64) {
    for phase in UInt64(0)..<100 {
      var state = WatchdogState(step: Self.step)
      // The timer is on already, for something else
      _ = state.check(at: 1000)
      let start = 1000 + phase
      state.begin(Self.background, limit: 1000, now: start)
      var now: UInt64 = 1100
      while now < start + length {
        #expect(state.check(at: now).isEmpty)
        now += 100
      }
      #expect(state.end() == nil)
      #expect(!state.isWatching)
      #expect(state.check(at: now + 10_000).isEmpty)
    }
  }

  @Test("The launch and a callback run out each by its own limit", arguments: [300, 500, 900] as [UInt64?] + [nil])
  func launch(_ limit: UInt64?) {
    for passed in [0, 250, 299] as [UInt64] {
      for callbackLimit in [nil, 200, 700] as [UInt64?] {
        var state = WatchdogState(step: Self.step)
        state.beginLaunch(limit: limit, now: 0)
        state.countBeforeLaunch(passed, below: 500)
        let name = CallDescription("application(_:didFinishLaunchingWithOptions:)", phase: .launch)
        state.begin(name, limit: callbackLimit, now: 0)
        #expect(state.isWatching == (limit != nil || callbackLimit != nil))
        var told: [String: UInt64] = [:]
        for now in stride(from: UInt64(100), through: 1500, by: 100) {
          for watch in state.check(at: now) { told[watch.callback.name, default: 0] = now }
        }
        func rounded(_ time: UInt64) -> UInt64 { (time + 99) / 100 * 100 }
        #expect(told["launch"] == limit.map { max(100, rounded($0 - min($0, passed))) })
        #expect(told[name.name] == callbackLimit)
        #expect(state.endLaunch()?.isOverrun == (limit != nil))
        #expect(state.endLaunch() == nil)
      }
    }
  }

  @Test(
    "The time for which a launch waits for another process does not count, and the time before does", arguments: 0...4)
  func waitingLaunch(_ looks: UInt64) {
    var state = WatchdogState(step: Self.step)
    state.beginLaunch(limit: 500, now: 0)
    for look in 0..<looks { #expect(state.check(at: (look + 1) * 100).isEmpty) }
    // Half a step after the last look, which nobody sees
    let (seen, paused) = (looks * 100, looks * 100 + 50)
    state.pauseLaunch()
    #expect(!state.isWatching && state.launch == nil)
    let resumed = paused + 25_000
    for now in stride(from: paused + 100, through: resumed, by: 100) { #expect(state.check(at: now).isEmpty) }
    state.resumeLaunch(now: resumed)
    #expect(state.isWatching && state.launch?.seen == seen)
    var now = resumed
    while now - resumed + seen < 400 {
      now += 100
      #expect(state.check(at: now).isEmpty)
    }
    #expect(state.check(at: now + 100).count == 1)
    #expect(state.endLaunch()?.isOverrun == true)
    // Nothing goes on twice.
    state.resumeLaunch(now: now)
    #expect(state.launch == nil)
  }

  @Test(
    "The time before the launch counts also while it waits, and not where that alone is over the usual limit",
    arguments: [500, 300, 9500])
  func timeBefore(_ limit: UInt64) {
    for (passed, seen) in [(0, 0), (499, 499), (500, 0), (9000, 0)] as [(UInt64, UInt64)] {
      var state = WatchdogState(step: Self.step)
      state.countBeforeLaunch(passed, below: 500)
      state.beginLaunch(limit: 500, now: 0)
      state.pauseLaunch()
      // The program's own limit is known before the time is.
      state.change(launchLimit: limit, step: Self.step)
      state.countBeforeLaunch(passed, below: 500)
      state.resumeLaunch(now: 1000)
      #expect(state.launch?.seen == seen)
      state.countBeforeLaunch(seen, below: 500)
      #expect(state.launch?.seen == seen * 2)
      state.countBeforeLaunch(seen, below: nil)
      #expect(state.launch?.seen == seen * 2)
      #expect(state.endLaunch() != nil)
      state.countBeforeLaunch(passed, below: 500)
      #expect(state.launch == nil)
    }
  }

  @Test("The limit of the launch can change while it lasts")
  func change() {
    var state = WatchdogState(step: Self.step)
    state.beginLaunch(limit: 500, now: 0)
    for now in stride(from: UInt64(100), through: 400, by: 100) { #expect(state.check(at: now).isEmpty) }
    state.change(launchLimit: 1000, step: 50)
    for now in stride(from: UInt64(450), through: 950, by: 50) { #expect(state.check(at: now).isEmpty) }
    #expect(state.check(at: 1000).count == 1)
  }

  @Test("A callback within another is the one that is watched; then it is the outer one again")
  func nested() {
    var state = WatchdogState(step: Self.step)
    let inner = CallDescription("stateRestorationActivity(for:)", scene: "A", phase: .update)
    state.begin(Self.background, limit: 500, now: 0)
    _ = state.check(at: 100)
    state.begin(inner, limit: 300, now: 100)
    #expect(state.callback?.callback == inner)
    for now in [200, 300] as [UInt64] { #expect(state.check(at: now).isEmpty) }
    #expect(state.check(at: 400).map(\.callback) == [inner])
    #expect(state.end()?.isOverrun == true)
    // Its own time goes on from where it was
    #expect(state.callback?.callback == Self.background)
    for now in [500, 600, 700] as [UInt64] { #expect(state.check(at: now).isEmpty) }
    #expect(state.check(at: 800).map(\.callback) == [Self.background])
    #expect(state.end()?.isOverrun == true)
    #expect(state.callback == nil)
  }

  @Test("What is pardoned is no overrun")
  func pardon() {
    var state = WatchdogState(step: Self.step)
    state.begin(Self.background, limit: 100, now: 0)
    #expect(state.check(at: 100).count == 1)
    state.pardon()
    #expect(state.check(at: 200).isEmpty)
    #expect(state.end() == nil)
  }

  @Test("A step is a twentieth of the shortest limit, within bounds")
  func steps() {
    let second: UInt64 = 1_000_000_000
    #expect(WatchdogState.step(for: [5 * second, 10 * second]) == second / 4)
    #expect(WatchdogState.step(for: [second, 10 * second]) == second / 20)
    #expect(WatchdogState.step(for: [1]) == second / 100)
    #expect(WatchdogState.step(for: []) == second / 100)
    #expect(WatchdogState.step(for: [3600 * second]) == second / 4)
  }

  @Test(
    "The words of the environment",
    arguments: [("off", .off), ("kill", .terminate), ("report", .report), ("", nil)] as [(String, WatchdogPolicy?)])
  func words(_ word: String, _ policy: WatchdogPolicy?) { #expect(WatchdogPolicy(environment: word) == policy) }
}
