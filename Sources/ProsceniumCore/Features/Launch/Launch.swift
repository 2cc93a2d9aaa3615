import FoundationEssentials
import Glibc
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace

/// Launches the program: its identity, its store and its platform, the launch callbacks, and the first scene.
final class Launch: FeatureBase, Feature, EventGate {
  enum Message: Equatable {
    /// Begins the launch: as an item of the inbox, so that what comes while a callback of it turns a loop waits.
    case launch
    /// Begins the launch, which has waited.
    case begin
    /// Calls the two launch callbacks, and connects restored or new scenes.
    case callLaunchPair
    /// Connects restored scenes, or the first scene; whether the framework handles the launch's URLs and its item.
    case connect(opens: Bool)
    /// Connects the implicit scene that follows one which the user has closed.
    case connectAgain
    /// Opens the first scene, where none has been restored.
    case openFirstScene
    /// Checks, after the launch's requests, whether any window is visible.
    case checkLaunch
    /// The time limit of a window manager to show a window is over.
    case due
    /// Whatever was to be shown for the start of a launcher has been, or will not be.
    case startIsOver
    /// Opens the store that could not be opened.
    case openStore
    /// The store has been opened after the launch.
    case useStore
  }

  /// The exit status of a command line with an invalid request.
  private static let usageStatus: Int32 = 2

  var options = LaunchOptions()
  /// Whether the launch waits for the request for which the bus has started the program.
  var isWaiting = false
  /// The implicit scene of the app-based model; nil from when the user has closed it until a window is shown again.
  private(set) var implicitScene: WindowScene?
  /// The window that was closed with it, as long as the program keeps it.
  private(set) weak var closedWindow: Window?
  /// Where the store is, while it cannot be opened; see `LateStore`.
  var missingStore: StorePlace?
  /// The store that has been opened after the launch, and is not used yet.
  var lateStore: SessionStore?

  // MARK: Before the loop

  /// Launches the program and runs it to its end; returns its exit status.
  func run(delegate: any ApplicationDelegate, arguments: [String]) -> Int32 {
    if let status = begin(delegate: delegate, arguments: arguments) { return status }
    let status = conductor.platform.run()
    end()
    return status
  }

  /// Launches the program: what comes next is the loop.
  /// - Returns: The status to exit with where the program is not to run; nil where it runs.
  func begin(delegate: any ApplicationDelegate, arguments: [String]) -> Int32? {
    do throws(SceneError) {
      for problem in conductor.adopt(delegate) { conductor.report(problem) }
      application.registry = try SceneConfigurationRegistry(application.resolvedManifest.sceneConfigurations)
    } catch {
      conductor.report(error.description)
      return 1
    }
    UserActivity.report = { [weak conductor] in conductor?.report($0) }
    UserActivity.didNeedSave = { [weak conductor] in conductor?.stateChanged(of: $0) }
    conductor.setModel(lifecycleModel(delegate))
    options = conductor.launchOptions(arguments: Array(arguments.dropFirst()))
    // A command line is accepted as a whole, or not at all.
    guard options.invalidParts.isEmpty else { return refuse() }
    conductor.identity = ApplicationIdentity(
      id: application.resolvedManifest.applicationIdentifier, instance: ProgramName.own, arguments: arguments)
    conductor.announce(.configured)
    if let status = openStore() { return status }
    guard options.refusals.isEmpty else {
      conductor.store?.end(.none)
      return refuse()
    }
    conductor.announce(.storeOpened)
    if let status = startPlatform() { return status }
    return beginRun()
  }

  /// The loop has ended.
  func end() {
    for source in application.host.sources { source.stop() }
    conductor.announce(.exiting)
  }

  private func refuse() -> Int32 {
    for refusal in options.refusals { conductor.report("Nothing was opened: \(refusal)") }
    return Self.usageStatus
  }

  private func lifecycleModel(_ delegate: any ApplicationDelegate) -> LifecycleModel {
    if let model = application.resolvedManifest.lifecycleModel { return model }
    let hasScenes = application.registry?.isEmpty == false || delegate.implements(.configurationForConnecting)
    return hasScenes ? .sceneBased : .appBased
  }

