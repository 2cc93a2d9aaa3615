import FoundationEssentials
import ProsceniumTrace
import SceneLifecycle

/// What is given back: of each scene that nobody sees, and of all when memory is short.
extension Stage {
  /// Gives back what the scene's windows hold and can make again.
  func purge(_ record: SceneRecord) {
    for window in record.windowScene?.windows ?? [] { window.display.purgeUnseen() }
    record.backgroundSince = record.backgroundSince ?? platform.now
    record.scene?.storage.caches.purge()
    if isInBackground { application.caches.purge() }
    reclaimSoon()
  }

  /// Whether no scene of the program is in the foreground.
  var isInBackground: Bool { mostActive <= .background }

  /// Memory is short.
  func memoryPressure(_ pressure: MemoryPressure) {
    switch law.phase {
    case .launched, .running: break
    case .notLaunched, .launching, .concealing, .disconnecting, .terminated: return
    }
    guard pressureLimit.admits(pressure, now: platform.now) else { return }
    trace.record("system", [("name", .text("memoryWarning")), ("level", .text(pressure.traceName))])
    if pressure == .critical, reclaimPolicy.endsUnderCriticalPressure, isInBackground {
      return askToTerminate(.memoryPressure)
    }
    // What each scene has before its caches are emptied decides who gives back most.
    let footprints = Dictionary(uniqueKeysWithValues: reclaimCandidates().map { ($0.scene, $0.footprint) })
    let records = connectedRecordsByNeed
    watched("applicationDidReceiveMemoryWarning(_:)") {
      application.delegate?.applicationDidReceiveMemoryWarning(application)
    }
    for record in records {
      for window in record.windowScene?.windows ?? [] { window.content?.didReceiveMemoryWarning() }
    }
    NotificationCenter.default.post(
      Application.DidReceiveMemoryWarningMessage(application: application), subject: application)
    for record in records {
      record.scene?.storage.caches.purge()
      for id in record.windows.keys { platform.perform(.purgeSpareBuffers(id)) }
    }
    application.caches.purge()
    // Who is on its way into sight, and whether somebody is at work, may be otherwise since the callbacks.
    disconnect(reclaimChoice(pressure, footprints: footprints).scenes)
    // What the disconnections give back goes with it.
    post(.reclaim)
    isTrimDue = true
  }

  /// Those in the background before those in front.
  private var connectedRecordsByNeed: [SceneRecord] {
    let connected = records.ordered.filter { $0.scene != nil && $0.ending == nil }
    return connected.filter { $0.activation <= .background }
      + connected.filter { $0.activation > .background }
  }

  /// A suspended program gives way in silence before the kernel takes it.
  /// - Returns: Whether it ends.
  func endsSuspended(under pressure: MemoryPressure) -> Bool {
    guard isSuspended, pressure == .critical, reclaimPolicy.endsUnderCriticalPressure else { return false }
    trace.record("system", [("name", .text("memoryWarning")), ("level", .text(pressure.traceName))])
    endInSilence(.memoryPressure, status: 0)
    return true
  }

  /// Gives the memory that is free within the process back to the system.
  func trimMemory() {
    isTrimDue = false
    application.ownProcess?.trimMemory()
  }
}

extension MemoryPressure {
  var traceName: String {
    switch self {
    case .warning: "warning"
    case .critical: "critical"
    }
  }
}
