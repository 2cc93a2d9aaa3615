package import ProsceniumPlatform
import SceneLifecycle

// Actions of the user, the window manager and the monitors.
extension HeadlessPlatform {
  /// Changes the desk, and delivers the events of the change.
  private func act(_ change: (inout HeadlessWindowManager) -> Void) {
    change(&windowManager)
    deliver()
  }

  // MARK: Windows

  /// Moves the focus to a window, or to another program.
  package func focus(_ id: WindowID?) {
    act {
      if let id { $0.reveal(id) }
      $0.focus(id)
    }
  }

  /// A button is pressed over a window, which gets the focus of the window manager; a menu that has the pointer gets
  /// the press instead.
  func press(_ id: WindowID) {
    guard hasWindowManager, id != focused, windowManager.pointer.holder == nil, let window = windows[id],
      window.description.popUp == nil, window.levels.visible
    else { return }
    focus(id)
  }

  package func minimize(_ id: WindowID) {
    if hasWindowManager { act { $0.minimize(id) } }
  }

  /// The owner of an adopted window shows it, or withdraws it, by itself.
  package func ownerSets(_ id: WindowID, isHidden: Bool) {
    act { if isHidden { $0.withdraw(id) } else { $0.show(id, .quiet) } }
  }

  /// Shows a minimised window again and gives it the focus.
  package func restore(_ id: WindowID) { act { $0.restore(id) } }

  /// Moves and resizes a window; a maximised or full-screen window gets the frame when it is restored.
  package func move(_ id: WindowID, to frame: Rect) {
    let frame = windows[id]?.allowed(frame) ?? frame
    act { $0.change(id) { $0.normalFrame = frame } }
  }

  package func maximize(_ id: WindowID, _ isMaximized: Bool = true) {
    if hasWindowManager { act { $0.change(id) { $0.isMaximized = isMaximized } } }
  }

  package func makeFullScreen(_ id: WindowID, _ isFullScreen: Bool = true) {
    if hasWindowManager { act { $0.change(id) { $0.isFullScreen = isFullScreen } } }
  }

  package func requestClose(_ id: WindowID) { send(.closeRequested(id)) }

  /// Destroys the window as another client.
  package func destroyForeign(_ id: WindowID) {
    remove(id)
    send(.destroyed(id))
  }

  /// Takes the pointer away from a program that menus hold it for.
  package func takePointer() { act { $0.takePointer() } }

  package func grabKeyboard(_ isGrabbed: Bool) { act { $0.grabKeyboard(isGrabbed) } }

  // MARK: Workspaces

  /// Moves a window to another workspace; -1 for all of them.
  package func send(_ id: WindowID, toDesktop workspace: Int) {
    if hasWindowManager { act { $0.send(id, to: workspace) } }
  }

  /// Leaves the workspace that is seen for another one.
  package func goTo(desktop workspace: Int) { if hasWindowManager { act { $0.leave(for: workspace) } } }

  /// Shows the desktop, or the windows again.
  package func showDesktop(_ isShown: Bool) {
    if hasWindowManager, isShowingDesktop != isShown { act { $0.showDesktop(isShown) } }
  }

  // MARK: Monitors

  /// Adds, removes or changes monitors.
  package func changeScreens(to screens: [ScreenDescription]) { act { $0.change(screens: screens) } }

  // MARK: The window manager

  /// Ends the window manager: what was minimised or on another workspace is mapped, and no window has the focus.
  package func stopWindowManager() {
    guard hasWindowManager else { return }
    windowManager.isRunning = false
    windowManager.agenda.removeAll { if case .windowManager = $0 { true } else { false } }
    send(.windowManager(.changing, cause: "WM_S owner"))
    act { $0.end() }
  }

  /// Starts another window manager, which gives the focus to the window that had it last.
  package func startWindowManager() {
    guard !hasWindowManager else { return }
    act { $0.begin(now: now) }
  }
}
