/// The state of the whole program: that of its most active scene.
///
/// The raw values are UIKit's.
public enum ApplicationState: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// One of the program's scenes is the one being used.
  case active = 0
  /// At least one scene is on screen and none is being used.
  case inactive = 1
  /// No scene is on screen.
  case background = 2

  /// The state that follows from the most active of some scenes.
  /// - Parameter state: The most active scene's state.
  public init(mostActive state: ActivationState) {
    switch state {
    case .unattached, .background: self = .background
    case .foregroundInactive: self = .inactive
    case .foregroundActive: self = .active
    }
  }

  /// The place in the order from `background` (0) to `active` (2).
  public var rank: Int { 2 - rawValue }

  /// Whether the left state has less of the user's attention than the right one.
  public static func < (lhs: ApplicationState, rhs: ApplicationState) -> Bool { lhs.rank < rhs.rank }
}
