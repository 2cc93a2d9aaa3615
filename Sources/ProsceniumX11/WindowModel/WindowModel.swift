import CXCB
package import ProsceniumPlatform

/// One of our top-level windows as far as it is known: a reducer of ``WindowSignal``s, without xcb, clock or I/O.
package struct WindowModel: Hashable, Sendable {
  /// A query that a signal causes; each is answered by a signal.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Find the frames between the window and the root and select their events; the answer is `.ancestors`.
    case queryAncestors
    /// Ask which workspace is shown; the answer is the root's `.currentWorkspace`.
    case queryWorkspace
    /// Ask where the window is on the root; the answer is `.translated`.
    case translateCoordinates
    /// Ask whether a compositing manager runs; the answer is `.composited`.
    case queryCompositor
    /// Apply `.restedBriefly` after ``NormalFrameTracker/briefRest`` and `.rested` after ``NormalFrameTracker/rest``;
    /// replaces running deadlines.
    case startResting
  }

  /// The program's last command for the window.
  enum Phase: Hashable, Sendable, CaseIterable {
    /// Not created yet, or created and never asked to be shown.
    case absent, created
    /// Asked to be shown; no MapNotify since.
    case requested
    /// Mapped at least once since that; the window manager may hide it.
    case shown
    /// Withdrawn by the program (ICCCM 4.1.4).
    case withdrawn
    /// Gone for good.
    case destroyed
  }

  private(set) var phase = Phase.absent
  /// The client window itself is mapped (frames may still be unmapped).
  package private(set) var isMapped = false
  private(set) var frames = FrameTracker()
  private(set) var position = PositionTracker()
  private(set) var normalFrame = NormalFrameTracker()
  package private(set) var focus = FocusTracker()
  /// `WM_STATE` (ICCCM 4.1.3.1); a missing one means nothing.
  private(set) var wmState: UInt32?
  private(set) var netState: WindowSignal.NetState = []
  private var latch = HiddenLatch()
  /// Whether VisibilityNotify says nothing about the window.
  private var isRedirected = false
  /// `_NET_WM_DESKTOP`.
  private(set) var workspace: UInt32?
  /// The desktop's own windows above it, as far as they were asked for.
  private(set) var desktopsAbove: [Rect] = []
  private(set) var isFullyObscured = false
  /// UnmapNotify of our own UnmapWindow is still under way.
  private var expectsUnmap = false
  /// It was unmapped when it came back to the root: the server maps it again where the window manager is gone (X
  /// protocol, ChangeSaveSet).
  private var wasUnframed = false

  /// Whether the window is not visible because of the program: withdrawn, destroyed, or not shown yet.
  package var isWithdrawn: Bool { phase != .shown }
  package var isDestroyed: Bool { phase == .destroyed }
  /// Whether the window was asked to be shown without any answer: the request went to a window manager that died with
  /// it, or lost it while it started.
  var isUnanswered: Bool { phase == .requested && !isMapped && (wmState ?? 0) == 0 && frames.isOnRoot }
  /// Mapped with all its frames, as far as known: the server may draw it.
  package var isViewable: Bool { isMapped && frames.areMapped && phase != .destroyed }
  /// Whether key presses are meant for the window, with the focus or by the pointer.
  package var acceptsKeys: Bool { focus.acceptsKeys }

  /// Whether HIDDEN has appeared, or was found where that counts, and nothing has contradicted it since.
  func isLatched(root: RootModel) -> Bool { latch.isSet(isNormal: wmState == WindowModel.normalState, root: root) }

  /// Applies one signal.
  /// - Returns: What has to be asked because of it.
  package mutating func apply(_ signal: WindowSignal, root: RootModel) -> [Effect] {
    guard phase != .destroyed else { return [] }
    let before = situation(root)
    var effects = reduce(signal, root: root)
    if doubtsFrames(after: signal) { effects.append(.queryAncestors) }
    if doubtsWorkspace(after: signal, root: root) { effects.append(.queryWorkspace) }
    // Not shown yet: its place is the program's.
    if phase == .absent || phase == .created { normalFrame.begin(position.frame) }
    let restsAgain = rest(signal, root: root)
    let rests = normalFrame.follow(from: before, to: situation(root), root.windowManager)
    return rests || restsAgain ? effects + [.startResting] : effects
  }

  /// The window has rested, unless it is where a window manager puts what it hides: dwm does so with other tags.
  /// - Returns: Whether it has to rest once more.
  private mutating func rest(_ signal: WindowSignal, root: RootModel) -> Bool {
    guard signal == .restedBriefly || signal == .rested, !isOffScreen(root: root) else { return false }
    if signal == .rested { return normalFrame.rest(situation(root), root.windowManager) }
    normalFrame.restBriefly(situation(root), root.windowManager)
    return false
  }

  /// Where the window is to be put that stays as large as a state made it which has ended; nil where it is not so, or
  /// the window manager may not have finished.
  package mutating func takePlaceToGoBackTo(root: RootModel) -> Rect? {
    root.isManaged && normalFrame.putBack(situation(root), root.windowManager) ? normalFrame.frame : nil
  }

  /// A window manager has found the window as large as a state makes it, and may not know where it goes back to.
  mutating func takeOver(root: RootModel) { normalFrame.takeOver(situation(root)) }

  /// The facts that have to stay the same for a while, for the place to be the user's.
  private func situation(_ root: RootModel) -> NormalFrameTracker.Situation {
    let isNormal = wmState == nil || wmState == WindowModel.normalState
    return .init(
      frame: position.frame, states: netState,
      isShown: isNormal && !isLatched(root: root) && phase == .shown && isMapped && frames.areMapped,
      isKnown: position.isKnown)
  }

  private mutating func reduce(_ signal: WindowSignal, root: RootModel) -> [Effect] {
    switch signal {
    case .created(let rect):
      guard phase == .absent else { return [] }
      phase = .created
      position.setAbsolute(rect)
    case .placed:
      if phase == .created { normalFrame.comeBack() }
    case .unplaced:
      if phase == .created { normalFrame.awaitFirst() }
    case .showRequested: requestShow()
    case .withdrawn: withdraw()
    case .mapped: map()
    case .unmapped: unmap()
    case .destroyed:
      unmap()
      latch.drop()
      phase = .destroyed
    case .reparented(let parent, let isRoot): return reparent(to: parent, isRoot: isRoot)
    case .ancestors(let ancestors): return frames.find(ancestors) ? [.queryAncestors] : []
    case .ancestorMapped(let window): setFrame(window, isMapped: true)
    case .ancestorUnmapped(let window): setFrame(window, isMapped: false)
    case .ancestorReparented(let window), .ancestorDestroyed(let window):
      guard frames.lose(window) else { return [] }
      return [.queryAncestors] + asking(position.invalidate())
    case .wmState(let value): setWMState(value)
    case .netStateAnnounced: latch.announce()
    case .netState(let value):
      latch.take(value ?? [], after: netState, isFocused: isFocusedNormal, root: root)
      netState = value ?? []
    case .netStateFound(let value):
      latch.find(value ?? [], after: netState, isFocused: isFocusedNormal, root: root)
      netState = value ?? []
    case .workspace(let value): workspace = value
    case .desktopsAbove(let value): desktopsAbove = value
    case .configured(let rect, isAbsolute: true): position.setAbsolute(rect)
    case .configured(let rect, isAbsolute: false): return asking(position.setRelative(rect.size))
    case .translated(let point): return asking(position.translate(point))
    case .focusIn(let mode, let detail): focusIn(mode, detail)
    case .focusOut(let mode, let detail): focus.focus(isIn: false, mode, detail)
    case .enter(_, let detail, let isFocused):
      if isMapped { focus.cross(isEnter: true, detail, focus: isFocused) }
    case .leave(_, let detail, let isFocused): focus.cross(isEnter: false, detail, focus: isFocused)
    case .visibility(let value): return setVisibility(value, root)
    case .redirected: isRedirected = true
    case .composited(let isComposited): latch.settle(isComposited: isComposited, isCovered: isFullyObscured)
    case .keyPress:
      if isMapped { focus.keyPress() }
    case .exposed: isFullyObscured = false
    case .windowManagerLost: discardManagerProperties()
    case .restedBriefly, .rested: break
    }
    return []
  }

  /// The signal for ``RootModel`` before this one is applied, if it is a sign that the window manager starts, ends or
  /// is replaced: a ReparentNotify that the program did not cause, or a window manager's property where none is known.
  ///
  /// The ReparentNotify to the root that follows a withdrawal is none, nor is the first frame of a new window.
  /// - Parameters:
  ///   - signal: The signal.
  ///   - root: The root.
  ///   - isForeign: Whether the window belongs to another library or program, whose withdrawals are not known before.
  /// - Returns: The signal for the root; nil for none.
  package func windowManagerSign(in signal: WindowSignal, root: RootModel, isForeign: Bool) -> RootSignal? {
    if case .wmState(.some) = signal, root.isKnownUnmanaged { return .windowManagerChanged(cause: "wm-state") }
    if isForeign, signal == .mapped, wasUnframed { return .windowManagerChanged(cause: "reparented") }
    guard case .reparented(_, let parentIsRoot) = signal,
      phase == .shown ? !(parentIsRoot && frames.isOnRoot) : !parentIsRoot && root.isKnownUnmanaged
    else { return nil }
    // Its owner has unmapped it, so that it is not managed any more (ICCCM 4.1.4), or shows it again; where the window
    // manager is gone, MapNotify follows.
    let mayBeOwner = isForeign && !isMapped && wmState != WindowModel.iconicState
    if mayBeOwner, parentIsRoot || !root.isKnownUnmanaged { return nil }
    return .windowManagerChanged(cause: "reparented")
  }

  private var isFocusedNormal: Bool { focus.hasFocus && wmState == WindowModel.normalState }

  private func asking(_ ask: Bool) -> [Effect] { ask ? [.translateCoordinates] : [] }

  private mutating func requestShow() {
    switch phase {
    case .absent, .created, .withdrawn: phase = isMapped && !expectsUnmap ? .shown : .requested
    case .requested, .shown, .destroyed: break
    }
  }

  private mutating func withdraw() {
    phase = .withdrawn
    expectsUnmap = isMapped
    latch.contradict()
    focus.unmap()
  }

  /// A MapNotify may be that of a map which was withdrawn since: it does not undo the withdrawal.
  private mutating func map() {
    isMapped = true
    wasUnframed = false
    latch.map()
    isFullyObscured = false
    if phase == .requested { phase = .shown }
  }

  private mutating func unmap() {
    isMapped = false
    isFullyObscured = false
    expectsUnmap = false
    focus.unmap()
  }

  /// Whether the frames have to be asked for because of a signal of the window itself.
  private mutating func doubtsFrames(after signal: WindowSignal) -> Bool {
    guard isMapped else { return false }
    switch signal {
    case .visibility, .exposed: return frames.see()
    case .mapped, .wmState, .netState, .workspace, .focusIn, .focusOut: return frames.mayHaveChanged()
    case _: return false
    }
  }

  private mutating func setFrame(_ window: UInt32, isMapped: Bool) {
    frames.setMapped(window, isMapped)
    // No VisibilityNotify comes when an ancestor is unmapped (X protocol, VisibilityNotify).
    isFullyObscured = false
  }

  private mutating func reparent(to parent: UInt32, isRoot: Bool) -> [Effect] {
    // A window manager that ends leaves HIDDEN behind; where the next one writes it again, it appears.
    if isRoot && phase == .shown, netState.contains(.hidden) {
      netState.subtract(.everyHidden)
      latch.leave(true)
    }
    wasUnframed = isRoot && !isMapped && phase == .shown
    frames.reparent(to: parent, isRoot: isRoot, wasShown: phase == .shown)
    return (isRoot ? [] : [.queryAncestors]) + asking(position.invalidate())
  }

  private mutating func setWMState(_ value: UInt32?) {
    // i3 removes WithdrawnState from a window that it shows again, also from a tab in the back, which stays hidden.
    if wmState == WindowModel.iconicState, value == WindowModel.normalState { latch.contradict() }
    wmState = value
  }

  /// The focus can only come to a viewable window (X protocol, SetInputFocus), so that it contradicts HIDDEN.
  private mutating func focusIn(_ mode: WindowSignal.Mode, _ detail: WindowSignal.Detail) {
    guard isMapped else { return }
    focus.focus(isIn: true, mode, detail)
    guard mode == .normal || mode == .whileGrabbed, detail == .nonlinear || detail == .ancestor else { return }
    if wmState == WindowModel.normalState { latch.contradict() }
  }

  /// A window of which something can be seen contradicts HIDDEN; of a redirected one nothing is ever covered.
  private mutating func setVisibility(_ value: WindowSignal.Visibility, _ root: RootModel) -> [Effect] {
    guard isMapped else { return [] }
    isFullyObscured = value == .fullyObscured
    if isFullyObscured { latch.cover() }
    guard !isFullyObscured, !latch.isDoubted, isLatched(root: root), !isRedirected else { return [] }
    latch.doubt()
    return [.queryCompositor]
  }

  private mutating func discardManagerProperties() {
    wmState = nil
    latch.leave(netState.contains(.hidden))
    netState = []
    workspace = nil
    desktopsAbove = []
  }

  /// NormalState of `WM_STATE` (ICCCM 4.1.3.1).
  static let normalState = ICCCM_NORMAL_STATE.rawValue
  /// IconicState of `WM_STATE`.
  static let iconicState = ICCCM_ICONIC_STATE.rawValue
}

