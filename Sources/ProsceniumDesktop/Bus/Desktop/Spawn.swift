import Glibc

/// Starts other programs, without a shell.
enum Spawn {
  /// `POSIX_SPAWN_SETSID` (spawn.h): what is opened does not end with the terminal that this program was started from.
  private static let newSession: Int16 = 0x80

  /// Starts a program, found along `PATH`, that inherits nothing but the standard files.
  ///
  /// - Parameters:
  ///   - arguments: Its name, and what it is told.
  ///   - environment: What is added to this program's own.
  /// - Returns: The process; nil where that cannot be done.
  static func start(_ arguments: [String], environment: [String: String]) -> pid_t? {
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals as any program expects them, whatever this one does with its own.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | newSession)
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      let text = String(cString: variable)
      if !environment.keys.contains(where: { text.hasPrefix($0 + "=") }) { variables.append(text) }
      next += 1
    }
    variables += environment.map { "\($0.key)=\($0.value)" }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = variables.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    return posix_spawnp(&child, arguments[0], nil, &attributes, &argv, &envp) == 0 ? child : nil
  }
}