  private func startPlatform() -> Int32? {
    // Stored placements are checked against the real screens.
    conductor.identity.needsScreens = conductor.feature(Restoration.self)?.hasStoredSessions == true
    do throws(PlatformError) {
      let screens = try conductor.platform.start(conductor.identity).map { Screen($0) }
      conductor.feature(Surroundings.self)?.screens = screens
      return nil
    } catch {
      conductor.report(error.description)
      // No window has been shown: the next launch finds the same sessions as this one.
      conductor.store?.end(.none)
      return 1
    }
  }

  private func beginRun() -> Int32? {
    conductor.trace(
      .launch(
        application: conductor.identity.id, reason: application.restorationReason.rawValue,
        model: conductor.machine.model, urls: options.urls.count))
    conductor.announce(.launching)
    for source in application.host.sources { source.start(conductor) }
    do throws(SceneError) {
      if conductor.machine.model == .appBased {
        try prepareImplicitScene(conductor.feature(Restoration.self)?.storedImplicitSession() ?? makeImplicitSession())
      }
    } catch {
      conductor.report(error.description)
      // No window has been shown: the next launch finds the same sessions as this one.
      conductor.store?.end(.none)
      for source in application.host.sources { source.stop() }
      return 1
    }
    if !isWaiting {
      conductor.postFirst([AnyMessage(Self.self, .launch)])
      conductor.turn()
      conductor.announce(.started)
    }
    return nil
  }

  /// The one scene of the app-based model exists before the launch callbacks, so that `Window()` has a place.
  private func prepareImplicitScene(_ record: SceneRecord) throws(SceneError) {
    try conductor.prepare(record, nil)
    let scene = WindowScene(session: record.session, connectionOptions: Scene.ConnectionOptions())
    record.scene = scene
    record.state(of: Saving.self).presence = .shown
    scene.record = record
    implicitScene = scene
    conductor.announce(.implicitSceneMade(record))
  }

  /// The implicit scene for a window that is to be shown: a new one where the user has closed the last, and the program
  /// goes on.
  func sceneToShowIn() -> WindowScene? {
    guard implicitScene == nil, conductor.machine.model == .appBased, conductor.machine.phase.isLaunched else {
      return implicitScene
    }
    // The session stays where another client has destroyed the window.
    let kept = conductor.roster.ordered.last {
      $0.scene == nil && $0.isInteractive && $0.session.configuration.name == nil && $0.session.holdReason == nil
    }
    let record = kept ?? makeImplicitSession()
    do throws(SceneError) {
      try prepareImplicitScene(record)
      conductor.post(Launch.self, .connectAgain)
    } catch {
      if kept == nil { conductor.connector.remove(record) }
      conductor.report(error.description)
    }
    return implicitScene
  }

  private func makeImplicitSession() -> SceneRecord {
    let session = SceneSession(
      persistentIdentifier: SceneSession.makeIdentifier(), role: .windowApplication,
      configuration: SceneConfiguration(name: nil, sessionRole: .windowApplication))
    return conductor.connector.insert(session)
  }

  // MARK: The launch callbacks

  override func join(_ lists: inout FeatureLists) {
    lists.gates.append(self)
    lists.observe(before: [.sceneDidDisconnect], after: [.sceneDidDisconnect], by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    if case .launched = moment, missingStore != nil { return [openStoreLater] }
    if case .before(.sceneDidDisconnect, let record) = moment, implicitScene?.record === record {
      closedWindow = record.primaryWindow
    }
    // The scene object is gone; the session may come back with the next launch.
    if case .after(.sceneDidDisconnect, let record) = moment, implicitScene?.record === record { implicitScene = nil }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .launch: [.reduce(.launch(foreground: !options.isBackground))]
    case .begin:
      [.announce(.launchWaits(false)), .reduce(.launch(foreground: !options.isBackground)), .announce(.started)]
    case .callLaunchPair: callLaunchPair()
    case .connect(let opens): connect(opens: opens)
    case .connectAgain: connectAgain()
    case .openFirstScene: openFirstScene()
    case .checkLaunch: checkLaunch()
    case .due: [.reduce(.nothingShown)]
    case .startIsOver: [.command(.startupComplete)]
    case .openStore: openLateStore()
    case .useStore: useLateStore()
    }
  }

