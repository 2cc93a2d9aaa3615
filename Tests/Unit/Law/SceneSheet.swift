import SceneLifecycle

/// What can happen to one fact: the columns of ``FactTable``.
enum Happening: String, CaseIterable {
  case rises, fallsAtOnce, fallsHeld, fallsHeldLong
  /// A hold has ended, in the order of the holds.
  case fades, hides, focusEnds, grabEnds

  static func of(_ isTrue: Bool, _ fall: Fall) -> Happening {
    if isTrue { return .rises }
    switch fall {
    case .atOnce: return .fallsAtOnce
    case .held: return .fallsHeld
    case .heldLong: return .fallsHeldLong
    }
  }

  static func end(of hold: Hold) -> Happening {
    switch hold {
    case .inactive: .fades
    case .background: .hides
    case .focus: .focusEnds
    case .grab: .grabEnds
    }
  }
}

/// One fact's law as a sheet that people can read.
///
/// Rows are what is believed, columns what happens. A cell is what is believed next, `.` for the same, with the holds
/// that begin (`+`, with a `*` for long) and end (`-`), by their first letters.
struct FactTable<Fact: Hashable & CaseIterable & Sendable>: Sendable {
  struct Cell: Sendable {
    var next: Fact
    var effects: [SceneMachine.Effect]
  }

  private var cells: [Fact: [Happening: Cell]] = [:]

  init(_ sheet: String) {
    let lines = sheet.split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
    }
    let named = { (name: String) in Fact.allCases.first { "\($0)" == name } }
    let columns = lines[0].dropFirst().compactMap { Happening(rawValue: $0[0]) }
    for line in lines.dropFirst() {
      guard let fact = named(line[0][0]) else { preconditionFailure("no row \(line[0])") }
      for (happening, words) in zip(columns, line.dropFirst()) {
        guard let next = words[0] == "." ? fact : named(words[0]) else { preconditionFailure("no fact \(words)") }
        cells[fact, default: [:]][happening] = Cell(next: next, effects: words.dropFirst().map(Self.effect))
      }
    }
    precondition(cells.count == Fact.allCases.count && cells.values.allSatisfy { $0.count == columns.count })
  }

  /// What happens to a fact; nothing where the sheet has no such column.
  subscript(_ fact: Fact, _ happening: Happening) -> Cell {
    cells[fact]?[happening] ?? Cell(next: fact, effects: [])
  }

  private static func effect(_ word: String) -> SceneMachine.Effect {
    let isLong = word.hasSuffix("*")
    guard let hold = Hold.allCases.first(where: { $0.rawValue.first == word.dropFirst().first }) else {
      preconditionFailure("no hold \(word)")
    }
    return word.hasPrefix("-") ? .release(hold) : .hold(hold, long: isLong)
  }
}

/// The law of one scene once more, in another form than the machine's: tables for the facts, the design's sentences
/// for the target, and a ladder for the edges.
enum SceneSheet {
  typealias State = SceneMachine.State
  typealias Effect = SceneMachine.Effect

  static let visibility = FactTable<SceneMachine.Visibility>(
    """
    believed      | rises         | fallsAtOnce  | fallsHeld       | fallsHeldLong         | fades      | hides
    hidden        | visible       | .            | .               | .                     | .          | .
    visible       | .             | hidden       | lingering +i +b | lingeringLong +i* +b* | .          | .
    lingering     | visible -i -b | hidden -i -b | .               | lingeringLong +b*     | fading     | hidden -i
    lingeringLong | visible -i -b | hidden -i -b | .               | .                     | fadingLong | hidden -i
    fading        | visible -b    | hidden -b    | .               | fadingLong +b*        | .          | hidden
    fadingLong    | visible -b    | hidden -b    | .               | .                     | .          | hidden
    """)

  static let focus = FactTable<SceneMachine.Focus>(
    """
    believed      | rises      | fallsAtOnce | fallsHeld    | fallsHeldLong     | focusEnds
    none          | focused    | .           | .            | .                 | .
    focused       | .          | none        | lingering +f | lingeringLong +f* | .
    lingering     | focused -f | none -f     | .            | lingeringLong +f* | none
    lingeringLong | focused -f | none -f     | .            | .                 | none
    """)

