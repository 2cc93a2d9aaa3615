public import ProsceniumCore

/// An object that creates a view when it is needed, and is told when the view appears and disappears.
///
/// The root view controller of a window appears when its scene enters the foreground, and disappears when it goes to
/// the background: not only when the program takes it away, which ``isMovingFromParent`` and ``isBeingDismissed`` tell
/// apart. Each ``viewWillAppear()`` is followed by a ``viewDidDisappear()`` before the next one;
/// ``viewDidAppear()`` comes after the first frame has been drawn, and is left out where there was none.
@preconcurrency @MainActor open class ViewController: Responder {
  /// Creates a controller whose view is loaded later.
  public override init() { super.init() }

  // MARK: View

  /// The view; created by ``loadView()`` when it is first used.
  public final var view: View {
    get {
      if let loaded { return loaded }
      loadView()
      let created = loaded ?? View()
      adopt(created)
      viewDidLoad()
      // viewDidLoad() may have set another one.
      return loaded ?? created
    }
    set {
      let isShown = loaded != nil && tree?.root === loaded
      let old = isInSight ? children.filter { !$0.appearance.isShownByParent && $0.isInSight } : []
      adopt(newValue)
      for child in old where !child.isShownInParent { child.disappear() }
      guard isShown else { return }
      tree?.setRoot(newValue)
      // Those whose views are in the new one.
      if isInSight { for child in shownChildren { child.willAppear() } }
    }
  }

  /// Whether the view has been created.
  public final var isViewLoaded: Bool { loaded != nil }

  /// Creates `view`; the default takes that of the controller's interface file, or creates an empty view.
  open func loadView() { view = interfaceView ?? View() }

  /// Called once, after the view has been created.
  open func viewDidLoad() {}

  // MARK: Appearance

  /// Called before the first frame that shows the view.
  open func viewWillAppear() {}

  /// Called after that frame has been drawn.
  open func viewDidAppear() {}

  /// Called before the view disappears.
  open func viewWillDisappear() {}

  /// Called after the view has disappeared.
  open func viewDidDisappear() {}

  /// Called when memory is short: free what can be created again.
  ///
  /// After `applicationDidReceiveMemoryWarning(_:)` and before observers of the notification; in
  /// the background too, for scenes there first. Called for the root view controller of each window, then for its
  /// children.
  open func didReceiveMemoryWarning() {}

  /// The orientations in which the view can be shown; all by default.
  ///
  /// The value of the root view controller of a window is combined with that of the application delegate:
  /// `application(_:supportedInterfaceOrientationsFor:)`, and
  /// `WindowScene.interfaceOrientation` for the result.
  open var supportedInterfaceOrientations: InterfaceOrientationMask { .all }

  /// Asks for ``supportedInterfaceOrientations`` again, because the value has changed.
  ///
  /// If this changes the orientation of the scene, its delegate is called after the present callback.
  public func setNeedsUpdateOfSupportedInterfaceOrientations() {
    window?.setNeedsUpdateOfSupportedInterfaceOrientations()
  }

  /// The title, which a ``NavigationController`` and a ``TabBarController`` show, and the window of a sheet.
  open var title: String? {
    didSet {
      Responder.requireMainThread()
      guard oldValue != title else { return }
      parent?.childTitleChanged()
      if let presentation = presenter?.presentation, presentation.presented === self { presentation.titleChanged() }
    }
  }

