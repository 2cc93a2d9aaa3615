#if !WITHOUT_InterfaceFiles
  import DeskSupport
  import Glibc
  import ProsceniumDesktop
  import Testing

  @testable import ProsceniumCore

  /// A program whose executable an update replaces while it runs: another process of these tests, from a copy.
  @Suite("An executable that is replaced", .enabled(if: InterfaceParser.library != nil)) struct ReplacedExecutableTests
  {
    @Test("Files beside the executable are looked for where it was at the launch, and never in the current directory")
    func replaced() async throws {
      let folder = try TemporaryFolder()
      let copy = try folder.copy("/proc/self/exe", to: "program/tests")
      try folder.write("program/Main.ui", "<interface><object class='Right'/></interface>")
      var environment = try privateEnvironment(home: folder, display: nil)
      environment["PROSCENIUM_REPLACED"] = "1"
      let process = try ChildProcess(
        [copy, "--testing-library", "swift-testing", "--filter", "ReplacedOnPurpose"], environment: environment,
        output: folder.file("out"), errors: folder.file("err"))
      let ending = try await process.wait(limit: .seconds(60))
      #expect(ending == .exited(0), "\(text(of: folder.file("out")))\(text(of: folder.file("err")))")
    }
  }

  /// For the test above alone: replaces the file of its own process.
  @Suite(.enabled(if: getenv("PROSCENIUM_REPLACED") != nil, "only within another test")) struct ReplacedOnPurpose {
    @Test func replaced() throws {
      // What the launch does
      let path = try DesktopInstaller.ownPath()
      try #require(unlink(path) == 0)
      let document = try InterfaceDocument(contentsOf: "Main.ui")
      #expect(document.root.children.first?.attributes["class"] == "Right")
      #expect(try DesktopInstaller.ownPath() == path)
    }
  }
#endif
