public import ProsceniumCore

/// Actions of the user, the window manager and the monitors on a program's windows.
///
/// A window that the program shows is visible at once, and one that requests the focus gets it. The focus moves as
/// under window managers: to the visible window that had it last, else to the newest. An action on a window that has
/// been destroyed or that its program hides has no effect. A session whose scene is disconnected still has a window,
/// which the session names.
@MainActor public struct HeadlessDesk {
  let program: HeadlessProgram
  private var platform: HeadlessPlatform { program.platform }

  /// The window's id; nil where it has none.
  private func id(_ window: Window) -> WindowID? {
    window.id.flatMap { platform.windows[$0]?.isMapped == true ? $0 : nil }
  }

  private func id(_ session: SceneSession) -> WindowID? {
    platform.windows.first { $0.value.isMapped && $0.value.description.role == session.persistentIdentifier }?.key
  }

  // MARK: The focus

  /// Moves the focus to a window, restores it where it is minimised, and switches to its workspace.
  /// - Parameter window: The window; nil for a window of another program.
  public func focus(_ window: Window?) {
    guard let window else { return platform.focus(nil) }
    id(window).map(focus)
  }

  /// Moves the focus to the window of a session, restores it where it is minimised, and switches to its workspace.
  /// - Parameter session: The session.
  public func focus(_ session: SceneSession) { id(session).map(focus) }

  /// A window that is not there cannot have the focus.
  private func focus(_ id: WindowID) {
    if platform.windows[id]?.isMinimized == true { platform.restore(id) } else { platform.focus(id) }
  }

  /// Grabs the keyboard for another program, as menus and lockers do; the focus does not move.
  public func grabKeyboard() { platform.grabKeyboard(true) }

  /// Ends the other program's grab of the keyboard.
  public func releaseKeyboard() { platform.grabKeyboard(false) }

  /// Whether a window that requests the focus gets it; false as under window managers with focus stealing prevention.
  public var givesFocus: Bool {
    get { platform.windowManager.obeysActivation }
    nonmutating set { platform.windowManager.obeysActivation = newValue }
  }

  /// Types, clicks, scrolls or moves the pointer in a window.
  ///
  /// A key has no effect where the window has not the focus, or another program has the keyboard. A press of a button
  /// gives a window the focus first, as window managers do, where no menu of the program has the pointer.
  /// - Parameters:
  ///   - input: A key, a button, a motion, a turn of the wheel or a touch; sizes and exposures come by themselves, and
  ///     commands of a remote control and shakes have no window.
  ///   - window: The window.
  public func send(_ input: Event.Kind, to window: Window) {
    guard let id = id(window) else { return }
    let milliseconds = UInt32(truncatingIfNeeded: Int(platform.now * 1000))
    let kind: InputEvent.Kind
    switch input {
    case .key(let key):
      guard hasFocus(window), platform.windows[id]?.levels.grabbed == false else { return }
      kind = .key(key)
    case .button(let button):
      if button.isDown { platform.press(id) }
      kind = .button(button)
    case .motion(let motion): kind = .motion(motion)
    case .scroll(let scroll): kind = .scroll(scroll)
    case .touch(let touch): kind = .touch(touch)
    case .remoteControl(let command): return program.machine.post(.remoteControl(.command(command)))
    case .deviceMotion:
      program.machine.sensors.shake(.began)
      return program.machine.sensors.shake(.ended)
    case .exposed(let rect): return platform.send(.exposed(id, rect))
    case .resized(let size):
      guard let frame = platform.windows[id]?.frame else { return }
      return platform.move(id, to: Rect(x: frame.origin.x, y: frame.origin.y, width: size.width, height: size.height))
    }
    platform.send(.input(id, InputEvent(kind, time: milliseconds)))
  }

  /// Copies data in another program, which owns the pasteboard from then on.
  /// - Parameters:
  ///   - items: The representations of what is copied, the best one first; none where that program ends.
  ///   - isSelection: Whether it is what the user has selected there (`Pasteboard.primary`), and not what was
  ///     copied (`Pasteboard.general`).
  public func copy(_ items: [PasteboardItem], isSelection: Bool = false) {
    platform.write(items, to: isSelection ? .primary : .general)
  }

  /// The user chooses the appearance of programs in the settings of the desktop.
  ///
  /// The choices count for the present process: another one begins with none. ``HeadlessProgram/advance(by:)`` brings
  /// the change to the program.
  /// - Parameters:
  ///   - style: Light or dark; nil for no choice.
  ///   - accentColor: The accent colour; nil for no choice.
  ///   - prefersHighContrast: Whether the user needs high contrast.
  ///   - prefersReducedMotion: Whether the user wants no animations.
  public func chooseAppearance(
    style: UserInterfaceStyle? = nil, accentColor: Color? = nil, prefersHighContrast: Bool = false,
    prefersReducedMotion: Bool = false
  ) {
    program.machine.settings.style = style
    program.machine.settings.accentColor = accentColor
    program.machine.settings.prefersHighContrast = prefersHighContrast
    program.machine.settings.prefersReducedMotion = prefersReducedMotion
    program.machine.post(.settings(program.machine.settings))
  }

