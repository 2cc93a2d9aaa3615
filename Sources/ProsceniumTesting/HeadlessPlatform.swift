package import ProsceniumCore

/// A window manager in memory: windows appear, hide, gain and lose the focus when a test says so.
///
/// There is no display, no thread and no time but the one that the test advances. Windows are shown as soon as they
/// are asked for, and those that ask for the focus get it, unless ``obeysActivation`` is false.
@MainActor package final class HeadlessPlatform: Platform {
  package struct HeadlessWindow {
    package var description: WindowDescription
    package var levels = WindowLevels()
    package var isMapped = false
    package var isMinimized = false
    package var isBare = false
    package var frame: Rect
    /// How often the window has been mapped by the program.
    package var mapCount = 0
  }

  package weak var client: (any PlatformClient)?
  package private(set) var now = 0.0
  package private(set) var windows: [WindowID: HeadlessWindow] = [:]
  package private(set) var commands: [PlatformCommand] = []
  package private(set) var quitStatus: Int32?
  /// Whether a window that asks for the focus gets it.
  package var obeysActivation = true
  /// Whether a window is visible as soon as it is asked for; if not, the test says so by itself.
  package var showsAtOnce = true
  /// Why the platform does not start, for tests of that.
  package var startError: PlatformError?
  package var screens = [
    ScreenDescription(name: "headless", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
  ]
  private var pending: [PlatformEvent] = []
  private var deadlines: [DeadlineID: Double] = [:]
  private var nextID: UInt32 = 0x20_0000
  private var focused: WindowID?
  /// Windows that had the focus, the most recent last.
  private var focusOrder: [WindowID] = []

  package init() {}

  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    if let startError { throw startError }
    return screens
  }

  package func makeWindowID() -> WindowID {
    nextID += 1
    return WindowID(rawValue: nextID)
  }

  package func flush() {}

  /// Returns at once: a test hands out batches by itself, with ``deliver()`` and ``advance(by:)``.
  package func run() -> Int32 { quitStatus ?? 0 }

  package func perform(_ command: PlatformCommand) {
    commands.append(command)
    switch command {
    case .create(let id, let description):
      windows[id] = HeadlessWindow(
        description: description,
        frame: Rect(
          x: description.position?.x ?? 0, y: description.position?.y ?? 0, width: description.size.width,
          height: description.size.height))
    case .adopt(let id, let description):
      windows[id]?.description = description
      windows[id]?.isBare = false
    case .show(let id, let appearance): show(id, appearance)
    case .withdraw(let id): hide(id, cause: "withdrawn", withdrawn: true)
    case .destroy(let id): remove(id)
    case .bare(let id): windows[id]?.isBare = true
    case .place(let id, let frame): windows[id]?.frame = frame
    case .setTitle(let id, let title): windows[id]?.description.title = title
    case .setBackground(let id, let color): windows[id]?.description.background = color
    case .setIcon, .setSizeLimits, .setLevel: break
    case .request(let request, let id, let what): answer(request, id, what)
    case .setDeadline(let id, let milliseconds): deadlines[id] = now + Double(milliseconds) / 1000
    case .cancelDeadline(let id): deadlines[id] = nil
    case .quit(let status): quitStatus = quitStatus ?? status
    }
  }

  // MARK: What a person or the window system does

  /// Hands out what has happened as one batch, and again until nothing more happens.
  package func deliver() {
    while quitStatus == nil {
      client?.turn()
      guard !pending.isEmpty else { return }
      let batch = pending
      pending = []
      client?.handle(batch)
    }
  }

  /// Lets time pass; deadlines fire in order, each as a batch of its own.
  package func advance(by milliseconds: Int) {
    deliver()
    let end = now + Double(milliseconds) / 1000
    while quitStatus == nil,
      let next = deadlines.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }),
      next.value <= end + 1e-9
    {
      now = max(now, next.value)
      deadlines[next.key] = nil
      pending.append(.deadline(next.key))
      deliver()
    }
    now = end
  }

  /// Any events at all, as one batch.
  package func send(_ events: PlatformEvent...) {
    pending += events
    deliver()
  }

  /// Moves the focus to a window, or to another program.
  package func focus(_ id: WindowID?) {
    setFocus(id)
    deliver()
  }

  package func minimize(_ id: WindowID) {
    windows[id]?.isMinimized = true
    hide(id, cause: "wm-state", withdrawn: false)
    deliver()
  }

  /// Shows a minimised window again and gives it the focus.
  package func restore(_ id: WindowID) {
    windows[id]?.isMinimized = false
    setLevels(id) { $0 = WindowLevels(visible: true, visibleCause: "viewable") }
    setFocus(id)
    deliver()
  }

  package func requestClose(_ id: WindowID) { send(.closeRequested(id)) }

  /// Another client destroys the window.
  package func destroyForeign(_ id: WindowID) {
    remove(id)
    send(.destroyed(id))
  }

  package func grabKeyboard(_ grabbed: Bool) {
    if let focused {
      setLevels(focused) {
        $0.grabbed = grabbed
        $0.grabbedCause = grabbed ? "grab" : "ungrab"
      }
    }
    deliver()
  }

  private func show(_ id: WindowID, _ appearance: Appearance) {
    guard let window = windows[id] else { return }
    if !window.isMapped {
      windows[id]?.isMapped = true
      windows[id]?.mapCount += 1
    }
    if showsAtOnce, !window.levels.visible, !window.isMinimized || appearance == .activated {
      windows[id]?.isMinimized = false
      setLevels(id) {
        $0.visible = true
        $0.visibleCause = "viewable"
        $0.isWithdrawn = false
      }
    }
    if appearance == .activated && obeysActivation { setFocus(id) }
  }

  private func hide(_ id: WindowID, cause: String, withdrawn: Bool) {
    if withdrawn { windows[id]?.isMapped = false }
    setLevels(id) {
      $0.visible = false
      $0.visibleCause = cause
      $0.isWithdrawn = withdrawn
    }
    if focused == id { passFocusOn() }
  }

  private func remove(_ id: WindowID) {
    let hadFocus = focused == id
    windows[id] = nil
    focusOrder.removeAll { $0 == id }
    if hadFocus {
      focused = nil
      passFocusOn()
    }
  }

  /// As window managers do: the most recently focused window that can still be seen.
  private func passFocusOn() {
    setFocus(focusOrder.last { $0 != focused && windows[$0]?.levels.visible == true })
  }

  private func setFocus(_ id: WindowID?) {
    guard focused != id else { return }
    if let focused {
      setLevels(focused) {
        $0.focused = false
        $0.focusedCause = "focus-out"
        $0.grabbed = false
      }
    }
    focused = id
    if let id {
      focusOrder.removeAll { $0 == id }
      focusOrder.append(id)
      setLevels(id) {
        $0.focused = true
        $0.focusedCause = "focus-in"
      }
    }
  }

  private func setLevels(_ id: WindowID, _ change: (inout WindowLevels) -> Void) {
    guard var levels = windows[id]?.levels else { return }
    change(&levels)
    guard levels != windows[id]?.levels else { return }
    windows[id]?.levels = levels
    pending.append(.levels(id, levels))
  }

  private func answer(_ request: RequestID, _ id: WindowID, _ what: WindowRequest) {
    guard let window = windows[id] else {
      pending.append(.outcome(request, .refused("There is no such window.")))
      return
    }
    var geometry = WindowGeometry(frame: window.frame)
    switch what {
    case .activate: show(id, .activated)
    case .minimize:
      windows[id]?.isMinimized = true
      geometry.isMinimized = true
      hide(id, cause: "wm-state", withdrawn: false)
    case .maximize(let on): geometry.isMaximized = on
    case .fullScreen(let on): geometry.isFullScreen = on
    case .geometry(let frame): geometry.frame = frame
    }
    windows[id]?.frame = geometry.frame
    pending.append(.geometry(id, geometry))
    pending.append(.outcome(request, .done))
  }
}