  private func callLaunchPair() -> [FeatureAction] {
    let delegate = application.delegate
    conductor.traceApplication("willFinishLaunchingWithOptions")
    let will = CallDescription("application(_:willFinishLaunchingWithOptions:)", phase: .launch)
    let mayOpen = conductor.timed(will) {
      delegate?.application(application, willFinishLaunchingWithOptions: options) ?? true
    }
    conductor.announce(.betweenLaunchCallbacks)
    conductor.traceApplication("didFinishLaunchingWithOptions")
    let did = CallDescription("application(_:didFinishLaunchingWithOptions:)", phase: .launch)
    let mayStillOpen = conductor.timed(did) {
      let mayOpen = delegate?.application(application, didFinishLaunchingWithOptions: options) ?? true
      Application.DidFinishLaunchingMessage(application: application, launchOptions: options).post()
      return mayOpen
    }
    return [
      .reduce(.launched), .announce(.launched), .send(AnyMessage(Restoration.self, .judge)),
      send(.connect(opens: mayOpen && mayStillOpen)), post(.checkLaunch),
    ]
  }

  /// Restored scenes, or the first scene, precede requests of the launch callbacks.
  ///
  /// In the app-based model the launch callbacks decide whether the URLs are opened and the item is performed.
  private func connect(opens: Bool) -> [FeatureAction] {
    switch conductor.machine.model {
    case .appBased:
      guard let scene = implicitScene, let record = scene.record else { return [] }
      var connection = Scene.ConnectionOptions()
      connection.isReconnect = record.hasConnected
      connection.restorationReason = application.restorationReason
      conductor.connector.prepare(record, scene, options: connection, inBackground: options.isBackground)
      return [.settle, .announce(.implicitSceneConnected(opens: opens))]
    case .sceneBased:
      if options.isBackground { return [.announce(.launchedInBackground), .settle] }
      return [.send(AnyMessage(Restoration.self, .restoreSessions)), send(.openFirstScene)]
    }
  }

  private func connectAgain() -> [FeatureAction] {
    guard !conductor.machine.phase.isEnding, let scene = implicitScene, let record = scene.record else { return [] }
    var options = Scene.ConnectionOptions()
    options.isReconnect = record.hasConnected
    conductor.connector.prepare(record, scene, options: options, inBackground: false)
    return []
  }

  private func openFirstScene() -> [FeatureAction] {
    if isAnythingOpen { return [] }
    let request = SessionRequests.Request.activate(SceneSessionActivationRequest(), conductor.claimFirstScene())
    conductor.perform(.send(AnyMessage(SessionRequests.self, SessionRequests.Message(request: request))))
    conductor.settle()
    // Without a scene no window could become visible.
    return isAnythingOpen ? [] : [.post(AnyMessage(Termination.self, .ask(.requested, status: 1)))]
  }

  /// Whether there is a scene or a bare window, or one is about to be.
  private var isAnythingOpen: Bool {
    conductor.opensScenesLater || roster.contains { $0.scene != nil || $0.windows.bare != nil }
  }

  private func checkLaunch() -> [FeatureAction] {
    guard conductor.machine.phase.isLaunched else { return [] }
    let waitsToShow = conductor.opensScenesLater || roster.contains { conductor.isRestoring($0) }
    // Where no window was shown with the focus, such as where all come back as icons, launchers do not wait any longer.
    let completes = [waitsToShow ? set(.startup, after: Restoration.limit, .startIsOver) : .command(.startupComplete)]
    if waitsToShow || roster.contains(where: \.windows.isAnyShown) {
      // A window manager may start a window iconic, or never map it: then no window is visible after all.
      let waits = conductor.machine.phase == .launched
      return completes + (waits ? [set(.launch, after: application.holdTimes.windowManagerChange, .due)] : [])
    }
    let isSilent = conductor.machine.model == .appBased && !options.isBackground
    let report = FeatureAction.report(
      "No window is shown after application(_:didFinishLaunchingWithOptions:), so the program stays in the "
        + "background. Make a Window() there, keep it, and call makeKeyAndVisible().")
    return completes + (isSilent ? [report] : []) + [.reduce(.nothingShown)]
  }
}

/// No window has been shown since the launch, for the longest time that a window manager may need.
extension Deadline { fileprivate static let launch = Deadline("launch") }
/// What comes later than the launch may not ask for the focus.
extension Deadline { fileprivate static let startup = Deadline("startup") }

