import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// A mode of an output that the program has chosen, and the one before its first choice.
struct ModeChoice: Hashable {
  var output: UInt32
  var mode: UInt32
  var before: UInt32

  /// The choices as a line of text.
  static func line(_ choices: [ModeChoice]) -> String {
    choices.map { "\($0.output) \($0.mode) \($0.before)" }.joined(separator: ";") + "\n"
  }

  /// The choices of the last whole line of a text; what is none is left out.
  static func last(in text: String) -> [ModeChoice] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Nothing follows the end of the last one, or the part of one that was not written to its end.
    guard let line = lines.dropLast().last else { return [] }
    return line.split(separator: ";").compactMap { part in
      let numbers = part.split(separator: " ").compactMap { UInt32($0) }
      return numbers.count == 3 ? ModeChoice(output: numbers[0], mode: numbers[1], before: numbers[2]) : nil
    }
  }
}

/// A second process of the program's own file, which puts screens' modes back when this one is killed.
///
/// The server does not do it, and a process that is killed cannot. It is started with the first choice, and reads all
/// of them from a pipe, whose end says that this process is no more. A process that ends by itself has put everything
/// back.
@MainActor package final class ModeKeeper {
  /// The argument that stands for it.
  package static let argument = "--keep-screen-modes"

  /// The end of the pipe that is written; nil before the first choice, and where there is no process.
  private var pipe: Descriptor?
  private var process: pid_t?
  private var kept: [ModeChoice] = []
  private var isReported = false

  /// Sets what is put back.
  func keep(_ choices: [ModeChoice]) {
    guard choices != kept else { return }
    kept = choices
    if write() { return }
    // There is none yet, or somebody has ended it.
    if let process { waitpid(process, nil, WNOHANG) }
    process = nil
    guard !choices.isEmpty else { return }
    start()
    _ = write()
  }

  private func write() -> Bool {
    guard process != nil else { return false }
    let bytes = Array(ModeChoice.line(kept).utf8)
    return StandardError.withoutWriteSignals { (try? pipe?.write(bytes)) != nil }
  }

  private func start() {
    do throws(Errno) {
      var ends: [Int32] = [-1, -1]
      guard linux_pipe(&ends, O_CLOEXEC) == 0 else { throw .last }
      let input = Descriptor(owning: ends[0])
      let output = Descriptor(owning: ends[1])
      process = try Self.spawn(input: input.number)
      pipe = consume output
    } catch {
      guard !exchange(&isReported, with: true) else { return }
      StandardError.write("Proscenium: The screen's mode stays if the program is killed: \(error).")
    }
  }

  /// Starts the program's own file, which may have been replaced or removed meanwhile.
  private static func spawn(input: Int32) throws(Errno) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    // Who reads the program's output waits for its end, and not for this process's.
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // What ends the first process in order lets it put everything back by itself.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigmask(&attributes, &signals)
    // In a session of its own it outlives what a terminal ends.
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | linux_spawn_new_session))
    // Who kills a program by its name does not mean this one.
    let words = ["proscenium", argument]
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let status = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, &arguments, environ)
    guard status == 0 else { throw Errno(status) }
    return child
  }

  // MARK: The second process

  /// Waits for the end of the process that has started this one, and puts back what that has left.
  /// - Returns: The exit status.
  package static func run() -> Int32 {
    BrokenPipe.tolerate()
    let left = ModeChoice.last(in: readToEnd())
    if !left.isEmpty { putBack(left) }
    return 0
  }

  /// The last lines that come, until the pipe's end.
  private static func readToEnd() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
      // Only the last whole line counts.
      if bytes.last == UInt8(ascii: "\n"), let line = bytes.split(separator: UInt8(ascii: "\n")).last {
        bytes = bytes.dropLast().last == UInt8(ascii: "\n") ? [UInt8(ascii: "\n")] : line + [UInt8(ascii: "\n")]
      }
    }
  }

  /// The server may not have performed the last request of the first process yet: 10 s, for one that is busy.
  private static let attempts = 100
  /// In microseconds.
  private static let pause: UInt32 = 100_000

  private static func putBack(_ choices: [ModeChoice]) {
    // Where the server has gone there is nothing to put back.
    guard let server = try? XServer(display: nil), (try? server.setUp(AtomName.atStart)) != nil else { return }
    let loop = EventLoop(hosting: .guest)
    let batch = Batch()
    let parts = X11Components(
      X11Context(
        loop: loop, server: server, windows: WindowTable(loop, server, batch), batch: batch,
        identity: ApplicationIdentity(id: "", instance: "")))
    // Each part refers to all of them, which nothing else holds here.
    withExtendedLifetime(parts) {
      let monitors = parts.monitors
      var left = choices
      monitors.followModes()
      for attempt in 0..<attempts where !left.isEmpty {
        if attempt > 0 {
          usleep(pause)
          monitors.refresh()
        }
        server.connection.awaitAll()
        guard !server.connection.isLost else { return }
        left.removeAll { monitors.modes.putBack($0) }
        server.connection.awaitAll()
      }
    }
  }
}
