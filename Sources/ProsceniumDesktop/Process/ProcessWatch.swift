import CSystem
import Glibc
import ProsceniumLoop

/// Waits for the end of a process (pidfd_open(2)).
@MainActor final class ProcessWatch {
  private let descriptor: Descriptor
  private var registration: LoopRegistration?

  /// Begins to wait.
  /// - Parameters:
  ///   - process: The process's number.
  ///   - host: The loop.
  ///   - onEnd: Called once.
  /// - Throws: The error of pidfd_open(2): `ESRCH` if there is no such process, `ENOSYS` on a kernel without it.
  init(_ process: pid_t, host: any LoopHost, onEnd: @escaping @MainActor () -> Void) throws(Errno) {
    descriptor = try Descriptor(checking: linux_process_descriptor(process))
    registration = LoopRegistration(descriptor.number, host: host) { [weak self] _ in
      self?.registration = nil
      onEnd()
    }
  }
}

/// Starts other programs, without a shell.
enum Spawn {
  /// Starts a program, found along `PATH`, that inherits no descriptors but the standard files.
  /// - Parameters:
  ///   - arguments: The program's name and its arguments.
  ///   - environment: The variables that are added to this program's own.
  /// - Returns: The process; nil where it cannot be started.
  static func start(_ arguments: [String], environment: [String: String]) -> pid_t? {
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    // The signals' defaults, whatever this program does with its own.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // In a session of its own it does not end with the terminal that this program was started from.
    let flags = Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | linux_spawn_new_session
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") }
    var next = environ
    while let variable = next.pointee {
      // Byte by byte: a path need not be UTF-8.
      let isGiven = environment.keys.contains { strncmp(variable, $0 + "=", $0.utf8.count + 1) == 0 }
      if !isGiven { envp.append(strdup(variable)) }
      next += 1
    }
    envp.append(nil)
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    return posix_spawnp(&child, arguments[0], nil, &attributes, &argv, &envp) == 0 ? child : nil
  }
}
