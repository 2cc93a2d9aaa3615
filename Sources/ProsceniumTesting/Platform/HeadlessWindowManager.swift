import ProsceniumLoop
package import ProsceniumPlatform
import SceneLifecycle

/// The window manager of a desk in memory: windows, the focus, workspaces and monitors.
///
/// A value without a clock; the events of a change for the program are appended to ``events``.
package struct HeadlessWindowManager {
  private(set) var windows: [WindowID: HeadlessWindow] = [:]
  private(set) var focused: WindowID?
  /// Windows that had the focus, the most recent last.
  private var focusOrder: [WindowID] = []
  /// The workspace that is seen; nil until the first one has been left.
  private(set) var workspace: Int?
  /// Windows that have had the focus since the desktop is shown, and are seen over it from then on.
  ///
  /// Nil while it is not shown.
  private var overDesktop: Set<WindowID>?
  package var screens = [
    ScreenDescription(name: "headless", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
  ]
  package var modes = HeadlessModes()
  package var isRunning = true
  /// Whether a window that asks for the focus gets it.
  package var obeysActivation = true
  /// Whether a window is visible as soon as the program shows it; if not, the test says so by itself.
  package var showsAtOnce = true
  package var pointer = HeadlessPointer()
  /// Events that have not been delivered yet.
  var events: [PlatformEvent] = []
  /// Events that happen later.
  var agenda = HeadlessAgenda()
  /// Activations that were not obeyed when they were asked for.
  private var activations: [RequestID: WindowID] = [:]
  private var lastID: UInt32 = 0x20_0000

  init() {}

  /// The desk as the next process finds it: without windows.
  init(after last: HeadlessWindowManager) {
    isRunning = last.isRunning
    pointer.drags = last.pointer.drags
    obeysActivation = last.obeysActivation
    showsAtOnce = last.showsAtOnce
    screens = last.screens
    modes.refusal = last.modes.refusal
    workspace = last.workspace
    overDesktop = last.overDesktop.map { _ in [] }
    // Requests of the last process are not answered to this one.
    agenda = last.agenda
    agenda.removeAll { if case .outcome = $0 { true } else { false } }
    lastID = last.lastID
  }

  /// The process is dead: its windows are gone, and the monitors show what they showed before its choices.
  mutating func disconnect() {
    windows = [:]
    focused = nil
    pointer.forgetProcess()
    for name in modes.choices.keys.sorted() { set(nil, for: name) }
  }

  mutating func makeWindowID() -> WindowID {
    lastID += 1
    return WindowID(rawValue: lastID)
  }

  /// Changes a window as only a test and the program can, without an event.
  mutating func update(_ id: WindowID, _ change: (inout HeadlessWindow) -> Void) {
    guard var window = windows[id] else { return }
    change(&window)
    windows[id] = window
  }

  var isShowingDesktop: Bool { overDesktop != nil }

  // MARK: The program's commands

  mutating func create(_ id: WindowID, _ description: WindowDescription) {
    windows[id] = HeadlessWindow(description: description, geometry: firstGeometry(description))
  }

  /// Gives a bare window to the program again; one that is shown already stays where it is.
  mutating func adopt(_ id: WindowID, _ description: WindowDescription) {
    guard var window = windows[id] else { return }
    window.description = description
    window.isBare = false
    if window.mapCount == 0, description.placement != nil { window.geometry = firstGeometry(description) }
    windows[id] = window
    // The new owner gets it again.
    events += [.levels(id, window.levels), .geometry(id, window.geometry)]
  }

  mutating func show(_ id: WindowID, _ appearance: Appearance) {
    guard let window = windows[id] else { return }
    // A menu or a tooltip is none of the window manager's windows.
    guard window.description.popUp == nil else { return update(id) { $0.isMapped = true } }
    if !window.isMapped {
      windows[id]?.isMapped = true
      windows[id]?.mapCount += 1
      events.append(.geometry(id, window.geometry))
    }
    // A window that comes back minimised is mapped iconic, however it is shown at first.
    let comesBackIconic = window.mapCount == 0 && window.description.placement?.isMinimized == true
    if comesBackIconic { return setLevels(id) { $0.visibleCause = "not-mapped" } }
    if window.isMapped, appearance == .activated { reveal(id) }
    if showsAtOnce, !window.levels.visible, !window.isMinimized || appearance == .activated {
      let shown = appearance == .activated ? deiconify(id) : [id]
      setLevels(id) { $0.isWithdrawn = false }
      updateVisibility(shown)
    }
    if appearance == .activated, obeysActivation, !isElsewhere(id) { focus(id) }
  }

  mutating func withdraw(_ id: WindowID) {
    windows[id]?.isMapped = false
    // A withdrawn window is no icon, and is none when it is shown again (ICCCM 4.1.4).
    change(id) { $0.isMinimized = false }
    hide(id, cause: "withdrawn", isWithdrawn: true)
  }

  mutating func remove(_ id: WindowID) {
    let hadFocus = focused == id
    windows[id] = nil
    endActivations(of: id, .refused("The window \(id) is gone."))
    focusOrder.removeAll { $0 == id }
    if hadFocus {
      focused = nil
      passFocusOn()
    }
  }

  mutating func perform(_ request: RequestID, _ id: WindowID, _ change: WindowRequest, now: Double) {
    guard let window = windows[id] else {
      return events.append(.outcome(request, .refused("There is no such window.")))
    }
    if let reason = refusal(of: change) { return events.append(.outcome(request, .refused(reason))) }
    var isDone = true
    switch change {
    case .activate:
      show(id, .activated)
      guard let levels = windows[id]?.levels, levels.visible, levels.focused else {
        activations[request] = id
        return agenda.add(.outcome(request, .ignored), due: now + 0.5)
      }
    case .minimize:
      minimize(id)
      return events.append(.outcome(request, .done))
    case .maximize(let isOn): place(id) { $0.isMaximized = isOn }
    case .fullScreen(let isOn): place(id) { $0.isFullScreen = isOn }
    case .geometry(let frame):
      let allowed = isRunning ? window.allowed(frame) : frame
      place(id) { $0.normalFrame = allowed }
      isDone = allowed == frame
    }
    events.append(.geometry(id, windows[id]?.geometry ?? window.geometry))
    updateScale(of: id, isResized: windows[id]?.frame.size != window.frame.size)
    guard isDone else { return agenda.add(.outcome(request, .ignored), due: now + 0.5) }
    events.append(.outcome(request, .done))
  }

  /// Why a request cannot be granted, in the words of X11.
  private func refusal(of change: WindowRequest) -> String? {
    switch change {
    case .minimize where !isRunning: "no window manager is running, so that windows cannot be minimised"
    case .maximize where !isRunning: "no window manager is running, so that windows cannot be maximised"
    case .activate, .minimize, .maximize, .fullScreen, .geometry: nil
    }
  }

  /// Ends the activations of a window that the program still waits for.
  private mutating func endActivations(of id: WindowID, _ outcome: RequestOutcome) {
    for request in activations.filter({ $0.value == id }).keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      activations[request] = nil
      // One that has been given up meanwhile is over.
      if agenda.remove(.outcome(request, .ignored)) { events.append(.outcome(request, outcome)) }
    }
  }

  // MARK: The focus

  /// Moves the focus to a window, or to another program.
  mutating func focus(_ id: WindowID?) {
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
      overDesktop?.insert(id)
      focusOrder.removeAll { $0 == id }
      focusOrder.append(id)
      setLevels(id) {
        $0.focused = true
        $0.focusedCause = "focus-in"
      }
    }
    if let id, isShowingDesktop { updateVisibility([id]) }
  }

  /// Moves the focus where window managers move it: to the most recently focused window that is visible, else to the
  /// newest.
  mutating func passFocusOn() {
    func canHaveIt(_ id: WindowID) -> Bool { id != focused && windows[id]?.levels.visible == true }
    focus(focusOrder.last(where: canHaveIt) ?? ordered.last { isRunning && isManaged($0) && canHaveIt($0) })
  }

  mutating func grabKeyboard(_ isGrabbed: Bool) {
    guard let focused else { return }
    setLevels(focused) {
      $0.grabbed = isGrabbed
      $0.grabbedCause = isGrabbed ? "grab" : "ungrab"
    }
  }

  // MARK: The pointer

  mutating func holdPointer(_ id: WindowID) {
    if pointer.isFree { pointer.holder = id } else { events.append(.pointerLost) }
  }

  /// Takes the pointer away from the program.
  mutating func takePointer() { if pointer.holder.take() != nil { events.append(.pointerLost) } }

  // MARK: Icons

  /// The window and those that are transient for it, or for one of these: what is done to it is done to all of them
  /// (ICCCM 4.1.2.6).
  ///
  /// Without windows that are not the window manager's.
  private func group(of id: WindowID) -> [WindowID] {
    ordered.filter { $0 == id || isManaged($0) && owners(of: $0).contains(id) }
  }

  private func isManaged(_ id: WindowID) -> Bool {
    windows[id].map { $0.isMapped && $0.description.popUp == nil } ?? false
  }

  /// The windows that a window is transient for, the nearest first.
  private func owners(of id: WindowID) -> [WindowID] {
    var owners: [WindowID] = []
    while let next = windows[owners.last ?? id]?.description.transientFor, !owners.contains(next) {
      owners.append(next)
    }
    return owners
  }

  mutating func minimize(_ id: WindowID) {
    let group = group(of: id)
    for id in group {
      change(id) { $0.isMinimized = true }
      setLevels(id) {
        $0.visible = false
        $0.visibleCause = "wm-state"
        $0.isWithdrawn = false
      }
    }
    if let focused, group.contains(focused) { passFocusOn() }
  }

  /// A window is no icon any more, nor is one that it is transient for.
  /// - Returns: What is shown with it.
  private mutating func deiconify(_ id: WindowID) -> [WindowID] {
    let first = ([id] + owners(of: id)).last { windows[$0]?.isMinimized == true } ?? id
    let group = group(of: first)
    for id in group { change(id) { $0.isMinimized = false } }
    return group
  }

  /// Shows a minimised window again and gives it the focus.
  mutating func restore(_ id: WindowID) {
    let group = deiconify(id)
    reveal(id)
    for id in group { setLevels(id) { $0.isWithdrawn = false } }
    updateVisibility(group)
    focus(id)
  }

  // MARK: Levels

  mutating func setLevels(_ id: WindowID, _ change: (inout WindowLevels) -> Void) {
    guard var levels = windows[id]?.levels else { return }
    change(&levels)
    guard levels != windows[id]?.levels else { return }
    windows[id]?.levels = levels
    events.append(.levels(id, levels))
    if levels.visible, levels.focused { endActivations(of: id, .done) }
  }

  mutating func hide(_ id: WindowID, cause: LevelCause, isWithdrawn: Bool) {
    setLevels(id) {
      $0.visible = false
      $0.visibleCause = cause
      $0.isWithdrawn = isWithdrawn
    }
    if focused == id { passFocusOn() }
  }

  /// Whether a window that the program shows is visible, and why; the words are those of X11.
  private func visibility(of id: WindowID) -> (isVisible: Bool, cause: LevelCause) {
    if windows[id]?.isMinimized == true { return (false, "wm-state") }
    if let overDesktop, !overDesktop.contains(id) { return (false, "showing-desktop") }
    return isElsewhere(id) ? (false, "other-desktop") : (true, "viewable")
  }

  /// Makes windows visible or not, and moves the focus from one that is not.
  mutating func updateVisibility(_ ids: [WindowID]) {
    var losesFocus = false
    for id in ids {
      guard let window = windows[id], window.isMapped, !window.levels.isWithdrawn else { continue }
      let (isVisible, cause) = visibility(of: id)
      setLevels(id) {
        $0.visible = isVisible
        $0.visibleCause = cause
      }
      if !isVisible, focused == id { losesFocus = true }
    }
    if losesFocus { passFocusOn() }
  }

  // MARK: Workspaces

  /// All windows, the oldest first.
  private var ordered: [WindowID] { windows.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Whether the window is on a workspace that is not seen.
  private func isElsewhere(_ id: WindowID) -> Bool {
    guard let workspace, let own = windows[id]?.geometry.desktop else { return false }
    return own != -1 && own != workspace
  }

  /// Makes a window's workspace the one that is seen, as window managers do with a window that is asked for.
  mutating func reveal(_ id: WindowID) {
    if isElsewhere(id), let workspace = windows[id]?.geometry.desktop { return show(workspace: workspace) }
    guard windows[id] != nil, isShowingDesktop else { return }
    overDesktop = nil
    updateVisibility(ordered)
  }

  /// Leaves the workspace that is seen for another one.
  mutating func leave(for workspace: Int) {
    show(workspace: workspace)
    if focused == nil { passFocusOn() }
  }

  private mutating func show(workspace: Int) {
    beginWorkspaces()
    self.workspace = workspace
    overDesktop = nil
    updateVisibility(ordered)
  }

  /// From now on there is more than one workspace, and every window is on one.
  private mutating func beginWorkspaces() {
    guard workspace == nil else { return }
    workspace = 0
    for id in ordered where windows[id]?.geometry.desktop == nil { change(id) { $0.desktop = 0 } }
  }

  /// Moves a window to another workspace; -1 for all of them.
  mutating func send(_ id: WindowID, to workspace: Int) {
    beginWorkspaces()
    let group = group(of: id)
    for id in group { change(id) { $0.desktop = workspace } }
    updateVisibility(group)
  }

  mutating func showDesktop(_ isShown: Bool) {
    guard isShowingDesktop != isShown else { return }
    overDesktop = isShown ? [] : nil
    if isShown { focus(nil) }
    updateVisibility(ordered)
    if focused == nil, !isShown { passFocusOn() }
  }

  // MARK: Places

  /// Changes the place of a window, and sends the program its new geometry.
  mutating func change(_ id: WindowID, _ change: (inout WindowGeometry) -> Void) {
    let before = windows[id]?.geometry
    place(id, change)
    guard let before, let geometry = windows[id]?.geometry else { return }
    if geometry != before { events.append(.geometry(id, geometry)) }
    updateScale(of: id, isResized: geometry.frame.size != before.frame.size)
  }

  /// A window has the scale of the screen that shows most of it.
  private mutating func updateScale(of id: WindowID, isResized: Bool) {
    guard let window = windows[id], window.description.popUp == nil else { return }
    let scale = screens.scale(ofWindow: window.frame)
    guard scale != window.description.scale else { return }
    windows[id]?.description.scale = scale
    events.append(.scale(id, scale, isResized: isResized))
  }

  /// Changes where a window is.
  mutating func place(_ id: WindowID, _ change: (inout WindowGeometry) -> Void) {
    guard var geometry = windows[id]?.geometry else { return }
    change(&geometry)
    geometry.frame = frame(geometry)
    windows[id]?.geometry = geometry
  }

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

  private func frame(_ geometry: WindowGeometry) -> Rect {
    guard geometry.isMaximized || geometry.isFullScreen else { return geometry.normalFrame }
    let screen = screens.screen(ofWindow: geometry.normalFrame)
    return (geometry.isFullScreen ? screen?.frame : screen?.visibleFrame) ?? geometry.normalFrame
  }

  /// Changes the monitors; windows that are on none of them are moved to the first, as window managers do.
  mutating func change(screens: [ScreenDescription]) {
    self.screens = screens
    events.append(.screens(reported))
    for id in ordered {
      change(id) { geometry in
        guard let first = screens.first, !screens.contains(where: { $0.frame.intersects(geometry.normalFrame) })
        else { return }
        geometry.normalFrame.origin = first.frame.origin
      }
    }
  }

  // MARK: Its own life

  /// Ends the window manager: windows that were minimised or on another workspace are mapped, and none has the focus.
  mutating func end() {
    workspace = nil
    overDesktop = nil
    events.append(.windowManager(.absent, cause: "WM_S owner"))
    for id in ordered {
      change(id) {
        $0.isMinimized = false
        $0.desktop = nil
      }
    }
    updateVisibility(ordered)
    focus(nil)
  }

  /// Starts another window manager: it manages all windows, and gives the focus to the one that had it last.
  mutating func begin(now: Double) {
    isRunning = true
    let settled = now + Double(HoldTimes().windowManagerChange.milliseconds) / 1000
    agenda.add(.windowManager(.settled, cause: "settled"), due: settled)
    events.append(.windowManager(.changing, cause: "WM_S owner"))
    passFocusOn()
  }
}

