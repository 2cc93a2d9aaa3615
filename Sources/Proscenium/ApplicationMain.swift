private import Glibc
public import ProsceniumCore
private import ProsceniumDesktop
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace
import ProsceniumX11

// The name is UIKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Runs the program on X11 until it ends, and exits with its status: for an explicit `main.swift`.
///
/// - Parameters:
///   - argc: The number of arguments, from `CommandLine.argc`.
///   - argv: The arguments, from `CommandLine.unsafeArgv`.
///   - principalClass: The class of the application; ``Application`` where nil.
///   - delegateClass: The class of its delegate: a ``Responder`` subclass with an `init()`, or one that conforms to
///     ``DelegateInitializable``. Where nil, the application itself must be its own delegate.
/// - Returns: Never; the return type is UIKit's.
@MainActor @discardableResult
public func ApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClass: Application.Type?,
  _ delegateClass: AnyClass?
) -> Int32 {
  Program.run(arguments: texts(argc, argv), principalClass: principalClass, delegateClass: delegateClass)
}

// The name is UIKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Runs the program on X11 until it ends, and exits with its status: for an explicit `main.swift` whose delegate is
/// made by a function.
///
/// - Parameters:
///   - argc: The number of arguments, from `CommandLine.argc`.
///   - argv: The arguments, from `CommandLine.unsafeArgv`.
///   - makeDelegate: Makes the application's delegate; called once, on the main thread.
/// - Returns: Never; the return type is UIKit's.
@MainActor @discardableResult
public func ApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
  makeDelegate: @MainActor () -> any ApplicationDelegate
) -> Int32 {
  exit(Program.run(arguments: texts(argc, argv), principalClass: nil) { _ in makeDelegate() })
}

