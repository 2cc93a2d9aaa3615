import DeskSupport
import Glibc
import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import ScenarioKit
import SuiteSupport

/// A scenario's program on a real server, and a person who does what the scenario says.
struct DeskScenario {
  let desktop: PrivateDesktop
  let program: Program
  private let commands: Int32
  private let folder: TemporaryFolder

  /// Starts the program, on a desktop of its own or on a given one; a `home` that is used again has its sessions.
  ///
  /// `under` is a command that starts it, strace(1) for instance.
  init(
    _ kind: WindowManager, arguments: [String], environment: [String: String] = [:],
    on present: PrivateDesktop? = nil, home: TemporaryFolder? = nil, under: [String] = []
  ) async throws {
    if let present { desktop = present } else { desktop = try await PrivateDesktop(kind) }
    folder = try TemporaryFolder()
    let pipe = folder.file("commands")
    guard mkfifo(pipe, 0o600) == 0 else { throw DeskFailure("no pipe for commands") }
    commands = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let command = under + [Self.path] + arguments + ["--commands=\(pipe)"]
    program = try desktop.start(command[0], Array(command.dropFirst()), environment: environment, home: home)
  }

  func close() { Glibc.close(commands) }

  static var path: String { Program.besideTests("ScenarioProgram") }

  /// The life-cycle lines so far, in the form of the golden traces.
  func lines() throws -> [String] {
    var golden = GoldenTrace()
    return try program.trace.lines().compactMap { line in
      guard case .line(let decoded)? = TraceDecoder.decode(line.text).first else { return nil }
      return decoded.record.flatMap { golden.line($0) }
    }
  }

  /// Does one step.
  func perform(_ action: String) async throws {
    let words = action.split(separator: " ").map(String.init)
    guard words.first != "launch" else { return }
    guard words.first == "user" else { return try await command(action) }
    let number = words.count > 2 ? Int(words[2]) ?? 0 : 0
    let desk = desktop.desk
    switch words[1] {
    case "focus" where words[2] == "none":
      let other = desk.client.makeWindow(x: 600, y: 500, width: 100, height: 80) { _ in }
      try await waitUntil("another program's window") { desk.client.truth(other).isViewable }
      desk.focus(other)
    case "focus" where words[2] == "panel": desk.focus(try await panel())
    case "focus": desk.focus(try window(number))
    case "minimize":
      try await sendWhatIsAsked()
      desk.iconify(try window(number))
    case "restore": desk.restore(try window(number))
    case "close":
      let asked = try closeRequests()
      desk.close(try window(number))
      try await program.wait(for: "the question whether to close") { _ in try closeRequests() > asked ? true : nil }
    // On a busy machine any wait may become a long one.
    case "grab" where number < 1000: try await desk.grabKeyboardForAnInstant()
    case "grab":
      try await desk.grabKeyboard()
      try await Task.sleep(for: .milliseconds(number))
      desk.ungrabKeyboard()
    default: throw DeskFailure("unknown step: \(action)")
    }
  }

  /// Sends the program a command, and waits for nothing.
  func send(_ command: String) { _ = (command + "\n").withCString { write(commands, $0, strlen($0)) } }

  /// Sends the program a command, and waits for its answer.
  private func command(_ command: String) async throws {
    let done = answers
    send(command)
    try await program.wait(for: "\(command) to be done") { _ in answers > done ? true : nil }
  }

  /// Waits until the window manager has been sent what the program asks of it.
  ///
  /// A request for the focus leaves a round trip after the callback for which it is made: what the user did in between
  /// would come first.
  private func sendWhatIsAsked() async throws {
    for _ in 0..<3 {
      try await command("nothing")
      desktop.desk.client.sync()
    }
  }

  private func window(_ scene: Int) throws -> UInt32 {
    let scenes = try program.trace.lines().scenes
    guard scenes.indices.contains(scene - 1), let window = scenes[scene - 1].window else {
      throw DeskFailure("scene \(scene) has no window\n\(program.evidence)")
    }
    return window
  }

  /// How many commands the program has performed.
  private var answers: Int { program.output.split(separator: "\n").filter { $0.hasPrefix("ok ") }.count }

  private func closeRequests() throws -> Int {
    try program.trace.lines().filter { $0.kind == "request" && $0.name == "sceneShouldClose" }.count
  }

  /// The newest window that is not its scene's primary one.
  private func panel() async throws -> UInt32 {
    try await program.wait(for: "a panel") { lines in
      let primaries = Set(lines.filter { $0.kind == "edge" }.compactMap(\.windowNumber))
      return lines.compactMap(\.windowNumber).last { !primaries.contains($0) }
    }
  }
}
