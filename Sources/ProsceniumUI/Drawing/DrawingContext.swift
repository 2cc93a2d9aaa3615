import CCairo
public import ProsceniumCore

/// The context in which a view draws: Cairo, in the coordinates of the view, in points.
///
/// Valid during the call that gets it; after that it draws nothing. Each view gets a context of its own, so that a
/// transform, an open group or an error of one view does not affect another. What cannot be drawn (numbers that are not
/// finite, a restore without a save, an error of Cairo) is left out, and reported once for each class of views.
@preconcurrency @MainActor public final class DrawingContext {
  private enum State {
    /// The context of Cairo is created by the first drawing: many views have only a background.
    case unused(CairoSurface, clip: [Rect])
    case open(CairoContext)
    case over
  }
  private var state: State
  private var saves = 0
  /// The first error; nil without one.
  private(set) var fault: String?
  private let grid: PixelGrid
  /// The number of pixels per point.
  public var scale: Double { grid.scale }

  /// The centre of the coordinates that Cairo can represent; see ``x(_:)``.
  private var center: Point { grid.center }

  /// Creates a context for a view.
  /// - Parameters:
  ///   - surface: The surface to draw on.
  ///   - grid: The pixels of the surface beneath the view.
  ///   - clip: The parts that may be drawn, in pixels of the surface.
  init(_ surface: CairoSurface, _ grid: PixelGrid, clip: [Rect]) {
    state = .unused(surface, clip: clip)
    self.grid = grid
  }

  /// The context of Cairo; nil after ``finish()``.
  private var cairo: OpaquePointer? {
    switch state {
    case .open(let context): return context.pointer
    case .over: return nil
    case .unused(let surface, let clip):
      guard let context = CairoContext(surface) else { return nil }
      state = .open(context)
      context.clip(to: clip)
      cairo_translate(context.pointer, Double(grid.corner.x), Double(grid.corner.y))
      cairo_scale(context.pointer, scale, scale)
      cairo_translate(context.pointer, -Double(center.x), -Double(center.y))
      return context.pointer
    }
  }

  /// Calls a function with the context of Cairo, for drawing that has no method here.
  ///
  /// The context must not be destroyed, and is not valid after the call. Its unit is the point.
  /// - Parameter body: Gets a `cairo_t`; not called when the context is no longer valid.
  public func withCairo(_ body: (OpaquePointer) -> Void) {
    guard let cairo else { return }
    body(cairo)
    check(cairo_status(cairo))
  }

  /// Calls a function for a text, with the context of Cairo and the text's corner.
  ///
  /// The unit is the pixel of the text, with the corner on a whole one, where the context has no other scale.
  /// - Parameters:
  ///   - displayScale: The number of pixels per point for which the text is laid out.
  ///   - origin: The corner in points.
  ///   - body: Gets a `cairo_t`, and the corner in its unit.
  func withCairo(_ displayScale: Double, at origin: Point, _ body: (OpaquePointer, _ x: Double, _ y: Double) -> Void) {
    withCairo { cairo in
      let (x, y) = (Double(origin.x), Double(origin.y))
      // Its units are points.
      if displayScale == 1 { return body(cairo, x, y) }
      cairo_save(cairo)
      var matrix = cairo_matrix_t()
      cairo_get_matrix(cairo, &matrix)
      if matrix.xx == displayScale, matrix.yy == displayScale, matrix.xy == 0, matrix.yx == 0 {
        var (left, top) = ((x * scale + matrix.x0).rounded(), (y * scale + matrix.y0).rounded())
        if hasOwnCoordinates { (left, top, _, _) = grid.edges(of: Rect(origin, Size(width: 0, height: 0))) }
        cairo_identity_matrix(cairo)
        body(cairo, left, top)
      } else {
        cairo_translate(cairo, x, y)
        cairo_scale(cairo, 1 / displayScale, 1 / displayScale)
        body(cairo, 0, 0)
      }
      cairo_restore(cairo)
    }
  }

  /// Ends the context, and returns the first error; nil without one.
  func finish() -> String? {
    if case .open(let context) = state { check(cairo_status(context.pointer)) }
    state = .over
    return fault
  }

