import ProsceniumCore

/// The pixels of a surface beneath a view.
struct PixelGrid {
  /// The number of pixels per point.
  let scale: Double
  /// The upper left corner of the view in its own coordinates, in points.
  let center: Point
  /// That corner in the window, in points.
  let place: Point
  /// That corner on the surface, in pixels.
  let corner: Point

  /// Whether each point begins with a pixel.
  let isWhole: Bool

  init(scale: Double, center: Point, place: Point, corner: Point) {
    (self.scale, self.center, self.place, self.corner) = (scale, center, place, corner)
    isWhole = Int(exactly: scale) != nil
  }

  /// The edges of a rectangle, in pixels of the surface.
  ///
  /// They are rounded as those of views are, so that they are sharp, and meet those of views.
  func edges(of rect: Rect) -> (left: Double, top: Double, right: Double, bottom: Double) {
    let (left, top) = (
      edge(rect.origin.x, 0, center.x, place.x, corner.x), edge(rect.origin.y, 0, center.y, place.y, corner.y)
    )
    var (right, bottom) = (
      edge(rect.origin.x, rect.size.width, center.x, place.x, corner.x),
      edge(rect.origin.y, rect.size.height, center.y, place.y, corner.y)
    )
    if !isWhole {
      // Lines are as broad in one place as in another.
      if rect.size.width == 1 { right = left + sharpened(1) * scale }
      if rect.size.height == 1 { bottom = top + sharpened(1) * scale }
    }
    return (left, top, right, bottom)
  }

  private func edge(_ origin: Int, _ length: Int, _ center: Int, _ place: Int, _ corner: Int) -> Double {
    let distance = Double(origin) + Double(length) - Double(center)
    let start = Double(place)
    let pixels = isWhole ? distance * scale : ((start + distance) * scale).rounded() - (start * scale).rounded()
    return min(max(pixels + Double(corner), -2_000_000), 2_000_000)
  }

  /// The place of an upper left corner on the surface, in points of the view.
  func points(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    ((x - Double(corner.x)) / scale + Double(center.x), (y - Double(corner.y)) / scale + Double(center.y))
  }

  /// A width of lines that is one of whole pixels.
  func sharpened(_ lineWidth: Double) -> Double {
    guard !isWhole, lineWidth.isFinite, lineWidth > 0 else { return lineWidth }
    return max((lineWidth * scale).rounded(), 1) / scale
  }
}

/// A rectangle between pixels, in points.
struct ExactRect {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The same rectangle with less room on either side.
  func inset(x across: Double, y down: Double) -> ExactRect {
    ExactRect(x: x + across, y: y + down, width: width - 2 * across, height: height - 2 * down)
  }
}

extension ExactRect {
  init(_ rect: Rect) {
    self.init(
      x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.size.width),
      height: Double(rect.size.height))
  }
}

extension Path {
  init(_ rect: ExactRect, cornerRadius: Double = 0) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height, cornerRadius: cornerRadius)
  }

  /// A circle, or as much of one as a rectangle that is no square has.
  init(ellipseIn rect: ExactRect) { self.init(rect, cornerRadius: min(rect.width, rect.height) / 2) }
}
