/// Whether a window whose `_NET_WM_DESKTOP` is not the current workspace counts as hidden.
///
/// Needed where a workspace is left without any sign on the windows (KWin with a compositor); wrong where monitors have
/// workspaces of their own, so that a window on another workspace than the current one is on screen; without effect
/// elsewhere, because the window manager hides the windows by itself.
struct WorkspaceRule: Hashable, Sendable {
  /// Whether an unknown window manager has been observed, on one monitor, to need the rule.
  private var observed: Bool?

  init() {}

  private enum Policy { case on, off, observe }

  /// Whether the rule applies.
  func isOn(name: String?, monitors: Int) -> Bool {
    switch Self.policy(name: name, monitors: monitors) {
    case .on: true
    case .off: false
    case .observe: observed ?? false
    }
  }

  /// Whether the next change of the workspace has to be watched.
  func isUndecided(name: String?, monitors: Int) -> Bool {
    switch Self.policy(name: name, monitors: monitors) {
    case .on, .off: false
    case .observe: observed == nil
    }
  }

  /// Decides a while after the current workspace changed.
  ///
  /// One hidden window decides, because the others may be shown everywhere in some way of that window manager's own; if
  /// no window can decide, the next change is watched.
  /// - Parameter hidden: For each window left behind that can decide, whether it has been hidden without this rule.
  mutating func calibrate(_ hidden: [Bool]) {
    guard observed == nil, !hidden.isEmpty else { return }
    observed = !hidden.contains(true)
  }

  private static func policy(name: String?, monitors: Int) -> Policy {
    let name = name?.lowercased()
    if name == "kwin" { return .on }
    if let name, perMonitor.contains(name) { return .off }
    return monitors == 1 ? .observe : .off
  }

  /// Window managers with workspaces per monitor.
  private static let perMonitor: Set<String> = [
    "i3", "herbstluftwm", "bspwm", "awesome", "spectrwm", "qtile", "xmonad",
  ]
}
