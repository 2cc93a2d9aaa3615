import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Events of the server, each handed to what it concerns.
extension X11Platform {
  func handle(_ event: XEvent) {
    switch event {
    case .key(let input, let isDown): keyChanged(input, isDown: isDown)
    case .button(let input, let isDown): buttonChanged(input, isDown: isDown)
    case .motion(let input): pointerMoved(input)
    case .device(let event): deviceEvent(event)
    case .devicesChanged: refreshDevices()
    case .deviceSwitched: pointer.axes.reset()
    case .crossing(let input, let isEnter, let mode, let detail, let focus):
      pointerCrossed(input, isEnter: isEnter, mode: mode, detail: detail, focus: focus)
    case .focus(let id, let isIn, let mode, let detail): focusChanged(id, isIn: isIn, mode, detail)
    case .exposed(let id, let rect):
      guard let window = windows[id] else { return }
      signal(window, .exposed)
      if !window.isBare, !canRepair(window, rect) { batch.append(.exposed(window.windowID, rect)) }
    case .visibility(let id, let visibility): windows[id].map { signal($0, .visibility(visibility)) }
    case .destroyed(let id, let event): destroyed(id, event: event)
    case .unmapped(let id, let event, let isSynthetic):
      guard id == event, !isSynthetic else { return }
      if let window = windows[id] {
        signal(window, .unmapped)
        letGoOfInput(window)
      }
      frameChanged(id, .ancestorUnmapped(id))
    case .mapped(let id, let event):
      guard id == event else { return }
      if let window = windows[id] { mapped(window) }
      frameChanged(id, .ancestorMapped(id))
    case .reparented(let id, let event, let parent):
      guard id == event else { return }
      if let window = windows[id] { reparented(window, parent) }
      frameChanged(id, .ancestorReparented(id))
    case .configured(let id, let event, let rect, let isSynthetic):
      guard id == event else { return }
      configured(id, rect, isSynthetic: isSynthetic)
    case .property(let id, let property, let time, let isDeleted):
      propertyChanged(id, property, time: time, isDeleted: isDeleted)
    case .message(let id, let type, let words): windows[id].map { message($0, type, words) }
    case .keyboardMapping: renewKeyboard()
    case .selectionOwner(let selection, _): selectionChanged(selection)
    case .selectionRequested(let request): selectionRequested(request)
    case .selectionNotified(let requestor, let property): selectionNotified(requestor, property: property)
    case .selectionCleared(let selection, let time): selectionCleared(selection, time: time)
    case .screensChanged: refreshScreens()
    case .screenSaver(let isOn): batch.append(.screenSaver(isOn: isOn))
    case .presentCompleted(let completion): presentCompleted(completion)
    case .presentIdle(let id, let pixmap): presentIdle(id, pixmap)
    case .shmCompleted(let id, let segment): segmentCopied(id, segment)
    case .failed(let error): failed(error)
    case .unknown: break
    }
  }

  private func failed(_ error: XError) {
    let note = connection?.note(for: error)
    if let note, note.onError == .surface, surfaceFailed(error, note) { return }
    if let message = connection?.message(for: error) { batch.append(.error(message)) }
    guard let note, note.onError == .window, windows[note.window] != nil else { return }
    // The server had no memory for it, say; nothing is left of it, whatever the server meant.
    connection?.destroyWindow(note.window)
    destroyed(note.window, event: note.window)
  }

  private func mapped(_ window: TopLevel) { signal(window, .mapped) }

  /// Gone, and not by us: a window that we destroy is forgotten before.
  private func destroyed(_ id: UInt32, event: UInt32) {
    guard id == event else { return }
    guard let window = windows[id] else {
      frameChanged(id, .ancestorDestroyed(id))
      owners[id] = nil
      requestorDied(id)
      return
    }
    signal(window, .destroyed)
    batch.append(.destroyed(window.windowID))
    forget(window)
  }

  private func reparented(_ window: TopLevel, _ parent: UInt32) {
    let isRoot = parent == connection?.screen.root
    window.parent = parent
    loop.cancel(.managerProbe(window.id))
    signal(window, .reparented(parent: parent, parentIsRoot: isRoot))
    if isRoot {
      findAncestors(of: window)
      finishLeaving(window)
    }
  }

  private func configured(_ id: UInt32, _ rect: Rect, isSynthetic: Bool) {
    guard let window = windows[id] else {
      if id == connection?.screen.root { rootResized(rect.size) }
      return
    }
    // Nobody has a say but a window manager.
    guard !isSynthetic || !desktop.isKnownUnmanaged else { return }
    // Real events are relative to the parent, synthetic ones to the root (ICCCM 4.1.5). Any client can send one that
    // puts the window out of sight: the server is asked then.
    let isSeen = screens.current.contains { $0.frame.intersects(rect) }
    let isAbsolute = isSynthetic ? isSeen : window.parent == connection?.screen.root
    signal(window, .configured(rect, isAbsolute: isAbsolute))
    if window.requestedSync != nil {
      window.isSyncDue = true
      hasSyncsDue = true
    }
  }

  // MARK: Properties

