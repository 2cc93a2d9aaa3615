import FoundationEssentials
import Glibc
import ProsceniumStore
import ProsceniumTrace
import SceneLifecycle

extension Stage {
  /// The exit status of a command line that asks for something that cannot be done.
  private static let usageStatus: Int32 = 2

  /// Launches the program and runs it to its end; returns its exit status.
  func run(delegate: any ApplicationDelegate, arguments: [String]) -> Int32 {
    do throws(SceneError) {
      registry = try SceneConfigurationRegistry(delegate.sceneConfigurations)
    } catch {
      report(error.description)
      return 1
    }
    application.delegate = delegate
    UserActivity.report = { [weak self] in self?.report($0) }
    UserActivity.didNeedSave = { [weak self] in self?.stateChanged(of: $0) }
    let isSceneBased = registry?.isEmpty == false || delegate.configuresScenes
    law.model = isSceneBased ? .sceneBased : .appBased
    suspensionPolicy = delegate.suspensionPolicy
    launchOptions = LaunchOptions(
      arguments: arguments.dropFirst(), schemes: delegate.openedURLSchemes,
      extensions: delegate.openedFileExtensions, shortcuts: delegate.shortcutItems,
      directory: Application.currentDirectory, fileExists: { access($0, F_OK) == 0 })
    // All of a command line is taken, or nothing.
    guard launchOptions.refusals.isEmpty else {
      for refusal in launchOptions.refusals { report("Nothing was opened: \(refusal)") }
      return Self.usageStatus
    }
    identify(
      ApplicationIdentity(
        id: delegate.applicationIdentifier, instance: Application.programName, arguments: arguments))
    application.callbackWatch?.configure(
      delegate.watchdogPolicy, delegate.watchdogLimits, application: identity.id)
    if let status = openStore(policy: delegate.instancePolicy) { return status }
    contents = takeStoredSessions()
    // Places that were remembered are checked against the real screens.
    identity.needsScreens = !contents.sessions.isEmpty
    do throws(PlatformError) {
      application.screens = try platform.start(identity).map { Screen($0) }
    } catch {
      report(error.description)
      // Nothing has been shown: the next launch finds what this one found.
      store?.end(.none)
      return 1
    }
    // One that is there from the start and dies at once has been seen, too.
    hasSeenManager = platform.hasWindowManager
    traceLaunch()
    for message in contents.messages { report(message) }
    startSources()
    if !isSceneBased { prepareImplicitScene() }
    reduce(.launch(foreground: !launchOptions.isBackground))
    turn()
    expectFirstBatch()
    let status = platform.run()
    stopSources()
    application.callbackWatch?.finish()
    return status
  }

  private func traceLaunch() {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [
      ("application", .text(identity.id)), ("reason", .text(restorationReason.rawValue)), ("version", .number(1)),
      ("model", .text(law.model == .sceneBased ? "sceneBased" : "appBased")),
    ]
    if !launchOptions.urls.isEmpty { fields.append(("urls", .number(launchOptions.urls.count))) }
    trace.record("launch", fields)
  }

  /// The one scene of the app-based model exists before the launch callbacks, so that `Window()` has a place.
  private func prepareImplicitScene() {
    let record = storedImplicitSession() ?? makeImplicitSession()
    let scene = WindowScene(session: record.session, connectionOptions: Scene.ConnectionOptions())
    record.scene = scene
    record.presence = .shown
    scene.record = record
    implicitScene = scene
  }

  private func makeImplicitSession() -> SceneRecord {
    let session = SceneSession(
      persistentIdentifier: UUID().uuidString, role: .windowApplication,
      configuration: SceneConfiguration(name: nil, sessionRole: .windowApplication))
    return insert(session)
  }

  func callLaunchPair() {
    let delegate = application.delegate
    traceApplication("willFinishLaunchingWithOptions")
    let mayOpen = watched("application(_:willFinishLaunchingWithOptions:)", nil, nil) {
      delegate?.application(application, willFinishLaunchingWithOptions: launchOptions) ?? true
    }
    restoreApplicationState()
    traceApplication("didFinishLaunchingWithOptions")
    let mayStillOpen = watched("application(_:didFinishLaunchingWithOptions:)", nil, nil) {
      let mayOpen = delegate?.application(application, didFinishLaunchingWithOptions: launchOptions) ?? true
      NotificationCenter.default.post(
        Application.DidFinishLaunchingMessage(application: application, launchOptions: launchOptions),
        subject: application)
      return mayOpen
    }
    reduce(.launched)
    judgeStoredSessions(contents)
    contents = SessionStore.Contents()
    reportDiscards()
    reportHeldBack()
    launchParcel = launchOptions.parcel
    connectAtLaunch(opensURLs: mayOpen && mayStillOpen)
    post(.checkLaunch)
  }

  /// What is brought back, or the first scene, comes before what the launch callbacks asked for.
  ///
  /// In the app-based model the launch callbacks say whether the URLs are still to be opened, and the item performed.
  private func connectAtLaunch(opensURLs: Bool) {
    switch law.model {
    case .appBased:
      guard let scene = implicitScene, let record = scene.record else { return }
      prepare(
        record, scene,
        options: launchConnectionOptions(of: record), inBackground: launchOptions.isBackground)
      settle()
      if opensURLs { callApplication(launchParcel) }
    case .sceneBased:
      guard !launchOptions.isBackground else {
        // They connect when somebody asks for them.
        suspects = []
        for (parcel, target) in split(launchParcel) { hand(parcel, to: target, isLaunch: true) }
        return settle()
      }
      restoreSessions()
      if !isAnythingOpen {
        for action in activate(SceneSessionActivationRequest(), with: launchParcel, nil) { action() }
        settle()
      }
      // Without any scene there is nothing that could ever be seen.
      if !isAnythingOpen { post(.terminate(.requested, status: 1)) }
    }
  }

  /// Whether there is a scene or a bare window, or one is about to be.
  private var isAnythingOpen: Bool {
    !suspects.isEmpty || records.contains { $0.scene != nil || $0.bare != nil }
  }

  private func launchConnectionOptions(of record: SceneRecord) -> Scene.ConnectionOptions {
    var options = Scene.ConnectionOptions()
    options.isReconnect = record.hasConnected
    options.restorationReason = restorationReason
    return options
  }

  /// Looks, once everything that the launch asked for has been done, whether there is anything to see.
  func checkLaunch() {
    guard law.phase == .launched || law.phase == .running else { return }
    let shows = records.contains { $0.showsWindow || $0.restorations > 0 }
    if law.model == .appBased, !shows {
      if !launchOptions.isBackground {
        report(
          "No window is shown after application(_:didFinishLaunchingWithOptions:), so the program stays in the "
            + "background. Make a Window() there, keep it, and call makeKeyAndVisible().")
      }
    }
    if !shows {
      reduce(.nothingShown)
    } else if law.phase == .launched {
      // A window manager may start a window iconic, or never map it: then there is nothing to see after all.
      _ = makeDeadline(.launch, holdTimes.windowManagerChange)
    }
  }
}
