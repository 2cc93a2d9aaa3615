import ProsceniumTrace

/// Turns the platform's events of windows into facts of scenes, and reconnects sessions whose bare windows come back.
final class WindowFacts: FeatureBase, Feature, WindowEventHandler {
  enum Message: Equatable {
    /// The session of a bare window connects: the user has brought the window back.
    case reconnect(SceneRecord)
    /// A session returns as a bare window, iconic or on another workspace as it was.
    case restoreBare(SceneRecord)
    /// A bare window has been visible for long enough.
    case bareExpired(SceneRecord)
    /// A falling fact of a scene has been held for long enough.
    case expired(Hold, SceneRecord)
    /// The application's resign has been held for long enough.
    case resignExpired
  }

  final class SceneState: SceneFeatureState {
    /// The machine of the session's bare window.
    var bare = BareWindowMachine.State.resting
    /// Where the window was put while the window manager was not to be believed; nil where nothing has changed then.
    var unsettled: WindowGeometry?
  }

  /// A window manager has run since the program started.
  private(set) var hasSeenManager = false

  /// A visible bare window is about to be connected, unless that has failed.
  override func keepsRunning(_ record: SceneRecord) -> Bool {
    record.windows.bare != nil && state(of: record).bare != .resting
  }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.keepsRunning, by: self)
    lists.handle(.window, by: self)
    lists.observe(after: [.sceneDidDisconnect], by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    // A manager that runs at the start and dies at once counts, too.
    case .launching: hasSeenManager = conductor.platform.hasWindowManager
    case .presenceChanged:
      return roster.ordered.filter { $0.windows.bare != nil }.flatMap { observeBare($0, gainedFocus: false) }
    case .bareWindowGone(let record), .bareWindowAdopted(let record): return [.cancel(.bare(record))]
    case .after(.sceneDidDisconnect, let record): state(of: record).bare = .resting
    default: break
    }
    return []
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .levels(let id, let levels): changeLevels(of: id, to: levels)
    case .geometry(let id, let geometry): changeGeometry(of: id, to: geometry)
    case .scale(let id, let scale, let isResized): changeScale(of: id, to: scale, isResized: isResized)
    case .destroyed(let id): windowLost(id)
    case .windowManager(let state, let cause): changeWindowManager(to: state, cause: cause)
    default: []
    }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .reconnect(let record): reconnect(record)
    case .restoreBare(let record): restoreBare(record)
    case .bareExpired(let record): observeBare(record, .expired)
    case .expired(let hold, let record):
      roster.contains(record) ? [.reduce(.scene(record.number, .expired(hold))), .observe(record)] : []
    case .resignExpired: [.reduce(.resignExpired)]
    }
  }

  // MARK: Windows

  private func changeLevels(of id: WindowID, to levels: WindowLevels) -> [FeatureAction] {
    let conductor = conductor
    guard let record = conductor.roster[id] else { return [] }
    if let bare = record.windows.bare, bare.id == id {
      conductor.traceLevels(from: bare.levels, to: levels, id, record)
      record.windows.bare?.levels = levels
      return observeBare(record, gainedFocus: levels.focused && !bare.levels.focused)
    }
    guard let state = record.windows[id] else { return [] }
    let old = state.levels
    conductor.traceLevels(from: old, to: levels, id, record)
    state.levels = levels
    conductor.roster.markDirty(record)
    guard let window = state.window else { return [] }
    var actions: [FeatureAction] = []
    // Until its owner has hidden it, it stays visible: other levels change meanwhile.
    if levels.visible, !old.visible, !state.isShown, window.isAdopted {
      actions.append(.send(AnyMessage(WindowVisibility.self, .shownByOwner(window, record))))
    }
    guard levels.focused, !old.focused, record.isInteractive, window.canBecomeKey else { return actions }
    // Key already, as in every change of the focus between scenes: where it is the only window, nothing else becomes
    // key in the same batch.
    if record.windows.states.count == 1, record.windowScene?.keyWindow === window { return actions }
    return actions + [.afterSettling([.send(AnyMessage(WindowVisibility.self, .setKey(window, record)))])]
  }

  private func changeGeometry(of id: WindowID, to geometry: WindowGeometry) -> [FeatureAction] {
    guard let record = roster[id] else { return [] }
    if record.windows.bare?.id == id {
      record.windows.bare?.frame = geometry.frame
      return placed(record, geometry)
    }
    guard let window = record.windows[id]?.window else { return [] }
    let old = window.knownFrame
    window.knownFrame = geometry.frame
    var actions: [FeatureAction] = []
    if old.size != geometry.frame.size {
      window.display.resized()
      actions.append(.callAfterSettling(DrawingCall(event: .resized(geometry.frame.size), id: id, window: window)))
    }
    guard record.windows.primary == id, let scene = record.windowScene else { return actions }
    if record.windows[id]?.hasBeenShown == true { actions += placed(record, geometry) }
    let effective = WindowScene.Geometry(
      frame: geometry.frame, isMaximized: geometry.isMaximized, isFullScreen: geometry.isFullScreen,
      isMinimized: geometry.isMinimized)
    let previous = scene.effectiveGeometry
    guard scene.pixelGeometry != effective else { return actions }
    scene.pixelGeometry = effective
    actions.append(.announce(.geometryChanged(record)))
    if let previous {
      actions.append(.callAfterSettling(GeometryCall(record: record, scene: scene, previous: previous)))
    }
    return actions
  }

  private func placed(_ record: SceneRecord, _ geometry: WindowGeometry) -> [FeatureAction] {
    state(of: record).unsettled = conductor.isManagerBelieved ? nil : geometry
    return [.announce(.placed(record, geometry))]
  }

  private func changeScale(of id: WindowID, to scale: Double, isResized: Bool) -> [FeatureAction] {
    guard let record = roster[id] else { return [] }
    if let bare = record.windows.bare, bare.id == id { return rescale(bare, of: record, to: scale, isResized) }
    guard let window = record.windows[id]?.window, window.scale != scale else { return [] }
    let scene = record.windows.primary == id ? record.windowScene : nil
    let previous = scene?.effectiveGeometry
    let fills = previous?.isMaximized == true || previous?.isFullScreen == true
    window.changeScale(to: scale, keepsPixels: isResized || fills || window.isAdopted)
    var actions: [FeatureAction] = [.announce(.scaleChanged(record))]
    if let scene, let previous, scene.effectiveGeometry != previous {
      actions.append(.callAfterSettling(GeometryCall(record: record, scene: scene, previous: previous)))
    }
    return actions
  }

  /// Another client destroyed a window of ours.
  private func windowLost(_ id: WindowID) -> [FeatureAction] {
    guard let record = roster[id] else { return [] }
    if let bare = record.windows.bare, bare.id == id {
      conductor.traceDestroyed(id, bare.levels, record)
      record.windows.bare = nil
      roster[id] = nil
      return [.cancel(.bare(record)), .post(AnyMessage(Closing.self, .checkLastScene))]
    }
    let isPrimary = record.windows.primary == id
    let window = record.windows[id]?.window
    let isOwners = window?.isAdopted == true
    record.windowScene?.windows.removeAll { $0 === window }
    conductor.connector.remove(id, of: record)
    window?.invalidate()
    roster.markDirty(record)
    guard isPrimary else {
      return window.map { [.send(AnyMessage(WindowVisibility.self, .passKey($0, record)))] } ?? []
    }
    conductor.connector.removeKeyWindow(of: record)
    // A panel cannot be restored: only the session of the scene stays.
    record.windows.primary = nil
    guard record.ending == nil else { return [] }
    return (isOwners ? [] : [.report("Another client destroyed the window \(id) of the scene \(record.identifier).")])
      + [.disconnect(record, SceneEnding(reason: .windowLost, discards: false))]
  }

  private func changeWindowManager(to state: WindowManagerState, cause: String) -> [FeatureAction] {
    if state == .settled { hasSeenManager = true }
    guard state != conductor.windowManager else { return [] }
    conductor.windowManager = state
    return [.trace(.fact("windowManager", "\(state)", cause: cause))]
      + roster.ordered.flatMap { record -> [FeatureAction] in
        // metacity makes new frames for full screen, as one does that has just started.
        guard conductor.isManagerBelieved, let geometry = self.state(of: record).unsettled.take() else { return [] }
        return [.announce(.placed(record, geometry))]
      }
      + roster.ordered.flatMap { record -> [FeatureAction] in
        if record.windows.bare != nil { return observeBare(record, gainedFocus: false) }
        return record.scene == nil ? [] : [.observe(record)]
      }
  }

  // MARK: Bare windows

  private func observeBare(_ record: SceneRecord, gainedFocus: Bool) -> [FeatureAction] {
    guard let bare = record.windows.bare else { return [] }
    let visible = record.counts(bare.levels) && !conductor.conceals(record)
    return [.announce(.bareWindowObserved(record))]
      + observeBare(
        record, .observe(visible: visible, gainedFocus: gainedFocus, windowManager: conductor.windowManager))
  }

  private func observeBare(_ record: SceneRecord, _ input: BareWindowMachine.Input) -> [FeatureAction] {
    guard record.windows.bare != nil else { return [] }
    let (machine, effects) = BareWindowMachine.reduce(state(of: record).bare, input)
    state(of: record).bare = machine
    return effects.map { effect in
      switch effect {
      case .hold: set(.bare(record), after: application.holdTimes.bareWindow, .bareExpired(record))
      case .release: .cancel(.bare(record))
      case .reconnect: post(.reconnect(record))
      }
    }
  }

  /// A bare window keeps its size in points, as all windows do.
  private func rescale(
    _ bare: SceneWindows.Bare, of record: SceneRecord, to scale: Double, _ isResized: Bool
  ) -> [FeatureAction] {
    record.windows.bare?.scale = scale
    let placement = record.state(of: Saving.self).placement
    let fills = placement?.isMaximized == true || placement?.isFullScreen == true
    guard !isResized, !fills else { return [] }
    let areas = application.screens.map(\.visiblePixelFrame)
    let frame = PixelScale(bare.scale).frame(bare.frame, keepingPointsAt: PixelScale(scale), on: areas)
    guard frame != bare.frame else { return [] }
    conductor.feature(WindowVisibility.self)?.request(.geometry(frame), of: bare.id, nil)
    return []
  }

  private func reconnect(_ record: SceneRecord) -> [FeatureAction] {
    // A close in the same batch may have discarded the session.
    guard roster.contains(record), record.scene == nil else { return [] }
    // The user decides which window has the focus: one that merely became visible does not take it.
    record.connection.keepsFocus = true
    if conductor.connector.connect(record, options: Scene.ConnectionOptions(), inBackground: false) { return [] }
    // Shown again, the connection may be tried again.
    state(of: record).bare = .resting
    return []
  }

  /// The session connects when the window becomes visible.
  private func restoreBare(_ record: SceneRecord) -> [FeatureAction] {
    guard conductor.connector.load(record) else { return [] }
    let id = conductor.platform.makeWindowID()
    var description = WindowDescription()
    description.role = record.identifier
    description.title = conductor.title(of: record) ?? conductor.identity.id
    description.placement = conductor.feature(Saving.self)?.placement(of: record)
    description.scale = record.launchScale(description.placement)
    description.size = PixelScale(description.scale).pixels(record.launchSize)
    roster[id] = record
    let frame = description.placement?.frame ?? Rect(x: 0, y: 0, width: 1, height: 1)
    record.windows.bare = SceneWindows.Bare(
      id: id, levels: WindowLevels(), isShown: true, frame: frame, scale: description.scale,
      isTransparent: false)
    // Only its delegate could decide, and there is none yet: it is asked.
    record.mayRefuseClose = true
    return [.command(.create(id, description)), .command(.bare(id)), .command(.show(id, .quiet))]
  }
}

