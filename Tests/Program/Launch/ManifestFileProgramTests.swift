import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// A real process, and the file of its manifest beside its program.
  @Suite("The manifest's file beside a program", .enabled(if: Requirement.sceneLab))
  struct ManifestFileProgramTests {
    /// A program of a copy in a folder with this manifest; the path of a link is not the program's.
    private func start(_ manifest: String) async throws -> (PrivateDesktop, Program, TemporaryFolder) {
      let (desktop, folder) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let copy = try folder.copy(DeskScenario.path, to: "Copied")
      try folder.write("Copied.manifest.json", manifest)
      let link = folder.file("Linked")
      try #require(symlink(copy, link) == 0)
      return (desktop, try desktop.start(link, ["--stay"]), folder)
    }

    @Test("Its values hold, for a program started by a link too")
    func values() async throws {
      let file =
        #"{"applicationIdentifier": "org.example.Packaged", "sceneConfigurations": {"Main": {"closePolicy": "background"}}}"#
      let (desktop, program, folder) = try await start(file)
      try await desktop.settle(program)
      let launch = try #require(try program.trace.lines().first { $0.kind == "launch" })
      #expect(launch.text.contains("\"org.example.Packaged\""), "\(program.evidence)")
      // The program's own policy discards the session
      let window = try #require(try program.windows().first)
      desktop.desk.close(window)
      try await program.wait(for: "the background") { lines in
        lines.contains { $0.name == "sceneDidEnterBackground" } ? true : nil
      }
      #expect(try !program.trace.lines().contains { $0.name == "sceneDidDisconnect" }, "\(program.evidence)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      withExtendedLifetime(folder) {}
    }

    @Test("A file that is none is reported on standard error, and the program runs as it was built")
    func unusable() async throws {
      let (desktop, program, folder) = try await start("{")
      try await desktop.settle(program)
      #expect(program.errors.contains("Copied.manifest.json was not used"), "\(program.evidence)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      withExtendedLifetime(folder) {}
    }
  }
}
