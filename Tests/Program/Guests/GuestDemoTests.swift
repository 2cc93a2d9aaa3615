import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension SecondDesk {
  /// The demos with other toolkits, each with its adapter.
  @Suite("Guests", .enabled(if: Requirement.server))
  struct GuestDemoTests {
    /// GUEST_KILLS is how often a guest is killed at a random moment, too; TEST_SEED repeats the moments.
    private static let kills = getenv("GUEST_KILLS").flatMap { Int(String(cString: $0)) } ?? 0

    @Test("After kills both windows are where they were, with what was in them", arguments: Guest.killed)
    func killed(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let path = try await guest.build(in: builds)
      func start() throws -> Program {
        try desktop.start(path, ["--scenes", "2"], environment: guestEnvironment, home: home)
      }
      // Given two windows with contents of their own
      var program = try start()
      let (first, second) = try await windows(of: program)
      try await fill(first, "hello", guest, desktop, program)
      try await fill(second, "there", guest, desktop, program)
      // What has the focus may go on by itself, as a game does
      let other = desktop.desk.client.makeWindow(x: 900, y: 700, width: 40, height: 40) { _ in }
      try await desktop.desk.waitUntil("another window") { desktop.desk.truth(other).isViewable }
      desktop.desk.focus(other)
      try await program.waitForScene(0, toBe: .foregroundInactive)
      try await program.waitForScene(1, toBe: .foregroundInactive)
      desktop.desk.client.move(first, to: Place(123, 145, 400, 240))
      desktop.desk.client.move(second, to: Place(567, 389, 430, 250))
      // That are stored, each of a width that none is made with
      let identifiers = try program.trace.lines().scenes.map(\.identifier)
      var contents: [String: String] = [:]
      try await waitUntil("all to be saved", evidence: { program.evidence }) {
        let records = home.records(of: guest.rawValue)
        for (identifier, (window, width)) in zip(identifiers, [(first, 400), (second, 430)]) {
          let (title, record) = (desktop.desk.title(of: window) ?? "", records[identifier] ?? "")
          contents[identifier] = title
          guard guest.has(title, in: record), record.contains("\"width\":\(width)") else { return false }
        }
        return true
      }
      let places = [first, second].map { desktop.desk.place(of: $0) }
      // When the program is killed and started again, then they are back
      func kill() async throws {
        program.send(SIGKILL)
        #expect(try await program.end() == .signalled(SIGKILL), "\(program.evidence)")
      }
      func areBack() async throws -> [String: UInt32] {
        _ = try await windows(of: program)
        let scenes = try program.trace.lines().scenes
        let found = Dictionary(
          uniqueKeysWithValues: scenes.compactMap { scene in scene.window.map { (scene.identifier, $0) } })
        #expect(Set(found.keys) == Set(identifiers), "\(program.evidence)")
        for (identifier, place) in zip(identifiers, places) {
          let window = try #require(found[identifier], "\(program.evidence)")
          func now() -> (title: String, place: Place?) {
            (desktop.desk.title(of: window) ?? "", desktop.desk.place(of: window))
          }
          let content = contents[identifier] ?? ""
          try await waitUntil(
            "\(identifier) to be back", evidence: { "\(now()) for (\(content), \(place as Any))\n\(program.evidence)" }
          ) { guest.continues(content, in: now().title) && now().place == place }
        }
        return found
      }
      try await kill()
      program = try start()
      var found = try await areBack()
      // At any moment, too: of the launch, or after something that may have been stored
      var numbers = SeededNumbers(testSeed())
      for number in 0..<Self.kills {
        if number % 2 == 1, guest.isText, let window = found[identifiers[0]] {
          let old = contents[identifiers[0]] ?? ""
          try await focus(window, desktop, program)
          try desktop.desk.type("x")
          var new = old
          try await waitUntil("what is typed", evidence: { program.evidence }) {
            new = desktop.desk.title(of: window) ?? ""
            return new != old
          }
          usleep(UInt32.random(in: 0...1_500_000, using: &numbers))
          try await kill()
          if guest.has(new, in: home.records(of: guest.rawValue)[identifiers[0]] ?? "") {
            contents[identifiers[0]] = new
          }
        } else {
          try await kill()
          program = try start()
          usleep(UInt32.random(in: 0...1_000_000, using: &numbers))
          try await kill()
        }
        program = try start()
        found = try await areBack()
      }
      // And one that is closed goes, and leaves the other
      let closed = try #require(try program.trace.lines().scenes.first?.window)
      desktop.desk.close(closed)
      try await program.waitForScene(0, toBe: .unattached)
      try await waitUntil("its end", evidence: { program.evidence }) { !desktop.desk.truth(closed).exists }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      #expect(!program.errors.contains("is ended"), "the watchdog ended it: \(program.errors)")
    }

    @Test(
      "A minimised window comes back minimised, with its title, and then with its contents", arguments: Guest.allCases)
    func killedMinimized(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let (path, client) = (try await guest.build(in: builds), desktop.desk.client)
      var program = try desktop.start(path, environment: guestEnvironment, home: home)
      let window = try await program.wait(for: "a scene to be seen") { lines in
        lines.scenes.first { $0.state.hasPrefix("foreground") }?.window
      }
      try await fill(window, "hello", guest, desktop, program)
      desktop.desk.iconify(window)
      try await program.waitForScene(0, toBe: .background)
      let title = desktop.desk.title(of: window) ?? ""
      try await waitUntil("all to be saved", evidence: { "\(home.records(of: guest.rawValue))" }) {
        let record = home.records(of: guest.rawValue).values.first ?? ""
        return guest.has(title, in: record) && record.contains("\"isMinimized\":true")
      }
      program.send(SIGKILL)
      _ = try await program.end()
      try await waitUntil("the window to be forgotten") {
        (client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW") ?? []).isEmpty
      }
      program = try desktop.start(path, environment: guestEnvironment, home: home)
      // Its own window is not there yet: what stands for it says what it is
      let icon = try await waitFor("the icon", evidence: { program.evidence }) {
        client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW")?.first
      }
      #expect(desktop.desk.title(of: icon) == title, "\(program.evidence)")
      let back = try await waitFor("the scene to be seen", evidence: { program.evidence }) {
        // One that is restored while the program still waits for it to be an icon is made one once more.
        if client.longs(icon, "WM_STATE", type: "WM_STATE")?.first == 3 { desktop.desk.restore(icon) }
        return try program.trace.lines().scenes.first { $0.state.hasPrefix("foreground") }?.window
      }
      try await waitUntil("its content", evidence: { program.evidence }) {
        guest.continues(title, in: desktop.desk.title(of: back) ?? "")
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test(
      "A window of another workspace comes back there after a kill, wherever the user is",
      arguments: [Guest.editor, .clock])
    func killedOnWorkspace(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let (path, desk) = (try await guest.build(in: try TemporaryFolder()), desktop.desk)
      func workspace(_ window: UInt32) -> UInt32? {
        desk.client.longs(window, "_NET_WM_DESKTOP", type: "CARDINAL")?.first
      }
      func start() async throws -> (Program, UInt32) {
        let program = try desktop.start(path, environment: guestEnvironment, home: home)
        return (program, try await program.wait(for: "a window of a scene") { $0.scenes.first?.window })
      }
      // Seen where it is, so that it connects at the next launch
      var (program, window) = try await start()
      try await program.waitForScene(0, toBe: .foregroundActive)
      try await desk.sendToDesktop(window, 1)
      try await desk.switchDesktop(1)
      try await waitUntil("it to be saved", evidence: { "\(home.records(of: guest.rawValue)) \(program.evidence)" }) {
        let record = home.records(of: guest.rawValue).values.first ?? ""
        return record.contains("\"desktop\":1") && record.contains(" shown ")
      }
      program.send(SIGKILL)
      _ = try await program.end()
      try await desk.switchDesktop(0)
      try await waitUntil("the other workspace") {
        desk.client.longs(desk.client.root, "_NET_CURRENT_DESKTOP", type: "CARDINAL")?.first == 0
      }
      (program, window) = try await start()
      try await waitUntil("it to be back", evidence: { "\(workspace(window) ?? 9) \(program.evidence)" }) {
        workspace(window) == 1
      }
      try await program.waitForScene(0, toBe: .background)
      try await desk.switchDesktop(1)
      _ = try await program.wait(for: "the scene to be seen") { $0.scenes.first { $0.state.hasPrefix("foreground") } }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test(
      "A log-out keeps what is open: the session manager has one client of the program",
      arguments: [Guest.editor, .notes])
    func loggedOut(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"), ["--all"])
      let path = try await guest.build(in: builds)
      let environment = guestEnvironment.merging(["SESSION_MANAGER": manager.address]) { $1 }
      let program = try desktop.start(path, ["--scenes", "2"], environment: environment, home: home)
      _ = try await windows(of: program)
      try await manager.wait(for: "properties", evidence: { program.evidence })
      try await waitUntil("both records", evidence: { program.evidence }) {
        home.records(of: guest.rawValue).count == 2
      }
      #expect(manager.lines.count { $0.hasPrefix("registered ") } == 1, "\(manager.lines)")
      manager.tell("save 2 1 0 0")
      try await manager.wait(for: "save-done 1", evidence: { program.evidence })
      manager.tell("die")
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      #expect(home.records(of: guest.rawValue).count == 2, "\(program.evidence)")
    }

    @Test(
      "A text is saved to the file that was chosen, after a kill, too, with its line ends; no other text is opened",
      arguments: [Guest.editor, .notes])
    func files(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let path = try await guest.build(in: builds)
      var program = try desktop.start(path, ["--scenes", "2"], environment: guestEnvironment, home: home)
      let (first, second) = try await windows(of: program)
      try await fill(first, "hello", guest, desktop, program)
      try await choose("saved.txt", home, by: "s", of: 0, desktop, program)
      try await waitUntil("the file", evidence: { program.evidence }) { home.read("saved.txt") == "hello" }
      try home.write("returns.txt", "one\r\ntwo\r\n")
      try await focus(second, desktop, program)
      try await choose("returns.txt", home, by: "o", of: 1, desktop, program)
      try await waitUntil("their names to be kept", evidence: { program.evidence }) {
        let records = home.records(of: guest.rawValue).values
        return ["saved.txt", "returns.txt"].allSatisfy { name in records.contains { guest.has(name, in: $0) } }
      }
      program.send(SIGKILL)
      _ = try await program.end()
      program = try desktop.start(path, environment: guestEnvironment, home: home)
      let back = try await windows(of: program)
      func title(_ window: UInt32) -> String { desktop.desk.title(of: window) ?? "" }
      try await waitUntil("the text", evidence: { program.evidence }) {
        [back.0, back.1].contains { title($0) == "hello" }
      }
      let isFirst = title(back.0) == "hello"
      let (saved, other) = isFirst ? back : (back.1, back.0)
      try await focus(saved, desktop, program)
      try desktop.desk.type(" again")
      try await waitUntil("what is typed", evidence: { program.evidence }) { title(saved) == "hello again" }
      try desktop.desk.press("s", .control)
      try await waitUntil("the file", evidence: { program.evidence }) { home.read("saved.txt") == "hello again" }
      try await focus(other, desktop, program)
      try desktop.desk.type("three\nx")
      try await waitUntil("the line ends", evidence: { "\(home.read("returns.txt").debugDescription)" }) {
        try desktop.desk.press("s", .control)
        return home.read("returns.txt") == "one\r\ntwo\r\nthree\r\nx"
      }
      try Data([0xFF, 0xD8]).write(to: URL(filePath: home.file("picture")))
      try home.write("long.txt", String(repeating: "line\n", count: 1_677_722))
      try home.write("mixed.txt", "a\r\nb\n")
      try #require(mkfifo(home.file("pipe"), 0o600) == 0)
      // One that was there before has the focus for a moment once the dialog has gone.
      var refusals: Set<UInt32> = []
      for (name, reason) in [
        ("picture", "not a text"), ("long.txt", "longer than 8 MB"), ("pipe", "not a regular file"),
        ("mixed.txt", "several ways"),
      ]
      where name != "mixed.txt" || guest == .notes {
        try await choose(name, home, by: "o", of: isFirst ? 1 : 0, desktop, program)
        try await waitUntil("the refusal, which takes the focus", evidence: { program.evidence }) {
          let active = desktop.desk.client.longs(desktop.desk.client.root, "_NET_ACTIVE_WINDOW", type: "WINDOW")?.first
          guard program.errors.contains(reason), let active, title(active) == "Error" else { return false }
          return refusals.insert(active).inserted
        }
        #expect(title(other) == "one")
        try await focus(other, desktop, program)
      }
      // A byte order mark and a no-break space stay.
      let marked = "\u{FEFF}a\u{A0}b"
      try home.write("marked.txt", marked)
      try await choose("marked.txt", home, by: "o", of: isFirst ? 1 : 0, desktop, program)
      try await waitUntil("the text", evidence: { program.evidence }) { title(other).contains("b") }
      try await focus(other, desktop, program)
      try desktop.desk.type("c")
      try await waitUntil("what is typed", evidence: { program.evidence }) { title(other).contains("bc") }
      try desktop.desk.press("s", .control)
      try await waitUntil("the file", evidence: { "\(home.read("marked.txt").debugDescription) \(program.evidence)" }) {
        home.read("marked.txt").unicodeScalars.elementsEqual((marked + "c").unicodeScalars)
      }
      if guest == .editor {
        try home.write("twice.txt", "one\r\r\n")
        try await choose("twice.txt", home, by: "o", of: isFirst ? 1 : 0, desktop, program)
        try await waitUntil("the text", evidence: { program.evidence }) { title(other) == "one" }
        try await focus(other, desktop, program)
        try desktop.desk.type("x")
        try await waitUntil("the line ends", evidence: { "\(home.read("twice.txt").debugDescription)" }) {
          try desktop.desk.press("s", .control)
          return home.read("twice.txt") == "one\r\r\nx"
        }
      }
      try await choose("saved.txt", home, by: "o", of: isFirst ? 1 : 0, desktop, program)
      try await waitUntil("the text", evidence: { program.evidence }) { title(other) == "hello again" }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    /// Types a path into the toolkit's dialog, which a key of the scene with the focus brings.
    ///
    /// Nothing completes a path with a dot: the list of completions would take the Return, where it is there in time.
    private func choose(
      _ name: String, _ home: TemporaryFolder, by key: Character, of scene: Int, _ desktop: PrivateDesktop,
      _ program: Program
    ) async throws {
      try desktop.desk.press(DeskKey(key), .control)
      try await program.waitForScene(scene, toBe: .foregroundInactive)
      try desktop.desk.type("\(home.path)/./\(name)\n")
    }

    private func focus(_ window: UInt32, _ desktop: PrivateDesktop, _ program: Program) async throws {
      try await desktop.settle(program) { truths in
        // Once more where a dialog has asked for the focus meanwhile: GTK does so a moment after its window is seen.
        let hasFocus = truths.contains { $0.window == window && $0.hasFocus }
        if !hasFocus { desktop.desk.focus(window) }
        return hasFocus
      }
    }

    /// The windows of the program's two scenes, once both are seen.
    private func windows(of program: Program) async throws -> (UInt32, UInt32) {
      try await program.wait(for: "two scenes to be seen") { lines in
        let seen = lines.scenes.filter { $0.state.hasPrefix("foreground") }.compactMap(\.window)
        return seen.count == 2 ? (seen[0], seen[1]) : nil
      }
    }

    /// Gives a window some content, which its title shows.
    private func fill(
      _ window: UInt32, _ text: String, _ guest: Guest, _ desktop: PrivateDesktop, _ program: Program
    ) async throws {
      try await focus(window, desktop, program)
      switch guest {
      case .game: break
      case .clock: try desktop.desk.type(" ")
      default: try desktop.desk.type(text)
      }
      try await waitUntil("its content", evidence: { program.evidence }) {
        let title = desktop.desk.title(of: window) ?? ""
        return switch guest {
        case .game: Guest.numbers(title).reduce(0, +) > 0
        case .clock: Guest.numbers(title) == [1]
        default: title == text
        }
      }
    }
  }
}

/// A demo with another toolkit, whose windows' titles say what is in them.
enum Guest: String, CaseIterable, CustomTestStringConvertible {
  case editor = "GTK4Editor"
  case notes = "Qt6Notes"
  case game = "SDLGame"
  case clock = "GLFWClock"
  case python = "PythonNotes"

  /// Those that are killed: GUEST is the only one.
  static let killed = getenv("GUEST").flatMap { Guest(rawValue: String(cString: $0)) }.map { [$0] } ?? allCases

  var testDescription: String { rawValue }
  var isText: Bool { self == .editor || self == .notes || self == .python }

  /// Builds the program, as `Demos/run` does, with a library that is linked from the objects of the tests' own build.
  /// - Returns: The program's path.
  func build(in folder: TemporaryFolder) async throws -> String {
    if self == .clock {
      try Requirement.library("libglfw.so.3")
      return Program.besideTests(rawValue)
    }
    let (build, programs) = (Self.repository + "/Demos/Guests/build", Program.besideTests("guests/programs"))
    if !mustNotSkip, try await Self.run([build, "--check", rawValue], in: folder) != .exited(0) {
      try Test.cancel("\(folder.read("errors"))")
    }
    let prefix = try await Self.install(in: folder)
    return try await Builds.shared.once(rawValue) {
      let ending = try await Self.run([build, rawValue, prefix, programs], in: folder)
      try #require(ending == .exited(0), "\(rawValue): \(folder.read("output"))\(folder.read("errors"))")
      return "\(programs)/\(rawValue)"
    }
  }

  static let repository = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

  /// Installs the library, its header and the module for Python.
  /// - Returns: Where.
  static func install(in folder: TemporaryFolder) async throws -> String {
    try await Builds.shared.once("prefix") {
      let prefix = Program.besideTests("guests/prefix")
      try await install(at: prefix, in: folder)
      return prefix
    }
  }

  /// Installs them.
  /// - Returns: What the user is told.
  @discardableResult static func install(at prefix: String, in folder: TemporaryFolder) async throws -> String {
    let objects = Program.besideTests("ProsceniumC.product/Objects.LinkFileList")
    let ending = try await run([repository + "/Bindings/install", "--objects", objects, prefix], in: folder)
    try #require(ending == .exited(0), "\(folder.read("output"))\(folder.read("errors"))")
    return folder.read("errors")
  }

  static func run(_ command: [String], in folder: TemporaryFolder) async throws -> ChildProcess.Ending {
    try await ChildProcess(
      command,
      environment: try privateEnvironment(home: folder, display: nil).merging(["CFLAGS": "-O0"]) { $1 },
      output: folder.file("output"), errors: folder.file("errors")
    ).wait(limit: .seconds(900))
  }

  /// Whether a session's record has what a title says.
  func has(_ title: String, in record: String) -> Bool {
    if self == .clock { return record.contains("\"hours\":\(Guest.numbers(title).first ?? -1)") }
    // The bytes of `psc_session_set_state()`, in base 64.
    let encoded = record.split(separator: "\"$data\":\"").dropFirst().first?.prefix { $0 != "\"" }
    guard let encoded, let data = Data(base64Encoded: String(encoded)) else { return false }
    let state = String(decoding: data, as: UTF8.self)
    if self == .game { return Guest.numbers(state).prefix(2) == Guest.numbers(title)[...] }
    return state.contains(title)
  }

  /// Whether a window has what it had, or, a game, has gone on from there.
  func continues(_ old: String, in new: String) -> Bool {
    guard self == .game else { return new == old }
    let (before, now) = (Guest.numbers(old), Guest.numbers(new))
    return now.count == 2 && zip(before, now).allSatisfy { $0 <= $1 }
  }

  /// The numbers in a text, such as "2 hits, 1 misses".
  static func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.compactMap { Int($0) } }
}
