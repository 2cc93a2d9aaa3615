private import Glibc
private import ProsceniumLoop

/// The file that `PROSCENIUM_TRACE` names, or standard error.
///
/// Tracing never stops the program: a full disk, a closed pipe or a reader that does not read costs lines, not time.
/// The first line that is lost is reported, but for a pipe that its reader has closed.
@MainActor package final class TraceFile {
  /// Nil once nothing reads what is written.
  private var descriptor: Descriptor?
  /// Writes a message for the person who started the program; nil once a loss has been reported.
  private var report: ((String) -> Void)?

  /// Opens the file that the environment names, and removes the variable from it, so that children do not write.
  /// - Parameter report: Writes a message for the person who started the program.
  /// - Returns: Nil where there is no such variable, where the program runs with another user's rights, or where the
  ///   file cannot be opened, which is reported.
  package static func fromEnvironment(report: @escaping (String) -> Void = StandardError.write) -> TraceFile? {
    guard let value = getenv("PROSCENIUM_TRACE") else { return nil }
    let path = String(cString: value)
    unsetenv("PROSCENIUM_TRACE")
    return at(path, report: report)
  }

  /// Opens the file of this name, as ``fromEnvironment(report:)`` does.
  package static func at(_ path: String, report: @escaping (String) -> Void = StandardError.write) -> TraceFile? {
    guard getuid() == geteuid(), getgid() == getegid(), !path.isEmpty else { return nil }
    do throws(Errno) {
      if path == "-" { return TraceFile(try Descriptor(copying: STDERR_FILENO), report) }
      return TraceFile(try Descriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600), report)
    } catch {
      report("Proscenium: PROSCENIUM_TRACE: cannot open \(path): \(error). The program runs without a trace.")
      return nil
    }
  }

  private init(_ descriptor: consuming Descriptor, _ report: @escaping (String) -> Void) {
    self.descriptor = consume descriptor
    self.report = report
  }

  /// Appends one line with one write; does nothing where the file does not accept it at once.
  package func write(_ line: String) {
    guard let number = descriptor?.number else { return }
    var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLOUT) != 0 else {
      // POLLERR without POLLOUT: the pipe has no reader, and will have none.
      if waiting.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { descriptor = nil } else { lose(Errno(EAGAIN)) }
      return
    }
    var bytes = Array(line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    let (written, failure) = StandardError.withoutWriteSignals {
      let written = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      return (written, Errno.last)
    }
    if written < 0, [EPIPE, EBADF].contains(failure.code) {
      descriptor = nil
    } else if written < bytes.count {
      lose(written < 0 ? failure : Errno(ENOSPC))
    }
  }

  private func lose(_ reason: Errno) {
    report.take()?("Proscenium: PROSCENIUM_TRACE: cannot write: \(reason). Lines are missing in the trace.")
  }
}
