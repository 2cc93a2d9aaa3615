public import ProsceniumCore

/// A rectangle of a window that draws, hears of input, and holds other views.
///
/// All lengths are whole points; the window's scale turns them into pixels. Nothing is drawn while the scene is in the
/// background: what was asked for meanwhile is drawn once on return.
@preconcurrency @MainActor open class View: Responder {
  /// A view without a size.
  public override init() { super.init() }

  /// A view with a place in its superview.
  public convenience init(frame: Rect) {
    self.init()
    self.frame = frame
  }

  // MARK: Place

  /// The rectangle in the superview's coordinates.
  open var frame: Rect {
    get { knownFrame }
    set {
      let new = newValue.sensible
      guard new != knownFrame else { return }
      setNeedsDisplayInSuperview()
      let isResized = new.size != knownFrame.size
      knownFrame = new
      if isResized { layOutLater() }
      setNeedsDisplayInSuperview()
    }
  }

  /// The view's rectangle in its own coordinates: a moved origin scrolls what is in it.
  open var bounds: Rect {
    get { Rect(x: boundsOrigin.x, y: boundsOrigin.y, width: knownFrame.size.width, height: knownFrame.size.height) }
    set {
      let new = newValue.sensible
      if new.origin != boundsOrigin {
        boundsOrigin = new.origin
        setNeedsDisplayInSuperview()
      }
      frame.size = new.size
    }
  }

  // MARK: Looks

  /// Whether the view and all that it holds is left out.
  open var isHidden = false {
    didSet {
      guard oldValue != isHidden else { return }
      if isHidden { giveUpFirstResponder() }
      superview?.setNeedsLayout()
      setNeedsDisplayInSuperview(evenIfHidden: true)
    }
  }

  /// How opaque the view is with all that it holds: 0...1.
  open var alpha = 1.0 {
    didSet { if oldValue != alpha { setNeedsDisplayInSuperview() } }
  }

  /// What the view is filled with before it draws; nothing where nil.
  open var backgroundColor: Color? {
    didSet { if oldValue != backgroundColor { setNeedsDisplay() } }
  }

  /// Whether what the view holds is not drawn outside its bounds.
  open var clipsToBounds = false {
    // What was drawn outside is anywhere.
    didSet { if oldValue != clipsToBounds { window?.setNeedsDisplay() } }
  }

  /// Whether the view keeps what it drew, and draws again only what it says that it needs.
  ///
  /// For views that are slow to draw. Costs four bytes a pixel, given back while the scene is in the background. What the
  /// subviews draw is not kept.
  open var cachesDrawing = false {
    didSet {
      guard oldValue != cachesDrawing else { return }
      if !cachesDrawing { cache = nil }
      setNeedsDisplay()
    }
  }

  /// The pointer's shape over the view; that of the superview where nil.
  open var cursor: Cursor? {
    didSet { if oldValue != cursor { tree?.updateCursor() } }
  }

  /// Colours for the view and all that it holds; the superview's where nil.
  open var overrideAppearance: InterfaceStyle? {
    didSet { if oldValue != overrideAppearance { appearanceChanged() } }
  }

  /// Draws the view.
  ///
  /// Called on the main thread before a frame, only while the window can be seen, and for a snapshot of its scene; what is
  /// drawn outside the bounds is left out. The default draws nothing.
  /// - Parameters:
  ///   - rect: The part that is needed, in the view's own points.
  ///   - context: What to draw with.
  open func draw(_ rect: Rect, in context: DrawingContext) {}

  /// Says that a part of the view has to be drawn again, or all of it.
  open func setNeedsDisplay(_ rect: Rect? = nil) {
    isCacheStale = true
    guard !isHidden, let tree else { return }
    let part = rect.map { $0.sensible.intersection(bounds) } ?? bounds
    if let part { tree.damage(part, of: self) }
  }

  /// Called when the colours of the view have changed; the default draws it anew.
  open func appearanceDidChange() { setNeedsDisplay() }

  // MARK: Layout

  /// Says that ``layoutSubviews()`` has to be called before the next frame.
  open func setNeedsLayout() { layOutLater() }

  // Another size is the superview's wish already: it is not asked in turn.
  private func layOutLater() {
    guard !needsLayout else { return }
    needsLayout = true
    tree?.layoutRequested()
  }

  /// Gives the subviews their frames; the default leaves them where they are.
  open func layoutSubviews() {}

