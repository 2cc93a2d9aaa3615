/// A second start of the program, which has sent its command line to this one (our addition).
public struct SecondLaunch: Hashable, Sendable {
  /// The command line without the program's name, as it was typed.
  ///
  /// URLs and files that the delegate declared to open are among them, and are opened by the framework afterwards.
  public var arguments: [String]
  /// The working directory of relative paths in ``arguments``; nil where it is unknown.
  public var directory: String?
  /// The process that was started, which may have ended already; nil where it is unknown.
  public var process: Int?
  /// Whether nothing is to be shown (`--background`).
  public var isBackground: Bool

  /// A second start, as the framework or a test makes it.
  /// - Parameters:
  ///   - arguments: The command line, without the program's name.
  ///   - directory: The working directory; nil where it is unknown.
  ///   - process: The process; nil where it is unknown.
  ///   - isBackground: Whether the launch shows no window.
  public init(arguments: [String], directory: String? = nil, process: Int? = nil, isBackground: Bool = false) {
    self.arguments = arguments
    self.directory = directory
    self.process = process
    self.isBackground = isBackground
  }
}
