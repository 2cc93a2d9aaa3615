import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// Maps, activates and unmaps windows, and asks for their states.
@MainActor final class WindowMapper: X11Component {
  /// How long a window manager has, once it has read that, to map a window that is to be iconic and that it manages,
  /// and to make it so when asked: later it is the user who wants it otherwise.
  private static let iconTimeout = (map: Duration.seconds(5), request: Duration.milliseconds(500))
  /// How long a window manager has to give a sign of itself, and to end the management of a withdrawn window.
  private static let managerTimeout = Duration.seconds(1)
  /// From this level on a window stays above others: UIKit's alert level is 2000, its normal one 0.
  private static let aboveLevel = 1000

  // MARK: Showing

  func show(_ window: TopLevel, _ appearance: Appearance) {
    if window.isPopUp { return parts.windows.popUps.show(window) }
    guard !window.showing.isLeaving else { return window.showing.next = appearance }
    guard !window.showing.isRequested else {
      if appearance == .activated { activate(window) }
      return
    }
    window.showing.isRequested = true
    window.showing.wantsFocus = appearance == .activated && !root.isManaged
    if !window.properties.areWritten { parts.drawing.updateBackground(window) }
    parts.windows.writer.write(window)
    window.showing.awaitsManager = !root.isManaged
    if root.isManaged {
      parts.windows.writer.writeForManager(window)
      prepare(window, appearance)
      loop.set(.managerProbe(window.id), after: Self.managerTimeout)
    } else {
      // A window manager that comes reads them of the windows that it finds.
      writeWorkspace(window)
      writeStates(window)
      if window.showing.startsFullScreen { setFullScreenUnmanaged(window, true) }
    }
    // The start is for the window that the user is to see in front.
    let launch = appearance == .activated ? parts.startup.claim(for: window) : nil
    windows.apply(.showRequested, to: window)
    map(window)
    window.showing.wasShown = true
    if let launch { parts.startup.announce(launch) }
  }

  /// Writes the properties that a window manager reads when it maps a window.
  private func prepare(_ window: TopLevel, _ appearance: Appearance) {
    parts.focus.writeUserTime(appearance, to: window)
    // The initial state is obeyed at every map: it has to be written each time it differs (ICCCM 4.1.2.4).
    parts.windows.writer.writeGeneralHints(window, isIconic: window.showing.startsMinimized)
    writeWorkspace(window)
    writeStates(window)
  }

  /// Maps a window, unless it is to be iconic and no window manager would keep it so (ICCCM 4.1.4).
  private func map(_ window: TopLevel) {
    guard root.isManaged || !window.showing.startsMinimized else { return window.showing.isHeldBack = true }
    window.showing.isHeldBack = false
    if window.showing.startsMinimized { window.showing.icon.begin() } else { window.showing.icon.end() }
    if root.isManaged, !window.showing.icon.isWanted { window.showing.firstWorkspace = nil }
    connection.mapWindow(window.id)
  }

  /// A window manager has started, which keeps icons.
  func releaseHeldBack(_ window: TopLevel) {
    guard window.showing.isHeldBack, root.isManaged else { return }
    prepare(window, .quiet)
    map(window)
  }

  /// Maps a window again that was not answered.
  ///
  /// A MapWindow that a window manager intercepted is gone with it (X protocol, MapRequest), and the next one manages
  /// mapped windows only.
  func mapAgain(_ window: TopLevel) {
    guard !window.isGuest, window.showing.isRequested, !window.showing.isHeldBack, window.model.isUnanswered else {
      return
    }
    connection.mapWindow(window.id)
  }

  /// The same while the window manager may be the one that was asked, and only slow: a second request after it has made
  /// an icon of the window would ask for the window itself (ICCCM 4.1.4).
  func mapUnlessIcon(_ window: TopLevel) { if !window.showing.icon.isWanted { mapAgain(window) } }

  /// Asks for an icon once the window manager has answered: not every one obeys the initial state of `WM_HINTS`.
  ///
  /// mutter makes such a window an icon, and brings it back to the current workspace at once, because of the map
  /// request that it has just answered.
  func insistOnIcon(_ window: TopLevel) {
    // What has the focus is wanted otherwise.
    if window.showing.icon.step == .asked, window.levels.focused, window.levels.visible { return endIconifying(window) }
    let model = window.model
    // The name of the message comes with the second answer of the server, which may be far away.
    let canAsk = server.atoms[.wmChangeState] != 0
    let isMapped = model.isMapped || model.wmState == WindowModel.iconicState
    guard window.showing.icon.follow(canAsk: isMapped && canAsk, isUnanswered: model.isUnanswered) else { return }
    guard window.showing.icon.step == .asked else { return giveTime(Self.iconTimeout.map, window) }
    sendIconic(window)
    // Also where the window is said to be there: the newest value of the property may still be on its way.
    if let workspace = window.showing.firstWorkspace { sendWorkspace(window, workspace) }
    giveTime(Self.iconTimeout.request, window)
  }

