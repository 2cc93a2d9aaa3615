import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// The demo in use: typed into, killed, launched again.
  @Suite("Gallery", .enabled(if: Requirement.program("Gallery")))
  struct GalleryTests {
    let home: TemporaryFolder
    let desktop: PrivateDesktop

    init() async throws {
      try Requirement.windowManager(.openbox)
      home = try TemporaryFolder()
      desktop = try await PrivateDesktop(.openbox)
    }

    private func start(windows: Int, _ environment: [String: String] = [:]) async throws -> Program {
      let program = try desktop.start(Program.besideTests("Gallery"), [], environment: environment, home: home)
      try await settle(program, windows: windows)
      return program
    }

    private func settle(_ program: Program, windows: Int) async throws {
      try await desktop.settle(program, quiet: .milliseconds(200), "\(windows) windows") { truths in
        truths.count == windows && truths.contains { $0.expectedState == .foregroundActive }
      }
    }

    /// What the program keeps of its windows, without what is not renamed to its place yet.
    private var kept: String {
      let folder = home.file("state/org.proscenium.Gallery")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".session") }.map { text(of: folder + "/" + $0) }.joined()
    }

    private func keeps(_ text: String, _ program: Program) async throws {
      try await waitUntil("\(text) to be kept", evidence: { kept + program.evidence }) { kept.contains(text) }
    }

    @Test("A form, a picture in a window of its own, and its turn are there after a kill")
    func killed() async throws {
      // Given a form with a name, and a picture that was opened and turned by keys
      let program = try await start(windows: 1)
      try desktop.desk.type("Ada")
      try await keeps(#""text":"Ada""#, program)
      try desktop.desk.press(.pageDown, .control)
      try await keeps(#""selected":1"#, program)
      try desktop.desk.type("Rings 505\n")
      try await settle(program, windows: 2)
      try desktop.desk.press(DeskKey("r"), .control)
      try await keeps(#""quarters":1"#, program)
      // When the program is killed and launched again
      program.send(SIGKILL)
      _ = try await program.end()
      let next = try await start(windows: 2)
      // Then both windows are there, and the picture has its own
      try await waitUntil("the title of the picture", evidence: { next.evidence }) {
        try next.windows().contains { desktop.desk.client.text($0, "WM_NAME") == "Rings 505" }
      }
      for text in [#""text":"Ada""#, #""selected":1"#, #""quarters":1"#] { try await keeps(text, next) }
    }

    /// What the window of the pages keeps of them.
    private var pages: String {
      let kept = kept
      guard let start = kept.firstRange(of: #""userInfo":"#) else { return "" }
      let rest = kept[start.lowerBound...]
      return String(rest[..<(rest.firstRange(of: #","conditions""#)?.lowerBound ?? rest.endIndex)])
    }

    private func focus(on title: String, _ program: Program) async throws {
      let client = desktop.desk.client
      try await waitUntil("the focus on \(title)", evidence: { program.evidence }) {
        client.text(client.inputFocus, "WM_NAME") == title
      }
    }

    @Test("After a kill each control, list, column, stack and page is as it was")
    func everyControl() async throws {
      let (program, desk) = (try await start(windows: 1), desktop.desk)
      func next() throws { try desk.press(.tab) }
      // Given a form whose every field is filled in, scrolled to the last one
      try desk.type("Ada")
      try next()
      try desk.type("Germany")
      try next()
      try next()
      for part in ["12", "10", "1815"] { try desk.type(part) }
      try next()
      try desk.type("1\n2\n3\n4\n5\n6\n7\n8\n9")
      for _ in 1...2 { try desk.press(.up) }
      try desk.press(.tab, .control)
      try next()
      for key in [DeskKey(" "), .tab, DeskKey(" "), .tab, .down, .tab, .end, .tab] { try desk.press(key) }
      try await keeps(#""way":2"#, program)
      try desk.press(.down)
      try desk.press(.down)
      try desk.press(.return)
      try await keeps(#""paper":1"#, program)
      try next()
      try desk.press(DeskKey(" "))
      try await focus(on: "Color", program)
      for key in [DeskKey.right, .right, .return] { try desk.press(key) }
      try await focus(on: "Gallery", program)
      try next()
      for key in [DeskKey.up, .tab, .end, .tab, .right, .right, .tab, DeskKey(" ")] { try desk.press(key) }
      try await keeps(#""working":true"#, program)
      // And a picture, a place of the divider, a number with its factors, and a card that was moved
      try desk.press(.pageDown, .control)
      try await keeps(#""selected":1"#, program)
      for key in [DeskKey.end, .tab, .tab, .tab, .left] { try desk.press(key) }
      try await keeps(#""divider":510"#, program)
      try desk.press(.pageDown, .control)
      try await keeps(#""selected":2"#, program)
      for key in [DeskKey.end, .pageUp, .return] { try desk.press(key) }
      try await keeps(#""stack":[{"name":"#, program)
      try desk.press(.pageDown, .control)
      try await keeps(#""selected":3"#, program)
      try desk.press(DeskKey("m"), .alt)
      try desk.press(DeskKey("u"), .alt)
      for text in [#""isAtEnd":true"#, #""pulses":true"#] { try await keeps(text, program) }
      let before = pages
      // When the program is killed, and the next one has to tell what it has
      program.send(SIGKILL)
      _ = try await program.end()
      let again = try await start(windows: 1)
      try desk.press(DeskKey("u"), .alt)
      try await keeps(#""pulses":false"#, again)
      // Then all but the last change is the same
      #expect(pages == before.replacing(#""pulses":true"#, with: #""pulses":false"#))
      for text in [
        #""name":{"selection":{"anchor":3,"caret":3},"text":"Ada"}"#, #""text":"Germany""#, #""born":{"$date":"-"#,
        #""caret":13"#, #""news":true"#, #""parcels":true"#, #""size Medium":true"#, #""way":2"#, #""paper":1"#,
        #""copies":{"$double":"2.0"}"#, #""quality":{"$double":"1.0"}"#, #""steps":{"$double":"2.0"}"#,
        #""working":true"#, #""selection":["1000"]"#, #""selection":["0 9999"#, #""divider":510"#, #""isAtEnd":true"#,
      ] { #expect(before.contains(text), "\(text) is not in \(before)") }
    }

    @Test("A kill in the middle of a word of IBus leaves what was chosen before", .enabled(if: IBusDesk.isInstalled))
    func composing() async throws {
      let ibus = try await IBusDesk(display: desktop.server.display)
      defer { withExtendedLifetime(ibus) {} }
      // The program waits for an engine until it is there; the first keys may be too early for it.
      let program = try await start(windows: 1, ibus.environment)
      for _ in 1...20 where !kept.contains(#""text":"你好""#) {
        try desktop.desk.press(DeskKey("a"), .control)
        try desktop.desk.type("wqvb ")
        try? await waitUntil("the word", limit: .seconds(5)) { kept.contains(#""text":"你好""#) }
      }
      try await keeps(#""text":"你好""#, program)
      // When it is killed in the next word, and launched again
      try desktop.desk.type("wq")
      program.send(SIGKILL)
      _ = try await program.end()
      let next = try await start(windows: 1, ibus.environment)
      // Then the word is there, and the caret behind it: Backspace deletes its last character
      try desktop.desk.press(.backspace)
      try await keeps(#""text":"你""#, next)
    }

    @Test(
      "Pictures that were drawn, and a card that pulses in the background, wake nothing, nor is anything drawn")
    func background() async throws {
      let proxy = try XProxy(to: desktop.server, hiding: ["MIT-SHM"])
      let program = try Program(Program.besideTests("Gallery"), display: proxy.display, home: home, on: proxy)
      try await settle(program, windows: 1)
      // Once pictures have been drawn, the form rests as before; its caret goes on for a while.
      try desktop.desk.press(.pageDown, .control)
      try await keeps(#""selected":1"#, program)
      try desktop.desk.press(.pageUp, .control)
      try await keeps(#""selected":0"#, program)
      try await program.rests(for: .seconds(3)) { proxy.counts.requests }
      #expect(program.contextSwitches.threads == 2)
      for page in 1...3 {
        try desktop.desk.press(.pageDown, .control)
        try await keeps(#""selected":\#(page)"#, program)
      }
      try desktop.desk.press(DeskKey("u"), .alt)
      try await keeps(#""pulses":true"#, program)
      let before = proxy.counts.byOpcode[72] ?? 0
      try await waitUntil("10 frames", evidence: { "\(proxy.counts)" }) {
        proxy.counts.byOpcode[72] ?? 0 >= before + 10
      }
      let window = try #require(try program.windows().first)
      desktop.desk.iconify(window)
      try await program.wait(for: "background") { $0.scenes.first?.state == "background" ? () : nil }
      try await program.rests(for: .seconds(3)) { proxy.counts.requests }
      desktop.desk.restore(window)
      let hidden = proxy.counts.byOpcode[72] ?? 0
      // A drawing of the whole window is eight of them, and there may be several: frames go on after that.
      try await waitUntil("100 parts of pictures", evidence: { "\(proxy.counts)" }) {
        proxy.counts.byOpcode[72] ?? 0 >= hidden + 100
      }
    }
  }
}
