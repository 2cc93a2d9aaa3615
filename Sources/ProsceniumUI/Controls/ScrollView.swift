public import ProsceniumCore

/// What a ``ScrollView`` calls, on the main thread.
@preconcurrency @MainActor public protocol ScrollViewDelegate: AnyObject {
  /// Called after the content has been scrolled, by the user or the program.
  /// - Parameter scrollView: The view.
  func scrollViewDidScroll(_ scrollView: ScrollView)
}

extension ScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ scrollView: ScrollView) {}
}

/// A view that shows a part of larger content, scrolled by the wheel, the touchpad, a finger and its scroll bars.
///
/// With Shift a wheel scrolls sideways. What is beyond the end of the content scrolls the scroll view around it. The
/// thumb of a scroll bar is dragged; a press beside it turns a page.
///
/// Page Up and Page Down turn pages, where neither the first responder nor a view between the two uses them. A view
/// that shows a part of its content, and has nothing in it that Tab goes to, is reached by Tab itself: then the arrows,
/// Home and End scroll it, too.
///
/// Its ``contentOffset`` is part of what a scene restores: whenever it changes, the view calls its scene's
/// `Scene.invalidateRestorableState()`.
open class ScrollView: View {
  /// Creates a view that shows the upper left of its content.
  public override init() {
    super.init()
    clipsToBounds = true
    isStretching = true
    // The bars are in front of the content.
    super.addSubview(bars)
  }
  private let bars = ScrollBars()

  /// What is called after the content has been scrolled; held weakly.
  ///
  /// Of a ``TableView`` it is a ``TableViewDelegate``, of a ``CollectionView`` a ``CollectionViewDelegate``.
  open weak var delegate: (any ScrollViewDelegate)? { didSet { Responder.requireMainThread() } }

  /// The distance in points of one line of the wheel.
  open var lineHeight = 40 { didSet { Responder.requireMainThread() } }

  /// The size of the content in points.
  open var contentSize = Size(width: 0, height: 0) {
    didSet { if oldValue != contentSize { contentOffset = contentOffset } }
  }

  /// The point of the content at the upper left corner of the view, limited to the content.
  open var contentOffset: Point {
    get { bounds.origin }
    set {
      let (whole, shown) = (contentSize, bounds.size)
      let most = Point(x: max(0, whole.width) - shown.width, y: max(0, whole.height) - shown.height)
      let new = Point(x: max(0, min(newValue.x, most.x)), y: max(0, min(newValue.y, most.y)))
      guard new != bounds.origin else { return placeBars() }
      show(from: new)
      invalidateRestorableState()
      didScroll()
      delegate?.scrollViewDidScroll(self)
    }
  }

  /// Called after `contentOffset` has changed, before the delegate; override point.
  open func didScroll() {}

  /// Scrolls by the least distance that makes a part of the content visible.
  /// - Parameter rect: The part, in points of the content.
  public func scrollRectToVisible(_ rect: Rect) {
    let (rect, offset, size) = (rect.sensible, contentOffset, bounds.size)
    // Of a part that is larger than the view its start.
    contentOffset = Point(
      x: min(max(offset.x, rect.origin.x + rect.size.width - size.width), rect.origin.x),
      y: min(max(offset.y, rect.origin.y + rect.size.height - size.height), rect.origin.y))
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentOffset = contentOffset
    bringSubviewToFront(bars)
  }

