private import Glibc
package import ProsceniumCore
package import ProsceniumLoop
import SceneLifecycle

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
  /// Whose platform it is.
  weak var application: Application?
  /// The kit's time.
  package nonisolated let clock: ManualClock
  package internal(set) nonisolated var now: Double {
    get { clock.seconds }
    set { clock.seconds = newValue }
  }
  package internal(set) var windows: [WindowID: HeadlessWindow] = [:]
  package private(set) var commands: [PlatformCommand] = []
  package private(set) var quitStatus: Int32?
  /// Whether the machine that the program runs on has power: without it nothing more happens.
  package var isPowered: @MainActor () -> Bool = { true }
  package var hasWindowManager = true
  package var isConnected = true
  /// Whether a window that asks for the focus gets it.
  package var obeysActivation = true
  /// Whether a window is visible as soon as it is asked for; if not, the test says so by itself.
  package var showsAtOnce = true
  /// Whether somebody sees the pixels of windows that stay mapped out of sight, as a compositing manager does.
  package var isComposing = false
  /// When the user did something last, in the window system's milliseconds.
  package var userTime: Int?
  /// Why the platform does not start, for tests of that.
  package var startError: PlatformError?
  package var screens = [
    ScreenDescription(name: "headless", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
  ]
  /// Between `suspend` and `resume`: no deadlines, no frames.
  package private(set) var isSuspended = false
  /// The desktop that is seen; nil until somebody has left the first.
  package internal(set) var workspace: Int?
  /// Whether all windows are out of the way.
  package internal(set) var isShowingDesktop = false
  /// What the session manager has asked for and been told.
  var session = HeadlessSession()
  var pending: [PlatformEvent] = []
  /// What happens later of itself, on the part of the desk.
  var agenda: [(due: Double, event: PlatformEvent)] = []
  /// What the program has the loop wait for.
  package private(set) var sources: [LoopSourceID: LoopSource] = [:]
  private var nextSource = 0
  var deadlines: [DeadlineID: Double] = [:]
  /// Activations that nobody had obeyed when they were asked for.
  private var activations: [RequestID: WindowID] = [:]
  /// Answers to reads of a pasteboard, for the loop to hand out.
  var answers: [@MainActor () -> Void] = []
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
  package internal(set) var focused: WindowID?
  /// Windows that had the focus, the most recent last.
  private var focusOrder: [WindowID] = []

  /// A desk without windows.
  /// - Parameter last: The connection of a process that has ended, to whose desk this is another one; nil for a new desk.
  package init(after last: HeadlessPlatform? = nil) {
    clock = last?.clock ?? ManualClock()
    guard let last else { return }
    hasWindowManager = last.hasWindowManager
    obeysActivation = last.obeysActivation
    showsAtOnce = last.showsAtOnce
    isComposing = last.isComposing
    screens = last.screens
    workspace = last.workspace
    // What the last process asked for is not answered to this one.
    agenda = last.agenda.filter { if case .outcome = $0.event { false } else { true } }
    nextID = last.nextID
  }

  /// The process is dead: it hears nothing more, and what it had on the desk is gone.
  func disconnect() {
    client = nil
    windows = [:]
    focused = nil
    session = HeadlessSession()
  }

  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    if let startError { throw startError }
    return screens
  }

  package func makeStartupToken() -> String? { userTime.map { "headless_TIME\($0)" } }

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
    case .releaseGrabs, .suspendScreenSaver, .followScreens, .startup, .startupComplete: break
    case .requestFrame(let id):
      guard let window = windows[id], window.isMapped, !window.isBare else { return }
      frames[id] = ((now * 60 + 1e-6).rounded(.down) + 1) / 60
    case .purgeSurface(let id): (surfaces[id], frames[id]) = (nil, nil)
    case .cover(let id, let snapshot):
      surfaces[id] = nil
      pictures[id] = snapshot
    case .showPicture(let id, let snapshot): if surfaces[id] == nil { pictures[id] = snapshot }
    case .request(let request, let id, let what): answer(request, id, what)
    case .setDeadline(let id, let milliseconds): deadlines[id] = now + Double(milliseconds) / 1000
    case .cancelDeadline(let id): deadlines[id] = nil
    case .sessionSaved, .sessionInteraction: if let event = session.answer(command) { pending.append(event) }
    case .suspend: isSuspended = true
    case .resume: isSuspended = false
    case .quit(let status): quitStatus = quitStatus ?? status
    }
  }

  // MARK: Windows

  private func show(_ id: WindowID, _ appearance: Appearance) {
    guard let window = windows[id] else { return }
    if !window.isMapped {
      windows[id]?.isMapped = true
      windows[id]?.mapCount += 1
      pending.append(.geometry(id, window.geometry))
    }
    // A window that comes back minimised is mapped iconic, however it is asked for at first.
    let comesBackIconic = window.mapCount == 0 && window.description.placement?.isMinimized == true
    if comesBackIconic { return setLevels(id) { $0.visibleCause = "not-mapped" } }
    if window.isMapped, appearance == .activated { reveal(id) }
    if showsAtOnce, !window.levels.visible, !window.isMinimized || appearance == .activated {
      change(id) { $0.isMinimized = false }
      setLevels(id) { $0.isWithdrawn = false }
      see([id])
    }
    if appearance == .activated, obeysActivation, !isElsewhere(id) { setFocus(id) }
  }

  func hide(_ id: WindowID, cause: String, withdrawn: Bool) {
    if withdrawn {
      windows[id]?.isMapped = false
      frames[id] = nil
    }
    setLevels(id) {
      $0.visible = false
      $0.visibleCause = cause
      $0.isWithdrawn = withdrawn
    }
    if focused == id { passFocusOn() }
  }

  func remove(_ id: WindowID) {
    let hadFocus = focused == id
    windows[id] = nil
    frames[id] = nil
    surfaces[id] = nil
    pictures[id] = nil
    endActivations(of: id, .refused("The window \(id) is gone."))
    focusOrder.removeAll { $0 == id }
    if hadFocus {
      focused = nil
      passFocusOn()
    }
  }

  /// As window managers do: the most recently focused window that can still be seen.
  func passFocusOn() {
    setFocus(focusOrder.last { $0 != focused && windows[$0]?.levels.visible == true })
  }

  func setFocus(_ id: WindowID?) {
    guard focused != id else { return }
    let last = focused
    if let last {
      setLevels(last) {
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
    // A new window may have it.
    if isShowingDesktop { see([last, id].compactMap(\.self)) }
  }

  func setLevels(_ id: WindowID, _ change: (inout WindowLevels) -> Void) {
    guard var levels = windows[id]?.levels else { return }
    change(&levels)
    guard levels != windows[id]?.levels else { return }
    windows[id]?.levels = levels
    pending.append(.levels(id, levels))
    if levels.visible, levels.focused { endActivations(of: id, .done) }
  }

  /// What has become of activations that are still waited for.
  private func endActivations(of id: WindowID, _ outcome: RequestOutcome) {
    for request in activations.filter({ $0.value == id }).keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      activations[request] = nil
      // What has been given up meanwhile is over.
      guard let late = agenda.firstIndex(where: { $0.event == .outcome(request, .ignored) }) else { continue }
      agenda.remove(at: late)
      pending.append(.outcome(request, outcome))
    }
  }

  /// Whether the window is on a desktop that is not seen.
  func isElsewhere(_ id: WindowID) -> Bool {
    guard let workspace, let desktop = windows[id]?.geometry.desktop else { return false }
    return desktop != -1 && desktop != workspace
  }

  /// Why a window that the program shows is seen, or not; the words are those of X11.
  private func cause(of id: WindowID) -> String {
    if windows[id]?.isMinimized == true { return "wm-state" }
    if isShowingDesktop, focused != id { return "showing-desktop" }
    return isElsewhere(id) ? "other-desktop" : "viewable"
  }

  /// Looks whether windows can be seen now, and has the focus go on from one that cannot.
  func see(_ ids: [WindowID]) {
    var losesFocus = false
    for id in ids {
      guard let window = windows[id], window.isMapped, !window.levels.isWithdrawn else { continue }
      let cause = cause(of: id)
      setLevels(id) {
        $0.visible = cause == "viewable"
        $0.visibleCause = cause
      }
      if cause != "viewable", focused == id { losesFocus = true }
    }
    if losesFocus { passFocusOn() }
  }

  private func answer(_ request: RequestID, _ id: WindowID, _ what: WindowRequest) {
    guard let window = windows[id] else {
      pending.append(.outcome(request, .refused("There is no such window.")))
      return
    }
    switch what {
    case .activate:
      show(id, .activated)
      guard let levels = windows[id]?.levels, levels.visible, levels.focused else {
        activations[request] = id
        return agenda.append((now + 0.5, .outcome(request, .ignored)))
      }
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
    geometry.desktop = description.placement?.desktop ?? workspace
    guard let placement = description.placement else { return geometry }
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
    if window.mapCount == 0, description.placement != nil { windows[id]?.geometry = firstGeometry(description) }
    // Said again to whoever takes it over.
    pending += [.levels(id, window.levels), .geometry(id, windows[id]?.geometry ?? window.geometry)]
  }

  func frame(_ geometry: WindowGeometry) -> Rect {
    guard geometry.isMaximized || geometry.isFullScreen else { return geometry.normalFrame }
    let screen = screens.first { $0.frame.intersects(geometry.normalFrame) } ?? screens.first
    return screen?.frame ?? geometry.normalFrame
  }

  func place(_ id: WindowID, _ change: (inout WindowGeometry) -> Void) {
    guard var geometry = windows[id]?.geometry else { return }
    change(&geometry)
    geometry.frame = frame(geometry)
    windows[id]?.geometry = geometry
  }

  func change(_ id: WindowID, _ change: (inout WindowGeometry) -> Void) {
    let before = windows[id]?.geometry
    place(id, change)
    if let geometry = windows[id]?.geometry, geometry != before { pending.append(.geometry(id, geometry)) }
  }
}
