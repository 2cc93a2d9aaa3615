import Glibc
import Proscenium

/// Execution modes that commands begin and end, and a connection that shows the use of one.
@MainActor enum Modes {
  #if !WITHOUT_Execution
    private static var tokens: [String: ExecutionToken] = [:]

    /// `mode begin audio`, `mode end audio`.
    static func perform(_ words: [Substring]) -> Bool {
      guard words.count == 3, let mode = ExecutionMode(rawValue: String(words[2])) else { return false }
      switch words[1] {
      case "begin": tokens[mode.rawValue] = Application.shared.beginExecution(mode, reason: "a test of \(mode)")
      case "end": tokens[mode.rawValue] = nil
      default: return false
      }
      return true
    }
  #else
    static func perform(_ words: [Substring]) -> Bool { false }
  #endif

  /// Connects to a local socket, and keeps the connection: `connect <path>`.
  static func connect(_ words: [Substring]) -> Bool {
    guard words.count == 2 else { return false }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(words[1].utf8.prefix(100)) + [0]) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    } == 0
  }
}
