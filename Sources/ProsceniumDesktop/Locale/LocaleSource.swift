import ProsceniumLoop
import ProsceniumPlatform

/// Reports the machine's locale, once the program wants to know it (org.freedesktop.locale1(5)).
///
/// Changes are reported at once, as long as there are few of them: see ``PacedReports``.
@MainActor package final class LocaleSource: LocaleMonitor {
  private static let name = "org.freedesktop.locale1"
  /// The most texts that are read.
  private static let limit = 100

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var service: BusProperties?
  private var isWanted = false
  private let reports = PacedReports()
  /// What it said last.
  private var said: SystemEvent?

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the system bus, which is where the service is.
  func use(_ bus: Bus) {
    self.bus = bus
    if isWanted { beginLater() }
  }

  package func follow() {
    guard !isWanted else { return }
    isWanted = true
    beginLater()
  }

  /// After the present callback, which at a launch requests the first windows.
  private func beginLater() {
    host?.after(milliseconds: 0) { [weak self] in
      guard let self, let bus, service == nil else { return }
      let object = BusProperties.Object(
        path: "/org/freedesktop/locale1", interface: Self.name,
        properties: ["Locale": { $0.elements?.allSatisfy { $0.text != nil } == true }])
      service = BusProperties(bus, Self.name, [object]) { [weak self] in self?.report() }
    }
  }

  /// The service ends when nobody asks it for a while: what it said last counts until it says something else.
  private func report() {
    guard let host else { return }
    let texts = service?.value("Locale", of: 0)?.elements?.prefix(Self.limit).compactMap(\.text)
    if let texts { said = .machineLocale(LocaleVariables(assignments: texts)) }
    reports.update(host) { [weak self] in self?.said }
  }
}
