/// A second start of the program, which has handed over to this one (our addition).
public struct SecondLaunch: Hashable, Sendable {
  /// The command line without the program's name, as it was typed.
  ///
  /// URLs and files that the delegate declared to open are among them, and are opened by the framework afterwards.
  public var arguments: [String]
  /// Where the file names among ``arguments`` start; nil where nobody said so.
  public var directory: String?
  /// The process that was started, which may have ended already; nil where nobody knows.
  public var process: Int?
  /// Whether nothing is to be shown (`--background`).
  public var isBackground: Bool

  /// A second start, as the framework or a test makes it.
  public init(arguments: [String], directory: String? = nil, process: Int? = nil, isBackground: Bool = false) {
    self.arguments = arguments
    self.directory = directory
    self.process = process
    self.isBackground = isBackground
  }
}
