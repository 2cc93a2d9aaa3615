import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@Suite("Which scenes give way") struct ReclaimPolicyTests {
  typealias Candidate = ReclaimPolicy.Candidate

  /// Every choice of three scenes' footprints, activity, age and exemption, under every policy and pressure.
  @Test("The largest first, then the one active longest ago; as many as asked for, and never an exempt one")
  func grid() {
    var count = 0
    for footprints in [[0, 0, 0], [0, 5, 5], [9, 5, 1]] {
      for activity in [[1, 2, 3], [3, 1, 2]] {
        for since in [[0.0, 0, 0], [0, 40, 90]] {
          for exempt in 0..<8 {
            let candidates = (0..<3).map { index in
              Candidate(
                scene: index + 1, footprint: footprints[index], lastActive: activity[index], since: since[index],
                isExempt: exempt & 1 << index != 0)
            }
            for (under, most, time) in policies {
              var policy = ReclaimPolicy()
              policy.disconnectsUnderPressure = under
              policy.maximumBackgroundScenes = most
              policy.maximumBackgroundTime = time.map { .seconds($0) }
              for pressure in [nil, MemoryPressure.warning, .critical] {
                for isHeld in [false, true] { check(policy, candidates, pressure, isHeld) }
                count += 1
              }
            }
          }
        }
      }
    }
    #expect(count == 3 * 2 * 2 * 8 * policies.count * 3)
  }

  private var policies: [(Bool, Int?, Int?)] {
    [true, false].flatMap { under in
      [nil, -1, 0, 1, 2, 5].flatMap { most in [nil, 0, 50, 1000].map { (under, most, $0) } }
    }
  }

  /// The rules, said once more and simply.
  private func check(
    _ policy: ReclaimPolicy, _ candidates: [Candidate], _ pressure: MemoryPressure?, _ isHeld: Bool
  ) {
    let now = 100.0
    let choice = policy.choose(candidates, pressure: pressure, now: now, isHeld: isHeld)
    let free = candidates.filter { !$0.isExempt }
    var order: [Int] = []
    while let next = free.filter({ !order.contains($0.scene) }).min(by: { one, other in
      one.footprint != other.footprint ? one.footprint > other.footprint : one.lastActive < other.lastActive
    }) { order.append(next.scene) }
    var wanted = 0
    if policy.disconnectsUnderPressure {
      if pressure == .critical { wanted = free.count }
      if pressure == .warning { wanted = free.count - free.count / 2 }
    }
    if let most = policy.maximumBackgroundScenes { wanted = max(wanted, min(free.count, 3 - max(most, 0))) }
    let limit = policy.maximumBackgroundTime.map { Double($0.components.seconds) }
    let old = free.filter { scene in limit.map { scene.since + $0 <= now } ?? false }.map(\.scene)
    let expected = order.enumerated().filter { $0.offset < wanted || old.contains($0.element) }.map(\.element)
    if isHeld, pressure != .critical, !expected.isEmpty {
      #expect(choice == ReclaimPolicy.Choice())
      return
    }
    #expect(choice.scenes == expected)
    let rest = free.filter { !expected.contains($0.scene) }
    #expect(choice.next == limit.flatMap { limit in rest.map { $0.since + limit }.min() })
  }

  @Test(
    "One warning in ten seconds; what is critical is not swallowed by a warning before it, and swallows those after it")
  func limit() {
    var limit = PressureLimit()
    let reports: [(MemoryPressure, Double, Bool)] = [
      (.warning, 0, true), (.warning, 9.9, false), (.critical, 9.95, true), (.critical, 12, false),
      (.warning, 15, false), (.warning, 20, true), (.critical, 20, true),
    ]
    for (pressure, now, isAdmitted) in reports {
      let admits = limit.admits(pressure, now: now)
      #expect(admits == isAdmitted, "\(pressure) at \(now)")
    }
  }
}
