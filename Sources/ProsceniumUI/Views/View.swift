public import ProsceniumCore

/// A rectangle of a window that draws, handles input and contains other views.
///
/// All lengths are whole points; the scale of the window converts them into pixels. All functions are called on the
/// main thread. Nothing is drawn while the scene is in the background: what was requested meanwhile is drawn once on
/// return.
@preconcurrency @MainActor open class View: AccessibleResponder {
  /// Creates a view without a size.
  public override init() { super.init() }

  /// Creates a view with a frame.
  /// - Parameter frame: The rectangle in the superview's coordinates, in points.
  public convenience init(frame: Rect) {
    self.init()
    self.frame = frame
  }

  // MARK: Place

  /// The rectangle in the superview's coordinates, in points.
  open var frame: Rect {
    get { knownFrame }
    set {
      View.requireMainThread()
      let new = newValue.sensible
      guard new != knownFrame else { return }
      setNeedsDisplayInSuperview()
      let old = knownFrame
      knownFrame = new
      if new.size != old.size { cache.isLayerStale = true }
      if new.size != old.size { layOutLater() }
      Animator.valueChanged(self, from: .frame(old))
      setNeedsDisplayInSuperview()
    }
  }

  /// The middle of ``frame``, rounded down, in the superview's coordinates, in points; setting it moves the view.
  public final var center: Point {
    get { frame.origin + frame.size.middle }
    set { frame.origin = Rect(newValue, frame.size).sensible.origin - frame.size.middle }
  }

  /// What is done to the view and its subviews about the centre of ``frame``, for drawing and for input.
  ///
  /// The frame does not change. What is scaled or turned is drawn as a picture of its unchanged size first.
  public final var transform: Transform {
    get { host.transform ?? .identity }
    set {
      View.requireMainThread()
      let old = transform
      guard newValue != old else { return }
      guard newValue.isFinite else {
        return Application.report(
          "A transform of \(type(of: self)) is dropped: its numbers are not finite. Look for a division by 0.")
      }
      setNeedsDisplayInSuperview()
      host.transform = newValue == .identity ? nil : newValue
      Animator.valueChanged(self, from: .transform(old))
      setNeedsDisplayInSuperview()
    }
  }

  /// The rectangle in the view's own coordinates, in points; changing its origin scrolls the content, and another size
  /// leaves the view's ``center`` where it is.
  open var bounds: Rect {
    get { Rect(boundsOrigin, knownFrame.size) }
    set {
      View.requireMainThread()
      let new = newValue.sensible
      if new.origin != boundsOrigin {
        let old = boundsOrigin
        boundsOrigin = new.origin
        Animator.valueChanged(self, from: .boundsOrigin(old))
        (cache.isStale, cache.isLayerStale) = (true, true)
        setNeedsDisplayInSuperview()
      }
      if new.size != frame.size { frame = Rect(center - new.size.middle, new.size) }
    }
  }

  // MARK: Looks

  /// Whether the view and its subviews are hidden.
  open var isHidden = false {
    didSet {
      View.requireMainThread()
      guard oldValue != isHidden else { return }
      if isHidden { ViewInput(self).giveUpFirstResponder() }
      superview?.setNeedsLayout()
      tree?.hidingChanged(of: self)
    }
  }

  /// The opacity of the view with its subviews, 0...1.
  open var alpha = 1.0 {
    didSet {
      View.requireMainThread()
      guard oldValue != alpha else { return }
      Animator.valueChanged(self, from: .alpha(oldValue))
      setNeedsDisplayInSuperview()
    }
  }

  /// The colour that fills the view before it draws; none where nil.
  open var backgroundColor: Color? {
    didSet {
      View.requireMainThread()
      guard oldValue != backgroundColor else { return }
      Animator.valueChanged(self, from: .backgroundColor(oldValue))
      setNeedsDisplay()
    }
  }

  /// Whether subviews are clipped to the bounds of the view.
  open var clipsToBounds = false {
    didSet {
      View.requireMainThread()
      if oldValue != clipsToBounds { tree?.clippingChanged(of: self) }
    }
  }

  /// Whether the view caches its drawing, and draws again only after ``setNeedsDisplay(_:)``.
  ///
  /// For views that are slow to draw. A cache takes four bytes a pixel, and is freed while the scene is in the
  /// background. It does not contain the subviews.
  open var cachesDrawing: Bool {
    get { cache.isEnabled }
    set {
      View.requireMainThread()
      guard newValue != cache.isEnabled else { return }
      cache.isEnabled = newValue
      if !newValue { cache.surface = nil }
      setNeedsDisplay()
    }
  }

  /// Whether the view caches a picture of itself with its subviews, and draws them again only after one has changed.
  ///
  /// For views that are moved, faded or turned while nothing in them changes. The picture is freed while the scene is
  /// in the background. Views of more than ``Image/mostPixels`` are drawn without one.
  public final var shouldRasterize: Bool {
    get { cache.isLayerEnabled }
    set {
      View.requireMainThread()
      guard newValue != cache.isLayerEnabled else { return }
      cache.isLayerEnabled = newValue
      cache.layer = nil
      setNeedsDisplayInSuperview()
    }
  }

