import ProsceniumLoop
import ProsceniumPlatform

/// What the platform does without while the program is suspended.
@MainActor struct SuspensionState {
  /// Whether root property changes are still heard.
  var hearsRoot = true
  /// Another window manager has come meanwhile, or this one has gone.
  var hasManagerChanged = false
}

/// While the program is suspended the loop waits for the server, signals and other sources alone.
///
/// Nothing of the program runs, and the server is asked for no more events than those that can mean that somebody looks
/// again.
extension X11Platform {
  func suspend() {
    guard !loop.isSuspended else { return }
    suspension.hasManagerChanged = false
    loop.suspend {
      switch $0 {
      case .client, .frame: true
      case .outcome, .recheckManager, .desktopChoices, .managerSettled, .desktopRule, .managerProbe, .leaving,
        .sessionSilence, .strays, .rest, .iconic, .picture, .sync, .pasting, .delivery:
        false
      }
    }
    guard !isLost else { return }
    for id in windows.keys.sorted() { windows[id].map { listenToPointer($0, isWanted: false) } }
    suspension.hearsRoot = needsRootProperties
    if !suspension.hearsRoot { listenToRootProperties(false) }
  }

  func resume() {
    guard loop.isSuspended else { return }
    loop.resume()
    guard !isLost else { return }
    for id in windows.keys.sorted() { windows[id].map { listenToPointer($0, isWanted: true) } }
    guard !suspension.hearsRoot else { return }
    suspension.hearsRoot = true
    listenToRootProperties(true)
    readResources()
    renewKeyboard()
    // Whether the desktop is shown has not been heard meanwhile; what another window manager left behind is not believed.
    manager.mayShowDesktop = desktop.isManaged && !suspension.hasManagerChanged
    checkManager()
  }

  /// Whether a change of a root property can show a window again that nothing else shows.
  ///
  /// Where the desktop is shown, or desktops hide windows by their numbers alone. Otherwise a window that comes back says
  /// so itself, and a window manager that goes or comes by its selection, or by reparenting.
  private var needsRootProperties: Bool {
    desktop.isManaged && (desktop.isShowingDesktop || desktop.isDesktopRuleOn)
  }

  /// What is known of the desktop has changed while nobody runs.
  func rootKnowledgeChanged() {
    guard loop.isSuspended, !suspension.hearsRoot, needsRootProperties, !isLost else { return }
    suspension.hearsRoot = true
    listenToRootProperties(true)
  }
}