  static let grab = FactTable<SceneMachine.Grab>(
    """
    believed     | rises      | fallsAtOnce | grabEnds
    free         | pending +g | .           | .
    pending      | .          | free -g     | interrupting
    interrupting | .          | free        | .
    """)

  /// The edges up and down between neighbours, from the lowest pair to the highest.
  static let ladder: [(up: SceneEdge, down: SceneEdge)] = [
    (.sceneWillConnect, .sceneDidDisconnect),
    (.sceneWillEnterForeground, .sceneDidEnterBackground),
    (.sceneDidBecomeActive, .sceneWillResignActive),
  ]
  static let ranks: [ActivationState] = [.unattached, .background, .foregroundInactive, .foregroundActive]

  /// The target, sentence by sentence.
  static func target(_ state: State) -> ActivationState {
    // Not connected, or not meant to be any more: unattached.
    if state.attachment != .attached { return .unattached }
    // Not visible for long enough, or the whole program out of sight: background.
    if state.visibility == .hidden || state.concealed { return .background }
    // Visible and focused, not interrupted: active. A scene that has been hidden for a moment is not.
    let isSeen = [.visible, .lingering, .lingeringLong].contains(state.visibility)
    let isMeant = state.policy == .whenVisible || state.focus != .none
    let isInterrupted = state.interrupted || state.grab == .interrupting
    if isSeen && isMeant && !isInterrupted { return .foregroundActive }
    // Visible otherwise: inactive.
    return .foregroundInactive
  }

  /// The holds that run in a state: those that would have to be released.
  static func holds(in state: State) -> Set<Hold> {
    var holds: Set<Hold> = []
    let effects =
      visibility[state.visibility, .fallsAtOnce].effects + focus[state.focus, .fallsAtOnce].effects
      + grab[state.grab, .fallsAtOnce].effects
    for case .release(let hold) in effects { holds.insert(hold) }
    return holds
  }

  static func answer(to input: SceneMachine.Input, in state: State) -> (State, [Effect]) {
    var next = state
    switch input {
    case .connect:
      if state.attachment == .detached { next.attachment = .attached }
      return (next, [])
    case .disconnect:
      next.attachment = state.activation == .unattached ? .detached : .detaching
      // Nothing is believed of a scene that goes: as if everything fell at once.
      return happen(.fallsAtOnce, .fallsAtOnce, .fallsAtOnce, next)
    case .observe(let facts):
      guard state.attachment == .attached else { return (state, []) }
      // A scene that is not active has no focus to hold on to.
      let keeps = state.activation == .foregroundActive || state.focus != .focused
      return happen(
        .of(facts.visible, facts.visibleFall), .of(facts.focused, keeps ? facts.focusFall : .atOnce),
        .of(facts.grabbed, .atOnce), next)
    case .siblingGainedFocus:
      // What still counts as focused falls; what is focused is not concerned.
      guard state.focus == .lingering || state.focus == .lingeringLong else { return (state, []) }
      next.focus = .none
      return (next, [.release(.focus)])
    case .interruption(let on):
      next.interrupted = on
      return (next, [])
    case .concealment(let on):
      next.concealed = on
      return (next, [])
    case .expired(let hold):
      let end = Happening.end(of: hold)
      return happen(end, end, end, next)
    case .step:
      return step(next)
    }
  }

  private static func happen(
    _ toVisibility: Happening, _ toFocus: Happening, _ toGrab: Happening, _ state: State
  ) -> (State, [Effect]) {
    var next = state
    let cells = (visibility[state.visibility, toVisibility], focus[state.focus, toFocus], grab[state.grab, toGrab])
    next.visibility = cells.0.next
    next.focus = cells.1.next
    next.grab = cells.2.next
    return (next, cells.0.effects + cells.1.effects + cells.2.effects)
  }

  private static func step(_ state: State) -> (State, [Effect]) {
    var next = state
    guard let here = ranks.firstIndex(of: state.activation), let there = ranks.firstIndex(of: target(state)),
      here != there
    else { return (state, []) }
    let isUp = there > here
    next.activation = ranks[isUp ? here + 1 : here - 1]
    if next.activation == .unattached { next.attachment = .detached }
    return (next, [.edge(isUp ? ladder[here].up : ladder[here - 1].down)])
  }
}