  /// The shape of the pointer over the view; that of the superview where nil.
  open var cursor: Cursor? {
    didSet {
      View.requireMainThread()
      if oldValue != cursor { tree?.updateCursor() }
    }
  }

  /// The appearance of the view and its subviews; that of the superview where nil.
  open var overrideAppearance: InterfaceStyle? {
    didSet {
      View.requireMainThread()
      if oldValue != overrideAppearance { appearanceChanged() }
    }
  }

  /// Draws the view.
  ///
  /// Called before a frame, only while the window can be seen, and for a snapshot of its scene. Drawing is clipped to
  /// the bounds. The default draws nothing.
  /// - Parameters:
  ///   - rect: The part to draw, in the view's own points.
  ///   - context: The context to draw in; valid during the call.
  open func draw(_ rect: Rect, in context: DrawingContext) {}

  /// Requests that a part of the view is drawn again, before the next frame.
  /// - Parameter rect: The part in the view's own points; all of it where nil.
  open func setNeedsDisplay(_ rect: Rect? = nil) {
    View.requireMainThread()
    cache.isStale = true
    guard !isHidden, let tree else { return }
    let part = rect.map { $0.sensible.intersection(bounds) } ?? bounds
    if let part { tree.damage(part, of: self) }
  }

  /// Called after the colours of the view have changed; the default redraws the view.
  ///
  /// That is after a change of its own appearance, of that of its superviews, its window, the program or the user's
  /// choice, and when it comes to a place with another one. A view that is in no window while the user chooses is told
  /// when it comes into one.
  open func appearanceDidChange() { setNeedsDisplay() }

  // MARK: Layout

  /// Requests a call of ``layoutSubviews()`` before the next frame.
  open func setNeedsLayout() {
    View.requireMainThread()
    layOutLater()
  }

  // The superview set the size, so its layout is not requested.
  private func layOutLater() {
    if !exchange(&layoutState.isNeeded, with: true) { tree?.layoutRequested() }
  }

  /// Sets the frames of the subviews; the default changes nothing.
  open func layoutSubviews() {}