/// The store of the program's scene sessions.
extension Launch {
  /// Opens the store, or sends the launch to the process that owns it; answers the status to exit with if that one
  /// takes it.
  private func openStore() -> Int32? {
    var arguments = Array(conductor.identity.arguments.dropFirst())
    // One owner after the other may end before it has been asked.
    for number in 0..<20 {
      switch attempt(arguments) {
      // The owner may be the same start as an earlier login has set it, which ends at once: its display is gone.
      case .end where options.scheduledTask != nil && number < 10: usleep(200_000)
      // Parts that one process has handled are not sent to the next.
      case .ownerEnded(let left): (options, arguments) = (left.launch, left.arguments)
      case .end(let status): return status
      case nil: return nil
      case .notTaken: return 1
      }
    }
    conductor.report("\(conductor.identity.id) runs already, in one process after the other. Try again.")
    return 1
  }

  /// Nil where the store is this process's, or where there is none.
  private func attempt(_ arguments: [String]) -> SecondStart.Outcome? {
    let saving = conductor.feature(Saving.self)
    switch application.host.store {
    case .none: return nil
    case .given(let given): saving?.use(given)
    case .directory(let environment):
      let place = StorePlace(
        applicationIdentifier: conductor.identity.id, environment: environment,
        display: environment["DISPLAY"] ?? "",
        isSeparate: application.resolvedManifest.instancePolicy == .separateStores)
      do throws(StoreError) {
        saving?.use(SessionStore(try place.open()))
      } catch {
        switch error {
        // The process that runs has the same time, and needs no message.
        case .owned where options.scheduledTask != nil: return .end(status: 0)
        // The bus is this machine's.
        case .owned(let process, let display, let machine?): return runsAlready(process, display, machine)
        case .owned(let process, let display, nil): return sendStart(process, display, arguments)
        case .unusable(let message):
          saving?.failed(StoreFailure(message: message))
          if place.isThere { missingStore = place }
        }
      }
    }
    return nil
  }

  private func sendStart(_ process: Int?, _ display: String?, _ arguments: [String]) -> SecondStart.Outcome {
    let start = SecondStart(
      owner: process, display: display, identifier: conductor.identity.id, launch: options, arguments: arguments,
      directory: Self.currentDirectory)
    // The time that follows is another process's; if this one becomes the first after all, its launch has been judged.
    if application.host.sendSecondStart != nil { conductor.announce(.handingOver) }
    let outcome = application.host.sendSecondStart?(start) ?? .notTaken
    return outcome == .notTaken ? runsAlready(process, display, nil) : outcome
  }

  private func runsAlready(_ process: Int?, _ display: String?, _ machine: String?) -> SecondStart.Outcome {
    conductor.report(
      "\(conductor.identity.id) is running already, as process \(process.map(String.init) ?? "unknown") on display "
        + "\(display ?? "unknown")\(machine.map { " of the machine \($0)" } ?? ""). Use that one, or end it first.")
    return .notTaken
  }

  /// The working directory; nil where it has been removed, or has no name in UTF-8.
  static var currentDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

extension Conductor {
  /// Sets the application's delegate and its manifest.
  /// - Returns: A sentence about each value of the manifest's file that cannot be used.
  package func adopt(_ delegate: any ApplicationDelegate) -> [String] {
    application.delegate = delegate
    application.resolvedManifest = delegate.manifest
    return application.host.manifestFile.map { application.resolvedManifest.replaceValues(from: $0) } ?? []
  }

  /// The activity of a responder needs to be saved: the state of its scene is read.
  fileprivate func stateChanged(of responder: Responder) { scene(of: responder)?.stateChanged() }

  /// The scene that a responder belongs to; nil where it belongs to none that is connected.
  func scene(of responder: Responder) -> SceneRecord? {
    // A scene's delegate follows it in the chain.
    if let record = roster.ordered.first(where: { $0.scene?.delegate === responder }) { return record }
    var next: Responder? = responder
    while let current = next {
      if let scene = current as? Scene { return scene.record }
      next = current.next
    }
    return nil
  }
}

extension WindowScene {
  /// The scene of the app-based model, which owns the windows that are made without one.
  static var implicit: WindowScene? { launch?.implicitScene }
  /// The same for a window that is shown; it is in the scene already where that has an interface for it.
  static var implicitToShowIn: WindowScene? { launch?.sceneToShowIn() }
  private static var launch: Launch? { Application.sharedIfLaunched?.conductor?.feature(Launch.self) }
}

extension Application {
  /// The reason for the launch of the program, for its sessions.
  public var restorationReason: RestorationReason { conductor?.feature(Restoration.self)?.reason ?? .launch }
}
