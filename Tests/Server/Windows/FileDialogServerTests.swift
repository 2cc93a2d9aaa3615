#if canImport(ProsceniumUI)
  import DeskSupport
  import FoundationEssentials
  import ProsceniumCore
  import ProsceniumDesk
  import ProsceniumTesting
  import ProsceniumUI
  import SuiteSupport
  import Testing

  @testable import ProsceniumLoop
  @testable import ProsceniumPlatform
  @testable import ProsceniumX11

  extension X11PlatformTests {
    /// The dialog for files of views, in a window of a real server, used by keys.
    @MainActor @Suite("Dialog for files on a server") struct FileDialogServerTests {
      @Test("Where there is no portal a file is chosen by keys in a window above the scene's")
      func chosen() async throws {
        try Requirement.windowManager(.openbox)
        let folder = try TemporaryFolder()
        for name in ["apple.txt", "berry.txt", "cherry.txt"] { _ = try folder.write(name, name) }
        let desktop = try await PrivateDesktop(.openbox)
        let program = try XProgram(display: desktop.server.display) { $0.rootView = View() }
        try #require(program.run { program.window?.draws.isEmpty == false })
        let scene = try #require(program.window?.windowScene)
        var options = FileDialogOptions()
        options.directory = URL(filePath: folder.path)
        var chosen: [String]?
        let task = Task { [options] in chosen = try await scene.openFiles(options).map(\.path) }
        defer { task.cancel() }
        let client = desktop.desk.client
        func shown() -> UInt32? { scene.modalWindows.last?.id?.rawValue }
        try await turn(program) { shown().map { client.truth($0).hasFocus } == true }
        let dialog = try #require(shown())
        let owner = try #require(program.window?.id?.rawValue)
        #expect(client.longs(dialog, "WM_TRANSIENT_FOR", type: "WINDOW") == [owner])
        // The folder is read beside the main thread: a name is found once it is there.
        for _ in 0..<200 where chosen == nil {
          for key in "ber" { try desktop.desk.key(key) }
          try desktop.desk.press(.return)
          await pause(program)
        }
        #expect(chosen == [folder.path + "/berry.txt"])
        #expect(scene.modalWindows.isEmpty && scene.activationState != .background)
        try await turn(program) { !client.truth(dialog).isViewable }
      }

      /// Runs the loop and the tasks of the main actor until a condition holds.
      private func turn(
        _ program: XProgram, until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation
      ) async throws {
        for _ in 0..<600 where !condition() { await pause(program) }
        try #require(condition(), sourceLocation: location)
      }

      private func pause(_ program: XProgram) async {
        program.run(milliseconds: 50)
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }
#endif
