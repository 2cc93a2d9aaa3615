import CXCB
import ProsceniumLoop
import ProsceniumPlatform
import SceneLifecycle

/// Our top-level windows and the root: signals go into their models, and the effects are carried out.
@MainActor final class WindowTable {
  private let loop: EventLoop
  let server: XServer
  let batch: Batch
  private(set) var root = RootModel()
  /// Called to ask which workspace is shown.
  var onWorkspaceDoubt: () -> Void = {}
  /// All windows in the order of their numbers, which is that of their creation but for those of guests.
  private(set) var all: [TopLevel] = []
  /// Their numbers, apart: found by bisection, because a hash costs more (Tests/Benchmarks/instructions).
  private var ids: [UInt32] = []
  /// For each frame that is followed, our windows in it.
  private var windowsInFrames: [UInt32: Set<UInt32>] = [:]
  /// The windows whose levels may differ from those delivered last, in the order in which they were marked.
  private var changed: [TopLevel] = []
  /// The windows that accept keys: one, as a rule.
  private var keyWindows: [TopLevel] = []

  init(_ loop: EventLoop, _ server: XServer, _ batch: Batch) {
    self.loop = loop
    self.server = server
    self.batch = batch
  }

  subscript(_ id: UInt32) -> TopLevel? {
    let place = place(of: id)
    return place < ids.count && ids[place] == id ? all[place] : nil
  }

  /// How many windows have lower numbers.
  private func place(of id: UInt32) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func add(_ window: TopLevel) {
    let place = place(of: window.id)
    if place < ids.count, ids[place] == window.id {
      all[place] = window
    } else {
      ids.insert(window.id, at: place)
      all.insert(window, at: place)
    }
  }

  func remove(_ window: TopLevel) {
    stopFollowingFrames(of: window)
    let place = place(of: window.id)
    if place < ids.count, ids[place] == window.id {
      ids.remove(at: place)
      all.remove(at: place)
    }
    changed.removeAll { $0 === window }
    window.delivered.isMarked = false
    keyWindows.removeAll { $0 === window }
  }

  // MARK: Signals

  /// Applies a signal to a window's model.
  func apply(_ signal: WindowSignal, to window: TopLevel) {
    // A pop-up has its place alone: nothing follows from it about the focus, or about a window manager.
    if window.isPopUp {
      _ = window.model.apply(signal, root: root)
      return
    }
    if let sign = window.model.windowManagerSign(in: signal, root: root, isForeign: window.isGuest) { apply(sign) }
    let hadKeys = window.model.acceptsKeys
    let effects = window.model.apply(signal, root: root)
    markChanged(window)
    if hadKeys != window.model.acceptsKeys {
      if hadKeys {
        // A loop, as above.
        for index in keyWindows.indices.reversed() where keyWindows[index] === window { keyWindows.remove(at: index) }
      } else {
        endFocusOfOthers(window)
        keyWindows.append(window)
      }
    }
    for effect in effects {
      switch effect {
      case .queryAncestors: findFrames(of: window)
      case .queryWorkspace: onWorkspaceDoubt()
      case .translateCoordinates: findOrigin(of: window)
      case .queryCompositor:
        server.findCompositor { [weak self, weak window] isRunning in
          guard let self, let window, self[window.id] === window else { return }
          apply(.composited(isRunning), to: window)
        }
      case .startResting:
        loop.set(.briefRest(window.id), after: NormalFrameTracker.briefRest)
        loop.set(.rest(window.id), after: NormalFrameTracker.rest)
      }
    }
  }

  /// Applies a signal to the root's model.
  func apply(_ signal: RootSignal) {
    let before = root.windowManager
    let effects = root.apply(signal, windows: all.filter { !$0.isPopUp }.map(\.model))
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
    for other in keyWindows where self[other.id] === other {
      apply(.focusOut(.normal, .nonlinear), to: other)
      if other.model.acceptsKeys { apply(.leave(.normal, .nonlinear, focus: false), to: other) }
    }
  }

  // MARK: Changes

