import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// The mode of a real Xorg's output, and a program that cannot put it back.
  @Suite(
    "The mode of a screen after a program's end",
    .enabled(if: Requirement.sceneLab && (mustNotSkip || (XorgServer.isInstalled && isInstalled("xrandr")))))
  struct ScreenModeProgramTests {
    private let server: XorgServer
    private let home: TemporaryFolder

    init() async throws {
      home = try TemporaryFolder()
      do {
        server = try await XorgServer()
      } catch {
        if !mustNotSkip { try Test.cancel("Xorg does not start here, or has no dummy driver: \(error)") }
        throw error
      }
    }

    /// The size of the root window now, as another program sees it.
    private var size: String {
      get throws {
        let client = try XClient(display: server.display)
        return "\(client.width)x\(client.height)"
      }
    }

    /// The processes that keep modes of this server.
    private var keepers: [Int32] {
      let display = "DISPLAY=\(server.display)"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { Int32($0) }.filter { process in
        func words(_ name: String) -> [Substring] { text(of: "/proc/\(process)/\(name)").split(separator: "\0") }
        return words("cmdline").last == "--keep-screen-modes" && words("environ").contains { $0 == display }
      }
    }

    /// A program that has chosen another mode.
    private func start(_ modes: String = "800x600") async throws -> Program {
      let program = try Program(
        Program.besideTests("ScenarioProgram"), ["--screen-mode=\(modes)"], display: server.display, home: home,
        on: server)
      try await waitUntil("the mode", evidence: { program.evidence }) { program.output.contains("mode 800x600") }
      #expect(try size == "800x600" && keepers.count == 1, "\(program.evidence)")
      return program
    }

    private func xrandr(_ mode: String) async throws {
      let process = try ChildProcess(
        ["xrandr", "--output", "DUMMY0", "--mode", mode],
        environment: try privateEnvironment(home: home, display: server.display), output: home.file("xrandr"),
        errors: home.file("xrandr-errors"))
      #expect(try await process.wait() == .exited(0), "\(text(of: home.file("xrandr-errors")))")
    }

    @Test("A program that is killed leaves the mode of before, at once")
    func killed() async throws {
      let program = try await start()
      program.send(SIGKILL)
      _ = try await program.end()
      try await waitUntil("the mode of before") { try size == "1152x900" }
      try await waitUntil("the second process's end") { keepers.isEmpty }
    }

    @Test("A second process that is killed is another one with the next choice, which knows the mode of before")
    func keeperKilled() async throws {
      let program = try await start("800x600,1024x768")
      for keeper in keepers { kill(keeper, SIGKILL) }
      try await waitUntil("the second process's end") { keepers.isEmpty }
      program.send(SIGUSR1)
      try await waitUntil("the other mode", evidence: { program.evidence }) { program.output.contains("mode 1024x768") }
      #expect(try size == "1024x768" && keepers.count == 1, "\(program.evidence)")
      program.send(SIGKILL)
      _ = try await program.end()
      try await waitUntil("the mode of before") { try size == "1152x900" }
      try await waitUntil("the new process's end") { keepers.isEmpty }
    }

    @Test("What somebody else has chosen meanwhile stays when the program is killed")
    func elsewhere() async throws {
      let program = try await start()
      try await xrandr("1024x768")
      try await waitUntil("the other mode") { try size == "1024x768" }
      program.send(SIGKILL)
      _ = try await program.end()
      try await waitUntil("the second process's end") { keepers.isEmpty }
      #expect(try size == "1024x768")
    }

    @Test("A program that ends in order puts the mode back by itself, and nothing is left of it")
    func ended() async throws {
      let program = try await start()
      // A terminal's signals reach the second process, too.
      for keeper in keepers { kill(keeper, SIGTERM) }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      try await waitUntil("the second process's end") { keepers.isEmpty }
      try await waitUntil("the mode of before") { try size == "1152x900" }
      #expect(try program.trace.lines().violations == [])
    }
  }
}
