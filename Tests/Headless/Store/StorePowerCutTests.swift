import Glibc
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import TestSupport
import Testing

@Suite("The session store under power cuts and kills")
@MainActor struct StorePowerCutTests {
  /// What is known of one session.
  private enum Known: Hashable {
    case absent
    case stored(String)
    case discarded
  }

  /// What may be found after a cut: what the last completed flush said, or anything asked for since.
  private struct Expectation {
    var completed: [String: Known] = [:]
    var since: [String: [Known]] = [:]

    mutating func ask(_ identifier: String, _ known: Known) { since[identifier, default: []].append(known) }
    mutating func complete() {
      for (identifier, asked) in since { completed[identifier] = asked.last }
      since = [:]
    }
    func current(_ identifier: String) -> Known { since[identifier]?.last ?? completed[identifier] ?? .absent }
    var identifiers: Set<String> { Set(completed.keys).union(since.keys) }
  }

  @Test("What the last completed flush said is there, or something newer; nothing damaged, nothing back")
  func histories() throws {
    let count = testRounds(1500)
    var cuts = 0
    for seed in testSeeds(count) { cuts += try history(seed: seed) }
    // Most of the cuts must have hit something, or this would prove nothing.
    #expect(cuts > count)
  }

  /// - Returns: How often the power failed.
  private func history(seed: UInt64) throws -> Int {
    var random = SeededNumbers(seed)
    var disk = CuttableDisk()
    var expected = Expectation()
    var cuts = 0
    var counter = 0
    for run in 0..<4 {
      if run < 3, Bool.random(using: &random) || run == 0 {
        disk.cut(afterOperation: .random(in: 0..<40, using: &random), tornAt: .random(in: 0..<200, using: &random))
      }
      let store = SessionStore(files: disk, runsInline: true)
      let contents = store.load()
      store.flush()
      if !disk.isDead {
        try check(contents, expected, "seed \(seed), run \(run)")
        expected = found(contents)
        // The launch reports what was discarded.
        for record in contents.discarded where Bool.random(using: &random) {
          store.forget(record.identifier)
          expected.ask(record.identifier, .absent)
        }
        for _ in 0..<Int.random(in: 0..<30, using: &random) where !disk.isDead {
          step(store, &expected, &counter, &random)
          if Int.random(in: 0..<4, using: &random) == 0 {
            store.flush()
            if !disk.isDead { expected.complete() }
          }
        }
        if Bool.random(using: &random) { store.end(.quit) }
      }
      if disk.isDead { cuts += 1 }
      disk = disk.restarted(Bool.random(using: &random) ? .nothing : .unsynced(seed: random.next()))
    }
    return cuts
  }

  private func step(
    _ store: SessionStore, _ expected: inout Expectation, _ counter: inout Int, _ random: inout SeededNumbers
  ) {
    counter += 1
    let known = expected.identifiers.sorted()
    let one = known.randomElement(using: &random) ?? "first"
    switch (Int.random(in: 0..<8, using: &random), expected.current(one)) {
    case (0...1, _):
      let identifier = "new-\(counter)-\(random.next() % 1000)"
      store.save(titled(identifier, "\(counter)"))
      expected.ask(identifier, .stored("\(counter)"))
    case (2...5, .stored):
      store.save(titled(one, "\(counter)"))
      expected.ask(one, .stored("\(counter)"))
    case (6, .stored):
      store.discard(one)
      expected.ask(one, .discarded)
      // Too late: it is gone.
      store.save(titled(one, "late"))
    case (_, .discarded):
      store.forget(one)
      expected.ask(one, .absent)
    case (7, _):
      store.beginConnecting(one)
      store.endConnecting(one)
    case _: break
    }
  }

  private func found(_ contents: SessionStore.Contents) -> Expectation {
    var found = Expectation()
    for record in contents.discarded { found.completed[record.identifier] = .discarded }
    for record in contents.sessions {
      if let session = try? record.decode() { found.completed[record.identifier] = .stored(session.title ?? "") }
    }
    return found
  }

  private func check(_ contents: SessionStore.Contents, _ expected: Expectation, _ place: String) throws {
    #expect(contents.messages == [], "\(place)")
    #expect(contents.newer == [], "\(place)")
    let found = found(contents)
    try #require(contents.sessions.count + contents.discarded.count == found.completed.count, "\(place)")
    for identifier in expected.identifiers.union(found.identifiers) {
      let allowed = [expected.completed[identifier] ?? .absent] + (expected.since[identifier] ?? [])
      let actual = found.completed[identifier] ?? .absent
      try #require(allowed.contains(actual), "\(place): \(identifier) is \(actual), not one of \(allowed)")
    }
  }

  @Test(
    "A flush that completed with an ordered end is found whole, cut or not",
    arguments: testSeeds(50, test: "orderedEnd"))
  func orderedEnd(seed: UInt64) throws {
    let disk = CuttableDisk()
    let store = SessionStore(files: disk, runsInline: true)
    _ = store.load()
    store.save(titled("a", "1"))
    store.beginConnecting("a")
    store.end(.sessionEnded)
    let contents = SessionStore(files: disk.restarted(.unsynced(seed: seed)), runsInline: true).load()
    #expect(contents.sessions.map { $0.identifier } == ["a"])
    #expect(contents.lastRun == .sessionEnded)
    #expect(contents.suspects == [:])
  }
}
