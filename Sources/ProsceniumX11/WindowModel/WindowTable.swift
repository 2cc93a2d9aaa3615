import ProsceniumLoop
import ProsceniumPlatform
import SceneLifecycle

/// Our top-level windows and the root: signals go into their models, and the effects are carried out.
///
/// The frames around windows are followed in WindowTable+Frames.swift.
@MainActor final class WindowTable {
  private let loop: EventLoop<X11Deadline>
  let server: XServer
  let batch: Batch
  private(set) var root = RootModel()
  private var windows: [UInt32: TopLevel] = [:]
  /// For each frame that is followed, our windows in it.
  var windowsInFrames: [UInt32: Set<UInt32>] = [:]
  /// The windows whose levels may differ from those delivered last, in the order in which they were marked.
  private var changed: [UInt32] = []

  init(_ loop: EventLoop<X11Deadline>, _ server: XServer, _ batch: Batch) {
    self.loop = loop
    self.server = server
    self.batch = batch
  }

  subscript(_ id: UInt32) -> TopLevel? { windows[id] }

  /// All windows in the order of their creation.
  var all: [TopLevel] { windows.values.sorted { $0.id < $1.id } }

  func add(_ window: TopLevel) { windows[window.id] = window }

  func remove(_ window: TopLevel) {
    stopFollowingFrames(of: window)
    windows[window.id] = nil
    changed.removeAll { $0 == window.id }
  }

  // MARK: Signals

  /// Applies a signal to a window's model.
  func apply(_ signal: WindowSignal, to window: TopLevel) {
    if let sign = window.model.windowManagerSign(in: signal, root: root) { apply(sign) }
    let hadKeys = window.model.acceptsKeys
    let effects = window.model.apply(signal, root: root)
    markChanged(window)
    if !hadKeys, window.model.acceptsKeys { endFocusOfOthers(window) }
    for effect in effects {
      switch effect {
      case .queryAncestors: findFrames(of: window)
      case .translateCoordinates: findOrigin(of: window)
      case .startResting: loop.set(.rest(window.id), after: NormalFrameTracker.rest)
      }
    }
  }

  /// Applies a signal to the root's model.
  func apply(_ signal: RootSignal) {
    let before = root.windowManager
    let effects = root.apply(signal, windows: windows.values.map(\.model))
    if root.windowManager != before { batch.append(.windowManager(root.windowManager, cause: signal.cause)) }
    for window in all { markChanged(window) }
    for effect in effects {
      switch effect {
      case .recheckWindowManager: loop.set(.managerCheck, after: .milliseconds(500))
      case .startSettling: loop.set(.managerSettled, after: HoldTimes().windowManagerChange)
      case .startWorkspaceRuleDeadline: loop.set(.workspaceRule, after: .milliseconds(300))
      case .discardManagerProperties: for window in all { apply(.windowManagerLost, to: window) }
      }
    }
  }

  /// Keys go to one window: where no event has reported that another one lost them, that event got lost.
  private func endFocusOfOthers(_ window: TopLevel) {
    for other in all where other !== window && other.model.acceptsKeys {
      apply(.focusOut(.normal, .nonlinear), to: other)
      if other.model.acceptsKeys { apply(.leave(.normal, .nonlinear, focus: false), to: other) }
    }
  }

  // MARK: Changes

  /// Whether a window is marked.
  var hasChanges: Bool { !changed.isEmpty }

  /// Marks a window, whose levels are compared when the batch ends.
  func markChanged(_ window: TopLevel) {
    if !changed.contains(window.id) { changed.append(window.id) }
  }

  /// The marked windows with their levels and geometries, which count as delivered from now on.
  func takeChanges() -> [WindowChange] {
    defer { changed.removeAll(keepingCapacity: true) }
    return changed.compactMap { windows[$0]?.report(root) }
  }
}

extension TopLevel {
  /// Compares the window with the values that were delivered last, and records its values as delivered.
  fileprivate func report(_ root: RootModel) -> WindowChange {
    let (before, levels, geometry) = (self.levels, levels(root), geometry(root))
    defer { (lastLevels, lastGeometry) = (levels, geometry) }
    return WindowChange(
      window: self, levels: levels, geometry: geometry, areLevelsNew: levels != lastLevels,
      isGeometryNew: geometry != lastGeometry, hasLostFocus: before.focused && before.visible && !levels.visible)
  }
}
