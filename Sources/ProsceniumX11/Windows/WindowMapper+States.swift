import CXCB
import ProsceniumPlatform

/// The states that a window manager sets when it is asked, and full screen without one.
extension WindowMapper {
  /// From this level on a window stays above others: UIKit's alert level is 2000, its normal one 0.
  private static let aboveLevel = 1000

  /// Writes the states that a window is mapped with (EWMH, `_NET_WM_STATE`).
  func writeStates(_ window: TopLevel) {
    let atoms = server.atoms
    var states: [AtomName] = []
    if window.showing.startsMaximized { states += [.netWMStateMaximizedHorizontally, .netWMStateMaximizedVertically] }
    if window.showing.startsFullScreen { states.append(.netWMStateFullScreen) }
    // Some window managers know all workspaces by this state only.
    if window.showing.firstWorkspace == EWMH_ALL_WORKSPACES.rawValue { states.append(.netWMStateSticky) }
    if isAbove(window) { states.append(.netWMStateAbove) }
    let known = states.map { atoms[$0] }.filter { $0 != 0 }
    if !known.isEmpty { connection.changeProperty(window.id, atoms[.netWMState], type: PredefinedAtom.atom, known) }
  }

  /// Writes the workspace that a window is mapped on.
  func writeWorkspace(_ window: TopLevel) {
    guard let workspace = window.showing.firstWorkspace else { return }
    connection.changeProperty(window.id, server.atoms[.netWMDesktop], type: PredefinedAtom.cardinal, [workspace])
  }

  func setLevel(_ window: TopLevel, _ level: Int) {
    let wasAbove = isAbove(window)
    window.properties.level = level
    guard isAbove(window) != wasAbove, window.showing.isRequested, root.isManaged else { return }
    send(window, !wasAbove, .netWMStateAbove)
  }

  private func isAbove(_ window: TopLevel) -> Bool { window.properties.level >= Self.aboveLevel }

  /// Asks for a window to be iconic (ICCCM 4.1.4).
  func sendIconic(_ window: TopLevel) {
    connection.sendToManager(server.atoms[.wmChangeState], about: window.id, [ICCCM_ICONIC_STATE.rawValue])
  }

  /// Asks for a window to be on a workspace (EWMH, `_NET_WM_DESKTOP`).
  func sendWorkspace(_ window: TopLevel, _ workspace: UInt32) {
    connection.sendToManager(
      server.atoms[.netWMDesktop], about: window.id, [workspace, EWMH_SOURCE_APPLICATION.rawValue])
  }

  func setMaximized(_ window: TopLevel, _ isOn: Bool) {
    guard window.showing.isRequested else { return window.showing.startsMaximized = isOn }
    send(window, isOn, .netWMStateMaximizedVertically, .netWMStateMaximizedHorizontally)
  }

  func setFullScreen(_ window: TopLevel, _ isOn: Bool) {
    guard window.showing.isRequested else { return window.showing.startsFullScreen = isOn }
    if root.isManaged { send(window, isOn, .netWMStateFullScreen) } else { setFullScreenUnmanaged(window, isOn) }
  }

  /// Without a window manager: as large as the screen that holds most of the window.
  func setFullScreenUnmanaged(_ window: TopLevel, _ isOn: Bool) {
    let frame = window.model.geometry(root: root).frame
    if isOn {
      let screen = parts.screens.current.first { $0.frame.intersects(frame) } ?? parts.screens.current.first
      guard let screen, window.frameBeforeFullScreen == nil else { return }
      window.frameBeforeFullScreen = frame
      // The rectangle of a full screen is not where the window goes back to.
      windows.apply(.netState(.fullScreen), to: window)
      connection.configure(window.id, screen.frame)
    } else if let before = window.frameBeforeFullScreen {
      window.frameBeforeFullScreen = nil
      windows.apply(.netState([]), to: window)
      connection.configure(window.id, before)
    }
    windows.markChanged(window)
  }

  /// Asks for a state (EWMH, `_NET_WM_STATE`).
  private func send(_ window: TopLevel, _ isOn: Bool, _ first: AtomName, _ second: AtomName? = nil) {
    let action = (isOn ? EWMH_STATE_ADD : EWMH_STATE_REMOVE).rawValue
    connection.sendToManager(
      server.atoms[.netWMState], about: window.id,
      [action, server.atoms[first], second.map { server.atoms[$0] } ?? 0, EWMH_SOURCE_APPLICATION.rawValue])
  }
}
