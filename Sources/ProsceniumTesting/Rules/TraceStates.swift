// The states, written out once more and apart from the law: what the law gets wrong is not right here too.
extension TraceRun {
  /// The states of scenes, the less active ones first.
  enum SceneState: String, Comparable, CaseIterable {
    case unattached, background, foregroundInactive, foregroundActive

    var rank: Int {
      switch self {
      case .unattached: 0
      case .background: 1
      case .foregroundInactive: 2
      case .foregroundActive: 3
      }
    }

    /// The state of an application whose most active scene has this state.
    var application: ApplicationState {
      switch self {
      case .unattached, .background: .background
      case .foregroundInactive: .inactive
      case .foregroundActive: .active
      }
    }

    static func < (lhs: SceneState, rhs: SceneState) -> Bool { lhs.rank < rhs.rank }
  }

  /// The states of the application, the less active ones first.
  enum ApplicationState: String, Comparable {
    case background, inactive, active

    var rank: Int {
      switch self {
      case .background: 0
      case .inactive: 1
      case .active: 2
      }
    }

    static func < (lhs: ApplicationState, rhs: ApplicationState) -> Bool { lhs.rank < rhs.rank }
  }
}