  /// Calls ``layoutSubviews()`` now where it is needed, for the view and all that it holds.
  public func layoutIfNeeded() {
    // A layout that asks for itself again gets its wish in the next frame, not for ever.
    for _ in 0..<4 where needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// The size that the view's content has by itself; `View.noIntrinsicMetric` where it has none.
  open var intrinsicContentSize: Size { Size(width: View.noIntrinsicMetric, height: View.noIntrinsicMetric) }

  /// No size of its own.
  public static let noIntrinsicMetric = -1

  /// A size that the program wants for the view whatever its content; a side that is ``noIntrinsicMetric`` is left open.
  open var preferredSize: Size? {
    didSet { if oldValue != preferredSize { superview?.setNeedsLayout() } }
  }

  /// Whether a stack gives the view the room that is left.
  open var isStretching = false {
    didSet { if oldValue != isStretching { superview?.setNeedsLayout() } }
  }

  /// The size that the view would like to have where there is so much room at most.
  open func sizeThatFits(_ size: Size) -> Size {
    let (wished, own) = (preferredSize, intrinsicContentSize)
    func side(_ wished: Int?, _ own: Int) -> Int { wished.flatMap { $0 >= 0 ? $0 : nil } ?? max(own, 0) }
    return Size(width: side(wished?.width, own.width), height: side(wished?.height, own.height))
  }

  /// Says that ``intrinsicContentSize`` is another one now.
  public func invalidateIntrinsicContentSize() {
    superview?.setNeedsLayout()
    setNeedsDisplay()
  }

  // MARK: Input

  /// Whether the view and all that it holds hears of input; true at first.
  open var isUserInteractionEnabled = true

  /// The view that a point hits: the front-most one that holds it, is shown, and hears of input.
  /// - Parameter point: In the view's own coordinates.
  /// - Returns: The view, a subview of it, or nil.
  open func hitTest(_ point: Point) -> View? {
    guard isUserInteractionEnabled, !isHidden, alpha > 0.01, self.point(inside: point) else { return nil }
    for view in subviews.reversed() {
      if let hit = view.hitTest(view.convert(fromSuperview: point)) { return hit }
    }
    return self
  }

  /// Whether a point, in the view's own coordinates, is within it.
  open func point(inside point: Point) -> Bool { bounds.contains(point) }

  /// Whether the pointer is over the view, or one that it holds.
  public internal(set) final var isHovered = false {
    didSet { if oldValue != isHovered { hoverDidChange() } }
  }

  /// Called when the pointer came over the view or left it; override point.
  open func hoverDidChange() {}

  /// Called when a press that went down on the view ends nowhere: the scene went to the background or is
  /// interrupted, an alert came up, or the view was taken away.
  open func pressCancelled() {}

  /// The view controller whose root view this is, else the superview, else the window.
  open override var next: Responder? { controller ?? superview ?? window }

  @discardableResult
  open override func becomeFirstResponder() -> Bool {
    let was = isFirstResponder
    let isNow = super.becomeFirstResponder()
    if isNow, !was { firstResponderDidChange() }
    return isNow
  }

  @discardableResult
  open override func resignFirstResponder() -> Bool {
    let was = isFirstResponder
    let hasResigned = super.resignFirstResponder()
    if hasResigned, was { firstResponderDidChange() }
    return hasResigned
  }

  /// Called after the view became its window's first responder or resigned; the default draws it anew.
  open func firstResponderDidChange() { setNeedsDisplay() }

  // MARK: Hierarchy

  /// The view that holds this one.
  public internal(set) final weak var superview: View?
  /// The views that this one holds, the front-most one last.
  public internal(set) final var subviews: [View] = []
  /// The window that the view is in.
  public final var window: Window? { tree?.window }

  /// Called after the view came into a window or left it; override point.
  open func didMoveToWindow() {}

  /// The view's window belongs to another scene than before.
  func sceneDidChange() {}

  // MARK: The framework's side

  var knownFrame = Rect(x: 0, y: 0, width: 0, height: 0)
  var boundsOrigin = Point(x: 0, y: 0)
  var needsLayout = true
  /// What the view drew, where it keeps that.
  var cache: CairoSurface?
  /// Gives back what the view can make again: the window is out of sight.
  func purge() {}
  /// What is kept is to be drawn anew before the next frame.
  var isCacheStale = false
  /// The controller whose root view this is.
  weak var controller: ViewController?
  /// Set for a window's root view alone.
  weak var ownTree: ViewTree?

  var tree: ViewTree? {
    var view = self
    while let superview = view.superview { view = superview }
    return view.ownTree
  }
}

extension Rect {
  /// The same rectangle, where it is not so large that sums of it could overflow.
  var sensible: Rect {
    let limit = 1 << 24
    func bounded(_ number: Int) -> Int { min(max(number, -limit), limit) }
    return Rect(
      x: bounded(origin.x), y: bounded(origin.y), width: max(0, bounded(size.width)),
      height: max(0, bounded(size.height)))
  }

  /// The rectangle without a margin on each side; empty where there is less.
  public func inset(x: Int, y: Int) -> Rect {
    Rect(
      x: origin.x + x, y: origin.y + y, width: max(0, size.width - 2 * x), height: max(0, size.height - 2 * y))
  }
}
