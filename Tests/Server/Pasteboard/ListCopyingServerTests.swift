#if canImport(ProsceniumUI)
  import DeskSupport
  import FoundationEssentials
  import Glibc
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
    /// Rows that are copied by keys, and pasted by another program.
    @MainActor @Suite("Copying in lists on a server", .enabled(if: TestServer.exists("xclip")))
    struct ListCopyingServerTests {
      private final class Fruits: TableViewDataSource {
        static let names = ["apple", "Grüße 🍒", "cherry"]
        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { Self.names.count }
        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
          let cell = TableViewCell()
          cell.textLabel.text = Self.names[indexPath.row]
          return cell
        }
      }

      @Test("xclip pastes the rows that were selected and copied by keys, from both selections")
      func pasted() async throws {
        try Requirement.windowManager(.openbox)
        let folder = try TemporaryFolder()
        let desktop = try await PrivateDesktop(.openbox)
        let (table, fruits) = (TableView(), Fruits())
        table.allowsMultipleSelection = true
        table.dataSource = fruits
        let program = try XProgram(display: desktop.server.display) { $0.rootView = table }
        table.becomeFirstResponder()
        try #require(program.run { program.window?.draws.isEmpty == false && !table.visibleCells.isEmpty })
        func pasted(_ selection: String) throws -> String? {
          let path = folder.path + "/" + selection
          unlink(path)
          let paste = "xclip -o -selection \(selection) > \(path).part && mv \(path).part \(path)"
          let child = try #require(
            QuietProcess(["sh", "-c", paste], environment: ["DISPLAY": desktop.server.display]))
          defer { child.end(SIGKILL) }
          try #require(program.run { access(path, R_OK) == 0 })
          return (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
        }
        try desktop.desk.press(.down)
        try desktop.desk.press(.down, .shift)
        let pasteboard = program.platform.parts.pasteboard
        try #require(
          program.run {
            table.indexPathsForSelectedRows.count == 2 && (pasteboard.owned[.primary]?.time ?? 0) != 0
          })
        #expect(try pasted("primary") == "apple\nGrüße 🍒")
        try desktop.desk.press("a", .control)
        try desktop.desk.press("c", .control)
        try #require(program.run { (pasteboard.owned[.general]?.time ?? 0) != 0 })
        #expect(try pasted("clipboard") == "apple\nGrüße 🍒\ncherry")
        #expect(try pasted("primary") == "apple\nGrüße 🍒\ncherry")
      }
    }
  }
#endif
