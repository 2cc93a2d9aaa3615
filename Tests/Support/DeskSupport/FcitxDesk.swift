import CXCB
import Glibc
import Synchronization

/// Fcitx 5 with Pinyin, on a bus of its own, which also serves X clients (XIM).
package final class FcitxDesk: Sendable {
  package static var isInstalled: Bool {
    mustNotSkip
      || DeskSupport.isInstalled("fcitx5") && PrivateBus.isInstalled
        && access("/usr/share/fcitx5/inputmethod/pinyin.conf", R_OK) == 0
  }

  package let bus: PrivateBus
  private let home: TemporaryFolder
  private let display: String
  private let process: Mutex<ChildProcess>

  /// Starts it.
  /// - Parameters:
  ///   - display: The display.
  ///   - isOnTheSpot: Whether what is composed is shown by programs, and not by Fcitx.
  /// - Throws: `DeskFailure` if it does not start.
  package init(display: String, isOnTheSpot: Bool = true) async throws {
    self.display = display
    (bus, home) = (try await PrivateBus(startsServices: false), try TemporaryFolder())
    try home.write(
      "config/fcitx5/profile",
      """
      [Groups/0]
      Name=Default
      Default Layout=us
      DefaultIM=pinyin

      [Groups/0/Items/0]
      Name=pinyin
      Layout=

      [GroupOrder]
      0=Default

      """)
    try home.write(
      "config/fcitx5/config", "[Behavior]\nActiveByDefault=True\nShowInputMethodInformation=False\n")
    try home.write("config/fcitx5/conf/xim.conf", "UseOnTheSpot=\(isOnTheSpot ? "True" : "False")\n")
    process = Mutex(try Self.start(bus, home, display))
    try await waitForServer()
  }

  package var daemon: ChildProcess { process.withLock { $0 } }

  /// What leads a program to it by XIM: it does not know the bus.
  package var environment: [String: String] {
    [
      "HOME": home.file("program"), "DISPLAY": display, "XMODIFIERS": "@im=fcitx",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  /// What leads a program to it by its bus.
  package var busEnvironment: [String: String] { environment.merging(bus.environment) { $1 } }

  private static func start(_ bus: PrivateBus, _ home: TemporaryFolder, _ display: String) throws -> ChildProcess {
    var environment = try privateEnvironment(home: home, display: display).merging(bus.environment) { $1 }
    environment["XDG_CONFIG_HOME"] = home.file("config")
    environment["XDG_DATA_HOME"] = home.file("data")
    return try ChildProcess(
      ["fcitx5", "--disable=all", "--enable=xcb,xim,dbus,dbusfrontend,keyboard,pinyin,punctuation,classicui"],
      environment: environment, output: home.file("out"), errors: home.file("err"))
  }

  private func waitForServer() async throws {
    let client = try XClient(display: display)
    try await waitUntil("Fcitx as a server of XIM", limit: .seconds(120), evidence: { text(of: home.file("err")) }) {
      client.owner(ofSelection: "@server=fcitx") != 0
    }
  }

  /// Starts it again after its end.
  package func restart() async throws {
    let next = try Self.start(bus, home, display)
    process.withLock { $0 = next }
    try await waitForServer()
  }
}

extension XClient {
  /// The owner of a selection; 0 where it has none.
  package func owner(ofSelection name: String) -> UInt32 {
    read(xcb_get_selection_owner_reply(connection, xcb_get_selection_owner(connection, atom(name)), nil)) {
      $0.pointee.owner
    } ?? 0
  }

  /// The places of the windows on the root that are shown and have a title.
  package func places(ofWindowsTitled title: String) -> [Place] {
    let tree = xcb_query_tree_reply(connection, xcb_query_tree(connection, root), nil)
    let all =
      read(tree) {
        Array(UnsafeBufferPointer(start: xcb_query_tree_children($0), count: Int(xcb_query_tree_children_length($0))))
      } ?? []
    return all.filter { window in
      let attributes = xcb_get_window_attributes_reply(
        connection, xcb_get_window_attributes(connection, window), nil)
      let isShown = read(attributes) { UInt32($0.pointee.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue } ?? false
      return isShown && (text(window, "WM_NAME") ?? text(window, "_NET_WM_NAME", type: "UTF8_STRING")) == title
    }
    .compactMap { place(of: $0) }
  }
}
