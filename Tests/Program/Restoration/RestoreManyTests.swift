import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// A whole desktop of windows, gone and back.
  @Suite("Fifty windows that come back", .enabled(if: Requirement.server)) struct RestoreManyTests {
    /// What the server and the window manager say of one window.
    struct Seen: Hashable, CustomStringConvertible {
      var place: Place?
      var desktop: UInt32?
      var wmState: UInt32?
      var states: Set<String>
      var description: String {
        "\(place?.description ?? "?") desktop \(desktop.map(String.init) ?? "-") state \(wmState ?? 9) \(states.sorted())"
      }
    }

    private func look(_ client: XClient, _ window: UInt32, _ kind: WindowManager) -> Seen {
      let truth = client.truth(window)
      let kept = ["_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_FULLSCREEN"]
      // A tile's place is the tiling's, not the window's.
      let place = kind == .i3 || truth.wmState != 1 ? nil : client.place(of: window)
      let desktop = client.longs(window, "_NET_WM_DESKTOP", type: "CARDINAL")?.first
      // On another desktop a window has the state that its window manager likes, or none (openbox, until it is shown).
      return Seen(
        place: place, desktop: kind == .i3 ? nil : desktop, wmState: kind == .i3 || desktop != 0 ? nil : truth.wmState,
        states: truth.netWMState.intersection(kept))
    }

    @Test(
      "Place, size, desktop and state are as before, none twice, and one asks for the focus",
      arguments: [WindowManager.openbox, .xfwm4, .mutter, .i3])
    func fifty(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let count = 50
      let desktop = try await PrivateDesktop(kind)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      let home = try TemporaryFolder()
      // Given fifty windows, each somewhere, some iconic, elsewhere or maximised
      let first = try desktop.start(Program.besideTests("SceneLab"), ["--plain", "--scenes", "\(count)"], home: home)
      try await first.wait(for: "fifty windows", limit: .seconds(180)) { _ in
        client.windowsBySession(of: first).count == count ? true : nil
      }
      let order = client.windowsBySession(of: first).sorted { $0.key < $1.key }
      for (index, (_, window)) in order.enumerated() where kind != .i3 {
        client.move(window, to: Place(30 + index % 10 * 60, 60 + index / 10 * 70, 200 + index, 150 + index))
      }
      try await saved(desktop, first, kind, home)
      for (index, (_, window)) in order.enumerated() {
        if index % 10 == 3, kind != .i3 { desk.iconify(window) }
        if index % 10 == 5 { try await desk.sendToDesktop(window, 1) }
      }
      if kind != .i3 {
        client.ask(
          order[47].value, "_NET_WM_STATE",
          [1, client.atom("_NET_WM_STATE_MAXIMIZED_VERT"), client.atom("_NET_WM_STATE_MAXIMIZED_HORZ"), 1])
      }
      desk.focus(order[9].value)
      try await waitUntil("the focus") { client.truth(order[9].value).hasFocus }
      let before = try await saved(desktop, first, kind, home)
      // When the program is killed, and another program has the focus
      first.send(SIGKILL)
      _ = try await first.end()
      try await waitUntil("the windows to be gone") { order.allSatisfy { !client.truth($0.value).exists } }
      // Each of them is a new tiling of all others; i3 may leave the last one in its list until the next one comes.
      let other = client.makeWindow(x: 900, y: 600)
      try await waitUntil("the windows to be forgotten", limit: .seconds(180)) {
        client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW") == [other]
      }
      try await waitUntil("another program's window") { client.truth(other).isViewable }
      desk.focus(other)
      try await waitUntil("its focus") { client.truth(other).hasFocus }
      let second = try desktop.start(Program.besideTests("SceneLab"), ["--plain"], home: home)
      try await second.wait(for: "fifty windows again", limit: .seconds(180)) { _ in
        client.windowsBySession(of: second).count == count ? true : nil
      }
      let after = try await settled(desktop, second, kind, expected: before)
      // Then each is as it was
      #expect(Set(after.keys) == Set(before.keys))
      for (session, seen) in before.sorted(by: { $0.key < $1.key }) {
        let record = home.records(of: "SceneLab")[session] ?? "no record"
        #expect(after[session] == seen, "\(kind), \(session)\n\(record)\n\(lines(of: session, in: second))")
      }
      // And none but the last one asked for the focus: no other was ever focused.
      let focused = Set(
        try second.trace.lines().filter { $0.kind == "fact" && $0.name == "focused" && $0.to == "true" }
          .compactMap(\.scene))
      #expect(focused.isSubset(of: [order[9].key]), "\(kind)")
      #expect(try second.trace.lines().first { $0.kind == "launch" }?.reason == "recover")
      second.send(SIGTERM)
      #expect(try await second.end() == .exited(0))
    }

    /// What the trace says of a session.
    private func lines(of session: String, in program: Program) -> String {
      text(of: program.trace.path).split(separator: "\n").filter { $0.contains(session) }.joined(separator: "\n")
    }

    /// All windows, once they are as expected and nothing has changed for a while; as they are at the end of a minute.
    ///
    /// A busy machine may pause longer than that while between two steps.
    private func settled(
      _ desktop: PrivateDesktop, _ program: Program, _ kind: WindowManager, expected: [String: Seen]? = nil
    ) async throws -> [String: Seen] {
      let client = desktop.desk.client
      var last: [String: Seen] = [:]
      let start = ContinuousClock.now
      var since = start
      return try await program.wait(for: "the desktop to come to rest", limit: .seconds(180)) { _ in
        let now = client.windowsBySession(of: program).mapValues { look(client, $0, kind) }
        if now != last { (last, since) = (now, .now) }
        if let expected, now != expected, ContinuousClock.now - start < .seconds(60) { return nil }
        return ContinuousClock.now - since > .milliseconds(1200) ? now : nil
      }
    }

    /// All windows, once nothing has changed for a while and the store knows it.
    @discardableResult
    private func saved(
      _ desktop: PrivateDesktop, _ program: Program, _ kind: WindowManager, _ home: TemporaryFolder
    ) async throws -> [String: Seen] {
      let seen = try await settled(desktop, program, kind)
      try await waitUntil("everything to be saved", evidence: { unsaved(seen, home).joined(separator: "\n") }) {
        unsaved(seen, home).isEmpty
      }
      return seen
    }

    /// What the store does not say yet of windows that have been seen.
    private func unsaved(_ seen: [String: Seen], _ home: TemporaryFolder) -> [String] {
      let records = home.records(of: "SceneLab")
      return seen.compactMap { session, seen in
        guard let record = records[session] else { return "\(session): no record" }
        var expected: [String] = []
        if let place = seen.place, seen.states.isEmpty {
          expected.append(
            "\"frame\":{\"origin\":{\"x\":\(place.x),\"y\":\(place.y)},"
              + "\"size\":{\"height\":\(place.height),\"width\":\(place.width)}}")
        }
        if seen.wmState == 3 { expected.append("\"isMinimized\":true") }
        if seen.states.contains("_NET_WM_STATE_MAXIMIZED_VERT") { expected.append("\"isMaximized\":true") }
        return expected.allSatisfy(record.contains) ? nil : "\(seen) is stored as \(record)"
      }
    }
  }
}
