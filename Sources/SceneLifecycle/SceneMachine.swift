/// The facts of the windows of one scene at the end of a batch, and how facts that became untrue fall.
package struct SceneObservation: Hashable, Sendable {
  /// Any of the scene's windows is visible.
  package var visible: Bool
  /// Any of the scene's windows has the keyboard focus.
  package var focused: Bool
  /// Another client holds the keyboard while the scene has the focus.
  package var grabbed: Bool
  /// How `visible` falls, if it does.
  package var visibleFall = Fall.held
  /// How `focused` falls, if it does.
  package var focusFall = Fall.held
}

extension SceneObservation {
  /// The facts of a scene that has no window.
  package init() { self.init(visible: false, focused: false, grabbed: false) }
}

/// The machine of one scene: a pure total function of (state, input) to (state, effects).
///
/// ```
///                 connect                shown                    focused
///   unattached ----------> background ----------> foregroundInactive ----------> foregroundActive
///              <----------            <----------                    <----------
///              disconnected            hidden 250 ms         focus lost 100 ms, interrupted,
///                                      locked, asleep        hidden 50 ms
/// ```
///
/// State follows from facts, never from single events. Rising facts act at once, falling ones are held
/// (``Hold``). The machine requests a deadline as an effect and receives its end as an input; it walks one edge for
/// each `.step`, so the sender of the steps decides the order between scenes.
package enum SceneMachine {
  /// The visibility of the scene's windows.
  package enum Visibility: Hashable, Sendable, CaseIterable {
    /// Hidden for longer than the hold.
    case hidden
    /// At least one window is visible.
    case visible
    /// Hidden a moment ago; still counts as visible.
    case lingering
    /// As `lingering`, while the window manager is changing.
    case lingeringLong
    /// Hidden long enough to be inactive, not yet long enough for the background.
    case fading
    /// As `fading`, while the window manager is changing.
    case fadingLong
  }

  /// The keyboard focus of the scene's windows.
  package enum Focus: Hashable, Sendable, CaseIterable {
    /// No window of the scene has the focus.
    case none
    /// A window of the scene has the focus.
    case focused
    /// Lost a moment ago; still counts as focused.
    case lingering
    /// As `lingering`, while the window manager is changing.
    case lingeringLong
  }

  /// Another client's keyboard grab.
  package enum Grab: Hashable, Sendable, CaseIterable {
    /// No other client holds the keyboard.
    case free
    /// Another client holds it since a moment ago: perhaps only a hot key.
    case pending
    /// Another client holds it for long enough to be an interruption.
    case interrupting
  }

  /// Whether the scene is meant to be connected.
  package enum Attachment: Hashable, Sendable, CaseIterable {
    /// Not connected, and not meant to be.
    case detached
    /// Connected, or about to be.
    case attached
    /// A disconnection has been requested; the scene is walking down.
    case detaching
  }

  /// All that the machine knows of one scene.
  package struct State: Hashable, Sendable {
    /// Where the scene stands.
    package var activation = ActivationState.unattached
    /// Whether its windows are visible.
    package var visibility = Visibility.hidden
    /// Whether one of its windows has the focus.
    package var focus = Focus.none
    /// Whether another client holds the keyboard.
    package var grab = Grab.free
    /// Whether the program interrupts the scene itself.
    package var interrupted = false
    /// Whether the program's scenes are concealed: locked, about to sleep, or terminating.
    package var concealed = false
    /// Whether the scene is meant to be connected.
    package var attachment = Attachment.detached
    /// When a visible scene is active.
    package var policy = ActivationPolicy.whenFocused

    /// A scene that has never been connected.
    package init() {}

    /// The state that follows from the facts, holds included.
    package var target: ActivationState {
      switch attachment {
      case .detached, .detaching: return .unattached
      case .attached: break
      }
      if concealed { return .background }
      switch visibility {
      case .hidden: return .background
      case .fading, .fadingLong: return .foregroundInactive
      case .visible, .lingering, .lingeringLong: break
      }
      if isInterrupted { return .foregroundInactive }
      switch policy {
      case .whenVisible: return .foregroundActive
      case .whenFocused: return focus == .none ? .foregroundInactive : .foregroundActive
      }
    }

    /// Whether no window of the scene is visible now, with or without a hold.
    package var isHidden: Bool { visibility != .visible }

    /// Whether the scene counts as visible: its windows are, or were a moment ago.
    package var countsAsVisible: Bool {
      switch visibility {
      case .visible, .lingering, .lingeringLong: true
      case .hidden, .fading, .fadingLong: false
      }
    }

    /// Whether something other than the focus keeps the scene from being used.
    package var isInterrupted: Bool { interrupted || grab == .interrupting }
  }

  /// An event of a scene.
  package enum Input: Hashable, Sendable {
    /// The scene is to be connected.
    case connect
    /// The scene is to be disconnected, from any state.
    case disconnect
    /// A batch has ended with these facts.
    case observe(SceneObservation)
    /// Another scene of the program has gained the focus: a lost focus that still counts falls at once.
    case siblingGainedFocus
    /// The program began or ended an interruption of its own.
    case interruption(Bool)
    /// The program's scenes are concealed, or no longer.
    case concealment(Bool)
    /// A deadline that the machine asked for has passed.
    case expired(Hold)
    /// One edge towards the target may be walked now.
    case step
  }

  /// An action that the shell performs.
  package enum Effect: Hashable, Sendable {
    /// Call the delegate and the observers for one edge.
    case edge(SceneEdge)
    /// Send `.expired` when this hold has passed; replaces a running one of the same name.
    case hold(Hold, long: Bool)
    /// Cancel this hold.
    case release(Hold)
  }

  /// Applies an input to a state.
  /// - Parameters:
  ///   - state: The scene's state before.
  ///   - input: The input.
  /// - Returns: The state after, and the effects in the order in which they are performed.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    var next = state
    switch input {
    case .connect: next.attachment = state.attachment == .detached ? .attached : state.attachment
    case .disconnect: return disconnect(state)
    case .observe(let facts): return observe(state, facts)
    case .siblingGainedFocus:
      next.focus = lose(state.focus)
      return (next, next.focus == state.focus ? [] : [.release(.focus)])
    case .interruption(let on): next.interrupted = on
    case .concealment(let on): next.concealed = on
    case .expired(let hold): return expire(state, hold)
    case .step: if let edge = step(&next) { return (next, [.edge(edge)]) }
    }
    return (next, [])
  }

  private static func disconnect(_ state: State) -> (State, [Effect]) {
    var next = State()
    next.policy = state.policy
    next.activation = state.activation
    next.interrupted = state.interrupted
    next.concealed = state.concealed
    next.attachment = state.activation == .unattached ? .detached : .detaching
    return (next, releases(state))
  }

  /// Applies ``Input/step`` in place, without a list of its one effect: each change of the focus takes two.
  /// - Returns: The edge; nil where the scene stands at its target.
  package static func step(_ state: inout State) -> SceneEdge? {
    guard let edge = SceneEdge.first(from: state.activation, to: state.target) else { return nil }
    state.activation = edge.to
    if edge.to == .unattached { state.attachment = .detached }
    return edge
  }

  private static func observe(_ state: State, _ facts: SceneObservation) -> (State, [Effect]) {
    switch state.attachment {
    case .detached, .detaching: return (state, [])
    case .attached: break
    }
    var next = state
    let (visibility, visibilityEffects) = observeVisibility(state.visibility, facts)
    let (focus, focusEffects) = observeFocus(state.focus, facts, isActive: state.activation == .foregroundActive)
    let (grab, grabEffects) = observeGrab(state.grab, facts)
    next.visibility = visibility
    next.focus = focus
    next.grab = grab
    // Mostly there are none, and every change of the focus comes here.
    var effects = visibilityEffects
    if !focusEffects.isEmpty { effects += focusEffects }
    if !grabEffects.isEmpty { effects += grabEffects }
    return (next, effects)
  }

  private static func observeVisibility(_ old: Visibility, _ facts: SceneObservation) -> (Visibility, [Effect]) {
    if facts.visible {
      switch old {
      case .hidden, .visible: return (.visible, [])
      case .lingering, .lingeringLong: return (.visible, [.release(.inactive), .release(.background)])
      case .fading, .fadingLong: return (.visible, [.release(.background)])
      }
    }
    switch (old, facts.visibleFall) {
    case (.hidden, _): return (.hidden, [])
    case (.visible, .atOnce): return (.hidden, [])
    case (.lingering, .atOnce), (.lingeringLong, .atOnce):
      return (.hidden, [.release(.inactive), .release(.background)])
    case (.fading, .atOnce), (.fadingLong, .atOnce): return (.hidden, [.release(.background)])
    case (.visible, .held):
      return (.lingering, [.hold(.inactive, long: false), .hold(.background, long: false)])
    case (.visible, .heldLong):
      return (.lingeringLong, [.hold(.inactive, long: true), .hold(.background, long: true)])
    case (.lingering, .held), (.lingeringLong, .held), (.lingeringLong, .heldLong): return (old, [])
    case (.fading, .held), (.fadingLong, .held), (.fadingLong, .heldLong): return (old, [])
    case (.lingering, .heldLong): return (.lingeringLong, [.hold(.background, long: true)])
    case (.fading, .heldLong): return (.fadingLong, [.hold(.background, long: true)])
    }
  }

  /// Only an active scene has anything to keep: one that held on to a focus that it lost unseen would become active
  /// with another's.
  private static func observeFocus(_ old: Focus, _ facts: SceneObservation, isActive: Bool) -> (Focus, [Effect]) {
    if facts.focused {
      switch old {
      case .none, .focused: return (.focused, [])
      case .lingering, .lingeringLong: return (.focused, [.release(.focus)])
      }
    }
    switch (old, facts.focusFall) {
    case (.none, _): return (.none, [])
    case (.focused, .atOnce): return (.none, [])
    case (.lingering, .atOnce), (.lingeringLong, .atOnce): return (.none, [.release(.focus)])
    case (.focused, .held): return isActive ? (.lingering, [.hold(.focus, long: false)]) : (.none, [])
    case (.focused, .heldLong): return isActive ? (.lingeringLong, [.hold(.focus, long: true)]) : (.none, [])
    case (.lingering, .heldLong): return (.lingeringLong, [.hold(.focus, long: true)])
    case (.lingering, .held), (.lingeringLong, .held), (.lingeringLong, .heldLong): return (old, [])
    }
  }

  private static func observeGrab(_ old: Grab, _ facts: SceneObservation) -> (Grab, [Effect]) {
    switch (old, facts.grabbed) {
    case (.free, true): return (.pending, [.hold(.grab, long: false)])
    case (.pending, false): return (.free, [.release(.grab)])
    case (.interrupting, false): return (.free, [])
    case (.free, false), (.pending, true), (.interrupting, true): return (old, [])
    }
  }

  private static func expire(_ state: State, _ hold: Hold) -> (State, [Effect]) {
    var next = state
    switch hold {
    case .inactive: next.visibility = fade(state.visibility)
    case .background:
      next.visibility = hide(state.visibility)
      // Hold times are settable: where this one is the shorter, the other one is of no use any more.
      switch state.visibility {
      case .lingering, .lingeringLong: return (next, [.release(.inactive)])
      case .hidden, .visible, .fading, .fadingLong: break
      }
    case .focus: next.focus = lose(state.focus)
    case .grab: next.grab = state.grab == .pending ? .interrupting : state.grab
    }
    return (next, [])
  }

  private static func fade(_ visibility: Visibility) -> Visibility {
    switch visibility {
    case .lingering: .fading
    case .lingeringLong: .fadingLong
    case .hidden, .visible, .fading, .fadingLong: visibility
    }
  }

  private static func hide(_ visibility: Visibility) -> Visibility {
    switch visibility {
    case .lingering, .lingeringLong, .fading, .fadingLong: .hidden
    case .hidden, .visible: visibility
    }
  }

  private static func lose(_ focus: Focus) -> Focus {
    switch focus {
    case .lingering, .lingeringLong: .none
    case .none, .focused: focus
    }
  }

  /// The holds that are running in a state.
  private static func releases(_ state: State) -> [Effect] {
    let visibility: [Hold] =
      switch state.visibility {
      case .hidden, .visible: []
      case .lingering, .lingeringLong: [.inactive, .background]
      case .fading, .fadingLong: [.background]
      }
    let focus: [Hold] =
      switch state.focus {
      case .none, .focused: []
      case .lingering, .lingeringLong: [.focus]
      }
    let grab: [Hold] = state.grab == .pending ? [.grab] : []
    return (visibility + focus + grab).map { .release($0) }
  }
}

