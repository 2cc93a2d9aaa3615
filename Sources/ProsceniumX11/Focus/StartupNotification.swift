import Glibc

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
