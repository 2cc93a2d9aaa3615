import CXCB
import Glibc
import ProsceniumPlatform

/// The start that launchers wait for, of this program or of what it opens (Startup Notification protocol).
@MainActor final class StartupSequence: X11Component {
  let context: X11Context
  private let focus: Focus
  private let instance: String
  /// The start that has not been completed.
  private(set) var current: StartupNotification?
  private var tokenCount = 0

  init(_ context: X11Context, _ focus: Focus, _ launch: StartupNotification?, instance: String) {
    self.context = context
    self.focus = focus
    self.instance = instance
    current = launch
    focus.advanceUserTime(to: launch?.time ?? 0)
  }

  /// Begins the start that another program asks for: its time is that of the user's action.
  func begin(_ token: String) {
    guard let launch = StartupNotification(token: token) else { return }
    finish()
    focus.advanceUserTime(to: launch.time ?? 0)
    current = launch
    server.intern(AtomName.forStartup)
  }

  /// Completes the start: everything that was to be shown has been.
  func finish() { if let launch = removeCurrent() { announce(launch) } }

  /// Takes the start for the window that is shown for it.
  /// - Returns: The start; nil where there is none. The caller announces it once the window is mapped.
  func claim(for window: TopLevel) -> StartupNotification? {
    guard let launch = removeCurrent() else { return nil }
    write(launch, to: window.id)
    return launch
  }

  /// Writes the id of the start onto a window.
  ///
  /// The atom is not known yet where the first request of another program asks for the window: its user time is enough
  /// then.
  func write(_ launch: StartupNotification, to window: UInt32) {
    connection.changeProperty(
      window, server.atoms[.netStartupID], type: server.atoms[.utf8String], bytes: Array(launch.id.utf8))
  }

  /// Reports to launchers that a start is complete.
  func announce(_ launch: StartupNotification) {
    guard server.atoms[.netStartupInfo] != 0, server.atoms[.netStartupInfoBegin] != 0 else {
      return server.intern(AtomName.forStartup) { [weak self] in
        guard let self, !server.isLost, server.atoms[.netStartupInfo] != 0, server.atoms[.netStartupInfoBegin] != 0
        else { return }
        announce(launch)
      }
    }
    for (index, bytes) in launch.removeMessages.enumerated() {
      connection.sendMessage(
        server.atoms[index == 0 ? .netStartupInfoBegin : .netStartupInfo], about: server.leader, .bytes(bytes),
        to: server.root, mask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
    }
  }

  /// Makes a token for a start of another program; it is not announced to launchers, so that none waits for its end.
  func makeToken() -> String? {
    guard focus.userTime != 0 else { return nil }
    tokenCount += 1
    let host = String(decoding: HostName.bytes, as: UTF8.self)
    return "\(instance)-\(getpid())-\(tokenCount)-\(host)_TIME\(focus.userTime)"
  }

  private func removeCurrent() -> StartupNotification? {
    defer { current = nil }
    return current
  }
}
