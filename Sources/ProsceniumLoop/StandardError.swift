import Glibc

/// Standard error, for messages to the person who started the program.
package enum StandardError {
  /// Whether nothing is written: in tests in which thousands of programs fail on purpose.
  @TaskLocal package static var isSilent = false

  /// Writes a line, as far as its reader accepts it at once; errors are ignored.
  package static func write(_ message: String) { write(message, patience: 0) }

  /// Writes a line, or several, as far as their reader accepts them.
  ///
  /// A reader that has stopped, such as a pager or a terminal after Ctrl-S, must not stop the program as well.
  /// - Parameters:
  ///   - message: The text, without the line feed at its end.
  ///   - patience: How long the reader is waited for each time, in milliseconds.
  package static func write(_ message: String, patience: Int32) {
    guard !isSilent else { return }
    let lineFeed = UInt8(ascii: "\n")
    var rest = (Array(message.utf8) + [lineFeed])[...]
    while !rest.isEmpty {
      var entry = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
      guard poll(&entry, 1, patience) == 1, entry.revents & Int16(POLLOUT) != 0 else { return }
      // A writable pipe accepts 4096 bytes (pipe(7)); in whole lines.
      let most = rest.prefix(4096)
      let end = most.lastIndex(of: lineFeed).map { $0 + 1 } ?? most.endIndex
      let (count, failure) = withoutWriteSignals {
        (rest[..<end].withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }, Errno.last)
      }
      guard count > 0 || failure.code == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Calls a function that may write to a pipe without a reader, or beyond the limit of a file's size, and drops the
  /// SIGPIPE or SIGXFSZ that this thread gets for it.
  ///
  /// The process's own dispositions belong to the program, and are not changed.
  package static func withoutWriteSignals<T>(_ body: () -> T) -> T {
    var signals = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, &blocked)
    // What the program holds back and has got before stays.
    if sigismember(&blocked, SIGPIPE) == 1 || sigismember(&blocked, SIGXFSZ) == 1 {
      var pending = sigset_t()
      sigpending(&pending)
      for signal in [SIGPIPE, SIGXFSZ] where sigismember(&pending, signal) == 1 { sigdelset(&signals, signal) }
    }
    errno = 0
    let result = body()
    // The errors that the signals come with: most writes have none, and take no further call.
    if [EPIPE, EFBIG].contains(errno) {
      var none = timespec()
      while sigtimedwait(&signals, nil, &none) != -1 || errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
    return result
  }
}

/// Keeps SIGPIPE from ending the program.
package enum BrokenPipe {
  /// Makes a write to a broken pipe an error: libxcb writes with writev(2), which raises SIGPIPE when the server is
  /// gone.
  ///
  /// It installs a handler that does nothing instead of SIG_IGN, because exec resets handlers, while children inherit
  /// ignored signals. A disposition that the program has set stays.
  package static func tolerate() {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
    action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART))
    _ = sigaction(SIGPIPE, &action, nil)
  }
}

/// The program's file name, as it was started.
package enum ProgramName {
  /// The last part of the first argument; `program` where there is none.
  package static var own: String { CommandLine.arguments.first.flatMap(last) ?? "program" }

  /// The last part of a path; nil where it has none.
  ///
  /// By bytes: to find where each character ends costs 30,000 instructions at each of the five calls of a launch
  /// (Tests/Benchmarks/instructions).
  package static func last(of path: String) -> String? {
    let bytes = path.utf8
    let slash = UInt8(ascii: "/")
    guard let end = bytes.lastIndex(where: { $0 != slash }) else { return nil }
    let part = bytes[...end]
    return String(Substring(part[(part.lastIndex(of: slash).map(part.index(after:)) ?? part.startIndex)...]))
  }

  /// The absolute path that the executable had when it was asked for first, which is at the launch.
  ///
  /// An update may replace its file while it runs: the path is that of the new one then.
  package static let path: Result<[UInt8], Errno> = {
    // The kernel's text is resolved: realpath(3) would ask once more for each of its parts, a dozen calls of a launch.
    // That of a file which has been removed has a note at its end, and leads nowhere.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { bytes in
      guard let start = bytes.baseAddress else { return .failure(Errno(ENOMEM)) }
      let count = readlink("/proc/self/exe", start, Int(PATH_MAX))
      guard count > 0 else { return .failure(.last) }
      start[count] = 0
      guard access(start, F_OK) == 0 else { return .failure(.last) }
      return .success(bytes[..<count].map { UInt8(bitPattern: $0) })
    }
  }()

  /// The folder of the executable; nil where it is not known, or its path is not UTF-8.
  package static var folder: String? {
    guard let path = try? path.get(), let end = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(validating: path[..<end], as: UTF8.self)
  }
}