  /// Gives the window manager its time, which begins when it has read what it was asked: it may be busy, and far away.
  private func giveTime(_ time: Duration, _ window: TopLevel) {
    loop.cancel(.iconic(window.id))
    let wish = window.showing.icon
    parts.windows.managerQuestion.giveTime(time) { [weak self, weak window] time in
      guard let self, let window, windows[window.id] === window, window.showing.icon == wish else { return }
      loop.set(.iconic(window.id), after: time)
    }
  }

  /// The time is over: what the window manager has done by then may still be on its way.
  func iconIsDue(_ window: TopLevel) {
    let wish = window.showing.icon
    parts.windows.managerQuestion.whenReadAndHeard { [weak self, weak window] in
      guard let self, let window, windows[window.id] === window, window.showing.icon == wish else { return }
      endIconifying(window)
    }
  }

  /// The window is iconic by now, or is wanted otherwise.
  func endIconifying(_ window: TopLevel) {
    guard window.showing.icon.isWanted else { return }
    window.showing.icon.end()
    window.showing.firstWorkspace = nil
    loop.cancel(.iconic(window.id))
    windows.markChanged(window)
  }

  // MARK: Activation

  /// Maps a window and asks for the focus.
  ///
  /// Both are needed: MapWindow alone does not bring back a window that some window managers hide without unmapping,
  /// and others do not support `_NET_ACTIVE_WINDOW`.
  func activate(_ window: TopLevel) {
    guard window.showing.isRequested else { return show(window, .activated) }
    // The owner of a new one shows it as it likes.
    guard isShown(window) else { return window.showing.awaitsOwner = window.showing.wasShown }
    window.showing.isHeldBack = false
    endIconifying(window)
    guard root.isManaged, parts.support.atoms == nil || root.supportsActiveWindow else {
      connection.mapWindow(window.id)
      window.showing.wantsFocus = true
      return windows.markChanged(window)
    }
    parts.focus.getUserTime { [weak self, weak window] time in
      // It may be withdrawn by now.
      guard let self, let window, windows[window.id] === window, isShown(window) else { return }
      connection.mapWindow(window.id)
      let active = windows.all.first { $0.levels.focused && $0.id != window.id }?.id ?? 0
      connection.sendToManager(
        server.atoms[.netActiveWindow], about: window.id, [EWMH_SOURCE_APPLICATION.rawValue, time, active])
    }
  }

  /// Whether the program, or the owner of a window that is not ours, has shown it and not withdrawn it since.
  private func isShown(_ window: TopLevel) -> Bool {
    guard window.isGuest else { return window.showing.isRequested }
    return window.model.isMapped || window.model.wmState == WindowModel.iconicState
  }

  // MARK: Withdrawal

  /// Withdraws a window (ICCCM 4.1.4): unmaps it, and sends a synthetic UnmapNotify for a window manager to which it is
  /// unmapped already.
  func withdraw(_ window: TopLevel) {
    window.showing.next = nil
    guard window.showing.isRequested else { return }
    window.showing.isRequested = false
    parts.drawing.frames.stop(window)
    window.showing.wantsFocus = false
    window.showing.startsMinimized = false
    let geometry = window.geometry(root)
    if root.isManaged || !window.showing.awaitsManager { window.showing.startsMaximized = geometry.isMaximized }
    window.showing.startsFullScreen = geometry.isFullScreen
    window.showing.isHeldBack = false
    endIconifying(window)
    loop.cancel(.managerProbe(window.id))
    connection.unmapWindow(window.id)
    parts.input.end(in: window)
    windows.apply(.withdrawn, to: window)
    guard root.isManaged else { return }
    connection.sendUnmapNotify(window.id)
    // Mapping again while the window manager still manages the window races with it.
    window.showing.isLeaving = true
    loop.set(.leaving(window.id), after: Self.managerTimeout)
  }

  /// A window has been mapped: one that is withdrawn does not stay so.
  ///
  /// The server maps what a window manager that dies has not let go (X protocol, ChangeSaveSet), also where the
  /// withdrawal is what it did not handle any more.
  func mapped(_ window: TopLevel) {
    guard !window.isGuest, !window.showing.isRequested else { return }
    connection.unmapWindow(window.id)
  }

