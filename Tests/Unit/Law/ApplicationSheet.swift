import SceneLifecycle

/// From where to where one scene walks.
struct Walk: Hashable {
  var scene: Int
  var from: ActivationState
  var to: ActivationState
  /// Its windows are out of sight.
  var isHidden = false

  /// A scene that stands where the walk begins, and belongs where it ends.
  var machine: SceneMachine.State {
    var state = SceneMachine.State(activation: from, attachment: .attached)
    switch to {
    case .unattached: state.attachment = from == .unattached ? .detached : .detaching
    case .background: state.visibility = .hidden
    case .foregroundInactive: state.visibility = isHidden ? .fading : .visible
    case .foregroundActive: (state.visibility, state.focus) = (.visible, .focused)
    }
    return state
  }
}

/// The law of the whole program once more, in another form than the machine's: every scene edge in order with the
/// aggregate after it, and the application's edges placed where the aggregate first reaches them.
struct ApplicationSheet {
  typealias Machine = ApplicationMachine
  typealias Phase = ApplicationMachine.Phase
  typealias Effect = ApplicationMachine.Effect

  static let ladder: [(up: ApplicationEdge, down: ApplicationEdge)] = [
    (.applicationWillEnterForeground, .applicationDidEnterBackground),
    (.applicationDidBecomeActive, .applicationWillResignActive),
  ]
  static let ranks: [ApplicationState] = [.background, .inactive, .active]

  /// The scene edges of one batch, each with the rank of the aggregate after it.
  private(set) var edges: [(effect: Effect, rank: Int)] = []
  /// The rank of the aggregate in the end.
  let rank: Int
  let connects: Bool
  let showsForeground: Bool
  /// The active scene goes, or is on its way, out of sight.
  let activeLeaves: Bool
  /// Another scene can be seen, and is not on its way out of sight itself.
  let anotherStays: Bool
  private var written: [Int: [Effect]] = [:]

  init(_ walks: [Walk], others: ActivationState) {
    var places = walks.map(\.from.rank)
    func aggregate() -> Int { max(0, max(others.rank, places.max() ?? 0) - 1) }
    // Down before up, the active one first, the order of connection otherwise.
    let order = walks.indices.filter { walks[$0].from != walks[$0].to }.sorted { left, right in
      let classes = [left, right].map { index -> Int in
        let walk = walks[index]
        return walk.to.rank > walk.from.rank ? 2 : walk.from.rank == 3 ? 0 : 1
      }
      return (classes[0], left) < (classes[1], right)
    }
    for index in order {
      while places[index] != walks[index].to.rank {
        let here = places[index]
        let isUp = walks[index].to.rank > here
        let edge = isUp ? SceneSheet.ladder[here].up : SceneSheet.ladder[here - 1].down
        places[index] += isUp ? 1 : -1
        edges.append((.scene(walks[index].scene, .edge(edge)), aggregate()))
      }
    }
    rank = aggregate()
    // A scene that stays where it is does not walk.
    connects = walks.contains { $0.from != $0.to && $0.to.rank > 0 }
    showsForeground = walks.contains { $0.from != $0.to && $0.to.rank > 1 }
    activeLeaves = walks.contains { $0.from.rank == 3 && ($0.to.rank < 2 || $0.isHidden) }
    anotherStays = others.rank == 2 || walks.contains { $0.to.rank == 2 && !$0.isHidden }
  }

  /// The effects of the walks where the application goes from one rank to another.
  mutating func write(from start: Int, to end: Int) -> [Effect] {
    if let effects = written[start * 3 + end] { return effects }
    // Where each application edge belongs: after the first scene edge that makes it true, and after the edge before.
    var after: [Int: [Effect]] = [:]
    var place = 0
    for step in 0..<abs(end - start) {
      let reached = start < end ? start + step + 1 : start - step - 1
      let edge = start < end ? Self.ladder[reached - 1].up : Self.ladder[reached].down
      let isTrue = { (rank: Int) in start < end ? rank >= reached : rank <= reached }
      place = edges.indices.first { $0 >= place && isTrue(edges[$0].rank) } ?? edges.count
      after[place, default: []].append(.application(edge))
    }
    var effects: [Effect] = []
    for (index, edge) in edges.enumerated() { effects += [edge.effect] + (after[index] ?? []) }
    effects += after[edges.count] ?? []
    written[start * 3 + end] = effects
    return effects
  }

  /// What a batch does to the program.
  mutating func settle(_ state: Machine.State) -> (Machine.State, [Effect]) {
    var next = state
    var effects: [Effect] = []
    if state.phase == .launched {
      let isFirst = state.model == .sceneBased ? connects : showsForeground
      if isFirst {
        // From here on the state is the aggregate. With scenes it rises from the background.
        next.phase = .running
        if state.model == .sceneBased { next.application = .background }
        effects.append(.assume(next.application))
      }
    }
    guard ![.notLaunched, .launching, .launched].contains(next.phase) else {
      return (next, edges.map(\.effect))
    }
    let start = next.application.rank
    let leaves = state.isResignHeld || (activeLeaves && anotherStays)
    next.isResignHeld = next.phase == .running && start == 2 && rank == 1 && leaves
    if next.isResignHeld && !state.isResignHeld { effects.append(.holdResign) }
    if !next.isResignHeld && state.isResignHeld { effects.append(.releaseResign) }
    let end = next.isResignHeld ? 2 : rank
    next.application = Self.ranks[end]
    return (next, effects + write(from: start, to: end))
  }

  /// Everything that is not a batch.
  static func answer(to input: Machine.Input, in state: Machine.State) -> (Machine.State, [Effect]) {
    var next = state
    switch (input, state.phase) {
    case (.launch(let foreground), .notLaunched):
      next.phase = .launching
      next.application = foreground ? .inactive : .background
      return (next, [.assume(next.application), .callLaunchPair])
    case (.launched, .launching):
      next.phase = .launched
      return (next, [])
    case (.nothingShown, .launched):
      next.phase = .running
      next.application = .background
      let isApp = state.model == .appBased
      return (next, [isApp ? .application(.applicationDidEnterBackground) : .assume(.background)])
    case (.terminate, .notLaunched), (.terminate, .launching), (.terminate, .launched), (.terminate, .running):
      next.phase = .concealing
      return (next, [.conceal])
    case (.concealed, .concealing):
      next.phase = .disconnecting
      return (next, [.disconnect])
    case (.disconnected, .disconnecting):
      next.phase = .terminated
      return (next, [.terminate])
    case (.resignExpired, _) where state.isResignHeld:
      next.isResignHeld = false
      var sheet = ApplicationSheet([], others: state.scenes.mostActive)
      next.application = ranks[sheet.rank]
      return (next, sheet.write(from: state.application.rank, to: sheet.rank))
    default: return (state, [])
    }
  }
}
