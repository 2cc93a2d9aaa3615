import Proscenium

/// The window of the game, drawn into the pixel buffer: only the changed parts.
@MainActor final class CourtWindow: Window {
  private var game = Game(seed: 0)
  private var message: [String] = []
  private(set) lazy var picture = Picture(game, size: pixelSize)

  /// Shows the game's present state.
  func show(_ game: Game, message: [String]) {
    (self.game, self.message) = (game, message)
    let next = Picture(game, message: message, size: pixelSize)
    if let changes = Picture.changes(from: picture, to: next) {
      for rect in changes { setNeedsDisplay(rect) }
    } else {
      setNeedsDisplay()
    }
    picture = next
  }

  override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    // Another size: all of it is damage.
    if picture.size != buffer.size { picture = Picture(game, message: message, size: buffer.size) }
    picture.paint(damage, into: &buffer)
  }
}
