import ProsceniumLoop
package import ProsceniumPlatform

/// Reports what the machine's sensors tell, as far as it is followed: orientation, proximity and light by
/// iio-sensor-proxy, shakes by the kernel's accelerometer.
///
/// What is not followed is neither claimed, nor asked for, nor matched on the bus, nor read, and there is no thread.
/// Changes are reported at most four times a second, with the values then.
@MainActor package final class SensorSource: SensorMonitor {
  /// The time from one report to the next one: a service may say anything, as often as it likes.
  private static let rest = Duration.milliseconds(250)

  private let folder: String
  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var topics: Set<SensorTopic> = []
  private var proxy: SensorProxy?
  private var shakes: ShakeWatch?
  private var reported: SensorReading?
  private var isResting = false
  private var isAdjusting = false
  private var isStopped = false

  /// Makes a source that is not started.
  /// - Parameter folder: The folder of the kernel's sensors.
  init(folder: String = Accelerometer.folder) { self.folder = folder }

  func start(_ host: any SystemHost) {
    self.host = host
    if !topics.isEmpty { adjustLater() }
  }

  /// Sets the system bus, which is where the service is.
  func use(_ bus: Bus) {
    self.bus = bus
    if !topics.isEmpty { adjustLater() }
  }

  func stop() {
    isStopped = true
    shakes?.isWanted = false
    (proxy, shakes) = (nil, nil)
  }

  package func follow(_ topics: Set<SensorTopic>) {
    guard topics != self.topics else { return }
    // What is followed anew is reported even where it is what it was.
    (self.topics, reported) = (topics, nil)
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
    guard let host, !isStopped else { return }
    if topics.contains(.shake), shakes == nil {
      shakes = ShakeWatch(folder: folder, host: host) { [weak host] in host?.post(.shake($0)) }
    }
    shakes?.isWanted = topics.contains(.shake)
    let others = topics.subtracting([.shake])
    if others.isEmpty {
      proxy?.stop()
      proxy = nil
    } else {
      if proxy == nil { proxy = bus.map { SensorProxy($0) { [weak self] in self?.changed() } } }
      proxy?.follow(others)
    }
    changed()
  }

  private func changed() {
    guard let host, !isStopped, !isResting, let reading = proxy?.reading, reading != reported else { return }
    reported = reading
    host.post(.sensors(reading))
    isResting = true
    host.after(milliseconds: Self.rest.milliseconds) { [weak self] in
      self?.isResting = false
      self?.changed()
    }
  }
}
