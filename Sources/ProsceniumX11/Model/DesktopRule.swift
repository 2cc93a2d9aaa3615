/// Whether a window whose `_NET_WM_DESKTOP` is not the current desktop counts as hidden.
///
/// Needed where a desktop is left without any sign on the windows (KWin with a compositor); wrong where monitors have
/// desktops of their own, so that a window on another desktop than the current one is on screen; without effect
/// elsewhere, because the window manager hides the windows by itself.
struct DesktopRule: Hashable, Sendable {
  /// What an unknown window manager was seen to do on one monitor: true if the rule is needed.
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

  /// Whether the next change of the desktop has to be watched.
  func isUndecided(name: String?, monitors: Int) -> Bool {
    switch Self.policy(name: name, monitors: monitors) {
    case .on, .off: false
    case .observe: observed == nil
    }
  }

  /// A while after the current desktop changed: for each window left behind that can tell, whether it has been hidden
  /// without this rule.
  ///
  /// One that was decides, because the others may be shown everywhere in some way of that window manager's own; if none
  /// can tell, the next change is watched.
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

  /// Window managers with desktops per monitor.
  private static let perMonitor: Set<String> = [
    "i3", "herbstluftwm", "bspwm", "awesome", "spectrwm", "qtile", "xmonad",
  ]
}
