public import ProsceniumCore

/// An object that creates a view when it is needed, and is told when the view appears and disappears.
///
/// The root view controller of a window appears when its scene enters the foreground, and disappears when it goes to
/// the background. Each ``viewWillAppear()`` is followed by a ``viewDidDisappear()`` before the next one;
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
      adopt(newValue)
      if isShown { tree?.setRoot(newValue) }
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

  // MARK: Children

  /// The controllers of subviews.
  public final private(set) var children: [ViewController] = []
  /// The controller of which this one is a child.
  public final private(set) weak var parent: ViewController?

  /// Adds a controller that appears and disappears with this one; the caller adds its view.
  /// - Parameter child: The controller; removed from its present parent.
  public func addChild(_ child: ViewController) {
    guard child !== self, child.parent !== self else { return }
    child.removeFromParent()
    children.append(child)
    child.parent = self
    if phase != .disappeared { child.willAppear() }
    // `viewDidAppear()` follows a frame.
    if phase == .appeared { window?.setNeedsDisplay(Rect(x: 0, y: 0, width: 1, height: 1)) }
  }

  /// Removes the controller from its parent; the caller removes its view.
  public func removeFromParent() {
    guard let parent else { return }
    disappear()
    parent.children.removeAll { $0 === self }
    self.parent = nil
  }

  /// Shows an alert above the controller's window.
  /// - Parameter alert: The alert. If the controller is in no window of a scene, the alert is not shown, and an error
  ///   is reported.
  public func present(_ alert: AlertController) { alert.present(above: window) }

  /// The window that contains the view.
  public final var window: Window? { tree?.window ?? loaded?.window }

  /// The superview of the view, else the parent, else the window.
  open override var next: Responder? { loaded?.superview ?? parent ?? window }

  // MARK: The framework's side

  private enum Phase { case disappeared, appearing, appeared }
  private var phase = Phase.disappeared
  private var loaded: View?
  /// The view that an interface file has made.
  var interfaceView: View?
  /// Set for the root view controller of a window alone.
  weak var tree: ViewTree?

  private func adopt(_ view: View) {
    if loaded?.host.controller === self { loaded?.host.controller = nil }
    loaded = view
    view.host.controller = self
  }

  func memoryWarning() {
    didReceiveMemoryWarning()
    for child in children { child.memoryWarning() }
  }

  func willAppear() {
    guard phase == .disappeared else { return }
    phase = .appearing
    _ = view
    viewWillAppear()
    for child in children { child.willAppear() }
  }

  func didAppear() {
    if phase == .appearing {
      phase = .appeared
      viewDidAppear()
    }
    for child in children { child.didAppear() }
  }

  func disappear() {
    guard phase != .disappeared else { return }
    viewWillDisappear()
    for child in children { child.disappear() }
    phase = .disappeared
    viewDidDisappear()
  }

  /// Called after the program hid the window or the user closed it, or when it is gone.
  func windowWasHidden() {}
}
