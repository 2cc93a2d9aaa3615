import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// Screen lockers that tell nobody but the server: follows who holds the keyboard, and asks what covers the screen.
@MainActor final class Lockers: X11Component {
  /// How many children of the root are asked, the highest first: lockers raise their windows above all.
  private static let mostWindows = 64
  /// How many windows of the client list are looked at.
  private static let mostClients: UInt32 = 512

  private(set) var tracker = LockerTracker()
  private var question = SingleQuestion()
  private var followed: Set<UInt32> = []
  /// The window whose events have shown last that another client holds the keyboard.
  private var grabbedWindow: UInt32?
  /// What the locker calls itself.
  private var name: String?

  // MARK: Signals

  /// Begins to follow xscreensaver's property.
  func begin() {
    guard !server.isLost, !server.hasAsked(for: .screenSaverStatus) else { return }
    server.intern(AtomName.forLockers)
    server.load(ExtensionName.forLockers) { [weak self] in self?.readStatus() }
  }

  /// The property has changed, or may have.
  func readStatus() {
    server.read(server.root, server.atoms[.screenSaverStatus], limit: 1) { [weak self] value in
      guard let self else { return }
      // Its type is INTEGER, and its first unit an atom, or 0 (xscreensaver.c, `store_saver_status`).
      let atom = value?.first(ofType: PredefinedAtom.integer) ?? 0
      apply(.status(atom == 0 ? .none : atom == server.atoms[.screenLocked] ? .locked : .blanked))
    }
  }

  /// A focus event of a window has been applied to it.
  ///
  /// The server sends events of the mode Normal only while nobody holds the keyboard (X protocol, FocusIn).
  func focusChanged(_ window: TopLevel, _ mode: WindowSignal.Mode) {
    if mode == .normal {
      guard tracker.isGrabbed else { return }
      apply(.rootGrabbed(false))
      apply(.windowGrabbed(false))
    } else {
      let isGrabbed = window.model.focus.hasFocus && window.model.focus.isGrabbed
      if isGrabbed { grabbedWindow = window.id }
      apply(isGrabbed && mode == .whileGrabbed ? .focusedWhileGrabbed : .windowGrabbed(isGrabbed))
    }
  }

  /// A window is about to be destroyed, or followed no more: its events would not show that the keyboard is free again.
  func windowRemoved(_ window: TopLevel) {
    guard grabbedWindow == window.id else { return }
    grabbedWindow = nil
    apply(.windowGrabbed(false))
  }

  /// A focus event of the root: who holds the keyboard for the root takes it from windows below.
  func rootFocusChanged(isIn: Bool, _ mode: WindowSignal.Mode) {
    switch mode {
    case .grab: apply(.rootGrabbed(isIn))
    case .ungrab, .normal: apply(.rootGrabbed(false))
    case .whileGrabbed: break
    }
  }

  /// The root's events come again: who held the keyboard for it may have let go meanwhile.
  ///
  /// A lock that goes on is one by its windows.
  func rootWasNotFollowed() { apply(.rootGrabbed(false)) }

  /// A window that is none of ours is not shown any more.
  func windowGone(_ id: UInt32) { if followed.contains(id) { apply(.gone(id)) } }

  /// A key or a button has reached one of our windows.
  func inputArrived(_ event: XInput, isDown: Bool) {
    if isDown, !event.isSynthetic, tracker.state != .none || tracker.isGrabbed { apply(.input) }
  }

  func deadlinePassed() { apply(.due) }

  private func apply(_ signal: LockerTracker.Signal) {
    guard !server.isLost else { return }
    for effect in tracker.apply(signal) {
      switch effect {
      case .ask: ask()
      case .follow(let windows): follow(windows)
      case .wait(let milliseconds): loop.set(.locker, after: .milliseconds(milliseconds))
      case .cancelWait: loop.cancel(.locker)
      case .report(let state): batch.append(.locker(state, name: name))
      }
    }
  }

  /// Whether the end of a window is needed, which a locker has covered the screen with.
  func follows(_ window: UInt32) -> Bool { followed.contains(window) }

  private func follow(_ windows: Set<UInt32>) {
    let changed = followed.symmetricDifference(windows)
    followed = windows
    for id in changed { parts.dragAndDrop.selectEvents(of: id) }
    // The windows are asked about once more before they are believed: the name is known by then.
    if let first = windows.min() { readName(of: first) }
  }

  /// All but slock have a class, whose second part names the program; xsecurelock's first one names the window.
  private func readName(of window: UInt32) {
    name = nil
    for property in [PredefinedAtom.wmName, PredefinedAtom.wmClass] {
      connection.property(window, property, limit: UInt32(LockerName.longest / 4)) { [weak self] value in
        let text = value?.bytes.split(separator: 0).last.map { String(decoding: $0, as: UTF8.self) }
        if let name = text.flatMap(LockerName.init) { self?.name = name.text }
      }
    }
  }

  // MARK: The question

  private func ask() {
    guard question.begin() else { return }
    var others = [server.leader]
    connection.property(server.root, server.atoms[.netSupportingWMCheck], limit: 1) { value in
      others += value?.words(ofType: PredefinedAtom.window) ?? []
    }
    // Without it, as where no window manager keeps it, no client is known to have managed windows.
    if server.atoms[.netClientList] != 0 {
      connection.property(server.root, server.atoms[.netClientList], limit: Self.mostClients) { value in
        others += value?.words(ofType: PredefinedAtom.window) ?? []
      }
    }
    connection.children(of: server.root) { [weak self] children in
      self?.describe(children.suffix(Self.mostWindows).reversed()) { [weak self] in self?.decide($0, others: others) }
    }
  }

  private func decide(_ stack: [StackedWindow], others: [UInt32]) {
    guard !question.end() else { return ask() }
    let rule = LockerStack(monitors: root.monitors, resourceMask: connection.screen.resourceMask, others: others)
    apply(.covers(rule.covering(stack)))
  }

  private func describe(_ windows: [UInt32], _ handler: @escaping @MainActor ([StackedWindow]) -> Void) {
    var stack: [StackedWindow] = []
    for id in windows {
      var found: xcb_get_window_attributes_reply_t?
      connection.windowAttributes(id) { found = $0 }
      connection.form(of: id) { [weak self] form in
        guard let self, let form, let found else { return }
        stack.append(
          StackedWindow(
            id: id, frame: form.frame,
            isVisible: found.isMapped && UInt32(found._class) == XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue,
            overridesRedirect: found.override_redirect != 0,
            isOpaque: form.depth == connection.screen.rootVisual.depth))
      }
      guard server.extensions.has(.shape) else { continue }
      connection.whenReplied(server.extensions.send(.shapeQueryExtents(window: id))) { reply in
        guard stack.last?.id == id, let shape = reply?.read(shape_extents_reply.self) else { return }
        if shape.is_bounding_shaped != 0 { stack[stack.count - 1].isOpaque = false }
      }
    }
    connection.whenDone { handler(stack) }
  }
}
