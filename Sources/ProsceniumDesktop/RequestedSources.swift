import ProsceniumPlatform

/// The sources of the buses that nobody hears of before the program asks for them.
@MainActor package struct RequestedSources {
  /// The machine's power.
  package let power: PowerSource
  /// The machine's locale.
  package let locale = LocaleSource()
  /// Where the machine is.
  package let location = LocationSource()
  /// The user's accounts.
  package let accounts = AccountSource()

  /// The machine's sensors.
  package let sensors = SensorSource()

  /// The program as a player of media, while it wants to be controlled.
  package let mediaPlayer = MediaPlayerSource()
  /// The program's offer of its activity, and those of other programs.
  package let handoff = HandoffSource()
  /// The keys of protected files.
  package let secrets = SecretSource()
  /// The program on the accessibility bus, while an assistive program is there.
  package let accessibility: AccessibilitySource
  /// The menu bars of windows, while a panel wants them.
  package let panelMenus = PanelMenuSource()
  /// The user's input method.
  package let inputMethod: InputMethodSource
  /// Dialogs of the desktop environment.
  package let dialogs = DialogPortal()
  /// What scheduled work needs of the machine.
  package let work: WorkSource
  /// What notices with triggers need of it.
  package let noticeTimes: WorkSource

  /// Makes sources that are not started.
  /// - Parameters:
  ///   - thermalFolder: The folder of the kernel's thermal zones.
  ///   - program: The path of the program; nil where it has none.
  ///   - environment: The program's environment, as far as scheduled work and the texts' locale need it.
  ///   - ofInputMethods: Reads it as far as input methods need it.
  init(
    thermalFolder: String, program: String?, environment: [String: String],
    ofInputMethods: @escaping @MainActor () -> [String: String]
  ) {
    power = PowerSource(thermalFolder: thermalFolder)
    inputMethod = InputMethodSource(environment: ofInputMethods)
    accessibility = AccessibilitySource(environment: environment)
    work = WorkSource(power: power, program: program, environment: environment)
    noticeTimes = WorkSource(for: .notices, power: power, program: program, environment: environment)
  }

  func start(_ host: any SystemHost) {
    power.start(host)
    locale.start(host)
    location.start(host)
    accounts.start(host)
    sensors.start(host)
    mediaPlayer.start(host)
    handoff.start(host)
    secrets.start(host)
    accessibility.start(host)
    panelMenus.start(host)
    inputMethod.start(host)
    dialogs.start(host)
    work.start(host)
    noticeTimes.start(host)
  }

  /// Gives each source that is on a bus that bus, before it is connected.
  func use(_ bus: Bus) {
    switch bus.kind {
    case .system:
      power.use(bus)
      locale.use(bus)
      location.use(bus)
      sensors.use(bus)
    case .session:
      accounts.use(bus)
      secrets.use(bus)
      accessibility.use(bus)
      inputMethod.use(bus)
      dialogs.use(bus)
      work.use(bus)
      noticeTimes.use(bus)
    }
  }

  func stop() {
    power.stop()
    accessibility.stop()
    location.stop()
    sensors.stop()
    inputMethod.stop()
    work.stop()
    noticeTimes.stop()
  }
}
