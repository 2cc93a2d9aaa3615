/// The life cycle of the whole program: launch, its scenes, the aggregate of their states, and termination.
///
/// A total function of (state, input) to (state, effects), written as a change of the state in place. It owns the
/// machines of its scenes. A batch ends with ``Input/settle``, whose effects are all scene edges and application edges
/// in the order in which they run: scenes that go down walk first, then those that go up; an application edge runs
/// right after the scene edge that makes it true, and only for the difference between the ends of batches.
package enum ApplicationMachine {
  /// Where the program stands between launch and end.
  package enum Phase: Hashable, Sendable, CaseIterable {
    /// Nothing has been called yet.
    case notLaunched
    /// The launch callbacks run.
    case launching
    /// The launch callbacks have returned, and no scene decides the program's state yet.
    case launched
    /// The state is the aggregate of the scenes.
    case running
    /// The program ends; scenes go to the background.
    case concealing
    /// The program ends; scenes are disconnected.
    case disconnecting
    /// The last callback has been asked for.
    case terminated

    /// Whether the launch callbacks have returned and the program does not end.
    package var isLaunched: Bool {
      switch self {
      case .launched, .running: true
      case .notLaunched, .launching, .concealing, .disconnecting, .terminated: false
      }
    }

    /// Whether the program ends, so that every connected scene belongs in the background.
    package var isEnding: Bool {
      switch self {
      case .concealing, .disconnecting, .terminated: true
      case .notLaunched, .launching, .launched, .running: false
      }
    }
  }

  /// All that the machine knows of the program.
  package struct State: Hashable, Sendable {
    /// Where the program stands.
    package var phase = Phase.notLaunched
    /// The value of `applicationState`.
    package var application = ApplicationState.background
    /// Whether a resign is held because the active scene left while another is visible.
    package var isResignHeld = false
    /// The life-cycle model in force.
    package var model = LifecycleModel.sceneBased
    /// The machines of the scenes.
    package var scenes = SceneTable()

    /// A program before its launch.
    package init() {}
  }

  /// The facts of the windows of one scene at the end of a batch.
  package struct Facts: Hashable, Sendable {
    /// The scene.
    package var scene: SceneNumber
    /// Any of its windows is visible.
    package var visible = false
    /// Any of its windows has the keyboard focus.
    package var focused = false
    /// Another client holds the keyboard while the scene has the focus.
    package var grabbed = false
    /// No window of the scene can come back by itself: the program has withdrawn all of them.
    package var isWithdrawn = false

    /// The facts of a scene that has no window.
    package init(_ scene: SceneNumber) { self.scene = scene }
  }

  /// An event of the program's life cycle.
  package enum Input: Hashable, Sendable {
    /// The program starts; `foreground` if a scene is going to be shown.
    case launch(foreground: Bool)
    /// Both launch callbacks have returned.
    case launched
    /// The requests of the launch have been performed, and no window is going to be shown.
    case nothingShown
    /// Something happened to one scene.
    case scene(SceneNumber, SceneMachine.Input)
    /// A batch has ended with these facts, in order of connection; `changing` while the window manager is.
    case observe([Facts], changing: Bool)
    /// Every scene walks to its target.
    case settle
    /// The held resign is due.
    case resignExpired
    /// The program is to end.
    case terminate
    /// Every scene has reached the background.
    case concealed
    /// Every scene has been disconnected.
    case disconnected
  }

  /// An action that the shell performs, in this order.
  package enum Effect: Hashable, Sendable {
    /// `applicationState` becomes this without an edge.
    case assume(ApplicationState)
    /// Call the two launch callbacks, then send `.launched`.
    case callLaunchPair
    /// An action of the machine of one scene.
    case scene(SceneNumber, SceneMachine.Effect)
    /// Walk one edge of the application.
    case application(ApplicationEdge)
    /// The scene is interrupted from now on: releases of pressed keys and buttons are dropped.
    case withholdInput(SceneNumber)
    /// Send `.resignExpired` after `HoldTimes.application`.
    case holdResign
    /// Cancel the held resign.
    case releaseResign
    /// Send every scene to the background, then send `.concealed`.
    case conceal
    /// Disconnect every scene, then send `.disconnected`.
    case disconnect
    /// Call `applicationWillTerminate` and end.
    case terminate
  }

  /// Applies an input to the state.
  /// - Parameters:
  ///   - state: The program's state, changed in place.
  ///   - input: The input.
  /// - Returns: The effects, in the order in which they are performed.
  package static func reduce(_ state: inout State, _ input: Input) -> [Effect] {
    switch input {
    case .launch(let foreground): return launch(&state, foreground: foreground)
    case .launched: return advance(&state, from: .launching, to: .launched)
    case .nothingShown: return nothingShown(&state)
    case .scene(let number, let input):
      var effects: [Effect] = []
      apply(input, to: number, &state, &effects)
      return effects
    case .observe(let facts, let changing): return observe(&state, facts, changing: changing)
    case .settle: return settle(&state)
    case .resignExpired: return resignExpired(&state)
    case .terminate: return terminate(&state)
    case .concealed: return advance(&state, from: .concealing, to: .disconnecting, [.disconnect])
    case .disconnected: return advance(&state, from: .disconnecting, to: .terminated, [.terminate])
    }
  }

  // MARK: Launch and end

  /// Goes from one phase to the next; nothing happens in any other phase.
  private static func advance(
    _ state: inout State, from phase: Phase, to next: Phase, _ effects: [Effect] = []
  ) -> [Effect] {
    guard state.phase == phase else { return [] }
    state.phase = next
    return effects
  }

  private static func launch(_ state: inout State, foreground: Bool) -> [Effect] {
    guard state.phase == .notLaunched else { return [] }
    state.phase = .launching
    state.application = foreground ? .inactive : .background
    return [.assume(state.application), .callLaunchPair]
  }

  /// In the app-based model a launch that shows nothing enters the background, from any state (UIKit's rule for the
  /// app-based model).
  private static func nothingShown(_ state: inout State) -> [Effect] {
    guard state.phase == .launched else { return [] }
    state.phase = .running
    state.application = .background
    switch state.model {
    case .sceneBased: return [.assume(.background)]
    case .appBased: return [.application(.applicationDidEnterBackground)]
    }
  }

  private static func terminate(_ state: inout State) -> [Effect] {
    guard !state.phase.isEnding else { return [] }
    state.phase = .concealing
    return [.conceal]
  }

  // MARK: Facts of scenes

  private static func apply(
    _ input: SceneMachine.Input, to number: SceneNumber, _ state: inout State, _ effects: inout [Effect]
  ) {
    let old = state.scenes[number]
    let (scene, sceneEffects) = SceneMachine.reduce(old, input)
    state.scenes[number] = scene
    if scene.isInterrupted, !old.isInterrupted { effects.append(.withholdInput(number)) }
    for effect in sceneEffects { effects.append(.scene(number, effect)) }
  }

  /// Scenes with the focus first: a scene that counts as visible takes the focus from its siblings at once, one that
  /// does not takes it from none, because it could not become active.
  private static func observe(_ state: inout State, _ facts: [Facts], changing: Bool) -> [Effect] {
    var effects: [Effect] = []
    var isGained = false
    for facts in facts where facts.focused {
      apply(.observe(observation(facts, siblingGains: false, changing)), to: facts.scene, &state, &effects)
      if state.scenes[facts.scene].countsAsVisible { isGained = true }
    }
    for facts in facts where !facts.focused {
      apply(.observe(observation(facts, siblingGains: isGained, changing)), to: facts.scene, &state, &effects)
    }
    // A scene that lost the focus in an earlier batch resigns now.
    if isGained { for number in state.scenes.lingering { apply(.siblingGainedFocus, to: number, &state, &effects) } }
    return effects
  }

  private static func observation(_ facts: Facts, siblingGains: Bool, _ changing: Bool) -> SceneObservation {
    let fall: Fall = changing ? .heldLong : .held
    let losesFocusAtOnce = !facts.focused && (siblingGains || (!facts.visible && facts.isWithdrawn))
    return SceneObservation(
      visible: facts.visible, focused: facts.focused, grabbed: facts.grabbed,
      visibleFall: facts.isWithdrawn ? .atOnce : fall, focusFall: losesFocusAtOnce ? .atOnce : fall)
  }

  // MARK: Settling

  /// From where to where one scene walks.
  private struct Walk {
    var scene: SceneNumber
    var from: ActivationState
    var to: ActivationState
    /// Its windows are hidden: it is on its way to the background, or at least appears to be.
    var isHidden: Bool

    var turn: Turn {
      if to > from { return .up }
      return from == .foregroundActive ? .downFromActive : .down
    }
  }

  /// The order of the walks, within a turn that of connection.
  ///
  /// Down before up; among those going down the most active first, so that it has resigned before the others move.
  private enum Turn: CaseIterable {
    case downFromActive, down, up
  }

  private static func settle(_ state: inout State) -> [Effect] {
    let walks = state.scenes.pending.map { number in
      let scene = state.scenes[number]
      return Walk(scene: number, from: scene.activation, to: scene.target, isHidden: scene.isHidden)
    }
    let others = state.scenes.mostActiveOfResting
    var effects = beginAggregate(&state, walks)
    switch state.phase {
    case .notLaunched, .launching, .launched: walk(walks, &state, to: nil, &effects)
    case .running, .concealing, .disconnecting, .terminated:
      let aggregate = ApplicationState(mostActive: walks.reduce(others) { max($0, $1.to) })
      let isHeld = isLeaving(state, walks, others, aggregate: aggregate)
      if isHeld != state.isResignHeld { effects.append(isHeld ? .holdResign : .releaseResign) }
      state.isResignHeld = isHeld
      walk(walks, &state, to: isHeld ? state.application : aggregate, &effects)
    }
    return effects
  }

  private static func resignExpired(_ state: inout State) -> [Effect] {
    guard state.isResignHeld else { return [] }
    state.isResignHeld = false
    var effects: [Effect] = []
    walkApplication(to: ApplicationState(mostActive: state.scenes.mostActive), &state, &effects)
    return effects
  }

  /// From the first connection on the state is the aggregate; in the app-based model, where the implicit scene
  /// belongs to the launch, from the first scene that comes to the foreground.
  private static func beginAggregate(_ state: inout State, _ walks: [Walk]) -> [Effect] {
    guard state.phase == .launched else { return [] }
    switch state.model {
    case .sceneBased:
      guard walks.contains(where: { $0.to != .unattached }) else { return [] }
      state.application = .background
    case .appBased:
      guard walks.contains(where: { $0.to > .background }) else { return [] }
    }
    state.phase = .running
    return [.assume(state.application)]
  }

  /// Whether the active scene leaves while another stays visible: the focus is probably on its way to it.
  private static func isLeaving(
    _ state: State, _ walks: [Walk], _ others: ActivationState, aggregate: ApplicationState
  ) -> Bool {
    guard state.phase == .running, state.application == .active, aggregate == .inactive else { return false }
    if state.isResignHeld { return true }
    let staying = walks.reduce(others) { $1.isHidden ? $0 : max($0, $1.to) }
    guard staying == .foregroundInactive else { return false }
    return walks.contains { $0.from == .foregroundActive && ($0.to <= .background || $0.isHidden) }
  }

  /// The edges of all walks in order, with the application's on the way to its end.
  ///
  /// `end` is the target of the application; nil where its state does not follow the scenes yet.
  private static func walk(
    _ walks: [Walk], _ state: inout State, to end: ApplicationState?, _ effects: inout [Effect]
  ) {
    // As many edges as a change of the focus has: one allocation for all of them.
    if !walks.isEmpty { effects.reserveCapacity(effects.count + 4) }
    for turn in Turn.allCases {
      for walk in walks where walk.turn == turn {
        while let edge = state.scenes.step(walk.scene) {
          effects.append(.scene(walk.scene, .edge(edge)))
          walkApplication(to: end, &state, &effects)
        }
      }
    }
    walkApplication(to: end, &state, &effects)
  }

  /// The application's edges that have become true.
  private static func walkApplication(to end: ApplicationState?, _ state: inout State, _ effects: inout [Effect]) {
    guard let end else { return }
    while let edge = ApplicationEdge.first(from: state.application, to: end) {
      let aggregate = ApplicationState(mostActive: state.scenes.mostActive)
      guard edge.to > state.application ? aggregate >= edge.to : aggregate <= edge.to else { return }
      effects.append(.application(edge))
      state.application = edge.to
    }
  }
}

