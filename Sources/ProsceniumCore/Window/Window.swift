import ProsceniumLoop

/// A top-level window of a scene.
///
/// The first window of a scene is its primary one: its fate is the scene's. Further ones are transient windows above
/// it (`WM_TRANSIENT_FOR`, ICCCM 4.1.2.6): panels and alerts. A scene is visible while any of its windows is, and
/// focused while any of them is. On X11 the window exists from its making on, so that GL, Vulkan and xcb programs can
/// set up for it at once, and is mapped when ``isHidden`` becomes false.
@preconcurrency @MainActor open class Window: Responder {
  /// A window of the implicit scene in the app-based model, else of no scene until ``windowScene`` is set.
  ///
  /// One that is made before the application is, such as in a stored property of its delegate, joins the implicit scene
  /// when it is shown, and does nothing before that.
  public override init() {
    super.init()
    attach(to: .implicit)
  }

  /// Makes a window of a scene; hidden at first.
  ///
  /// The primary one has the configuration's `launchSize`; others are 640 by 480 points until ``frame`` is set.
  /// - Parameter windowScene: The scene. Its first window is the primary one.
  public init(windowScene: WindowScene) {
    super.init()
    attach(to: windowScene)
  }

  /// A window that is attached later.
  init(withoutScene: Void) { super.init() }

  /// The scene that holds the window.
  ///
  /// Another scene, or none, can be set: the window is made anew there.
  public weak var windowScene: WindowScene? {
    get { scene }
    set {
      assertMainThread()
      guard newValue !== scene else { return }
      detach()
      attach(to: newValue)
    }
  }

  /// Whether the window is withdrawn; true at first.
  ///
  /// Hiding the last visible window sends its scene to the background.
  ///
  /// Not moved by the window manager: a minimised window is not hidden in this sense. The first window of a session
  /// that connects again may be on the screen before the program shows it, because the session has kept it there:
  /// setting true withdraws it then, too.
  public var isHidden = true {
    didSet {
      assertMainThread()
      guard oldValue != isHidden || isHidden && isShownAsBare || !isHidden && record == nil else { return }
      if let record {
        post(.change(self, record, isHidden: isHidden))
      } else if !isHidden, !joinImplicitScene() {
        // Its scene may be set yet.
        Application.sharedIfLaunched?.conductor?.post(WindowVisibility.self, .checkAttached(self))
      }
    }
  }

  /// The title; the scene's where nil.
  public var title: String? {
    didSet {
      assertMainThread()
      guard let id, oldValue != title, !leavesToToolkit("The title"), let record else { return }
      record.perform(.setTitle(id, effectiveTitle))
      if record.windows.primary == id { record.sessionChanged() }
    }
  }

  /// The picture for taskbars and switchers.
  public var icon: WindowIcon? {
    didSet {
      assertMainThread()
      if let id, !leavesToToolkit("The icon") { record?.perform(.setIcon(id, icon)) }
    }
  }

  /// The colour that the server fills undrawn parts with; white at first.
  ///
  /// Its alpha is ignored.
  public var backgroundColor = Color.white {
    didSet {
      assertMainThread()
      if let id, oldValue != backgroundColor { record?.perform(.setBackground(id, backgroundColor)) }
    }
  }

  /// Stacking: 0 is normal, 1000 and more stays above normal windows (`_NET_WM_STATE_ABOVE`).
  public var windowLevel = 0 {
    didSet {
      assertMainThread()
      if let id { record?.perform(.setLevel(id, windowLevel)) }
    }
  }

  /// The smallest size that the user can give the window (`WM_NORMAL_HINTS`), in points; no limit where nil.
  public var minimumSize: Size? {
    get { sizeLimits.minimum }
    set { sizeLimits.minimum = newValue }
  }

  /// The largest size that the user can give the window (`WM_NORMAL_HINTS`), in points; no limit where nil.
  public var maximumSize: Size? {
    get { sizeLimits.maximum }
    set { sizeLimits.maximum = newValue }
  }

  /// The content's rectangle on the desktop, in points, as the window system reported it last.
  ///
  /// A point is ``scale`` pixels, also in the distance to the desktop's upper left corner: ``Screen/frame`` of the
  /// window's screen has the same points. A window that is moved to a screen of another scale keeps its size in points,
  /// as far as there is room and the window manager lets it. Setting it is a request without an outcome;
  /// ``requestFrame(_:completion:)`` reports one.
  ///
  /// A window that is shown for the first time is not larger than what panels leave of its screen, unless its
  /// ``minimumSize`` is: its content has to make do with less. At a launch, when the screens are not known yet, it is
  /// made as small as that as soon as they are, unless it has another size by then.
  public var frame: Rect {
    get { pixelScale.points(knownFrame) }
    set { requestFrame(newValue) }
  }

