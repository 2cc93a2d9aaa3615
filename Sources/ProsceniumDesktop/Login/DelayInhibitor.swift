import ProsceniumLoop
import ProsceniumPlatform

/// A delay inhibitor of logind: the machine waits a few seconds before it sleeps or shuts down (systemd-inhibit(1)).
///
/// Acquired at the start, because the signal comes too late for that; released as soon as everything is saved and no
/// background task is open, and acquired again after the sleep.
@MainActor final class DelayInhibitor: SleepInhibitor {
  /// Logind's default.
  private static let usualDelay = 5000

  private let logind: Logind
  private let host: any SystemHost
  /// The delay lasts for as long as it is open.
  private var descriptor: BusDescriptor?
  private var isRequested = false
  /// Whether it has been reported that logind refuses the inhibitor.
  private var isReported = false
  private var isAnnounced = false
  private var isSaved = false
  private var hasTasks = false
  /// The longest delay, in milliseconds.
  private var delay = usualDelay
  private var announcedAt = 0.0

  init(_ logind: Logind, host: any SystemHost) {
    self.logind = logind
    self.host = host
  }

  /// Requests the inhibitor from logind.
  func acquire() {
    guard descriptor == nil, !isRequested else { return }
    isRequested = true
    let values = ["sleep:shutdown", host.applicationIdentifier, "Windows are being saved.", "delay"]
    logind.call("Inhibit", values.map { .string($0) }) { [weak self] in self?.acquired($0) }
  }

  private func acquired(_ result: Result<[BusValue], BusFailure>) {
    isRequested = false
    switch result {
    case .success(let values):
      guard case .descriptor(let descriptor)? = values.first else { return }
      self.descriptor = descriptor
      isReported = false
      releaseIfDone()
    case .failure(let failure):
      guard failure != .disconnected, !isReported else { return }
      isReported = true
      host.report("logind does not wait for the program before it sleeps: \(failure)")
    }
  }

  /// Reads how long logind waits.
  func readDelay() {
    logind.managerProperty("InhibitDelayMaxUSec") { [weak self] in
      if let microseconds = $0?.integer { self?.delay = max(0, microseconds / 1000) }
    }
  }

  /// The machine is about to sleep or to be shut down: the delay begins.
  func announce() {
    if !isAnnounced { announcedAt = host.now }
    isAnnounced = true
    isSaved = false
  }

  /// The machine goes on: the next sleep is delayed again.
  func withdraw() {
    isAnnounced = false
    acquire()
  }

  /// Logind has disappeared, and its inhibitors with it.
  func reset() {
    descriptor = nil
    isRequested = false
    isReported = false
  }

  private func releaseIfDone() { if isAnnounced, isSaved, !hasTasks { descriptor = nil } }

  // MARK: SleepInhibitor

  func inhibit(reason: String) { hasTasks = true }

  func release() {
    hasTasks = false
    releaseIfDone()
  }

  func saved() {
    isSaved = true
    releaseIfDone()
  }

  var savingTime: Int { SleepDelay.savingTime(delay: delay, elapsed: Int((host.now - announcedAt) * 1000)) }
}
