private import Glibc
package import ProsceniumCore
import Synchronization

/// A window manager in memory: windows appear, hide, gain and lose the focus when a test says so.
///
/// There is no display, no thread and no time but the one that the test advances. Windows are shown as soon as they
/// are asked for, and those that ask for the focus get it, unless ``obeysActivation`` is false.
@MainActor package final class HeadlessPlatform: Platform {
  package struct HeadlessWindow {
    package var description: WindowDescription
    package var levels = WindowLevels()
    package var isMapped = false
    package var isBare = false
    package var geometry: WindowGeometry
    package var isMinimized: Bool { geometry.isMinimized }
    package var frame: Rect { geometry.frame }
    /// How often the window has been mapped by the program.
    package var mapCount = 0
  }

  package weak var client: (any PlatformClient)?
  package internal(set) nonisolated var now: Double {
    get { clock.withLock { $0 } }
    set { clock.withLock { $0 = newValue } }
  }
  private let clock = Mutex(0.0)
  package private(set) var windows: [WindowID: HeadlessWindow] = [:]
  package private(set) var commands: [PlatformCommand] = []
  package private(set) var quitStatus: Int32?
  package var hasWindowManager = true
  package var isConnected = true
  /// Whether a window that asks for the focus gets it.
  package var obeysActivation = true
  /// Whether a window is visible as soon as it is asked for; if not, the test says so by itself.
  package var showsAtOnce = true
  /// Whether somebody sees the pixels of windows that stay mapped out of sight, as a compositing manager does.
  package var isComposing = false
  /// Why the platform does not start, for tests of that.
  package var startError: PlatformError?
  package var screens = [
    ScreenDescription(name: "headless", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
  ]
  /// Between `suspend` and `resume`: no deadlines, no frames.
  package private(set) var isSuspended = false
  private var pending: [PlatformEvent] = []
  /// What the program has the loop wait for.
  package private(set) var sources: [LoopSourceID: LoopSource] = [:]
  private var nextSource = 0
  private var deadlines: [DeadlineID: Double] = [:]
  /// When each window that asked for a frame gets it.
  var frames: [WindowID: Double] = [:]
  /// What has been drawn into each window.
  var surfaces: [WindowID: HeadlessSurface] = [:]
  /// The picture that each window shows while nothing has been drawn into it.
  package internal(set) var pictures: [WindowID: Snapshot] = [:]
  /// How often something was drawn.
  package internal(set) var drawCount = 0
  /// What was copied, in this program or, as a test says, in another one.
  package var pasteboards: [PasteboardName: [PasteboardItem]] = [:]
  private var nextID: UInt32 = 0x20_0000
  private var focused: WindowID?
  /// Windows that had the focus, the most recent last.
  private var focusOrder: [WindowID] = []

  package init() {}

  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    if let startError { throw startError }
    return screens
  }

  package func makeWindowID() -> WindowID {
    nextID += 1
    return WindowID(rawValue: nextID)
  }

  package func flush() {}

  package func watch(_ source: LoopSource) -> LoopSourceID {
    nextSource += 1
    let id = LoopSourceID(rawValue: nextSource)
    sources[id] = source
    return id
  }

  package func unwatch(_ id: LoopSourceID) { sources[id] = nil }

  package nonisolated func wake() {}

  /// Looks once at every watched descriptor, and calls those that have something to say.
  package func pollSources() {
    for (id, source) in sources.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      var entry = pollfd(fd: source.descriptor, events: source.interest.events, revents: 0)
      guard poll(&entry, 1, 0) > 0, sources[id] != nil else { continue }
      source.handler(Int32(entry.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0)
    }
    deliver()
  }

  /// Returns at once: a test hands out batches by itself, with ``deliver()`` and ``advance(by:)``.
  package func run() -> Int32 { quitStatus ?? 0 }

  package func perform(_ command: PlatformCommand) {
    commands.append(command)
    switch command {
    case .create(let id, let description):
      windows[id] = HeadlessWindow(description: description, geometry: firstGeometry(description))
    case .adopt(let id, let description): adopt(id, description)
    case .show(let id, let appearance): show(id, appearance)
    case .withdraw(let id): hide(id, cause: "withdrawn", withdrawn: true)
    case .destroy(let id): remove(id)
    case .bare(let id): windows[id]?.isBare = true
    case .place(let id, let frame):
      guard windows[id]?.isMapped == false else { return }
      windows[id]?.description.placement?.frame = frame
      windows[id]?.geometry.normalFrame = frame
      place(id) { _ in }
    case .setTitle(let id, let title): windows[id]?.description.title = title
    case .setBackground(let id, let color): windows[id]?.description.background = color
    case .setIcon, .setSizeLimits, .setLevel, .setCursor, .purgeSpareBuffers: break
    case .releaseGrabs, .suspendScreenSaver: break
    case .requestFrame(let id): frames[id] = ((now * 60 + 1e-6).rounded(.down) + 1) / 60
    case .purgeSurface(let id): surfaces[id] = nil
    case .cover(let id, let snapshot):
      surfaces[id] = nil
      pictures[id] = snapshot
    case .showPicture(let id, let snapshot): if surfaces[id] == nil { pictures[id] = snapshot }
    case .request(let request, let id, let what): answer(request, id, what)
    case .setDeadline(let id, let milliseconds): deadlines[id] = now + Double(milliseconds) / 1000
    case .cancelDeadline(let id): deadlines[id] = nil
    // A test reads the answers to a session manager from the commands.
    case .sessionSaved, .sessionInteraction: break
    case .suspend: isSuspended = true
    case .resume: isSuspended = false
    case .quit(let status): quitStatus = quitStatus ?? status
    }
  }

  // MARK: What a person or the window system does

  /// Hands out what has happened as one batch, and again until nothing more happens.
  package func deliver() {
    while quitStatus == nil {
      client?.turn()
      guard !pending.isEmpty else {
        guard let client, client.hasIdleWork else { return }
        client.performIdleWork()
        continue
      }
      let batch = pending
      pending = []
      client?.handle(batch)
    }
  }

  /// Lets time pass; deadlines fire in order, each as a batch of its own.
  package func advance(by milliseconds: Int) {
    deliver()
    let end = now + Double(milliseconds) / 1000
    while quitStatus == nil, !isSuspended {
      let next = deadlines.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
      if deliverFrame(before: min(next?.value ?? end, end)) { continue }
      guard let next, next.value <= end + 1e-9 else { break }
      now = max(now, next.value)
      deadlines[next.key] = nil
      pending.append(.deadline(next.key))
      deliver()
    }
    now = end
  }

  /// Time passes while something is being done: nothing that is due meanwhile happens before it is over.
  package func spend(milliseconds: Int) { now += Double(milliseconds) / 1000 }

  /// Any events at all, as one batch.
  package func send(_ events: PlatformEvent...) { send(events) }

  /// Any events at all, as one batch.
  package func send(_ events: [PlatformEvent]) {
    pending += events
    deliver()
  }

  /// Moves the focus to a window, or to another program.
  package func focus(_ id: WindowID?) {
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
    setLevels(id) { $0 = WindowLevels(visible: true, visibleCause: "viewable") }
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

  /// Sends a window to another desktop; -1 for all of them.
  ///
  /// There is only one screen in memory, and no desktop is hidden: what is seen does not change.
  package func send(_ id: WindowID, toDesktop desktop: Int?) {
    change(id) { $0.desktop = desktop }
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

  private func show(_ id: WindowID, _ appearance: Appearance) {
    guard let window = windows[id] else { return }
    if !window.isMapped {
      windows[id]?.isMapped = true
      windows[id]?.mapCount += 1
      if window.description.placement != nil { pending.append(.geometry(id, window.geometry)) }
    }
    // A window that comes back minimised is mapped iconic, however it is asked for at first.
    let comesBackIconic = window.mapCount == 0 && window.description.placement?.isMinimized == true
    if comesBackIconic { return setLevels(id) { $0.visibleCause = "not-mapped" } }
    if showsAtOnce, !window.levels.visible, !window.isMinimized || appearance == .activated {
      change(id) { $0.isMinimized = false }
      setLevels(id) {
        $0.visible = true
        $0.visibleCause = "viewable"
        $0.isWithdrawn = false
      }
    }
    if appearance == .activated && obeysActivation { setFocus(id) }
  }

  private func hide(_ id: WindowID, cause: String, withdrawn: Bool) {
    if withdrawn { windows[id]?.isMapped = false }
    setLevels(id) {
      $0.visible = false
      $0.visibleCause = cause
      $0.isWithdrawn = withdrawn
    }
    if focused == id { passFocusOn() }
  }

  private func remove(_ id: WindowID) {
    let hadFocus = focused == id
    windows[id] = nil
    pictures[id] = nil
    focusOrder.removeAll { $0 == id }
    if hadFocus {
      focused = nil
      passFocusOn()
    }
  }

  /// As window managers do: the most recently focused window that can still be seen.
  private func passFocusOn() {
    setFocus(focusOrder.last { $0 != focused && windows[$0]?.levels.visible == true })
  }

  private func setFocus(_ id: WindowID?) {
    guard focused != id else { return }
    if let focused {
      setLevels(focused) {
        $0.focused = false
        $0.focusedCause = "focus-out"
        $0.grabbed = false
      }
    }
    focused = id
    if let id {
      focusOrder.removeAll { $0 == id }
      focusOrder.append(id)
      setLevels(id) {
        $0.focused = true
        $0.focusedCause = "focus-in"
      }
    }
  }

  private func setLevels(_ id: WindowID, _ change: (inout WindowLevels) -> Void) {
    guard var levels = windows[id]?.levels else { return }
    change(&levels)
    guard levels != windows[id]?.levels else { return }
    windows[id]?.levels = levels
    pending.append(.levels(id, levels))
  }

  private func answer(_ request: RequestID, _ id: WindowID, _ what: WindowRequest) {
    guard let window = windows[id] else {
      pending.append(.outcome(request, .refused("There is no such window.")))
      return
    }
    switch what {
    case .activate: show(id, .activated)
    case .minimize:
      windows[id]?.geometry.isMinimized = true
      hide(id, cause: "wm-state", withdrawn: false)
    case .maximize(let on): place(id) { $0.isMaximized = on }
    case .fullScreen(let on): place(id) { $0.isFullScreen = on }
    case .geometry(let frame): place(id) { $0.normalFrame = frame }
    }
    pending.append(.geometry(id, windows[id]?.geometry ?? window.geometry))
    pending.append(.outcome(request, .done))
  }

  // MARK: Places

  private func firstGeometry(_ description: WindowDescription) -> WindowGeometry {
    let (origin, size) = (description.position ?? Point(x: 0, y: 0), description.size)
    let plain = Rect(x: origin.x, y: origin.y, width: size.width, height: size.height)
    var geometry = WindowGeometry(frame: description.placement?.frame ?? plain)
    guard let placement = description.placement else { return geometry }
    geometry.desktop = placement.desktop
    geometry.isMaximized = placement.isMaximized
    geometry.isFullScreen = placement.isFullScreen
    geometry.isMinimized = placement.isMinimized
    geometry.frame = frame(geometry)
    return geometry
  }

  /// A window that is shown already is where it is.
  private func adopt(_ id: WindowID, _ description: WindowDescription) {
    guard let window = windows[id] else { return }
    windows[id]?.description = description
    windows[id]?.isBare = false
    guard window.mapCount == 0, description.placement != nil else { return }
    windows[id]?.geometry = firstGeometry(description)
  }

  private func frame(_ geometry: WindowGeometry) -> Rect {
    guard geometry.isMaximized || geometry.isFullScreen else { return geometry.normalFrame }
    let screen = screens.first { $0.frame.intersects(geometry.normalFrame) } ?? screens.first
    return screen?.frame ?? geometry.normalFrame
  }

  private func place(_ id: WindowID, _ change: (inout WindowGeometry) -> Void) {
    guard var geometry = windows[id]?.geometry else { return }
    change(&geometry)
    geometry.frame = frame(geometry)
    windows[id]?.geometry = geometry
  }

  private func change(_ id: WindowID, _ change: (inout WindowGeometry) -> Void) {
    let before = windows[id]?.geometry
    place(id, change)
    if let geometry = windows[id]?.geometry, geometry != before { pending.append(.geometry(id, geometry)) }
  }
}
