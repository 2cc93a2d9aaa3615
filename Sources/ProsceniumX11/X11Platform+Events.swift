package import ProsceniumLoop
import ProsceniumPlatform

/// A turn of the loop: events in, a batch out.
extension X11Platform: EventLoopClient {
  /// A flood of events must not keep deadlines, signals and the main queue waiting.
  private static let longestBatch = 10_000
  /// As many events as one read of libxcb surely returns (4096 bytes), if they are there.
  private static let shortBatch = 16

  package func loopWillWait() {
    if !loop.isQuitting { client?.turn() }
    flush()
  }

  package var hasWork: Bool {
    guard let components else { return false }
    let context = components.context
    let (batch, windows, server) = (context.batch, context.windows, context.server)
    if !batch.isEmpty || windows.hasChanges || (components.pasteboard.hasFinished && !loop.isSuspended) { return true }
    guard !server.isLost else { return false }
    // Asked first: what another thread has taken from the socket by then is in the queue, both happen under one lock.
    let mayArrive = loop.hasArrivals
    // Writing may have read (xcb_flush), and replies may have changed windows.
    return server.connection.isLost || server.connection.hasQueued() || mayArrive || !batch.isEmpty
      || windows.hasChanges
  }

  package var hasIdleWork: Bool { client?.hasIdleWork == true }

  package func performIdleWork() { client?.performIdleWork() }

  package func loopCaught(signal: Int32) { components?.context.batch.append(.signal(signal)) }

  package func loopDidWake() {
    guard let components else { return }
    read(components)
    endBatch(components)
  }

  package func loopDidPassDeadlines() { if let components { endBatch(components) } }

  package func loopRunsMainQueue(_ run: () -> Void) {
    guard let client else { return run() }
    client.runMainQueue(run)
  }

  /// Reads and handles events, and the replies between and after them.
  ///
  /// Mostly one read returns all that is there, and a second one would find nothing. The connection is read until it is
  /// empty after many events, and where a deadline is due or a reply awaited: neither overtakes an event that has come.
  /// While the program is suspended an event costs one read.
  private func read(_ components: X11Components) {
    let server = components.server
    guard !server.isLost else { return }
    let connection = server.connection
    let mayWait = !loop.isDeadlineDue && !connection.awaitsReplies && !connection.hasPeeked
    var count = 0
    repeat {
      while count < Self.longestBatch,
        let event = connection.nextEvent(
          onlyQueued: count > 0 && (loop.isSuspended || mayWait && count < Self.shortBatch))
      {
        count += 1
        handle(event)
      }
    } while connection.handleReplies() && count < Self.longestBatch
    if connection.isLost { lose(components) }
  }

  /// The connection is lost: nothing comes any more, and all requests are no-ops (libxcb).
  private func lose(_ components: X11Components) {
    components.server.lose()
    if let source { loop.unwatch(source) }
    loop.cancelDeadlines { $0.x11Purpose != .client }
    components.windows.requests.abandon()
    components.pasteboard.abandon()
    components.dragAndDrop.source.abandon()
    components.context.batch.append(.connectionLost(components.server.lossReason(isCut: loop.hasCutLine)))
  }

  // MARK: Events