  /// The size of the content in pixels, for programs that draw by their own means.
  public var pixelSize: Size { knownFrame.size }

  /// The size of the content in points, with parts of points: ``pixelSize`` divided by ``scale``.
  public var contentSize: (width: Double, height: Double) {
    (Double(knownFrame.size.width) / scale, Double(knownFrame.size.height) / scale)
  }

  /// Whether this is its scene's key window.
  public var isKeyWindow: Bool { scene?.keyWindow === self }

  /// Whether the window may be its scene's key window, also where it has the focus; override it to return false.
  open var canBecomeKey: Bool { true }

  /// Whether the window is opaque; override it to return false, and draw with alpha.
  ///
  /// Read once, when the window is made. Windows behind it show through under a compositing manager only.
  open var isOpaque: Bool { true }

  /// Called when the window became its scene's key window; override point, not to be called.
  open func becomeKey() {}

  /// Called when the window stopped being its scene's key window; override point, not to be called.
  open func resignKey() {}

  /// Makes the window its scene's key window, and asks for the keyboard focus, which the window manager may refuse.
  ///
  /// It is key after the present callback: ``isKeyWindow`` is false when this returns, and ``becomeKey()`` follows.
  public func makeKey() {
    assertMainThread()
    guard let record else { return }
    wantsKey = true
    post(.makeKey(self, record))
  }

  /// Shows the window and makes it key, as ``makeKey()``.
  public func makeKeyAndVisible() {
    isHidden = false
    makeKey()
  }

  /// Asks the window manager to iconify the window (WM_CHANGE_STATE, ICCCM 4.1.4).
  /// - Parameter completion: Called on the main thread with the outcome: later, but before this returns for a pop-up
  ///   window, and for one of no connected scene.
  public final func requestMinimize(completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    request(.minimize, completion)
  }

  /// Asks the window manager to maximise the window both ways, or to undo that (EWMH, `_NET_WM_STATE`).
  /// - Parameters:
  ///   - maximized: Whether the window should be maximised.
  ///   - completion: Called on the main thread with the outcome: later, but before this returns for a pop-up
  ///     window, and for one of no connected scene.
  public final func requestMaximized(_ maximized: Bool, completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    request(.maximize(maximized), completion)
  }

  /// Asks the window manager to show the window over the whole screen, or to undo that (EWMH, `_NET_WM_STATE`).
  /// - Parameters:
  ///   - fullScreen: Whether the window should fill the screen.
  ///   - completion: Called on the main thread with the outcome: later, but before this returns for a pop-up
  ///     window, and for one of no connected scene.
  public final func requestFullScreen(_ fullScreen: Bool, completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    request(.fullScreen(fullScreen), completion)
  }

  /// Requests a position and size (ICCCM 4.1.5, ConfigureWindow).
  /// - Parameters:
  ///   - frame: The content's rectangle on the desktop, in points; see ``frame``. At most 32,767 pixels wide and high.
  ///   - completion: Called on the main thread with the outcome: later, but before this returns for a size that no
  ///     window can have, a window that has not been shown yet, a pop-up window, and one of no connected scene.
  public final func requestFrame(_ frame: Rect, completion: (@MainActor (RequestOutcome) -> Void)? = nil) {
    assertMainThread()
    var pixels = pixelScale.pixels(frame)
    // The points of a size that has parts of points stand for that size.
    if frame.size == self.frame.size { pixels.size = pixelSize }
    let size = pixels.size
    guard size.width > 0, size.height > 0, size.width < 32768, size.height < 32768 else {
      completion?(.refused("A window is at least 1 and at most 32767 pixels wide and high."))
      return
    }
    if let record, record.hasShown(self) {
      // What the program asks for is not compared with panels that become known later.
      if let id { record.windows[id]?.fitting = .done }
      return request(.geometry(pixels), completion)
    }
    // A window that has not been shown yet is placed there when it is.
    place.launch = frame
    knownFrame = pixels
    if let id { record?.perform(.place(id, pixels.origin, size)) }
    completion?(.done)
  }

