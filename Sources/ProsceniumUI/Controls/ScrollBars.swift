import ProsceniumCore

/// The thumb of a scroll bar: the place of the visible part within the whole, along one axis.
struct ScrollThumb: Hashable, Sendable {
  /// No offset is larger, and products of it and a size do not overflow.
  private static let beyond = 1 << 36

  private let whole: Int
  private let shown: Int
  private let offset: Int
  /// Where it begins, in points from the start of the bar.
  let start: Int
  let length: Int

  /// Nil where the whole content, or too little of it, is shown.
  init?(_ whole: Int, _ shown: Int, _ offset: Int) {
    let whole = min(whole, Self.beyond)
    guard whole > shown, case let length = max(24, shown * shown / whole), length < shown else { return nil }
    (self.whole, self.shown, self.offset, self.length) = (whole, shown, offset, length)
    start = min(shown - length, (shown - length) * offset / (whole - shown))
  }

  func contains(_ place: Int) -> Bool { (start..<start + length).contains(place) }

  /// The offset after the thumb has been dragged by a distance; one beyond all content where it is at its end.
  func offset(draggedBy distance: Int) -> Int {
    let room = shown - length
    let place = start + min(max(distance, -shown), shown)
    if place <= 0, distance < 0 { return 0 }
    // Since the press the content may have become higher: that of a text does while it comes in sight.
    if place >= room, distance > 0 { return Self.beyond }
    // A point of the thumb may be many of the content: only what it is moved by counts.
    return offset + (place - start) * (whole - shown) / room
  }

  /// The offset a page nearer to a place beside the thumb.
  func offset(pagedTo place: Int) -> Int {
    let page = max(1, shown * 9 / 10)
    return contains(place) ? offset : place < start ? offset - page : offset + page
  }
}

/// A press on a scroll bar: the thumb is dragged; beside it pages are turned, until the thumb is at the pointer.
@MainActor final class ScrollBarPress {
  /// The thumb as it was pressed, and where.
  private var grip: (thumb: ScrollThumb, place: Int)?
  private var scroll: (@MainActor (Int) -> Void)?
  private let pages = PressRepeat()

  /// Begins a press.
  /// - Parameters:
  ///   - place: Where, in points from the start of the bar.
  ///   - window: The window.
  ///   - thumb: The thumb as it is when it is asked for.
  ///   - scroll: Scrolls to an offset, as far as the content goes.
  func begin(
    at place: Int, in window: Window?, of thumb: @escaping @MainActor () -> ScrollThumb?,
    _ scroll: @escaping @MainActor (Int) -> Void
  ) {
    guard let pressed = thumb() else { return }
    self.scroll = scroll
    if pressed.contains(place) { return grip = (pressed, place) }
    func turn() { if let thumb = thumb(), !thumb.contains(place) { scroll(thumb.offset(pagedTo: place)) } }
    turn()
    // The program may have ended the press while it was told of the scrolling.
    if self.scroll != nil { pages.begin(in: window, turn) }
  }

  func move(to place: Int) { if let grip { scroll?(grip.thumb.offset(draggedBy: place - grip.place)) } }

  func end() {
    (grip, scroll) = (nil, nil)
    pages.end()
  }
}

/// The scroll bars: the place of the visible part within the content, which is changed by dragging.
final class ScrollBars: View {
  /// The width of the strip in which a bar gets input.
  static let width = 8

  private var press: ScrollBarPress?
  /// The bar that is pressed.
  private var axis = Axis.vertical

  private enum Axis: CaseIterable {
    case vertical, horizontal

    func along(_ point: Point) -> Int { self == .vertical ? point.y : point.x }
    func along(_ size: Size) -> Int { self == .vertical ? size.height : size.width }
    /// The distance of a point from the edge at which the bar is.
    func inset(_ point: Point, _ size: Size) -> Int { self == .vertical ? size.width - point.x : size.height - point.y }
  }

  private var owner: ScrollView? { superview as? ScrollView }

  private func thumb(_ axis: Axis) -> ScrollThumb? {
    owner.flatMap { ScrollThumb(axis.along($0.contentSize), axis.along(bounds.size), axis.along($0.contentOffset)) }
  }

  /// The bar at a point.
  private func axis(at point: Point) -> Axis? {
    guard bounds.contains(point) else { return nil }
    return Axis.allCases.first { $0.inset(point, bounds.size) <= Self.width && thumb($0) != nil }
  }

  override func point(inside point: Point) -> Bool { axis(at: point) != nil }

  override func handle(_ event: Event) -> Bool {
    guard let point = event.location(in: self) else { return false }
    switch event.kind {
    case .button(let button) where button.number == 1:
      if button.isDown { begin(at: point) } else { endPress() }
      return true
    case .motion(let motion):
      guard let press, motion.phase == .moved else { return false }
      press.move(to: axis.along(point))
      return true
    // It is not for what is below the bars.
    case .touch(let touch): return owner?.follow(touch, event) ?? false
    case .button, .key, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
  }

  private func begin(at point: Point) {
    endPress()
    guard let axis = axis(at: point) else { return }
    let press = ScrollBarPress()
    (self.axis, self.press) = (axis, press)
    press.begin(at: axis.along(point), in: window) { [weak self] in
      self?.thumb(axis)
    } _: { [weak self] offset in
      guard let owner = self?.owner else { return }
      let other = owner.contentOffset
      owner.contentOffset = axis == .vertical ? Point(x: other.x, y: offset) : Point(x: offset, y: other.y)
    }
  }

  override func pressCancelled() { endPress() }

  private func endPress() {
    press?.end()
    press = nil
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    guard let owner else { return }
    let (shown, color) = (bounds.size, theme.secondaryLabel)
    if let thumb = thumb(.vertical) {
      let rect = Rect(x: shown.width - 8, y: thumb.start + 2, width: 6, height: thumb.length - 4)
      context.fill(rect, cornerRadius: 3, with: color, alpha: 0.6)
    }
    if let thumb = thumb(.horizontal) {
      let rect = Rect(x: thumb.start + 2, y: shown.height - 8, width: thumb.length - 4, height: 6)
      context.fill(rect, cornerRadius: 3, with: color, alpha: 0.6)
    }
    owner.drawInFront(bounds, in: context)
  }
}
