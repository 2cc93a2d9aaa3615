import ProsceniumLoop
package import ProsceniumPlatform

/// Reports the machine's power, as far as the program wants to know it: the battery by UPower, the user's wish to save
/// power by the power profiles, the heat by the kernel's thermal zones.
///
/// What is not followed is neither asked for, nor matched on the bus, nor read. Changes are reported at once, as long
/// as there are few of them: see ``PacedReports``.
@MainActor package final class PowerSource: PowerMonitor {
  private let thermalFolder: String
  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var topics: Set<PowerTopic> = []
  /// What scheduled work waits for, and its listener, which hears of each change.
  private var workTopics: Set<PowerTopic> = []
  private var onWorkChange: (@MainActor () -> Void)?
  private var battery: UPower?
  private var profiles: PowerProfiles?
  private var thermal: ThermalWatch?
  private let reports = PacedReports(.power(PowerReading()))
  private var isAdjusting = false
  private var isStopped = false

  /// Makes a source that is not started.
  /// - Parameter thermalFolder: The folder of the kernel's thermal zones.
  init(thermalFolder: String) { self.thermalFolder = thermalFolder }

  func start(_ host: any SystemHost) {
    self.host = host
    adjustLater()
  }

  /// Sets the system bus, which is where the services are.
  func use(_ bus: Bus) {
    self.bus = bus
    adjustLater()
  }

  func stop() {
    isStopped = true
    thermal = nil
  }

  package func follow(_ topics: Set<PowerTopic>) {
    guard topics != self.topics else { return }
    self.topics = topics
    adjustLater()
  }

  /// Follows these topics for scheduled work too, whatever the program itself wants to know.
  func followForWork(_ topics: Set<PowerTopic>, onChange: @escaping @MainActor () -> Void) {
    onWorkChange = topics.isEmpty ? nil : onChange
    guard topics != workTopics else { return }
    workTopics = topics
    // The deadlines of a suspended program stand still.
    if host?.isSuspended == true { adjust() } else { adjustLater() }
  }

  /// Whether the machine runs on its battery, and whether the user saves power; nil where that is not known.
  var isOnBattery: Bool? { battery?.isOnBattery }
  var isLowPowerMode: Bool? { profiles?.isLowPowerMode }

  private var allTopics: Set<PowerTopic> { topics.union(workTopics) }

  /// After the present callback, which at a launch requests the first windows.
  private func adjustLater() {
    guard let host, !isAdjusting, !(allTopics.isEmpty && battery == nil && profiles == nil && thermal == nil) else {
      return
    }
    isAdjusting = true
    host.after(milliseconds: 0) { [weak self] in
      self?.isAdjusting = false
      self?.adjust()
    }
  }

  private func adjust() {
    guard let host, !isStopped else { return }
    let onChange: @MainActor () -> Void = { [weak self] in self?.changed() }
    if !allTopics.contains(.battery) {
      battery?.stop()
      battery = nil
    } else if battery == nil {
      battery = bus.map { UPower($0, onChange: onChange) }
    }
    if !allTopics.contains(.lowPowerMode) {
      profiles?.stop()
      profiles = nil
    } else if profiles == nil {
      profiles = bus.map { PowerProfiles($0, onChange: onChange) }
    }
    if !allTopics.contains(.thermalState) {
      thermal = nil
    } else if thermal == nil {
      thermal = ThermalWatch(folder: thermalFolder, host: host, onChange: onChange)
    }
    changed()
  }

  private var reading: PowerReading {
    var reading = PowerReading()
    if let battery, battery.isBeingRead {
      // They are reported together: until then what was reported counts.
      if case .power(let reported) = reports.last { reading = reported.limited(to: [.battery]) }
    } else {
      battery?.complete(&reading)
    }
    profiles?.complete(&reading)
    reading.thermalState = thermal?.state ?? .nominal
    return reading
  }

  private func changed() {
    onWorkChange?()
    guard let host, !isStopped else { return }
    reports.update(host) { [weak self] in
      if let self, !isStopped { .power(reading.limited(to: topics)) } else { nil }
    }
  }
}