  /// Whether a window is marked.
  var hasChanges: Bool { !changed.isEmpty }

  /// Marks a window, whose levels are compared when the batch ends.
  func markChanged(_ window: TopLevel) {
    guard !window.delivered.isMarked, !window.isPopUp else { return }
    window.delivered.isMarked = true
    changed.append(window)
  }

  /// The marked windows with their levels and geometries, which count as delivered from now on.
  func takeChanges() -> [WindowChange] {
    var changes: [WindowChange] = []
    changes.reserveCapacity(changed.count)
    let root = root
    // A loop: an isolated closure checks its thread whenever the standard library calls it.
    for window in changed {
      window.delivered.isMarked = false
      if self[window.id] === window { changes.append(window.report(root)) }
    }
    changed.removeAll(keepingCapacity: true)
    return changes
  }

  // MARK: Frames
  // Their map state is the only sign that some window managers give.

  /// No window manager nests windows deeper; a tree that changes all the time must not keep the search going for ever.
  private static let deepest = 16

  /// Finds the frames between a window and the root, one after the other, without waiting.
  func findFrames(of window: TopLevel) {
    window.frames.search += 1
    window.frames.found = []
    stopFollowingFrames(of: window)
    guard window.frames.parent != server.root else { return }
    visit(window.frames.parent, of: window, search: window.frames.search)
  }

  /// Selects a frame's events first and asks for its state then, so that no change is missed in between.
  ///
  /// Asked once more where the server has no answer: where the frame has gone, the search is over by then.
  private func visit(_ frame: UInt32, of window: TopLevel, search: Int, isRepeated: Bool = false) {
    guard window.frames.found.count < Self.deepest else { return }
    if self[frame] == nil {
      // BadWindow: the frame is gone already, and a ReparentNotify on the way.
      server.connection.changeAttributes(frame, .init(eventMask: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue), .ignore)
    }
    window.frames.followed.insert(frame)
    windowsInFrames[frame, default: []].insert(window.id)
    server.connection.windowAttributes(frame) { [weak window] found in
      guard let window, window.frames.search == search, let found else { return }
      window.frames.found.append(.init(window: frame, isMapped: found.isMapped))
    }
    server.connection.parent(of: frame) { [weak self, weak window] parent in
      guard let self, let window, window.frames.search == search, self[window.id] != nil else { return }
      guard let parent, window.frames.found.last?.window == frame else {
        window.frames.found.removeAll { $0.window == frame }
        if !isRepeated { visit(frame, of: window, search: search, isRepeated: true) }
        return
      }
      if parent == server.root || parent == 0 {
        apply(.ancestors(window.frames.found), to: window)
      } else {
        visit(parent, of: window, search: search)
      }
    }
  }

  /// Asks where a window is; the model waits for the answer and asks one question at a time.
  func findOrigin(of window: TopLevel) {
    server.connection.originInRoot(of: window.id) { [weak self, weak window] origin in
      guard let self, let window, self[window.id] != nil else { return }
      apply(.translated(origin), to: window)
    }
  }

  /// Applies a signal about a frame to all windows in it.
  func apply(_ signal: WindowSignal, toWindowsIn frame: UInt32) {
    for id in (windowsInFrames[frame] ?? []).sorted() {
      guard let window = self[id] else { continue }
      // Later than a reply that has come already.
      for index in window.frames.found.indices where window.frames.found[index].window == frame {
        switch signal {
        case .ancestorMapped: window.frames.found[index].isMapped = true
        case .ancestorUnmapped: window.frames.found[index].isMapped = false
        case _: break
        }
      }
      apply(signal, to: window)
    }
  }

  /// A window has been destroyed that is none of ours, and may be a frame.
  func frameDestroyed(_ frame: UInt32) {
    apply(.ancestorDestroyed(frame), toWindowsIn: frame)
    windowsInFrames[frame] = nil
  }

  /// Whether a window may be another client's: it is none of ours but an adopted one, and no frame.
  func isForeign(_ window: UInt32) -> Bool { self[window]?.isGuest ?? (windowsInFrames[window] == nil) }

