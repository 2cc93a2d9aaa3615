import CCairo
import ProsceniumCore

/// Drawing: back to front, only what is damaged, each view with a context of its own.
extension ViewTree {
  func draw(_ buffer: PixelBuffer, damage: [Rect]) {
    guard let window else { return }
    let pixels = Pixels(scale: max(window.scale, 0.1))
    for rect in damage where root?.hides(rect, pixels) != true { buffer.fill(rect, with: window.backgroundColor) }
    guard let root, let surface = CairoSurface(buffer) else { return }
    let canvas = Canvas(surface: surface, pixels: pixels, tree: self)
    canvas.draw(root, at: Point(x: 0, y: 0), clip: damage)
    // Nobody draws there any more, whatever a view has kept.
    surface.finish()
  }

  /// Complains of a class of views, once.
  func complain(of view: View, _ fault: String) {
    let name = "\(type(of: view))"
    guard Self.reported.insert(name).inserted else { return }
    Self.report("Proscenium: what \(name) draws is not drawn in full: \(fault).")
  }
}

/// A surface that views are drawn on, with its upper left corner somewhere in the window.
@MainActor private struct Canvas {
  let surface: CairoSurface
  let pixels: Pixels
  let tree: ViewTree

  /// Draws a view and all that it holds.
  /// - Parameters:
  ///   - view: The view.
  ///   - place: The upper left corner of its frame in the window, in points.
  ///   - clip: What has to be drawn, in pixels of the window.
  func draw(_ view: View, at place: Point, clip: [Rect]) {
    guard !view.isHidden, view.alpha > 0.001, !clip.isEmpty else { return }
    let size = view.knownFrame.size
    let frame = pixels.rect(Rect(x: place.x, y: place.y, width: size.width, height: size.height))
    let own = clip.within(frame)
    if view.clipsToBounds && own.isEmpty { return }
    if view.alpha < 0.999 { return drawFaded(view, at: place, frame, clip: clip, own: own) }
    drawOpaque(view, at: place, frame, clip: clip, own: own)
  }

  private func drawOpaque(_ view: View, at place: Point, _ frame: Rect, clip: [Rect], own: [Rect]) {
    if !own.isEmpty { drawContent(of: view, frame, clip: own) }
    let inner = view.clipsToBounds ? own : clip
    for subview in view.subviews {
      let corner = Point(
        x: place.x + subview.knownFrame.origin.x - view.boundsOrigin.x,
        y: place.y + subview.knownFrame.origin.y - view.boundsOrigin.y)
      draw(subview, at: corner, clip: inner)
    }
  }

  /// Draws on a surface of its own first, so that what lies behind one of the views does not shine through another.
  private func drawFaded(_ view: View, at place: Point, _ frame: Rect, clip: [Rect], own: [Rect]) {
    let clip = view.clipsToBounds ? own : clip
    guard let bounds = clip.bounds, let layer = CairoSurface(size: bounds.size, origin: bounds.origin) else {
      return
    }
    Canvas(surface: layer, pixels: pixels, tree: tree).drawOpaque(view, at: place, frame, clip: clip, own: own)
    paint(layer, at: Point(x: 0, y: 0), clip: clip, alpha: view.alpha)
  }

  /// Draws what is the view's own.
  private func drawContent(of view: View, _ frame: Rect, clip: [Rect]) {
    guard view.cachesDrawing, frame.size.width * frame.size.height <= Image.mostPixels else {
      return drawDirectly(view, frame.origin, clip: clip, on: surface)
    }
    if let mode = tree.pictureMode {
      // What is kept stays as it is, right or not.
      guard let cache = view.cache.surface, cache.size == frame.size, mode == .asKept || !view.cache.isStale else {
        return drawDirectly(view, frame.origin, clip: clip, on: surface)
      }
      return paint(cache, at: frame.origin, clip: clip, alpha: 1)
    }
    if view.cache.isStale || view.cache.surface?.size != frame.size { view.cache.surface = nil }
    view.cache.isStale = false
    if view.cache.surface == nil, let cache = CairoSurface(size: frame.size) {
      let whole = Rect(x: 0, y: 0, width: frame.size.width, height: frame.size.height)
      drawDirectly(view, whole.origin, clip: [whole], on: cache)
      view.cache.surface = cache
    }
    if let cache = view.cache.surface { paint(cache, at: frame.origin, clip: clip, alpha: 1) }
  }

  private func drawDirectly(_ view: View, _ corner: Point, clip: [Rect], on surface: CairoSurface) {
    guard let bounds = clip.bounds else { return }
    if let color = view.backgroundColor { surface.fill(clip, with: color) }
    let context = DrawingContext(
      surface, scale: pixels.scale, near: view.boundsOrigin, corner: corner, clip: clip)
    view.draw(points(bounds, from: corner, view), in: context)
    if let fault = context.finish() { tree.complain(of: view, fault) }
  }

  /// The part of a view, in its own points, that some pixels of the window show.
  private func points(_ part: Rect, from corner: Point, _ view: View) -> Rect {
    func down(_ pixel: Int) -> Int { Int((Double(pixel) / pixels.scale).rounded(.down)) }
    func up(_ pixel: Int) -> Int { Int((Double(pixel) / pixels.scale).rounded(.up)) }
    let (x, y) = (part.origin.x - corner.x, part.origin.y - corner.y)
    return Rect(
      x: down(x) + view.boundsOrigin.x, y: down(y) + view.boundsOrigin.y, width: up(x + part.size.width) - down(x),
      height: up(y + part.size.height) - down(y))
  }

  private func paint(_ source: CairoSurface, at place: Point, clip: [Rect], alpha: Double) {
    guard let context = CairoContext(surface) else { return }
    context.clip(to: clip)
    cairo_set_source_surface(context.pointer, source.pointer, Double(place.x), Double(place.y))
    cairo_paint_with_alpha(context.pointer, alpha.isFinite ? min(alpha, 1) : 1)
  }
}

extension View {
  /// Whether the view, at the window's upper left corner, leaves nothing to be seen of what is behind a part of it.
  fileprivate func hides(_ part: Rect, _ pixels: Pixels) -> Bool {
    guard backgroundColor != nil, !isHidden, alpha >= 0.999 else { return false }
    return pixels.rect(Rect(x: 0, y: 0, width: knownFrame.size.width, height: knownFrame.size.height)).contains(part)
  }
}

extension [Rect] {
  /// What of the rectangles lies within another one.
  fileprivate func within(_ whole: Rect) -> [Rect] {
    // Most are, and the same array is not made again.
    allSatisfy { whole.contains($0) } ? self : compactMap { $0.intersection(whole) }
  }

  /// The smallest rectangle that has them all; nil if there are none.
  fileprivate var bounds: Rect? { first.map { first in dropFirst().reduce(first) { $0.union($1) } } }
}
