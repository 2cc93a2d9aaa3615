import ProsceniumLoop
import ProsceniumPlatform

/// Reads the kernel's thermal zones again and again, for as long as the object exists.
///
/// The kernel reports a temperature to nobody who has no rights, so it is read every ten seconds; not while the program
/// is suspended. A sensor may take its time, so each reading has a thread of its own, and the next one is due when the
/// last one has ended. A machine without zones that say anything is looked at once.
@MainActor final class ThermalWatch {
  /// The zones, and their temperatures.
  private struct Reading: Sendable {
    var zones: [ThermalZone]
    var temperatures: [Int?]

    init(_ zones: [ThermalZone]) {
      self.zones = zones
      temperatures = zones.map(\.temperature)
    }
  }

  private static let interval = Duration.seconds(10)

  /// The state of the hottest zone.
  private(set) var state = ThermalState.nominal

  private let folder: String
  private weak var host: (any SystemHost)?
  private let onChange: @MainActor () -> Void
  private let pipe: SelfPipe
  private let mailbox: Mailbox<Reading>
  private var registration: LoopRegistration?
  private var deadline: DeadlineID?
  /// Nil before the first reading.
  private var zones: [ThermalZone]?
  private var states: [ThermalState] = []

  /// Begins to watch; nil where the process has no descriptors left.
  /// - Parameters:
  ///   - folder: The folder of the zones.
  ///   - host: The loop.
  ///   - onChange: Called when ``state`` may have changed.
  init?(folder: String, host: any SystemHost, onChange: @escaping @MainActor () -> Void) {
    guard let pipe = SelfPipe() else {
      host.log("The temperature cannot be watched: the process has no descriptors left.")
      return nil
    }
    self.folder = folder
    self.host = host
    self.onChange = onChange
    self.pipe = pipe
    mailbox = Mailbox(waking: pipe)
    registration = LoopRegistration(pipe.readEnd, host: host) { [weak self] _ in self?.receive() }
    read()
  }

  isolated deinit { if let deadline { host?.cancel(deadline) } }

  private func read() {
    let (mailbox, folder, zones) = (mailbox, folder, zones)
    let work: @Sendable () -> Void = { mailbox.post(Reading(zones ?? ThermalZone.all(in: folder))) }
    // Without a thread the main one has to wait for the sensors.
    if !DetachedThread.run(work) { work() }
  }

  private func receive() {
    _ = pipe.drain()
    guard let reading = mailbox.removeAll().last else { return }
    if zones == nil { states = reading.zones.map { _ in .nominal } }
    zones = reading.zones
    for index in reading.zones.indices {
      states[index] = reading.zones[index].state(at: reading.temperatures[index], after: states[index])
    }
    state = states.max() ?? .nominal
    if reading.zones.isEmpty {
      registration = nil
    } else {
      deadline = host?.after(milliseconds: Self.interval.milliseconds) { [weak self] in self?.read() }
    }
    onChange()
  }
}
