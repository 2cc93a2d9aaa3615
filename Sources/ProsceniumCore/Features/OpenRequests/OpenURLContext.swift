public import FoundationEssentials

/// One URL that a scene is asked to open.
///
/// An object, as in UIKit: a request that names a URL twice has two of them, and both are in its set.
public final class OpenURLContext: Hashable, Sendable {
  /// The URL.
  public let url: URL
  /// What is known of the request.
  public let options: Scene.OpenURLOptions

  /// A request to open one URL.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: What is known of the request; where nil, nothing but what the URL itself tells.
  public init(url: URL, options: Scene.OpenURLOptions? = nil) {
    self.url = url
    self.options = options ?? Scene.OpenURLOptions(openInPlace: url.isFileURL)
  }

  /// Whether both are the same request.
  public static func == (lhs: OpenURLContext, rhs: OpenURLContext) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Scene {
  /// What is known of a request to open a URL.
  public struct OpenURLOptions: Hashable, Sendable {
    /// The id of the application that asks, as the bus says; nil where nobody knows.
    public var sourceApplication: String?
    /// Whether the file is opened where it is, and is not the program's own copy; so for every file.
    public var openInPlace: Bool

    /// Options, as the framework or a test makes them.
    /// - Parameters:
    ///   - sourceApplication: Who asks.
    ///   - openInPlace: Whether it is a file of the user's.
    public init(sourceApplication: String? = nil, openInPlace: Bool = false) {
      self.sourceApplication = sourceApplication
      self.openInPlace = openInPlace
    }
  }

  /// How a URL is to be opened by somebody else; see ``Application/open(_:options:completionHandler:)``.
  public struct OpenExternalURLOptions: Hashable, Sendable {
    /// Whether only a program that the URL's owner has named may open it, and no browser.
    ///
    /// Nothing on a Linux desktop knows of such programs: where this is true the answer is false, and nobody is asked.
    public var universalLinksOnly: Bool
    /// Whether the user is asked with which program (our addition), where the desktop's portal is there to do so.
    public var asksUser: Bool

    /// Options.
    /// - Parameters:
    ///   - universalLinksOnly: Whether only a program that the URL's owner has named may open it.
    ///   - asksUser: Whether the user is asked with which program.
    public init(universalLinksOnly: Bool = false, asksUser: Bool = false) {
      self.universalLinksOnly = universalLinksOnly
      self.asksUser = asksUser
    }
  }
}