/// The facts of a scene.
extension SceneRecord {
  /// Whether a window with these levels makes its scene visible.
  func counts(_ levels: WindowLevels) -> Bool {
    // A menu may cover all of its window.
    levels.visible && !(session.configuration.treatsOcclusionAsHidden && levels.occluded && !windows.hasPopUps)
  }

  /// The facts that the application machine observes at the end of a batch.
  var facts: ApplicationMachine.Facts {
    var facts = ApplicationMachine.Facts(number)
    facts.isWithdrawn = windows.areWithdrawn
    let isInteractive = isInteractive
    // A loop: called for every event, and the actor of a closure is checked at each call.
    for window in windows.states {
      let levels = window.levels
      if counts(levels) { facts.visible = true }
      guard isInteractive, levels.focused else { continue }
      facts.focused = true
      if levels.grabbed { facts.grabbed = true }
    }
    return facts
  }
}

extension Deadline {
  /// A bare window has been visible for long enough.
  @MainActor fileprivate static func bare(_ record: SceneRecord) -> Deadline {
    Deadline("bare", record.number, isUrgent: true)
  }
}

extension Conductor {
  /// Whether changes of windows are the user's doing: not while the window manager is absent or changing.
  var isManagerBelieved: Bool { isManagerSettled || feature(WindowFacts.self)?.hasSeenManager != true }

