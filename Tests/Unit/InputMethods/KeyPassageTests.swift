import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform

/// The way of keys past an engine.
@Suite("Keys and an engine") struct KeyPassageTests {
  /// What has happened to each key, in order.
  private enum Event: Hashable {
    case asked(Int)
    case delivered(Int)
    case reset
  }

  private struct World {
    var passage = KeyPassage<Int>()
    var events: [Event] = []
    var added = 0
    /// Keys that an engine has taken, and numbers of keys that were asked about.
    var taken: Set<Int> = []
    var asked: [(number: Int, key: Int)] = []
    var asks = true

    init() {}

    mutating func act(_ input: KeyPassage<Int>.Input) {
      switch passage.reduce(input) {
      case .deliver(let key): events.append(.delivered(key))
      case .reset: events.append(.reset)
      case nil: break
      }
      advance()
    }

    mutating func add() {
      passage.add(added)
      added += 1
      advance()
    }

    mutating func advance() {
      while let step = passage.next(asks: { _ in asks }) {
        switch step {
        case .ask(let key, let number):
          asked.append((number, key))
          events.append(.asked(key))
        case .deliver(let key): events.append(.delivered(key))
        }
      }
    }

    mutating func answer(_ isHandled: Bool) {
      guard let asked = passage.asked else { return act(.answer(asked.last?.number ?? 0, isHandled: isHandled)) }
      if isHandled { taken.insert(asked.key) }
      act(.answer(asked.number, isHandled: isHandled))
    }
  }

  @Test("Without an engine each key is delivered at once")
  func absent() {
    var world = World()
    for _ in 0..<3 { world.add() }
    #expect(world.events == [.delivered(0), .delivered(1), .delivered(2)])
    #expect(world.passage.isIdle)
  }

  @Test("One key is asked about; those behind it wait, and are asked about in order")
  func order() {
    var world = World()
    world.act(.engine(isThere: true))
    for _ in 0..<3 { world.add() }
    #expect(world.events == [.asked(0)])
    world.answer(true)
    world.answer(false)
    world.answer(false)
    #expect(world.events == [.asked(0), .asked(1), .delivered(1), .asked(2), .delivered(2)])
    #expect(world.passage.isIdle)
  }

  @Test("A key behind another one that is not for the engine waits all the same")
  func notForEngine() {
    var world = World()
    world.act(.engine(isThere: true))
    world.add()
    world.asks = false
    world.add()
    #expect(world.events == [.asked(0)])
    world.answer(false)
    #expect(world.events == [.asked(0), .delivered(0), .delivered(1)])
  }

  @Test("A silent engine costs one wait; all keys pass it until it answers, and what it made of the first is dropped")
  func silent() throws {
    var world = World()
    world.act(.engine(isThere: true))
    for _ in 0..<3 { world.add() }
    let number = try #require(world.passage.asked?.number)
    world.act(.expired(number))
    world.add()
    #expect(world.events == [.asked(0), .delivered(0), .delivered(1), .delivered(2), .delivered(3)])
    #expect(world.passage.engine == .silent)
    // An older or an unknown answer is no sign of life.
    world.act(.answer(number + 1, isHandled: true))
    #expect(world.passage.engine == .silent)
    world.act(.answer(number, isHandled: true))
    world.add()
    #expect(world.events.suffix(2) == [.reset, .asked(4)])
  }

  @Test("The engine goes or another one comes: the key that it was asked about is delivered")
  func changes() {
    for isThere in [false, true] {
      var world = World()
      world.act(.engine(isThere: true))
      world.add()
      world.act(.engine(isThere: isThere))
      world.add()
      #expect(world.events == [.asked(0), .delivered(0), isThere ? .asked(1) : .delivered(1)])
      // The answer of the one that has gone is about no key.
      world.act(.answer(1, isHandled: false))
      #expect(world.events.count { $0 == .delivered(0) } == 1)
    }
  }

  @Test(
    "Over all histories of six inputs: each key is taken or delivered once, in order, and at most one waits for an answer"
  )
  func grid() {
    let inputs = 9
    var histories = 1
    for _ in 0..<6 { histories *= inputs }
    for history in 0..<histories {
      var (world, rest) = (World(), history)
      for _ in 0..<6 {
        let number = world.passage.asked?.number ?? world.asked.last?.number ?? 0
        switch rest % inputs {
        case 0, 1: world.add()
        case 2: world.answer(true)
        case 3: world.answer(false)
        case 4: world.act(.expired(number))
        case 5: world.act(.engine(isThere: true))
        case 6: world.act(.engine(isThere: false))
        case 7: world.act(.signOfLife)
        default: world.asks.toggle()
        }
        rest /= inputs
      }
      world.act(.engine(isThere: false))
      let delivered = world.events.compactMap { if case .delivered(let key) = $0 { key } else { nil } }
      guard world.passage.isIdle, delivered == delivered.sorted(), Set(delivered).count == delivered.count,
        Set(delivered).union(world.taken) == Set(0..<world.added), world.taken.isDisjoint(with: delivered)
      else {
        Issue.record("history \(history): \(world.events), taken \(world.taken)")
        return
      }
    }
  }

  @Test("A deletion is of scalars, and leaves the rest of the characters that it cuts")
  func deletions() throws {
    // "e" with two marks is one character of three scalars.
    let text = SurroundingText("ae\u{301}\u{323}b", anchor: 2, caret: 2)
    let one = try #require(text.deleting(offset: -1, count: 1))
    #expect(one.range == 1..<2)
    #expect(one.rest.unicodeScalars.elementsEqual("e\u{301}".unicodeScalars))
    let all = try #require(text.deleting(offset: -4, count: 5))
    #expect(all.range == 0..<3 && all.rest.isEmpty)
    #expect(text.deleting(offset: 0, count: 0) == nil)
    #expect(text.deleting(offset: Int.max, count: Int.max) == nil)
    #expect(text.deleting(offset: Int.min, count: 3) == nil)
    #expect(text.deleting(offset: -3, count: -1) == nil)
    #expect(SurroundingText("", anchor: 7, caret: -2).deleting(offset: -1, count: 9) == nil)
  }

  @Test(
    "Dead keys and keys of compose sequences are not the engine's",
    arguments: [
      (0xFE51, "", [], true), (0xFF20, "", [], true), (0x65, "é", [], true), (0x27, "", [], true),
      (0xFFFFFF, "", [], true), (0x65, "e", [], false),
      (0xE9, "é", [], false), (0xFF0D, "\r", [], false), (0x61, "\u{1}", .control, false), (0x20, " ", [], false),
      (0xFF51, "", [], false), (0x6C1, "а", [], false),
    ] as [(UInt32, String, ModifierFlags, Bool)])
  func composed(symbol: UInt32, characters: String, modifiers: ModifierFlags, isComposed: Bool) {
    let key = Key(code: 30, symbol: symbol, characters: characters, isDown: true, modifiers: modifiers)
    #expect(key.isComposed == isComposed)
  }

  @Test("A composition has no bounds outside of its text, no control characters and no line endings")
  func composition() {
    let composition = TextComposition(
      "a\nb\u{7}c", caret: 99,
      segments: [
        .init(-5..<2, isHighlighted: true), .init(7..<99, isHighlighted: true), .init(1..<1, isHighlighted: true),
      ])
    #expect(composition.text == "a b c")
    #expect(composition.caret == 5)
    #expect(composition.segments == [.init(0..<2, isHighlighted: true)])
  }
}
