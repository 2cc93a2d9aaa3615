/// The state of one scene, as UIKit names it.
///
/// The cases are ordered by how much of the user's attention the scene has:
/// `unattached < background < foregroundInactive < foregroundActive`. The raw values are UIKit's.
public enum ActivationState: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The scene is not connected: its delegate does not have it yet, or it has been disconnected.
  case unattached = -1
  /// The scene is on screen and is the one being used.
  case foregroundActive = 0
  /// The scene is on screen but is not the one being used.
  case foregroundInactive = 1
  /// The scene is connected and not visible.
  case background = 2

  /// The place in the order from `unattached` (0) to `foregroundActive` (3).
  public var rank: Int {
    switch self {
    case .unattached: 0
    case .background: 1
    case .foregroundInactive: 2
    case .foregroundActive: 3
    }
  }

  /// Whether the left state has less of the user's attention than the right one.
  public static func < (lhs: ActivationState, rhs: ActivationState) -> Bool { lhs.rank < rhs.rank }
}
