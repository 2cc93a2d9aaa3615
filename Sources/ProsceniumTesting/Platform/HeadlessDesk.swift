public import ProsceniumCore

/// What a person, the window manager and the monitors do to a program's windows.
///
/// A window that the program shows is seen at once, and one that asks for the focus gets it. The focus goes where
/// window managers send it: to the window that had it last and can be seen. What is done to a window that is not there,
/// because it is gone or its program hides it, has no effect. A session whose scene is disconnected still has a window,
/// which is named by the session.
@MainActor public struct HeadlessDesk {
  let program: HeadlessProgram
  private var platform: HeadlessPlatform { program.platform }

  /// The window, if it is there.
  private func id(_ window: Window) -> WindowID? {
    window.id.flatMap { platform.windows[$0]?.isMapped == true ? $0 : nil }
  }

  private func id(_ session: SceneSession) -> WindowID? {
    platform.windows.first { $0.value.isMapped && $0.value.description.role == session.persistentIdentifier }?.key
  }

  // MARK: The focus

  /// Gives a window the keyboard, going to its workspace.
  /// - Parameter window: Which; nil for another program's.
  public func focus(_ window: Window?) {
    guard let window else { return platform.focus(nil) }
    id(window).map(platform.focus)
  }

  /// Gives the window of a session the keyboard, going to its workspace.
  /// - Parameter session: Whose.
  public func focus(_ session: SceneSession) { id(session).map(platform.focus) }

  /// Lets another program take the keyboard for itself, as menus and lockers do, the focus staying where it is.
  public func grabKeyboard() { platform.grabKeyboard(true) }

  /// Lets the other program give the keyboard back.
  public func releaseKeyboard() { platform.grabKeyboard(false) }

  /// Whether a window that asks for the focus gets it; false is what window managers do against programs that steal it.
  public var givesFocus: Bool {
    get { platform.obeysActivation }
    nonmutating set { platform.obeysActivation = newValue }
  }

  /// Lets the user type, click or scroll in a window.
  /// - Parameters:
  ///   - input: A key, a button, a motion, a turn of the wheel or a touch; sizes and exposures come by themselves.
  ///   - window: Where.
  public func send(_ input: Event.Kind, to window: Window) {
    guard let id = id(window) else { return }
    let milliseconds = UInt32(truncatingIfNeeded: Int(platform.now * 1000))
    let kind: InputEvent.Kind
    switch input {
    case .key(let key): kind = .key(key)
    case .button(let button): kind = .button(button)
    case .motion(let motion): kind = .motion(motion)
    case .scroll(let scroll): kind = .scroll(scroll)
    case .touch(let touch): kind = .touch(touch)
    case .exposed(let rect): return platform.send(.exposed(id, rect))
    case .resized(let size):
      guard let frame = platform.windows[id]?.frame else { return }
      return platform.move(
        id, to: Rect(x: frame.origin.x, y: frame.origin.y, width: size.width, height: size.height))
    }
    platform.send(.input(id, InputEvent(kind, time: milliseconds)))
  }

  // MARK: Windows

  /// Minimises a window.
  /// - Parameter window: Which.
  public func minimize(_ window: Window) { id(window).map(platform.minimize) }

  /// Brings a minimised window back, with the focus, going to its workspace.
  ///
  /// One that its program hides stays hidden, as after a close under `ClosePolicy.background`.
  /// - Parameter window: Which.
  public func restore(_ window: Window) { id(window).map(platform.restore) }

  /// Brings the minimised window of a session back, with the focus, going to its workspace.
  /// - Parameter session: Whose.
  public func restore(_ session: SceneSession) { id(session).map(platform.restore) }

  /// Presses a window's close button.
  /// - Parameter window: Which.
  public func close(_ window: Window) { id(window).map(platform.requestClose) }

  /// Presses the close button of a session's window.
  /// - Parameter session: Whose.
  public func close(_ session: SceneSession) { id(session).map(platform.requestClose) }

  /// Moves and resizes a window; one that is maximised or full screen goes there when it no longer is.
  /// - Parameters:
  ///   - window: Which.
  ///   - frame: Where to, in pixels of the desktop.
  public func move(_ window: Window, to frame: Rect) { id(window).map { platform.move($0, to: frame) } }

  /// Maximises a window, or undoes that.
  /// - Parameters:
  ///   - window: Which.
  ///   - isMaximized: Whether it fills its monitor.
  public func maximize(_ window: Window, _ isMaximized: Bool = true) {
    id(window).map { platform.maximize($0, isMaximized) }
  }

  /// Makes a window full screen, or undoes that.
  /// - Parameters:
  ///   - window: Which.
  ///   - isFullScreen: Whether it fills its monitor, without a frame.
  public func makeFullScreen(_ window: Window, _ isFullScreen: Bool = true) {
    id(window).map { platform.makeFullScreen($0, isFullScreen) }
  }

  /// Whether the window is on the screen, be it covered by other windows or not.
  /// - Parameter window: Which.
  /// - Returns: False where it is not shown, minimised, on another workspace or put out of the way.
  public func isVisible(_ window: Window) -> Bool {
    window.id.flatMap { platform.windows[$0]?.levels.visible } ?? false
  }

  /// Whether the window has the keyboard.
  /// - Parameter window: Which.
  /// - Returns: False where it is another one, or another program's.
  public func hasFocus(_ window: Window) -> Bool { window.id != nil && window.id == platform.focused }

  // MARK: Workspaces

  /// The workspace that is seen, counted from 0; setting it goes to another one.
  ///
  /// Windows of the others are hidden; the one of this that had the focus last gets it.
  public var workspace: Int {
    get { platform.workspace ?? 0 }
    nonmutating set { if newValue != workspace, newValue >= 0 { platform.goTo(desktop: newValue) } }
  }

  /// Sends a window to a workspace, without going there.
  /// - Parameters:
  ///   - window: Which.
  ///   - workspace: Where to, counted from 0; nil for all of them.
  public func move(_ window: Window, toWorkspace workspace: Int?) {
    id(window).map { platform.send($0, toDesktop: max(workspace ?? -1, -1)) }
  }

  /// Whether all windows are put out of the way ("show desktop"); asking for one of them ends it.
  ///
  /// A new one is seen for as long as it has the focus, and the others stay where they are.
  public var isShowingDesktop: Bool {
    get { platform.isShowingDesktop }
    nonmutating set { platform.showDesktop(newValue) }
  }

  // MARK: Monitors

  /// The monitors; setting them plugs in, unplugs or changes them, all at once.
  ///
  /// Before the launch it says what is there. At first there is one, "headless", of 1920 by 1080 pixels. A window that
  /// is on none any more is moved to the first.
  public var screens: [HeadlessScreen] {
    get { platform.screens.map(HeadlessScreen.init) }
    nonmutating set { platform.changeScreens(to: newValue.map(\.description)) }
  }

  // MARK: The window manager

  /// Ends the window manager: minimised windows and those of other workspaces are on the screen, and no window has the
  /// focus.
  public func stopWindowManager() { platform.stopWindowManager() }

  /// Starts another window manager, which needs `HoldTimes.windowManagerChange` to settle.
  public func startWindowManager() { platform.startWindowManager() }
}
