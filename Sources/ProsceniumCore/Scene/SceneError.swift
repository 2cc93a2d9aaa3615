/// The error of a request about a scene.
public struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, numbered as UIKit's.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The program has one scene and does not support more.
    case multipleScenesNotSupported = 0
    /// The request cannot be granted; the text names the reason.
    case requestDenied = 1
    /// The window system cannot do this to windows.
    case geometryRequestUnsupported = 100
    /// The window manager did not perform the request.
    case geometryRequestDenied = 101
  }

  /// The kind of failure.
  public let code: Code
  /// The error, its object, and the remedy.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
