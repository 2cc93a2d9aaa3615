import DeskSupport
import FoundationEssentials
import Glibc
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

extension OwnServer {
  /// Dialogs of xdg-desktop-portal with its GTK backend, which a private bus starts, above a window under openbox.
  @MainActor
  @Suite(
    "Dialogs of a real portal",
    .enabled(if: mustNotSkip || (BusRequirement.isMet && access("/usr/libexec/xdg-desktop-portal-gtk", X_OK) == 0)))
  struct RealPortalTests {
    private let host = TestHost()
    private let server: TestServer
    private let manager: QuietProcess?
    private let client: XClient
    private let daemon: PrivateBus
    private let source: BusSource
    private let window: UInt32
    private let folder: TemporaryFolder

    init() async throws {
      server = try #require(TestServer())
      manager = try server.launchOpenbox()
      client = try XClient(display: server.display)
      window = client.makeWindow()
      daemon = try await PrivateBus(variables: ["DISPLAY": server.display, "XDG_CURRENT_DESKTOP": "gnome"])
      source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
      source.start(host)
      host.passTime()
      folder = try TemporaryFolder()
      try folder.write("one.txt", "1")
      mkdir(folder.file("inner"), 0o700)
    }

    /// The dialog's window, by its title.
    private func dialog(_ title: String) -> UInt32? {
      (client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW") ?? [])
        .first { client.text($0, "_NET_WM_NAME", type: "UTF8_STRING") == title }
    }

    /// Shows a dialog, and types until it has ended.
    private func answer(_ kind: FileDialogKind, _ options: FileDialogOptions, keys: [[String]]) throws
      -> DesktopDialogOutcome?
    {
      var result: DesktopDialogOutcome?
      _ = source.requested.dialogs.show(.files(kind, options), above: WindowID(rawValue: window)) { result = $0 }
      try #require(host.turn { dialog(options.title) != nil || result != nil }, "there is no dialog")
      let shown = try #require(dialog(options.title))
      #expect(client.longs(shown, "WM_TRANSIENT_FOR", type: "WINDOW") == [window])
      // While GTK opens the field for a path it loses keys, and then has nothing of that name.
      for _ in 0..<10 where result == nil {
        server.run("xdotool", "windowactivate", "--sync", "\(shown)")
        for words in keys {
          server.run("xdotool", words[0], words[1])
          _ = host.turn(seconds: 1) { result != nil }
        }
      }
      return result
    }

    @Test("A file is opened, saved, and a folder is chosen, by the keyboard, above the program's window")
    func answers() throws {
      defer { source.stop() }
      let path = folder.path
      let filters = [FileFilter("Text", extensions: ["txt"])]
      #expect(
        try answer(
          .open, FileDialogOptions(title: "Open It", filters: filters),
          keys: [["type", "/"], ["key", "ctrl+a"], ["type", path + "/one.txt"], ["key", "Return"]])
          == .answered(.urls([URL(filePath: path + "/one.txt")])))
      #expect(
        try answer(
          .save,
          FileDialogOptions(title: "Save It", directory: URL(filePath: path), suggestedName: "two.txt"),
          keys: [["key", "Return"]]) == .answered(.urls([URL(filePath: path + "/two.txt")])))
      let inner = DesktopDialogOutcome.answered(.urls([URL(filePath: path + "/inner")]))
      // Of a path without the keys that are lost it takes what there is, which is not what was typed.
      var results: [DesktopDialogOutcome?] = []
      for attempt in 1...5 where results.last != inner {
        try results.append(
          answer(
            .folder, FileDialogOptions(title: "Choose It \(attempt)"),
            keys: [
              ["type", "/"], ["key", "ctrl+a"], ["type", path + "/inner"], ["key", "Return"], ["key", "Return"],
            ]))
      }
      #expect(results.last == inner, "\(results)")
      #expect(try answer(.open, FileDialogOptions(title: "Not It"), keys: [["key", "Escape"]]) == .cancelled)
    }

    @Test("A dialog that the program closes goes away")
    func closing() throws {
      defer { source.stop() }
      var results = 0
      let shown = source.requested.dialogs.show(
        .files(.open, FileDialogOptions(title: "Go Away")), above: WindowID(rawValue: window)
      ) { _ in results += 1 }
      #expect(host.turn { dialog("Go Away") != nil })
      shown.close()
      #expect(host.turn { dialog("Go Away") == nil })
      #expect(results == 0)
    }
  }
}