  /// Marks a part of the window for drawing.
  ///
  /// All marked parts are drawn together, before the next frame; a window that is not visible is drawn once when it
  /// becomes visible. Never call it for a window that draws by its own means.
  /// - Parameter rect: The part, in pixels of the window; all of it where nil.
  public func setNeedsDisplay(_ rect: Rect? = nil) {
    if !leavesToToolkit("setNeedsDisplay(_:)") { display.setNeedsDisplay(rect) }
  }

  /// Draws the parts of the window that need it; override it to draw into the pixel buffer, without views.
  ///
  /// Called on the main thread before a frame, only while the window can be seen, and for a snapshot of its scene
  /// (``WindowScene/snapshot(afterUpdates:)``), then in full and into other memory. Pixels outside the parts are those
  /// drawn before. The default draws the window's views, or its background.
  /// - Parameters:
  ///   - buffer: The memory to draw into, valid during the call.
  ///   - damage: The parts to draw, in pixels.
  open func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    if let content { return content.draw(&buffer, damage: damage) }
    for rect in damage { buffer.fill(rect, with: backgroundColor.withAlphaComponent(1)) }
  }

  /// Whether a frame may be presented now, for programs that draw by their own means (our addition).
  ///
  /// Check before each frame: false where the window is not visible, and the trace names the window the first
  /// time. Windows that are drawn by the framework need no check. On X11 nothing else prevents drawing with
  /// GL, Vulkan or xcb to a hidden window, or to a lost server; the article *Drawing by own means* has an example.
  /// - Returns: Whether the window is visible, its scene is in the foreground, and the window system is connected.
  public func mayPresentFrame() -> Bool { display.mayPresentFrame() }

  /// The pixels per point: 1, or more on a screen with small pixels (`Xft.dpi` over 96, else RandR's size of the
  /// screen).
  ///
  /// That of the screen that shows most of the window; it changes when the window is moved to another one.
  public internal(set) var scale = 1.0
  var pixelScale: PixelScale { PixelScale(scale) }

  /// The shape of the pointer over the window.
  public var cursor = Cursor.arrow {
    didSet {
      assertMainThread()
      if let id, oldValue != cursor, !leavesToToolkit("The cursor") { record?.perform(.setCursor(id, cursor)) }
    }
  }

  /// The responder that receives keys first, before the window; nil where it is the window itself.
  public internal(set) weak var firstResponder: Responder?

  /// Delivers an event to its receiver, and then along the responder chain until a responder handles it.
  ///
  /// Keys go to the first responder, after the key commands of its chain, but what is typed into a text before them
  /// (``Responder/isTextInput``); positions to the view that they hit. While an alert of the scene is shown its other
  /// windows receive no input: it is dropped, and a press brings the alert forward; events that the alert does not
  /// handle skip its scene and the scene's delegate, and go to the application. Called by
  /// ``Application/sendEvent(_:)``; override to see every event of the window.
  /// - Parameter event: The event.
  open func sendEvent(_ event: Event) {
    if case .remoteControl = event.kind {
      return (content?.responder(for: event) ?? firstResponder ?? self).remoteControlReceived(with: event)
    }
    if event.isInput, let modal = scene?.modalWindows.last, modal !== self {
      if case .button(let button) = event.kind, button.isDown { modal.makeKey() }
      return
    }
    var responder = content?.responder(for: event) ?? self
    if content == nil, case .key = event.kind { responder = firstResponder ?? responder }
    if !responder.receive(event) { content?.unhandled(event) }
  }

  /// The scene.
  open override var next: Responder? { scene }

  /// The scene and its delegate speak for the windows beneath an alert: its keys go past them, to the application.
  override var nextForInput: Responder? {
    scene?.modalWindows.contains { $0 === self } == true ? Application.sharedIfLaunched : next
  }

  // MARK: The framework's side

  /// The toolkit's object that draws the window and gets its input; held by the window.
  ///
  /// Nil, as at first, where the program overrides ``draw(_:damage:)`` or draws with GL, Vulkan or xcb. Set it on the
  /// main thread; see ``WindowContent`` for the times of its calls.
  public var content: (any WindowContent)? {
    didSet {
      assertMainThread()
      if content != nil { leavesToToolkit("The content") }
    }
  }
  private(set) lazy var display = WindowDisplay(self)

  /// The platform's window; nil while the window belongs to no scene.
  package private(set) var id: WindowID?
  /// The window system that the window lives on; nil while it belongs to no connected scene.
  package var platform: (any Platform)? { record?.conductor?.platform }
  final private(set) weak var scene: WindowScene?
  var record: SceneRecord? { scene?.record }
  private var isShownAsBare: Bool { id.flatMap { record?.windows[$0]?.isShownAsBare } ?? false }
  private var sizeLimits: (minimum: Size?, maximum: Size?) = (nil, nil) {
    didSet {
      assertMainThread()
      if !leavesToToolkit("A size limit") { applySizeLimits() }
    }
  }
  private func applySizeLimits() {
    guard let id else { return }
    record?.perform(
      .setSizeLimits(id, minimum: minimumSize.map(pixelScale.pixels), maximum: maximumSize.map(pixelScale.pixels)))
  }
  /// In pixels.
  var knownFrame: Rect {
    get { place.known }
    set { place.known = newValue }
  }
  /// The frame that the window system reported last, in pixels, and the one that the program requests before the window
  /// is shown, in points.
  private var place: (known: Rect, launch: Rect?) = (Rect(x: 0, y: 0, width: 640, height: 480), nil)
  /// `makeKey()` has been called, and nothing has asked for the focus since.
  var wantsKey = false
  /// Where the program wants the window before it is shown for the first time, in points.
  var launchFrame: Rect? { place.launch }

  var effectiveTitle: String { title ?? scene?.title ?? record?.conductor?.identity.id ?? ProgramName.own }

  /// Another screen shows most of the window, or its screen has another scale: it keeps its size in points.
  /// - Parameters:
  ///   - new: The scale.
  ///   - keepsPixels: Whether the window has the size that the user or the window manager gave it.
  final func changeScale(to new: Double, keepsPixels: Bool) {
    let old = pixelScale
    scale = new
    display.resized()
    if sizeLimits.minimum != nil || sizeLimits.maximum != nil { applySizeLimits() }
    guard !keepsPixels, let record, let id else { return }
    let areas = record.conductor?.application.screens.map(\.visiblePixelFrame) ?? []
    let frame = old.frame(knownFrame, keepingPointsAt: pixelScale, on: areas)
    guard frame != knownFrame else { return }
    if record.hasShown(self) { return request(.geometry(frame), nil) }
    if let launch = place.launch { return requestFrame(record.frame(launch, ofUnshown: self)) }
    knownFrame.size = frame.size
    record.perform(.place(id, nil, frame.size))
  }

  private func attach(to scene: WindowScene?) {
    assertMainThread()
    guard let scene, let record = scene.record else { return }
    attach(record.add(self, to: scene), to: scene)
    if content != nil { post(.notify(self, .attached)) }
    if !isHidden { post(.change(self, record, isHidden: false)) }
  }

  /// Attaches a window that belongs to no scene, and is shown in the app-based model.
  private func joinImplicitScene() -> Bool {
    guard !isAdopted, !(self is PopUpWindow), let scene = WindowScene.implicitToShowIn else { return false }
    if self.scene !== scene { attach(to: scene) }
    return true
  }

  /// The platform's window has been made.
  final func attach(_ id: WindowID?, to scene: WindowScene) {
    self.scene = scene
    self.id = id
  }

  private func detach() {
    guard let scene else { return }
    popUps?.dismiss(above: self)
    scene.record?.remove(self, from: scene)
    invalidate()
  }

  /// Removes the window from its platform window, which is gone or belongs to another owner.
  func invalidate() {
    // Also where the program draws by its own means: a requested frame does not come.
    post(.notify(self, .detached))
    display.leave()
    id = nil
    scene = nil
  }

  /// Asks for ``WindowContent/supportedInterfaceOrientations`` again, because the value has changed.
  ///
  /// If this changes the orientation of the scene, the delegate is called after the present callback.
  public func setNeedsUpdateOfSupportedInterfaceOrientations() {
    if let record { record.conductor?.post(Surroundings.self, .check(record)) }
  }

  private func post(_ message: WindowVisibility.Message) { record?.conductor?.post(WindowVisibility.self, message) }

  private final func request(_ request: WindowRequest, _ completion: (@MainActor (RequestOutcome) -> Void)?) {
    assertMainThread()
    guard !(self is PopUpWindow) else {
      completion?(.refused("No window manager sees a pop-up window, which stays where it was presented."))
      return
    }
    guard let id, let visibility = record?.conductor?.feature(WindowVisibility.self) else {
      completion?(.refused("The window belongs to no connected scene."))
      return
    }
    visibility.request(request, of: id, completion)
  }
}

extension Window: nonisolated Hashable {
  /// Whether both are the same window.
  public nonisolated static func == (left: Window, right: Window) -> Bool { left === right }
  /// Hashes the identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
