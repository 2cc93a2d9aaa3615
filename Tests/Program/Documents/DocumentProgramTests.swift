import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Real processes of Notes, whose documents other programs write, and which are killed as they write them.
  @Suite(
    "Documents of a program", .enabled(if: Requirement.program("Notes") && (mustNotSkip || isInstalled("xdotool"))))
  struct DocumentProgramTests {
    private let home: TemporaryFolder
    private let desktop: PrivateDesktop

    init() async throws {
      try Requirement.windowManager(.openbox)
      home = try TemporaryFolder()
      desktop = try await PrivateDesktop(.openbox)
    }

    private func settle(_ program: Program, windows: Int = 1) async throws {
      try await desktop.settle(program, quiet: .milliseconds(200), "\(windows) notes") { truths in
        truths.count == windows && truths.contains { $0.expectedState == .foregroundActive }
      }
    }

    private func start(_ arguments: [String]) async throws -> Program {
      let program = try desktop.start(Program.besideTests("Notes"), arguments, home: home)
      try await settle(program)
      try await program.opens(documents: 1)
      return program
    }

    private func hand(_ arguments: String...) async throws {
      let folder = try TemporaryFolder()
      let process = try ChildProcess(
        ["xdotool"] + arguments, environment: try privateEnvironment(home: folder, display: desktop.server.display),
        output: folder.file("out"), errors: folder.file("err"))
      let ending = try await process.wait()
      guard ending == .exited(0) else { throw DeskFailure("\(arguments): \(text(of: folder.file("err")))") }
    }

    @Test("What is typed is in the file a moment later, and survives a kill with the list of recent files")
    func typed() async throws {
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document])
      try await hand("type", "honey ")
      try await waitUntil("the document", evidence: { program.evidence }) { text(of: document) == "honey milk\n" }
      try await waitUntil("the list of recent files", evidence: { program.evidence }) {
        text(of: home.file(".local/share/recently-used.xbel")).contains("list.txt")
      }
      program.send(SIGKILL)
      _ = try await program.end()
      let next = try await start([])
      try await hand("type", "bread ")
      try await waitUntil("the document", evidence: { next.evidence }) { text(of: document) == "honey bread milk\n" }
      // Undone with the keys of the text, saved again
      try await hand("key", "ctrl+z")
      try await waitUntil("the document", evidence: { next.evidence }) { text(of: document) == "honey milk\n" }
    }

    @Test("A file that another program changes is shown at once; one with unsaved changes asks which version stays")
    func changed() async throws {
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document])
      _ = try home.write("list.txt", "bread\n")
      try await waitUntil("the new text", evidence: { program.evidence }) {
        try program.documentEvents().contains("reread")
      }
      // Its next letter stands in that text
      try await hand("type", "x")
      try await waitUntil("the document", evidence: { program.evidence }) { text(of: document) == "xbread\n" }
      // A letter that is not saved yet, and another program that is quicker; now and then it is not.
      for attempt in 1...30 {
        let before = try program.documentEvents().count
        try await hand("type", "y")
        _ = try home.write("list.txt", "theirs \(attempt)\n")
        try await waitUntil("something to come of it", evidence: { program.evidence }) {
          try program.documentEvents().dropFirst(before).contains { ["reread", "kept"].contains($0) }
        }
        if try program.documentEvents().contains("conflict") { break }
      }
      #expect(try program.documentEvents().contains("conflict"), "\(program.evidence)")
      let client = desktop.desk.client
      try await waitUntil("the question", evidence: { program.evidence }) {
        // An alert, which is called by the name of the program.
        client.text(client.inputFocus, "_NET_WM_NAME", type: "UTF8_STRING") == "Notes"
      }
      #expect(text(of: document).hasPrefix("theirs"))
      // The last button, Keep Mine, is the one of the Return key
      try await hand("key", "Return")
      try await waitUntil("the own version", evidence: { program.evidence }) { text(of: document).contains("y") }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A note whose file cannot be written says so below its text, until it is saved")
    func cannotBeSaved() async throws {
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document])
      let window = try #require(try program.windows().first)
      /// The row below the text.
      func row() -> [UInt32]? {
        let client = desktop.desk.client
        guard let place = client.place(of: window), place.height > 20 else { return nil }
        return client.pixels(of: window, x: 0, y: place.height - 20, width: place.width / 2, height: 16)
      }
      // With its words in it
      try await waitUntil("the row", evidence: { program.evidence }) { Set(row() ?? []).count > 1 }
      let before = row()
      // Not even root writes over a folder.
      rename(document, home.file("aside.txt"))
      mkdir(document, 0o700)
      try await hand("type", "x")
      try await waitUntil("the reason", evidence: { program.evidence }) {
        try program.documentEvents().last == "kept" && row() != before
      }
      rmdir(document)
      rename(home.file("aside.txt"), document)
      try await waitUntil("the end of it", evidence: { program.evidence }) {
        text(of: document) == "xmilk\n" && row() == before
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A document that is open is brought forward by a second start, also by another name of it")
    func secondStart() async throws {
      if !mustNotSkip, !PrivateBus.isInstalled { try Test.cancel("dbus-daemon or python3-dbusmock is not installed") }
      let bus = try await PrivateBus()
      let document = try home.write("list.txt", "milk\n")
      symlink("list.txt", home.file("link.txt"))
      let program = try desktop.start(
        Program.besideTests("Notes"), [document], environment: bus.environment, home: home)
      try await settle(program)
      try await program.wait(for: "the name") { lines in
        lines.contains { $0.name == "name" && $0.cause == "org.proscenium.Notes" } ? true : nil
      }
      let window = try #require(try program.windows().first)
      for name in [document, home.file("link.txt")] {
        try await hand("key", "ctrl+n")
        try await settle(program, windows: 2)
        let second = try desktop.start(
          Program.besideTests("Notes"), [name], environment: bus.environment, home: home)
        #expect(try await second.end() == .exited(0), "\(second.evidence)")
        try await desktop.settle(program, quiet: .milliseconds(200), "the first window") { truths in
          truths.count == 2 && truths.contains { $0.window == window && $0.expectedState == .foregroundActive }
        }
        // Back to one
        for other in try program.windows() where other != window { desktop.desk.close(other) }
        try await settle(program)
      }
    }

    /// The process of a line of a trace.
    private static func process(of line: String) -> pid_t? {
      line.split(separator: "\"pid\":").last.flatMap { pid_t($0.prefix(while: \.isNumber)) }
    }

    @Test(
      "Killed at any sync or renaming, with one name or two: the document is the old one or the new one, never a part",
      .enabled(if: mustNotSkip || isInstalled("strace")), arguments: ["fsync", "renameat"], [false, true])
    func killed(_ call: String, _ hasTwoNames: Bool) async throws {
      let body = String(repeating: "a line of the document\n", count: 4000)
      let document = try home.write("list.txt", body)
      if hasTwoNames { link(document, home.file("other.txt")) }
      var (kills, old) = (0, body)
      for number in 1...30 {
        let program = try desktop.start(
          "strace",
          [
            "-f", "-qq", "-o", home.file("log"), "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(number)", Program.besideTests("Notes"), document,
          ], home: home)
        var typed = false
        let hasEnded = try await waitFor("a death, or the document", evidence: { program.evidence }) { () -> Bool? in
          if program.ending != nil { return true }
          let isActive = try program.trace.lines().scenes.contains { $0.state == "foregroundActive" }
          if !typed, isActive, try program.documentEvents().contains("opened") {
            typed = true
            Task { try? await hand("key", "ctrl+Home", "\(number % 10)") }
          }
          return try program.documentEvents().contains("saved") ? false : nil
        }
        if !hasEnded, let pid = try program.trace.lines().first.flatMap({ Self.process(of: $0.text) }) {
          kill(pid, SIGKILL)
        }
        _ = try await program.end()
        if hasEnded { kills += 1 }
        // Another program may find a file that is written into in the middle; never one that is replaced.
        let new = "\(number % 10)" + old
        if !hasTwoNames { #expect([old, new].contains(text(of: document)), "call \(number)") }
        let next = try desktop.start(Program.besideTests("Notes"), [document], home: home)
        try await next.opens(documents: 1)
        #expect([old, new].contains(text(of: document)), "call \(number)")
        if hasTwoNames { #expect(text(of: home.file("other.txt")) == text(of: document)) }
        old = text(of: document)
        next.send(SIGKILL)
        _ = try await next.end()
        if !hasEnded { break }
      }
      #expect(kills >= 1, "\(kills) kills")
    }
  }
}
