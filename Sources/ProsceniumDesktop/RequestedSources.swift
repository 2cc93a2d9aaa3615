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

  /// Makes sources that are not started.
  /// - Parameter thermalFolder: The folder of the kernel's thermal zones.
  init(thermalFolder: String) { power = PowerSource(thermalFolder: thermalFolder) }

  func start(_ host: any SystemHost) {
    power.start(host)
    locale.start(host)
    location.start(host)
    accounts.start(host)
  }

  /// Gives each source that is on a bus that bus, before it is connected.
  func use(_ bus: Bus) {
    switch bus.kind {
    case .system:
      power.use(bus)
      locale.use(bus)
      location.use(bus)
    case .session: accounts.use(bus)
    }
  }

  func stop() {
    power.stop()
    location.stop()
  }
}
