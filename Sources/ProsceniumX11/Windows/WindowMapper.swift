import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// Maps, activates and unmaps windows, and asks for their states (WindowMapper+States.swift).
@MainActor final class WindowMapper: X11Component {
  /// How long a window manager has to map a window that is to be iconic, and how long to make it so when asked:
  /// later it is the user who wants it otherwise.
  private static let iconTimeout = (map: Duration.seconds(5), request: Duration.milliseconds(500))
  /// How long a window manager has to give a sign of itself, and to end the management of a withdrawn window.
  private static let managerTimeout = Duration.seconds(1)

  // MARK: Showing

  func show(_ window: TopLevel, _ appearance: Appearance) {
    guard !window.showing.isLeaving else { return window.showing.next = appearance }
    guard !window.showing.isRequested else {
      if appearance == .activated { activate(window) }
      return
    }
    window.showing.isRequested = true
    window.showing.wantsFocus = appearance == .activated && !root.isManaged
    if !window.properties.areWritten { parts.drawing.updateBackground(window) }
    parts.windows.writer.write(window)
    if root.isManaged {
      parts.windows.writer.writeForManager(window)
      prepare(window, appearance)
      loop.set(.managerProbe(window.id), after: Self.managerTimeout)
    } else if window.showing.startsFullScreen {
      setFullScreenUnmanaged(window, true)
    }
    let launch = parts.startup.claim(for: window)
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
    window.showing.isIconifying = window.showing.startsMinimized
    if window.showing.isIconifying {
      loop.set(.iconic(window.id), after: Self.iconTimeout.map)
    } else {
      window.showing.firstWorkspace = nil
    }
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
    guard window.showing.isRequested, !window.showing.isHeldBack, window.model.isUnanswered else { return }
    connection.mapWindow(window.id)
  }

  /// Asks for an icon once the window is mapped: not every window manager obeys the initial state of `WM_HINTS`.
  ///
  /// mutter makes such a window an icon, and brings it back to the current workspace at once, because of the map
  /// request that it has just answered.
  func insistOnIcon(_ window: TopLevel) {
    guard window.showing.isIconifying else { return }
    if window.model.wmState == WindowModel.iconicState { return endIconifying(window) }
    guard window.model.isMapped, !window.showing.isAskedForIcon else { return }
    window.showing.isAskedForIcon = true
    sendIconic(window)
    if let workspace = window.showing.firstWorkspace, workspace != window.model.workspace {
      sendWorkspace(window, workspace)
    }
    loop.set(.iconic(window.id), after: Self.iconTimeout.request)
  }

  /// The window is iconic, or is wanted otherwise.
  func endIconifying(_ window: TopLevel) {
    guard window.showing.isIconifying else { return }
    window.showing.isIconifying = false
    window.showing.isAskedForIcon = false
    window.showing.firstWorkspace = nil
    loop.cancel(.iconic(window.id))
    windows.markChanged(window)
  }

  // MARK: Activation

  /// Maps a window and asks for the parts.focus.
  ///
  /// Both are needed: MapWindow alone does not bring back a window that some window managers hide without unmapping,
  /// and others do not support `_NET_ACTIVE_WINDOW`.
  func activate(_ window: TopLevel) {
    guard window.showing.isRequested else { return show(window, .activated) }
    window.showing.isHeldBack = false
    endIconifying(window)
    guard root.isManaged, parts.support.atoms == nil || root.supportsActiveWindow else {
      connection.mapWindow(window.id)
      window.showing.wantsFocus = true
      return windows.markChanged(window)
    }
    parts.focus.getUserTime { [weak self, weak window] time in
      guard let self, let window, windows[window.id] != nil else { return }
      connection.mapWindow(window.id)
      let active = windows.all.first { $0.levels.focused && $0.id != window.id }?.id ?? 0
      connection.sendToManager(
        server.atoms[.netActiveWindow], about: window.id, [EWMH_SOURCE_APPLICATION.rawValue, time, active])
    }
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
    window.showing.startsMaximized = geometry.isMaximized
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

  /// The window manager does not manage a withdrawn window any more, or its time is over.
  func finishLeaving(_ window: TopLevel) {
    guard window.showing.isLeaving else { return }
    window.showing.isLeaving = false
    loop.cancel(.leaving(window.id))
    if let appearance = window.showing.next {
      window.showing.next = nil
      show(window, appearance)
    }
  }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    for deadline in [X11Deadline.managerProbe(window.id), .leaving(window.id), .iconic(window.id), .rest(window.id)] {
      loop.cancel(deadline)
    }
  }
}
