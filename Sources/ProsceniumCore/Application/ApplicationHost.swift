package import ProsceniumStore

/// How a program is hosted: by a process on a desktop, or by a test.
@MainActor package struct ApplicationHost {
  /// The store of scene sessions.
  package var store = StoreSource.none
  /// The kernel and the desktop environment.
  package var sources: [any SystemSource] = []
  /// The variables that name the user's directories (`XDG_CONFIG_HOME`, `HOME`); nil where the program has no such
  /// directories.
  package var environment: [String: String]?
  /// The variables that name the program's own directories (`UserFolders.variables`); nil where it has none.
  package var directories: [String: String]?
  /// Opens the folders of the program's default data; nil where there are none.
  package var programData: (@MainActor (ProgramDataPlace) throws(StoreError) -> any StoreFiles)?
  /// The room on the file system of the program's caches; as the system says where nil.
  package var cacheSpace: (@MainActor () -> DiskSpace?)?
  /// The path of the file that replaces values of the manifest; nil where no file is read.
  package var manifestFile: String?
  /// Called when the program's content for other programs has changed; nil without a desktop environment.
  package var openableContentChanged: (@MainActor (Application) -> Void)?
  /// Whether the process was killed, in a test: what is left of it reaches nothing outside it.
  package private(set) var isDead = false
  /// Whether the process belongs to the program alone: debug reports and the watchdog are for such programs.
  package var isProcess = false
  /// The process itself; nil where it is not observed.
  package var process: (any OwnProcess)?
  /// What is observed once the program asks for it.
  package var machine = MachineMonitors()
  /// What the program asks of the desktop environment.
  package var services = HostServices()
  /// Sends the launch to the process that owns the sessions, and waits for its answer.
  package var sendSecondStart: (@MainActor (SecondStart) -> SecondStart.Outcome)?

  package init() {}

  /// That of a process that was killed.
  package static var dead: ApplicationHost {
    var host = ApplicationHost()
    host.isDead = true
    return host
  }
}

/// What tells of the machine and the user once the program asks for it; nil for what is not observed.
@MainActor package struct MachineMonitors {
  package var power: (any PowerMonitor)?
  package var locale: (any LocaleMonitor)?
  package var accessories: (any AccessoryMonitor)?
  package var location: (any LocationMonitor)?
  package var accounts: (any AccountMonitor)?
  package var sensors: (any SensorMonitor)?
  /// The clock, the conditions and the service manager for scheduled work.
  package var work: (any WorkMonitor)?
  /// The clock and the service manager for notices with triggers.
  package var notices: (any WorkMonitor)?

  package init() {}
}

/// What the desktop environment does for the program once it asks; nil without one.
@MainActor package struct HostServices {
  /// Shows the program as a player of media.
  package var mediaPlayer: (any MediaPlayerService)?
  /// Shows notices to the user.
  package var notices: (any NoticeService)?
  /// Registers the program for pushed messages.
  package var push: (any PushService)?
  /// Offers the program's activities to other programs, and finds theirs.
  package var handoff: (any HandoffService)?
  /// Shows the program's windows to assistive programs.
  package var accessibility: (any AccessibilityService)?
  /// Has the keys of protected files.
  package var keys: (any KeyService)?
  /// Turns keys into text by the user's input method.
  package var inputMethod: (any InputMethodService)?
  /// Shows dialogs.
  package var dialogs: (any DialogService)?

  package init() {}
}
