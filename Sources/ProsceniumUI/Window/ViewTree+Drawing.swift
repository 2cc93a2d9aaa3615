import CCairo
import ProsceniumCore

/// Drawing: back to front, only the damage, each view with a context of its own.
extension ViewTree {
  func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    guard let window else { return }
    let pixels = Pixels(scale: max(window.scale, 0.1))
    let background = window.backgroundColor.withAlphaComponent(1)
    for rect in damage where root?.hides(rect, pixels) != true { buffer.fill(rect, with: background) }
    guard let root else { return }
    let (size, bytesPerRow) = (buffer.size, buffer.bytesPerRow)
    buffer.withUnsafeMutableBytes { bytes in
      guard let surface = CairoSurface(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
      Canvas(surface: surface, pixels: pixels, tree: self).draw(root, at: .zero, clip: damage)
      // The memory is not valid after this call; a context that a view still holds draws nowhere.
      surface.finish()
    }
  }

  /// Reports an error in the drawing of a class of views, once.
  func report(_ fault: String, in view: View) {
    let name = "\(type(of: view))"
    guard Self.reported.insert(name).inserted else { return }
    Self.report("what \(name) draws is not drawn in full: \(fault).")
  }
}

/// Draws views on a surface.
@MainActor private struct Canvas {
  let surface: CairoSurface
  let pixels: Pixels
  let tree: ViewTree

  /// Draws a view and its subviews.
  /// - Parameters:
  ///   - view: The view.
  ///   - place: The upper left corner of its frame in the window, in points.
  ///   - clip: The parts to draw, in pixels of the window.
  func draw(_ view: View, at place: Point, clip: [Rect]) {
    guard !view.isHidden, view.alpha > 0.001, !clip.isEmpty else { return }
    let frame = pixels.rect(Rect(place, view.knownFrame.size))
    let own = clip.within(frame)
    if view.clipsToBounds && own.isEmpty { return }
    if view.alpha < 0.999 { return drawFaded(view, at: place, frame, clip: clip, own: own) }
    drawOpaque(view, at: place, frame, clip: clip, own: own)
  }

  private func drawOpaque(_ view: View, at place: Point, _ frame: Rect, clip: [Rect], own: [Rect]) {
    if !own.isEmpty { drawContent(of: view, frame, clip: own) }
    let inner = view.clipsToBounds ? own : clip
    for subview in view.subviews {
      draw(subview, at: place + subview.knownFrame.origin - view.boundsOrigin, clip: inner)
    }
  }

  /// Draws on a separate surface first, so that subviews do not shine through one another.
  private func drawFaded(_ view: View, at place: Point, _ frame: Rect, clip: [Rect], own: [Rect]) {
    let clip = view.clipsToBounds ? own : clip
    guard let bounds = clip.bounds, let layer = CairoSurface(size: bounds.size, origin: bounds.origin) else {
      return
    }
    Canvas(surface: layer, pixels: pixels, tree: tree).drawOpaque(view, at: place, frame, clip: clip, own: own)
    paint(layer, at: .zero, clip: clip, alpha: view.alpha)
  }

  /// Draws the content of a view without its subviews.
  private func drawContent(of view: View, _ frame: Rect, clip: [Rect]) {
    guard view.cachesDrawing, frame.size.width * frame.size.height <= Image.mostPixels else {
      return drawDirectly(view, frame.origin, clip: clip, on: surface)
    }
    if let mode = tree.pictureMode {
      // A picture changes no cache.
      guard let cache = view.cache.surface, cache.size == frame.size, mode == .asKept || !view.cache.isStale else {
        return drawDirectly(view, frame.origin, clip: clip, on: surface)
      }
      return paint(cache, at: frame.origin, clip: clip, alpha: 1)
    }
    if view.cache.isStale || view.cache.surface?.size != frame.size { view.cache.surface = nil }
    view.cache.isStale = false
    if view.cache.surface == nil, let cache = CairoSurface(size: frame.size) {
      drawDirectly(view, .zero, clip: [Rect(.zero, frame.size)], on: cache)
      view.cache.surface = cache
    }
    if let cache = view.cache.surface { paint(cache, at: frame.origin, clip: clip, alpha: 1) }
  }

  private func drawDirectly(_ view: View, _ corner: Point, clip: [Rect], on surface: CairoSurface) {
    guard let bounds = clip.bounds else { return }
    let context = DrawingContext(surface, scale: pixels.scale, near: view.boundsOrigin, corner: corner, clip: clip)
    if let color = view.backgroundColor {
      if color.alpha == 1 { surface.fill(clip, with: color) } else { context.fillClip(with: color) }
    }
    view.draw(points(bounds, from: corner, view), in: context)
    if let fault = context.finish() { tree.report(fault, in: view) }
  }

  /// Converts pixels of the window into points of a view.
  private func points(_ part: Rect, from corner: Point, _ view: View) -> Rect {
    func down(_ pixel: Int) -> Int { Int((Double(pixel) / pixels.scale).rounded(.down)) }
    func up(_ pixel: Int) -> Int { Int((Double(pixel) / pixels.scale).rounded(.up)) }
    let place = part.origin - corner
    let (left, top) = (down(place.x), down(place.y))
    let size = Size(width: up(place.x + part.size.width) - left, height: up(place.y + part.size.height) - top)
    return Rect(Point(x: left, y: top) + view.boundsOrigin, size)
  }

  private func paint(_ source: CairoSurface, at place: Point, clip: [Rect], alpha: Double) {
    guard let context = CairoContext(surface) else { return }
    context.clip(to: clip)
    cairo_set_source_surface(context.pointer, source.pointer, Double(place.x), Double(place.y))
    cairo_paint_with_alpha(context.pointer, alpha.isFinite ? min(alpha, 1) : 1)
  }
}

extension View {
  /// Whether the root view hides everything behind a part of it.
  fileprivate func hides(_ part: Rect, _ pixels: Pixels) -> Bool {
    guard backgroundColor?.alpha == 1, !isHidden, alpha >= 0.999 else { return false }
    return pixels.rect(Rect(.zero, knownFrame.size)).contains(part)
  }
}

extension [Rect] {
  /// The parts of the rectangles within another one.
  fileprivate func within(_ whole: Rect) -> [Rect] {
    // The usual case needs no new array.
    allSatisfy { whole.contains($0) } ? self : compactMap { $0.intersection(whole) }
  }

  /// The smallest rectangle that contains all; nil without any.
  fileprivate var bounds: Rect? { first.map { first in dropFirst().reduce(first) { $0.union($1) } } }
}
