import SceneLifecycle

extension World {
  /// Since when what is untrue has been untrue, kept apart from what the law believes.
  mutating func remember(_ facts: SceneObservation, of index: Int) {
    func since(_ old: Int?, _ isTrue: Bool) -> Int? { isTrue ? nil : old ?? now }
    // What was never seen by this connection has been untrue forever.
    scenes[index].hiddenSince =
      facts.visible ? nil : facts.visibleFall == .atOnce ? -.max : since(scenes[index].hiddenSince, false)
    scenes[index].unfocusedSince =
      facts.focused ? nil : facts.focusFall == .atOnce ? -.max : since(scenes[index].unfocusedSince, false)
    scenes[index].grabbedSince = since(scenes[index].grabbedSince, !facts.grabbed)
  }

  // MARK: At every edge

  mutating func checkEdge(_ edge: SceneEdge, of index: Int, from old: ActivationState, to new: ActivationState) {
    heard.append("\(index) \(edge)")
    if edge.from != old || edge.to != new { fail("\(edge) of scene \(index) walks from \(old) to \(new)") }
    if abs(old.rank - new.rank) != 1 { fail("scene \(index) skips a state: \(old) to \(new)") }
    if hasEnded { fail("\(edge) of scene \(index) after the end") }
    let last = scenes[index].lastEdge
    let isNew = last == nil || last == .sceneDidDisconnect
    if isNew != (edge == .sceneWillConnect) { fail("\(edge) of scene \(index) after \(last?.rawValue ?? "nothing")") }
    scenes[index].lastEdge = edge
    switch edge {
    case .sceneWillConnect:
      if scenes[index].machine.attachment != .attached { fail("scene \(index) connects unasked") }
    case .sceneDidDisconnect:
      scenes[index].hiddenSince = -.max
      scenes[index].unfocusedSince = -.max
      scenes[index].grabbedSince = nil
    case .sceneDidBecomeActive: checkActive("after \(heard.suffix(2))")
    case .sceneWillEnterForeground, .sceneWillResignActive, .sceneDidEnterBackground: break
    }
  }

  /// The edge has become true, with the scene edge just before it unless it had waited.
  mutating func checkApplicationEdge(_ edge: ApplicationEdge) {
    heard.append("application \(edge)")
    let isUp = edge.to > applicationState
    if abs(edge.to.rank - applicationState.rank) != 1, law.model != .appBased { fail("\(edge) skips a state") }
    if isUp ? aggregate < edge.to : aggregate > edge.to { fail("\(edge) while the aggregate is \(aggregate)") }
    if wasAggregate {
      let before = aggregateBefore
      let wasTrue = before.map { isUp ? $0 >= edge.to : $0 <= edge.to } ?? true
      if wasTrue { fail("\(edge) does not come right after the scene edge that makes it true") }
    }
    applicationState = edge.to
    aggregateBefore = nil
  }

  // MARK: At the end of every batch

  mutating func checkBatch() {
    guard failure == nil else { return }
    for index in scenes.indices { checkScene(index) }
    checkApplication()
    if heard.count > 4000 { heard.removeFirst(2000) }
  }

  /// Where the facts, and how long they have been untrue, allow a scene to stand.
  private mutating func checkScene(_ index: Int) {
    let scene = scenes[index]
    let activation = scene.machine.activation
    if activation != scene.machine.target { fail("scene \(index) did not arrive: \(scene.machine)") }
    let running = Set(scene.deadlines.keys)
    if running != SceneSheet.holds(in: scene.machine) {
      fail("scene \(index) has the deadlines \(running.map(\.rawValue)) in \(scene.machine)")
    }
    if !scene.isConnected {
      if activation != .unattached { fail("scene \(index) is \(activation) without a connection") }
      return
    }
    let range = allowed(index)
    if !range.contains(activation) {
      fail("scene \(index) is \(activation), its facts allow \(range): \(scene), focus \(String(describing: focus))")
    }
  }

  private func allowed(_ index: Int) -> ClosedRange<ActivationState> {
    let scene = scenes[index]
    if isLocked || law.phase == .concealing { return .background ... .background }
    func lasted(_ since: Int?) -> Int { since.map { $0 == -.max ? .max : now - $0 } ?? -1 }
    func wasChanging(_ since: Int?) -> Bool { lastChange.map { $0 >= since ?? .max } ?? false }
    let hidden = lasted(scene.hiddenSince)
    let long = wasChanging(scene.hiddenSince) ? times.background + times.windowManagerChange : times.background
    if hidden >= long { return .background ... .background }
    let unfocused = lasted(scene.unfocusedSince)
    let focusLong = wasChanging(scene.unfocusedSince) ? times.focus + times.windowManagerChange : times.focus
    let grabbed = lasted(scene.grabbedSince)
    let isSibling =
      focus.map { $0 != index && scenes[$0].machine.attachment == .attached && scenes[$0].machine.countsAsVisible }
      ?? false
    let mayBeFocused = scene.machine.policy == .whenVisible || (unfocused < focusLong && !isSibling)
    let isInterrupted = scene.machine.interrupted || grabbed >= times.grab
    let mayBeActive = hidden < times.inactive && mayBeFocused && !isInterrupted
    let upper = mayBeActive ? ActivationState.foregroundActive : .foregroundInactive
    // What has risen acts at once.
    let mustBeFocused = scene.machine.policy == .whenVisible || isFocused(index)
    if scene.isVisible {
      return (mustBeFocused && !isInterrupted ? ActivationState.foregroundActive : .foregroundInactive)...upper
    }
    return .background...upper
  }

  /// The old scene has resigned before the new one becomes active.
  private mutating func checkActive(_ moment: String) {
    let active = scenes.filter { $0.machine.activation == .foregroundActive && $0.machine.policy == .whenFocused }
    if active.count > 1 { fail("\(active.count) scenes are active with one focus, \(moment)") }
  }

  private mutating func checkApplication() {
    if (resignDue != nil) != law.isResignHeld { fail("resign held: \(law.isResignHeld), due \(resignDue ?? -1)") }
    if applicationState != law.application { fail("\(applicationState) was told, \(law.application) is meant") }
    checkActive("after a batch")
    guard law.phase == .running else { return }
    let isHeld = law.isResignHeld && applicationState == .active && aggregate == .inactive
    if !isHeld && applicationState != aggregate { fail("the application is \(applicationState) among \(aggregate)") }
    if law.isResignHeld && !isHeld { fail("a resign is held for nothing") }
  }

  /// Once all holds have expired every scene stands where its facts say, and nothing runs any more.
  mutating func checkRest() {
    guard failure == nil, !hasEnded else { return }
    if !deadlines.isEmpty { fail("deadlines run at rest: \(deadlines)") }
    for index in scenes.indices where scenes[index].isConnected {
      let scene = scenes[index]
      let isActive =
        !scene.machine.interrupted && !(isFocused(index) && isGrabbed)
        && (scene.machine.policy == .whenVisible || isFocused(index))
      let place: ActivationState =
        !scene.isVisible || isLocked ? .background : isActive ? .foregroundActive : .foregroundInactive
      if scene.machine.activation != place { fail("scene \(index) rests in \(scene.machine), not in \(place)") }
    }
  }
}
