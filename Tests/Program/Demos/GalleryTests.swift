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

    @Test("A card that pulses stands still in the background: nothing wakes the program, nor is anything drawn")
    func background() async throws {
      let proxy = try XProxy(to: desktop.server, hiding: ["MIT-SHM"])
      let program = try Program(Program.besideTests("Gallery"), display: proxy.display, home: home, on: proxy)
      try await settle(program, windows: 1)
      // The tabs are before the first field.
      try desktop.desk.press(.tab, .shift)
      try desktop.desk.press(.end)
      try await keeps(#""selected":2"#, program)
      try desktop.desk.press(DeskKey("u"), .alt)
      try await keeps(#""pulses":true"#, program)
      let before = proxy.counts.byOpcode[72] ?? 0
      try await waitUntil("10 frames", evidence: { "\(proxy.counts)" }) {
        proxy.counts.byOpcode[72] ?? 0 >= before + 10
      }
      let window = try #require(try program.windows().first)
      desktop.desk.iconify(window)
      try await program.wait(for: "background") { $0.scenes.first?.state == "background" ? () : nil }
      try await program.rests(for: .seconds(1)) { proxy.counts.requests }
      desktop.desk.restore(window)
      let hidden = proxy.counts.byOpcode[72] ?? 0
      try await waitUntil("10 frames", evidence: { "\(proxy.counts)" }) {
        proxy.counts.byOpcode[72] ?? 0 >= hidden + 10
      }
    }
  }
}
