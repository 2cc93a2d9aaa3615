public import ProsceniumCore

/// The hierarchy of views.
extension View {
  /// Adds a subview in front of the others, or brings one there.
  /// - Parameter view: The view; removed from its present superview where that is another one.
  public func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

  /// Inserts a subview, or gives one another place among the others: it stays in its window, and keeps its input.
  /// - Parameters:
  ///   - view: The view; removed from its present superview where that is another one.
  ///   - index: The number of subviews behind it.
  public func insertSubview(_ view: View, at index: Int) {
    View.requireMainThread()
    guard !isDescendant(of: view) else {
      return Application.report(
        "\(type(of: self)) gets no subview: a view cannot hold itself, nor a view that holds it. Add another one.")
    }
    if view.superview === self { return move(view, to: min(max(index, 0), subviews.count - 1), laysOut: true) }
    let other = view.host.tree
    view.leaveSuperview(for: self)
    // A root view leaves its window, to become a subview.
    other?.setRoot(nil)
    // Whoever is told of that may have given the view another place, which is the later one then.
    guard view.superview == nil, view.host.tree == nil, !isDescendant(of: view) else { return }
    subviews.insert(view, at: min(max(index, 0), subviews.count))
    view.superview = self
    view.followAppearance()
    if tree != nil, view.superview === self { MovedView(view).tellOfWindow() }
    setNeedsLayout()
    view.setNeedsDisplayInSuperview()
    MovedChildren(enteringWith: view).willAppear()
  }

  /// Removes the view from its superview, unless the end of its input has the program move it elsewhere.
  public func removeFromSuperview() { leaveSuperview(for: nil) }

  private func leaveSuperview(for next: View?) {
    View.requireMainThread()
    guard let superview else { return }
    let children = MovedChildren(leavingWith: self, for: next)
    children.willDisappear()
    ViewInput(self).giveUpFirstResponder()
    tree?.removeFromInput(self)
    // Whoever is told of that may have moved the view.
    guard self.superview === superview else { return children.didDisappear() }
    setNeedsDisplayInSuperview()
    let tree = tree
    if let index = superview.subviews.indexFromEnds(where: { $0 === self }) { superview.subviews.remove(at: index) }
    self.superview = nil
    followAppearance()
    if tree != nil { MovedView(self).tellOfWindow() }
    superview.setNeedsLayout()
    children.didDisappear()
  }

  /// Moves a subview in front of the others.
  /// - Parameter view: The subview.
  public func bringSubviewToFront(_ view: View) { move(view, to: subviews.count - 1) }

  /// Moves a subview behind the others.
  /// - Parameter view: The subview.
  public func sendSubviewToBack(_ view: View) { move(view, to: 0) }

  /// Whether the view is another view or one of its direct or indirect subviews.
  /// - Parameter view: The other view.
  /// - Returns: Whether it is.
  public func isDescendant(of view: View) -> Bool { selfAndSuperviews.contains { $0 === view } }

  /// The view, its superview and so on up to the root view.
  var selfAndSuperviews: UnfoldFirstSequence<View> { sequence(first: self) { $0.superview } }

  // Views but stacks may bring one to the front whenever they lay their subviews out, which would have no end.
  private func move(_ view: View, to index: Int, laysOut: Bool? = nil) {
    View.requireMainThread()
    guard let old = subviews.firstIndex(where: { $0 === view }), old != index else { return }
    subviews.remove(at: old)
    subviews.insert(view, at: index)
    if laysOut ?? (self is StackView) { setNeedsLayout() }
    view.setNeedsDisplayInSuperview()
  }
}

/// Conversion between the coordinates of views, in points.
extension View {
  /// Converts a point of the superview into this view's coordinates; nil where the transform makes it a line or less.
  func convert(fromSuperview point: Point) -> Point? { ViewPlace(of: self).fromSuperview(ExactPoint(point))?.floored }

  /// Converts a point of this view into another view's coordinates.
  /// - Parameters:
  ///   - point: The point in this view's coordinates.
  ///   - view: The other view; the window where nil.
  /// - Returns: The point in the other view's coordinates.
  public func convert(_ point: Point, to view: View?) -> Point {
    ViewPlace.convert(ExactPoint(point), from: self, to: view).floored
  }

  /// Converts a point of another view into this view's coordinates.
  /// - Parameters:
  ///   - point: The point in the other view's coordinates.
  ///   - view: The other view; the window where nil.
  /// - Returns: The point in this view's coordinates.
  public func convert(_ point: Point, from view: View?) -> Point {
    ViewPlace.convert(ExactPoint(point), from: view, to: self).floored
  }

  /// Converts a rectangle of this view into another view's coordinates.
  /// - Parameters:
  ///   - rect: The rectangle in this view's coordinates.
  ///   - view: The other view; the window where nil.
  /// - Returns: The smallest rectangle in the other view's coordinates that contains it.
  public func convert(_ rect: Rect, to view: View?) -> Rect {
    Rect(around: rect.sensible.corners.map { ViewPlace.convert($0, from: self, to: view) })
  }

  /// Requests a redraw of the area of the view and its subviews.
  func setNeedsDisplayInSuperview() { if !isHidden { tree?.damageAll(of: self) } }
}

extension Event {
  /// The position of the event in points of a view.
  /// - Parameter view: The view.
  /// - Returns: The position; nil for events without one.
  public func location(in view: View) -> Point? {
    guard let pixels = kind.location else { return nil }
    return view.convert(points(pixels), from: nil)
  }

  /// Converts pixels of the window into points, within limits for any report of the window system.
  func points(_ pixels: Point) -> Point {
    let scale = max(window?.scale ?? 1, 0.1)
    func point(_ number: Int) -> Int { Int((Double(min(max(number, -(1 << 24)), 1 << 24)) / scale).rounded(.down)) }
    return Point(x: point(pixels.x), y: point(pixels.y))
  }
}

extension RandomAccessCollection {
  /// The index of the only element that a condition is true of; nil where there is none.
  ///
  /// Looked for from both ends at once: what is removed one by one, in order or in reverse order, is found at once.
  func indexFromEnds(where isWanted: (Element) -> Bool) -> Index? {
    var (lower, upper) = (startIndex, endIndex)
    while lower < upper {
      if isWanted(self[lower]) { return lower }
      formIndex(before: &upper)
      if isWanted(self[upper]) { return upper }
      formIndex(after: &lower)
    }
    return nil
  }
}