  func handle(_ event: XEvent) {
    guard let components else { return }
    let (windows, input) = (components.context.windows, components.input)
    switch event {
    case .key(let event, let isDown):
      components.screenSaver.lockers.inputArrived(event, isDown: isDown)
      input.keyboard.handle(event, isDown: isDown)
    case .button(let event, let isDown):
      components.screenSaver.lockers.inputArrived(event, isDown: isDown)
      if !components.dragAndDrop.source.buttonChanged(event, isDown: isDown) {
        input.pointer.buttonChanged(event, isDown: isDown)
      }
    case .motion(let event): if !components.dragAndDrop.source.moved(event) { input.pointer.moved(event) }
    case .device(let event):
      if case .button(let isDown) = event.kind {
        components.screenSaver.lockers.inputArrived(event.input, isDown: isDown)
      }
      input.handle(event)
    case .devicesChanged: input.pointer.devices.refresh()
    case .deviceSwitched: input.pointer.devices.axes.reset()
    case .keyboardMapping: input.keyboard.maps.layoutChanged()
    case .crossing(let event, let isEnter, let mode, let detail, let focus):
      components.server.time.observe(event.time)
      guard let window = windows[event.window] else { return }
      windows.apply(isEnter ? .enter(mode, detail, focus: focus) : .leave(mode, detail, focus: focus), to: window)
      if !isEnter, mode == .ungrab { components.windows.popUps.grabEnded(in: event.window) }
      input.pointer.crossed(event, isEnter: isEnter, mode: mode, detail: detail)
    case .focus(let id, let isIn, let mode, let detail):
      guard let window = windows[id] else {
        if id == components.server.root { components.screenSaver.lockers.rootFocusChanged(isIn: isIn, mode) }
        return
      }
      windows.apply(isIn ? .focusIn(mode, detail) : .focusOut(mode, detail), to: window)
      components.screenSaver.lockers.focusChanged(window, mode)
      input.keyboard.focusChanged(window, isIn: isIn, mode, detail)
      components.focus.observe(window, isIn: isIn)
    case .exposed(let id, let rect):
      guard let window = windows[id] else { return }
      windows.apply(.exposed, to: window)
      components.drawing.exposed(window, rect)
    case .visibility(let id, let visibility): windows[id].map { windows.apply(.visibility(visibility), to: $0) }
    // Events of a frame are signals for the windows in it.
    case .destroyed(let id, let event) where id == event: destroyed(id, components)
    case .unmapped(let id, let event, isSynthetic: false) where id == event:
      if let window = windows[id] {
        windows.apply(.unmapped, to: window)
        input.end(in: window)
      } else {
        components.screenSaver.lockers.windowGone(id)
        components.dragAndDrop.source.windowUnmapped(id)
      }
      windows.apply(.ancestorUnmapped(id), toWindowsIn: id)
    case .mapped(let id, let event) where id == event:
      if let window = windows[id] {
        windows.apply(.mapped, to: window)
        components.windows.mapper.mapped(window)
      }
      windows.apply(.ancestorMapped(id), toWindowsIn: id)
    case .reparented(let id, let event, let parent) where id == event:
      if let window = windows[id] { components.windows.reparented(window, to: parent) }
      windows.apply(.ancestorReparented(id), toWindowsIn: id)
    case .configured(let id, let event, let frame, let isSynthetic) where id == event:
      if let window = windows[id] {
        components.windows.configured(window, frame, isSynthetic: isSynthetic)
      } else if id == components.server.root {
        components.monitors.rootResized(to: frame.size)
      }
    case .destroyed, .unmapped, .mapped, .reparented, .configured: break
    case .property(let id, let property, let time, let isDeleted):
      propertyChanged(id, property, time: time, isDeleted: isDeleted, components)
    case .message(let id, let type, let words):
      if components.dragAndDrop.handle(type, words, to: id) { return }
      windows[id].map { components.protocols.handle(type, words, to: $0) }
    case .selectionOwner(let selection, _):
      let name = components.server.atoms.name(of: selection)
      if name == .settingsSelection { components.settings.findManager() }
      components.manager.selectionChanged(name)
    case .selectionRequested(let request): components.pasteboard.answer(request)
    case .selectionNotified(let requestor, let property): components.pasteboard.answered(requestor, property: property)
    case .selectionCleared(let selection, let time): components.pasteboard.ownerChanged(selection, time: time)
    case .screensChanged: components.monitors.refresh()
    case .screenSaver(let isOn): components.context.batch.append(.screenSaver(isOn: isOn))
    case .presentCompleted(let completion): components.drawing.frames.completed(completion)
    case .presentIdle(let id, let pixmap): components.drawing.frames.idle(id, pixmap: pixmap)
    case .shmCompleted(let id, let segment): components.drawing.frames.copied(id, segment: segment)
    case .failed(let error): failed(error, components)
    case .bytes, .unknown: break
    }
  }

  /// A window has been destroyed, and not by us: a window that the program destroys is removed before.
  private func destroyed(_ id: UInt32, _ components: X11Components) {
    let windows = components.context.windows
    components.dragAndDrop.windowDestroyed(id)
    components.pasteboard.requestorDestroyed(id)
    guard let window = windows[id] else {
      windows.frameDestroyed(id)
      return components.screenSaver.lockers.windowGone(id)
    }
    windows.apply(.destroyed, to: window)
    components.context.batch.append(.destroyed(window.windowID))
    components.windows.remove(window)
  }

  private func propertyChanged(
    _ id: UInt32, _ property: UInt32, time: UInt32, isDeleted: Bool, _ components: X11Components
  ) {
    let server = components.server
    server.time.observe(time)
    let name = server.atoms.name(of: property)
    if isDeleted {
      components.pasteboard.pieceRead(TransferPlace(requestor: id, property: property))
    } else if case .transfer? = name {
      components.pasteboard.pieceWritten(id)
    }
    if id == server.leader {
      name == .netFrameExtents ? components.windows.managerQuestion.answered() : server.time.answer(time)
    } else if id == server.root, property == PredefinedAtom.resourceManager {
      components.settings.readResources()
    } else if case .settings? = name, id == components.settings.manager {
      components.settings.read()
    } else if let name {
      if let window = components.context.windows[id] {
        components.manager.propertyChanged(name, of: window)
      } else if id == server.root {
        if case .xkbRulesNames = name { components.input.keyboard.maps.layoutChanged() }
        if case .screenSaverStatus = name { components.screenSaver.lockers.readStatus() }
        components.manager.rootPropertyChanged(name)
      }
    }
  }

