import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension OwnServer {
  @Suite("The desk itself tells the truth", .enabled(if: Requirement.server))
  struct DeskSupportTests {
    @Test("Each window manager shows, focuses, hides and restores a window", arguments: WindowManager.usual)
    func windowManager(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given two windows of another client
      let desktop = try await PrivateDesktop(kind)
      let other = try XClient(display: desktop.server.display)
      let windows = [other.makeWindow(), other.makeWindow(x: 300, y: 200)]
      let desk = desktop.desk
      func wait(_ what: String, _ condition: @escaping ([WindowTruth]) -> Bool) async throws {
        let evidence = { windows.map { "\(desk.client.truth($0))" }.joined(separator: "\n") }
        try await waitUntil("\(kind): \(what)", evidence: evidence) { condition(windows.map { desk.client.truth($0) }) }
      }
      try await wait("both shown") { $0.allSatisfy { $0.expectedState >= .foregroundInactive } }

      // When each gets the focus, then it is active and the other is not
      for (index, window) in windows.enumerated() {
        // Asked for again: fluxbox has been seen to leave both windows without the focus on a busy machine.
        var looks = 0
        try await wait("focus \(index)") { truths in
          if looks.isMultiple(of: 200) { desk.focus(window) }
          looks += 1
          return truths.indices.allSatisfy {
            truths[$0].expectedState == ($0 == index ? .foregroundActive : .foregroundInactive)
          }
        }
      }

      // When it is hidden, then it is in the background; and back again
      if kind.reasonAgainst(.iconify) == nil {
        desk.iconify(windows[0])
        try await wait("iconified") { $0[0].expectedState == .background }
        desk.restore(windows[0])
        try await wait("restored") { $0[0].expectedState >= .foregroundInactive }
      }
      if kind.reasonAgainst(.switchDesktop) == nil {
        try await desk.switchDesktop(1)
        try await wait("other desktop") { $0.allSatisfy { $0.expectedState == .background } }
        try await desk.switchDesktop(0)
        try await wait("this desktop") { $0.allSatisfy { $0.expectedState >= .foregroundInactive } }
        try await desk.sendToDesktop(windows[0], 1)
        try await wait("sent away") { $0[0].expectedState == .background }
        #expect(desk.client.truth(windows[1]).expectedState >= .foregroundInactive)
      }
      if kind.reasonAgainst(.showDesktop) == nil {
        desk.showDesktop(true)
        try await wait("desktop shown") { $0[1].expectedState == .background }
        desk.showDesktop(false)
        try await wait("desktop hidden") { $0[1].expectedState >= .foregroundInactive }
      }

      // When the manager is killed, then no client manages the root window
      if kind != .none {
        try await desktop.killWindowManager(SIGKILL)
        #expect(!desk.client.windowManagerRuns)
      }
      other.destroy(windows[0])
      #expect(desk.client.truth(windows[0]).expectedState == .unattached)
    }

    @Test("A window manager has started when the script of its configuration has ended")
    func slowConfiguration() async throws {
      var kind = WindowManager.bspwm
      try Requirement.windowManager(kind)
      kind.files["bspwmrc"]? += "sleep 0.7\nbspc monitor -a V\n"
      let desktop = try await PrivateDesktop(kind)
      let client = desktop.desk.client
      #expect(client.longs(client.root, "_NET_NUMBER_OF_DESKTOPS", type: "CARDINAL") == [5])
    }

    @Test("A display without a cookie refuses")
    func refusal() async throws {
      let server = try await XServer.withSecret()
      #expect(throws: DeskFailure.self) { try XClient(display: server.display) }
    }

    @Test("A server without an extension lacks it", arguments: ["RANDR", "XFIXES", "MIT-SCREEN-SAVER"])
    func serverWithout(_ name: String) async throws {
      let whole = try await XServer()
      #expect(try XClient(display: whole.display).has(extension: name))
      let server = try await XServer(withoutExtensions: [name])
      #expect(try !XClient(display: server.display).has(extension: name))
    }

    @Test("A proxy hides what it is told to hide, counts, and delays")
    func proxy() async throws {
      // Given a server behind a proxy
      let server = try await XServer()
      let proxy = try XProxy(to: server, hiding: ["SYNC", "XKEYBOARD"], delay: .milliseconds(20))
      let client = try XClient(display: proxy.display)

      // Then what is hidden is not there and the rest is, with sequence numbers that still fit
      #expect(!client.has(extension: "SYNC"))
      #expect(!client.has(extension: "XKEYBOARD"))
      #expect(client.has(extension: "XTEST"))
      #expect(proxy.counts.byOpcode[98] == 3)
      #expect(proxy.counts.hidden == ["SYNC", "XKEYBOARD"])

      // When a big request goes through, then nothing after it is lost
      let window = client.makeWindow()
      client.setProperty(window, "BIG", type: "CARDINAL", longs: Array(repeating: 7, count: 100_000))
      client.setProperty(window, "SMALL", type: "CARDINAL", longs: [1, 2, 3])
      #expect(client.longs(window, "SMALL", type: "CARDINAL") == [1, 2, 3])
      #expect(client.longs(window, "BIG", type: "CARDINAL")?.count == 20_000)

      // When it asks ten times, then it waits for ten round trips
      let elapsed = ContinuousClock().measure { for _ in 0..<10 { client.sync() } }
      #expect(elapsed >= .milliseconds(400))
    }

    @Test("X-Resource counts what a client has")
    func resources() async throws {
      let server = try await XServer()
      let (client, observer) = (try XClient(display: server.display), try XClient(display: server.display))
      let window = client.makeWindow()
      let before = try observer.resources(ofClientWith: window)["WINDOW"] ?? 0
      let second = client.makeWindow()
      #expect(try observer.resources(ofClientWith: window)["WINDOW"] == before + 1)
      client.destroy(second)
      #expect(try observer.resources(ofClientWith: window)["WINDOW"] == before)
    }

    @Test("A trace is read while it grows, and half a line is none")
    func trace() throws {
      let folder = try TemporaryFolder()
      let scene =
        #"{"t":1.5,"pid":7,"kind":"edge","scene":"s","name":"sceneWillConnect","from":"unattached","to":"background"}"#
      let fact =
        #"{"t":2,"pid":7,"kind":"fact","scene":"s","window":"0x1f","name":"visible","to":true,"cause":"x","new":[]}"#
      let path = try folder.write("trace", scene + "\n" + fact.dropLast(5))
      let reader = TraceReader(path: path)
      #expect(try reader.lines().scenes == [TracedScene(identifier: "s", state: "background")])
      try folder.write("trace", scene + "\n" + fact + "\n")
      #expect(try reader.lines().scenes == [TracedScene(identifier: "s", state: "background", window: 0x1f)])
      #expect(try reader.lines().last?.to == "true")
      try folder.write("trace", scene + "\n" + fact + "\nnonsense\n")
      #expect(throws: DeskFailure.self) { try reader.lines() }
    }

    @Test("A scene's window in a trace is its primary one: that of its edges, and of facts where no edge has named one")
    func primaryWindow() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("trace", "")
      let reader = TraceReader(path: path)
      var text = ""
      func edge(_ from: String, _ to: String, _ window: String?) -> String {
        let field = window.map { #""window":"\#($0)","# } ?? ""
        return #"{"t":1,"pid":7,"kind":"edge","scene":"s",\#(field)"name":"x","from":"\#(from)","to":"\#(to)"}"#
      }
      func fact(_ window: String) -> String {
        #"{"t":1,"pid":7,"kind":"fact","scene":"s","window":"\#(window)","name":"visible","to":true}"#
      }
      func window(after line: String) throws -> UInt32? {
        text += line + "\n"
        try folder.write("trace", text)
        return try reader.lines().scenes.first?.window
      }
      // A new scene has none until the server says something of one, and an alert is another.
      #expect(try window(after: edge("unattached", "background", nil)) == nil)
      #expect(try window(after: fact("0x1")) == 1)
      #expect(try window(after: fact("0x2")) == 1)
      #expect(try window(after: edge("background", "foregroundInactive", "0x1")) == 1)
      #expect(try window(after: fact("0x2")) == 1)
      // A disconnected one's window may stay, and come back with it.
      #expect(try window(after: edge("background", "unattached", "0x1")) == 1)
      #expect(try window(after: fact("0x1")) == 1)
      #expect(try window(after: edge("unattached", "background", nil)) == 1)
      #expect(try window(after: fact("0x1")) == 1)
      #expect(try window(after: fact("0x2")) == 1)
      // One that is lost is none, and the next connection has a new one.
      #expect(try window(after: edge("foregroundInactive", "background", nil)) == nil)
      #expect(try window(after: edge("background", "unattached", nil)) == nil)
      #expect(try window(after: edge("unattached", "background", nil)) == nil)
      #expect(try window(after: fact("0x3")) == 3)
    }

    @Test("A keyboard grab keeps other clients' grabs out, and a program that ends says how")
    func grabAndEnding() async throws {
      let desktop = try await PrivateDesktop()
      let second = try await Desk(at: desktop.server)
      try await desktop.desk.grabKeyboard()
      await #expect(throws: DeskFailure.self) {
        try await waitUntil("a second grab", limit: .milliseconds(50)) { try second.tryToGrabKeyboard() }
      }
      desktop.desk.ungrabKeyboard()
      try await second.grabKeyboard()

      let program = try desktop.start("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"])
      #expect(try await program.end() == .exited(3))
      #expect(program.output == "out\n")
      #expect(program.errors == "err\n")
      let sleeper = try desktop.start("/bin/sleep", ["100"])
      sleeper.send(SIGTERM)
      #expect(try await sleeper.end() == .signalled(SIGTERM))
    }
  }
}
