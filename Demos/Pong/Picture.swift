import Proscenium

/// What a game looks like: plain rectangles, painted one over the other.
struct Picture: Hashable, Sendable {
  struct Shape: Hashable, Sendable {
    var rect: Rect
    var color: Color
  }

  static let background = Color(rgb: 0x0B0F14)
  private static let court = Color(rgb: 0x14202B)
  private static let line = Color(rgb: 0x38506A)
  private static let ink = Color(rgb: 0xE8EEF4)
  private static let bright = Color(rgb: 0xFFC845)

  let size: Size
  private(set) var shapes: [Shape] = []
  /// Pixels of one unit of the court, and where the court begins.
  private let scale: Double
  private let origin: Point

  /// The picture of a game; the message is lines in the middle, the first one large, and none where the game runs.
  init(_ game: Game, message: [String] = [], size: Size) {
    self.size = size
    scale = max(min(Double(size.width) / Game.width, Double(size.height) / Game.height), 0.01)
    origin = Point(
      x: (size.width - Int(Game.width * scale)) / 2, y: (size.height - Int(Game.height * scale)) / 2)
    add(0, 0, Game.width, Game.height, Self.court)
    for y in stride(from: 5.0, to: Game.height, by: 20) { add(Game.width / 2 - 1, y, 2, 10, Self.line) }
    write("\(game.left.score)", middle: Game.width / 2 - 50, top: 14, unit: 6, Self.line)
    write("\(game.right.score)", middle: Game.width / 2 + 50, top: 14, unit: 6, Self.line)
    addPaddle(x: Game.paddleInset, game.left)
    addPaddle(x: Game.width - Game.paddleInset, game.right)
    let (ball, radius) = (game.ball, Game.ballRadius)
    add(ball.x - radius, ball.y - radius, 2 * radius, 2 * radius, Self.bright)
    guard !message.isEmpty else { return }
    add(85, 106, 230, 88, Self.background)
    for (row, text) in message.enumerated() {
      let isFirst = row == 0
      write(
        text, middle: Game.width / 2, top: isFirst ? 120 : 148 + Double(row) * 18, unit: isFirst ? 6 : 3,
        isFirst ? Self.ink : Self.bright)
    }
  }

  /// How far down the court a point of the window is.
  func courtY(_ point: Point) -> Double { Double(point.y - origin.y) / scale }

  /// What has to be painted to turn one picture into another; nil for all of it.
  static func changes(from old: Picture, to new: Picture) -> [Rect]? {
    guard old.size == new.size, old.shapes.count == new.shapes.count else { return nil }
    return zip(old.shapes, new.shapes).flatMap { $0 == $1 ? [] : [$0.rect, $1.rect] }
  }

  /// Paints some parts of the picture.
  func paint(_ parts: [Rect], into buffer: inout PixelBuffer) {
    for part in parts { buffer.fill(part, with: Self.background) }
    for shape in shapes { buffer.fill(shape.rect, with: shape.color, clippedTo: parts) }
  }

  private mutating func addPaddle(x: Double, _ player: Game.Player) {
    let (reach, radius) = (Game.paddleReach, Game.paddleRadius)
    add(x - radius, player.y - reach, 2 * radius, 2 * reach, Self.ink)
  }

  /// A rectangle in units of the court, at least one pixel wide and high.
  private mutating func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Color) {
    let left = Int((x * scale).rounded())
    let top = Int((y * scale).rounded())
    let right = max(Int(((x + width) * scale).rounded()), left + 1)
    let bottom = max(Int(((y + height) * scale).rounded()), top + 1)
    let rect = Rect(x: origin.x + left, y: origin.y + top, width: right - left, height: bottom - top)
    shapes.append(Shape(rect: rect, color: color))
  }

  private mutating func write(_ text: String, middle: Double, top: Double, unit: Double, _ color: Color) {
    let left = middle - Double(Lettering.width(of: text)) * unit / 2
    for run in Lettering.runs(of: text) {
      add(left + Double(run.x) * unit, top + Double(run.y) * unit, Double(run.width) * unit, unit, color)
    }
  }
}