  /// Called before the size of the view changes because the size of its window does; not before it has appeared.
  ///
  /// The default calls the children; that of a ``NavigationController``, for example, gets its own size. Call `super`.
  /// - Parameters:
  ///   - size: The new size in points.
  ///   - coordinator: Calls functions after the change.
  open func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
    for child in shownChildren { child.viewWillTransition(to: size, with: coordinator) }
  }

  // MARK: Presentation

  /// How the controller is shown that is presented; ``ModalPresentationStyle/formSheet`` at first.
  open var modalPresentationStyle = ModalPresentationStyle.formSheet { didSet { Responder.requireMainThread() } }

  /// Whether only the program dismisses the controller, and not Escape or the window's close button; false at first.
  open var isModalInPresentation = false { didSet { Responder.requireMainThread() } }

  /// The size in points of a form sheet with the controller; what fits the view where nil.
  ///
  /// A sheet that is shown follows another size. Where it is nil the sheet grows when the view requests a layout and
  /// wishes for more room, and does not shrink by itself.
  /// A sheet is not larger than what panels leave of the screen: what may be larger belongs into a ``ScrollView``.
  open var preferredContentSize: Size? {
    didSet {
      Responder.requireMainThread()
      guard oldValue != preferredContentSize, let presentation = presenter?.presentation else { return }
      if presentation.presented === self { presentation.preferredSizeChanged() }
    }
  }

  // MARK: Restoration

  /// The name by which the controller is made again when its scene is restored; not restored where nil.
  open var restorationIdentifier: String? { didSet { Responder.requireMainThread() } }

  /// What the user has done in the controller, as property-list values, for the restoration activity of a scene.
  ///
  /// Of the root view controller of a window it is all that is needed: ``NavigationController``,
  /// ``TabBarController`` and ``SplitViewController`` add what they show, with the states of their children, and each
  /// the controller that is presented above it. Override it to add the controller's own values to those of `super`, and
  /// to take them.
  open var restorationState: [String: any Sendable] {
    get { presentationState }
    set { restorePresentation(newValue) }
  }

  /// Makes a controller again that was pushed or presented when the scene was saved.
  ///
  /// Asked before ``restorationState`` is set. The default asks the ``parent``, and answers nil without one.
  /// - Parameter identifier: The ``restorationIdentifier`` that it had.
  /// - Returns: The controller; nil where it is not restored.
  open func viewController(withRestorationIdentifier identifier: String) -> ViewController? {
    parent?.viewController(withRestorationIdentifier: identifier)
  }

  // MARK: Children

  /// The controllers of subviews.
  public final private(set) var children: [ViewController] = []
  /// The controller of which this one is a child.
  public final private(set) weak var parent: ViewController?

  /// Adds a controller; the caller adds its view, then calls ``didMove(toParent:)``.
  ///
  /// The child appears when its view comes into that of this controller, which has appeared, or with this controller,
  /// and disappears when its view is taken out, or with this controller. A child whose view is elsewhere, or has not
  /// been created, neither appears nor is loaded.
  /// - Parameter child: The controller; removed from its present parent.
  public func addChild(_ child: ViewController) {
    Responder.requireMainThread()
    let parents = sequence(first: self) { $0.parent }
    guard child.parent !== self else { return }
    guard !parents.contains(where: { $0 === child }) else {
      return Application.report(
        "\(type(of: self)) gets no child: "
          + "a controller cannot be a child of itself, nor of a child of its own. Add another one."
      )
    }
    child.removeFromParent()
    // It may have been given to another one as it disappeared.
    guard child.parent == nil else { return }
    child.willMove(toParent: self)
    children.append(child)
    child.parent = self
    child.appearance.arrival = .added
    if isInSight, shownChildren.contains(where: { $0 === child }) { child.willAppear() }
  }

  /// Removes the controller from its parent; the caller calls ``willMove(toParent:)`` with nil before, and removes the
  /// view.
  ///
  /// It disappears now, if its view is still seen. In place of one that it shows, a ``NavigationController`` shows the
  /// one below, and a ``TabBarController`` the next one.
  public func removeFromParent() {
    guard let parent else { return }
    appearance.depart(.removed)
    disappear()
    // It may have been moved as it disappeared.
    guard self.parent === parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    appearance.isShownByParent = false
    parent.childRemoved(self)
    didMove(toParent: nil)
  }

  /// Called before the controller gets another parent, by ``addChild(_:)``, or none, by the caller of
  /// ``removeFromParent()``; override point.
  ///
  /// Call `super`: with nil ``isMovingFromParent`` is true when the view is taken out after that.
  /// - Parameter parent: The parent; nil for none.
  open func willMove(toParent parent: ViewController?) { if parent == nil { appearance.depart(.removed) } }

  /// Called after the controller has got another parent, by the caller of ``addChild(_:)`` once the view is in place,
  /// or none, by ``removeFromParent()``; override point.
  ///
  /// A ``TabBarController`` calls it for all its tabs when its own view is loaded, also for those whose views are not.
  /// - Parameter parent: The parent; nil for none.
  open func didMove(toParent parent: ViewController?) {}

  /// The nearest of the parents that is a navigation controller; nil for none.
  public final var navigationController: NavigationController? { nearest() }
  /// The nearest of the parents that is a tab bar controller; nil for none.
  public final var tabBarController: TabBarController? { nearest() }
  /// The nearest of the parents that is a split view controller; nil for none.
  public final var splitViewController: SplitViewController? { nearest() }

  private func nearest<Container: ViewController>() -> Container? {
    sequence(first: self) { $0.parent }.dropFirst().lazy.compactMap { $0 as? Container }.first
  }

  /// Shows an alert above the controller's window.
  /// - Parameter alert: The alert. If the controller is in no window of a scene, the alert is not shown, and an error
  ///   is reported.
  public func present(_ alert: AlertController) { alert.present(above: window) }

  /// The window that contains the view.
  public final var window: Window? { tree?.window ?? loaded?.window }

  /// The superview of the view, else the parent, else the window, else the window of the sheet in which it is about to
  /// be shown, or the controller whose place in the window it is about to take.
  open override var next: Responder? {
    loaded?.superview ?? parent ?? window ?? presenter?.presentation?.nextBeforeShown
  }

  // MARK: The framework's side

  final var appearance = ControllerAppearance()
  private var loaded: View?
  /// The view, if it has been created.
  final var loadedView: View? { loaded }
  /// The view that an interface file has made.
  var interfaceView: View?
  /// Set for the root view controller of a window alone.
  weak var tree: ViewTree?
  /// What is presented above the controller.
  var presentation: Presentation?
  /// A presentation that has ended, whose view is on its way out.
  weak var leaving: Presentation?
  weak var presenter: ViewController?

  private func adopt(_ view: View) {
    Responder.requireMainThread()
    if loaded?.host.controller === self { loaded?.host.controller = nil }
    loaded = view
    view.host.controller = self
  }

  func memoryWarning() {
    didReceiveMemoryWarning()
    for child in children { child.memoryWarning() }
    if front !== self { front.memoryWarning() }
  }

  /// The children that appear and disappear with the controller: those that it shows.
  var shownChildren: [ViewController] { children.filter { !$0.appearance.isShownByParent && $0.isShownInParent } }

  /// Whether the view is within that of the parent.
  final var isShownInParent: Bool {
    guard let loaded, let place = parent?.loaded else { return false }
    return loaded.isDescendant(of: place)
  }

  /// Gives the views of the children that are shown their places; those of a program do so with their layout.
  func placeChildren() {}

  /// Called after a child's title has changed.
  func childTitleChanged() {}

  /// Called after a child has been removed, which may have another parent soon.
  func childRemoved(_ child: ViewController) {}

  /// Ends the appearance of a child that was removed while it was about to be shown.
  final func endRemoved(_ child: ViewController) {
    if child.parent == nil, child.presenter == nil, child.tree == nil { child.disappear() }
  }

  /// Has the scene save its state later.
  final func invalidateRestorableState() { window?.windowScene?.invalidateRestorableState() }

  /// Whether the view has begun to appear, and not to disappear.
  final var isInSight: Bool { appearance.phase == .appearing || appearance.phase == .appeared }
  final var hasAppeared: Bool { appearance.phase == .appeared }

  /// The view is about to be shown.
  /// - Parameter movesIn: Whether it has not appeared before ``movedIn()``.
  func willAppear(movesIn: Bool = false) {
    if appearance.phase == .disappearing { didDisappear() }
    // Children that are added as it is loaded appear after their parent.
    _ = view
    guard appearance.phase == .disappeared else { return }
    appearance.phase = .appearing
    appearance.departure = nil
    appearance.isMovingIn = movesIn
    viewWillAppear()
    // The program may have taken it away.
    guard appearance.phase == .appearing else { return }
    placeChildren()
    for child in shownChildren { child.willAppear() }
    // `viewDidAppear()` follows a frame.
    if !movesIn { window?.setNeedsDisplay(Rect(x: 0, y: 0, width: 1, height: 1)) }
  }

  /// The view is in its place.
  final func movedIn() {
    appearance.isMovingIn = false
    if appearance.phase == .appearing { window?.setNeedsDisplay(Rect(x: 0, y: 0, width: 1, height: 1)) }
  }

  /// A frame has been drawn.
  func didAppear() {
    guard !appearance.isMovingIn else { return }
    if appearance.phase == .appearing {
      appearance.phase = .appeared
      viewDidAppear()
      appearance.arrival = nil
      appearance.completion.take()?()
    }
    for child in shownChildren { child.didAppear() }
    takeWantedKeys()
  }

  /// The view is about to go out of sight.
  func willDisappear() {
    guard isInSight else { return }
    appearance.phase = .disappearing
    appearance.arrival = nil
    viewWillDisappear()
    for child in shownChildren { child.willDisappear() }
  }

  /// The view has gone, and those of the children with it.
  final func didDisappear() {
    guard appearance.phase == .disappearing else { return }
    appearance.phase = .disappeared
    viewDidDisappear()
    appearance.departure = nil
    // What is told of that may have shown one of them again, or taken it out: that has disappeared before then.
    for child in children { child.didDisappear() }
  }

  final func disappear() {
    willDisappear()
    didDisappear()
  }

  /// What assistive programs call the window of which this is the root controller; nil for its title.
  var nameOfWindow: String? { nil }

  /// The window can no longer be seen: its scene is in the background, or the user has closed a sheet.
  final func disappearWithWindow() {
    if isWindowGone { front.appearance.depart(.dismissed) }
    front.disappear()
  }

  /// Whether the window is gone that shows the controller for as long as it is presented.
  var isWindowGone: Bool {
    guard let presentation = presenter?.presentation, presentation.presented === self else { return false }
    return presentation.isWindowGone
  }

  /// Called before the views of the window of which this is the root controller are laid out.
  func windowWillLayOut() {
    if let presentation = presenter?.presentation, presentation.presented === self { presentation.windowWillLayOut() }
  }

  /// Called after the program hid the window or the user closed it, or when it is gone.
  func windowWasHidden() {
    if let presentation = presenter?.presentation, presentation.presented === self { presentation.windowWasHidden() }
  }
}
