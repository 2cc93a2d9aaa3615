package import FoundationEssentials

/// A request of another program: of a second start of this one, a launcher, a program that opens a URL, or another
/// instance.
///
/// The source that received it has checked its form and size.
package struct IncomingRequest: Equatable, Sendable {
  /// An activity to continue.
  package enum Activity: Equatable, Sendable {
    case whole(StoredActivity)
    /// Its content is still being asked for; another request has it, or its failure.
    case announced(type: String)
    /// It was announced and cannot be read.
    case failed(type: String, reason: String)
  }

  /// The program that sent the request.
  package struct Sender: Hashable, Sendable {
    /// The process, by the bus.
    package var process: Int?
    /// The application's id, by its sandbox, its control group or its executable.
    package var application: String?
    package init(process: Int? = nil, application: String? = nil) {
      self.process = process
      self.application = application
    }
  }

  /// The URLs to open; empty where only the program itself is wanted.
  package var urls: [URL] = []
  /// The command line of a second start, without the program's name.
  package var arguments: [String] = []
  /// The folder of relative file names in ``arguments``.
  package var directory: String?
  /// The shortcut item to perform.
  package var shortcut: ApplicationShortcutItem?
  package var activity: Activity?
  /// The user's response to a notice of the program.
  package var response: UserNotificationResponse?
  /// What a distributor of pushed notifications tells.
  package var push: PushEvent?
  /// Whether no window is to be shown (`--background`).
  package var isBackground = false
  /// The startup notification's id or the activation token, which has the time of the user's action.
  package var token: String?
  package var sender: Sender?
  package init() {}
}

/// A launch of a program that runs already: another process owns the sessions.
package struct SecondStart: Equatable, Sendable {
  /// The process that owns the sessions; nil where it is unknown.
  package var owner: Int?
  /// The display of the owner's windows.
  package var display: String?
  package var identifier: String
  package var launch: LaunchOptions
  /// The command line without the program's name.
  package var arguments: [String]
  /// The folder of relative file names; nil where it has been removed.
  package var directory: String?

  package init(
    owner: Int?, display: String?, identifier: String, launch: LaunchOptions, arguments: [String], directory: String?
  ) {
    self.owner = owner
    self.display = display
    self.identifier = identifier
    self.launch = launch
    self.arguments = arguments
    self.directory = directory
  }

  /// The outcome of a second start.
  package enum Outcome: Equatable, Sendable {
    /// This process ends, with this status.
    case end(status: Int32)
    /// The owner has ended without having taken this: the process that locks the sessions first is the next owner.
    case ownerEnded(left: SecondStart)
    /// The owner could not be reached.
    case notTaken
  }
}
