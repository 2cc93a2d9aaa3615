public import FoundationEssentials

/// One URL that a scene is asked to open.
///
/// An object, as in UIKit: a request that names a URL twice has two of them, and both are in its set.
public final class OpenURLContext: Hashable, Sendable {
  /// The URL.
  public let url: URL
  /// The properties of the request.
  public let options: Scene.OpenURLOptions

  /// Makes a request to open one URL.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The properties of the request; where nil, those of the URL alone.
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
  /// The properties of a request to open a URL.
  public struct OpenURLOptions: Hashable, Sendable {
    /// The id of the requesting application, by its process: see ``LaunchOptions/sourceApplication``; nil where it is
    /// unknown.
    public var sourceApplication: String?
    /// Whether the file is opened where it is, and is not the program's own copy; so for every file.
    public var openInPlace: Bool

    /// Options, as the framework or a test makes them.
    /// - Parameters:
    ///   - sourceApplication: The id of the requesting application.
    ///   - openInPlace: Whether it is a file of the user's.
    public init(sourceApplication: String? = nil, openInPlace: Bool = false) {
      self.sourceApplication = sourceApplication
      self.openInPlace = openInPlace
    }
  }

  /// Options of an URL that another program opens; see ``Application/open(_:options:completionHandler:)``.
  public struct OpenExternalURLOptions: Hashable, Sendable {
    /// Whether only an application of the URL's owner may open it, and no browser.
    ///
    /// Linux desktop environments have no such applications: where this is true the completion receives false.
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
