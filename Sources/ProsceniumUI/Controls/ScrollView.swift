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

/// A view that shows a part of larger content, scrolled by the wheel or the touchpad.
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
      let most = Size(width: contentSize.width - bounds.size.width, height: contentSize.height - bounds.size.height)
      let new = Point(x: max(0, min(newValue.x, most.width)), y: max(0, min(newValue.y, most.height)))
      guard new != bounds.origin else { return placeBars() }
      bounds.origin = new
      placeBars()
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
    guard case .scroll(let scroll) = event.kind, scroll.deltaX.isFinite, scroll.deltaY.isFinite else {
      return super.handle(event)
    }
    let before = contentOffset
    remainder.x += min(max(scroll.deltaX, -1000), 1000) * Double(lineHeight)
    remainder.y += min(max(scroll.deltaY, -1000), 1000) * Double(lineHeight)
    // Fractions of a point add up to whole ones.
    let whole = (x: remainder.x.rounded(.towardZero), y: remainder.y.rounded(.towardZero))
    remainder = (remainder.x - whole.x, remainder.y - whole.y)
    contentOffset = Point(x: before.x + Int(whole.x), y: before.y + Int(whole.y))
    // At the end of the content the surrounding view scrolls.
    return contentOffset != before || (whole.x == 0 && whole.y == 0)
  }
  private var remainder = (x: 0.0, y: 0.0)

  /// Draws in front of the content and the bars; the default draws nothing.
  func drawInFront(_ bounds: Rect, in context: DrawingContext) {}

  /// Requests that what is in front of the content is drawn again.
  final func setFrontNeedsDisplay() { bars.setNeedsDisplay() }

  private func placeBars() {
    bars.frame = bounds
    bars.setNeedsDisplay()
  }
}

/// The scroll bars: the place of the visible part within the content.
final class ScrollBars: View {
  override init() {
    super.init()
    isUserInteractionEnabled = false
  }

  /// The start and the length of a thumb that shows an offset; nil where the whole content, or too little, is shown.
  static func thumb(_ whole: Int, _ shown: Int, _ offset: Int) -> (start: Int, length: Int)? {
    guard whole > shown, case let length = max(24, shown * shown / whole), length < shown else { return nil }
    return (min(shown - length, (shown - length) * offset / (whole - shown)), length)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    guard let owner = superview as? ScrollView else { return }
    let (whole, shown, offset) = (owner.contentSize, bounds.size, owner.contentOffset)
    let color = theme.secondaryLabel
    if let (start, length) = Self.thumb(whole.height, shown.height, offset.y) {
      let rect = Rect(x: shown.width - 8, y: start + 2, width: 6, height: length - 4)
      context.fill(rect, cornerRadius: 3, with: color, alpha: 0.6)
    }
    if let (start, length) = Self.thumb(whole.width, shown.width, offset.x) {
      let rect = Rect(x: start + 2, y: shown.height - 8, width: length - 4, height: 6)
      context.fill(rect, cornerRadius: 3, with: color, alpha: 0.6)
    }
    owner.drawInFront(bounds, in: context)
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