  open override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .scroll(let scroll) where scroll.deltaX.isFinite && scroll.deltaY.isFinite: turn(by: scroll.distance)
    case .touch(let touch): follow(touch, event)
    case .key(let key): follow(key) || super.handle(event)
    default: super.handle(event)
    }
  }

  open override func pressCancelled() { finger = nil }

  // MARK: Keys

  /// Whether it shows a part of its content, and nothing in it is reached by Tab.
  open override var canBecomeFirstResponder: Bool {
    func hasStop(_ view: View) -> Bool {
      view.subviews.contains { ViewInput($0).takesInput && ($0.isTabStop || hasStop($0)) }
    }
    // Before its first layout nobody knows what has room in it.
    return bounds.size.width > 0 && bounds.size.height > 0 && isLargerInside && !hasStop(self)
  }

  open override func firstResponderDidChange() {
    super.firstResponderDidChange()
    setFrontNeedsDisplay()
  }

  /// Follows a key.
  /// - Returns: Whether it scrolls; at the end of the content the surrounding view does.
  private func follow(_ key: Key) -> Bool {
    guard key.isDown, key.modifiers.isDisjoint(with: [.shift, .control, .alternate, .command]) else { return false }
    let (before, line) = (contentOffset, lineHeight.sensible)
    let page = max(bounds.size.height - line, 1)
    switch KeySymbol.withoutKeypad(key.symbol) {
    case KeySymbol.pageUp: contentOffset.y -= page
    case KeySymbol.pageDown: contentOffset.y += page
    // These are used in many ways: they scroll the view that the user has gone to.
    case KeySymbol.up where isFirstResponder: contentOffset.y -= line
    case KeySymbol.down where isFirstResponder: contentOffset.y += line
    case KeySymbol.left where isFirstResponder: contentOffset.x -= line
    case KeySymbol.right where isFirstResponder: contentOffset.x += line
    case KeySymbol.home where isFirstResponder: contentOffset.y = 0
    case KeySymbol.end where isFirstResponder: contentOffset.y = contentSize.height
    default: break
    }
    return contentOffset != before
  }

  // MARK: Parts

  /// Scrolls by lines.
  /// - Returns: Whether that was possible, or is a fraction of a point.
  private func turn(by lines: (x: Double, y: Double)) -> Bool {
    let before = contentOffset
    remainder.x += min(max(lines.x, -1000), 1000) * Double(lineHeight.sensible)
    remainder.y += min(max(lines.y, -1000), 1000) * Double(lineHeight.sensible)
    // Fractions of a point add up to whole ones.
    let whole = (x: remainder.x.rounded(.towardZero), y: remainder.y.rounded(.towardZero))
    remainder = (remainder.x - whole.x, remainder.y - whole.y)
    contentOffset = Point(x: before.x + Int(whole.x), y: before.y + Int(whole.y))
    // At the end of the content the surrounding view scrolls.
    return contentOffset != before || (whole.x == 0 && whole.y == 0)
  }
  private var remainder = (x: 0.0, y: 0.0)

  /// Follows a finger that scrolls.
  /// - Returns: Whether the finger is followed, or another one is.
  final func follow(_ touch: Touch, _ event: Event) -> Bool {
    switch touch.phase {
    case .began:
      let scrolls = selfAndSuperviews.contains { ($0 as? ScrollView)?.isLargerInside ?? false }
      guard scrolls || finger != nil else { return false }
      if finger == nil { finger = ScrollFinger(touch, event) }
    case .moved:
      guard finger?.identifier == touch.identifier else { return finger != nil }
      if let step = finger?.move(touch, event, in: self) { ScrollFinger.scroll(self, by: step) }
    case .ended, .cancelled:
      guard finger?.identifier == touch.identifier else { return finger != nil }
      finger = nil
    }
    return true
  }
  private var finger: ScrollFinger?

  /// Follows a finger that began on a control in the view.
  /// - Returns: Whether the finger is followed; not while another one is.
  func take(_ other: ScrollFinger) -> Bool {
    if finger == nil { finger = other }
    return finger?.identifier == other.identifier
  }

  /// Whether there is something to scroll.
  final var isLargerInside: Bool {
    contentSize.width > bounds.size.width || contentSize.height > bounds.size.height
  }

  /// Draws in front of the content and the bars; the default draws the ring of the first responder.
  func drawInFront(_ bounds: Rect, in context: DrawingContext) {
    if isFirstResponder { context.strokeFocusRing(bounds.inset(x: 1, y: 1), cornerRadius: 3, theme) }
  }

  /// Requests that what is in front of the content is drawn again.
  final func setFrontNeedsDisplay() { bars.setNeedsDisplay() }

  /// Shows another part of the content.
  func show(from origin: Point) {
    bounds.origin = origin
    placeBars()
  }

  private func placeBars() {
    bars.frame = bounds
    bars.setNeedsDisplay()
  }
}

extension View {
  /// Scrolls the surrounding scroll views so that the view is visible.
  public func scrollIntoView() {
    for case let view as ScrollView in selfAndSuperviews where view !== self {
      view.scrollRectToVisible(convert(bounds, to: view))
    }
  }
}
