import TestSupport
import Testing

@testable import Pong

@Suite("The game of Pong")
struct PongGameTests {
  @Test("The same seed and steering give the same game, however long the frames are")
  func frames() {
    // Given the same game twice
    var (often, seldom) = (Game(seed: 7), Game(seed: 7))
    // When one is drawn twice as often as the other
    for _ in 0..<2000 { often.advance(by: Game.step * 2, left: .machine, right: .up) }
    for _ in 0..<1000 { seldom.advance(by: Game.step * 4, left: .machine, right: .up) }
    // Then both are the same, and another seed is another game
    #expect(often == seldom)
    #expect(often.left.score > 0)
    #expect(Game(seed: 8).ball != Game(seed: 7).ball)
  }

  @Test(
    "The fastest ball does not pass through a paddle in its way", arguments: testSeeds(5, from: 1, test: "tunnelling"))
  func tunnelling(seed: UInt64) {
    var game = Game(seed: seed)
    var fastest = 0.0
    for _ in 0..<60_000 {
      // Given paddles that are always where the ball is
      let y = min(max(game.ball.y, Game.paddleReach), Game.height - Game.paddleReach)
      (game.left.y, game.right.y) = (y, y)
      game.advance(by: Game.step, left: .rest, right: .rest)
      fastest = max(fastest, abs(game.ball.dx))
    }
    // Then neither side ever scores, and the ball got as fast as it may
    #expect(game.left.score + game.right.score == 0)
    #expect(fastest > Game.fastest * 0.8)
  }

  @Test("Ball and paddles stay within the court", arguments: testSeeds(3, from: 11, test: "walls"))
  func walls(seed: UInt64) {
    var game = Game(seed: seed)
    let ways: [Game.Steering] = [.up, .down, .to(-1e9), .to(.infinity), .machine, .rest]
    let paddles = Game.paddleReach...Game.height - Game.paddleReach
    for step in 0..<60_000 {
      game.advance(by: Game.step, left: ways[step / 500 % 6], right: ways[step / 700 % 6])
      guard (Game.ballRadius...Game.height - Game.ballRadius).contains(game.ball.y),
        paddles.contains(game.left.y), paddles.contains(game.right.y)
      else {
        Issue.record("step \(step): \(game)")
        return
      }
    }
    #expect(game.left.score + game.right.score > 10)
  }

  @Test("A ball that is missed is a point for the other, and is served to the one who missed it")
  func score() {
    // Given a ball that flies past the left paddle
    var game = Game(seed: 1)
    game.wait = 0
    game.left.y = Game.paddleReach
    game.ball = Game.Ball(x: 40, y: 200, dx: -200, dy: 0)
    // When it has left the court
    for _ in 0..<60 { game.advance(by: Game.step, left: .rest, right: .rest) }
    // Then the right player has a point
    #expect(game.right.score == 1)
    #expect(game.left.score == 0)
    // And the ball waits in the middle, to go left
    #expect(game.ball.x == Game.width / 2)
    #expect(game.ball.dx < 0)
    #expect(game.wait > 0)
  }

  @Test("Where the paddle is hit decides where the ball goes")
  func angle() {
    func returned(_ offset: Double) -> Game.Ball {
      var game = Game(seed: 1)
      game.wait = 0
      game.ball = Game.Ball(x: 60, y: 150 + offset, dx: -300, dy: 0)
      for _ in 0..<24 { game.advance(by: Game.step, left: .rest, right: .rest) }
      return game.ball
    }
    #expect(returned(0).dx > 300)
    #expect(returned(0).dy == 0)
    #expect(returned(-20).dy < -50)
    #expect(returned(20).dy > 50)
    // Beside the paddle it flies on.
    #expect(returned(33).dx < 0)
  }

  @Test("Time that makes no sense does nothing, and a long sleep is not caught up with")
  func time() {
    let before = Game(seed: 3)
    for seconds in [0, -1, .nan, -.infinity] as [Double] {
      var game = before
      game.advance(by: seconds, left: .machine, right: .machine)
      #expect(game == before)
    }
    var game = before
    game.advance(by: .infinity, left: .machine, right: .machine)
    #expect(game.wait > before.wait - 0.26)
  }

  @Test("A game that was kept goes on as if nothing had happened")
  func stored() throws {
    var game = Game(seed: 5)
    for _ in 0..<1000 { game.advance(by: Game.step, left: .machine, right: .rest) }
    var restored = try #require(Game(stored: game.stored))
    for _ in 0..<5000 {
      game.advance(by: Game.step, left: .machine, right: .rest)
      restored.advance(by: Game.step, left: .machine, right: .rest)
    }
    #expect(restored == game)
    #expect(game.left.score > 0)
  }

  @Test("What is no game is refused")
  func rubbish() {
    let stored = Game(seed: 5).stored
    #expect(Game(stored: stored) != nil)
    for key in stored.keys {
      for value: any Sendable in [Double.nan, Double.infinity, -1e30, "text", 1e300, [1, 2]] as [any Sendable] {
        var changed = stored
        changed[key] = value
        #expect(Game(stored: changed) == nil, "\(key): \(value)")
      }
      var changed = stored
      changed[key] = nil
      #expect(Game(stored: changed) == nil, "no \(key)")
    }
  }
}
