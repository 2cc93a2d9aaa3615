import ProsceniumLoop
import ProsceniumPlatform

/// Requests that a window manager may grant, refuse or ignore, and their outcomes.
@MainActor final class WindowRequests: X11Component {
  /// How long a window manager has at least to perform a request that it has read.
  private static let timeout = Duration.milliseconds(500)

  /// The requests whose outcome is not known yet.
  private var pending: [RequestID: PendingRequest] = [:]

  /// Sends a request, unless it is known beforehand that it cannot be granted.
  func perform(_ id: RequestID, _ windowID: WindowID, _ what: WindowRequest) {
    guard let window = windows[windowID.rawValue] else {
      return batch.append(.outcome(id, .refused("there is no window \(windowID)")))
    }
    if let reason = refusal(of: what, window) { return batch.append(.outcome(id, .refused(reason))) }
    pending[id] = PendingRequest(window: window.id, what: what)
    windows.markChanged(window)
    send(what, window)
    switch what {
    case .activate, .geometry: beginTimeout(id)
    case .minimize, .maximize, .fullScreen: if window.showing.isRequested { beginTimeout(id) }
    }
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
    guard root.isManaged else {
      if case .fullScreen = what { return nil }
      return "no window manager is running, so that windows cannot be \(needed.what)"
    }
    if let state = needed.state, !parts.support.allows(state) {
      return "\(root.managerName) does not support windows that are \(needed.what)"
    }
    if let actions = window.properties.allowedActions, !actions.isEmpty, !actions.contains(server.atoms[needed.action])
    {
      return "\(root.managerName) does not let this window be \(needed.what)"
    }
    return nil
  }

  private func send(_ what: WindowRequest, _ window: TopLevel) {
    let mapper = parts.windows.mapper
    switch what {
    case .activate: mapper.activate(window)
    case .minimize:
      guard window.showing.isRequested else { return window.showing.startsMinimized = true }
      mapper.sendIconic(window)
    case .maximize(let isOn): mapper.setMaximized(window, isOn)
    case .fullScreen(let isOn): mapper.setFullScreen(window, isOn)
    case .geometry(let frame): parts.windows.move(window, to: frame)
    }
  }

  // MARK: Outcomes

  /// Finishes the requests that the end of a batch shows to be done.
  func settle(_ window: TopLevel, _ levels: WindowLevels, _ geometry: WindowGeometry) {
    if pending.isEmpty { return }
    let own = pending.filter { $0.value.window == window.id }
    for (id, request) in own.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      if request.isDone(levels, geometry) {
        finish(id, .done)
      } else if window.showing.isRequested {
        beginTimeout(id)
      }
    }
  }

  /// Begins the timeout of a request, once: its time is that of the window manager, and not the way there and back, nor
  /// what a busy one takes to come to it.
  private func beginTimeout(_ id: RequestID) {
    guard pending[id]?.isTimed == false else { return }
    pending[id]?.isTimed = true
    // What is asked for with the server's time goes out with the answer to the first of these.
    connection.whenDone { [weak self] in
      self?.parts.windows.managerQuestion.giveTime(Self.timeout) { [weak self] time in
        guard let self, pending[id] != nil else { return }
        loop.set(.outcome(id), after: time)
      }
    }
  }

  /// The time is over: what the window manager has done by then may still be on its way.
  func timeOut(_ id: RequestID) {
    parts.windows.managerQuestion.whenReadAndHeard { [weak self] in self?.decide(id) }
  }

  /// Finishes a request whose time is over.
  ///
  /// The allowed actions are checked only now for a place: right after a change of state they may still be those of
  /// the old one (EWMH, `_NET_WM_ALLOWED_ACTIONS`).
  private func decide(_ id: RequestID) {
    guard let request = pending[id], let window = windows[request.window] else { return }
    let atoms = server.atoms
    if request.isDone(window.levels(root), window.geometry(root)) {
      finish(id, .done)
    } else if case .geometry = request.what, let actions = window.properties.allowedActions,
      !actions.isEmpty, !actions.contains(atoms[.netWMActionMove]), !actions.contains(atoms[.netWMActionResize])
    {
      finish(id, .refused("\(root.managerName) does not let this window be moved or resized"))
    } else {
      finish(id, .ignored)
    }
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    for (id, _) in pending.filter({ $0.value.window == window.id }) {
      finish(id, .refused("the window \(window.windowID) is gone"))
    }
  }

  /// The connection is lost: no outcome comes any more.
  func abandon() { pending = [:] }

  private func finish(_ id: RequestID, _ outcome: RequestOutcome) {
    guard pending.removeValue(forKey: id) != nil else { return }
    loop.cancel(.outcome(id))
    batch.append(.outcome(id, outcome))
  }
}

extension RootModel {
  /// The window manager in messages.
  var managerName: String { "the window manager" + (name.map { " \($0)" } ?? "") }
}

/// A request about a window whose outcome is not known yet.
struct PendingRequest: Hashable {
  var window: UInt32
  var what: WindowRequest
  /// Whether its time has begun.
  var isTimed = false

  /// Whether the window is now as the request wants it.
  func isDone(_ levels: WindowLevels, _ geometry: WindowGeometry) -> Bool {
    switch what {
    case .activate: levels.focused && levels.visible
    case .minimize: geometry.isMinimized
    case .maximize(let isOn): geometry.isMaximized == isOn
    case .fullScreen(let isOn): geometry.isFullScreen == isOn
    case .geometry(let rect): geometry.frame == rect
    }
  }
}
