/// Shows, hides and activates windows at the program's request, and tracks each scene's key window.
final class WindowVisibility: FeatureBase, Feature, WindowEventHandler {
  enum Message: Equatable {
    /// The program showed or hid a window.
    case change(Window, SceneRecord, isHidden: Bool)
    /// The program requested the keyboard focus.
    case makeKey(Window, SceneRecord)
    /// A window has become its scene's key window.
    case setKey(Window, SceneRecord)
    /// A scene has adopted a bare window that has the focus.
    case adoptedWithFocus(Window, SceneRecord)
    /// A hidden window is not key any more.
    case passKey(Window, SceneRecord)
    /// A key window has left its scene.
    case keyLeft(Window, SceneRecord)
    /// An activation brings a scene forward.
    case makeVisible(SceneRecord)
    /// Windows that waited for an activation appear, without taking the focus.
    case showWaiting(SceneRecord)
    /// A scene's restoration has been completed: it may become visible.
    case showRestored(SceneRecord)
    /// The owner of an adopted window has shown it by itself.
    case shownByOwner(Window, SceneRecord)
    /// A visible window has no scene.
    case checkAttached(Window)
    /// A window has been added to a scene, or removed from it: its content is notified.
    case notify(Window, ContentCall.Event)
  }

  /// The completions of window requests.
  private var completions: [RequestID: WindowRequestCall] = [:]
  private var requestCount = 0
  /// Where the screens were when they became known; nil until then.
  var firstScreens: [Rect]?
  /// Kept, because each window that is shown would ask all screens (Tests/Benchmarks/instructions, "a further scene");
  /// nil until a window is shown.
  var fittingScreens: FittingScreens?

