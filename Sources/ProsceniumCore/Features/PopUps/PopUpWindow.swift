/// A menu or a tooltip: a window without a frame above another one, for a short while.
///
/// A toolkit makes one for each menu, gives it a ``Window/content``, and presents it. It is no window of the scene's
/// life cycle: it is not among ``WindowScene/windows``, is never key, and presenting or dismissing it changes no state.
/// On X11 it is an override-redirect window, which no window manager moves, with `_NET_WM_WINDOW_TYPE` and
/// `WM_TRANSIENT_FOR`.
///
/// While a menu is presented it gets the user's input: the pointer over a menu goes to that menu, keys go to the menu
/// that was presented last, and the rest is for ``eventOutside(_:)`` of the first one. The pointer is grabbed so that a
/// press in another program is known; the keyboard stays where it is. A tooltip gets no input and grabs nothing.
///
/// The framework dismisses it, and the pop-up windows above it, when its scene resigns active or enters the background;
/// when the window that it belongs to is moved, resized, hidden or removed, or loses the focus to another one of the
/// program; when an alert appears, the screen saver starts, or the pointer cannot be grabbed or is taken away; on
/// Escape, and on a press elsewhere.
@preconcurrency @MainActor open class PopUpWindow: Window {
  /// What a pop-up window is for.
  public typealias Kind = PopUpKind

  /// What the window is for.
  public final let kind: Kind
  /// The window that it belongs to: a window of a scene, or for a submenu the pop-up window of its menu.
  public final private(set) weak var owner: Window?
  /// The owner's id, where it was and whether it had the focus, as the window was presented.
  private(set) var presentation: (owner: WindowID, frame: Rect, hadFocus: Bool)?

  /// Makes a pop-up window; presented at first by ``present(at:)``.
  /// - Parameters:
  ///   - owner: The window that it belongs to.
  ///   - kind: What it is for.
  public init(above owner: Window, kind: Kind) {
    self.owner = owner
    self.kind = kind
    super.init(withoutScene: ())
  }

  /// Whether the window is presented.
  public final var isPresented: Bool { presentation != nil }

  /// Presents the window; the first menu of several takes the input of the program's windows.
  ///
  /// Not while its owner's scene is in the background or the owner is hidden, and not a second time. Another menu that
  /// is presented and does not belong to the owner is dismissed before. Has the owner's ``Window/scale``.
  /// - Parameter frame: The rectangle on the desktop, in points of the owner; it does not change afterwards.
  /// - Returns: Whether it is presented now. On X11 the answer about the pointer comes later, and may dismiss it.
  @discardableResult
  public final func present(at frame: Rect) -> Bool {
    guard !isPresented, let owner, let popUps = owner.popUps else { return isPresented }
    return popUps.present(self, above: owner, at: owner.pixelScale.pixels(frame))
  }

  /// Dismisses the window, and those above it; harmless where it is not presented.
  public final func dismiss() { popUps?.dismiss(self) }

  /// Called once after the window has been dismissed, whoever dismissed it; override point.
  open func didDismiss() {}

  /// Called for a pointer event, a turn of the wheel or a touch outside of the menus, on the first one; override point.
  ///
  /// The event is as its window has it; on X11 one in another program is the owner's, with a position outside of it.
  /// The default dismisses the window for a press.
  /// - Parameter event: The event.
  open func eventOutside(_ event: Event) { if event.isPress { dismiss() } }

  // MARK: The window

  /// False: menus do not take the focus.
  public final override var canBecomeKey: Bool { false }
  /// The window that it belongs to, for actions.
  public final override var next: Responder? { owner }
  /// Input that a menu does not handle goes nowhere.
  final override var nextForInput: Responder? { nil }

  /// Setting it to true dismisses the window; ``present(at:)`` shows it.
  public final override var isHidden: Bool { didSet { if isHidden { dismiss() } } }

  /// The scene of its owner; setting it to nil dismisses the window, and nothing else can be set.
  public final override weak var windowScene: WindowScene? {
    get { super.windowScene ?? owner?.windowScene }
    set { if newValue == nil { dismiss() } }
  }

  /// Makes the platform's window.
  final func begin(at frame: Rect, above owner: WindowID, in record: SceneRecord) {
    guard let scene = record.windowScene else { return }
    knownFrame = frame
    scale = self.owner?.scale ?? 1
    attach(record.addPopUp(self, above: owner), to: scene)
    let place = self.owner?.knownFrame ?? frame
    presentation = (owner, place, record.windows[owner]?.levels.focused ?? false)
    isHidden = false
  }

  /// Gives the platform's window back.
  final func end() {
    presentation = nil
    isHidden = true
    if let scene { scene.record?.removePopUp(self) }
    invalidate()
  }

  /// Gives an event to the window's content.
  final func deliver(_ event: Event) -> Bool { (content?.responder(for: event) ?? self).pass(event) }
}

extension Window {
  /// The program's menus and tooltips.
  var popUps: PopUps? { windowScene?.record?.conductor?.feature(PopUps.self) }
}

extension Event {
  /// Whether a button or a finger goes down.
  var isPress: Bool {
    switch kind {
    case .button(let button): button.isDown
    case .touch(let touch): touch.phase == .began
    case .key, .motion, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: false
    }
  }

  /// Where on the desktop it happened, in pixels; nil for events without a position.
  var desktopLocation: Point? {
    guard let location = kind.location, let corner = window?.knownFrame.origin else { return nil }
    return Point(x: location.x &+ corner.x, y: location.y &+ corner.y)
  }

  /// The event as another window has it.
  func moved(to other: Window) -> Event {
    guard other !== window, let place = desktopLocation else { return self }
    let corner = other.knownFrame.origin
    return Event(
      kind.moved(to: Point(x: place.x &- corner.x, y: place.y &- corner.y)), window: other, timestamp: timestamp)
  }
}

extension Event.Kind {
  fileprivate func moved(to location: Point) -> Self {
    switch self {
    case .button(var button):
      button.location = location
      return .button(button)
    case .motion(var motion):
      motion.location = location
      return .motion(motion)
    case .scroll(var scroll):
      scroll.location = location
      return .scroll(scroll)
    case .touch(var touch):
      touch.location = location
      return .touch(touch)
    case .key, .remoteControl, .deviceMotion, .exposed, .resized: return self
    }
  }
}
