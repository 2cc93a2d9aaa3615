/// Options of a session's destruction.
public struct SceneDestructionRequestOptions: Hashable, Sendable {
  /// The meaning of the destruction to the user; UIKit's `windowDismissalAnimation`.
  public enum DismissalReason: Int, Hashable, Sendable, CaseIterable {
    /// The content is gone.
    case standard = 1
    /// The scene has fulfilled its purpose: the message has been sent.
    case commit = 2
    /// The content is stored for later: a draft.
    case decline = 3
  }

  /// The meaning of the destruction; traced in a `request` line.
  public var dismissalReason = DismissalReason.standard

  /// Makes options of a destruction.
  /// - Parameter dismissalReason: The meaning to the user.
  public init(dismissalReason: DismissalReason = .standard) { self.dismissalReason = dismissalReason }
}
