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
    let isSceneBased = registry?.isEmpty == false || delegate.configuresScenes
    law.model = isSceneBased ? .sceneBased : .appBased
    launchOptions = LaunchOptions(
      arguments: arguments.dropFirst(), schemes: delegate.openedURLSchemes,
      extensions: delegate.openedFileExtensions, directory: Application.currentDirectory,
      fileExists: { access($0, F_OK) == 0 })
    identify(
      ApplicationIdentity(
        id: delegate.applicationIdentifier, instance: Application.programName, arguments: arguments))
    do throws(PlatformError) {
      application.screens = try platform.start(identity).map { Screen($0) }
    } catch {
      report(error.description)
      return 1
    }
    trace.record(
      "launch",
      [("application", .text(identity.id)), ("reason", .text("launch")), ("version", .number(1))])
    if !isSceneBased { prepareImplicitScene() }
    reduce(.launch(foreground: !launchOptions.isBackground))
    turn()
    let status = platform.run()
    return status
  }

  /// The one scene of the app-based model exists before the launch callbacks, so that `Window()` has a place.
  private func prepareImplicitScene() {
    let session = SceneSession(
      persistentIdentifier: UUID().uuidString, role: .windowApplication,
      configuration: SceneConfiguration(name: nil, sessionRole: .windowApplication))
    let record = SceneRecord(number: makeNumber(), session: session, stage: self)
    records.insert(record)
    let scene = WindowScene(session: session, connectionOptions: Scene.ConnectionOptions())
    record.scene = scene
    scene.record = record
    implicitScene = scene
  }

  func callLaunchPair() {
    let delegate = application.delegate
    traceApplication("willFinishLaunchingWithOptions")
    _ = delegate?.application(application, willFinishLaunchingWithOptions: launchOptions)
    traceApplication("didFinishLaunchingWithOptions")
    _ = delegate?.application(application, didFinishLaunchingWithOptions: launchOptions)
    NotificationCenter.default.post(
      Application.DidFinishLaunchingMessage(application: application, launchOptions: launchOptions),
      subject: application)
    reduce(.launched)
    connectAtLaunch()
    post(.checkLaunch)
  }

  /// The first scene comes before those that the launch callbacks asked for.
  private func connectAtLaunch() {
    switch law.model {
    case .appBased:
      guard let scene = implicitScene, let record = scene.record else { return }
      prepare(
        record, scene,
        options: Scene.ConnectionOptions(urlContexts: Set(launchOptions.urls.map { OpenURLContext(url: $0) })),
        inBackground: launchOptions.isBackground)
      settle()
    case .sceneBased:
      guard !launchOptions.isBackground else { return }
      for action in activate(SceneSessionActivationRequest(), urls: launchOptions.urls, nil) { action() }
      settle()
      // Without any scene there is nothing that could ever be seen.
      if records.isEmpty { post(.terminate(status: 1)) }
    }
  }

  /// Looks, once everything that the launch asked for has been done, whether there is anything to see.
  func checkLaunch() {
    guard law.phase == .launched || law.phase == .running else { return }
    let shows = records.contains { $0.showsWindow }
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