  private func failed(_ error: XError, _ components: X11Components) {
    let connection = components.server.connection
    let request = connection.request(of: error)
    if let request, request.onError == .surface || request.onError == .sharing,
      components.drawing.surfaces.failed(error, request)
    {
      return
    }
    if let message = connection.message(for: error) { components.context.batch.append(.error(message)) }
    guard let request, request.onError == .window, components.context.windows[request.window] != nil else { return }
    // The server had no memory for it, for instance; nothing is left of it in any case.
    connection.destroyWindow(request.window)
    destroyed(request.window, components)
  }

  // MARK: Deadlines

  package func deadlinePassed(_ deadline: LoopDeadline) {
    guard let components, let purpose = deadline.x11Purpose else { return }
    let windows = components.context.windows
    let id = deadline.window
    switch purpose {
    case .client: components.context.batch.append(.deadline(DeadlineID(rawValue: deadline.subject)))
    case .outcome: components.windows.requests.timeOut(RequestID(rawValue: deadline.subject))
    case .managerCheck: components.manager.check()
    case .settings: followSettings()
    case .managerSettled: components.manager.settled()
    case .managerSilence: components.windows.managerQuestion.timedOut()
    case .workspaceRule: windows.apply(.workspaceRuleDue)
    case .managerProbe:
      windows[id].map(components.windows.mapper.mapUnlessIcon)
      components.manager.check()
    case .unknownGuest: windows[id].map(components.windows.guests.askAgain(about:))
    case .leaving: windows[id].map(components.windows.mapper.finishLeaving)
    case .sessionManager: components.sessionManager.reportTimeout()
    case .strays: components.screens.bringBackStrays()
    case .briefRest: windows[id].map(components.windows.restedBriefly)
    case .rest: windows[id].map { windows.apply(.rested, to: $0) }
    case .iconic: windows[id].map(components.windows.mapper.iconIsDue)
    case .frame: windows[id].map(components.drawing.frames.advance)
    case .picture: windows[id].map(components.drawing.dropPicture)
    case .sync: windows[id].map(components.protocols.answerSync)
    case .heldKeys: windows[id].map(components.input.keyboard.releaseKeys)
    case .locker: components.screenSaver.lockers.deadlinePassed()
    case .pasting: components.pasteboard.finishRead(id, nil)
    case .delivery: components.pasteboard.finishDelivery(deadline.place)
    case .dragging: components.dragAndDrop.source.timedOut()
    }
  }

  /// Begins to follow the states that the launch does not need.
  func followSettings() {
    components?.screenSaver.begin()
    components?.screenSaver.lockers.begin()
    components?.settings.begin()
  }

  // MARK: The end of a batch

  /// Delivers the batch, and then the answers of the pasteboard.
  private func endBatch(_ components: X11Components) {
    let context = components.context
    components.drawing.surfaces.repair()
    if loop.isSuspended, components.manager.followRoot() { readRoot(components) }
    // Levels and geometries, then what happened: also the events that following the changes brings. Windows that it
    // marks belong to the next batch.
    if context.windows.hasChanges || !context.batch.isEmpty {
      let changes = context.windows.takeChanges()
      follow(changes, components)
      let events = context.batch.takeEvents(after: changes)
      if !events.isEmpty { client?.handle(events) }
    }
    // Also where no event comes of it: a size that is the old one again.
    components.protocols.answerSyncs()
    if !loop.isSuspended { components.pasteboard.callFinished() }
  }

  /// Performs the consequences of the changes of windows.
  private func follow(_ changes: [WindowChange], _ components: X11Components) {
    for change in changes {
      let window = change.window
      guard let levels = window.delivered.levels, let geometry = window.delivered.geometry else { continue }
      if change.isGeometryNew {
        components.screens.updateScale(of: window, geometry.frame, isResized: change.isResized)
      }
      if !window.model.isViewable { components.input.pointer.end(in: window) }
      components.windows.mapper.insistOnIcon(window)
      components.windows.guests.place(window)
      if window.showing.wantsFocus, levels.visible, window.model.isViewable { components.focus.set(window) }
      components.windows.requests.settle(window, levels, geometry)
      components.drawing.checkPicture(window, geometry.frame.size)
    }
    for change in changes where change.hasLostFocus { components.focus.passOn(from: change.window) }
  }
}