  /// Traces that a window is gone: the window system sends no event for a window that the program destroys.
  func traceDestroyed(_ id: WindowID, _ levels: WindowLevels, _ record: SceneRecord) {
    let gone = WindowLevels(visibleCause: "destroyed", focusedCause: "destroyed", grabbedCause: "destroyed")
    traceLevels(from: levels, to: gone, id, record)
  }

  fileprivate func traceLevels(from old: WindowLevels, to new: WindowLevels, _ id: WindowID, _ record: SceneRecord) {
    guard trace.isOn else { return }
    func fact(_ name: String, _ value: Bool, _ cause: LevelCause) {
      trace(.fact(name, value, cause: cause.description, scene: record.identifier, window: id.description))
    }
    if old.visible != new.visible { fact("visible", new.visible, new.visibleCause) }
    if old.focused != new.focused { fact("focused", new.focused, new.focusedCause) }
    if old.grabbed != new.grabbed { fact("grabbed", new.grabbed, new.grabbedCause) }
  }
}

/// `windowScene(_:didUpdateEffectiveGeometry:)`.
private struct GeometryCall: Notice {
  var record: SceneRecord
  var scene: WindowScene
  var previous: WindowScene.Geometry
  var call: CallDescription { CallDescription("windowScene(_:didUpdateEffectiveGeometry:)", scene: record.identifier) }

  func send(to application: Application) {
    // A scene that was disconnected in the same batch gets no notification.
    guard scene.record != nil else { return }
    (scene.delegate as? any WindowSceneDelegate)?.windowScene(scene, didUpdateEffectiveGeometry: previous)
  }
}