/// One step of the whole program between neighbouring states.
package enum ApplicationEdge: String, Hashable, Sendable, CaseIterable {
  case applicationWillEnterForeground
  case applicationDidBecomeActive
  case applicationWillResignActive
  case applicationDidEnterBackground

  /// The state that the step arrives at.
  package var to: ApplicationState {
    switch self {
    case .applicationWillEnterForeground, .applicationWillResignActive: .inactive
    case .applicationDidBecomeActive: .active
    case .applicationDidEnterBackground: .background
    }
  }

  /// Whether the callback runs before the state changes (`will...`) or after it (`did...`).
  package var isAnnouncement: Bool {
    switch self {
    case .applicationWillEnterForeground, .applicationWillResignActive: true
    case .applicationDidBecomeActive, .applicationDidEnterBackground: false
    }
  }

  /// The first step on the way from one state to another; nil where they are the same.
  package static func first(from state: ApplicationState, to target: ApplicationState) -> ApplicationEdge? {
    if state == target { return nil }
    let up = state < target
    switch state {
    case .background: return .applicationWillEnterForeground
    case .inactive: return up ? .applicationDidBecomeActive : .applicationDidEnterBackground
    case .active: return .applicationWillResignActive
    }
  }
}

/// The number of a scene in the machines; ascending in the order of connection.
package typealias SceneNumber = Int

