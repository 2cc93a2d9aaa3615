/// The stored form of a game, for its session.
extension Game {
  var stored: [String: any Sendable] {
    [
      "ballX": ball.x, "ballY": ball.y, "ballDX": ball.dx, "ballDY": ball.dy, "left": left.y, "right": right.y,
      "leftScore": left.score, "rightScore": right.score, "wait": wait, "random": Int(bitPattern: UInt(random)),
    ]
  }

  /// A stored game; nil where a value is missing or invalid.
  init?(stored: [String: any Sendable]) {
    func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
      // An integral Double may be decoded as an Int.
      let value = stored[key] as? Double ?? (stored[key] as? Int).map(Double.init)
      return value.flatMap { range.contains($0) ? $0 : nil }
    }
    func score(_ key: String) -> Int? {
      (stored[key] as? Int).flatMap { (0...Self.mostPoints).contains($0) ? $0 : nil }
    }
    let speeds = -Self.fastest...Self.fastest
    let margin = Self.ballRadius
    let paddles = Self.paddleReach...Self.height - Self.paddleReach
    guard let x = number("ballX", -margin...Self.width + margin),
      let y = number("ballY", margin...Self.height - margin), let dx = number("ballDX", speeds),
      let dy = number("ballDY", speeds), abs(dx) >= 1, let left = number("left", paddles),
      let right = number("right", paddles), let leftScore = score("leftScore"),
      let rightScore = score("rightScore"), let wait = number("wait", 0...10), let random = stored["random"] as? Int
    else { return nil }
    self.init(seed: UInt64(UInt(bitPattern: random)))
    self.random = UInt64(UInt(bitPattern: random))
    ball = Ball(x: x, y: y, dx: dx, dy: dy)
    self.left = Player(y: left, score: leftScore)
    self.right = Player(y: right, score: rightScore)
    self.wait = wait
  }
}
