import ProsceniumCore

/// The content of a window with views: connects the window and its root view.
@MainActor final class ViewTree: WindowContent {
  private(set) weak var window: Window?
  private(set) var root: View?
  private(set) var controller: ViewController?
  /// Whether the window can be seen.
  private(set) var isVisible = false
  var overrideAppearance: InterfaceStyle? { didSet { if oldValue != overrideAppearance { appearanceChanged() } } }
  // The views under the pointer and under touches; see ViewTree+Events.
  var pressed: [Int: Held] = [:]
  var touched: [Int: Held] = [:]
  var hovered: [Held] = []
  private(set) lazy var toolTips = ToolTips()
  private(set) lazy var animations = AnimationClock(self)
  #if !WITHOUT_DragAndDrop
    private(set) lazy var dragAndDrop = ViewDragAndDrop(self)
  #endif
  /// The menu bar in the window.
  weak var menuBar: MenuBar?
  /// Where Tab goes on.
  var focus = TabOrder.Focus()
  /// The names of classes whose drawing has been reported.
  static var reported: Set<String> = []
  /// Reports an error.
  static var report: (String) -> Void = Application.report
  private static var trees: [Held] = []
  /// The colours and the scale that the window has been shown in, and whether it was dimmed when it was drawn last.
  var known = (theme: Theme.light, scale: 1.0, isDimmed: false)
  /// The mode of the picture that is being drawn; nil at other times.
  private(set) var pictureMode: PictureMode?

  /// A weak reference to a view or a tree.
  struct Held {
    weak var view: View?
    weak var tree: ViewTree?
    /// The finger, as long as a scroll view may still take it.
    var finger: ScrollFinger?
  }

  /// The way in which a picture uses the caches of views.
  enum PictureMode {
    /// Caches are used as they are.
    case asKept
    /// Only caches that are up to date are used.
    case updated
  }

  init(_ window: Window) {
    self.window = window
    Self.trees.removeAll { $0.tree == nil }
    Self.trees.append(Held(tree: self))
  }

  /// The tree of a window; created if it has none.
  static func of(_ window: Window) -> ViewTree {
    if let tree = window.content as? ViewTree { return tree }
    let tree = ViewTree(window)
    window.content = tree
    tree.isVisible = tree.canBeSeen
    tree.setBackground()
    window.setNeedsDisplay()
    return tree
  }

  static func existing(_ window: Window) -> ViewTree? { window.content as? ViewTree }

  /// Whether the window can be seen already when the tree becomes its content.
  private var canBeSeen: Bool {
    guard let window, !window.isHidden, let scene = window.windowScene else { return false }
    return scene.activationState >= .foregroundInactive
  }

  // MARK: Root

  func setRoot(_ view: View?) {
    guard view !== root else { return }
    let (old, other) = (root, view?.host.tree)
    view?.removeFromSuperview()
    other?.setRoot(nil)
    cancelInput()
    if let old { ViewInput(old).giveUpFirstResponder() }
    // Whoever is told of that may have set another one, or moved this one, which is the later place then.
    guard root === old, view?.superview == nil, view?.host.tree == nil else { return }
    old?.host.tree = nil
    root = view
    view?.host.tree = self
    old?.followAppearance()
    view?.followAppearance()
    if let old { MovedView(old).tellOfWindow() }
    if let window, let view {
      view.frame = Rect(.zero, Self.points(window.pixelSize, Pixels(of: window).scale))
      MovedView(view).tellOfWindow()
    }
    window?.setNeedsDisplay()
  }

  func setController(_ new: ViewController?) {
    guard new !== controller else { return }
    if let other = new?.tree, other !== self { other.setController(nil) }
    let old = controller
    old?.endPresentation(animated: false)
    old?.disappear()
    // The callbacks may set another one, which is the later one then.
    guard controller === old else { return }
    controller = new
    if old?.tree === self { old?.tree = nil }
    new?.tree = self
    let view = new?.view
    guard controller === new else { return }
    setRoot(view)
    if isVisible, controller === new { new?.willAppear() }
  }

