import CXCB
import Glibc
import ProsceniumPlatform

/// The start that launchers wait for, of this program or of what it opens (Startup Notification protocol).
@MainActor final class StartupSequence: X11Component {
  /// The start that has not been completed.
  private(set) var current: StartupNotification?
  private var tokenCount = 0

  /// Continues the start of this program: its time is that of the user's action.
  func begin(_ launch: StartupNotification) {
    parts.focus.advanceUserTime(to: launch.time ?? 0)
    current = launch
  }

  /// Begins the start that another program asks for.
  func begin(_ token: String) {
    guard let launch = StartupNotification(token: token) else { return }
    finish()
    begin(launch)
    server.intern(AtomName.forStartup)
  }

  /// Completes the start: everything that was to be shown has been.
  func finish() { if let launch = current.take() { announce(launch) } }

  /// Takes the start for the window that is shown for it.
  /// - Returns: The start; nil where there is none. The caller announces it once the window is mapped.
  func claim(for window: TopLevel) -> StartupNotification? {
    guard let launch = current.take() else { return nil }
    write(launch, to: window.id)
    return launch
  }

  /// Writes the id of the start onto a window.
  ///
  /// The atom is not known yet where the first request of another program asks for the window: its user time is enough
  /// then.
  func write(_ launch: StartupNotification, to window: UInt32) {
    connection.changeProperty(
      window, server.atoms[.netStartupID], type: server.atoms[.utf8String], Array(launch.id.utf8))
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
        server.atoms[index == 0 ? .netStartupInfoBegin : .netStartupInfo], about: server.leader, bytes,
        to: server.root, mask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
    }
  }

  /// Makes a token for a start of another program; it is not announced to launchers, so that none waits for its end.
  func makeToken() -> String? {
    guard parts.focus.userTime != 0 else { return nil }
    tokenCount += 1
    let host = String(decoding: HostName.bytes, as: UTF8.self)
    return "\(parts.context.identity.instance)-\(getpid())-\(tokenCount)-\(host)_TIME\(parts.focus.userTime)"
  }
}

/// A launcher's id for a start (Startup Notification protocol).
struct StartupNotification: Hashable, Sendable {
  var id: String
  /// When the user asked for the start: the number behind `_TIME`.
  var time: UInt32?

  init(id: String) {
    self.id = id
    let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
    if id.dropLast(digits.count).hasSuffix("_TIME") { time = UInt32(String(digits.reversed())) }
  }

  /// Reads an id that another program passes on; nil where it cannot be one.
  init?(token: String) {
    guard !token.isEmpty, token.utf8.count <= 1024, !token.utf8.contains(0) else { return nil }
    self.init(id: token)
  }

  /// Removes the id from the environment, so that children do not claim to be this start.
  static func removeFromEnvironment() -> StartupNotification? {
    let names = ["DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"]
    let ids = names.compactMap { name in getenv(name).map { String(cString: $0) } }
    names.forEach { unsetenv($0) }
    return ids.lazy.compactMap { StartupNotification(token: $0) }.first
  }

  /// The message "the start is complete", as 8-bit client messages of 20 bytes each, the last one with a zero.
  var removeMessages: [[UInt8]] {
    var text = Array("remove: ID=\"".utf8)
    for byte in id.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
      text.append(byte)
    }
    text += Array("\"".utf8) + [0]
    return stride(from: 0, to: text.count, by: 20).map { Array(text[$0..<min($0 + 20, text.count)]) }
  }
}

/// The name of this machine (gethostname(2)).
enum HostName {
  static var bytes: [UInt8] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
