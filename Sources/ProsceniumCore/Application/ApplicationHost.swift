package import ProsceniumPlatform
package import ProsceniumStore

/// How a program is hosted: by a process on a desktop, or by a test.
@MainActor package struct ApplicationHost {
  /// Where scene sessions are kept.
  package var store = StoreSource.none
  /// The kernel and the desktop environment.
  package var sources: [any SystemSource] = []
  /// The variables that name the user's directories (`XDG_CONFIG_HOME`, `HOME`); nil where nothing is kept there.
  package var environment: [String: String]?
  /// The path of the file that replaces values of the manifest; nil where no file is read.
  package var manifestFile: String?
  /// Called when the program's content for other programs has changed; nil where the desktop environment knows of none.
  package var openableContentChanged: (@MainActor (Application) -> Void)?
  /// Whether the program is all of its process: debug reports and the watchdog are for such programs.
  package var isProcess = false
  /// The process itself; nil where it is not looked at.
  package var process: (any OwnProcess)?
  /// Hands the launch over to the process that has the sessions, and waits for its answer.
  package var handOver: (@MainActor (SecondStart) -> SecondStart.Outcome)?

  package init() {}
}

extension Application {
  var storeSource: StoreSource { host.store }
  var sources: [any SystemSource] { host.sources }
  var isProcess: Bool { host.isProcess }
  package var ownProcess: (any OwnProcess)? {
    get { host.process }
    set { host.process = newValue }
  }
  package var environment: [String: String]? {
    get { host.environment }
    set { host.environment = newValue }
  }
  package var handOver: (@MainActor (SecondStart) -> SecondStart.Outcome)? {
    get { host.handOver }
    set { host.handOver = newValue }
  }
}
