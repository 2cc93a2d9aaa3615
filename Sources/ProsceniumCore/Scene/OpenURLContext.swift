public import FoundationEssentials

/// One URL that a scene is asked to open.
public struct OpenURLContext: Hashable, Sendable {
  /// The URL.
  public let url: URL

  /// A request to open one URL.
  /// - Parameter url: The URL.
  public init(url: URL) { self.url = url }
}
