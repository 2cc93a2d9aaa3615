import FoundationEssentials
import Glibc
import SceneLifecycle

extension Stage {
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
      extensions: delegate.openedFileExtensions, directory: Application.currentDirectory,
      fileExists: { access($0, F_OK) == 0 })
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
    trace.record(
      "launch",
      [
        ("application", .text(identity.id)), ("reason", .text(restorationReason.rawValue)), ("version", .number(1)),
      ])
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
    _ = watched("application(_:willFinishLaunchingWithOptions:)", nil, nil) {
      delegate?.application(application, willFinishLaunchingWithOptions: launchOptions)
    }
    restoreApplicationState()
    traceApplication("didFinishLaunchingWithOptions")
    watched("application(_:didFinishLaunchingWithOptions:)", nil, nil) {
      _ = delegate?.application(application, didFinishLaunchingWithOptions: launchOptions)
      NotificationCenter.default.post(
        Application.DidFinishLaunchingMessage(application: application, launchOptions: launchOptions),
        subject: application)
    }
    reduce(.launched)
    judgeStoredSessions(contents)
    contents = SessionStore.Contents()
    reportDiscards()
    reportHeldBack()
    connectAtLaunch()
    post(.checkLaunch)
  }

  /// What is brought back, or the first scene, comes before what the launch callbacks asked for.
  private func connectAtLaunch() {
    switch law.model {
    case .appBased:
      guard let scene = implicitScene, let record = scene.record else { return }
      prepare(
        record, scene,
        options: launchConnectionOptions(of: record), inBackground: launchOptions.isBackground)
      settle()
    case .sceneBased:
      guard !launchOptions.isBackground else { return }
      restoreSessions()
      if !isAnythingOpen {
        for action in activate(SceneSessionActivationRequest(), urls: launchOptions.urls, nil) { action() }
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
    var options = Scene.ConnectionOptions(urlContexts: Set(launchOptions.urls.map { OpenURLContext(url: $0) }))
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
      _ = makeDeadline(.launch, milliseconds: holdTimes.windowManagerChange)
    }
  }
}
