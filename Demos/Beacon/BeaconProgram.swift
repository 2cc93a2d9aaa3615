import FoundationEssentials
import Proscenium

extension PreferenceKey where Value == Double {
  /// How large the letters are, in points.
  static var textSize: Self { Self("textSize", default: 12) }
}

/// Shows all events of the system as they arrive, in its windows and on standard output.
///
/// `Beacon [URL ...]` opens URLs of the scheme `beacon`; a second start sends them to the first. Its preference
/// `textSize` can be edited while it runs.
@main @MainActor final class BeaconProgram: Responder {
  private var observers: [NotificationCenter.ObservationToken] = []

  /// Media keys and the desktop's panel, which the windows pass on.
  override func remoteControlReceived(with event: Event) {
    if case .remoteControl(let command) = event.kind { record(.media, "asked to \(command.rawValue)") }
  }

  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Beacon", delegate: BeaconScene.init)
    configuration.launchSize = Size(width: 560, height: 400)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Beacon", sceneConfigurations: [configuration])
    manifest.version = "1"
    // Beside the program, where the package manager puts the target's resources.
    manifest.defaultData = DefaultData(folder: "Proscenium_Beacon.resources", files: ["Welcome.txt"])
    manifest.openedURLSchemes = ["beacon"]
    manifest.openedFileExtensions = ["beacon"]
    manifest.shortcutItems = [
      ApplicationShortcutItem(type: "new-window", localizedTitle: "New Window"),
      ApplicationShortcutItem(type: "mark", localizedTitle: "Mark This Moment"),
      ApplicationShortcutItem(type: "locate", localizedTitle: "Find Out Where I Am"),
    ]
    manifest.permittedTaskIdentifiers = [EventLog.task]
    manifest.userActivityTypes = ["org.proscenium.Notes.note"]
    // Every URL is delivered to `scene(_:openURLContexts:)`, also those of the launch.
    manifest.replaysConnectionPayloads = true
    return manifest
  }
}

extension BeaconProgram: ApplicationDelegate {
  // MARK: Launch and end

  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    let place = launchOptions?.isBackground == true ? ", in the background" : ""
    record(.launch, "launched: \(application.restorationReason.rawValue)\(place)")
    if let sender = launchOptions?.sourceApplication { record(.launch, "started for what \(sender) asks") }
    if let first = launchOptions?.firstLaunch, first != .no { welcome(first) }
    EventLog.shared.registerTask()
    for screen in application.screens { record(.display, "\(screen.name), \(describe(screen))") }
    observe()
    record(.preference, "letters of \(application.preferences[.textSize]) points")
    if let response = launchOptions?.notificationResponse {
      record(.launch, "started for \(response.actionIdentifier) of a notice")
    }
    UserNotificationCenter.current.delegate = self
    RemoteNotificationCenter.current.delegate = self
    UserNotificationCenter.current.categories = [
      UserNotificationCategory(
        identifier: "beacon", actions: [UserNotificationAction(identifier: "mark", title: "Mark", opensScene: false)])
    ]
    RemoteControlCenter.current.nowPlayingInfo = NowPlayingInfo(title: "All that happens", artist: "Beacon")
    application.beginReceivingRemoteControlEvents()
    if let caches = try? application.directories.caches { record(.memory, "caches are in \(caches.path)") }
    return true
  }

  /// Lists that this is the first launch, and the text that was copied for it.
  private func welcome(_ launch: LaunchOptions.FirstLaunch) {
    record(.launch, "first launch: \(launch)")
    guard let folder = try? Application.shared.directories.support,
      let text = try? Data(contentsOf: folder.appending(path: "Welcome.txt"))
    else { return }
    record(.launch, String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    record(.request, "second start in \(launch.directory ?? "?"): \(launch.arguments.joined(separator: " "))")
  }

  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    record(.scene, "closed for good: \(sceneSessions.count)")
  }

  func applicationWillTerminate(_ application: Application) {
    record(.launch, "ends: \(application.terminationCause?.rawValue ?? "?")")
  }

  // MARK: The machine

  func applicationDidReceiveMemoryWarning(_ application: Application) { record(.memory, "memory is short") }

  func applicationProtectedDataDidBecomeAvailable(_ application: Application) { record(.user, "the user is back") }

  /// Observes the events that have notifications only.
  private func observe() {
    let center = NotificationCenter.default
    observers = [
      center.addObserver(of: Application.shared, for: .significantTimeChange) { [weak self] message in
        let changes = message.changes.map(\.rawValue).sorted().joined(separator: ", ")
        self?.record(.time, "the time has changed: \(changes)")
      },
      center.addObserver(of: Application.shared, for: .protectedDataWillBecomeUnavailable) { [weak self] message in
        let sources = message.sources.sorted().joined(separator: ", ")
        self?.record(.user, "the user has gone, as told by \(sources)")
      },
      center.addObserver(of: Application.shared, for: .cachesShouldShrink) { [weak self] message in
        self?.record(.memory, "caches should shrink: the \(message.cause) is short")
      },
      center.addObserver(of: Application.shared, for: .localeDidChange) { [weak self] message in
        self?.record(.preference, describeLocale())
        self?.record(.preference, "changed: \(message.changes.map(\.rawValue).sorted().joined(separator: ", "))")
      },
      center.addObserver(of: Application.shared, for: .traitCollectionDidChange) { [weak self] message in
        self?.record(.preference, "looks: \(message.application.traitCollection.userInterfaceStyle.rawValue)")
      },
      center.addObserver(of: Application.shared.preferences, for: .didChange) { [weak self] message in
        let keys = message.changedKeys.sorted().joined(separator: ", ")
        self?.record(.preference, "preferences have changed: \(keys)")
      },
      center.addObserver(of: Screen.self, for: .didConnect) { [weak self] message in
        self?.record(.display, "\(message.screen.name) connected, \(describe(message.screen))")
      },
      center.addObserver(of: Screen.self, for: .didDisconnect) { [weak self] message in
        self?.record(.display, "\(message.screen.name) disconnected")
      },
      center.addObserver(of: Screen.self, for: .modeDidChange) { [weak self] message in
        self?.record(.display, "\(message.screen.name) is now \(describe(message.screen))")
      },
      center.addObserver(of: Screen.self, for: .visibleFrameDidChange) { [weak self] message in
        let size = message.screen.visibleFrame.size
        self?.record(.display, "panels leave \(size.width) x \(size.height) of \(message.screen.name)")
      },
    ]
    record(.preference, describeLocale())
    observePower(center)
    MachineLog.shared.observe()
  }

  /// The battery is observed once it is monitored, the other values once they have been read.
  private func observePower(_ center: NotificationCenter) {
    let device = Device.current
    device.isBatteryMonitoringEnabled = true
    if device.isLowPowerModeEnabled { record(.power, "power is to be saved") }
    record(.power, "the machine's heat is \(device.thermalState)")
    observers += [
      center.addObserver(of: device, for: .batteryStateDidChange) { [weak self] message in
        self?.record(.power, "the battery is \(message.device.batteryState)")
      },
      center.addObserver(of: device, for: .batteryLevelDidChange) { [weak self] message in
        let level = message.device.batteryLevel
        self?.record(
          .power, level < 0 ? "the battery's level is unknown" : "the battery has \(Int((level * 100).rounded())) %")
      },
      center.addObserver(of: device, for: .powerSourceDidChange) { [weak self] message in
        self?.record(.power, message.device.isOnBattery ? "runs on the battery" : "is plugged into power")
      },
      center.addObserver(of: device, for: .lidDidChange) { [weak self] message in
        self?.record(.power, message.device.isLidClosed ? "the lid is closed" : "the lid is open")
      },
      center.addObserver(of: device, for: .powerStateDidChange) { [weak self] message in
        self?.record(.power, message.device.isLowPowerModeEnabled ? "power is to be saved" : "power need not be saved")
      },
      center.addObserver(of: device, for: .thermalStateDidChange) { [weak self] message in
        self?.record(.power, "the machine's heat is \(message.device.thermalState)")
      },
    ]
  }

  private func record(_ source: EventLog.Source, _ text: String) { EventLog.shared.record(source, text) }
}

