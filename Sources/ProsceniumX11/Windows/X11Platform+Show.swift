import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// Showing, activating and withdrawing windows.
extension X11Platform {
  func show(_ window: TopLevel, _ appearance: Appearance) {
    guard let connection else { return }
    guard !window.isLeaving else {
      window.showNext = appearance
      return
    }
    guard !window.isShowRequested else {
      if appearance == .activated { activate(window) }
      return
    }
    window.isShowRequested = true
    window.wantsFocus = appearance == .activated && !desktop.isManaged
    describe(window)
    if desktop.isManaged {
      describeToManager(window)
      prepareForManager(window, appearance)
      setTimer(.managerProbe(window.id), 1000)
    } else if window.startsFullScreen {
      setFullScreenAlone(window, true)
    }
    let launch = startup
    startup = nil
    // Not known yet where the first request of another program asks for the window: its user time says the most of it.
    if let launch, atoms[.netStartupID] != 0 {
      connection.changeProperty(
        window.id, atoms[.netStartupID], type: atoms[.utf8String], bytes: Array(launch.id.utf8))
    }
    signal(window, .showRequested)
    mapFirst(window)
    window.wasShown = true
    if let launch { announce(launch) }
    beginOutcomes(of: window)
  }

  /// A MapWindow that a window manager intercepted is gone with it (X protocol, MapRequest), and the next one looks
  /// after mapped windows only: nobody but us can ask again.
  func mapAgain(_ window: TopLevel) {
    guard window.isShowRequested, !window.isHeldBack, window.model.isUnanswered else { return }
    connection?.mapWindow(window.id)
  }

  /// What a window manager reads when it maps a window.
  func prepareForManager(_ window: TopLevel, _ appearance: Appearance) {
    guard let connection else { return }
    // Zero: "do not focus when mapped" (EWMH, `_NET_WM_USER_TIME`).
    switch appearance {
    case .quiet: writeUserTime(window, 0)
    case .activated where userTime != 0: writeUserTime(window, userTime)
    case .activated where window.hasUserTime: connection.deleteProperty(window.id, atoms[.netWMUserTime])
    case .activated: break
    }
    // The initial state is obeyed at every map: it has to be written each time it differs (ICCCM 4.1.2.4).
    writeGeneralHints(window, isIconic: window.startsMinimized)
    writeDesktop(window)
    var states: [UInt32] = []
    if window.startsMaximized {
      states += [atoms[.netWMStateMaximizedHorizontally], atoms[.netWMStateMaximizedVertically]]
    }
    if window.startsFullScreen { states.append(atoms[.netWMStateFullScreen]) }
    // Some window managers know all desktops by this name only.
    if window.startsOnDesktop == .max { states.append(atoms[.netWMStateSticky]) }
    if window.level >= Self.aboveLevel { states.append(atoms[.netWMStateAbove]) }
    states.removeAll { $0 == 0 }
    if !states.isEmpty {
      connection.changeProperty(window.id, atoms[.netWMState], type: PredefinedAtom.atom, states)
    }
  }

  private func writeUserTime(_ window: TopLevel, _ time: UInt32) {
    window.hasUserTime = true
    connection?.changeProperty(window.id, atoms[.netWMUserTime], type: PredefinedAtom.cardinal, [time])
  }

  // MARK: Activation

  /// Both are needed: MapWindow alone does not bring back what some window managers hide without unmapping, and
  /// others know nothing of `_NET_ACTIVE_WINDOW`.
  func activate(_ window: TopLevel) {
    guard let connection else { return }
    guard window.isShowRequested else { return show(window, .activated) }
    window.isHeldBack = false
    endIconifying(window)
    guard desktop.isManaged, manager.supported == nil || desktop.supportsActiveWindow else {
      connection.mapWindow(window.id)
      window.wantsFocus = true
      return markChanged(window.id)
    }
    withUserTime { [weak self, weak window] time in
      guard let self, let window, windows[window.id] != nil else { return }
      connection.mapWindow(window.id)
      let active = windows.values.first { $0.levels.focused && $0.id != window.id }?.id ?? 0
      // Source indication 1: a program, not a pager (EWMH, `_NET_ACTIVE_WINDOW`).
      connection.sendMessage(
        atoms[.netActiveWindow], about: window.id, .words([1, time, active]), to: connection.screen.root,
        mask: Connection.managerMask)
    }
  }

  /// The time of the last thing that the user did here, or the server's time where there was none: window managers
  /// refuse 0 (ICCCM 2.1 has the zero-length append).
  private func withUserTime(_ body: @escaping @MainActor (UInt32) -> Void) {
    guard userTime == 0 else { return body(userTime) }
    guard let connection else { return }
    timeWaiters.append(body)
    guard timeWaiters.count == 1 else { return }
    connection.changeProperty(
      leader, atoms[.netWMUserTime], type: PredefinedAtom.cardinal, [], mode: .append)
  }

  /// The focus without a window manager's help: only for a viewable window, else it is a BadMatch.
  func focusDirectly(_ window: TopLevel) {
    window.wantsFocus = false
    connection?.setInputFocus(window.id, time: serverTime)
    connection?.raise(window.id)
  }

  /// Without a window manager nobody else would hand the focus on: to the window of ours that had it last.
  func loseFocus(_ window: TopLevel) {
    guard desktop.isKnownUnmanaged, window.levels.focused, !isLost else { return }
    let next = focusOrder.reversed().lazy.compactMap { self.windows[$0] }
      .first { $0.id != window.id && $0.levels.visible && $0.model.isViewable }
    if let next { focusDirectly(next) }
  }

  // MARK: Withdrawal

  /// ICCCM 4.1.4: unmap, and a synthetic UnmapNotify for a window manager to which the window is unmapped already.
  func withdraw(_ window: TopLevel) {
    window.showNext = nil
    guard window.isShowRequested, let connection else { return }
    window.isShowRequested = false
    stopFrames(window)
    window.wantsFocus = false
    window.startsMinimized = false
    let geometry = geometry(of: window)
    window.startsMaximized = geometry.isMaximized
    window.startsFullScreen = geometry.isFullScreen
    window.isHeldBack = false
    endIconifying(window)
    loop.cancel(.managerProbe(window.id))
    connection.unmapWindow(window.id)
    letGoOfInput(window)
    signal(window, .withdrawn)
    guard desktop.isManaged else { return }
    connection.sendUnmapNotify(window.id)
    // Mapping again before the window manager has let go races with it.
    window.isLeaving = true
    setTimer(.leaving(window.id), 1000)
  }

  /// The window manager has let go of a withdrawn window, or does not do so within the limit.
  func finishLeaving(_ window: TopLevel) {
    guard window.isLeaving else { return }
    window.isLeaving = false
    loop.cancel(.leaving(window.id))
    if let appearance = window.showNext {
      window.showNext = nil
      show(window, appearance)
    }
  }
}