  private static func points(_ pixels: Size, _ scale: Double) -> Size {
    func points(_ length: Int) -> Int { Int((Double(length.sensible) / scale).rounded(.up)) }
    return Size(width: points(pixels.width), height: points(pixels.height))
  }

  // MARK: What the window says

  func layout(_ size: Size) {
    followScale()
    controller?.windowWillLayOut()
    let new = Self.points(size, known.scale)
    func resize() { root?.frame = Rect(.zero, new) }
    func layOut() { root?.layoutIfNeeded() }
    guard let controller = controller?.front, controller.hasAppeared, let root, root.frame.size != new else {
      resize()
      return layOut()
    }
    let coordinator = TransitionCoordinator()
    controller.viewWillTransition(to: new, with: coordinator)
    coordinator.run(resize, layout: layOut)
  }

  /// Lays all texts out again, and has all be drawn anew, where the window has come to a screen of another scale.
  private func followScale() {
    let scale = Pixels(of: window).scale
    guard scale != known.scale else { return }
    known.scale = scale
    root?.forEach { view in
      view.cache.purge()
      view.followScale(scale)
    }
  }

  /// Lays the texts of a view that has come into the window out for the same scale as all others.
  func followScale(with view: View) {
    guard window != nil else { return }
    followScale()
    view.forEach { $0.followScale(known.scale) }
  }

  func drawPicture(afterUpdates: Bool, _ body: () -> Void) {
    pictureMode = afterUpdates ? .updated : .asKept
    defer { pictureMode = nil }
    body()
  }

  func visibilityChanged(isVisible: Bool) {
    self.isVisible = isVisible
    if isVisible {
      controller?.front.willAppear()
    } else {
      animations.end()
      cancelInput()
      controller?.disappearWithWindow()
    }
  }

  func surroundingsChanged() {
    if known.theme != .current(overrideAppearance ?? .current) { appearanceChanged() }
    root?.setNeedsLayout()
  }

  var supportedInterfaceOrientations: InterfaceOrientationMask {
    controller?.front.supportedInterfaceOrientations ?? .all
  }

  func hidden() { controller?.windowWasHidden() }
  func inputWithheld() { cancelInput() }
  func endEditing() { (window?.firstResponder as? View)?.resignFirstResponder() }

  func frameDrawn() { controller?.front.didAppear() }

  func detached() {
    cancelInput()
    controller?.windowWasHidden()
    // A presentation and its presenter hold one another until it ends; in another scene it goes on.
    if window?.windowScene == nil { controller?.endPresentation(animated: false) }
  }

  func traitsChanged() { appearanceChanged() }

  /// Whether a modal window of the scene is above the window: then it is drawn dimmed, as it gets no input.
  var isBeneathModal: Bool {
    guard let window, !(window is PopUpWindow), let topmost = window.windowScene?.modalWindows.last else {
      return false
    }
    return topmost !== window
  }

  func modalWindowsChanged() { if known.isDimmed != isBeneathModal { window?.setNeedsDisplay() } }

  /// A view has come into the window.
  func viewEntered(_ view: View) {
    #if !WITHOUT_DragAndDrop
      if !view.interactions.isEmpty { dragAndDrop.entered(view) }
    #endif
  }

  func attached() {
    root?.forEach { $0.sceneDidChange() }
    #if !WITHOUT_DragAndDrop
      dragAndDrop.attached()
    #endif
  }

  func purge() {
    root?.forEach { view in
      view.cache.purge()
      view.purge()
    }
  }

  var footprint: Int {
    var bytes = 0
    root?.forEach { bytes += $0.cache.footprint }
    return bytes
  }

  func didReceiveMemoryWarning() { controller?.memoryWarning() }

  // MARK: Damage

