package import FoundationEssentials

/// What another program asks of this one: a second start of it, a launcher, whoever opens a URL, or another instance.
///
/// Data of sizes and forms that whoever received it has checked; by whom it was sent is known where the bus knows it.
package struct IncomingRequest: Equatable, Sendable {
  /// An activity to go on with.
  package enum Activity: Equatable, Sendable {
    case whole(StoredActivity)
    /// It was announced, and what came of it cannot be used.
    case failed(type: String, reason: String)
  }

  /// Who asks.
  package struct Sender: Hashable, Sendable {
    /// The process, as the bus says.
    package var process: Int?
    /// The id of the application that the process is: another instance's, or what its well-known name says.
    package var application: String?
    package init(process: Int? = nil, application: String? = nil) {
      self.process = process
      self.application = application
    }
  }

  /// URLs, and files as URLs, to open; none where the program itself is asked for.
  package var urls: [URL] = []
  /// The command line of a second start, without the program's name.
  package var arguments: [String] = []
  /// Where the file names of ``arguments`` start.
  package var directory: String?
  /// One of the items that the program has.
  package var shortcut: ApplicationShortcutItem?
  package var activity: Activity?
  /// Whether the asker wants to see nothing (`--background`).
  package var isBackground = false
  /// The startup notification's id or the activation token, which has the time of what the user did.
  package var token: String?
  package var sender: Sender?
  package init() {}
}

/// A launch that finds the sessions owned by a process that runs already.
package struct SecondStart: Equatable, Sendable {
  /// Who has the sessions, as far as it has said.
  package var owner: Int?
  /// The display of the owner's windows.
  package var display: String?
  package var identifier: String
  package var launch: LaunchOptions
  /// The command line without the program's name.
  package var arguments: [String]
  /// Where the file names start; nil where that place has been removed.
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

  /// What became of it.
  package enum Outcome: Equatable, Sendable {
    /// The process is to end with this status.
    case end(status: Int32)
    /// The owner has ended meanwhile, and this is left: whoever comes first is the next one.
    case ownerEnded(left: SecondStart)
    /// Nobody could be asked.
    case notTaken
  }
}