  /// Records that something could not be drawn.
  func fail(_ reason: String) { if fault == nil { fault = reason } }

  private func check(_ status: cairo_status_t) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    fail(cairo_status_to_string(status).map { String(cString: $0) } ?? "Cairo's error \(status.rawValue)")
  }

  /// Whether all numbers are finite; records an error where they are not.
  func areDrawable(_ numbers: Double...) -> Bool {
    for number in numbers where !number.isFinite {
      fail("a number is not finite")
      return false
    }
    return true
  }
}

// MARK: State

extension DrawingContext {
  /// Saves the transform, the clip and the rest of the state for ``restoreState()``.
  public func saveState() {
    saves += 1
    withCairo { cairo_save($0) }
  }

  /// Restores the state of the last ``saveState()``.
  public func restoreState() {
    guard saves > 0 else { return fail("restoreState() without saveState()") }
    saves -= 1
    withCairo { cairo_restore($0) }
  }

  /// Calls a function that draws, and restores the state after it.
  /// - Parameter body: Draws.
  public func withState(_ body: () -> Void) {
    saveState()
    body()
    restoreState()
  }

  /// Moves the origin.
  /// - Parameters:
  ///   - x: The distance to the right in points.
  ///   - y: The distance downwards in points.
  public func translate(x: Double, y: Double) {
    guard areDrawable(x, y) else { return }
    withCairo { cairo_translate($0, bounded(x), bounded(y)) }
  }

  /// Scales all further drawing.
  /// - Parameters:
  ///   - x: The horizontal factor; not 0.
  ///   - y: The vertical factor; not 0.
  public func scale(x: Double, y: Double) {
    guard areDrawable(x, y) else { return }
    guard abs(x) > 1e-6, abs(y) > 1e-6 else { return fail("a scale of nothing") }
    withCairo { cairo_scale($0, x, y) }
  }

  /// Rotates all further drawing clockwise around the origin.
  /// - Parameter angle: The angle in radians.
  public func rotate(by angle: Double) {
    guard areDrawable(angle) else { return }
    withCairo { cairo_rotate($0, angle) }
  }

  /// Limits all further drawing to a rectangle.
  /// - Parameter rect: The rectangle in points.
  public func clip(to rect: Rect) { clip(to: path(of: rect)) }

  /// Limits all further drawing to the inside of a path.
  /// - Parameter path: The path in points.
  public func clip(to path: Path) {
    guard trace(path) else { return }
    withCairo { cairo_clip($0) }
  }
}

// MARK: Shapes

