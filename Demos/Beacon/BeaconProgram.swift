import FoundationEssentials
import Proscenium

extension PreferenceKey where Value == Double {
  /// How large the letters are, in points.
  static var textSize: Self { Self("textSize", default: 12) }
}

/// Shows everything that the system tells a program, as it arrives: in its windows and on standard output.
///
/// `Beacon [URL ...]` opens URLs of the scheme `beacon`; a second start hands them to the first. Its preference `textSize` can be
/// edited while it runs.
@main @MainActor final class BeaconProgram: Responder, ApplicationDelegate {
  private var observers: [NotificationCenter.ObservationToken] = []

  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Beacon", delegate: BeaconScene.init)
    configuration.launchSize = Size(width: 560, height: 400)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Beacon", sceneConfigurations: [configuration])
    manifest.openedURLSchemes = ["beacon"]
    manifest.openedFileExtensions = ["beacon"]
    manifest.shortcutItems = [
      ApplicationShortcutItem(type: "new-window", localizedTitle: "New Window"),
      ApplicationShortcutItem(type: "mark", localizedTitle: "Mark This Moment"),
    ]
    // Every URL is delivered to `scene(_:openURLContexts:)`, also those of the launch.
    manifest.replaysConnectionPayloads = true
    return manifest
  }

  // MARK: Launch and end

  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    note(.launch, "launched: \(application.restorationReason.rawValue)")
    for screen in application.screens { note(.display, "\(screen.name), \(describe(screen))") }
    observe()
    note(.preference, "letters of \(application.preferences[.textSize]) points")
    return true
  }

  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    note(.request, "second start in \(launch.directory ?? "?"): \(launch.arguments.joined(separator: " "))")
  }

  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    note(.scene, "closed for good: \(sceneSessions.count)")
  }

  func applicationWillTerminate(_ application: Application) {
    note(.launch, "ends: \(application.terminationCause?.rawValue ?? "?")")
  }

  // MARK: The machine

  func applicationDidReceiveMemoryWarning(_ application: Application) { note(.memory, "memory is short") }

  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) { note(.user, "the user has gone") }
  func applicationProtectedDataDidBecomeAvailable(_ application: Application) { note(.user, "the user is back") }

  /// What comes as a notification alone.
  private func observe() {
    let center = NotificationCenter.default
    observers = [
      center.addObserver(of: Application.shared, for: .significantTimeChange) { [weak self] message in
        let changes = message.changes.map(\.rawValue).sorted().joined(separator: ", ")
        self?.note(.time, "the time has changed: \(changes)")
      },
      center.addObserver(of: Application.shared, for: .localeDidChange) { [weak self] message in
        self?.note(.preference, "the region is \(message.application.localeIdentifier)")
      },
      center.addObserver(of: Application.shared, for: .traitCollectionDidChange) { [weak self] message in
        self?.note(.preference, "looks: \(message.application.traitCollection.userInterfaceStyle.rawValue)")
      },
      center.addObserver(of: Application.shared.preferences, for: .didChange) { [weak self] message in
        let keys = message.changedKeys.sorted().joined(separator: ", ")
        self?.note(.preference, "preferences have changed: \(keys)")
      },
      center.addObserver(of: Screen.self, for: .didConnect) { [weak self] message in
        self?.note(.display, "\(message.screen.name) connected, \(describe(message.screen))")
      },
      center.addObserver(of: Screen.self, for: .didDisconnect) { [weak self] message in
        self?.note(.display, "\(message.screen.name) disconnected")
      },
      center.addObserver(of: Screen.self, for: .modeDidChange) { [weak self] message in
        self?.note(.display, "\(message.screen.name) is now \(describe(message.screen))")
      },
      center.addObserver(of: Screen.self, for: .visibleFrameDidChange) { [weak self] message in
        let size = message.screen.visibleFrame.size
        self?.note(.display, "panels leave \(size.width) x \(size.height) of \(message.screen.name)")
      },
    ]
  }

  private func note(_ source: EventLog.Source, _ text: String) { EventLog.shared.note(source, text) }
}

@MainActor private func describe(_ screen: Screen) -> String {
  let scale = screen.scale == 1 ? "" : ", scale \(screen.scale)"
  return "\(screen.frame.size.width) x \(screen.frame.size.height)\(scale), \(screen.interfaceOrientation)"
}
