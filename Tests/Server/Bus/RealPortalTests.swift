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
      let dialog = source.requested.dialogs.show(.files(kind, options), above: WindowID(rawValue: window)) {
        result = $0
      }
      // One without an answer is not to stand above the next one.
      defer { if result == nil { dialog.close() } }
      try #require(host.turn { self.dialog(options.title) != nil || result != nil }, "there is no dialog")
      let shown = try #require(self.dialog(options.title))
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

    /// Checks the answer that is typed, in one of some dialogs: of a path without the keys that are lost GTK takes what
    /// there is.
    private func expectAnswer(
      _ path: String, to kind: FileDialogKind, _ options: FileDialogOptions, keys: [[String]],
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let expected = DesktopDialogOutcome.answered(.urls([URL(filePath: path)]))
      var outcomes: [DesktopDialogOutcome?] = []
      for attempt in 1...5 where outcomes.last != expected {
        var options = options
        options.title += " (\(attempt))"
        try outcomes.append(answer(kind, options, keys: keys))
      }
      #expect(outcomes.last == expected, "\(outcomes)", sourceLocation: location)
    }

    @Test("A file is opened, saved, and a folder is chosen, by the keyboard, above the program's window")
    func answers() throws {
      defer { source.stop() }
      let path = folder.path
      func typed(_ path: String) -> [[String]] {
        [["type", "/"], ["key", "ctrl+a"], ["type", path], ["key", "Return"]]
      }
      let filters = [FileFilter("Text", extensions: ["txt"])]
      try expectAnswer(
        path + "/one.txt", to: .open, FileDialogOptions(title: "Open It", filters: filters),
        keys: typed(path + "/one.txt"))
      try expectAnswer(
        path + "/two.txt", to: .save,
        FileDialogOptions(title: "Save It", directory: URL(filePath: path), suggestedName: "two.txt"),
        keys: [["key", "Return"]])
      try expectAnswer(
        path + "/inner", to: .folder, FileDialogOptions(title: "Choose It"),
        keys: typed(path + "/inner") + [["key", "Return"]])
      #expect(try answer(.open, FileDialogOptions(title: "Not It"), keys: [["key", "Escape"]]) == .cancelled)
    }

    @Test("A notice is taken by the portal that the machine has, whatever its version is")
    func notice() throws {
      defer { source.stop() }
      let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
      bus.connect()
      defer { bus.disconnect() }
      let portal = NotificationPortal(bus: bus, host: host, key: NoticeKey { $0 }, isReachable: { true })
      var content = UserNotificationContent(title: "Title", body: "Body")
      for playsSound in [false, true] {
        content.playsSound = playsSound
        let request = UserNotificationRequest(identifier: "1", content: content)
        let actions = [UserNotificationAction(identifier: "reply", title: "Reply")]
        var answer: BusFailure??
        portal.show(UserNotice(request: request, actions: actions)) { answer = .some($0) }
        #expect(host.turn { answer != nil })
        #expect(answer == .some(nil))
      }
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