extension DrawingContext {
  /// Fills a rectangle.
  /// - Parameters:
  ///   - rect: The rectangle in points.
  ///   - color: The colour.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  public func fill(_ rect: Rect, with color: Color, alpha: Double = 1) {
    if alpha == 1, color.alpha == 1, fillPixels(rect, color) { return }
    fill(path(of: rect), with: color, alpha: alpha)
  }

  /// The path of a rectangle as it is filled.
  private func path(of rect: Rect, cornerRadius: Double = 0, inset: Double = 0) -> Path {
    Path(aligned(rect).inset(x: inset, y: inset), cornerRadius: cornerRadius)
  }

  /// A rectangle as it is filled: with its edges between two pixels each, unless the program has moved the coordinates.
  func aligned(_ rect: Rect) -> ExactRect {
    guard !grid.isWhole, hasOwnCoordinates else { return ExactRect(rect) }
    let edges = grid.edges(of: rect)
    let (start, end) = (grid.points(edges.left, edges.top), grid.points(edges.right, edges.bottom))
    return ExactRect(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
  }

  /// A length of whole pixels, in points.
  func aligned(_ length: Double) -> Double { (length * scale).rounded() / scale }

  /// Whether the coordinates are the view's own.
  private var hasOwnCoordinates: Bool {
    guard let cairo else { return false }
    var matrix = cairo_matrix_t()
    cairo_get_matrix(cairo, &matrix)
    let origin = grid.points(matrix.x0, matrix.y0)
    return matrix.xx == scale && matrix.yy == scale && matrix.xy == 0 && matrix.yx == 0 && abs(origin.x) < 1e-3
      && abs(origin.y) < 1e-3
  }

  /// Fills whole pixels without Cairo, if the context is unused; returns whether it did.
  private func fillPixels(_ rect: Rect, _ color: Color) -> Bool {
    guard case .unused(let surface, let clip) = state, rect.size.width >= 0, rect.size.height >= 0 else { return false }
    let edges = grid.edges(of: rect)
    let (left, top) = (Int(edges.left), Int(edges.top))
    let whole = Rect(x: left, y: top, width: Int(edges.right) - left, height: Int(edges.bottom) - top)
    surface.fill(clip.compactMap { $0.intersection(whole) }, with: color)
    return true
  }

  /// Fills a rectangle with round corners.
  /// - Parameters:
  ///   - rect: The rectangle in points.
  ///   - cornerRadius: The radius of the corners in points.
  ///   - color: The colour.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  public func fill(_ rect: Rect, cornerRadius: Double, with color: Color, alpha: Double = 1) {
    fill(path(of: rect, cornerRadius: cornerRadius), with: color, alpha: alpha)
  }

  /// Fills a path.
  /// - Parameters:
  ///   - path: The path in points.
  ///   - color: The colour.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  public func fill(_ path: Path, with color: Color, alpha: Double = 1) {
    guard trace(path) else { return }
    setSource(color, alpha)
    withCairo { cairo_fill($0) }
  }

  /// Fills a path with a gradient.
  /// - Parameters:
  ///   - path: The path in points.
  ///   - gradient: The gradient, in the same coordinates.
  public func fill(_ path: Path, with gradient: LinearGradient) {
    guard gradient.stops.allSatisfy({ areDrawable($0.position, $0.alpha) }), trace(path) else { return }
    withCairo { cairo in
      let pattern = cairo_pattern_create_linear(
        x(Double(gradient.start.x)), y(Double(gradient.start.y)), x(Double(gradient.end.x)),
        y(Double(gradient.end.y)))
      for stop in gradient.stops {
        let color = stop.color
        cairo_pattern_add_color_stop_rgba(
          pattern, stop.position, color.red, color.green, color.blue, stop.alpha * color.alpha)
      }
      cairo_set_source(cairo, pattern)
      cairo_fill(cairo)
      cairo_pattern_destroy(pattern)
    }
  }

  /// Draws a border inside a rectangle.
  /// - Parameters:
  ///   - rect: The rectangle in points.
  ///   - cornerRadius: The radius of the outer corners in points: that with which the rectangle is filled.
  ///   - color: The colour.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  ///   - lineWidth: The width of the border in points; rounded to whole pixels where a point is not.
  public func stroke(
    _ rect: Rect, cornerRadius: Double = 0, with color: Color, alpha: Double = 1, lineWidth: Double = 1
  ) {
    let lineWidth = grid.sharpened(lineWidth)
    let path = path(of: rect, cornerRadius: max(0, cornerRadius - lineWidth / 2), inset: lineWidth / 2)
    stroke(path, with: color, alpha: alpha, lineWidth: lineWidth)
  }

  /// Draws a line along a path, with half of its width on either side.
  /// - Parameters:
  ///   - path: The path in points.
  ///   - color: The colour.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  ///   - lineWidth: The width of the line in points.
  public func stroke(_ path: Path, with color: Color, alpha: Double = 1, lineWidth: Double = 1) {
    guard areDrawable(lineWidth), trace(path) else { return }
    setSource(color, alpha)
    withCairo {
      cairo_set_line_width($0, min(max(lineWidth, 0), 10_000))
      cairo_stroke($0)
    }
  }

  /// Draws a straight line between two points.
  /// - Parameters:
  ///   - fromX: The start, to the right, in points.
  ///   - fromY: The start, downwards.
  ///   - toX: The end, to the right.
  ///   - toY: The end, downwards.
  ///   - color: The colour.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  ///   - lineWidth: The width of the line in points.
  public func line(
    fromX: Double, y fromY: Double, toX: Double, y toY: Double, with color: Color, alpha: Double = 1,
    lineWidth: Double = 1
  ) {
    var path = Path()
    path.move(toX: fromX, y: fromY)
    path.line(toX: toX, y: toY)
    stroke(path, with: color, alpha: alpha, lineWidth: lineWidth)
  }

  /// Draws a picture, scaled to fill a rectangle.
  /// - Parameters:
  ///   - image: The picture.
  ///   - rect: The rectangle in points.
  ///   - alpha: The opacity, 0...1.
  public func draw(_ image: Image, in rect: Rect, alpha: Double = 1) {
    guard areDrawable(alpha), rect.size.width > 0, rect.size.height > 0 else { return }
    let size = image.surface.size
    withCairo { cairo in
      cairo_save(cairo)
      cairo_translate(cairo, x(Double(rect.origin.x)), y(Double(rect.origin.y)))
      cairo_scale(
        cairo, bounded(Double(rect.size.width)) / Double(size.width),
        bounded(Double(rect.size.height)) / Double(size.height))
      cairo_set_source_surface(cairo, image.surface.pointer, 0, 0)
      // Without this the edge of the picture would be blended with its surroundings.
      cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD)
      cairo_rectangle(cairo, 0, 0, Double(size.width), Double(size.height))
      cairo_clip(cairo)
      cairo_paint_with_alpha(cairo, min(max(alpha, 0), 1))
      cairo_restore(cairo)
    }
  }

  /// Draws a text.
  /// - Parameters:
  ///   - text: The text.
  ///   - origin: The upper left corner of the text, or of its width, in points.
  ///   - color: The colour of the letters.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  public func draw(_ text: TextLayout, at origin: Point, color: Color, alpha: Double = 1) {
    text.draw(in: self, at: origin, color: color, alpha: alpha)
  }

  /// Fills everything that may be drawn.
  func fillClip(with color: Color) {
    setSource(color, 1)
    withCairo { cairo_paint($0) }
  }

  func setSource(_ color: Color, _ alpha: Double) {
    guard areDrawable(alpha) else { return }
    withCairo { cairo_set_source_rgba($0, color.red, color.green, color.blue, min(max(alpha, 0), 1) * color.alpha) }
  }

  /// Sets the current path of Cairo; returns whether it can be drawn.
  private func trace(_ path: Path) -> Bool {
    guard let cairo else { return false }
    cairo_new_path(cairo)
    for element in path.elements {
      switch element {
      case .move(let x, let y):
        guard areDrawable(x, y) else { return drop(cairo) }
        cairo_move_to(cairo, self.x(x), self.y(y))
      case .line(let x, let y):
        guard areDrawable(x, y) else { return drop(cairo) }
        cairo_line_to(cairo, self.x(x), self.y(y))
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        guard areDrawable(x1, y1, x2, y2, x, y) else { return drop(cairo) }
        cairo_curve_to(cairo, self.x(x1), self.y(y1), self.x(x2), self.y(y2), self.x(x), self.y(y))
      case .arc(let x, let y, let radius, let from, let to):
        guard areDrawable(x, y, radius, from, to) else { return drop(cairo) }
        // Cairo draws each full turn of an arc.
        guard abs(from) < 1000, abs(to) < 1000 else {
          fail("an arc of more than a hundred turns")
          return drop(cairo)
        }
        cairo_arc(cairo, self.x(x), self.y(y), bounded(radius), from, to)
      case .close: cairo_close_path(cairo)
      }
    }
    return true
  }

  /// Cairo's coordinates have 24 bits before the point: places beyond are replaced by nearer ones that are not visible
  /// either.
  private func x(_ number: Double) -> Double { bounded(number - Double(center.x)) + Double(center.x) }
  private func y(_ number: Double) -> Double { bounded(number - Double(center.y)) + Double(center.y) }

  private func drop(_ cairo: OpaquePointer) -> Bool {
    cairo_new_path(cairo)
    return false
  }
}

private func bounded(_ number: Double) -> Double { min(max(number, -2_000_000), 2_000_000) }
