import Glibc

/// A game of Pong: its positions and its rules.
///
/// The same seed and the same steering give the same game.
///
/// The court is 400 by 300 units, for any size of the window; the origin is its upper left corner.
struct Game: Hashable, Sendable {
  struct Ball: Hashable, Sendable {
    var x = Game.width / 2
    var y = Game.height / 2
    /// Units a second.
    var dx = 0.0
    var dy = 0.0
  }

  struct Player: Hashable, Sendable {
    /// The middle of the paddle.
    var y = Game.height / 2
    var score = 0
  }

  enum Steering: Hashable, Sendable {
    case rest
    case up
    case down
    /// As far towards a place as the paddle gets.
    case to(Double)
    /// The machine plays.
    case machine
  }

  static let width = 400.0
  static let height = 300.0
  /// Half the ball's side.
  static let ballRadius = 4.0
  /// Half the paddle's height and width, and how far its middle is from the court's edge.
  static let paddleReach = 28.0
  static let paddleRadius = 4.0
  static let paddleInset = 20.0
  /// Steps have a fixed length, so that the game does not depend on the frame rate; exact in binary.
  static let step = 1.0 / 128
  static let serveSpeed = 200.0
  static let fastest = 600.0
  static let mostPoints = 99

  private static let steeredSpeed = 280.0
  private static let pointerSpeed = 900.0
  private static let machineSpeed = 190.0
  private static let serveDelay = 0.8
  /// Longer than any frame; time during which the machine slept is not caught up with.
  private static let longestAdvance = 0.25

  var ball = Ball()
  var left = Player()
  var right = Player()
  /// Seconds until the ball moves.
  var wait = Game.serveDelay
  /// The state of the random numbers (SplitMix64).
  var random: UInt64
  /// Time that was not enough for a step.
  private var rest = 0.0

  init(seed: UInt64) {
    random = seed
    serve(towardsLeft: nextRandom() < 0.5)
  }

  /// Advances by a frame's time, in whole steps.
  mutating func advance(by seconds: Double, left: Steering, right: Steering) {
    // Not a number is no time.
    guard seconds > 0 else { return }
    rest += min(seconds, Self.longestAdvance)
    while rest >= Self.step {
      rest -= Self.step
      advance(left: left, right: right)
    }
  }

  private mutating func advance(left: Steering, right: Steering) {
    self.left.y = moved(self.left.y, left, isApproached: ball.dx < 0)
    self.right.y = moved(self.right.y, right, isApproached: ball.dx > 0)
    wait -= Self.step
    guard wait <= 0 else { return }
    wait = 0
    moveBall()
    if ball.x < -Self.ballRadius {
      self.right.score = min(self.right.score + 1, Self.mostPoints)
      serve(towardsLeft: true)
    } else if ball.x > Self.width + Self.ballRadius {
      self.left.score = min(self.left.score + 1, Self.mostPoints)
      serve(towardsLeft: false)
    }
  }

  private func moved(_ y: Double, _ steering: Steering, isApproached: Bool) -> Double {
    func towards(_ target: Double, _ speed: Double) -> Double {
      y + min(max(target - y, -speed * Self.step), speed * Self.step)
    }
    let next: Double =
      switch steering {
      case .rest: y
      case .up: y - Self.steeredSpeed * Self.step
      case .down: y + Self.steeredSpeed * Self.step
      case .to(let target): towards(target, Self.pointerSpeed)
      case .machine: towards(isApproached ? ball.y : Self.height / 2, Self.machineSpeed)
      }
    return min(max(next, Self.paddleReach), Self.height - Self.paddleReach)
  }

  /// Moves the ball through the step, and reflects it where it collides on the way.
  private mutating func moveBall() {
    let isLeft = ball.dx < 0
    let face = Self.paddleInset + Self.paddleRadius + Self.ballRadius
    let plane = isLeft ? face : Self.width - face
    let distance = plane - ball.x
    let way = ball.dx * Self.step
    // On its way through the paddle's plane, and not behind it already.
    guard way != 0, distance / way >= 0, distance / way <= 1 else { return fly(Self.step) }
    let time = distance / way * Self.step
    fly(time)
    ball.x = plane
    let offset = (ball.y - (isLeft ? left.y : right.y)) / (Self.paddleReach + Self.ballRadius)
    if abs(offset) <= 1 {
      let speed = min((ball.dx * ball.dx + ball.dy * ball.dy).squareRoot() * 1.06, Self.fastest)
      // Where the paddle is hit decides: up to 55 degrees at its ends.
      let angle = offset * 55 * Double.pi / 180
      ball.dx = cos(angle) * speed * (isLeft ? 1 : -1)
      ball.dy = sin(angle) * speed
    }
    fly(Self.step - time)
  }

  /// Flies for a time; the walls above and below send the ball back.
  private mutating func fly(_ time: Double) {
    ball.x += ball.dx * time
    ball.y += ball.dy * time
    let (top, bottom) = (Self.ballRadius, Self.height - Self.ballRadius)
    if ball.y < top {
      ball.y = 2 * top - ball.y
      ball.dy = abs(ball.dy)
    } else if ball.y > bottom {
      ball.y = 2 * bottom - ball.y
      ball.dy = -abs(ball.dy)
    }
  }

  private mutating func serve(towardsLeft: Bool) {
    let angle = (nextRandom() - 0.5) * 80 * Double.pi / 180
    ball = Ball(dx: cos(angle) * Self.serveSpeed * (towardsLeft ? -1 : 1), dy: sin(angle) * Self.serveSpeed)
    wait = Self.serveDelay
  }

  /// A number in 0..<1.
  private mutating func nextRandom() -> Double {
    random &+= 0x9E37_79B9_7F4A_7C15
    var bits = random
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ bits >> 31) >> 11) / Double(1 << 53)
  }
}