extension BeaconProgram: UserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UserNotificationCenter, didReceive response: UserNotificationResponse, targetScene: Scene?
  ) { record(.request, "\(response.actionIdentifier) of the notice \(response.request.identifier) is chosen") }
}

extension BeaconProgram: RemoteNotificationCenterDelegate {
  func remoteNotificationCenter(_ center: RemoteNotificationCenter, didRegisterWith endpoint: URL) {
    record(.request, "messages can be pushed to \(endpoint)")
  }

  func remoteNotificationCenter(
    _ center: RemoteNotificationCenter, didFailToRegisterWith error: RemoteNotificationCenter.Failure
  ) { record(.request, "messages cannot be pushed: \(error)") }

  func remoteNotificationCenterDidUnregister(_ center: RemoteNotificationCenter) {
    record(.request, "messages are pushed no more")
  }

  func remoteNotificationCenter(_ center: RemoteNotificationCenter, didReceive message: Data) {
    record(.request, "pushed: \(String(decoding: message.prefix(100), as: UTF8.self))")
  }
}

@MainActor private func describe(_ screen: Screen) -> String {
  let scale = screen.scale == 1 ? "" : ", scale \(screen.scale)"
  return "\(screen.frame.size.width) x \(screen.frame.size.height)\(scale), \(screen.interfaceOrientation)"
}

/// The languages that the user reads, and a number as the user wants it.
@MainActor private func describeLocale() -> String {
  let locale = LocaleSettings.current
  let number = LocaleFormatter.number(1_234_567.5, fractionDigits: 1)
  let clock = locale.usesTwelveHourClock ? "12 hours" : "24 hours"
  let calendar = locale.calendar == .gregorian ? "" : ", the \(locale.calendar) calendar"
  let languages = locale.languages.isEmpty ? "nothing" : locale.languages.joined(separator: ", ")
  return
    "the region is \(locale.region): \(number), \(clock), weeks from day \(locale.firstWeekday)\(calendar); "
    + "read: \(languages)"
}