  // MARK: Windows

  /// Minimises a window with its panels and alerts: those of a scene's window are all windows of the scene.
  /// - Parameter window: The window.
  public func minimize(_ window: Window) { id(window).map(platform.minimize) }

  /// Restores a minimised window with the focus, and switches to its workspace.
  ///
  /// Its panels and alerts come back with it, and the window of its scene with a panel. A window that its program hides
  /// stays hidden, as after a close under `ClosePolicy.background`.
  /// - Parameter window: The window.
  public func restore(_ window: Window) { id(window).map(platform.restore) }

  /// Restores the minimised window of a session with the focus, and switches to its workspace.
  /// - Parameter session: The session.
  public func restore(_ session: SceneSession) { id(session).map(platform.restore) }

  /// Presses a window's close button.
  /// - Parameter window: The window.
  public func close(_ window: Window) { id(window).map(platform.requestClose) }

  /// Presses the close button of a session's window.
  /// - Parameter session: The session.
  public func close(_ session: SceneSession) { id(session).map(platform.requestClose) }

  /// Moves and resizes a window; a maximised or full-screen window gets the frame when it is restored.
  ///
  /// Its size is kept between `Window.minimumSize` and `Window.maximumSize`.
  /// - Parameters:
  ///   - window: The window.
  ///   - frame: The new frame on the desktop, in pixels.
  public func move(_ window: Window, to frame: Rect) { id(window).map { platform.move($0, to: frame) } }

  /// Maximises or restores a window.
  /// - Parameters:
  ///   - window: The window.
  ///   - isMaximized: Whether it fills ``HeadlessScreen/visibleFrame`` of the monitor that shows most of it.
  public func maximize(_ window: Window, _ isMaximized: Bool = true) {
    id(window).map { platform.maximize($0, isMaximized) }
  }

  /// Makes a window full screen, or restores it.
  /// - Parameters:
  ///   - window: The window.
  ///   - isFullScreen: Whether it fills the monitor that shows most of it, panels too, without a frame.
  public func makeFullScreen(_ window: Window, _ isFullScreen: Bool = true) {
    id(window).map { platform.makeFullScreen($0, isFullScreen) }
  }

  /// Whether the window is on the screen, covered by other windows or not.
  /// - Parameter window: The window.
  /// - Returns: False where it is not shown, minimised, on another workspace, or hidden while the desktop is shown.
  public func isVisible(_ window: Window) -> Bool {
    window.id.flatMap { platform.windows[$0]?.levels.visible } ?? false
  }

  /// Whether the window has the focus.
  /// - Parameter window: The window.
  /// - Returns: False where another window has it, of this program or another one.
  public func hasFocus(_ window: Window) -> Bool { window.id != nil && window.id == platform.focused }

  // MARK: Workspaces

  /// The current workspace, counted from 0; setting it switches to another one.
  ///
  /// Windows of other workspaces are hidden; the window of this one that had the focus last gets it.
  public var workspace: Int {
    get { platform.workspace ?? 0 }
    nonmutating set { if newValue != workspace, newValue >= 0 { platform.goTo(desktop: newValue) } }
  }

  /// Moves a window, with its panels and alerts, to a workspace, without a switch to it.
  /// - Parameters:
  ///   - window: The window.
  ///   - workspace: The workspace, counted from 0; nil for all of them.
  public func move(_ window: Window, toWorkspace workspace: Int?) {
    id(window).map { platform.send($0, toDesktop: max(workspace ?? -1, -1)) }
  }

  /// Whether the desktop is shown and all windows are hidden ("show desktop"); the activation of a window ends it.
  ///
  /// A new window that gets the focus is seen from then on; the others stay hidden.
  public var isShowingDesktop: Bool {
    get { platform.isShowingDesktop }
    nonmutating set { platform.showDesktop(newValue) }
  }

  // MARK: Monitors

  /// The monitors; setting them plugs in, unplugs or changes them, all at once.
  ///
  /// At first there is one, "headless", of 1920 by 1080 pixels. A window that is on no monitor any more is moved to the
  /// first.
  public var screens: [HeadlessScreen] {
    get { platform.windowManager.screens.map(HeadlessScreen.init) }
    nonmutating set {
      let last = platform.windowManager.screens
      platform.changeScreens(
        to: newValue.map { screen in screen.description(after: last.first { $0.name == screen.name }) })
    }
  }

  // MARK: The window manager

  /// Ends the window manager: minimised windows and those of other workspaces are on the screen, and no window has the
  /// focus.
  ///
  /// Until the next one, windows are neither minimised, maximised nor made full screen, there is one workspace, and the
  /// desktop is not shown.
  public func stopWindowManager() { platform.stopWindowManager() }

  /// Starts another window manager, which needs `HoldTimes.windowManagerChange` to settle.
  public func startWindowManager() { platform.startWindowManager() }
}
