private import Glibc
private import ProsceniumLoop

/// The file that `PROSCENIUM_TRACE` names, or standard error.
///
/// Tracing never stops the program: a full disk, a closed pipe or a reader that does not read costs lines, not time.
@MainActor package final class TraceFile {
  /// Nil once nothing reads what is written.
  private var descriptor: Descriptor?

  /// Opens the file that the environment names, and removes the variable from it, so that children do not write.
  /// - Returns: Nil where there is no such variable, where the program runs with another user's rights, or where the
  ///   file cannot be opened, which is reported on standard error.
  package static func fromEnvironment() -> TraceFile? {
    guard let value = getenv("PROSCENIUM_TRACE") else { return nil }
    let path = String(cString: value)
    unsetenv("PROSCENIUM_TRACE")
    guard getuid() == geteuid(), getgid() == getegid(), !path.isEmpty else { return nil }
    do throws(Errno) {
      if path == "-" { return TraceFile(try Descriptor(copying: STDERR_FILENO)) }
      return TraceFile(try Descriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600))
    } catch {
      StandardError.write(
        "Proscenium: PROSCENIUM_TRACE: cannot open \(path): \(error). The program runs without a trace.")
      return nil
    }
  }

  private init(_ descriptor: consuming Descriptor) { self.descriptor = consume descriptor }

  /// Appends one line with one write; does nothing where the file does not accept it at once.
  package func write(_ line: String) {
    guard let number = descriptor?.number else { return }
    var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLOUT) != 0 else {
      // POLLERR without POLLOUT: the pipe has no reader, and will have none.
      if waiting.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { descriptor = nil }
      return
    }
    var bytes = Array(line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    let failure = StandardError.withoutWriteSignals {
      bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } < 0 ? errno : 0
    }
    if failure == EPIPE || failure == EBADF { descriptor = nil }
  }
}
