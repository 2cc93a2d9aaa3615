import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@MainActor @Suite("Purgeable caches") struct PurgeableCacheTests {
  @Test("Values are kept with what they cost, replaced and taken out")
  func values() {
    let cache = PurgeableCache<String, Int>()
    cache.insert(1, for: "a", cost: 10)
    cache.insert(2, for: "b", cost: -5)
    #expect(cache.totalCost == 10)
    cache.insert(3, for: "a", cost: 4)
    #expect(cache.value(for: "a") == 3)
    #expect(cache.totalCost == 4)
    cache.removeValue(for: "b")
    cache.removeValue(for: "none")
    #expect(cache.count == 1)
    cache.removeAll()
    #expect(cache.value(for: "a") == nil)
    #expect(cache.totalCost == 0)
  }

  @Test("Costs that no machine has are counted as far as numbers go")
  func enormous() {
    let caches = [PurgeableCache<Int, Int>(), PurgeableCache<Int, Int>()]
    for cache in caches { for key in 0..<2 { cache.insert(key, for: key, cost: .max) } }
    #expect(caches[0].totalCost == .max)
    caches[0].removeValue(for: 0)
    caches[0].removeValue(for: 1)
    #expect(caches[0].totalCost == 0)
  }

  @Test("A limit is kept by letting go what was used longest ago; what is larger than all of it is not kept")
  func limit() {
    let cache = PurgeableCache<Int, Int>(costLimit: 100)
    for key in 0..<10 { cache.insert(key, for: key, cost: 10) }
    #expect(cache.count == 10)
    _ = cache.value(for: 0)
    cache.insert(10, for: 10, cost: 10)
    #expect(cache.totalCost <= 100)
    #expect(cache.value(for: 0) == 0)
    #expect(cache.value(for: 10) == 10)
    #expect(cache.value(for: 1) == nil)
    cache.insert(11, for: 11, cost: 101)
    #expect(cache.value(for: 11) == nil)
    cache.insert(12, for: 12, cost: 100)
    #expect(cache.value(for: 12) == 12)
    #expect(cache.count == 1)
    cache.costLimit = 0
    #expect(cache.count == 0)
    for key in 0..<1000 { cache.insert(key, for: key, cost: 1) }
    #expect(cache.totalCost == 0)
  }

  @Test("A thousand random insertions never exceed the limit, and the sum is always right")
  func random() {
    var random = SeededNumbers(testSeed())
    let cache = PurgeableCache<Int, Int>(costLimit: 500)
    var costs: [Int: Int] = [:]
    for _ in 0..<1000 {
      let (key, cost) = (Int.random(in: 0..<40, using: &random), Int.random(in: 0...120, using: &random))
      costs[key] = cost
      cache.insert(key, for: key, cost: cost)
      let sum = (0..<40).filter { cache.value(for: $0) != nil }.reduce(0) { $0 + (costs[$1] ?? 0) }
      #expect(cache.totalCost == sum)
      #expect(cache.totalCost <= 500)
    }
  }

  @Test("The framework holds no cache, and forgets those that are gone")
  func lifetime() {
    let list = PurgeableList()
    weak var witness: PurgeableCache<Int, Int>?
    for _ in 0..<1000 {
      let cache = PurgeableCache<Int, Int>()
      list.add(cache)
      witness = cache
    }
    #expect(witness == nil)
    #expect(list.cost == 0)
  }
}
