import DeskSupport
import Glibc

/// A program that a test started and that ends with it.
final class QuietProcess {
  let pid: pid_t
  private var isReaped = false

  /// Starts a program found in `PATH`, in silence; nil where it is missing.
  init?(_ arguments: [String], environment extra: [String: String] = [:], keeping descriptor: Int32? = nil) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor) }
    // Tests run on threads that block signals, and children would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var variables: [String] = []
    for name: String in ["PATH", "HOME"] {
      if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
    }
    for (name, value) in extra { variables.append("\(name)=\(value)") }
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { (text: String) in strdup(text) } + [nil]
    var variablePointers: [UnsafeMutablePointer<CChar>?] = variables.map { (text: String) in strdup(text) } + [nil]
    defer { (argumentPointers + variablePointers).forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, arguments[0], &actions, &attributes, &argumentPointers, &variablePointers) == 0 else {
      return nil
    }
    self.pid = pid
  }

  deinit { end(SIGKILL) }

  func end(_ signal: Int32 = SIGTERM) {
    guard !isReaped else { return }
    kill(pid, signal)
    _ = wait()
  }

  /// The exit status.
  @discardableResult func wait() -> Int32 {
    guard !isReaped else { return -1 }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    return status >> 8 & 0xFF
  }
}

/// An X server of the test's own.
final class TestServer {
  let display: String
  let process: QuietProcess
  private var clients: [QuietProcess] = []
  private var folders: [TemporaryFolder] = []

  static var isMissing: Bool { !exists("Xvfb") }

  /// Whether a program is installed; where nothing may be skipped, all are taken to be.
  static func exists(_ program: String) -> Bool {
    if mustNotSkip { return true }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// nil where the server does not start within a minute.
  init?(_ options: [String] = []) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }
    let process = QuietProcess(
      ["Xvfb", "-displayfd", "\(ends[1])", "-screen", "0", "1152x900x24", "-nolisten", "tcp", "-noreset"] + options,
      keeping: ends[1])
    close(ends[1])
    guard let process else { return nil }
    self.process = process
    var text = ""
    var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    while !text.hasSuffix("\n") {
      var byte: UInt8 = 0
      guard poll(&descriptor, 1, 60_000) > 0, read(ends[0], &byte, 1) == 1 else { return nil }
      text.append(Character(Unicode.Scalar(byte)))
    }
    display = ":" + text.dropLast()
  }

  /// Starts a client that runs until it is ended.
  func launch(_ arguments: String...) -> QuietProcess? {
    let client = QuietProcess(arguments, environment: ["DISPLAY": display])
    client.map { clients.append($0) }
    return client
  }

  /// Starts openbox with a configuration that it can read: of one that it cannot it tells in a dialogue in the middle
  /// of the screen, over the windows under test.
  func launchOpenbox() throws -> QuietProcess? {
    let folder = try TemporaryFolder()
    folders.append(folder)
    let file = try folder.write(
      "rc.xml",
      """
      <openbox_config xmlns="http://openbox.org/3.4/rc"><resize><popupShow>Never</popupShow></resize></openbox_config>
      """)
    return launch("openbox", "--config-file", file)
  }

  /// Runs a client to its end.
  @discardableResult func run(_ arguments: String...) -> Int32 {
    QuietProcess(arguments, environment: ["DISPLAY": display])?.wait() ?? -1
  }
}
