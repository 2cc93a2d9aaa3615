package import Glibc
import Synchronization

/// A program that this process started, in a process group of its own; it ends with this object at the latest.
package final class ChildProcess: Sendable {
  package typealias Ending = Program.Ending

  package let pid: pid_t
  package let outputPath: String
  package let errorPath: String
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program, found along `PATH`, with exactly this environment and no standard input.
  package init(_ arguments: [String], environment: [String: String], output: String, errors: String) throws {
    outputPath = output
    errorPath = errors
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)

    // Signals at their defaults and none blocked, independent of the test runner's.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    sigdelset(&signals, SIGKILL)
    sigdelset(&signals, SIGSTOP)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawnp(&child, arguments[0], &actions, &attributes, &argv, &envp)
    guard result == 0 else {
      throw DeskFailure("cannot start \(arguments.joined(separator: " ")): \(String(cString: strerror(result)))")
    }
    pid = child
  }

  deinit {
    send(SIGKILL, toGroup: true)
    _ = reap(WEXITED)
  }

  /// How it ended, or nil while it runs.
  package func poll() -> Ending? { reap(WEXITED | WNOHANG) }

  /// Sends a signal to the program, or to all that it started as well.
  package func send(_ signal: Int32, toGroup: Bool = false) {
    ending.withLock { ending in
      // A group outlives its leader: the pid of the group is ours until the last of it has gone.
      if toGroup { kill(-pid, signal) } else if ending == nil { kill(pid, signal) }
    }
  }

  /// Waits for its end.
  package func wait(limit: Duration = .seconds(60)) async throws -> Ending {
    try await waitFor("the end of process \(pid)", limit: limit) { poll() }
  }

  private func reap(_ options: Int32) -> Ending? {
    ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      guard waitpid(pid, &status, options & WNOHANG) == pid else { return nil }
      let signal = status & 0x7f
      ending = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
      return ending
    }
  }
}

/// Whether a program is found along `PATH`.
package func isInstalled(_ program: String) -> Bool {
  guard let path = getenv("PATH") else { return false }
  return String(cString: path).split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}

/// Whether missing programs are failures rather than reasons to skip.
package var mustNotSkip: Bool { getenv("PROSCENIUM_TESTS_NO_SKIP").map { String(cString: $0) } == "1" }

/// The environment of all programs of tests: nothing of the person's own desktop or home.
package func privateEnvironment(home: TemporaryFolder, display: String?) throws -> [String: String] {
  var environment = [
    "HOME": home.path, "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": try home.folder("runtime"),
    "XDG_STATE_HOME": home.file("state"), "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    // Other activity of the machine must not affect the program.
    "MEMORY_PRESSURE_WATCH": "/dev/null", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.file("runtime"))/system",
  ]
  for name in ["PATH", "LD_LIBRARY_PATH"] {
    if let value = getenv(name) { environment[name] = String(cString: value) }
  }
  environment["DISPLAY"] = display
  return environment
}
