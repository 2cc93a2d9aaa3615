import DeskSupport
import Glibc

/// The program that is gone through: it has one scene at first, a key that opens another, and one that quits.
struct Demo: Sendable {
  var path = ""
  /// What is held with the keys n and q.
  var modifiers: DeskModifiers = []

  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
}

/// One way of managing windows, gone through from the launch to the launch after the next.
struct Row: Sendable {
  /// What a column is about.
  enum Step: Hashable, Sendable {
    case open
    case act(DeskAction)
    case quit

    static let all: [Step] = [.open] + DeskAction.allCases.map { .act($0) } + [.quit]

    var title: String {
      switch self {
      case .open: "open two"
      case .act(let action): action.rawValue
      case .quit: "quit, launch again"
      }
    }
  }

  /// What has come of it.
  enum Outcome: Hashable, Sendable {
    case agrees
    /// It cannot be done, for a reason that was shown to hold.
    case differs(String)
    case failed(String)
  }

  let kind: WindowManager
  let version: String
  private(set) var outcomes: [Step: Outcome] = [:]
  private(set) var seconds = 0

  var agrees: Bool {
    Step.all.allSatisfy { step in
      switch outcomes[step] {
      case .agrees, .differs: true
      case .failed, nil: false
      }
    }
  }

  init(_ kind: WindowManager) {
    self.kind = kind
    version = kind.version
  }

  /// Does everything; after a failure the rest goes on with a new desktop.
  mutating func run(_ demo: Demo, limit: Duration) async {
    let start = ContinuousClock.now
    var round: Round?
    for step in Step.all {
      do {
        if ContinuousClock.now - start > limit { throw DeskFailure("no time is left after \(limit)") }
        if round == nil { round = try await Round(kind, demo) }
        outcomes[step] = try await round?.perform(step)
      } catch {
        outcomes[step] = .failed("\(error)")
        say("\(kind): \(step.title): FAIL")
        // What could not be opened cannot be opened a second time.
        if step == .open { break }
        round = nil
      }
    }
    seconds = Int((ContinuousClock.now - start) / .seconds(1))
  }
}

/// A desktop with the program on it, until something fails.
struct Round {
  private let desktop: PrivateDesktop
  private let program: Program
  private let demo: Demo

  init(_ kind: WindowManager, _ demo: Demo) async throws {
    desktop = try await PrivateDesktop(kind)
    self.demo = demo
    // As on every desktop on which a program of GTK or Qt has run: where nobody has named the atom, SDL 2 makes its
    // windows dialogs of the root, which dwm and ratpoison manage otherwise (SDL_x11window.c, SetWindowBordered).
    _ = desktop.desk.client.atom("_MOTIF_WM_HINTS")
    program = try desktop.start(demo.path, environment: guestEnvironment)
    try await desktop.settle(program, "a scene") { $0.count == 1 && $0[0].expectedState > .background }
    guard let first = try program.windows().first else { throw DeskFailure("no window\n\(program.evidence)") }
    try await desktop.focus(first, program)
    // The key that opens another.
    try desktop.desk.press("n", demo.modifiers)
    try await desktop.settle(program, "two scenes") {
      $0.count == 2 && $0.allSatisfy(\.exists) && $0[1].expectedState > .background
    }
  }

  func perform(_ step: Row.Step) async throws -> Row.Outcome {
    let outcome: Row.Outcome
    switch step {
    case .open: outcome = .agrees
    case .act(let action):
      guard let first = try program.windows().first else { throw DeskFailure("no window\n\(program.evidence)") }
      try await desktop.focus(first, program)
      let limit = desktop.desk.kind.limit(of: action)
      switch limit?.effect {
      case nil, .firstOnly, .unseen: try await desktop.act(action, program)
      case .nothing: try await desktop.askInVain(action, program)
      case .end: break
      }
      outcome = limit.map { .differs($0.reason) } ?? .agrees
    case .quit:
      try await quit()
      return .agrees
    }
    if let ending = program.ending { throw DeskFailure("the program ended: \(ending)\n\(program.evidence)") }
    return outcome
  }

  /// The quit key, and the next launch: what was open comes back, and nothing else.
  private func quit() async throws {
    let open = try program.trace.lines().scenes.filter { $0.state != "unattached" }
    guard let window = open.last?.window else { throw DeskFailure("no window\n\(program.evidence)") }
    try await desktop.focus(window, program)
    try desktop.desk.press("q", demo.modifiers)
    let ending = try await program.end()
    guard ending == .exited(0) else { throw DeskFailure("the quit key: \(ending)\n\(program.evidence)") }
    let violations = try program.trace.lines().violations
    guard violations.isEmpty else { throw DeskFailure("\(violations)\n\(program.evidence)") }
    let next = try desktop.start(demo.path, environment: guestEnvironment, home: program.home)
    let scenes = try await desktop.settle(next, "what was open") {
      $0.count == open.count && $0.contains { $0.expectedState > .background }
    }
    guard Set(scenes.map(\.identifier)) == Set(open.map(\.identifier)) else {
      throw DeskFailure("other scenes came back: \(scenes) instead of \(open)\n\(next.evidence)")
    }
  }
}

extension WindowManager {
  /// The versions of the Debian packages that make it up; the X server's where nothing is started.
  fileprivate var version: String {
    (packages.isEmpty ? ["xvfb"] : packages.filter { $0 != "dbus" && $0 != "xdotool" && !$0.hasPrefix("lib") })
      .map { "\($0) \(debianVersion(of: $0))" }.joined(separator: ", ")
  }
}

private func debianVersion(of package: String) -> String {
  guard let folder = try? TemporaryFolder(),
    let environment = try? privateEnvironment(home: folder, display: nil),
    let process = try? ChildProcess(
      ["dpkg-query", "-W", "-f", "${Version}", package], environment: environment, output: folder.file("out"),
      errors: folder.file("err"))
  else { return "" }
  while process.poll() == nil { usleep(2_000) }
  let version = text(of: process.outputPath)
  // Without Debian's epoch and revision.
  return version.split(separator: ":").last.flatMap { $0.split(separator: "-").first.map(String.init) } ?? ""
}

/// A line on the standard error.
func say(_ text: String) {
  let line = text + "\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
