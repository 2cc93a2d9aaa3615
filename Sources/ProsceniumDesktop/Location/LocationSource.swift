import ProsceniumLoop
package import ProsceniumPlatform

/// Reports where the machine is, as far as the program wants to know it, by GeoClue.
///
/// Changes are reported at most once a second, with the last location then. Nothing is asked, matched on the bus or
/// started before the program asks.
@MainActor package final class LocationSource: LocationMonitor {
  /// The time from one report to the next one: a service may say anything, as often as it likes.
  private static let rest = Duration.seconds(1)

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var request: LocationRequest?
  private var service: (client: GeoClue, request: LocationRequest)?
  private var reported = LocationReading()
  private var isResting = false
  private var isAdjusting = false
  private var isStopped = false

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the system bus, which is where the service is.
  func use(_ bus: Bus) {
    self.bus = bus
    if request != nil { adjustLater() }
  }

  func stop() {
    isStopped = true
    end()
  }

  private func end() {
    service?.client.stop()
    service = nil
    // The user's answer lasts.
    (reported.location, reported.isUnavailable) = (nil, false)
  }

  package func follow(_ request: LocationRequest?) {
    guard request != self.request else { return }
    self.request = request
    // At once: a program that asks again in the same turn has a new client, which asks and tells anew.
    guard request != nil else { return end() }
    guard let host else { return }
    // The deadlines of a suspended program stand still.
    if host.isSuspended { adjust() } else { adjustLater() }
  }

  /// After the present callback, which at a launch requests the first windows.
  private func adjustLater() {
    guard let host, !isAdjusting else { return }
    isAdjusting = true
    host.after(milliseconds: 0) { [weak self] in
      self?.isAdjusting = false
      self?.adjust()
    }
  }

  private func adjust() {
    guard let host, !isStopped, let bus, let request, service?.request != request else { return }
    service?.client.stop()
    let client = GeoClue(bus, identifier: host.desktopIdentifier, request) { [weak self] in self?.changed() }
    service = (client, request)
    if client.reading.isUnavailable { changed() }
  }

  private func changed() {
    // While the program is suspended the end of the rest does not come.
    guard let host, !isStopped, !isResting || host.isSuspended, var reading = service?.client.reading else { return }
    // A new client of the service begins with what the last one knew.
    if reading.authorization == .notDetermined { reading.authorization = reported.authorization }
    reading.location = reading.location ?? reported.location
    guard reading != reported else { return }
    reported = reading
    host.post(.location(reading))
    guard !isResting else { return }
    isResting = true
    host.after(milliseconds: Self.rest.milliseconds) { [weak self] in
      self?.isResting = false
      self?.changed()
    }
  }
}