/// A window of a desk in memory.
package struct HeadlessWindow {
  package var description: WindowDescription
  package var levels = WindowLevels()
  package var geometry: WindowGeometry
  package var isMapped = false
  /// Whether the window is that of a disconnected session.
  package var isBare = false
  /// The sizes between which the user can make it; nil where there is no limit.
  var sizeLimits: (minimum: Size?, maximum: Size?) = (nil, nil)
  /// How often the program has mapped the window.
  package var mapCount = 0

  package var isMinimized: Bool { geometry.isMinimized }
  package var frame: Rect { geometry.frame }

  /// The frame that the user gets for another one (WM_NORMAL_HINTS, ICCCM 4.1.2.3).
  func allowed(_ frame: Rect) -> Rect {
    var frame = frame
    func limited(_ length: KeyPath<Size, Int>) -> Int {
      let most = min(frame.size[keyPath: length], sizeLimits.maximum?[keyPath: length] ?? .max)
      return max(most, sizeLimits.minimum?[keyPath: length] ?? 1, 1)
    }
    frame.size = Size(width: limited(\.width), height: limited(\.height))
    return frame
  }
}

/// The grab of the pointer.
package struct HeadlessPointer {
  /// The window that menus hold the pointer for.
  package internal(set) var holder: WindowID?
  /// Whether the program gets the pointer that it asks for.
  package var isFree = true
  /// What the user drags.
  package var drags = HeadlessDrags()

  /// The process is dead: it holds nothing, and what it dragged is gone.
  fileprivate mutating func forgetProcess() {
    holder = nil
    drags.forgetProcess()
  }
}
