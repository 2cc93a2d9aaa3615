import CCairo
import ProsceniumCore

/// Drawing: back to front, only the damage, each view with a context of its own.
extension ViewTree {
  func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    guard let window else { return }
    let pixels = Pixels(scale: max(window.scale, 0.1))
    let background = window.backgroundColor.withAlphaComponent(1)
    for rect in damage where root.map({ Shown($0).hides(rect, of: $0, pixels) }) != true {
      buffer.fill(rect, with: background)
    }
    let dims = isBeneathModal
    if pictureMode == nil { known.isDimmed = dims }
    guard let root else { return }
    let (size, bytesPerRow) = (buffer.size, buffer.bytesPerRow)
    buffer.withUnsafeMutableBytes { bytes in
      guard let surface = CairoSurface(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
      let canvas = Canvas(surface: surface, pixels: pixels, tree: self)
      canvas.draw(root, in: .zero, clip: damage)
      if dims { canvas.dim(damage, by: (overrideAppearance ?? .current) == .dark ? 0.5 : 0.3) }
      // The memory is not valid after this call; a context that a view still holds draws nowhere.
      surface.finish()
    }
  }

  /// A picture of a view with its subviews, of at most so many points from its upper left corner; nil without a size.
  func picture(of view: View, atMost most: Int) -> Image? {
    let pixels = Pixels(of: window)
    let size = Size(width: min(view.frame.size.width, most), height: min(view.frame.size.height, most))
    let rect = pixels.rect(Rect(.zero, size))
    guard rect.size.width > 0, rect.size.height > 0, let surface = CairoSurface(size: rect.size) else { return nil }
    drawPicture(afterUpdates: false) {
      let corner = Shown(view).place.frame.origin
      Canvas(surface: surface, pixels: pixels, tree: self).draw(view, in: Point.zero - corner, clip: [rect])
    }
    return Image(surface)
  }

