import ProsceniumLoop
package import ProsceniumPlatform

/// What the desktop tells a program over D-Bus, where there are a library for it and a bus.
@MainActor package final class BusSource: SystemSource {
  /// What it reads of the environment.
  package static let variables = BusAddress.variables + DataFolders.variables + ["XDG_SESSION_ID"]
  /// What the desktop does for the program.
  package let desktop: DesktopServices
  /// Says who the program is, once it is being launched; without it nobody reaches it by name.
  package var instance: (@MainActor () -> InstanceDescription?)?

  private let environment: [String: String]
  private var buses: [Bus] = []
  private var logind: LogindSource?
  private var desktopSources: [AnyObject] = []
  private var service: InstanceService?
  private var isStopped = false
  /// Which buses have not said yet whether the user is there.
  private var awaited: Set<Bus.Kind> = []
  /// Called with who delays sleep and shutdown, as soon as logind is there.
  private let onInhibitor: (any SleepInhibitor) -> Void

  /// A source that is not started yet.
  /// - Parameters:
  ///   - environment: The program's own, as far as ``variables`` names it.
  ///   - onInhibitor: Called once, with who delays sleep and shutdown as soon as logind is there.
  package init(environment: [String: String], onInhibitor: @escaping (any SleepInhibitor) -> Void) {
    self.environment = environment
    self.onInhibitor = onInhibitor
    desktop = DesktopServices(environment: environment)
  }

  /// How long a launch waits for what tells whether the user is there, in milliseconds; it answers within a few.
  package static let patience = 100

  /// The buses are asked once the first windows have been asked for: what is on the screen waits for nobody.
  ///
  /// Scenes become active when it is known whether the user is there: that the screen is not locked, say.
  package func start(_ host: any SystemHost) {
    let description = instance?()
    desktop.begin(bus: nil, instance: nil, schemes: description?.schemes ?? [], host: host)
    let buses = [Bus.Kind.system, .session].compactMap { Bus($0, environment: environment, host: host) }
    awaited = Set(buses.filter(\.isThere).map(\.kind))
    if !awaited.isEmpty {
      // By another thread, which has done so by the time that the windows have been asked for.
      BusLibrary.prepare()
      host.post(.firstWord(isAwaited: true))
    }
    host.after(milliseconds: 0) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      for bus in buses { open(bus, description, host) }
      host.after(milliseconds: Self.patience) { [weak self] in self?.heardAll(host) }
    }
  }

  package func stop() {
    isStopped = true
    for bus in buses { bus.disconnect() }
  }

  private func heard(_ kind: Bus.Kind, _ host: any SystemHost) {
    guard awaited.remove(kind) != nil, awaited.isEmpty else { return }
    host.post(.firstWord(isAwaited: false))
  }

  private func heardAll(_ host: any SystemHost) { for kind in awaited { heard(kind, host) } }

  private func open(_ bus: Bus, _ description: InstanceDescription?, _ host: any SystemHost) {
    buses.append(bus)
    let onFirstWord: @MainActor () -> Void = { [weak self, weak host] in
      if let self, let host { heard(bus.kind, host) }
    }
    switch bus.kind {
    case .system:
      let logind = LogindSource(bus: bus, environment: environment, host: host, onFirstWord: onFirstWord)
      self.logind = logind
      onInhibitor(logind)
    case .session:
      service = description.flatMap { InstanceService(bus: bus, description: $0, host: host) }
      desktop.begin(bus: bus, instance: service, schemes: description?.schemes ?? [], host: host)
      desktopSources = [
        ScreenSaverSource(
          bus: bus, host: host, tellsLocks: { [weak self] in self?.logind?.tellsLocks == true },
          onFirstWord: onFirstWord),
        SettingsSource(bus: bus, host: host), IdleSource(bus: bus, host: host),
      ]
    }
    bus.connect()
    if !bus.isConnected { onFirstWord() }
  }
}