  override func join(_ lists: inout FeatureLists) {
    lists.handle(.outcome, by: self)
    lists.observe(after: [.sceneWillEnterForeground], by: self)
    lists.observe(moments: .leaving, by: self)
  }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    guard case .outcome(let id, let outcome) = event, var call = completions.removeValue(forKey: id) else { return [] }
    call.outcome = outcome
    return [.callAfterSettling(call)]
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillEnterForeground, let record):
      return record.connection.isInBackground ? [post(.showWaiting(record))] : []
    // While what follows from the edit still counts.
    case .leaving(let record):
      return (record.windowScene?.windows ?? []).map { .call(ContentCall(window: $0, event: .endEditing)) }
    case .screensChanged: return fitShown()
    default: return []
    }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .change(let window, let record, let isHidden): change(window, in: record, isHidden: isHidden)
    case .makeKey(let window, let record): makeKey(window, in: record)
    case .setKey(let window, let record): setKey(window, in: record)
    case .adoptedWithFocus(let window, let record): adoptedWithFocus(window, in: record)
    case .passKey(let window, let record): passKey(from: window, in: record)
    case .keyLeft(let window, let record): keyLeft(window, in: record)
    case .makeVisible(let record): makeVisible(record)
    case .showWaiting(let record): showWaiting(record)
    case .showRestored(let record): showRestored(record)
    case .shownByOwner(let window, let record): shownByOwner(window, in: record)
    case .checkAttached(let window): checkAttached(window)
    case .notify(let window, let event): [.callAfterSettling(ContentCall(window: window, event: event))]
    }
  }

  /// Sends a request to the window manager; `completion` is called later with the outcome.
  func request(_ request: WindowRequest, of window: WindowID, _ completion: (@MainActor (RequestOutcome) -> Void)?) {
    let id = makeRequestID()
    completions[id] = WindowRequestCall(
      id: id, name: request.traceName, session: roster[window]?.session, outcome: .ignored,
      completion: completion)
    conductor.platform.perform(.request(id, window, request))
  }

  func makeRequestID() -> RequestID {
    requestCount += 1
    return RequestID(rawValue: requestCount)
  }

  // MARK: Showing and hiding

  private func change(_ window: Window, in record: SceneRecord, isHidden: Bool) -> [FeatureAction] {
    // The window may have been hidden again, or removed, since the request.
    guard window.record === record, let id = window.id, window.isHidden == isHidden else { return [] }
    guard let state = record.windows[id], state.isShown == isHidden || state.isShownAsBare else { return [] }
    let waits = record.connection.isInBackground || conductor.isRestoring(record) || conductor.machine.phase.isEnding
    if !isHidden && waits { return [] }
    if state.isShown, exchange(&state.isShownAsBare, with: false) {
      return changeBare(window, state, record, isHidden: isHidden)
    }
    var calls = [FeatureAction.callAfterSettling(VisibilityChangeCall(window: window, isHidden: isHidden))]
    if let call = AdoptionCall(window, .hidden(isHidden)) { calls.insert(.callAfterSettling(call), at: 0) }
    if isHidden {
      state.isShown = false
      return [.command(.withdraw(id)), .observe(record)] + calls
        + [.afterSettling([send(.passKey(window, record))])]
    }
    // The program shows the scene again by itself, with the windows that it chooses.
    if id == record.windows.primary { record.windows.hiddenByClose = [] }
    let fitting = fitFirst(state)
    let command = show(state, of: record, window.wantsKey && !record.connection.keepsFocus ? .activated : .quiet)
    window.wantsKey = false
    let actions = [command, .observe(record)] + calls
    return fitting.map { [$0] + actions } ?? actions
  }

  /// The program shows a window for the first time that is on the screen already, or withdraws it.
  private func changeBare(
    _ window: Window, _ state: SceneWindows.State, _ record: SceneRecord, isHidden: Bool
  ) -> [FeatureAction] {
    guard isHidden else { return [.callAfterSettling(VisibilityChangeCall(window: window, isHidden: false))] }
    // The program has not shown it: that it is hidden is no news.
    state.isShown = false
    return [.command(.withdraw(state.id)), .observe(record), .afterSettling([send(.passKey(window, record))])]
  }

  private func show(_ state: SceneWindows.State, of record: SceneRecord, _ appearance: Appearance) -> FeatureAction {
    state.isShown = true
    state.hasBeenShown = true
    return .command(.show(state.id, record.isInteractive ? appearance : .quiet))
  }

  /// An activation brings a scene forward: its primary window is shown and activated.
  private func makeVisible(_ record: SceneRecord) -> [FeatureAction] {
    guard let window = record.primaryWindow, let id = window.id, let state = record.windows[id],
      record.ending == nil, !conductor.machine.phase.isEnding
    else { return [] }
    record.connection.isInBackground = false
    record.connection.keepsFocus = false
    window.isHidden = false
    // Shown when its state has been restored.
    guard !conductor.isRestoring(record) else {
      window.wantsKey = true
      return []
    }
    window.wantsKey = false
    for window in record.windows.hiddenByClose { window.isHidden = false }
    record.windows.hiddenByClose = []
    let wasShown = state.isShown
    // An owner may have hidden by itself what had been seen.
    let isSeen = wasShown && (state.levels.visible || !record.connection.hasBeenInForeground)
    return (fitFirst(state).map { [$0] } ?? []) + [show(state, of: record, .activated)]
      + (isSeen ? [] : AdoptionCall(window, .hidden(false)).map { [.call($0)] } ?? [])
      + (wasShown ? [] : [.call(DidBecomeVisibleCall(window: window))])
      + showWaiting(record) + [.announce(.visibilityMayHaveChanged(record)), .observe(record)]
  }

  private func shownByOwner(_ window: Window, in record: SceneRecord) -> [FeatureAction] {
    guard window.record === record, let id = window.id, let state = record.windows[id], !state.isShown else {
      return []
    }
    state.isShown = true
    state.hasBeenShown = true
    window.isHidden = false
    if id == record.windows.primary { record.connection.isInBackground = false }
    record.windows.hiddenByClose.removeAll { $0 === window }
    return [.observe(record), .callAfterSettling(VisibilityChangeCall(window: window, isHidden: false))]
  }

  private func showWaiting(_ record: SceneRecord) -> [FeatureAction] {
    record.connection.isInBackground = false
    return (record.windowScene?.windows ?? []).filter { !$0.isHidden }.map {
      post(.change($0, record, isHidden: false))
    }
  }

  private func showRestored(_ record: SceneRecord) -> [FeatureAction] {
    activateShown(record) + showWaiting(record) + [.observe(record)]
  }

  /// A window that was to have the focus requests it now, where it is the bare one that was visible all along.
  private func activateShown(_ record: SceneRecord) -> [FeatureAction] {
    guard let window = record.primaryWindow, let id = window.id, window.wantsKey, record.windows[id]?.isShown == true
    else { return [] }
    window.wantsKey = false
    return record.connection.keepsFocus ? [] : makeVisible(record)
  }

  /// A visible window without a scene is reported as an error of the program.
  private func checkAttached(_ window: Window) -> [FeatureAction] {
    guard window.id == nil, !window.isHidden, window.scene?.record == nil, !conductor.machine.phase.isEnding else {
      return []
    }
    return [
      .report(
        "A window that belongs to no scene is not shown. Make it with Window(windowScene:), or set its windowScene.")
    ]
  }

  // MARK: The key window

  private func makeKey(_ window: Window, in record: SceneRecord) -> [FeatureAction] {
    guard window.record === record, let id = window.id, window.canBecomeKey else { return [] }
    // Cleared if showing the window has requested the focus already.
    let isPending = window.wantsKey
    let key = FeatureAction.afterSettling([send(.setKey(window, record))])
    // While its scene's state is being restored the window requests the focus when that is done.
    if conductor.isRestoring(record) { return [key] }
    window.wantsKey = false
    let connection = record.connection
    let mayShow =
      !connection.isInBackground && !connection.keepsFocus && record.isInteractive && !conductor.machine.phase.isEnding
    guard isPending, mayShow, record.windows[id]?.isShown == true else { return [key] }
    return [.command(.show(id, .activated)), key]
  }

  private func adoptedWithFocus(_ window: Window, in record: SceneRecord) -> [FeatureAction] {
    guard let id = window.id, record.windows[id]?.levels.focused == true, record.isInteractive, window.canBecomeKey
    else { return [] }
    return [.afterSettling([send(.setKey(window, record))])]
  }

  /// A hidden window is not key any more; another visible one becomes key, where there is one.
  private func passKey(from window: Window, in record: SceneRecord) -> [FeatureAction] {
    guard let scene = record.windowScene, scene.keyWindow === window else { return [] }
    scene.keyWindow = nil
    return keyLeft(window, in: record)
  }

  /// The scene has had no key window since; another one may have become key.
  private func keyLeft(_ window: Window, in record: SceneRecord) -> [FeatureAction] {
    var new: Window?
    if let scene = record.windowScene, scene.keyWindow == nil {
      new = scene.windows.first { $0 !== window && !$0.isHidden && $0.canBecomeKey }
      scene.keyWindow = new
    }
    return [.call(KeyCall(old: window, new: new))]
  }

  /// Exactly one window of a scene is key.
  private func setKey(_ window: Window, in record: SceneRecord) -> [FeatureAction] {
    guard window.record === record, let scene = record.windowScene, scene.keyWindow !== window else { return [] }
    let old = scene.keyWindow
    scene.keyWindow = window
    return [.call(KeyCall(old: old, new: window))]
  }
}
