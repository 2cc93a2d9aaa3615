import Glibc
import SceneLifecycle
import TestSupport
import Testing

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// A random life of a whole little program, from a seed.
struct RandomLife {
  let seed: UInt64
  let world: World
  let batches: [[WorldEvent]]

  init(seed: UInt64, length: Int) {
    var dice = SeededNumbers(seed)
    var unusual = HoldTimes()
    unusual.inactive = .milliseconds(300)
    unusual.background = .milliseconds(120)
    unusual.application = .milliseconds(30)
    let times = [HoldTimes(), HoldTimes(), HoldTimes.none, unusual][Int.random(in: 0..<4, using: &dice)]
    let policies: [[ActivationPolicy]] = [
      [.whenFocused], [.whenFocused], [.whenFocused, .whenVisible], [.whenVisible],
    ]
    let isApp = Int.random(in: 0..<5, using: &dice) == 0
    let count = isApp ? 1 : Int.random(in: 1...4, using: &dice)
    world = World(
      scenes: count, model: isApp ? .appBased : .sceneBased, policies: policies[Int.random(in: 0..<4, using: &dice)],
      times: times)
    self.seed = seed
    var batches: [[WorldEvent]] = [[.launch(foreground: .random(using: &dice)), .connect(0)], [.checkLaunch]]
    for _ in 2..<length {
      batches.append((0..<Int.random(in: 1...3, using: &dice)).map { _ in Self.event(count, &dice) })
    }
    if Bool.random(using: &dice) { batches[length - 1] = [.terminate] }
    self.batches = batches
  }

  private static func event(_ count: Int, _ dice: inout SeededNumbers) -> WorldEvent {
    let scene = Int.random(in: 0..<count, using: &dice)
    let flag = Bool.random(using: &dice)
    switch Int.random(in: 0..<30, using: &dice) {
    case 0...2: return .connect(scene)
    case 3: return .disconnect(scene)
    case 4...8: return .show(scene)
    case 9...11: return .hide(scene)
    case 12: return .withdraw(scene)
    case 13...16: return .focus(scene)
    case 17, 18: return .focus(nil)
    case 19: return .grab(flag)
    case 20: return .interrupt(scene, flag)
    case 21: return flag ? .lock(false) : .lock(.random(using: &dice))
    case 22: return .windowManager(changing: flag)
    case 23: return .wait(5000)
    case let other: return .wait([1, 10, 49, 50, 51, 99, 100, 400][(other * 7 + scene + (flag ? 3 : 0)) % 8])
    }
  }

  /// What goes wrong first when these batches happen; nil if nothing does.
  func play(_ batches: [[WorldEvent]]) -> String? {
    var world = world
    for batch in batches {
      world.batch(batch)
      if batch.contains(.wait(5000)), batch.last == .wait(5000) { world.checkRest() }
      if let failure = world.failure { return failure }
    }
    if !world.hasEnded {
      world.batch([.wait(5000)])
      world.checkRest()
    }
    if world.hasEnded {
      if !world.deadlines.isEmpty { world.fail("deadlines run after the end") }
      if world.scenes.indices.contains(where: world.isConnected) { world.fail("a scene is connected after the end") }
    }
    return world.failure
  }

  /// The shortest part of the life that still goes wrong, by leaving out ever smaller pieces.
  func shrink() -> [[WorldEvent]] {
    var batches = batches
    var piece = batches.count / 2
    while piece > 0 {
      var start = 0
      while start < batches.count {
        var shorter = batches
        shorter.removeSubrange(start..<min(start + piece, shorter.count))
        if play(shorter) != nil { batches = shorter } else { start += piece }
      }
      piece /= 2
    }
    for index in batches.indices {
      for event in batches[index].indices.reversed() {
        var shorter = batches
        shorter[index].remove(at: event)
        if play(shorter) != nil { batches = shorter }
      }
    }
    return batches
  }
}

@Suite("Random lives of a whole little program")
struct RandomWalkTests {
  static let length = 250
  static let steps = environment("PROSCENIUM_LAW_STEPS").flatMap(Int.init) ?? 200_000
  static let seed = testSeed(20_260_101)

  @Test("No promise is broken on any step", arguments: 0..<8)
  func lives(part: Int) {
    var seeds = SeededNumbers(Self.seed &+ UInt64(part))
    for _ in 0..<(Self.steps / Self.length / 8) {
      let life = RandomLife(seed: seeds.next(), length: Self.length)
      guard life.play(life.batches) != nil else { continue }
      let replay = life.shrink()
      Issue.record(
        """
        \(life.play(replay) ?? "")
        seed \(life.seed), \(life.world.scenes.count) scenes, \(life.world.law.model), \
        \(life.world.scenes.indices.map { life.world.machine($0).policy }), \(life.world.times)
        \(replay.map { "\($0)" }.joined(separator: "\n"))
        """)
      return
    }
  }
}
