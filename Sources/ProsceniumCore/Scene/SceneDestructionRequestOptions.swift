/// How a session's destruction is meant.
public struct SceneDestructionRequestOptions: Hashable, Sendable {
  /// What the destruction means to the user; UIKit's `windowDismissalAnimation`.
  public enum DismissalReason: Int, Hashable, Sendable, CaseIterable {
    /// The content is gone.
    case standard = 1
    /// The scene has fulfilled its purpose: the message has been sent.
    case commit = 2
    /// What was begun is kept for later: a draft.
    case decline = 3
  }

  /// What the destruction means; a `request` line of the trace tells it.
  public var dismissalReason = DismissalReason.standard

  /// A destruction of a scene.
  /// - Parameter dismissalReason: What it means to the user.
  public init(dismissalReason: DismissalReason = .standard) { self.dismissalReason = dismissalReason }
}