/// The machines of all scenes, by number, and how many scenes stand in each state.
package struct SceneTable: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var number: SceneNumber
    var scene: SceneMachine.State
  }

  /// A number for each state; no array, because a copy of one is changed at every change of the focus.
  private struct Counts: Hashable, Sendable {
    private var unattached = 0
    private var background = 0
    private var foregroundInactive = 0
    private var foregroundActive = 0

    mutating func add(_ change: Int, to state: ActivationState) {
      switch state {
      case .unattached: unattached += change
      case .background: background += change
      case .foregroundInactive: foregroundInactive += change
      case .foregroundActive: foregroundActive += change
      }
    }

    var mostActive: ActivationState {
      if foregroundActive > 0 { return .foregroundActive }
      if foregroundInactive > 0 { return .foregroundInactive }
      return background > 0 ? .background : .unattached
    }
  }

  /// Ascending by number.
  private var entries: [Entry] = []
  /// How many scenes stand in each state.
  private var counts = Counts()
  /// Scenes that do not stand at their target, ascending.
  package private(set) var pending: [SceneNumber] = []
  /// Scenes whose lost focus still counts, ascending.
  package private(set) var lingering: [SceneNumber] = []

  /// No scenes.
  package init() {}

  /// The most active state in which a scene stands.
  package var mostActive: ActivationState { counts.mostActive }

  /// The most active state in which a scene stands that is at its target.
  package var mostActiveOfResting: ActivationState {
    guard !pending.isEmpty else { return mostActive }
    // Loops, here and below: these run at every change of focus, and the generic algorithms cost more than they save.
    var counts = counts
    for number in pending { counts.add(-1, to: self[number].activation) }
    return counts.mostActive
  }

  /// One scene; a scene that has never been set is a new one.
  package subscript(number: SceneNumber) -> SceneMachine.State {
    get {
      let index = place(of: number)
      return index < entries.count && entries[index].number == number ? entries[index].scene : SceneMachine.State()
    }
    set {
      let index = place(of: number)
      if index < entries.count, entries[index].number == number {
        counts.add(-1, to: entries[index].scene.activation)
        entries[index].scene = newValue
      } else {
        entries.insert(Entry(number: number, scene: newValue), at: index)
      }
      counts.add(1, to: newValue.activation)
      Self.mark(number, in: &pending, newValue.activation != newValue.target)
      Self.mark(number, in: &lingering, newValue.focus == .lingering || newValue.focus == .lingeringLong)
    }
  }

  /// Walks a scene one edge towards its target.
  /// - Returns: The edge; nil where the scene stands at its target.
  package mutating func step(_ number: SceneNumber) -> SceneEdge? {
    var scene = self[number]
    guard let edge = SceneMachine.step(&scene) else { return nil }
    self[number] = scene
    return edge
  }

  /// Removes a scene.
  package mutating func remove(_ number: SceneNumber) {
    let index = place(of: number)
    guard index < entries.count, entries[index].number == number else { return }
    counts.add(-1, to: entries[index].scene.activation)
    entries.remove(at: index)
    Self.mark(number, in: &pending, false)
    Self.mark(number, in: &lingering, false)
  }

  /// Where a number is, or belongs.
  private func place(of number: SceneNumber) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func mark(_ number: SceneNumber, in list: inout [SceneNumber], _ isMarked: Bool) {
    var index = list.count
    while index > 0, list[index - 1] > number { index -= 1 }
    let isThere = index > 0 && list[index - 1] == number
    if isMarked, !isThere { list.insert(number, at: index) }
    if !isMarked, isThere { list.remove(at: index - 1) }
  }
}