  /// Reports an error in the drawing of a class of views, once.
  func report(_ fault: String, in view: View) {
    let name = "\(type(of: view))"
    guard Self.reported.insert(name).inserted else { return }
    Self.report("What \(name) draws is not drawn in full: \(fault).")
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
  ///   - origin: The place in the window of the superview's point (0, 0), in points.
  ///   - clip: The parts to draw, in pixels of the window.
  func draw(_ view: View, in origin: Point, clip: [Rect]) {
    let shown = Shown(view)
    guard !view.isHidden, shown.alpha > 0.001, !clip.isEmpty else { return }
    if shown.isTurned || (view.shouldRasterize && canKeep(pixels.rect(shown.extent(of: view)).size)) {
      return drawLayer(of: view, shown, in: origin, clip: clip)
    }
    var place = origin + shown.place.frame.origin
    if let move = shown.place.transform {
      place = place + ExactPoint(x: move.tx.rounded(), y: move.ty.rounded()).floored
    }
    let frame = pixels.rect(Rect(place, shown.place.frame.size))
    let own = clip.within(frame)
    if view.clipsToBounds && own.isEmpty { return }
    if shown.alpha < 0.999 { return drawFaded(view, shown, at: place, frame, clip: clip, own: own) }
    drawOpaque(view, shown, at: place, frame, clip: clip, own: own)
  }

  /// Darkens what is drawn.
  func dim(_ clip: [Rect], by alpha: Double) {
    guard let context = CairoContext(surface) else { return }
    context.clip(to: clip)
    cairo_set_source_rgba(context.pointer, 0, 0, 0, alpha)
    cairo_paint(context.pointer)
  }

  private func drawOpaque(_ view: View, _ shown: Shown, at place: Point, _ frame: Rect, clip: [Rect], own: [Rect]) {
    if !own.isEmpty { drawContent(of: view, shown, at: place, frame, clip: own) }
    let inner = view.clipsToBounds ? own : clip
    for subview in view.subviews { draw(subview, in: place - shown.place.boundsOrigin, clip: inner) }
  }

  /// Draws on a separate surface first, so that subviews do not shine through one another.
  private func drawFaded(
    _ view: View, _ shown: Shown, at place: Point, _ frame: Rect, clip: [Rect], own: [Rect]
  ) {
    let clip = view.clipsToBounds ? own : clip
    guard let bounds = clip.bounds, let layer = CairoSurface(size: bounds.size, origin: bounds.origin) else {
      return
    }
    Canvas(surface: layer, pixels: pixels, tree: tree)
      .drawOpaque(view, shown, at: place, frame, clip: clip, own: own)
    paint(layer, at: .zero, clip: clip, alpha: shown.alpha)
  }

  // MARK: Pictures of views

  /// Draws the picture of a view with its subviews, through its transform.
  private func drawLayer(of view: View, _ shown: Shown, in origin: Point, clip: [Rect]) {
    guard let layer = layer(of: view, shown) else { return }
    let frame = shown.place.frame
    let corner = pixels.rect(Rect(origin + frame.origin, frame.size)).origin
    guard let transform = shown.place.transform else { return paint(layer, at: corner, clip: clip, alpha: shown.alpha) }
    guard let context = CairoContext(surface) else { return }
    context.clip(to: clip)
    let scale = pixels.scale
    let (x, y) = (Double(frame.size.width) * scale / 2, Double(frame.size.height) * scale / 2)
    cairo_translate(context.pointer, Double(corner.x) + x, Double(corner.y) + y)
    var matrix = cairo_matrix_t(
      xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.tx * scale,
      y0: transform.ty * scale)
    cairo_transform(context.pointer, &matrix)
    cairo_set_source_surface(context.pointer, layer.pointer, -x, -y)
    cairo_paint_with_alpha(context.pointer, shown.alpha)
  }

  /// Whether there can be a picture of that many pixels.
  private func canKeep(_ size: Size) -> Bool {
    size.isPossible && size.width * size.height <= Image.mostPixels
  }

  /// The picture of a view with its subviews, relative to the view's upper left corner; as it is kept, or a new one.
  private func layer(of view: View, _ shown: Shown) -> CairoSurface? {
    let extent = pixels.rect(shown.extent(of: view))
    // A kept one may show what is hidden by now, or is on its way: no picture is taken of it.
    let isKept = view.shouldRasterize && tree.pictureMode == nil
    if isKept, let layer = view.cache.layer, layer.size == extent.size, !view.cache.isLayerStale { return layer }
    guard extent.size.width > 0, extent.size.height > 0 else { return nil }
    guard canKeep(extent.size), let layer = CairoSurface(size: extent.size, origin: extent.origin) else {
      tree.report("it is too large for its transform", in: view)
      return nil
    }
    let frame = pixels.rect(Rect(.zero, shown.place.frame.size))
    let clip = [extent]
    // What changes as it is drawn is for the next one.
    if isKept { view.cache.isLayerStale = false }
    Canvas(surface: layer, pixels: pixels, tree: tree)
      .drawOpaque(view, shown, at: .zero, frame, clip: clip, own: clip.within(frame))
    if isKept { view.cache.layer = layer }
    return layer
  }

  /// Draws the content of a view without its subviews.
  private func drawContent(of view: View, _ shown: Shown, at place: Point, _ frame: Rect, clip: [Rect]) {
    guard view.cachesDrawing, canKeep(frame.size) else {
      return drawDirectly(view, shown, at: place, frame.origin, clip: clip, on: surface)
    }
    if let mode = tree.pictureMode {
      // A picture changes no cache.
      guard let cache = view.cache.surface, cache.size == frame.size, mode == .asKept || !view.cache.isStale else {
        return drawDirectly(view, shown, at: place, frame.origin, clip: clip, on: surface)
      }
      return paint(cache, at: frame.origin, clip: clip, alpha: 1)
    }
    if view.cache.isStale || view.cache.surface?.size != frame.size { view.cache.surface = nil }
    view.cache.isStale = false
    if view.cache.surface == nil, let cache = CairoSurface(size: frame.size) {
      drawDirectly(view, shown, at: place, .zero, clip: [Rect(.zero, frame.size)], on: cache)
      view.cache.surface = cache
    }
    guard let cache = view.cache.surface else {
      // There is no memory for it.
      return drawDirectly(view, shown, at: place, frame.origin, clip: clip, on: surface)
    }
    paint(cache, at: frame.origin, clip: clip, alpha: 1)
  }

  private func drawDirectly(
    _ view: View, _ shown: Shown, at place: Point, _ corner: Point, clip: [Rect], on surface: CairoSurface
  ) {
    guard let bounds = clip.bounds else { return }
    let origin = shown.place.boundsOrigin
    let grid = PixelGrid(scale: pixels.scale, center: origin, place: place, corner: corner)
    let context = DrawingContext(surface, grid, clip: clip)
    if let color = shown.backgroundColor {
      if color.alpha == 1 { surface.fill(clip, with: color) } else { context.fillClip(with: color) }
    }
    let rect = points(bounds, from: corner, origin)
    // The view draws itself as large as it is shown.
    let (frame, own) = (view.knownFrame, view.boundsOrigin)
    (view.knownFrame, view.boundsOrigin) = (shown.place.frame, origin)
    view.draw(rect, in: context)
    // What the program sets in there stays.
    if view.knownFrame == shown.place.frame { view.knownFrame = frame }
    if view.boundsOrigin == origin { view.boundsOrigin = own }
    if let fault = context.finish() { tree.report(fault, in: view) }
  }

  /// Converts pixels of the window into points of a view.
  private func points(_ part: Rect, from corner: Point, _ origin: Point) -> Rect {
    func down(_ pixel: Int) -> Int { Int((Double(pixel) / pixels.scale).rounded(.down)) }
    func up(_ pixel: Int) -> Int { Int((Double(pixel) / pixels.scale).rounded(.up)) }
    let place = part.origin - corner
    let (left, top) = (down(place.x), down(place.y))
    let size = Size(width: up(place.x + part.size.width) - left, height: up(place.y + part.size.height) - top)
    return Rect(Point(x: left, y: top) + origin, size)
  }

  private func paint(_ source: CairoSurface, at place: Point, clip: [Rect], alpha: Double) {
    guard let context = CairoContext(surface) else { return }
    context.clip(to: clip)
    cairo_set_source_surface(context.pointer, source.pointer, Double(place.x), Double(place.y))
    cairo_paint_with_alpha(context.pointer, alpha.isFinite ? min(alpha, 1) : 1)
  }
}

extension Shown {
  /// Whether the transform does more than to move.
  fileprivate var isTurned: Bool { place.transform.map { !$0.isTranslation } ?? false }

  /// Whether the root view hides everything behind a part of it.
  fileprivate func hides(_ part: Rect, of view: View, _ pixels: Pixels) -> Bool {
    guard backgroundColor?.alpha == 1, !view.isHidden, alpha >= 0.999, place.transform == nil else { return false }
    return pixels.rect(place.frame).contains(part)
  }

  /// What the view and its subviews cover, relative to the view's upper left corner, in points.
  fileprivate func extent(of view: View) -> Rect {
    let own = Rect(.zero, place.frame.size)
    guard !view.clipsToBounds else { return own }
    let whole = view.subviews.reduce(own) { extent, subview in
      guard !subview.isHidden else { return extent }
      let shown = Shown(subview)
      let start = shown.place.boundsOrigin
      let inner = shown.extent(of: subview).offset(x: start.x, y: start.y)
      let rect = shown.place.toSuperview(inner).offset(x: -place.boundsOrigin.x, y: -place.boundsOrigin.y)
      return rect.size.width > 0 && rect.size.height > 0 ? extent.union(rect) : extent
    }
    return whole.sensible
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
