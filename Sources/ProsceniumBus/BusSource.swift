package import ProsceniumCore

/// What the desktop tells a program over D-Bus, where there are a library for it and a bus.
@MainActor package final class BusSource: SystemSource {
  /// What it reads of the environment.
  package static let variables = BusAddress.variables + ["XDG_SESSION_ID"]
  /// Connected this long after the launch, which is not to be slower for it.
  package static let delay = 500

  private let environment: [String: String]
  private var buses: [Bus] = []
  private var logind: LogindSource?
  private var screenSaver: ScreenSaverSource?
  private var isStopped = false
  /// Called with who delays sleep and shutdown, as soon as logind is there.
  private let onInhibitor: (any SleepInhibitor) -> Void

  /// A source that is not started yet.
  /// - Parameters:
  ///   - environment: The program's own, as far as ``variables`` names it.
  ///   - onInhibitor: Called once, with who delays sleep and shutdown as soon as logind is there.
  package init(environment: [String: String], onInhibitor: @escaping (any SleepInhibitor) -> Void) {
    self.environment = environment
    self.onInhibitor = onInhibitor
  }

  package func start(_ host: any SystemHost) {
    host.after(milliseconds: Self.delay) { [weak self, weak host] in
      guard let self, let host, !isStopped else { return }
      open(host)
    }
  }

  package func stop() {
    isStopped = true
    for bus in buses { bus.disconnect() }
  }

  private func open(_ host: any SystemHost) {
    if let system = Bus(.system, environment: environment, host: host) {
      let logind = LogindSource(bus: system, environment: environment, host: host)
      self.logind = logind
      onInhibitor(logind)
      buses.append(system)
    }
    if let session = Bus(.session, environment: environment, host: host) {
      screenSaver = ScreenSaverSource(bus: session, host: host)
      buses.append(session)
    }
    for bus in buses { bus.connect() }
  }
}
