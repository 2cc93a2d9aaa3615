package import ProsceniumCore
import ProsceniumLoop
import SceneLifecycle

/// What a person or the window system does.
extension HeadlessPlatform {
  /// Whether anything can still happen to the program.
  private var isAlive: Bool { quitStatus == nil && isPowered() }

  /// Hands out what has happened as one batch, and again until nothing more happens.
  package func deliver() {
    // A callback may start another process, whose application takes this one's place.
    let running = application
    defer { withExtendedLifetime(running) {} }
    while isAlive {
      client?.turn()
      if !answers.isEmpty, !isSuspended {
        let due = answers
        answers = []
        due.forEach { $0() }
        continue
      }
      guard !pending.isEmpty else {
        guard let client, client.hasIdleWork, isAlive else { return }
        client.performIdleWork()
        continue
      }
      let batch = pending
      pending = []
      client?.handle(batch)
    }
  }

  /// Lets time pass; deadlines fire in order, each as a batch of its own.
  package func advance(by milliseconds: Int) { advance(bySeconds: Double(milliseconds) / 1000) }

  /// Lets time pass, in seconds.
  func advance(bySeconds seconds: Double) {
    deliver()
    // What is due after the end of all time never happens.
    let end = min(now + seconds, ManualClock.end)
    while isAlive, let event = takeDue(before: end) {
      pending.append(event)
      deliver()
    }
    now = max(now, end)
  }

  /// What happens first, if it does before a moment; deadlines and frames wait while the program is suspended.
  private func takeDue(before end: Double) -> PlatformEvent? {
    let limit = end + 1e-9
    let deadline =
      isSuspended ? nil : deadlines.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
    let frame = isSuspended ? nil : frames.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
    let news = agenda.indices.min { agenda[$0].due < agenda[$1].due }
    let due = min(deadline?.value ?? .infinity, frame?.value ?? .infinity, news.map { agenda[$0].due } ?? .infinity)
    guard due <= limit else { return nil }
    now = max(now, due)
    if let news, agenda[news].due == due { return agenda.remove(at: news).event }
    if let frame, frame.value <= (deadline?.value ?? .infinity) + 1e-9 {
      frames[frame.key] = nil
      now = max(now, frame.value)
      return .frame(frame.key, FrameTiming(timestamp: now, targetTimestamp: now + 1.0 / 60))
    }
    guard let deadline else { return nil }
    deadlines[deadline.key] = nil
    return .deadline(deadline.key)
  }

  /// Time passes while something is being done: nothing that is due meanwhile happens before it is over.
  package func spend(milliseconds: Int) { now += Double(milliseconds) / 1000 }

  /// Any events at all, as one batch.
  package func send(_ events: PlatformEvent...) { send(events) }

  /// Any events at all, as one batch.
  package func send(_ events: [PlatformEvent]) {
    // What is true of a window stays so when it is asked for again.
    for case .levels(let id, let levels) in events { windows[id]?.levels = levels }
    pending += events
    deliver()
  }

  // MARK: Windows

  /// Moves the focus to a window, or to another program.
  package func focus(_ id: WindowID?) {
    if let id { reveal(id) }
    setFocus(id)
    deliver()
  }

  package func minimize(_ id: WindowID) {
    change(id) { $0.isMinimized = true }
    hide(id, cause: "wm-state", withdrawn: false)
    deliver()
  }

  /// Shows a minimised window again and gives it the focus.
  package func restore(_ id: WindowID) {
    change(id) { $0.isMinimized = false }
    reveal(id)
    setLevels(id) {
      $0.visible = true
      $0.visibleCause = "viewable"
      $0.isWithdrawn = false
    }
    setFocus(id)
    deliver()
  }

  /// Moves and resizes a window; one that is maximised or full screen goes there when it no longer is.
  package func move(_ id: WindowID, to frame: Rect) {
    change(id) { $0.normalFrame = frame }
    deliver()
  }

