import CXCB
import Glibc
import ProsceniumPlatform

/// What the user did elsewhere to have something of this program shown, and the other way round.
extension X11Platform {
  /// The user asked for what follows: the time of that is a later one than any that is known here, or it decides nothing.
  ///
  /// Window managers keep the focus from what is older than the last thing that the user did (EWMH, `_NET_WM_USER_TIME`).
  func beginStartup(_ token: String) {
    guard let launch = StartupNotification(token: token) else { return }
    finishStartup()
    if let time = launch.time, time != 0, userTime == 0 || Int32(bitPattern: time &- userTime) > 0 { userTime = time }
    startup = launch
    intern(AtomName.forStartup)
  }

  /// Whatever was to be shown has been: launchers need not wait.
  func finishStartup() {
    guard let launch = startup else { return }
    startup = nil
    announce(launch)
  }

  /// Tells launchers that the program is up (Startup Notification protocol).
  func announce(_ launch: StartupNotification) {
    guard let connection else { return }
    guard atoms[.netStartupInfo] != 0, atoms[.netStartupInfoBegin] != 0 else {
      intern(AtomName.forStartup)
      // Answers come in the order of the questions: once this one is here, so are the others.
      connection.internAtom(AtomName.netStartupInfoBegin.rawValue) { [weak self] atom in
        guard let self, !isLost, atom != 0 else { return }
        atoms.set(.netStartupInfoBegin, atom)
        if atoms[.netStartupInfo] != 0 { announce(launch) }
      }
      return
    }
    for (index, bytes) in launch.removeMessages.enumerated() {
      connection.sendMessage(
        atoms[index == 0 ? .netStartupInfoBegin : .netStartupInfo], about: leader, .bytes(bytes),
        to: connection.screen.root, mask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
    }
  }

  /// Nobody has been told of it, so that nobody waits for whoever gets it.
  package func makeStartupToken() -> String? {
    guard userTime != 0 else { return nil }
    startupCount += 1
    let host = String(decoding: hostName(), as: UTF8.self)
    return "\(identity.instance)-\(getpid())-\(startupCount)-\(host)_TIME\(userTime)"
  }
}
