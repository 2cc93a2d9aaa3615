import DeskSupport
import ProsceniumCore

/// One window that comes back, by the name of what is remarkable about it.
enum PlacementCase: String, CaseIterable, Sendable {
  case plain, beyondTheEdge, belowTheCorner, desktop, sticky, maximized, fullScreen, iconic, maximizedOnDesktop
  case iconicOnDesktop

  /// Odd numbers, because rounding is a deviation too.
  var placement: WindowPlacement {
    let index = Self.allCases.firstIndex(of: self) ?? 0
    var placement = WindowPlacement(frame: Rect(x: 137 + 11 * index, y: 211 - 7 * index, width: 333, height: 221))
    switch self {
    case .plain: break
    case .beyondTheEdge: placement.frame.origin = Point(x: -20, y: 41)
    case .belowTheCorner: placement.frame.origin = Point(x: 1001, y: 801)
    case .desktop: placement.desktop = 2
    case .sticky: placement.desktop = -1
    case .maximized: placement.isMaximized = true
    case .fullScreen: placement.isFullScreen = true
    case .iconic: placement.isMinimized = true
    case .maximizedOnDesktop:
      placement.isMaximized = true
      placement.desktop = 1
    case .iconicOnDesktop:
      placement.isMinimized = true
      placement.desktop = 2
    }
    return placement
  }

  /// Where the server is to have the content; nil where another rectangle than the window's own is right.
  func place(under kind: WindowManager) -> Place? {
    let frame = placement.frame
    let own = Place(frame.origin.x, frame.origin.y, frame.size.width, frame.size.height)
    switch (kind, self) {
    // A tiling window manager gives every window its place.
    case (.i3, _): return nil
    case (_, .fullScreen) where kind != .twm: return Place(0, 0, 1152, 900)
    case (_, .maximized) where kind.speaksEWMH, (_, .maximizedOnDesktop) where kind.speaksEWMH: return nil
    // These keep new windows, with their frames, within the screen.
    case (.xfwm4, .beyondTheEdge), (.mutter, .beyondTheEdge), (.xfwm4, .belowTheCorner), (.mutter, .belowTheCorner):
      return nil
    case _: return own
    }
  }

  /// What the window is to be reported as, where the window manager can do it at all.
  func states(under kind: WindowManager) -> WindowPlacement {
    var expected = placement
    if !kind.speaksEWMH {
      expected.isMaximized = false
      expected.desktop = nil
    }
    switch kind {
    // No EWMH at all.
    case .twm: expected.isFullScreen = false
    case .i3:
      // No iconic state, and no other desktops than those that have windows.
      expected.isMinimized = false
      if expected.desktop != -1 { expected.desktop = 0 }
    case _ where kind.speaksEWMH: expected.desktop = expected.desktop ?? 0
    case _: break
    }
    return expected
  }

  /// Whether another program's window keeps the focus.
  func keepsFocus(under kind: WindowManager) -> Bool { !(kind == .i3 && self == .fullScreen) }
}
