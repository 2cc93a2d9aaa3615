/// Which of UIKit's two life-cycle models is in force.
public enum LifecycleModel: Hashable, Sendable, CaseIterable {
  /// Every scene has a delegate of its own; the application delegate hears of launch and end.
  case sceneBased
  /// One implicit scene without a delegate; the application delegate hears of everything.
  case appBased
}

/// The law of the whole program: launch, the aggregate of its scenes' states, and its end.
///
/// A pure total function of (state, input) to (state, effects). Batches are settled all at once: the machine is
/// told from where to where each scene walks, and answers with every scene edge and every application edge in
/// the order in which they run. Scenes going down walk first, then those going up; an application edge runs
/// right after the scene edge that makes it true, and only for the difference between the ends of batches.
public enum ApplicationMachine {
  /// Where the program stands between launch and end.
  public enum Phase: Hashable, Sendable, CaseIterable {
    /// Nothing has been called yet.
    case notLaunched
    /// The launch callbacks run.
    case launching
    /// The launch callbacks have returned, and no scene has spoken for the program yet.
    case launched
    /// The state is the aggregate of the scenes.
    case running
    /// The program ends; scenes go to the background.
    case concealing
    /// The program ends; scenes are disconnected.
    case disconnecting
    /// The last callback has been asked for.
    case terminated
  }

  /// All that the machine knows of the program.
  public struct State: Hashable, Sendable {
    /// Where the program stands.
    public var phase: Phase
    /// What `applicationState` says.
    public var application: ApplicationState
    /// Whether a resign is held because the active scene left while another is visible.
    public var isResignHeld: Bool
    /// The life-cycle model in force.
    public var model: LifecycleModel

    /// A program before its launch, or any other state for a test.
    public init(
      phase: Phase = .notLaunched, application: ApplicationState = .background, isResignHeld: Bool = false,
      model: LifecycleModel = .sceneBased
    ) {
      self.phase = phase
      self.application = application
      self.isResignHeld = isResignHeld
      self.model = model
    }
  }

  /// From where to where one scene walks.
  ///
  /// Scenes that stay where they are need not be listed: for them it is enough to know where the most active one
  /// stands.
  public struct Walk: Hashable, Sendable {
    /// The scene, as a number that the shell chose.
    public var scene: Int
    /// Where it stands.
    public var from: ActivationState
    /// Where it is going.
    public var to: ActivationState
    /// Its windows have gone out of sight: it is on its way to the background, or at least looks like it.
    public var isHidden: Bool

    /// A walk of one scene.
    public init(scene: Int, from: ActivationState, to: ActivationState, isHidden: Bool = false) {
      self.scene = scene
      self.from = from
      self.to = to
      self.isHidden = isHidden
    }
  }

  /// What can happen to the program.
  public enum Input: Hashable, Sendable {
    /// The program starts; `foreground` if a scene is going to be shown.
    case launch(foreground: Bool)
    /// Both launch callbacks have returned.
    case launched
    /// Everything that the launch asked for has been done, and no window is going to be shown.
    case nothingShown
    /// A batch has ended: these scenes walk, in order of connection, and the most active of the others stands there.
    case settle([Walk], others: ActivationState)
    /// The held resign is due, and the most active scene stands there.
    case expired(others: ActivationState)
    /// The program is to end.
    case terminate
    /// Every scene has reached the background.
    case concealed
    /// Every scene has been disconnected.
    case disconnected
  }

  /// What the shell has to do, in this order.
  public enum Effect: Hashable, Sendable {
    /// `applicationState` becomes this without an edge.
    case assume(ApplicationState)
    /// Call the two launch callbacks, and say `.launched`.
    case callLaunchPair
    /// Let one scene walk one edge.
    case scene(Int, SceneEdge)
    /// Walk one edge of the application.
    case application(ApplicationEdge)
    /// Say `.expired` after `HoldTimes.application`.
    case holdResign
    /// Forget the held resign.
    case releaseResign
    /// Send every scene to the background, and say `.concealed`.
    case conceal
    /// Disconnect every scene, and say `.disconnected`.
    case disconnect
    /// Call `applicationWillTerminate` and end.
    case terminate
  }

