/// A top-level window of a scene.
///
/// The first window of a scene is its primary one: its fate is the scene's. Further ones are transient windows above
/// it (`WM_TRANSIENT_FOR`, ICCCM 4.1.2.6): panels and alerts. A scene is visible while any of its windows is, and
/// focused while any of them is. On X11 the window exists from its making on, so that GL, Vulkan and xcb programs can
/// set up for it at once, and is mapped when ``isHidden`` becomes false.
@preconcurrency @MainActor open class Window: Responder {
  /// A window of the implicit scene in the app-based model, else of no scene until ``windowScene`` is set.
  public override init() {
    super.init()
    attach(to: Application.sharedIfLaunched?.stage?.implicitScene)
  }

  /// A window of a scene; hidden at first.
  ///
  /// The primary one has the configuration's `launchSize`, others are 640 by 480 pixels until ``frame`` says otherwise.
  /// - Parameter windowScene: The scene. Its first window is the primary one.
  public init(windowScene: WindowScene) {
    super.init()
    attach(to: windowScene)
  }

  /// The scene that holds the window.
  ///
  /// Another scene, or none, can be set: the window is made anew there.
  public weak var windowScene: WindowScene? {
    get { scene }
    set {
      guard newValue !== scene else { return }
      detach()
      attach(to: newValue)
    }
  }

  /// Whether the window is withdrawn; true at first.
  ///
  /// Hiding the last visible window sends its scene to the background.
  ///
  /// Not moved by the window manager: a minimised window is not hidden in this sense.
  public var isHidden = true {
    didSet {
      guard oldValue != isHidden else { return }
      if let record {
        record.stage?.post(.windowVisibility(self, record, isHidden: isHidden))
      } else if !isHidden {
        // Its scene may be set yet.
        Application.sharedIfLaunched?.stage?.post(.checkAttached(self))
      }
    }
  }

  /// The title; the scene's where nil.
  public var title: String? {
    didSet { if let id { record?.perform(.setTitle(id, effectiveTitle)) } }
  }

  /// The picture for taskbars and switchers.
  public var icon: WindowIcon? {
    didSet { if let id { record?.perform(.setIcon(id, icon)) } }
  }

  /// What the server paints where nothing has been drawn yet; white at first.
  public var backgroundColor = Color.white {
    didSet { if let id, oldValue != backgroundColor { record?.perform(.setBackground(id, backgroundColor)) } }
  }

  /// Stacking: 0 is normal, 1000 and more stays above normal windows (`_NET_WM_STATE_ABOVE`).
  public var windowLevel = 0 {
    didSet { if let id { record?.perform(.setLevel(id, windowLevel)) } }
  }

  /// The smallest size that the user can give the window (`WM_NORMAL_HINTS`); no limit where nil.
  public var minimumSize: Size? {
    didSet { limitsChanged() }
  }

  /// The largest size that the user can give the window (`WM_NORMAL_HINTS`); no limit where nil.
  public var maximumSize: Size? {
    didSet { limitsChanged() }
  }

  /// The content's rectangle on the desktop, in pixels, as the window system last said.
  ///
  /// Setting it is a request without an answer; ``requestFrame(_:completion:)`` gives one.
  public var frame: Rect {
    get { knownFrame }
    set { requestFrame(newValue) }
  }

  /// Whether this is its scene's key window.
  public var isKeyWindow: Bool { scene?.keyWindow === self }

  /// Whether the window wants keyboard events; override to say no.
  open var canBecomeKey: Bool { true }

  /// Called when the window became its scene's key window; override point, not to be called.
  open func becomeKey() {}

  /// Called when the window stopped being its scene's key window; override point, not to be called.
  open func resignKey() {}

  /// Asks for the keyboard focus.
  ///
  /// The window is key at once in its scene; the focus comes if the window manager agrees.
  public func makeKey() {
    guard let record else { return }
    wantsKey = true
    record.stage?.post(.makeKey(self, record))
  }