extension WindowModel {
  /// The levels of the window now, each with the rule that decided.
  package func levels(root: RootModel) -> WindowLevels {
    let rule = visibilityRule(root: root)
    let isFocused = isFocused(root: root)
    return WindowLevels(
      visible: rule == .viewable, visibleCause: rule.rawValue, isWithdrawn: isWithdrawn,
      focused: isFocused, focusedCause: focusCause(isFocused: isFocused),
      grabbed: isFocused && focus.hasFocus && focus.isGrabbed, grabbedCause: focus.grabCause,
      occluded: isMapped && isFullyObscured)
  }

  /// With a window manager the focus is where that set it; without one keys go where the pointer is, too.
  private func isFocused(root: RootModel) -> Bool {
    guard phase == .shown && isMapped else { return false }
    return focus.hasFocus || !root.isManaged && focus.pointerFocus
  }

  private func focusCause(isFocused: Bool) -> LevelCause {
    if isFocused && !focus.hasFocus { return "pointer-focus" }
    if !isFocused && focus.hasFocus { return FocusTracker.Cause.unmapped.rawValue }
    return focus.cause.rawValue
  }

  /// Where the window is, and its states under the window manager.
  package func geometry(root: RootModel) -> WindowGeometry {
    var geometry = WindowGeometry(frame: position.frame)
    geometry.normalFrame = normalFrame.frame
    guard root.isManaged else { return geometry }
    geometry.desktop = workspace.map { $0 == EWMH_ALL_WORKSPACES.rawValue ? -1 : Int($0) }
    geometry.isMaximized = netState.isSuperset(of: [.maximizedHorizontally, .maximizedVertically])
    geometry.isFullScreen = netState.contains(.fullScreen)
    geometry.isMinimized = isMinimized(root: root)
    return geometry
  }

  /// IconicState (ICCCM 4.1.4), which also stands for shaded windows and for those on other workspaces: an icon has
  /// HIDDEN, too, where the window manager knows that.
  ///
  /// HIDDEN alone says as little: window managers have it on shaded windows, i3 on tabs in the back.
  private func isMinimized(root: RootModel) -> Bool {
    guard wmState == WindowModel.iconicState else { return false }
    // Metacity and Marco write the same for a shaded window as for an icon.
    if netState.contains(.shaded) { return isLatched(root: root) && root.name?.hasPrefix("Metacity") != true }
    if isLatched(root: root) { return true }
    // A HIDDEN that is left behind says nothing of a window whose workspace is not shown.
    return !(netState.contains(.hidden) ? isLeft(root: root) : root.supportsHidden ?? isLeft(root: root))
  }
}