/// One step of a scene between neighbouring states; each has exactly one delegate callback and one notification.
package enum SceneEdge: String, Hashable, Sendable, CaseIterable {
  case sceneWillConnect
  case sceneWillEnterForeground
  case sceneDidBecomeActive
  case sceneWillResignActive
  case sceneDidEnterBackground
  case sceneDidDisconnect

  private var ends: (from: ActivationState, to: ActivationState) {
    switch self {
    case .sceneWillConnect: (.unattached, .background)
    case .sceneWillEnterForeground: (.background, .foregroundInactive)
    case .sceneDidBecomeActive: (.foregroundInactive, .foregroundActive)
    case .sceneWillResignActive: (.foregroundActive, .foregroundInactive)
    case .sceneDidEnterBackground: (.foregroundInactive, .background)
    case .sceneDidDisconnect: (.background, .unattached)
    }
  }

  /// The state that the step leaves.
  package var from: ActivationState { ends.from }

  /// The state that the step arrives at.
  package var to: ActivationState { ends.to }

  /// Whether the callback runs before the state changes (`will...`) or after it (`did...`).
  package var isAnnouncement: Bool {
    switch self {
    case .sceneWillConnect, .sceneWillEnterForeground, .sceneWillResignActive: true
    case .sceneDidBecomeActive, .sceneDidEnterBackground, .sceneDidDisconnect: false
    }
  }

  /// The first step on the way from one state to another; nil where they are the same.
  package static func first(from state: ActivationState, to target: ActivationState) -> SceneEdge? {
    if state == target { return nil }
    let up = state < target
    switch state {
    case .unattached: return .sceneWillConnect
    case .background: return up ? .sceneWillEnterForeground : .sceneDidDisconnect
    case .foregroundInactive: return up ? .sceneDidBecomeActive : .sceneDidEnterBackground
    case .foregroundActive: return .sceneWillResignActive
    }
  }
}
