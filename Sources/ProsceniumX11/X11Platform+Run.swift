import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The loop: one thread, one wait a turn, and no wake-up without a reason.
extension X11Platform {
  /// A flood of events must not keep timers, signals and the main queue waiting.
  private static let longestBatch = 10_000

  package func run() -> Int32 {
    let mainQueue = hosting == .program ? MainQueue() : nil
    var poller = Poller(connection: connection?.fileDescriptor, pipe: pipe?.readEnd, mainQueue: mainQueue?.descriptor)
    poller.watch(sources)
    while true {
      if quitStatus == nil { client?.turn() }
      flush()
      if let status = quitStatus {
        quitStatus = nil
        // A guest may run again.
        if hosting == .program { leaveSession() }
        return status
      }
      if isLost { poller.forgetConnection() }
      poller.session = session.connection?.descriptor
      if sourcesChanged { poller.watch(sources) }
      sourcesChanged = false
      // What waits in the main queue stays announced until it is read.
      poller.mainQueue = suspension.isOn ? nil : mainQueue?.descriptor
      let (isBusy, isIdleWorkDue) = (hasWork(), client?.hasIdleWork == true)
      let ready = poller.wait(until: isBusy || isIdleWorkDue ? 0 : deadlines.next)
      if isIdleWorkDue, !isBusy, ready.isEmpty {
        client?.performIdleWork()
        continue
      }
      if ready.contains(.pipe) { readPipe() }
      if ready.contains(.session) { readSession() }
      drain()
      hand()
      if quitStatus == nil { fireDeadlines() }
      hand()
      if quitStatus == nil, ready.contains(.sources) {
        for (id, isGone) in poller.readySources { sources[id]?.handler(isGone) }
      }
      if quitStatus == nil, !suspension.isOn, ready.contains(.mainQueue) { mainQueue?.drain() }
    }
  }

  /// Whether there is something to do that no descriptor will announce.
  ///
  /// Writing may have read (xcb_flush).
  private func hasWork() -> Bool {
    if !batch.isEmpty || !changed.isEmpty || (!clipboard.finished.isEmpty && !suspension.isOn) { return true }
    guard !isLost, let connection else { return false }
    return connection.isLost || connection.hasQueued() || !batch.isEmpty || !changed.isEmpty
  }

  private func readPipe() {
    for byte in pipe?.drain() ?? [] where byte != 0 { batch.append(.signal(Int32(byte))) }
    takeCompiledKeymap()
    takeFoundCursors()
    takeSession()
  }

  /// Everything that can be read: events, and the replies between and after them.
  private func drain() {
    guard !isLost, let connection else { return }
    var count = 0
    repeat {
      // A suspended program costs one read an event, and none to find that there is no other one.
      while count < Self.longestBatch, let event = connection.nextEvent(onlyRead: suspension.isOn && count > 0) {
        count += 1
        handle(decoder.decode(UnsafeRawPointer(event)))
        free(event)
      }
    } while connection.handReplies() && count < Self.longestBatch
    guard connection.isLost else { return }
    // What was left has been read; nothing comes any more, and all requests are no-ops (libxcb).
    isLost = true
    deadlines.cancelAll { if case .client = $0 { false } else { true } }
    requests = [:]
    timeWaiters = []
    abandonTransfers()
    batch.append(.connectionLost(connection.lossReason))
  }

  private func fireDeadlines() {
    for timer in deadlines.takeDue(now: MonotonicClock.nanoseconds) {
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
      case .dispatchTimers: stopDispatchTimers()
      }
    }
  }

  /// Ends the batch: the levels that differ from what was handed out last, then what happened, in order.
  private func hand() {
    defer { if !suspension.isOn { answerPasteboard() } }
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
