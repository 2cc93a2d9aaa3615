/// The menus and tooltips that are presented: which of them gets an event, and what dismisses them.
final class PopUps: FeatureBase, Feature, WindowEventHandler, EventInterceptor {
  enum Message: Equatable {
    /// A window has been dismissed: it is notified.
    case dismissed(PopUpWindow)
  }

  /// In the order in which they were presented; held here.
  private(set) var presented: [PopUpWindow] = []
  /// The button that went down outside of the menus: its release is no window's either.
  private var buttonOutside: Int?

  private var menus: [PopUpWindow] { presented.filter { $0.kind.isMenu } }

  /// Whether keys are a menu's.
  var hasMenu: Bool { presented.contains { $0.kind.isMenu } }

  override func join(_ lists: inout FeatureLists) {
    lists.handle(.window, .screenSaver, by: self)
    lists.interceptors.append(self)
    lists.observe(before: [.sceneWillResignActive, .sceneDidEnterBackground], by: self)
  }

  // MARK: Presenting

  func present(_ window: PopUpWindow, above owner: Window, at frame: Rect) -> Bool {
    guard let id = owner.id, let record = owner.record, record.ending == nil, record.isInteractive,
      record.activation >= .foregroundInactive, owner is PopUpWindow || record.windows[id]?.isShown == true
    else { return false }
    // One chain of menus at a time, and one tooltip.
    for other in presented where other !== owner && !belongs(owner, to: other) { dismiss(other) }
    guard owner.id == id else { return false }
    let isFirst = menus.isEmpty && window.kind.isMenu
    presented.append(window)
    window.begin(at: frame.asWindow, above: id, in: record)
    guard isFirst else { return true }
    // Presses that are under way end here: their releases are the menu's.
    conductor.post(Input.self, .withhold(record))
    record.perform(.holdPointer(id))
    return true
  }

  private func belongs(_ window: Window, to other: PopUpWindow) -> Bool {
    var window: Window? = window
    while let popUp = window as? PopUpWindow {
      if popUp === other { return true }
      window = popUp.owner
    }
    return false
  }

  /// Dismisses a window and those above it, at once; it is notified later.
  func dismiss(_ window: PopUpWindow) {
    guard presented.contains(where: { $0 === window }) else { return }
    let gone = presented.filter { belongs($0, to: window) }
    presented.removeAll { one in gone.contains { $0 === one } }
    for one in gone.reversed() {
      one.end()
      conductor.post(PopUps.self, .dismissed(one))
    }
    if window.kind.isMenu, menus.isEmpty { conductor.platform.perform(.releasePointer) }
  }

  private func dismiss(where isOver: (PopUpWindow) -> Bool) {
    for window in presented where isOver(window) { dismiss(window) }
  }

  /// A window is about to leave its scene.
  func dismiss(above owner: Window) { dismiss { $0.owner === owner } }

  /// The scene's modal windows have changed: menus of the windows beneath the topmost one go.
  func modalWindowsChanged(in scene: WindowScene) {
    guard let modal = scene.modalWindows.last else { return }
    dismiss { $0.windowScene === scene && !($0.owner is PopUpWindow) && $0.owner !== modal }
  }

  // MARK: Input

  /// Gives input to the menus while there are any.
  /// - Returns: Whether it was theirs.
  func take(_ event: Event) -> Bool {
    guard !presented.isEmpty || buttonOutside != nil, event.isInput else { return false }
    let menus = menus
    if case .button(let button) = event.kind, button.number == buttonOutside, menus.isEmpty {
      buttonOutside = nil
      // A press: the release has been another program's, and the next one is the window's.
      return !button.isDown
    }
    guard let first = menus.first, let last = menus.last else { return false }
    if case .key(let key) = event.kind {
      // Another scene has the focus by now.
      guard event.window?.windowScene === first.windowScene else { return false }
      if !last.deliver(event), key.isDown, key.symbol == KeySymbol.escape { dismiss(last) }
      return true
    }
    guard let place = event.desktopLocation else { return false }
    if case .motion(let motion) = event.kind, motion.phase == .exited, let window = event.window as? PopUpWindow {
      _ = window.deliver(event)
    } else if let menu = menus.last(where: { $0.knownFrame.contains(place) }) {
      _ = menu.deliver(event.moved(to: menu))
    } else {
      if case .button(let button) = event.kind { buttonOutside = button.isDown ? button.number : nil }
      first.eventOutside(event)
    }
    return true
  }

  // MARK: What dismisses

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    if presented.isEmpty { return [] }
    switch event {
    case .pointerLost: dismiss { $0.kind.isMenu }
    case .screenSaver(isOn: true), .locker: dismiss { _ in true }
    case .levels(let id, let levels):
      // That the focus has gone elsewhere is told by the scene's resigning: it may be back in a moment.
      dismiss { $0.presentation.map { $0.owner == id ? !levels.visible : $0.hadFocus && levels.focused } ?? false }
    // Its states, and the frame that it goes back to, may change while it stays where it is.
    case .geometry(let id, let geometry):
      dismiss { $0.presentation.map { $0.owner == id && $0.frame != geometry.frame } ?? false }
    case .scale(let id, _, _), .destroyed(let id):
      dismiss { $0.presentation?.owner == id || $0.id == nil }
    default: break
    }
    return []
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .before(.sceneWillResignActive, let record), .before(.sceneDidEnterBackground, let record):
      dismiss { $0.record === record }
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .dismissed(let window): [.callAfterSettling(DismissedCall(window: window))]
    }
  }
}

/// `didDismiss()`.
private struct DismissedCall: Notice {
  var window: PopUpWindow
  var call: CallDescription { CallDescription("PopUpWindow.didDismiss()", phase: .event) }

  func send(to application: Application) { window.didDismiss() }
}

extension Rect {
  /// The rectangle with a size that a window can have.
  fileprivate var asWindow: Rect {
    Rect(
      x: origin.x, y: origin.y, width: min(max(size.width, 1), 32767), height: min(max(size.height, 1), 32767))
  }
}

extension SceneRecord {
  /// Makes the platform's window of a pop-up.
  func addPopUp(_ window: PopUpWindow, above owner: WindowID) -> WindowID? {
    guard let conductor else { return nil }
    let id = conductor.platform.makeWindowID()
    var description = WindowDescription()
    description.title = window.title ?? ""
    description.position = window.knownFrame.origin
    description.size = window.knownFrame.size
    description.background = window.backgroundColor
    description.transientFor = owner
    description.isTransparent = !window.isOpaque
    description.popUp = window.kind
    windows.add(popUp: SceneWindows.State(id, window: window))
    conductor.roster[id] = self
    perform(.create(id, description))
    return id
  }

  /// Destroys the platform's window of a pop-up, unless another client has.
  func removePopUp(_ window: PopUpWindow) {
    guard let conductor, let id = window.id else { return }
    conductor.connector.remove(id, of: self)
    perform(.destroy(id))
  }
}