  /// The window manager does not manage a withdrawn window any more, or its time is over.
  func finishLeaving(_ window: TopLevel) {
    guard window.showing.isLeaving else { return }
    window.showing.isLeaving = false
    loop.cancel(.leaving(window.id))
    if let appearance = window.showing.next.take() { show(window, appearance) }
  }

  // MARK: The states that a window manager sets when it is asked, and full screen without one

  /// Writes the states that a window is mapped with (EWMH, `_NET_WM_STATE`).
  private func writeStates(_ window: TopLevel) {
    let atoms = server.atoms
    var states: [AtomName] = []
    if window.showing.startsMaximized { states += [.netWMStateMaximizedHorizontally, .netWMStateMaximizedVertically] }
    if window.showing.startsFullScreen { states.append(.netWMStateFullScreen) }
    // Some window managers know all workspaces by this state only.
    if window.showing.firstWorkspace == EWMH_ALL_WORKSPACES.rawValue { states.append(.netWMStateSticky) }
    if isAbove(window) { states.append(.netWMStateAbove) }
    guard !states.isEmpty else {
      // Window managers remove those of a window that is withdrawn.
      if window.showing.wasShown, !root.isManaged { connection.deleteProperty(window.id, atoms[.netWMState]) }
      return
    }
    let known = states.map { atoms[$0] }.filter { $0 != 0 }
    if !known.isEmpty { connection.changeProperty(window.id, atoms[.netWMState], type: PredefinedAtom.atom, known) }
  }

  /// Writes a state of a shown window that the program has changed while no window manager runs, for one that comes.
  ///
  /// Together with those that it has changed before, which may not have been written yet; others in the property are
  /// the user's.
  private func update(_ state: AtomName, of window: TopLevel) {
    guard window.showing.wasShown, !window.isGuest else { return }
    window.showing.changedStates.insert(state)
    let property = server.atoms[.netWMState]
    connection.property(window.id, property, limit: 64) { [weak self, weak window] value in
      // One that may be starting has read it already, and is asked when it has settled.
      guard let self, let window, windows[window.id] === window, root.isKnownUnmanaged, parts.support.atoms != nil
      else { return }
      let changed = window.showing.changedStates
      let atoms = Set(changed.map { self.server.atoms[$0] })
      // HIDDEN is what a window manager that is gone has left.
      let left = self.server.atoms[.netWMStateHidden]
      var states = (value?.words(ofType: PredefinedAtom.atom) ?? []).filter { !atoms.contains($0) && $0 != left }
      for state in [AtomName.netWMStateFullScreen, .netWMStateAbove] where changed.contains(state) {
        let isOn = state == .netWMStateAbove ? isAbove(window) : window.frameBeforeFullScreen != nil
        if isOn { states.append(server.atoms[state]) }
      }
      connection.changeProperty(window.id, property, type: PredefinedAtom.atom, states)
    }
  }

  /// Writes the workspace that a window is mapped on.
  private func writeWorkspace(_ window: TopLevel) {
    guard let workspace = window.showing.firstWorkspace else { return }
    connection.changeProperty(window.id, server.atoms[.netWMDesktop], type: PredefinedAtom.cardinal, [workspace])
  }

  func setLevel(_ window: TopLevel, _ level: Int) {
    let wasAbove = isAbove(window)
    window.properties.level = level
    guard isAbove(window) != wasAbove else { return }
    guard root.isManaged else { return update(.netWMStateAbove, of: window) }
    if window.showing.isRequested { send(window, !wasAbove, .netWMStateAbove) }
  }

  private func isAbove(_ window: TopLevel) -> Bool { window.properties.level >= Self.aboveLevel }

  /// Asks for a window to be iconic (ICCCM 4.1.4).
  func sendIconic(_ window: TopLevel) {
    connection.sendToManager(server.atoms[.wmChangeState], about: window.id, [ICCCM_ICONIC_STATE.rawValue])
  }

  /// Asks for a window to be on a workspace (EWMH, `_NET_WM_DESKTOP`).
  func sendWorkspace(_ window: TopLevel, _ workspace: UInt32) {
    connection.sendToManager(
      server.atoms[.netWMDesktop], about: window.id, [workspace, EWMH_SOURCE_APPLICATION.rawValue])
  }

  func setMaximized(_ window: TopLevel, _ isOn: Bool) {
    guard window.showing.isRequested else { return window.showing.startsMaximized = isOn }
    if window.showing.awaitsManager { window.showing.startsMaximized = isOn }
    send(window, isOn, .netWMStateMaximizedVertically, .netWMStateMaximizedHorizontally)
  }

