public import ProsceniumCore

/// What runs a view: makes it when it is needed, and hears when people can see it.
///
/// A window's root view controller appears when the window comes into sight - its scene enters the foreground - and
/// disappears when it goes to the background. Each ``viewWillAppear()`` is followed by a ``viewDidDisappear()`` before the next
/// one; ``viewDidAppear()`` comes after the first frame has been drawn, and is left out where there was none.
@preconcurrency @MainActor open class ViewController: Responder {
  /// A controller without a view yet.
  public override init() { super.init() }

  // MARK: View

  /// The view; made by ``loadView()`` when somebody first asks for it.
  public final var view: View {
    get {
      if let loaded { return loaded }
      loadView()
      let view = loaded ?? View()
      adopt(view)
      viewDidLoad()
      return view
    }
    set {
      let isShown = loaded != nil && tree?.root === loaded
      adopt(newValue)
      if isShown { tree?.setRoot(newValue) }
    }
  }

  /// Whether the view has been made.
  public final var isViewLoaded: Bool { loaded != nil }

  /// Makes `view` and sets it; the default makes an empty one.
  open func loadView() { view = View() }

  /// Called once, when the view has been made.
  open func viewDidLoad() {}

  // MARK: Appearance

  /// Called before the first frame that people can see the view in.
  open func viewWillAppear() {}

  /// Called after that frame has been drawn.
  open func viewDidAppear() {}

  /// Called when the view is going out of sight.
  open func viewWillDisappear() {}

  /// Called when it has gone out of sight.
  open func viewDidDisappear() {}

  /// Called when memory is short: give back what can be made again.
  ///
  /// After `applicationDidReceiveMemoryWarning(_:)` and before observers of the notification; in the
  /// background too, those of scenes there first. The root view controller of each window hears of it, then its children.
  open func didReceiveMemoryWarning() {}

  /// The orientations in which the view can be shown; all by default.
  ///
  /// Of a window's root view controller, together with what the application delegate says:
  /// `application(_:supportedInterfaceOrientationsFor:)`, and
  /// `WindowScene.interfaceOrientation` for what comes of it.
  open var supportedInterfaceOrientations: InterfaceOrientationMask { .all }

  /// Says that ``supportedInterfaceOrientations`` is another one now.
  ///
  /// Where the scene's orientation is another one because of it, its delegate hears of that after the present callback.
  public func setNeedsUpdateOfSupportedInterfaceOrientations() { window?.supportedInterfaceOrientationsChanged() }

  // MARK: Children

  /// The controllers of parts of the view.
  public final private(set) var children: [ViewController] = []
  /// The controller that this one is a child of.
  public final private(set) weak var parent: ViewController?

  /// Adds a controller that appears and disappears with this one; its view is for the caller to add.
  public func addChild(_ child: ViewController) {
    guard child !== self, child.parent !== self else { return }
    child.removeFromParent()
    children.append(child)
    child.parent = self
    if phase != .disappeared { child.willAppear() }
    // Told of the frame that shows it.
    if phase == .appeared { window?.setNeedsDisplay(Rect(x: 0, y: 0, width: 1, height: 1)) }
  }

  /// Takes the controller away from its parent; its view is for the caller to remove.
  public func removeFromParent() {
    guard let parent else { return }
    disappear()
    parent.children.removeAll { $0 === self }
    self.parent = nil
  }

  /// Shows an alert above the controller's window.
  /// - Parameter alert: The alert; dropped, with a message, where the controller is in no window of a scene.
  public func present(_ alert: AlertController) { alert.present(above: window) }

  /// The window that the view is in.
  public final var window: Window? { tree?.window ?? loaded?.window }

  /// What holds the view, else the parent, else the window.
  open override var next: Responder? { loaded?.superview ?? parent ?? window }

  // MARK: The framework's side

  private enum Phase { case disappeared, appearing, appeared }
  private var phase = Phase.disappeared
  private var loaded: View?
  /// Set for a window's root controller alone.
  weak var tree: ViewTree?

  private func adopt(_ view: View) {
    if loaded?.controller === self { loaded?.controller = nil }
    loaded = view
    view.controller = self
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

  /// The window was hidden by the program or closed by its user, or is gone.
  func windowWasHidden() {}
}
