import ProsceniumLoop
import ProsceniumPlatform

/// Requests that a window manager may grant, refuse or ignore.
extension X11Platform {
  /// From this level on a window stays above others: UIKit's alert level is 2000, its normal one 0.
  static let aboveLevel = 1000
  /// How long a window manager has got to do what it was asked for.
  private static let patience = 500

  func ask(_ request: RequestID, _ id: WindowID, _ what: WindowRequest) {
    guard !isLost else { return }
    guard let window = windows[id.rawValue] else {
      return batch.append(.outcome(request, .refused("there is no window \(id)")))
    }
    if let reason = refusal(of: what, window) { return batch.append(.outcome(request, .refused(reason))) }
    requests[request] = PendingRequest(window: window.id, what: what)
    if window.isShowRequested || what == .activate || isGeometry(what) {
      setTimer(.outcome(request), Self.patience)
    }
    markChanged(window.id)
    send(what, window)
  }

  /// What was asked of a window that was not shown yet is decided from now on.
  func beginOutcomes(of window: TopLevel) {
    for (id, request) in requests where request.window == window.id && !loop.isSet(.outcome(id)) {
      setTimer(.outcome(id), Self.patience)
    }
  }

  /// The requests that the end of a batch shows to be done.
  func settleRequests(_ window: TopLevel, _ levels: WindowLevels, _ geometry: WindowGeometry) {
    guard !requests.isEmpty else { return }
    let done = requests.filter { $0.value.window == window.id && $0.value.isDone(levels, geometry) }
    for id in done.keys.sorted(by: { $0.rawValue < $1.rawValue }) { finish(id, .done) }
  }

  func finish(_ request: RequestID, _ outcome: RequestOutcome) {
    guard requests.removeValue(forKey: request) != nil else { return }
    loop.cancel(.outcome(request))
    batch.append(.outcome(request, outcome))
  }

  /// Nothing has happened within the time.
  ///
  /// The allowed actions are asked only now about a place: right after a change of state they may still be those of
  /// the old one (EWMH, `_NET_WM_ALLOWED_ACTIONS`).
  func giveUp(_ request: RequestID) {
    guard let pending = requests[request] else { return }
    if isGeometry(pending.what), let actions = windows[pending.window]?.allowedActions, !actions.isEmpty,
      !actions.contains(atoms[.netWMActionMove]), !actions.contains(atoms[.netWMActionResize])
    {
      finish(request, .refused("\(managerName) does not let this window be moved or resized"))
    } else {
      finish(request, .ignored)
    }
  }

  func dropRequests(of window: TopLevel) {
    for (id, _) in requests.filter({ $0.value.window == window.id }) {
      finish(id, .refused("the window \(window.windowID) is gone"))
    }
  }

  private func isGeometry(_ what: WindowRequest) -> Bool {
    if case .geometry = what { true } else { false }
  }

  /// Why a request cannot be granted, as far as that is known beforehand.
  private func refusal(of what: WindowRequest, _ window: TopLevel) -> String? {
    let needed: (state: AtomName?, action: AtomName, what: String)
    switch what {
    case .activate, .geometry: return nil
    case .fullScreen: needed = (.netWMStateFullScreen, .netWMActionFullScreen, "made full screen")
    case .minimize: needed = (nil, .netWMActionMinimize, "minimised")
    case .maximize: needed = (.netWMStateMaximizedVertically, .netWMActionMaximizeVertically, "maximised")
    }
    guard desktop.isManaged else {
      if case .fullScreen = what { return nil }
      return "no window manager is running, so that windows cannot be \(needed.what)"
    }
    if let state = needed.state, !supports(state) {
      return "\(managerName) does not support windows that are \(needed.what)"
    }
    if let actions = window.allowedActions, !actions.isEmpty, !actions.contains(atoms[needed.action]) {
      return "\(managerName) does not let this window be \(needed.what)"
    }
    return nil
  }

  private var managerName: String { "the window manager" + (desktop.name.map { " \($0)" } ?? "") }

  private func send(_ what: WindowRequest, _ window: TopLevel) {
    guard let connection else { return }
    switch what {
    case .activate: activate(window)
    case .minimize:
      guard window.isShowRequested else { return window.startsMinimized = true }
      // ICCCM 4.1.4: IconicState.
      connection.sendMessage(
        atoms[.wmChangeState], about: window.id, .words([3]), to: connection.screen.root,
        mask: Connection.managerMask)
    case .maximize(let on):
      guard window.isShowRequested else { return window.startsMaximized = on }
      sendState(
        window, on, atoms[.netWMStateMaximizedVertically], atoms[.netWMStateMaximizedHorizontally])
    case .fullScreen(let on):
      guard window.isShowRequested else { return window.startsFullScreen = on }
      if desktop.isManaged {
        sendState(window, on, atoms[.netWMStateFullScreen])
      } else {
        setFullScreenAlone(window, on)
      }
    case .geometry(let rect):
      window.description.position = rect.origin
      window.description.size = rect.size
      // The hints say that the position is that of the window, not of its frame.
      if window.isDescribedToManager { writeNormalHints(window) }
      configure(window, rect)
    }
  }

  func setLevel(_ window: TopLevel, _ level: Int) {
    let (before, after) = (window.level >= Self.aboveLevel, level >= Self.aboveLevel)
    window.level = level
    guard before != after, window.isShowRequested, desktop.isManaged else { return }
    sendState(window, after, atoms[.netWMStateAbove])
  }

  /// `_NET_WM_STATE` (EWMH, "Application Window Properties"): remove 0, add 1; source indication 1.
  private func sendState(_ window: TopLevel, _ on: Bool, _ first: UInt32, _ second: UInt32 = 0) {
    guard let connection else { return }
    connection.sendMessage(
      atoms[.netWMState], about: window.id, .words([on ? 1 : 0, first, second, 1]), to: connection.screen.root,
      mask: Connection.managerMask)
  }

  /// Full screen without a window manager: as large as the screen that holds most of the window.
  func setFullScreenAlone(_ window: TopLevel, _ on: Bool) {
    let frame = window.model.geometry(desktop: desktop).frame
    if on {
      let screen = screens.current.first { $0.frame.intersects(frame) } ?? screens.current.first
      guard let screen, window.frameBeforeFullScreen == nil else { return }
      window.frameBeforeFullScreen = frame
      // The rectangle of a full screen is not where the window goes back to.
      signal(window, .netState(.fullScreen))
      configure(window, screen.frame)
    } else if let before = window.frameBeforeFullScreen {
      window.frameBeforeFullScreen = nil
      signal(window, .netState([]))
      configure(window, before)
    }
    markChanged(window.id)
  }

  func configure(_ window: TopLevel, _ rect: Rect) {
    connection?.configure(
      window.id, x: Hints.position(rect.origin.x), y: Hints.position(rect.origin.y),
      width: UInt16(Hints.bounded(rect.size.width)), height: UInt16(Hints.bounded(rect.size.height)))
  }
}