  /// Adds a part of a view, in its own points, to the damage of the window.
  /// - Parameters:
  ///   - part: The part.
  ///   - view: The view.
  ///   - moved: The view that is drawn elsewhere or in another way, with all that is in it as before; nil where the
  ///     view's own drawing differs.
  func damage(_ part: Rect, of view: View, moved: View? = nil) {
    var rect = part
    var isChanged = moved == nil
    // Parts that are hidden or clipped are no damage.
    for one in view.selfAndSuperviews {
      if one.isHidden && one !== view { return }
      if isChanged { one.cache.isLayerStale = true }
      if one === moved { isChanged = true }
      let shown = Shown(one)
      if one.clipsToBounds {
        guard let visible = rect.intersection(shown.bounds) else { return changedOutOfSight(part) }
        rect = visible
      }
      rect = shown.place.toSuperview(rect)
    }
    guard let window, rect.size.width > 0, rect.size.height > 0 else { return }
    var pixels = Pixels(scale: window.scale).rect(rect)
    // Lines of a point and pictures of views reach beyond the rounded edges of their places: by two pixels at most.
    if Int(exactly: window.scale) == nil { pixels = pixels.inset(x: -2, y: -2) }
    guard let seen = pixels.intersection(Rect(.zero, window.pixelSize)) else { return changedOutOfSight(part) }
    window.setNeedsDisplay(seen)
  }

  /// Has assistive programs read what is not drawn, because they use what is scrolled out of sight as well.
  private func changedOutOfSight(_ part: Rect) {
    if part.size.width > 0, part.size.height > 0 { Accessibility.post(notification: .layoutChanged) }
  }

  /// Adds the area of a view and its subviews to the damage.
  func damageAll(of view: View) { damageAll(of: view, moved: view) }

  private func damageAll(of view: View, moved: View) {
    damage(Shown(view).bounds, of: view, moved: moved)
    guard !view.clipsToBounds else { return }
    for subview in view.subviews where !subview.isHidden { damageAll(of: subview, moved: moved) }
  }

  /// A view has been hidden, or is shown again.
  func hidingChanged(of view: View) {
    // What changed in it while it was hidden was no damage.
    view.cache.isLayerStale = true
    damageAll(of: view)
    if view.isHidden { toolTips.end(of: view) }
  }

  /// A view clips its subviews from now on, or no more: they may have been drawn anywhere outside.
  func clippingChanged(of view: View) {
    for one in view.selfAndSuperviews { one.cache.isLayerStale = true }
    window?.setNeedsDisplay()
  }

  /// Requests a frame, before which layout happens, by damaging one pixel.
  func layoutRequested() { window?.setNeedsDisplay(Rect(x: 0, y: 0, width: 1, height: 1)) }

  // MARK: Colours

  /// The window system fills the window with it before the first drawing.
  private func setBackground() {
    known.theme = .current(overrideAppearance ?? .current)
    window?.backgroundColor = known.theme.background
  }

  private func appearanceChanged() {
    setBackground()
    root?.appearanceChanged()
    window?.setNeedsDisplay()
  }

  static func preferenceChanged() { for held in trees { held.tree?.appearanceChanged() } }
}

/// Conversion from points to pixels: edges are rounded, so that neighbours meet without a gap.
struct Pixels {
  let scale: Double

  /// The pixels of a window.
  @MainActor init(of window: Window?) { self.init(scale: max(window?.scale ?? 1, 0.1)) }

  init(scale: Double) { self.scale = scale }

  func pixel(_ point: Int) -> Int { Int((Double(point) * scale).rounded()) }

  func rect(_ points: Rect) -> Rect {
    let (x, y) = (pixel(points.origin.x), pixel(points.origin.y))
    return Rect(
      x: x, y: y, width: pixel(points.origin.x + points.size.width) - x,
      height: pixel(points.origin.y + points.size.height) - y)
  }
}