  package func maximize(_ id: WindowID, _ isMaximized: Bool = true) {
    change(id) { $0.isMaximized = isMaximized }
    deliver()
  }

  package func makeFullScreen(_ id: WindowID, _ isFullScreen: Bool = true) {
    change(id) { $0.isFullScreen = isFullScreen }
    deliver()
  }

  package func requestClose(_ id: WindowID) { send(.closeRequested(id)) }

  /// Another client destroys the window.
  package func destroyForeign(_ id: WindowID) {
    remove(id)
    send(.destroyed(id))
  }

  package func grabKeyboard(_ grabbed: Bool) {
    if let focused {
      setLevels(focused) {
        $0.grabbed = grabbed
        $0.grabbedCause = grabbed ? "grab" : "ungrab"
      }
    }
    deliver()
  }

  // MARK: Desktops

  /// Sends a window to another desktop; -1 for all of them.
  package func send(_ id: WindowID, toDesktop desktop: Int) {
    countDesktops()
    change(id) { $0.desktop = desktop }
    see([id])
    deliver()
  }

  /// Leaves the desktop that is seen for another one.
  package func goTo(desktop: Int) {
    show(desktop: desktop)
    if focused == nil { passFocusOn() }
    deliver()
  }

  /// Puts all windows out of the way, or back.
  package func showDesktop(_ isShown: Bool) {
    guard isShowingDesktop != isShown else { return }
    isShowingDesktop = isShown
    if isShown { setFocus(nil) }
    see(ordered)
    if focused == nil, !isShown { passFocusOn() }
    deliver()
  }

  /// Goes where a window is, as window managers do with one that is asked for.
  func reveal(_ id: WindowID) {
    guard let window = windows[id] else { return }
    if isElsewhere(id), let desktop = window.geometry.desktop { return show(desktop: desktop) }
    guard isShowingDesktop else { return }
    isShowingDesktop = false
    see(ordered)
  }

  private func show(desktop: Int) {
    countDesktops()
    workspace = desktop
    isShowingDesktop = false
    see(ordered)
  }

  /// From now on there is more than one desktop, and every window is on one.
  private func countDesktops() {
    guard workspace == nil else { return }
    workspace = 0
    for id in ordered where windows[id]?.geometry.desktop == nil { change(id) { $0.desktop = 0 } }
  }

  private var ordered: [WindowID] { windows.keys.sorted { $0.rawValue < $1.rawValue } }

  // MARK: Screens

  /// Monitors come, go or change; windows that are on none of them any more are moved to the first, as window managers do.
  package func changeScreens(to screens: [ScreenDescription]) {
    self.screens = screens
    pending.append(.screens(screens))
    for id in ordered {
      change(id) { geometry in
        guard let first = screens.first, !screens.contains(where: { $0.frame.intersects(geometry.normalFrame) })
        else { return }
        geometry.normalFrame.origin = first.frame.origin
      }
    }
    deliver()
  }

  // MARK: The window manager

  /// The window manager ends: what was minimised or on another desktop is mapped, and nobody has the focus.
  package func stopWindowManager() {
    guard hasWindowManager else { return }
    hasWindowManager = false
    agenda.removeAll { if case .windowManager = $0.event { true } else { false } }
    send(.windowManager(.changing, cause: "WM_S owner"))
    workspace = nil
    isShowingDesktop = false
    pending.append(.windowManager(.absent, cause: "WM_S owner"))
    for id in ordered {
      change(id) {
        $0.isMinimized = false
        $0.desktop = nil
      }
    }
    see(ordered)
    setFocus(nil)
    deliver()
  }

  /// Another window manager begins: it takes all windows over, and gives the focus to the one that had it last.
  package func startWindowManager() {
    guard !hasWindowManager else { return }
    hasWindowManager = true
    agenda.append(
      (now + Double(HoldTimes().windowManagerChange.milliseconds) / 1000, .windowManager(.settled, cause: "settled")))
    pending.append(.windowManager(.changing, cause: "WM_S owner"))
    passFocusOn()
    deliver()
  }
}