  /// The law itself.
  public static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch input {
    case .launch(let foreground): return launch(state, foreground: foreground)
    case .launched: return launched(state)
    case .nothingShown: return nothingShown(state)
    case .settle(let walks, let others): return settle(state, walks, others)
    case .expired(let others): return expired(state, others)
    case .terminate: return terminate(state)
    case .concealed:
      guard state.phase == .concealing else { return (state, []) }
      var next = state
      next.phase = .disconnecting
      return (next, [.disconnect])
    case .disconnected:
      guard state.phase == .disconnecting else { return (state, []) }
      var next = state
      next.phase = .terminated
      return (next, [.terminate])
    }
  }

  private static func launch(_ state: State, foreground: Bool) -> (State, [Effect]) {
    guard state.phase == .notLaunched else { return (state, []) }
    var next = state
    next.phase = .launching
    next.application = foreground ? .inactive : .background
    return (next, [.assume(next.application), .callLaunchPair])
  }

  private static func launched(_ state: State) -> (State, [Effect]) {
    guard state.phase == .launching else { return (state, []) }
    var next = state
    next.phase = .launched
    return (next, [])
  }

  /// An application without scenes of its own hears of a launch that shows nothing as of an entry to the
  /// background, whatever its state was (UIKit's rule for the app-based model).
  private static func nothingShown(_ state: State) -> (State, [Effect]) {
    guard state.phase == .launched else { return (state, []) }
    var next = state
    next.phase = .running
    next.application = .background
    switch state.model {
    case .sceneBased: return (next, [.assume(.background)])
    case .appBased: return (next, [.application(.applicationDidEnterBackground)])
    }
  }

  private static func terminate(_ state: State) -> (State, [Effect]) {
    switch state.phase {
    case .concealing, .disconnecting, .terminated: return (state, [])
    case .notLaunched, .launching, .launched, .running: break
    }
    var next = state
    next.phase = .concealing
    return (next, [.conceal])
  }

  private static func settle(
    _ state: State, _ walks: [Walk], _ others: ActivationState
  ) -> (State, [Effect]) {
    let start = beginAggregate(state, walks)
    let aggregate = ApplicationState(mostActive: max(others, mostActive(walks)))
    guard start.phase != .launched && start.phase != .launching && start.phase != .notLaunched else {
      return (start, scenesOnly(walks))
    }
    let held = isLeaving(start, walks, others, aggregate: aggregate)
    var next = start
    next.application = held ? start.application : aggregate
    next.isResignHeld = held
    let hold: [Effect] =
      switch (start.isResignHeld, held) {
      case (false, true): [.holdResign]
      case (true, false): [.releaseResign]
      case (false, false), (true, true): []
      }
    let assumption: [Effect] = start.phase == state.phase ? [] : [.assume(start.application)]
    return (next, assumption + hold + interleave(walks, others, from: start.application, to: next.application))
  }

  /// Where the most active of some walks leads.
  ///
  /// A closure and no key path: this runs at every change of focus, and a key path is made at run time.
  private static func mostActive(_ walks: [Walk]) -> ActivationState {
    walks.reduce(.unattached) { max($0, $1.to) }
  }

  private static func expired(_ state: State, _ others: ActivationState) -> (State, [Effect]) {
    guard state.isResignHeld else { return (state, []) }
    var next = state
    next.isResignHeld = false
    next.application = ApplicationState(mostActive: others)
    return (next, interleave([], others, from: state.application, to: next.application))
  }

  /// From the first connection on the state is the aggregate; in the app-based model, where the implicit scene
  /// belongs to the launch, from the first scene that comes to the foreground.
  private static func beginAggregate(_ state: State, _ walks: [Walk]) -> State {
    guard state.phase == .launched else { return state }
    var next = state
    switch state.model {
    case .sceneBased:
      guard walks.contains(where: { $0.to != .unattached }) else { return state }
      next.application = .background
    case .appBased:
      guard walks.contains(where: { $0.to > .background }) else { return state }
    }
    next.phase = .running
    return next
  }

  /// Whether the active scene leaves while another stays visible: the focus is probably on its way to it.
  private static func isLeaving(
    _ state: State, _ walks: [Walk], _ others: ActivationState, aggregate: ApplicationState
  ) -> Bool {
    guard state.phase == .running, state.application == .active, aggregate == .inactive else { return false }
    if state.isResignHeld { return true }
    let staying = walks.reduce(.unattached) { $1.isHidden ? $0 : max($0, $1.to) }
    guard max(others, staying) == .foregroundInactive else { return false }
    return walks.contains { $0.from == .foregroundActive && ($0.to <= .background || $0.isHidden) }
  }

  /// The edges of a program whose own state does not follow its scenes yet.
  private static func scenesOnly(_ walks: [Walk]) -> [Effect] {
    ordered(walks).flatMap { walk in
      SceneEdge.walk(from: walk.from, to: walk.to).map { .scene(walk.scene, $0) }
    }
  }

  private static func interleave(
    _ walks: [Walk], _ others: ActivationState, from start: ApplicationState, to end: ApplicationState
  ) -> [Effect] {
    var effects: [Effect] = []
    // The focus moves between two scenes: the application has no part in it.
    if start == end {
      for walk in ordered(walks) {
        for edge in SceneEdge.walk(from: walk.from, to: walk.to) { effects.append(.scene(walk.scene, edge)) }
      }
      return effects
    }
    var application = start
    var states = Dictionary(walks.map { ($0.scene, $0.from) }, uniquingKeysWith: { first, _ in first })
    func walkApplication() {
      while let edge = ApplicationEdge.first(from: application, to: end) {
        let aggregate = ApplicationState(mostActive: max(others, states.values.max() ?? .unattached))
        guard edge.to > application ? aggregate >= edge.to : aggregate <= edge.to else { return }
        effects.append(.application(edge))
        application = edge.to
      }
    }
    for walk in ordered(walks) {
      for edge in SceneEdge.walk(from: walk.from, to: walk.to) {
        effects.append(.scene(walk.scene, edge))
        states[walk.scene] = edge.to
        walkApplication()
      }
    }
    walkApplication()
    return effects
  }

  /// Down before up; among those going down the most active first, so that it has resigned before the others
  /// move; the order of connection otherwise.
  private static func ordered(_ walks: [Walk]) -> [Walk] {
    let down = walks.filter { $0.to < $0.from }
    let up = walks.filter { $0.to > $0.from }
    let active = down.filter { $0.from == .foregroundActive }
    return active + down.filter { $0.from != .foregroundActive } + up
  }
}