  func stopFollowingFrames(of window: TopLevel) {
    for frame in window.frames.followed {
      windowsInFrames[frame]?.remove(window.id)
      if windowsInFrames[frame]?.isEmpty == true { windowsInFrames[frame] = nil }
    }
    window.frames.followed = []
  }
}

extension TopLevel {
  /// The levels of the window now, as the client gets them: a window that is about to become an icon has not been
  /// shown.
  private func levels(_ model: WindowModel, _ root: RootModel) -> WindowLevels {
    var levels = model.levels(root: root)
    if showing.icon.isWanted, levels.visible, !levels.focused {
      levels.visible = false
      levels.visibleCause = VisibilityRule.wmState.rawValue
    }
    return levels
  }

  func levels(_ root: RootModel) -> WindowLevels { levels(model, root) }

  func geometry(_ root: RootModel) -> WindowGeometry { geometry(model, root) }

  /// Whether it is full screen, or is to be so under a window manager that has just come.
  func isToCover(_ root: RootModel) -> Bool { frameBeforeFullScreen != nil || geometry(root).isFullScreen }

  private func geometry(_ model: WindowModel, _ root: RootModel) -> WindowGeometry {
    var geometry = model.geometry(root: root)
    if showing.isHeldBack || showing.icon.isWanted { geometry.isMinimized = true }
    // Not managed yet, or not any more: it will be so as soon as it is shown.
    if !model.isMapped, model.wmState ?? ICCCM_WITHDRAWN_STATE.rawValue == ICCCM_WITHDRAWN_STATE.rawValue {
      geometry.isMaximized = showing.startsMaximized
      geometry.isFullScreen = showing.startsFullScreen
    }
    if !root.isManaged, let before = frameBeforeFullScreen {
      geometry.isFullScreen = true
      geometry.normalFrame = before
    }
    return geometry
  }

  /// Compares the window with the values that were delivered last, and records its values as delivered.
  fileprivate func report(_ root: RootModel) -> WindowChange {
    // One copy of it for both.
    let model = model
    let (levels, geometry) = (levels(model, root), geometry(model, root))
    var change = WindowChange(window: self)
    if let before = delivered.levels {
      change.areLevelsNew = levels != before
      change.hasLostFocus = before.focused && before.visible && !levels.visible
    }
    if let before = delivered.geometry {
      change.isGeometryNew = geometry != before
      change.isResized = geometry.frame.size != before.frame.size
    }
    if change.areLevelsNew { delivered.levels = levels }
    if change.isGeometryNew { delivered.geometry = geometry }
    return change
  }
}

/// What has changed of a window at the end of a batch; its levels and its geometry are those delivered last
/// (``TopLevel/delivered``), which stay as they are until the next batch ends.
@MainActor struct WindowChange {
  let window: TopLevel
  var areLevelsNew = true
  var isGeometryNew = true
  var isResized = false
  /// Whether the window had the focus and is not visible any more.
  var hasLostFocus = false
}

/// The events of the next batch, in the order in which they came.
@MainActor final class Batch {
  private var events: [PlatformEvent] = []

  /// Whether there is nothing to deliver.
  var isEmpty: Bool { events.isEmpty }

  func append(_ event: PlatformEvent) { events.append(event) }

  func removeFrames(of window: WindowID) { events.removeAll { if case .frame(window, _) = $0 { true } else { false } } }

  /// Removes and returns the events, after those of the changes of windows.
  func takeEvents(after changes: [WindowChange]) -> [PlatformEvent] {
    let taken = exchange(&events, with: [])
    var all: [PlatformEvent] = []
    all.reserveCapacity(changes.count)
    for change in changes {
      let (id, delivered) = (change.window.windowID, change.window.delivered)
      if change.areLevelsNew, let levels = delivered.levels { all.append(.levels(id, levels)) }
      if change.isGeometryNew, let geometry = delivered.geometry { all.append(.geometry(id, geometry)) }
    }
    if taken.isEmpty { return all }
    return all.isEmpty ? taken : all + taken
  }
}
