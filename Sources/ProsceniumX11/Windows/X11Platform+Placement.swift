import ProsceniumLoop
import ProsceniumPlatform

/// Windows that come back where they were: said before they are mapped, and not again.
extension X11Platform {
  /// How long a window manager has got to map a window that is to be iconic, and how long to make it so when asked:
  /// later on it is the user who wants it otherwise.
  private static let patience = (map: 5000, icon: 500)

  /// What is said about the window from now on is what the placement says.
  func takePlacement(_ window: TopLevel) {
    guard let placement = window.description.placement else { return }
    window.description.position = placement.frame.origin
    window.description.size = placement.frame.size
    window.startsMinimized = placement.isMinimized
    window.startsMaximized = placement.isMaximized
    window.startsFullScreen = placement.isFullScreen
    window.startsOnDesktop = placement.desktop.map(Self.desktopNumber)
  }

  /// `_NET_WM_DESKTOP` has 32 bits, the highest value for all desktops (EWMH, "Application Window Properties").
  private static func desktopNumber(_ desktop: Int) -> UInt32 { desktop < 0 ? .max : UInt32(clamping: desktop) }

  func writeDesktop(_ window: TopLevel) {
    guard let desktop = window.startsOnDesktop else { return }
    connection?.changeProperty(window.id, atoms[.netWMDesktop], type: PredefinedAtom.cardinal, [desktop])
  }

  /// Maps the window, unless it is to be iconic and nobody would keep it so (ICCCM 4.1.4).
  func mapFirst(_ window: TopLevel) {
    guard desktop.isManaged || !window.startsMinimized else { return window.isHeldBack = true }
    window.isHeldBack = false
    window.isIconifying = window.startsMinimized
    if window.isIconifying {
      setTimer(.iconic(window.id), Self.patience.map)
    } else {
      window.startsOnDesktop = nil
    }
    connection?.mapWindow(window.id)
  }

  /// A window manager has come: it keeps icons.
  func releaseHeldBack(_ window: TopLevel) {
    guard window.isHeldBack, desktop.isManaged else { return }
    prepareForManager(window, .quiet)
    mapFirst(window)
  }

  /// Not every window manager obeys the initial state of `WM_HINTS`; some take a request for it instead.
  ///
  /// mutter makes such a window an icon, and brings it back to the current desktop at once, because of the map request
  /// that it has just answered.
  func insistOnIcon(_ window: TopLevel) {
    guard window.isIconifying else { return }
    if window.model.wmState == WindowModel.iconicState { return endIconifying(window) }
    guard window.model.isMapped, let connection, !window.isAskedForIcon else { return }
    window.isAskedForIcon = true
    // ICCCM 4.1.4: IconicState.
    connection.sendMessage(
      atoms[.wmChangeState], about: window.id, .words([3]), to: connection.screen.root,
      mask: Connection.managerMask)
    if let number = window.startsOnDesktop, number != window.model.workspace {
      // EWMH, `_NET_WM_DESKTOP`: source indication 1.
      connection.sendMessage(
        atoms[.netWMDesktop], about: window.id, .words([number, 1]), to: connection.screen.root,
        mask: Connection.managerMask)
    }
    setTimer(.iconic(window.id), Self.patience.icon)
  }

  /// It is iconic, or somebody wants it otherwise.
  func endIconifying(_ window: TopLevel) {
    guard window.isIconifying else { return }
    window.isIconifying = false
    window.isAskedForIcon = false
    window.startsOnDesktop = nil
    loop.cancel(.iconic(window.id))
    markChanged(window.id)
  }

  /// What is true of the window, as the client hears of it: one that is about to become an icon has not been shown.
  func levels(of window: TopLevel) -> WindowLevels {
    var levels = window.model.levels(desktop: desktop)
    if window.isIconifying, levels.visible, !levels.focused {
      levels.visible = false
      levels.visibleCause = VisibilityRule.wmState.rawValue
    }
    return levels
  }

  func geometry(of window: TopLevel) -> WindowGeometry {
    var geometry = window.model.geometry(desktop: desktop)
    if window.isHeldBack || window.isIconifying { geometry.isMinimized = true }
    // Nobody has looked after it yet, or does any more: it is what it will be as soon as it is shown.
    if !window.model.isMapped, window.model.wmState ?? 0 == 0 {
      geometry.isMaximized = window.startsMaximized
      geometry.isFullScreen = window.startsFullScreen
    }
    if !desktop.isManaged, let before = window.frameBeforeFullScreen {
      geometry.isFullScreen = true
      geometry.normalFrame = before
    }
    return geometry
  }
}
