import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// What happens in each turn of the loop.
extension X11Platform: EventLoopClient {
  /// A flood of events must not keep timers, signals and the main queue waiting.
  private static let longestBatch = 10_000

  package func run() -> Int32 {
    let status = loop.run()
    // A guest may run again.
    if loop.hosting == .program { leaveSession() }
    return status
  }

  package func loopWillWait() {
    if !loop.isQuitting { client?.turn() }
    flush()
  }

  /// Writing may have read (xcb_flush).
  package var hasWork: Bool {
    if !batch.isEmpty || !changed.isEmpty || (!clipboard.finished.isEmpty && !loop.isSuspended) { return true }
    guard !isLost, let connection else { return false }
    return connection.isLost || connection.hasQueued() || !batch.isEmpty || !changed.isEmpty
  }

  package var hasIdleWork: Bool { client?.hasIdleWork == true }

  package func performIdleWork() { client?.performIdleWork() }

  package func loopCaught(signal: Int32) { batch.append(.signal(signal)) }

  package func loopDidWake() {
    drain()
    hand()
  }

  package func loopDidPassDeadlines() { hand() }

  /// Everything that can be read: events, and the replies between and after them.
  private func drain() {
    guard !isLost, let connection else { return }
    var count = 0
    repeat {
      // A suspended program costs one read an event, and none to find that there is no other one.
      while count < Self.longestBatch, let event = connection.nextEvent(onlyRead: loop.isSuspended && count > 0) {
        count += 1
        handle(decoder.decode(UnsafeRawPointer(event)))
        free(event)
      }
    } while connection.handReplies() && count < Self.longestBatch
    guard connection.isLost else { return }
    // What was left has been read; nothing comes any more, and all requests are no-ops (libxcb).
    isLost = true
    if let source { loop.unwatch(source) }
    loop.cancelDeadlines { if case .client = $0 { false } else { true } }
    requests = [:]
    timeWaiters = []
    abandonTransfers()
    batch.append(.connectionLost(connection.lossReason))
  }

  package func deadlinePassed(_ timer: Timer) {
    switch timer {
    case .client(let id): batch.append(.deadline(id))
    case .outcome(let request): giveUp(request)
    case .recheckManager: checkManager()
    case .desktopChoices: askForDesktopChoices()
    case .managerSettled:
      signal(.windowManagerSettled)
      for id in windows.keys.sorted() { windows[id].map(mapAgain) }
    case .desktopRule: signal(.desktopRuleDue)
    case .managerProbe(let id):
      windows[id].map(mapAgain)
      checkManager()
    case .leaving(let id): windows[id].map(finishLeaving)
    case .sessionSilence: reportSilentSession()
    case .strays: bringBackStrays()
    case .rest(let id): windows[id].map { signal($0, .rested) }
    case .iconic(let id): windows[id].map(endIconifying)
    case .frame(let id): windows[id].map(advance)
    case .picture(let id): windows[id].map(dropPicture)
    case .sync(let id): windows[id].map(answerSync)
    case .pasting(let window): finishRead(window, nil)
    case .delivery(let place): finishDelivery(place)
    }
  }

  /// Ends the batch: the levels that differ from what was handed out last, then what happened, in order.
  private func hand() {
    defer { if !loop.isSuspended { answerPasteboard() } }
    let events = endBatch()
    if !events.isEmpty { client?.handle(events) }
    // Also where nothing has come of it: a size that is the old one again.
    if hasSyncsDue { answerSyncs() }
  }

  private func endBatch() -> [PlatformEvent] {
    repair()
    // Where nothing has changed, as with most keys, what came goes out as it is.
    if changedOrder.isEmpty { return takeBatch() }
    let ids = changedOrder
    changed.removeAll(keepingCapacity: true)
    changedOrder = []
    var differences: [PlatformEvent] = []
    var losers: [TopLevel] = []
    for id in ids {
      guard let window = windows[id] else { continue }
      let (before, levels) = (window.levels, levels(of: window))
      if levels != window.lastLevels { differences.append(.levels(window.windowID, levels)) }
      let geometry = geometry(of: window)
      if geometry != window.lastGeometry {
        differences.append(.geometry(window.windowID, geometry))
        renewScale(window, geometry.frame)
      }
      if before.focused, before.visible, !levels.visible { losers.append(window) }
      insistOnIcon(window)
      if window.wantsFocus, levels.visible, window.model.isViewable { focusDirectly(window) }
      settleRequests(window, levels, geometry)
      if !losers.contains(where: { $0 === window }) { window.lastLevels = levels }
      window.lastGeometry = geometry
      checkPicture(window, geometry.frame.size)
    }
    for window in losers {
      loseFocus(window)
      window.lastLevels = levels(of: window)
    }
    return differences + takeBatch()
  }

  private func takeBatch() -> [PlatformEvent] {
    defer { batch = [] }
    return batch
  }
}
