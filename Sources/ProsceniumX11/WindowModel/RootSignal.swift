package import ProsceniumPlatform

/// A fact about the root window that the rules use: its window manager, its workspaces and its monitors.
package enum RootSignal: Hashable, Sendable {
  /// Whether a window manager runs, and its name; nil where it has none.
  case windowManager(present: Bool, name: String?)
  /// A sign that the window manager starts, ends or is replaced.
  case windowManagerChanged(cause: String)
  /// No such sign for `HoldTimes.windowManagerChange`.
  case windowManagerSettled
  /// Whether the window manager knows `_NET_ACTIVE_WINDOW`.
  case supportsActiveWindow(Bool)
  /// The value of `_NET_CURRENT_DESKTOP`.
  case currentWorkspace(UInt32?)
  /// Whether `_NET_SHOWING_DESKTOP` is set: all windows are hidden.
  case showingDesktop(Bool)
  case monitors([Rect])
  /// 300 ms after `_NET_CURRENT_DESKTOP` changed: windows of the left workspace are hidden by now, or never will be.
  case workspaceRuleDue
}

extension RootSignal {
  /// Why the window manager's state is another one after this signal.
  var cause: String {
    switch self {
    case .windowManager(let present, let name): present ? "present: \(name ?? "unnamed")" : "absent"
    case .windowManagerChanged(let cause): cause
    case .windowManagerSettled: "settled"
    case .supportsActiveWindow, .currentWorkspace, .showingDesktop, .monitors, .workspaceRuleDue: "desktop"
    }
  }
}
