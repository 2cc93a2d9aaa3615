import SceneLifecycle

extension World {
  /// Whether a scene that has the focus takes it from its siblings at once: not one that does not count as visible.
  func focusGained(by facts: [ApplicationMachine.Facts]) -> Bool {
    facts.contains { facts in
      guard facts.focused, machine(facts.scene).attachment == .attached else { return false }
      // What becomes visible, or is hidden, with this very batch counts.
      let (scene, _) = SceneMachine.reduce(
        machine(facts.scene),
        .observe(
          SceneObservation(
            visible: facts.visible, focused: true, visibleFall: facts.isWithdrawn ? .atOnce : .held)))
      return scene.countsAsVisible && (facts.visible || times.inactive > .zero && times.background > .zero)
    }
  }

  /// Since when what is untrue has been untrue, kept apart from what the law believes.
  mutating func remember(_ facts: ApplicationMachine.Facts, siblingGains: Bool) {
    let index = facts.scene
    func since(_ old: Int?, _ isTrue: Bool) -> Int? { isTrue ? nil : old ?? now }
    // What was never seen by this connection has been untrue forever.
    scenes[index].hiddenSince =
      facts.visible ? nil : facts.isWithdrawn ? -.max : since(scenes[index].hiddenSince, false)
    let losesAtOnce = siblingGains || (!facts.visible && facts.isWithdrawn)
    scenes[index].unfocusedSince =
      facts.focused ? nil : losesAtOnce ? -.max : since(scenes[index].unfocusedSince, false)
    scenes[index].grabbedSince = since(scenes[index].grabbedSince, !facts.grabbed)
  }

  /// A sibling has the focus now: whose focus still counted has lost it.
  mutating func rememberSibling(_ index: Int) {
    if isConnected(index), !isFocused(index), scenes[index].unfocusedSince != nil {
      scenes[index].unfocusedSince = -.max
    }
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
      if machine(index).attachment != .attached { fail("scene \(index) connects unasked") }
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
    let activation = scene.activation
    let machine = machine(index)
    if activation != machine.activation { fail("scene \(index) stands in \(activation), the law says \(machine)") }
    if activation != machine.target { fail("scene \(index) did not arrive: \(machine)") }
    let running = Set(scene.deadlines.keys)
    if running != SceneSheet.holds(in: machine) {
      fail("scene \(index) has the deadlines \(running.map(\.rawValue)) in \(machine)")
    }
    if !isConnected(index) {
      if activation != .unattached { fail("scene \(index) is \(activation) without a connection") }
      return
    }
    let range = allowed(index)
    if !range.contains(activation) {
      fail("scene \(index) is \(activation), its facts allow \(range): \(scene), focus \(String(describing: focus))")
    }
  }

  private func allowed(_ index: Int) -> ClosedRange<ActivationState> {
    let (scene, machine) = (scenes[index], machine(index))
    if isLocked || law.phase == .concealing { return .background ... .background }
    func lasted(_ since: Int?) -> Int { since.map { $0 == -.max ? .max : now - $0 } ?? -1 }
    func wasChanging(_ since: Int?) -> Bool { lastChange.map { $0 >= since ?? .max } ?? false }
    let hidden = lasted(scene.hiddenSince)
    let long =
      wasChanging(scene.hiddenSince)
      ? (times.background + times.windowManagerChange).milliseconds : times.background.milliseconds
    if hidden >= long { return .background ... .background }
    let unfocused = lasted(scene.unfocusedSince)
    let focusLong =
      wasChanging(scene.unfocusedSince)
      ? (times.focus + times.windowManagerChange).milliseconds : times.focus.milliseconds
    let grabbed = lasted(scene.grabbedSince)
    let isSibling =
      focus.map { $0 != index && self.machine($0).attachment == .attached && self.machine($0).countsAsVisible }
      ?? false
    let mayBeFocused = machine.policy == .whenVisible || (unfocused < focusLong && !isSibling)
    let isInterrupted = machine.interrupted || grabbed >= times.grab.milliseconds
    let mayBeActive = hidden < times.inactive.milliseconds && mayBeFocused && !isInterrupted
    let upper = mayBeActive ? ActivationState.foregroundActive : .foregroundInactive
    // What has risen acts at once.
    let mustBeFocused = machine.policy == .whenVisible || isFocused(index)
    if scene.isVisible {
      return (mustBeFocused && !isInterrupted ? ActivationState.foregroundActive : .foregroundInactive)...upper
    }
    return .background...upper
  }

  /// The old scene has resigned before the new one becomes active.
  private mutating func checkActive(_ moment: String) {
    let active = scenes.indices.filter {
      scenes[$0].activation == .foregroundActive && machine($0).policy == .whenFocused
    }
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
    for index in scenes.indices where isConnected(index) {
      let (scene, machine) = (scenes[index], machine(index))
      let isActive =
        !machine.interrupted && !(isFocused(index) && isGrabbed)
        && (machine.policy == .whenVisible || isFocused(index))
      let place: ActivationState =
        !scene.isVisible || isLocked ? .background : isActive ? .foregroundActive : .foregroundInactive
      if scene.activation != place { fail("scene \(index) rests in \(machine), not in \(place)") }
    }
  }
}