private func texts(_ count: Int32, _ values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [String] {
  (0..<Int(max(count, 0))).compactMap { values[$0].map { String(cString: $0) } }
}

extension ApplicationDelegate where Self: Responder {
  /// Runs the program with this delegate; called by `@main`.
  public static func main() { Program.run(Self.self) }
}

extension ApplicationDelegate where Self: DelegateInitializable {
  /// Runs the program with this delegate; called by `@main`.
  public static func main() { Program.run(Self.self) }
}

/// The program in life: the framework on the X11 platform, with a trace where the environment asks for one.
@MainActor enum Program {
  /// Runs it with a delegate of a class, and exits with its status.
  ///
  /// The class is known to conform: a cast to the protocol would look through all conformances of the program.
  fileprivate static func run<Delegate: ApplicationDelegate>(_ type: Delegate.Type) -> Never {
    exit(
      run(arguments: CommandLine.arguments, principalClass: nil) { _ throws(ClassInstantiation.Failure) in
        try ClassInstantiation.make(type, role: "application delegate") as? Delegate
      })
  }

  /// Runs it with a delegate of a class, the application itself where nil, and exits with its status.
  fileprivate static func run(
    arguments: [String], principalClass: Application.Type? = nil, delegateClass: AnyClass?
  ) -> Never {
    exit(
      run(arguments: arguments, principalClass: principalClass) {
        application throws(ClassInstantiation.Failure) in
        guard let delegateClass else { return application as? any ApplicationDelegate }
        return try ClassInstantiation.make(delegateClass, role: "application delegate") as? any ApplicationDelegate
      })
  }

  static func run(
    arguments: [String], principalClass: Application.Type?,
    makeDelegate: @MainActor (Application) throws(ClassInstantiation.Failure) -> (any ApplicationDelegate)?
  ) -> Int32 {
    if arguments.dropFirst() == [ModeKeeper.argument] { return ModeKeeper.run() }
    switch prepare(arguments, principalClass, keepsModes: true, makeDelegate: makeDelegate) {
    case .end(let status): return status
    case .launch(let application, let delegate): return application.run(delegate: delegate, arguments: arguments)
    }
  }

  /// Launches it in the loop of another library.
  static func attach(
    to loop: (any OuterLoop)?, _ arguments: [String], _ principalClass: Application.Type?,
    _ makeDelegate: @MainActor () -> any ApplicationDelegate
  ) throws -> LoopAttachment {
    switch prepare(arguments, principalClass, keepsModes: false, makeDelegate: { _ in makeDelegate() }) {
    case .end(let status): throw LaunchEnded(status: status)
    case .launch(let application, let delegate):
      return try LoopAttachment(launching: application, delegate: delegate, arguments: arguments, in: loop)
    }
  }

  /// What a command line asks for.
  enum Preparation {
    /// The process has done what it was started for, or cannot do it.
    case end(status: Int32)
    case launch(Application, any ApplicationDelegate)
  }

  /// Makes the application, on the X11 platform.
  static func prepare(
    _ arguments: [String], _ principalClass: Application.Type?, keepsModes: Bool,
    makeDelegate: @MainActor (Application) throws(ClassInstantiation.Failure) -> (any ApplicationDelegate)?
  ) -> Preparation {
    occupyStandardFiles()
    do throws(ClassInstantiation.Failure) {
      let application = try makeApplication(principalClass)
      let platform = X11Platform()
      // Before anything is put into the main queue: libdispatch makes its descriptor then, or ends the process.
      if let failure = platform.failure {
        StandardError.write("Proscenium: \(failure.description)")
        return .end(status: 1)
      }
      platform.hasModeKeeper = keepsModes
      let accessories = AccessorySource()
      let bus = BusSource(
        environment: variables(BusSource.variables), ofInputMethods: { variables(InputMethodSource.variables) },
        onInhibitor: { [weak application] in application?.conductor?.sleepInhibitor = $0 })
      bus.instance = { [weak application] in application.flatMap { describe($0) } }
      bus.keptNoticeKey = { [weak application] new in
        application.flatMap {
          NoticeKeyFile(applicationIdentifier: $0.identifier, environment: variables(["XDG_STATE_HOME", "HOME"]))
            .value(keeping: new)
        }
      }
      bus.desktop.push.store = { [weak application] in
        application.map {
          PushRegistrationFile(
            applicationIdentifier: $0.identifier, environment: variables(["XDG_STATE_HOME", "HOME"]))
        }
      }
      var host = ApplicationHost()
      host.store = .directory(environment: variables(["XDG_STATE_HOME", "HOME", "DISPLAY"]))
      host.sources = [
        MemoryPressureSource(environment: variables(MemoryPressureSource.variables)), TimeSource(), accessories, bus,
      ]
      host.environment = variables(["XDG_CONFIG_HOME", "HOME"])
      host.directories = variables(UserFolders.variables)
      if let path = try? DesktopInstaller.ownPath() {
        host.manifestFile = path + ".manifest.json"
        let data = ProgramData(program: path, environment: variables(UserFolders.variables))
        host.programData = { place throws(StoreError) in try data.open(place) }
      }
      host.openableContentChanged = { DesktopEntryCommand.update($0) }
      host.isProcess = true
      host.process = LinuxProcess()
      host.machine.power = bus.requested.power
      host.machine.locale = bus.requested.locale
      host.machine.location = bus.requested.location
      host.machine.accounts = bus.requested.accounts
      host.machine.sensors = bus.requested.sensors
      host.machine.accessories = accessories
      host.machine.work = bus.requested.work
      host.machine.notices = bus.requested.noticeTimes
      host.services.mediaPlayer = bus.requested.mediaPlayer
      host.services.notices = bus.desktop.notices
      host.services.push = bus.desktop.push
      host.services.handoff = bus.requested.handoff
      host.services.accessibility = bus.requested.accessibility
      host.services.keys = bus.requested.secrets
      bus.requested.inputMethod.windowSystem = XIMEngine()
      host.services.inputMethod = bus.requested.inputMethod
      host.services.dialogs = bus.requested.dialogs
      host.sendSecondStart = { SecondStartMessage.send($0) }
      application.attach(platform: platform, trace: recorder(platform), host: host)
      application.desktop = bus.desktop
      guard let delegate = try makeDelegate(application) else {
        StandardError.write(
          "Proscenium: the application has no delegate. Name a class that conforms to ApplicationDelegate.")
        return .end(status: 1)
      }
      if let status = DesktopEntryCommand.run(arguments, application, delegate) { return .end(status: status) }
      return .launch(application, delegate)
    } catch {
      StandardError.write("Proscenium: \(error.description)")
      return .end(status: 1)
    }
  }

  /// A program started with one of its standard files closed would get the number for the next file that it opens, and
  /// everything that is printed would go into the store, or to the X server.
  private static func occupyStandardFiles() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }

  private static func describe(_ application: Application) -> InstanceDescription? {
    guard application.delegate != nil else { return nil }
    weak let running = application
    var description = InstanceDescription(
      identifier: application.identifier, display: variables(["DISPLAY"])["DISPLAY"] ?? "",
      schemes: application.resolvedManifest.openable.schemes,
      shortcuts: running?.resolvedManifest.openable.shortcutItems ?? [],
      isOneOfMany: application.resolvedManifest.instancePolicy == .separateStores)
    description.activityTypes = application.resolvedManifest.openable.activityTypes
    description.awaitsRequest = application.conductor?.launchesInBackground == true
    return description
  }

  static func variables(_ names: [String]) -> [String: String] {
    var found: [String: String] = [:]
    // Most are not set: a launch looks for dozens.
    for name in names { if let value = getenv(name) { found[name] = String(cString: value) } }
    return found
  }

  private static func makeApplication(_ type: Application.Type?) throws(ClassInstantiation.Failure) -> Application {
    // Changes of the shared application before this call count.
    guard let type, type != Application.self else { return Application.shared }
    return try ClassInstantiation.make(type, role: "principal class") as? Application ?? Application()
  }

  private static func recorder(_ platform: X11Platform) -> TraceRecorder {
    guard let file = TraceFile.fromEnvironment() else { return .off }
    let process = getpid()
    return TraceRecorder { entry in file.write(entry.json(time: platform.now, process: process)) }
  }
}