  private func propertyChanged(_ id: UInt32, _ property: UInt32, time: UInt32, isDeleted: Bool) {
    noteTime(time)
    if isDeleted {
      if !clipboard.deliveries.isEmpty { pieceTaken(.init(requestor: id, property: property)) }
    } else if property == atoms[.transfer] {
      piecePut(id)
    }
    if id == leader {
      let waiters = timeWaiters
      timeWaiters = []
      waiters.forEach { $0(time) }
    } else if id == connection?.screen.root, property == PredefinedAtom.resourceManager {
      readResources()
    } else if id == choices.manager, property == atoms[.settings] {
      readSettings()
    } else if let window = windows[id] {
      guard let name = atoms.name(of: property) else { return }
      readProperty(window, name)
    } else if id == connection?.screen.root, let name = atoms.name(of: property) {
      rootPropertyChanged(name)
    } else if id == connection?.screen.root, atoms[.xkbRulesNames] == 0 {
      return
    }
  }

  /// What a window manager writes onto our windows.
  private func readProperty(_ window: TopLevel, _ name: AtomName) {
    let decode: @MainActor (X11Platform, TopLevel, PropertyValue?) -> Void
    switch name {
    case .wmState:
      // Its type is WM_STATE, and its first unit the state (ICCCM 4.1.3.1).
      decode = { platform, window, value in
        platform.wmStateChanged(window, value?.first(ofType: platform.atoms[.wmState]))
      }
    case .netWMState:
      decode = { platform, window, value in
        let states = value?.words(ofType: PredefinedAtom.atom)
        platform.signal(window, .netState(states.map(platform.netState)))
      }
    case .netWMDesktop:
      decode = { platform, window, value in
        let desktop = value?.first(ofType: PredefinedAtom.cardinal)
        platform.signal(window, .desktop(platform.supports(.netWMDesktop) ? desktop : nil))
      }
    case .netWMAllowedActions:
      decode = { _, window, value in window.allowedActions = value?.words(ofType: PredefinedAtom.atom).map(Set.init) }
    case _: return
    }
    properties?.read(window.id, atoms[name]) { [weak self, weak window] value in
      guard let self, let window, windows[window.id] === window else { return }
      decode(self, window, value)
    }
  }

  func rereadProperties(_ window: TopLevel) {
    for name in [AtomName.wmState, .netWMState, .netWMDesktop, .netWMAllowedActions] { readProperty(window, name) }
  }

  private func wmStateChanged(_ window: TopLevel, _ state: UInt32?) {
    if state != nil { loop.cancel(.managerProbe(window.id)) }
    signal(window, .wmState(state))
    // WithdrawnState or no state: the window manager has let go (ICCCM 4.1.3.1).
    if state == nil || state == 0 { finishLeaving(window) }
  }

  /// What we have written ourselves is only a wish where the window manager does not know of it.
  private func netState(_ atoms: [UInt32]) -> WindowSignal.NetState {
    guard supports(.netWMState) else { return [] }
    return atoms.reduce(into: []) { state, atom in
      switch self.atoms.name(of: atom) {
      case .netWMStateHidden: state.insert(.hidden)
      case .netWMStateFullScreen: state.insert(.fullScreen)
      case .netWMStateMaximizedHorizontally: state.insert(.maximizedHorizontally)
      case .netWMStateMaximizedVertically: state.insert(.maximizedVertically)
      case .netWMStateShaded: state.insert(.shaded)
      case _: break
      }
    }
  }

  func noteTime(_ time: UInt32) {
    // Times wrap after 49 days: later means ahead by less than half of that (X protocol, TIMESTAMP).
    if serverTime == 0 || Int32(bitPattern: time &- serverTime) > 0 { serverTime = time }
  }

  // MARK: Client messages

  private func message(_ window: TopLevel, _ type: UInt32, _ words: [UInt32]) {
    guard let connection, type == atoms[.wmProtocols], type != 0, words.count == 5, words[0] != 0 else { return }
    switch words[0] {
    case atoms[.wmDeleteWindow]:
      // The time of the press that closes (ICCCM 4.2.8): what the program shows in answer may have the focus.
      if words[1] != 0, userTime == 0 || Int32(bitPattern: words[1] &- userTime) > 0 { noteUserTime(words[1], window) }
      batch.append(.closeRequested(window.windowID))
    case atoms[.netWMPing]:
      // Back to the root, unchanged but for the window (EWMH, `_NET_WM_PING`).
      connection.sendMessage(
        type, about: connection.screen.root, .words(words), to: connection.screen.root,
        mask: Connection.managerMask)
    case atoms[.netWMSyncRequest]:
      let value = UInt64(words[2]) | UInt64(words[3]) << 32
      window.requestedSync = value
      window.isSyncDue = false
      // Before the window is mapped no resize follows: at once.
      if !window.model.isMapped { answerSync(window) }
    case _: break
    }
  }

  /// The resizes that have been handed out are drawn, or as good as.
  ///
  /// Where a surface of another size is shown its next frame is waited for, within a limit: the frame, asked for with the
  /// resize, goes to the server before the counter does.
  func answerSyncs() {
    guard hasSyncsDue, !isLost else { return }
    hasSyncsDue = false
    for window in windows.values where window.isSyncDue {
      guard !loop.isSuspended, let surface = window.surface, surface.size != geometry(of: window).frame.size else {
        answerSync(window)
        continue
      }
      hasSyncsDue = true
      if !loop.isSet(.sync(window.id)) { setTimer(.sync(window.id), 1000) }
    }
  }

  func answerSync(_ window: TopLevel) {
    guard let value = window.requestedSync else { return }
    window.requestedSync = nil
    loop.cancel(.sync(window.id))
    window.isSyncDue = false
    guard window.syncCounter != 0 else { return }
    extensions?.send(.syncSetCounter(window.syncCounter, value: value), onError: .ignore)
  }
}