  /// Shows the window and makes it key.
  public func makeKeyAndVisible() {
    isHidden = false
    makeKey()
  }

  /// Asks the window manager to iconify the window (WM_CHANGE_STATE, ICCCM 4.1.4).
  /// - Parameter completion: Called later, on the main thread, with what became of it.
  public func requestMinimize(completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    request(.minimize, completion)
  }

  /// Asks the window manager to maximise the window both ways, or to undo that (EWMH, `_NET_WM_STATE`).
  /// - Parameters:
  ///   - maximized: Whether the window should be maximised.
  ///   - completion: Called later, on the main thread, with what became of it.
  public func requestMaximized(_ maximized: Bool, completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    request(.maximize(maximized), completion)
  }

  /// Asks the window manager to show the window over the whole screen, or to undo that (EWMH, `_NET_WM_STATE`).
  /// - Parameters:
  ///   - fullScreen: Whether the window should fill the screen.
  ///   - completion: Called later, on the main thread, with what became of it.
  public func requestFullScreen(_ fullScreen: Bool, completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    request(.fullScreen(fullScreen), completion)
  }

  /// Asks for another place and size.
  /// - Parameters:
  ///   - frame: The content's rectangle on the desktop, in pixels.
  ///   - completion: Called later, on the main thread, with what became of it.
  public func requestFrame(_ frame: Rect, completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    guard frame.size.width > 0, frame.size.height > 0, frame.size.width < 32768, frame.size.height < 32768 else {
      completion?(.refused("A window is at least 1 and at most 32767 pixels wide and high."))
      return
    }
    if let record, record.hasShown(self) { return request(.geometry(frame), completion) }
    // A window that has not been shown yet is placed there when it is.
    launchFrame = frame
    knownFrame = frame
    if let id { record?.perform(.place(id, frame)) }
    completion?(.done)
  }

  /// Hands an event to the window and then along the responder chain until somebody handles it.
  ///
  /// Called by ``Application/sendEvent(_:)``; override to see every event of the window.
  /// - Parameter event: What happened.
  open func sendEvent(_ event: Event) {
    var responder: Responder? = self
    while let current = responder, !current.handle(event) { responder = current.next }
  }

  /// The scene.
  open override var next: Responder? { scene }

  // MARK: The framework's side

  /// The platform's window; nil while the window belongs to no scene.
  package private(set) var id: WindowID?
  /// The window system that the window lives on; nil while it belongs to no connected scene.
  package var platform: (any Platform)? { record?.stage?.platform }
  private(set) weak var scene: WindowScene?
  var record: SceneRecord? { scene?.record }
  var knownFrame = Rect(x: 0, y: 0, width: 640, height: 480)
  /// `makeKey()` has been called, and nothing has asked for the focus since.
  var wantsKey = false
  /// Where the program wants the window before it is shown for the first time.
  private(set) var launchFrame: Rect?

  var effectiveTitle: String {
    title ?? scene?.title ?? record?.stage?.identity.id ?? Application.programName
  }

  private func attach(to scene: WindowScene?) {
    guard let scene, let record = scene.record else { return }
    self.scene = scene
    id = record.add(self, to: scene)
    if !isHidden { record.stage?.post(.windowVisibility(self, record, isHidden: false)) }
  }

  private func detach() {
    guard let scene else { return }
    scene.record?.remove(self, from: scene)
    forget()
  }

  /// The platform's window is gone or is somebody else's now.
  func forget() {
    id = nil
    scene = nil
  }

  private func limitsChanged() {
    if let id { record?.perform(.setSizeLimits(id, minimum: minimumSize, maximum: maximumSize)) }
  }

  private func request(_ request: WindowRequest, _ completion: (@MainActor (RequestOutcome) -> Void)?) {
    guard let id, let stage = record?.stage else {
      completion?(.refused("The window belongs to no connected scene."))
      return
    }
    stage.request(request, of: id, completion)
  }
}
