package import ProsceniumPlatform
package import SceneLifecycle

/// What is known of the desktop: its window manager, its desktops and its monitors.
///
/// A reducer of ``DesktopSignal``s.
package struct DesktopModel: Hashable, Sendable {
  /// What the shell has to do.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Ask again whether there is a window manager, once nothing of the kind has happened for 500 ms, and say
    /// `.windowManager`.
    case recheckWindowManager
    /// Say `.windowManagerSettled` after `HoldTimes.windowManagerChange`; replaces a running timer.
    case startSettling
    /// Say `.desktopRuleDue` after 300 ms; replaces a running timer.
    case startDesktopRuleTimer
    /// Give every window `.windowManagerLost`.
    case forgetManagerProperties
  }

  /// Whether a window manager runs, as far as known: only then do its properties mean anything.
  package private(set) var isManaged = false
  /// What it calls itself; nil where it has no name.
  package private(set) var name: String?
  /// Whether its word can be believed.
  package private(set) var windowManager = WindowManagerState.settled
  package private(set) var supportsActiveWindow = false
  /// `_NET_CURRENT_DESKTOP`.
  package private(set) var current: UInt32?
  /// `_NET_SHOWING_DESKTOP`.
  package private(set) var isShowingDesktop = false
  package private(set) var monitors: [Rect] = []
  private var rule = DesktopRule()
  private var hasAnswered = false
  private var hasRun = false

  /// A desktop of which nothing is known.
  package init() {}

  /// Whether it has been found out that no window manager runs.
  package var isKnownUnmanaged: Bool { hasAnswered && !isManaged }

  /// Whether a window on another desktop than the current one counts as hidden.
  package var isDesktopRuleOn: Bool { isManaged && rule.isOn(name: name, monitors: monitors.count) }

  /// Takes one signal, and says what has to be done because of it.
  package mutating func apply(_ signal: DesktopSignal, windows: [WindowModel] = []) -> [Effect] {
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
    case .currentDesktop(let value): return setCurrent(value, windows)
    case .showingDesktop(let value):
      isShowingDesktop = value
      return []
    case .monitors(let rects):
      monitors = rects.map(PositionTracker.clamp)
      return []
    case .desktopRuleDue:
      if isManaged { rule.calibrate(windows.compactMap { $0.hidesByItself(desktop: self) }) }
      return []
    }
  }

  /// The first answer is the state of things at the start; every later one is a change.
  private mutating func appear(name new: String?) -> [Effect] {
    let isReplaced = isManaged && name != nil && new != nil && name != new
    let isNew = hasAnswered && !isManaged
    if isReplaced || isNew {
      rule = DesktopRule()
      // Left behind by the one before.
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

  /// The map state of windows stays; everything that a window manager wrote is stale from now on.
  private mutating func disappear() -> [Effect] {
    let wasManaged = isManaged
    hasAnswered = true
    isManaged = false
    name = nil
    supportsActiveWindow = false
    windowManager = hasRun ? .absent : .settled
    guard wasManaged else { return [] }
    current = nil
    isShowingDesktop = false
    rule = DesktopRule()
    return [.forgetManagerProperties]
  }

  private mutating func setCurrent(_ value: UInt32?, _ windows: [WindowModel]) -> [Effect] {
    let old = current
    current = value
    guard old != nil, value != nil, old != value, isManaged, rule.isUndecided(name: name, monitors: monitors.count),
      windows.contains(where: { $0.isLeft(desktop: self) })
    else { return [] }
    return [.startDesktopRuleTimer]
  }
}
