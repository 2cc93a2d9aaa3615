import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// The demo in use: typed into by hand, killed, launched again.
  @Suite("Notes", .enabled(if: Requirement.program("Notes") && (mustNotSkip || isInstalled("xdotool"))))
  struct NotesTests {
    let home: TemporaryFolder
    let desktop: PrivateDesktop

    init() async throws {
      try Requirement.windowManager(.openbox)
      home = try TemporaryFolder()
      desktop = try await PrivateDesktop(.openbox)
    }

    @Test("Two notes come back from a kill with their texts, carets, places and sizes")
    func killed() async throws {
      // Given two notes with unsaved text, the second moved and resized
      let program = try await start(windows: 1)
      let first = try #require(try program.trace.lines().scenes.first)
      try await hand("type", "first")
      try await hand("key", "Left", "Left")
      try await keeps(["first"])
      try await hand("key", "ctrl+n")
      try await settle(program, windows: 2)
      let second = try #require(try program.trace.lines().scenes.last)
      try await hand("type", "second")
      let window = String(try #require(second.window))
      // The size last: it is what is waited for.
      try await hand("windowmove", window, "300", "200")
      try await hand("windowsize", window, "420", "250")
      try await keeps(["first", "second"])
      try await waitUntil("the place to be stored", evidence: { program.evidence }) {
        files("state/org.proscenium.Notes").contains { $0.contains("\"width\":420") }
      }
      let before = try await places(program)
      // When the program is killed and launched again
      program.send(SIGKILL)
      _ = try await program.end()
      let next = try await start(windows: 2, documents: 2)
      // Then both are back where they were
      try await waitUntil("their places", evidence: { next.evidence }) { try await places(next) == before }
      // And what is typed goes where the carets were
      let scenes = try next.trace.lines().scenes
      let restored = try #require(scenes.first { $0.identifier == first.identifier }?.window)
      try await hand("key", "x")
      try await keeps(["first", "secondx"])
      try await focus(restored, next)
      try await hand("key", "x")
      try await keeps(["firxst", "secondx"])
    }

    @Test("A note that came back empty comes back with the caret where it was left after that")
    func emptyAtFirst() async throws {
      let empty = try await start(windows: 1)
      empty.send(SIGTERM)
      #expect(try await empty.end() == .exited(0))
      let program = try await start(windows: 1)
      try await hand("type", "first")
      try await hand("key", "Left", "Left")
      try await keeps(["first"])
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      let next = try await start(windows: 1, documents: 1)
      try await hand("key", "x")
      try await keeps(["firxst"])
      next.send(SIGTERM)
      #expect(try await next.end() == .exited(0))
    }

    @Test("A note that was scrolled by the wheel comes back from a kill at its line")
    func scrolled() async throws {
      // Given a document of a hundred lines, scrolled by five notches of three lines each, which have 111 characters
      let document = try home.write("list.txt", (1...100).map { "line \($0)\n" }.joined())
      let program = try await start([document], windows: 1, documents: 1)
      let window = String(try #require(try program.windows().first))
      try await hand("mousemove", "--window", window, "9", "44", "click", "--repeat", "5", "5")
      try await waitUntil("the place to be stored", evidence: { program.evidence }) {
        files("state/org.proscenium.Notes").contains { $0.contains("\"top\":111") }
      }
      // When the program is killed and launched again
      program.send(SIGKILL)
      _ = try await program.end()
      let next = try await start(windows: 1, documents: 1)
      // Then its first row is the sixteenth line
      let restored = String(try #require(try next.windows().first))
      try await hand("mousemove", "--window", restored, "9", "44", "click", "1")
      try await hand("key", "x")
      try await waitUntil("the letter in the line", evidence: { text(of: document) }) {
        text(of: document).contains("\nxline 16\n")
      }
    }

    @Test("A note with unsaved changes does not close before it has been answered")
    func refuses() async throws {
      let program = try await start(windows: 1)
      let window = try #require(try program.windows().first)
      try await hand("type", "abc")
      try await keeps(["abc"])
      // When it is closed, and the question is answered with no
      try await closeAndAsk(program)
      // And neither its letters nor its commands get past the question
      try await hand("type", "x")
      try await hand("key", "ctrl+n", "ctrl+s", "ctrl+w", "ctrl+q")
      try await hand("key", "Escape")
      // Then it goes on as before
      try await focus("Untitled", program)
      try await hand("type", "d")
      try await keeps(["abcd"])
      #expect(try program.windows() == [window])
      #expect(files(data) == [])
      // And when the text is discarded, it closes, and leaves nothing behind
      try await closeAndAsk(program)
      try await hand("key", "Tab", "space")
      #expect(try await program.end() == .exited(0))
      #expect(files(autosave) == [])
      #expect(files(data) == [])
    }

    @Test("A note that can have no file asks before it closes, too")
    func cannotBeKept() async throws {
      let program = try await start(windows: 1)
      try #require(rmdir(home.file(autosave)) == 0)
      try home.write(autosave, "a file where the folder was")
      try await hand("type", "abc")
      try await closeAndAsk(program)
      try await hand("key", "Tab", "space")
      #expect(try await program.end() == .exited(0))
    }

    @Test("It asks before the program quits, too, and has its file when it can have one", arguments: [true, false])
    func cannotBeKeptAtTheEnd(_ isDiscarded: Bool) async throws {
      let program = try await start(windows: 1)
      try #require(rmdir(home.file(autosave)) == 0)
      let block = try home.write(autosave, "a file where the folder was")
      try await hand("type", "abc")
      try await hand("key", "ctrl+q")
      try await focus("Notes", program)
      if isDiscarded {
        try await hand("key", "Tab", "space")
      } else {
        try await hand("key", "Escape")
        try await focus("Untitled", program)
        unlink(block)
        mkdir(block, 0o700)
        try await quit(program)
      }
      #expect(try await program.end() == .exited(0))
      #expect(files(autosave) == (isDiscarded ? [] : ["abc"]))
    }

    @Test("A note whose folder cannot be made asks before it closes and before the program quits, and is saved later")
    func withoutFolder() async throws {
      let block = try home.write(data, "a file where the folder is to be")
      let program = try await start(windows: 1)
      try await hand("type", "abc")
      try await closeAndAsk(program)
      try await hand("key", "Escape")
      try await focus("Untitled", program)
      try await hand("key", "ctrl+q")
      try await focus("Notes", program)
      try await hand("key", "Escape")
      try await focus("Untitled", program)
      unlink(block)
      try await hand("type", "d")
      try await keeps(["abcd"])
      try await quit(program)
      #expect(try await program.end() == .exited(0))
      #expect(files(autosave) == ["abcd"])
    }

    @Test(
      "A file that is asked for while a note can have no folder is opened beside it",
      .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func besideOneWithoutFolder() async throws {
      let bus = try await PrivateBus()
      try home.write(data, "a file where the folder is to be")
      func start(_ arguments: String...) throws -> Program {
        try desktop.start(Program.besideTests("Notes"), arguments, environment: bus.environment, home: home)
      }
      let program = try start()
      try await settle(program, windows: 1)
      let second = try start(try home.write("list.txt", "milk\n"))
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await settle(program, windows: 2)
      try await program.opens(documents: 1)
    }

    @Test("A file of the user's in a folder with the name of the one for new notes is a document as any other")
    func folderOfTheName() async throws {
      let document = try home.write("autosave/list.txt", "milk\n")
      let program = try await start([document], windows: 1, documents: 1)
      try await focus("list.txt", program)
      try await hand("type", "x")
      try await hand("key", "ctrl+w")
      #expect(try await program.end() == .exited(0))
      #expect(text(of: document) == "xmilk\n")
    }

    @Test("It says which files it does not open, and of no other that it does not")
    func notOpened() async throws {
      let list = URL(filePath: try home.write("list.txt", "milk\n")).absoluteString
      let program = try await start(
        [
          list, try home.write("OTHER.TXT", "tea\n"), home.file("none.txt"), "file:none.txt",
          "file://elsewhere" + (try home.write("none-here.txt", "")),
        ], windows: 2, documents: 2)
      let told = program.errors.split(separator: "\n").filter { $0.contains("is not opened") }
      #expect(told.count == 3 && told.allSatisfy { $0.contains("none") }, "\(program.errors)")
    }

    @Test("A note that comes back takes no text before it has been read", .enabled(if: FaultyDisk.isAvailable))
    func readSlowly() async throws {
      let first = try await start(windows: 1)
      try await hand("type", "abc")
      try await keeps(["abc"])
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
      let disk = try await FaultyDisk(home)
      try disk.become(FaultyDisk.Illness(mode: .hang, call: .read))
      let program = try await start(windows: 1, disk, of: autosave)
      try await waitUntil("the note to be read", evidence: { program.evidence }) { !disk.ill.isEmpty }
      try await hand("type", "x")
      try await handlesKeys(program)
      try disk.become(nil)
      try await program.opens(documents: 1)
      try await hand("type", "d")
      try await keeps(["abcd"])
      #expect(try !program.documentEvents().contains("failed"), "\(program.evidence)")
    }

    @Test("A new note that cannot be read is not saved without its text", .enabled(if: FaultyDisk.isAvailable))
    func cannotBeRead() async throws {
      let first = try await start(windows: 1)
      try await hand("type", "abc")
      try await keeps(["abc"])
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
      let disk = try await FaultyDisk(home)
      try disk.become(FaultyDisk.Illness(mode: .fail, call: .read))
      let program = try await start(windows: 1, disk, of: autosave)
      try await fails(program)
      // When it is typed into, saved, and saved before it closes
      try await hand("type", "x")
      try await hand("key", "ctrl+s")
      try await hand("key", "ctrl+w")
      try await focus("Notes", program)
      try await hand("key", "Return")
      // Then it stays open, and its file as it was
      try await focus("Untitled", program)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      #expect(files(autosave) == ["abc"] && files(data) == [])
    }

    @Test("A new note that is saved twice on a slow disk has one file", .enabled(if: FaultyDisk.isAvailable))
    func savedTwice() async throws {
      let disk = try await FaultyDisk(home)
      let program = try await start(windows: 1, disk, of: data)
      try await hand("type", "abc")
      try await keeps(["abc"])
      try disk.become(FaultyDisk.Illness(mode: .hang, call: .fsync))
      try await hand("key", "ctrl+s", "ctrl+s")
      try await waitUntil("the write", evidence: { program.evidence }) { !disk.ill.isEmpty }
      try await handlesKeys(program)
      try disk.become(nil)
      try await focus("Untitled 1.txt", program)
      try await hand("type", "d")
      try await waitUntil("one file", evidence: { "\(files(data))" }) { files(data) == ["abcd"] }
      #expect(files(autosave) == [])
    }

    @Test("What is typed while an empty note gets its file is saved in there", .enabled(if: FaultyDisk.isAvailable))
    func typedWhileSaved() async throws {
      let disk = try await FaultyDisk(home)
      let program = try await start(windows: 1, disk, of: data)
      try disk.become(FaultyDisk.Illness(mode: .hang, call: .fsync))
      try await hand("key", "ctrl+s")
      try await waitUntil("the write", evidence: { program.evidence }) { !disk.ill.isEmpty }
      try await hand("type", "x")
      try await handlesKeys(program)
      try disk.become(nil)
      try await waitUntil("the letter in the file", evidence: { "\(files(data))" }) { files(data) == ["x"] }
      try await focus("Untitled 1.txt", program)
      #expect(files(autosave) == [])
    }

    @Test("Save makes the file of a document anew that is gone")
    func savedAnew() async throws {
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document], windows: 1, documents: 1)
      unlink(document)
      try await fails(program)
      try await hand("type", "x")
      try await hand("key", "ctrl+s")
      try await waitUntil("the document", evidence: { program.evidence }) { text(of: document) == "xmilk\n" }
    }

    @Test("Save asks again which version is to stay, where the user has put that off")
    func asksAgain() async throws {
      // Given changes that are in no file, because it was gone, and another file in its place
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document], windows: 1, documents: 1)
      unlink(document)
      try await fails(program)
      try await hand("type", "x")
      try await waitUntil("the changes to be kept", evidence: { program.evidence }) {
        try program.documentEvents().contains("kept")
      }
      try home.write("list.txt", "tea\n")
      try await focus("Notes", program)
      try await hand("key", "Escape")
      try await focus("list.txt", program)
      // When it is saved
      try await hand("key", "ctrl+s")
      // Then the question is there again, and the first answer to it is to keep the changes
      try await focus("Notes", program)
      try await hand("key", "Return")
      try await waitUntil("the document", evidence: { program.evidence }) { text(of: document) == "xmilk\n" }
    }

    @Test("A note that can be neither saved nor kept asks before it closes, and is saved when it can be")
    func cannotBeSaved() async throws {
      // A write of a file with two names needs the folder of kept versions.
      let document = try home.write("list.txt", "milk\n")
      link(document, home.file("other.txt"))
      let block = try home.write("state/org.proscenium.Notes/documents", "a file where the folder was")
      let program = try await start([document], windows: 1, documents: 1)
      try await hand("type", "honey ")
      try await hand("key", "ctrl+w")
      try await focus("Notes", program)
      try await hand("key", "Escape")
      try await focus("list.txt", program)
      unlink(block)
      try await waitUntil("the document", evidence: { program.evidence }) {
        try text(of: document) == "honey milk\n" && program.documentEvents().contains("saved")
      }
      // And what is given up is not saved
      try FileManager.default.removeItem(atPath: block)
      try home.write("state/org.proscenium.Notes/documents", "a file where the folder was")
      try await hand("type", "more ")
      try await hand("key", "ctrl+w")
      try await focus("Notes", program)
      try await hand("key", "Tab", "space")
      #expect(try await program.end() == .exited(0))
      #expect(text(of: document) == "honey milk\n")
    }

    @Test("A question that stands when the program ends keeps nothing back, and loses nothing")
    func endsWhileAsking() async throws {
      let program = try await start(windows: 1)
      try await hand("type", "abc")
      try await keeps(["abc"])
      try await hand("key", "ctrl+w")
      try await focus("Notes", program)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      _ = try await start(windows: 1, documents: 1)
      try await keeps(["abc"])
    }

    @Test("Text goes to other programs and comes from them, by keys and by the middle button")
    func pasteboards() async throws {
      if !mustNotSkip, !isInstalled("xclip") { try Test.cancel("xclip is not installed") }
      let program = try await start(windows: 1)
      let window = try #require(try program.windows().first)
      // What is copied by keys can be pasted elsewhere
      try await hand("type", "one two")
      try await hand("key", "ctrl+a", "ctrl+c")
      try await pastes("one two", from: "clipboard")
      // What is selected can be pasted as the primary selection
      try await hand("key", "End", "shift+Left", "shift+Left", "shift+Left")
      try await pastes("two", from: "primary")
      #expect(try await tool("xclip", "-o", "-selection", "clipboard") == "one two")
      // What is copied elsewhere is pasted by keys
      let copied = try await copies("Grüße 👋\n", to: "clipboard")
      try await hand("key", "ctrl+v")
      try await keeps(["one Grüße 👋\n"])
      // And what is selected elsewhere by the middle button, where the pointer is
      let selected = try await copies("zero ", to: "primary")
      try await hand("mousemove", "--window", "\(window)", "9", "44", "click", "2")
      try await keeps(["zero one Grüße 👋\n"])
      withExtendedLifetime((copied, selected)) {}
    }

    @Test("A note that has been saved closes at once; its document stays")
    func saved() async throws {
      let program = try await start(windows: 1)
      try await hand("type", "abc")
      try await hand("key", "Return")
      try await hand("key", "ctrl+s")
      try await waitUntil("the document", evidence: { program.evidence }) { files(data) == ["abc\n"] }
      // It is in its place before the program hears of that.
      try await program.wait(for: "the end of the saving") { lines in
        lines.first { $0.text.contains("\"saved\"") && $0.text.contains("\"Untitled 1.txt\"") }
      }
      desktop.desk.close(try #require(try program.windows().first))
      #expect(try await program.end() == .exited(0))
      #expect(access(home.file(data + "/Untitled 1.txt"), F_OK) == 0)
      #expect(files(autosave) == [])
    }

    @Test("A note at rest is not woken, once its document and folders were read, and its caret has stopped blinking")
    func rests() async throws {
      let program = try await start([try home.write("list.txt", "milk\n")], windows: 1, documents: 1)
      for end in ["Escape", "Return"] {
        try await hand("key", "ctrl+shift+s")
        try await focus("Save As", program)
        try await hand("key", end)
        if end == "Escape" { try await focus("list.txt", program) }
      }
      // Another file of the name is replaced, and the folder is remembered.
      try await focus("Notes", program)
      try await hand("key", "Tab", "Return")
      try await focus("list.txt", program)
      try await program.rests(for: .seconds(3))
      #expect(program.contextSwitches.threads == 2)
    }

    @Test("A document that is open already comes forward instead of being opened twice")
    func openedTwice() async throws {
      // Given a document and a newer note beside it
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document], windows: 1, documents: 1)
      let scene = try #require(try program.trace.lines().scenes.first)
      try await hand("key", "ctrl+n")
      try await settle(program, windows: 2)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      // When the program is launched with the same document
      let next = try await start([document], windows: 2, documents: 1)
      // Then its window is the active one
      try await waitUntil("the document in front", evidence: { next.evidence }) {
        let active = try next.trace.lines().scenes.filter { $0.state == "foregroundActive" }
        return active.map(\.identifier) == [scene.identifier]
      }
      // And what is typed and saved there is in the document
      try await hand("type", "x")
      try await hand("key", "ctrl+s")
      try await waitUntil("the document") { text(of: document) == "xmilk\n" }
    }

    // MARK: The hand and the eye

    private let data = ".local/share/org.proscenium.Notes"
    private var autosave: String { data + "/autosave" }

    /// A new note has no document to read.
    private func start(
      _ arguments: [String] = [], windows: Int, documents: Int = 0, _ environment: [String: String] = [:]
    ) async throws -> Program {
      let program = try desktop.start(
        Program.besideTests("Notes"), arguments, environment: environment, home: home)
      try await settle(program, windows: windows)
      try await program.opens(documents: documents)
      return program
    }

    /// Starts it with a folder of the home on a disk that may be ill.
    private func start(windows: Int, _ disk: FaultyDisk, of folder: String) async throws -> Program {
      try await start(windows: windows, disk.environment.merging(["FAULTY_DISK": home.file(folder)]) { $1 })
    }

    private func settle(_ program: Program, windows: Int) async throws {
      try await desktop.settle(program, quiet: .milliseconds(200), "\(windows) notes") { truths in
        truths.count == windows && truths.contains { $0.expectedState == .foregroundActive }
      }
    }

    private func focus(_ window: UInt32, _ program: Program) async throws {
      desktop.desk.focus(window)
      try await desktop.settle(program, quiet: .milliseconds(200)) { truths in
        truths.contains { $0.window == window && $0.expectedState == .foregroundActive }
      }
    }

    /// Waits until a file could not be read, or is gone.
    private func fails(_ program: Program) async throws {
      try await waitUntil("the failure", evidence: { program.evidence }) {
        try program.documentEvents().contains("failed")
      }
    }

    /// Waits until a new note has handled all keys: its dialog comes after them.
    private func handlesKeys(_ program: Program) async throws {
      try await hand("key", "ctrl+shift+s")
      try await focus("Save As", program)
      try await hand("key", "Escape")
      try await focus("Untitled", program)
    }

    /// Presses the key that quits until that asks: as long as the program has not heard the answer to an earlier
    /// question, the key belongs to that one.
    private func quit(_ program: Program) async throws {
      func questions() throws -> Int { try program.trace.lines().count { $0.name == "applicationShouldTerminate" } }
      let before = try questions()
      for _ in 1...10 where try questions() == before {
        try await hand("key", "ctrl+q")
        try? await waitUntil("the question", limit: .seconds(20)) { try questions() > before }
      }
    }

    /// Closes the note that has the focus by the window manager's key; the question takes the focus by itself.
    ///
    /// Openbox grabs its keys anew after the first key of another keyboard, such as xdotool's, and may miss one
    /// meanwhile.
    private func closeAndAsk(_ program: Program) async throws {
      func requests() throws -> Int { try program.trace.lines().count { $0.name == "sceneShouldClose" } }
      let before = try requests()
      for _ in 1...10 where try requests() == before {
        try await hand("key", "alt+F4")
        try? await waitUntil("the request", limit: .seconds(20)) { try requests() > before }
      }
      try await focus("Notes", program)
    }

    /// Waits until a window of this name has the focus.
    private func focus(_ name: String, _ program: Program) async throws {
      let client = desktop.desk.client
      try await waitUntil("the focus on \(name)", evidence: { program.evidence }) {
        client.text(client.inputFocus, "_NET_WM_NAME", type: "UTF8_STRING")?.hasPrefix(name) == true
      }
    }

    /// Another program that has copied a text, and hands it out as long as it lives.
    private func copies(_ text: String, to selection: String) async throws -> ChildProcess {
      let file = try home.write("\(selection).txt", text)
      let process = try ChildProcess(
        ["xclip", "-quiet", "-i", "-selection", selection, file],
        environment: try privateEnvironment(home: home, display: desktop.server.display),
        output: home.file("\(selection).out"), errors: home.file("\(selection).err"))
      try await pastes(text, from: selection)
      return process
    }

    /// Waits until another program pastes this text.
    private func pastes(_ text: String, from selection: String) async throws {
      var last = ""
      try await waitUntil("\(text) in \(selection)", evidence: { last }) {
        last = (try? await tool("xclip", "-o", "-selection", selection)) ?? ""
        return last == text
      }
    }

    /// Waits until the texts that are kept beside the documents are these.
    private func keeps(_ texts: [String]) async throws {
      try await waitUntil("\(texts) to be kept", evidence: { "\(files(autosave))" }) {
        files(autosave) == texts.sorted()
      }
    }

    /// The texts of the files in a folder of the home, sorted.
    private func files(_ folder: String) -> [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.file(folder))) ?? []
      let paths = names.filter { !$0.hasPrefix(".") && $0.contains(".") }.map { home.file("\(folder)/\($0)") }
      return paths.map { text(of: $0) }.sorted()
    }

    /// Where each session's window is, as xdotool says.
    private func places(_ program: Program) async throws -> [String: String] {
      var places: [String: String] = [:]
      for scene in try program.trace.lines().scenes {
        let lines = try await hand("getwindowgeometry", String(scene.window ?? 0)).split(separator: "\n")
        places[scene.identifier] = lines.dropFirst().joined(separator: " ")
      }
      return places
    }

    @discardableResult private func hand(_ arguments: String...) async throws -> String {
      try await tool(["xdotool"] + arguments)
    }

    @discardableResult private func tool(_ arguments: String...) async throws -> String { try await tool(arguments) }

    @discardableResult private func tool(_ arguments: [String]) async throws -> String {
      let folder = try TemporaryFolder()
      let process = try ChildProcess(
        arguments, environment: try privateEnvironment(home: folder, display: desktop.server.display),
        output: folder.file("out"), errors: folder.file("err"))
      let ending = try await process.wait()
      guard ending == .exited(0) else { throw DeskFailure("\(arguments): \(text(of: folder.file("err")))") }
      return text(of: folder.file("out"))
    }
  }
}
