/// The scenes of a run, each by its session's identifier.
struct TraceScenes: Sendable {
  struct Scene {
    var state = TraceRun.SceneState.unattached
    /// The windows that the trace calls visible.
    var visible: Set<String> = []
    /// The windows that the trace calls focused.
    var focused: Set<String> = []
    /// Whether the scene is active whenever it is visible.
    var needsNoFocus = false
    /// The user has closed it, and its session has not been discarded.
    var isClosed = false
    var isDiscarded = false
    /// The interface of a file is in its window, and it has not connected since.
    var hasNewInterface = false
  }

  private var scenes: [String: Scene] = [:]
  /// The number of scenes in each state, by rank.
  private var counts = [0, 0, 0, 0]
  /// The number of active scenes that need the focus.
  private(set) var activeWithFocus = 0

  /// A scene; one that the trace has not named is unattached.
  subscript(identifier: String) -> Scene {
    get { scenes[identifier] ?? Scene() }
    set {
      count(self[identifier], -1)
      scenes[identifier] = newValue
      count(newValue, 1)
    }
  }

  private mutating func count(_ scene: Scene, _ change: Int) {
    counts[scene.state.rank] += change
    if scene.state == .foregroundActive, !scene.needsNoFocus { activeWithFocus += change }
  }

  /// The identifiers of the scenes for which something is true, in alphabetical order.
  func identifiers(where isIncluded: (Scene) -> Bool) -> [String] {
    scenes.filter { isIncluded($0.value) }.keys.sorted()
  }

  /// The state of the most active scene.
  var mostActive: TraceRun.SceneState {
    TraceRun.SceneState.allCases.last { $0 != .unattached && counts[$0.rank] > 0 } ?? .unattached
  }
}

// The states, written out once more and apart from the law: what the law gets wrong is not right here too.
extension TraceRun {
  /// The states of scenes.
  enum SceneState: String, TraceState {
    case unattached, background, foregroundInactive, foregroundActive

    /// The state of an application whose most active scene has this state.
    var application: ApplicationState {
      switch self {
      case .unattached, .background: .background
      case .foregroundInactive: .inactive
      case .foregroundActive: .active
      }
    }
  }

  /// The states of the application.
  enum ApplicationState: String, TraceState { case background, inactive, active }
}

/// A state in a trace; the less active ones come first.
protocol TraceState: CaseIterable, Comparable {}

extension TraceState {
  var rank: Int { Self.allCases.prefix { $0 != self }.count }

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
}
