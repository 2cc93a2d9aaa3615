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
  /// `_NET_CURRENT_DESKTOP`.
  package private(set) var currentWorkspace: UInt32?
  /// `_NET_SHOWING_DESKTOP`.
  package private(set) var isShowingDesktop = false
  package private(set) var monitors: [Rect] = []
  private var rule = WorkspaceRule()
  private var hasAnswered = false
  private var hasRun = false

  /// A root window of which nothing is known.
  package init() {}

  /// Whether it is certain that no window manager runs.
  package var isKnownUnmanaged: Bool { hasAnswered && !isManaged }

  /// Whether a window on another workspace than the current one counts as hidden.
  package var isWorkspaceRuleOn: Bool { isManaged && rule.isOn(name: name, monitors: monitors.count) }

  /// Applies one signal.
  /// - Returns: What has to be done because of it.
  package mutating func apply(_ signal: RootSignal, windows: [WindowModel] = []) -> [Effect] {
    switch signal {
    case .windowManager(present: true, let name): return appear(name: name)
    case .windowManager(present: false, name: _): return disappear()
    case .windowManagerChanged(cause: _):
      windowManager = .changing
      return [.recheckWindowManager, .startSettling]
    case .windowManagerSettled:
      windowManager = !isManaged && hasRun ? .absent : .settled
      return []
    case .supportsActiveWindow(let value):
      supportsActiveWindow = value
      return []
    case .currentWorkspace(let value): return setCurrent(value, windows)
    case .showingDesktop(let value):
      isShowingDesktop = value
      return []
    case .monitors(let rects):
      monitors = rects.map(PositionTracker.clamp)
      return []
    case .workspaceRuleDue:
      if isManaged { rule.calibrate(windows.compactMap { $0.hidesByItself(root: self) }) }
      return []
    }
  }

  /// The first answer is the state of things at the start; every later one is a change.
  private mutating func appear(name new: String?) -> [Effect] {
    let isReplaced = isManaged && name != nil && new != nil && name != new
    let isNew = hasAnswered && !isManaged
    if isReplaced || isNew {
      rule = WorkspaceRule()
      // Left behind by the previous one.
      isShowingDesktop = false
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
    supportsActiveWindow = false
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
