package import ProsceniumPlatform
package import SceneLifecycle

/// The root window as far as it is known: its window manager, its workspaces and its monitors.
///
/// A reducer of ``RootSignal``s.
package struct RootModel: Hashable, Sendable {
  /// An action that a signal causes.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Ask again whether a window manager runs, 500 ms after the last sign of a change; the answer is `.windowManager`.
    case recheckWindowManager
    /// Apply `.windowManagerSettled` after `HoldTimes.windowManagerChange`; replaces a running deadline.
    case startSettling
    /// Apply `.workspaceRuleDue` after 300 ms; replaces a running deadline.
    case startWorkspaceRuleDeadline
    /// Apply `.windowManagerLost` to every window.
    case discardManagerProperties
  }

  /// Whether a window manager runs, as far as known: only then do its properties mean anything.
  package private(set) var isManaged = false
  /// The window manager's name; nil where it has none.
  package private(set) var name: String?
  /// Whether the window manager has been the same for a while, so that its properties can be believed.
  package private(set) var windowManager = WindowManagerState.settled
  package private(set) var supportsActiveWindow = false
  /// Whether the window manager marks icons with HIDDEN; nil while that is not known.
  package private(set) var supportsHidden: Bool?
  /// `_NET_CURRENT_DESKTOP`.
  package private(set) var currentWorkspace: UInt32?
  /// `_NET_SHOWING_DESKTOP`.
  package private(set) var isShowingDesktop = false
  package private(set) var monitors: [Rect] = []
  private var rule = WorkspaceRule()
  private var hasAnswered = false
  private var hasRun = false

  /// Whether it is certain that no window manager runs.
  package var isKnownUnmanaged: Bool { hasAnswered && !isManaged }

  /// Whether a window on another workspace than the current one counts as hidden.
  package var isWorkspaceRuleOn: Bool { isManaged && rule.isOn(name: name, monitors: monitors.count) }

  /// Whether HIDDEN on a window in the normal state means that it is hidden.
  ///
  /// So i3 marks tabs in the back. Elsewhere such an atom has been left behind, by JWM and fvwm3 themselves or by a
  /// window manager that is gone.
  package var hidesNormalWindows: Bool { name == "i3" }

  /// Applies one signal.
  /// - Returns: What has to be done because of it.
  package mutating func apply(_ signal: RootSignal, windows: [WindowModel] = []) -> [Effect] {
    switch signal {
    case .windowManager(present: true, let name): return appear(name: name)
    case .windowManager(present: false, name: _): return disappear()
    case .windowManagerChanged(cause: _):
      windowManager = .changing
      return [.recheckWindowManager, .startSettling]
    case .windowManagerSettled: windowManager = !isManaged && hasRun ? .absent : .settled
    case .supports(let activeWindow, let hidden): (supportsActiveWindow, supportsHidden) = (activeWindow, hidden)
    case .currentWorkspace(let value): return setCurrent(value, windows)
    case .showingDesktop(let value): isShowingDesktop = value
    case .monitors(let rects): monitors = rects.map(PositionTracker.clamp)
    case .workspaceRuleDue: if isManaged { rule.calibrate(windows.compactMap { $0.hidesByItself(root: self) }) }
    }
    return []
  }

  /// The first answer is the state of things at the start; every later one is a change.
  private mutating func appear(name new: String?) -> [Effect] {
    let isReplaced = isManaged && name != nil && new != nil && name != new
    let isNew = hasAnswered && !isManaged
    if isReplaced || isNew {
      rule = WorkspaceRule()
      // Left behind by the previous one.
      isShowingDesktop = false
      supportsHidden = nil
    }
    isManaged = true
    hasAnswered = true
    hasRun = true
    name = new
    guard isReplaced || isNew else { return [] }
    windowManager = .changing
    return [.startSettling]
  }

  /// The map state of windows stays; all properties of a window manager are stale from now on.
  private mutating func disappear() -> [Effect] {
    let wasManaged = isManaged
    hasAnswered = true
    isManaged = false
    name = nil
    (supportsActiveWindow, supportsHidden) = (false, nil)
    windowManager = hasRun ? .absent : .settled
    guard wasManaged else { return [] }
    currentWorkspace = nil
    isShowingDesktop = false
    rule = WorkspaceRule()
    return [.discardManagerProperties]
  }

  private mutating func setCurrent(_ value: UInt32?, _ windows: [WindowModel]) -> [Effect] {
    let old = currentWorkspace
    currentWorkspace = value
    guard old != nil, value != nil, old != value, isManaged, rule.isUndecided(name: name, monitors: monitors.count),
      windows.contains(where: { $0.isLeft(root: self) })
    else { return [] }
    return [.startWorkspaceRuleDeadline]
  }
}

/// A fact about the root window that the rules use: its window manager, its workspaces and its monitors.
package enum RootSignal: Hashable, Sendable {
  /// Whether a window manager runs, and its name; nil where it has none.
  case windowManager(present: Bool, name: String?)
  /// A sign that the window manager starts, ends or is replaced.
  case windowManagerChanged(cause: String)
  /// No such sign for `HoldTimes.windowManagerChange`.
  case windowManagerSettled
  /// Whether the window manager knows `_NET_ACTIVE_WINDOW` and `_NET_WM_STATE_HIDDEN`.
  case supports(activeWindow: Bool, hidden: Bool)
  /// The value of `_NET_CURRENT_DESKTOP`.
  case currentWorkspace(UInt32?)
  /// Whether `_NET_SHOWING_DESKTOP` is set: the desktop was asked for. Which windows are hidden is another question.
  case showingDesktop(Bool)
  case monitors([Rect])
  /// 300 ms after `_NET_CURRENT_DESKTOP` changed: windows of the left workspace are hidden by now, or never will be.
  case workspaceRuleDue

  /// Why the window manager's state is another one after this signal.
  var cause: String {
    switch self {
    case .windowManager(let present, let name): present ? "present: \(name ?? "unnamed")" : "absent"
    case .windowManagerChanged(let cause): cause
    case .windowManagerSettled: "settled"
    case .supports, .currentWorkspace, .showingDesktop, .monitors, .workspaceRuleDue: "desktop"
    }
  }
}

/// Whether a window whose `_NET_WM_DESKTOP` is not the current workspace counts as hidden.
///
/// Needed where a workspace is left without any sign on the windows (KWin with a compositor); wrong where monitors have
/// workspaces of their own, so that a window on another workspace than the current one is on screen; without effect
/// elsewhere, because the window manager hides the windows by itself.
struct WorkspaceRule: Hashable, Sendable {
  /// Whether an unknown window manager has been observed, on one monitor, to need the rule.
  private var observed: Bool?

  private enum Policy { case on, off, observe }

  /// Whether the rule applies.
  func isOn(name: String?, monitors: Int) -> Bool {
    let policy = Self.policy(name: name, monitors: monitors)
    return policy == .on || policy == .observe && observed == true
  }

  /// Whether the next change of the workspace has to be watched.
  func isUndecided(name: String?, monitors: Int) -> Bool {
    observed == nil && Self.policy(name: name, monitors: monitors) == .observe
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