  func setFullScreen(_ window: TopLevel, _ isOn: Bool) {
    guard window.showing.isRequested else {
      window.showing.startsFullScreen = isOn
      // Without a window manager it is hidden as large as the screen.
      if !isOn, !root.isManaged { setFullScreenUnmanaged(window, false) }
      return
    }
    guard root.isManaged else { return setFullScreenUnmanaged(window, isOn) }
    if !isOn { window.frameBeforeFullScreen = nil }
    window.showing.changedStates.remove(.netWMStateFullScreen)
    send(window, isOn, .netWMStateFullScreen)
  }

  /// Without a window manager: as large as the screen that holds most of the window.
  private func setFullScreenUnmanaged(_ window: TopLevel, _ isOn: Bool) {
    let frame = window.model.geometry(root: root).frame
    if isOn {
      let screen = parts.screens.current.max { $0.frame.sharedArea(with: frame) < $1.frame.sharedArea(with: frame) }
      guard let screen, window.frameBeforeFullScreen == nil else { return }
      beginFullScreenUnmanaged(window, before: frame)
      connection.configure(window.id, screen.frame)
    } else if let before = window.frameBeforeFullScreen {
      endFullScreenUnmanaged(window)
      // The monitor may have gone meanwhile.
      connection.configure(window.id, parts.screens.onScreen(before))
    }
  }

  private func beginFullScreenUnmanaged(_ window: TopLevel, before frame: Rect) {
    window.frameBeforeFullScreen = frame
    // The rectangle of a full screen is not where the window goes back to.
    windows.apply(.netState(.fullScreen), to: window)
    update(.netWMStateFullScreen, of: window)
  }

  /// Without a window manager a window is full screen by its frame alone, until it gets another one.
  func endFullScreenUnmanaged(_ window: TopLevel) {
    guard !root.isManaged, window.frameBeforeFullScreen.take() != nil else { return }
    windows.apply(.netState([]), to: window)
    update(.netWMStateFullScreen, of: window)
  }

  // MARK: A window manager that goes, and one that comes

  /// The window manager is gone that has made the window full screen: it still is where it covers its screen.
  func keepFullScreen(_ window: TopLevel) {
    let geometry = window.geometry(root)
    window.frameBeforeFullScreen = nil
    guard parts.screens.current.contains(where: { $0.frame == geometry.frame }) else { return }
    beginFullScreenUnmanaged(window, before: geometry.normalFrame)
  }

  /// Asks a window manager that has come for what a window is to be and is not: not all take over the states of the
  /// windows that they find (fvwm3).
  func handOver(_ window: TopLevel) {
    // The monitor may have gone meanwhile.
    let before = window.frameBeforeFullScreen.take().map(parts.screens.onScreen)
    let awaitsManager = exchange(&window.showing.awaitsManager, with: false)
    let changed = exchange(&window.showing.changedStates, with: [])
    guard window.showing.isRequested else {
      // It is hidden as large as the screen.
      if let before { connection.configure(window.id, before) }
      return
    }
    guard !window.isPopUp, !window.showing.icon.isWanted else { return }
    let geometry = window.geometry(root)
    if let before, !parts.support.allows(.netWMStateFullScreen) {
      parts.windows.move(window, to: before)
    } else if before != nil || geometry.isFullScreen || geometry.isMaximized {
      window.model.takeOver(root: root)
      if before != nil, !geometry.isFullScreen { send(window, true, .netWMStateFullScreen) }
      // What has ended while it started it may have read before.
      if before == nil, geometry.isFullScreen, changed.contains(.netWMStateFullScreen) {
        send(window, false, .netWMStateFullScreen)
      }
    }
    if isAbove(window) || changed.contains(.netWMStateAbove) { send(window, isAbove(window), .netWMStateAbove) }
    guard awaitsManager else { return }
    if window.showing.startsMaximized, !geometry.isMaximized { setMaximized(window, true) }
    if let workspace = window.showing.firstWorkspace.take(), window.model.workspace != workspace {
      sendWorkspace(window, workspace)
    }
  }

  /// Asks for a state (EWMH, `_NET_WM_STATE`).
  private func send(_ window: TopLevel, _ isOn: Bool, _ first: AtomName, _ second: AtomName? = nil) {
    let action = (isOn ? EWMH_STATE_ADD : EWMH_STATE_REMOVE).rawValue
    connection.sendToManager(
      server.atoms[.netWMState], about: window.id,
      [action, server.atoms[first], second.map { server.atoms[$0] } ?? 0, EWMH_SOURCE_APPLICATION.rawValue])
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    let id = window.id
    for deadline in [LoopDeadline.managerProbe(id), .leaving(id), .iconic(id), .rest(id), .briefRest(id)] {
      loop.cancel(deadline)
    }
  }
}
