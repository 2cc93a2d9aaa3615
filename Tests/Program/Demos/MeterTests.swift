import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// The demo of background time, as people use it.
  @Suite("Meter", .enabled(if: Requirement.program("Meter"))) struct MeterTests {
    let desktop: PrivateDesktop
    let home: TemporaryFolder

    init() async throws {
      try Requirement.windowManager(.openbox)
      desktop = try await PrivateDesktop(.openbox)
      home = try TemporaryFolder()
    }

    @Test("Minimised, its clock stops, its upload is finished, and its memory goes back")
    func background() async throws {
      // Given a meter that uploads, for longer than a busy machine takes to minimise it
      let program = try await start("--upload", "--upload-seconds", "8")
      let window = try #require(try program.windows().first)
      try await says("upload begins at 0 %", program)
      // When it is minimised
      desktop.desk.iconify(window)
      // Then its clock stops before it is in the background, and the upload is done in there
      try await says("upload done, ", program)
      try await isIn("background", program)
      #expect(program.output.contains("clock stops at"))
      // And what the window held is given back
      try await says("KiB before", program)
      let memory = try #require(program.output.split(separator: "\n").first { $0.contains("KiB before") })
      let numbers = memory.split(separator: " ").compactMap { Int($0) }
      #expect(numbers.count == 2, "\(memory)")
      // And it goes on when it is back, from where the clock was
      let stopped = try #require(number(after: "clock stops at ", program))
      desktop.desk.restore(window)
      try await isIn("foregroundActive", program)
      try await waitUntil("the clock") { program.output.components("clock runs from") == 2 }
      #expect(number(after: "clock runs from ", program) == stopped)
    }

    @Test("Closed, it lives until its upload is done, and no longer")
    func closed() async throws {
      let program = try await start("--upload", "--upload-seconds", "15")
      let window = try #require(try program.windows().first)
      try await says("upload begins", program)
      desktop.desk.close(window)
      try await says("closed for good", program)
      #expect(program.ending == nil && !program.output.contains("upload done"))
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      #expect(program.output.contains("upload done"))
      #expect(program.output.hasSuffix("meter: ends\n"))
    }

    @Test("Quit, its windows vanish at once, and it ends when the upload is done")
    func quit() async throws {
      let program = try await start("--upload", "--upload-seconds", "15")
      let window = try #require(try program.windows().first)
      try await says("upload begins", program)
      try desktop.desk.key("q")
      try await waitUntil("the window to vanish", evidence: { program.evidence }) {
        !self.desktop.desk.client.truth(window).isViewable
      }
      #expect(program.ending == nil && !program.output.contains("upload done"), "\(program.evidence)")
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      let lines = program.output.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1)[1] }
      #expect(lines.suffix(3).map { String($0.prefix(11)) } == ["upload done", "disconnecte", "ends"], "\(lines)")
    }

    @Test("Told to end, it interrupts its upload, ends soon, and goes on with it in the next run")
    func told() async throws {
      let program = try await start("--upload", "--upload-seconds", "60")
      try await says("upload begins", program)
      program.send(SIGTERM)
      #expect(try await program.end(limit: .seconds(40)) == .exited(0), "\(program.evidence)")
      let sent = try #require(number(after: "upload interrupted at ", program))
      let next = try await start("--upload-seconds", "60")
      try desktop.desk.key("u")
      try await says("upload begins at \(Int(sent)) %", next)
    }

    @Test("Suspended, disconnected when memory is short, and brought back, its clock goes on from where it was")
    func suspended() async throws {
      // Given a meter in the background, which is suspended
      let fifo = home.file("pressure")
      try #require(mkfifo(fifo, 0o600) == 0)
      let program = try desktop.start(
        Program.besideTests("Meter"), environment: ["MEMORY_PRESSURE_WATCH": fifo], home: home)
      try await desktop.settle(program, quiet: .milliseconds(200), "Meter") {
        $0.contains { $0.expectedState == .foregroundActive }
      }
      let window = try #require(try program.windows().first)
      desktop.desk.iconify(window)
      try await system("suspended", 1, program)
      #expect(!program.output.contains("disconnected"))
      // When memory is short
      let writer = open(fifo, O_WRONLY | O_NONBLOCK)
      #expect(write(writer, "x", 1) == 1)
      close(writer)
      // Then its scene goes, and the program sleeps again
      try await says("disconnected", program)
      try await system("suspended", 2, program)
      // And when its window is shown there is a new one with the old clock
      let stopped = try #require(number(after: "clock stops at ", program))
      desktop.desk.restore(window)
      try await says("brought back", program)
      try await isIn("foregroundActive", program)
      #expect(number(after: "clock runs from ", program) == stopped)
      let causes = try program.trace.lines().filter { $0.name == "resumed" }.map(\.cause)
      // Openbox may give it the focus first.
      #expect(causes == ["request", "shown"] || causes == ["request", "focused"], "\(program.evidence)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    private func system(_ name: String, _ count: Int, _ program: Program) async throws {
      try await program.wait(for: "\(name) \(count)") { lines in
        lines.count { $0.kind == "system" && $0.name == name } >= count ? () : nil
      }
    }

    @Test("Disconnected and brought back, it shows its clock again")
    func disconnected() async throws {
      let program = try await start()
      let first = try #require(try program.windows().first)
      try desktop.desk.key("n")
      try await desktop.settle(program, quiet: .milliseconds(200)) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      desktop.desk.iconify(first)
      try await says("KiB before", program)
      try desktop.desk.key("d")
      try await says("disconnected", program)
      desktop.desk.restore(first)
      try await says("brought back", program)
      try await desktop.settle(program, quiet: .milliseconds(200)) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test("An upload that was finished while its scene was disconnected is done when that is brought back")
    func finishedMeanwhile() async throws {
      let program = try await start("--upload-seconds", "15")
      let first = try #require(try program.windows().first)
      try desktop.desk.key("u")
      try await says("upload begins", program)
      try desktop.desk.key("n")
      try await desktop.settle(program, quiet: .milliseconds(200)) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      desktop.desk.iconify(first)
      try await says("KiB before", program)
      try desktop.desk.key("d")
      try await says("disconnected", program)
      try await says("upload done", program)
      let times = program.output.components("clock runs from")
      desktop.desk.restore(first)
      // Its clock runs when it has been restored.
      try await says("clock runs from", program, times: times + 1)
      try await waitUntil("the title", evidence: { program.evidence }) {
        desktop.desk.client.text(first, "_NET_WM_NAME", type: "UTF8_STRING") == "Meter: uploaded"
      }
    }

    // MARK: The hand and the eye

    private func start(_ arguments: String...) async throws -> Program {
      let program = try desktop.start(Program.besideTests("Meter"), arguments, home: home)
      try await desktop.settle(program, quiet: .milliseconds(200), "Meter") {
        $0.contains { $0.expectedState == .foregroundActive }
      }
      return program
    }

    private func says(_ text: String, _ program: Program, times count: Int = 1) async throws {
      try await waitUntil("\"\(text)\"", evidence: { program.evidence }) { program.output.components(text) >= count }
    }

    private func isIn(_ state: String, _ program: Program) async throws {
      try await program.wait(for: state) { $0.scenes.first?.state == state ? () : nil }
    }

    /// The last number that follows a text.
    private func number(after text: String, _ program: Program) -> Double? {
      program.output.split(separator: "\n").last { $0.contains(text) }
        .flatMap { $0.split(separator: " ").compactMap { Double($0) }.first }
    }
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(_ text: String) -> Int {
    split(separator: "\n").count { $0.contains(text) }
  }
}