  /// Calls ``layoutSubviews()`` now where it was requested, for the view and its subviews.
  public func layoutIfNeeded() {
    // A layout that requests itself again continues in the next frame, to avoid an endless loop.
    for _ in 0..<4 where layoutState.isNeeded {
      layoutState.isNeeded = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// The natural size of the content in points; a side is `View.noIntrinsicMetric` where it has none.
  open var intrinsicContentSize: Size { Size(width: View.noIntrinsicMetric, height: View.noIntrinsicMetric) }

  /// The value of a side without a natural size.
  public static let noIntrinsicMetric = -1

  /// The size in points that the program wants, independent of the content; ``noIntrinsicMetric`` leaves a side open.
  open var preferredSize: Size? {
    get { layoutState.preferredSize }
    set { setLayout(\.preferredSize, newValue) }
  }

  /// Whether a stack gives the view the remaining room.
  open var isStretching: Bool {
    get { layoutState.isStretching }
    set { setLayout(\.isStretching, newValue) }
  }

  /// The room that a stack leaves around the view, and where in its part of the stack the view is.
  open var stackPlacement: StackPlacement {
    get { layoutState.placement }
    set { setLayout(\.placement, newValue) }
  }

  private func setLayout<Value: Equatable>(_ part: WritableKeyPath<ViewLayoutState, Value>, _ new: Value) {
    View.requireMainThread()
    guard new != layoutState[keyPath: part] else { return }
    layoutState[keyPath: part] = new
    superview?.setNeedsLayout()
  }

  /// The preferred size of the view.
  /// - Parameter size: The available room in points.
  /// - Returns: The preferred size in points.
  open func sizeThatFits(_ size: Size) -> Size {
    let own = intrinsicContentSize
    return wished(over: Size(width: max(own.width, 0), height: max(own.height, 0)))
  }

  /// A size with those sides that the program wants.
  final func wished(over size: Size) -> Size {
    guard let wished = preferredSize else { return size }
    return Size(
      width: wished.width >= 0 ? wished.width : size.width, height: wished.height >= 0 ? wished.height : size.height)
  }

  /// Has the scene save its state later, because the user changed a value that the program may restore.
  final func invalidateRestorableState() { window?.windowScene?.invalidateRestorableState() }

  /// Calls a function with the view and all views in it.
  final func forEach(_ body: (View) -> Void) {
    body(self)
    for view in subviews { view.forEach(body) }
  }

  /// Requests a new layout because ``intrinsicContentSize`` has changed.
  public func invalidateIntrinsicContentSize() {
    View.requireMainThread()
    superview?.setNeedsLayout()
    setNeedsDisplay()
  }

  // MARK: Input

  /// Whether the view and its subviews get input; true at first.
  ///
  /// Where it becomes false, a first responder among them resigns.
  open var isUserInteractionEnabled = true { didSet { ViewInput(self).interactionChanged(from: oldValue) } }

  /// The frontmost view at a point that is visible and gets input.
  /// - Parameter point: The point in the view's own coordinates, in points.
  /// - Returns: The view or one of its subviews; nil for none.
  open func hitTest(_ point: Point) -> View? {
    guard isUserInteractionEnabled, !isHidden, alpha > 0.01, self.point(inside: point) else { return nil }
    for view in subviews.reversed() {
      if let inside = view.convert(fromSuperview: point), let hit = view.hitTest(inside) { return hit }
    }
    return self
  }

  /// Whether a point is within the view.
  /// - Parameter point: The point in the view's own coordinates, in points.
  /// - Returns: Whether it is.
  open func point(inside point: Point) -> Bool { bounds.contains(point) }

  /// Whether the pointer is over the view or one of its subviews.
  public internal(set) final var isHovered = false { didSet { if oldValue != isHovered { hoverDidChange() } } }

  /// Called after `View.isHovered` has changed; override point.
  open func hoverDidChange() {}

  /// Called when a press or touch that began on the view, or on a view in it, is cancelled: the scene went to the
  /// background or is interrupted, an alert appeared, or the view was removed.
  open func pressCancelled() {}

  /// The menu of the view, for the right button and for the Menu key or Shift and F10; nil, as by default, for that of
  /// the superview.
  ///
  /// Asked when the view is pressed or gets the key, and does not handle that by itself. The actions of its items begin
  /// at the view.
  /// - Parameter point: The point in the view's own coordinates, in points.
  /// - Returns: The menu.
  open func contextMenu(at point: Point) -> Menu? { nil }

  /// A short explanation, which is shown where the pointer rests on the view; none where nil.
  ///
  /// Where the innermost view under the pointer has none, that of its superview is shown. Any key, press or turn of the
  /// wheel hides it, and the pointer that leaves the view.
  open var toolTip: String? {
    get { host.toolTip }
    set {
      View.requireMainThread()
      if host.toolTip != newValue { tree?.toolTips.end(of: self) }
      host.toolTip = newValue
      tellAssistivePrograms()
    }
  }

  /// Where a menu appears that is opened by key, in the view's own points; its lower left corner by default.
  open var contextMenuPoint: Point { bounds.lowerLeft }

  /// The controller whose view this is, else the superview, else the window.
  open override var next: Responder? { host.controller ?? superview ?? window }

  @discardableResult
  open override func becomeFirstResponder() -> Bool {
    defer { ViewInput(self).tellOfFirstResponder() }
    return super.becomeFirstResponder()
  }

  @discardableResult
  open override func resignFirstResponder() -> Bool {
    defer { ViewInput(self).tellOfFirstResponder() }
    return super.resignFirstResponder()
  }

  /// Whether Tab may go to the view.
  var isTabStop: Bool { canBecomeFirstResponder }

  /// Called after the view became the first responder of its window or resigned; the default redraws the view.
  open func firstResponderDidChange() { setNeedsDisplay() }

  // MARK: Hierarchy

  /// The view that contains this one.
  public internal(set) final weak var superview: View?
  /// The subviews, the frontmost one last.
  public internal(set) final var subviews: [View] = []
  /// The window that contains the view.
  public final var window: Window? { tree?.window }

  /// Called after the view entered or left a window; override point.
  open func didMoveToWindow() {}

  /// Called after the window of the view moved to another scene.
  func sceneDidChange() {}

  // MARK: State of the framework

  final var knownFrame = Rect(x: 0, y: 0, width: 0, height: 0)
  final var boundsOrigin = Point.zero
  final var layoutState = ViewLayoutState()
  final var cache = ViewDrawingCache(appearance: .current)
  final var host = ViewHost()

  /// The texts that the view draws.
  var texts: [TextLayout] { [] }

  /// Frees the memory of what the view can make again; called when the window can no longer be seen.
  func purge() { for text in texts { text.purge() } }

  /// Lays texts out for the pixels of the window, which has another scale or is another one.
  func followScale(_ scale: Double) { if texts.follow(scale) { invalidateIntrinsicContentSize() } }

  var tree: ViewTree? {
    var view = self
    while let superview = view.superview { view = superview }
    return view.host.tree
  }
}

extension Point {
  static let zero = Point(x: 0, y: 0)

  static func + (left: Point, right: Point) -> Point { Point(x: left.x + right.x, y: left.y + right.y) }
  static func - (left: Point, right: Point) -> Point { Point(x: left.x - right.x, y: left.y - right.y) }
}

extension Size {
  var middle: Point { Point(x: width / 2, y: height / 2) }
}

extension Rect {
  var lowerLeft: Point { Point(x: origin.x, y: origin.y + size.height) }

  init(_ origin: Point, _ size: Size) { self.init(x: origin.x, y: origin.y, width: size.width, height: size.height) }
}
