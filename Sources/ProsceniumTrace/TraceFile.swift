private import Glibc
private import ProsceniumLoop

/// The file that `PROSCENIUM_TRACE` names, or standard error.
///
/// Tracing never stops the program: a full disk, a closed pipe or a reader that does not read costs lines, not time.
@MainActor package final class TraceFile {
  private var descriptor: Int32
  private let ownsDescriptor: Bool

  /// Opens the file that the environment names, and removes the variable from it, so that children do not write.
  /// - Returns: Nil where there is no such variable, where the program runs with another user's rights, or where the
  ///   file cannot be opened, which is reported on standard error.
  package static func fromEnvironment() -> TraceFile? {
    guard let value = getenv("PROSCENIUM_TRACE") else { return nil }
    let path = String(cString: value)
    unsetenv("PROSCENIUM_TRACE")
    guard getuid() == geteuid(), getgid() == getegid(), !path.isEmpty else { return nil }
    if path == "-" { return TraceFile(descriptor: 2, owned: false) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      StandardError.write(
        "Proscenium: PROSCENIUM_TRACE: cannot open \(path): \(reason). The program runs without a trace.")
      return nil
    }
    return TraceFile(descriptor: descriptor, owned: true)
  }

  private init(descriptor: Int32, owned: Bool) {
    self.descriptor = descriptor
    ownsDescriptor = owned
  }

  deinit { if ownsDescriptor, descriptor >= 0 { close(descriptor) } }

  /// Appends one line with one write; does nothing where the file does not accept it at once.
  package func write(_ line: String) {
    guard descriptor >= 0 else { return }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLOUT) != 0 else {
      // POLLERR without POLLOUT: the pipe has no reader, and will have none.
      if waiting.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { giveUp() }
      return
    }
    var bytes = Array(line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    let failure = StandardError.withoutWriteSignals {
      bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } < 0 ? errno : 0
    }
    if failure == EPIPE || failure == EBADF { giveUp() }
  }

  private func giveUp() {
    if ownsDescriptor { close(descriptor) }
    descriptor = -1
  }
}
