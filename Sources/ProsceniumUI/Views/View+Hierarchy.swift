public import ProsceniumCore
import ProsceniumLoop

/// Who holds whom.
extension View {
  /// Puts a view in front of the others.
  public func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

  /// Puts a view among the others.
  /// - Parameters:
  ///   - view: The view; leaves the superview that it has.
  ///   - index: How many are behind it.
  public func insertSubview(_ view: View, at index: Int) {
    guard !isDescendant(of: view) else {
      return StandardError.write("Proscenium: a view cannot hold itself, nor a view that holds it.")
    }
    view.removeFromSuperview()
    view.leaveTree()
    subviews.insert(view, at: min(max(index, 0), subviews.count))
    view.superview = self
    if tree != nil { view.enteredWindow() }
    setNeedsLayout()
    view.setNeedsDisplayInSuperview()
  }

  /// Takes the view away from what holds it.
  public func removeFromSuperview() {
    guard let superview else { return }
    giveUpFirstResponder()
    setNeedsDisplayInSuperview()
    let tree = self.tree
    tree?.forget(self)
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    if tree != nil { enteredWindow() }
    superview.setNeedsLayout()
  }

  /// Brings one of the subviews in front of the others.
  public func bringSubviewToFront(_ view: View) { move(view, to: subviews.count - 1) }

  /// Puts one of the subviews behind the others.
  public func sendSubviewToBack(_ view: View) { move(view, to: 0) }

  /// Whether the view is another one, or is held by it or by what it holds.
  public func isDescendant(of view: View) -> Bool {
    var current: View? = self
    while let one = current {
      if one === view { return true }
      current = one.superview
    }
    return false
  }

  private func move(_ view: View, to index: Int) {
    guard let old = subviews.firstIndex(where: { $0 === view }), old != index else { return }
    subviews.remove(at: old)
    subviews.insert(view, at: index)
    view.setNeedsDisplayInSuperview()
  }

  /// A window's root view becomes somebody's subview.
  private func leaveTree() {
    if let tree = host.tree { tree.setRoot(nil) }
  }

  /// The window is another one now, or none.
  func enteredWindow() {
    cache.surface = nil
    isHovered = false
    didMoveToWindow()
    for view in subviews { view.enteredWindow() }
  }

  /// A view that goes, or is hidden, hears of keys no longer, nor does anything that it holds.
  func giveUpFirstResponder() {
    guard let first = window?.firstResponder as? View, first.isDescendant(of: self) else { return }
    first.resignFirstResponder()
  }
}

/// From one view's coordinates to another's.
extension View {
  /// A point of the superview in this view's coordinates.
  func convert(fromSuperview point: Point) -> Point {
    Point(x: point.x - knownFrame.origin.x + boundsOrigin.x, y: point.y - knownFrame.origin.y + boundsOrigin.y)
  }

  /// How far the view's own coordinates are from those of its window, in points.
  var offsetInWindow: Point {
    var offset = Point(x: 0, y: 0)
    var current: View? = self
    while let view = current {
      offset.x += view.knownFrame.origin.x - view.boundsOrigin.x
      offset.y += view.knownFrame.origin.y - view.boundsOrigin.y
      current = view.superview
    }
    return offset
  }

  /// A point of this view in another view's coordinates; in the window's where nil.
  public func convert(_ point: Point, to view: View?) -> Point {
    let (from, to) = (offsetInWindow, view?.offsetInWindow ?? Point(x: 0, y: 0))
    return Point(x: point.x + from.x - to.x, y: point.y + from.y - to.y)
  }

  /// A point of another view, or of the window where nil, in this view's coordinates.
  public func convert(_ point: Point, from view: View?) -> Point {
    let (from, to) = (view?.offsetInWindow ?? Point(x: 0, y: 0), offsetInWindow)
    return Point(x: point.x + from.x - to.x, y: point.y + from.y - to.y)
  }

  /// A rectangle of this view in another view's coordinates; in the window's where nil.
  public func convert(_ rect: Rect, to view: View?) -> Rect {
    let origin = convert(rect.origin, to: view)
    return Rect(x: origin.x, y: origin.y, width: rect.size.width, height: rect.size.height)
  }

  /// What the view covered, with all that it holds, has to be drawn again.
  func setNeedsDisplayInSuperview(evenIfHidden: Bool = false) {
    guard evenIfHidden || !isHidden, let tree else { return }
    tree.damageAll(of: self)
  }
}

extension Event {
  /// Where the event happened, in a view's own points; nil for events without a place.
  public func location(in view: View) -> Point? {
    guard let pixels = kind.location else { return nil }
    return view.convert(points(pixels), from: nil)
  }

  /// Pixels of the window as points, within sensible limits whatever the window system says.
  func points(_ pixels: Point) -> Point {
    let scale = max(window?.scale ?? 1, 0.1)
    func point(_ number: Int) -> Int { Int((Double(min(max(number, -(1 << 24)), 1 << 24)) / scale).rounded(.down)) }
    return Point(x: point(pixels.x), y: point(pixels.y))
  }
}

extension Event.Kind {
  /// Where it happened, in the window's pixels.
  var location: Point? {
    switch self {
    case .button(let button): button.location
    case .motion(let motion): motion.location
    case .scroll(let scroll): scroll.location
    case .touch(let touch): touch.location
    case .key, .exposed, .resized: nil
    }
  }
}
