import DeskSupport
import Glibc
import SuiteSupport
import Testing

/// What Triangle needs beside a server.
private enum TriangleRequirement {
  static var isMet: Bool { Requirement.program("Triangle") && (mustNotSkip || hasLibraries) }

  private static var hasLibraries: Bool {
    ["libEGL.so.1", "libGLESv2.so.2"].allSatisfy { name in
      guard let library = dlopen(name, RTLD_LAZY) else { return false }
      dlclose(library)
      return true
    }
  }
}

extension SecondDesk {
  /// Demos that draw, as people see and use them.
  @Suite("Demos that draw") struct DemoTests {
    enum Resumption: CaseIterable { case key, click }

    let desktop: PrivateDesktop
    let home: TemporaryFolder

    init() async throws {
      try Requirement.windowManager(.openbox)
      desktop = try await PrivateDesktop(.openbox)
      home = try TemporaryFolder()
    }

    // MARK: Pong

    @Test(
      "Pong pauses when the focus leaves, until its user goes on", .enabled(if: Requirement.program("Pong")),
      arguments: Resumption.allCases)
    func pauses(_ resumption: Resumption) async throws {
      // Given a game that is being played
      let program = try await start("Pong")
      let window = try #require(try program.windows().first)
      try await changes(window, program)
      #expect(try text(window).hasPrefix("Pong "))
      // When another window gets the focus
      let other = desktop.desk.client.makeWindow(x: 900, y: 700, width: 100, height: 100) { _ in }
      desktop.desk.focus(other)
      try await program.wait(for: "the scene to resign") {
        $0.count { $0.name == "sceneWillResignActive" } == 1 ? () : nil
      }
      // Then it says so, and nothing moves
      try await waitUntil("the pause to be shown") { try self.text(window).hasSuffix("(paused)") }
      try await staysAsItIs(window)
      // And when the focus is back by other means than a click, it still waits
      if resumption == .key {
        desktop.desk.focus(window)
        try await desktop.settle(program, quiet: .milliseconds(200)) { $0.first?.expectedState == .foregroundActive }
        try await staysAsItIs(window)
        try desktop.desk.key(" ")
      } else {
        let place = try #require(desktop.desk.client.place(of: window))
        try desktop.desk.click(x: place.x + 50, y: place.y + 50)
      }
      // And goes on when it is told to
      try await changes(window, program)
      #expect(try !self.text(window).hasSuffix("(paused)"))
      desktop.desk.client.destroy(other)
    }

    @Test(
      "Pong draws nothing in the background, and comes back with its picture", .enabled(if: Requirement.program("Pong"))
    )
    func background() async throws {
      // Given a game whose requests are counted: without shared memory each frame is a PutImage (72)
      let proxy = try XProxy(to: desktop.server, hiding: ["MIT-SHM"])
      let program = try await start("Pong", through: proxy)
      let window = try #require(try program.windows().first)
      try await drawsOn(proxy, program)
      // When it is minimised
      desktop.desk.iconify(window)
      try await isIn("background", program)
      // Then nothing is sent any more
      try await isSilent(proxy, program)
      // And when it comes back it has its picture, which stands still until the user goes on
      desktop.desk.restore(window)
      try await isIn("foregroundActive", program)
      try await waitUntil("the picture") { Set(self.pixels(window) ?? []).count > 3 }
      try await staysAsItIs(window)
      #expect(try self.text(window).hasSuffix("(paused)"))
      try desktop.desk.key(" ")
      try await drawsOn(proxy, program)
    }

    @Test(
      "What has drawn and rests sleeps, with one thread and the watchdog's", .enabled(if: Requirement.program("Pong")))
    func rests() async throws {
      // Given a program that has drawn many frames, and has nothing to draw any more
      let program = try await start("Pong")
      let window = try #require(try program.windows().first)
      try await changes(window, program)
      try desktop.desk.key("p")
      try await waitUntil("the pause") { try self.text(window).hasSuffix("(paused)") }
      try await staysAsItIs(window)
      // Then nothing wakes it for 3 s, once what is looked up only once (what the server can do, the rest after a move)
      // is over
      try await program.rests(for: .seconds(3))
      #expect(program.contextSwitches.threads == 2)
    }

    @Test("Pong comes back as it was left", .enabled(if: Requirement.program("Pong")))
    func restored() async throws {
      // Given a game that has gone on for a while
      let program = try await start("Pong")
      let window = try #require(try program.windows().first)
      let beginning = pixels(window)
      try await changes(window, program)
      try desktop.desk.key("p")
      try await waitUntil("the pause") { try self.text(window).hasSuffix("(paused)") }
      try await staysAsItIs(window)
      let (picture, name) = (try #require(pixels(window)), try text(window))
      #expect(picture != beginning)
      // When the program is told to end, and launched again
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      let next = try await start("Pong")
      let again = try #require(try next.windows().first)
      // Then score, ball and paddles are where they were, and the game waits
      try await waitUntil("the same picture", evidence: { next.evidence }) { self.pixels(again) == picture }
      #expect(try text(again) == name)
      try desktop.desk.key(" ")
      try await changes(again, next)
    }

    @Test("Where nothing can be drawn the program says so once, and runs on", .enabled(if: Requirement.program("Pong")))
    func cannotDraw() async throws {
      let proxy = try XProxy(to: desktop.server, hiding: [XProxy.trueColor])
      let program = try await start("Pong", through: proxy)
      try await waitUntil("the complaint", evidence: { program.evidence }) {
        program.errors.contains(
          "Proscenium: nothing is drawn into any window: the screen (depth 24) has no TrueColor visual.")
      }
      let window = try #require(try program.windows().first)
      desktop.desk.iconify(window)
      try await isIn("background", program)
      desktop.desk.restore(window)
      try await isIn("foregroundActive", program)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      #expect(program.errors.split(separator: "\n").count == 1, "\(program.errors)")
    }

    // MARK: Triangle

    @Test(
      "The triangle turns while it is seen, and nothing is drawn in the background",
      .enabled(if: TriangleRequirement.isMet))
    func turns() async throws {
      // Given a window whose requests are counted
      let proxy = try XProxy(to: desktop.server, hiding: ["MIT-SHM", "DRI3"])
      let program = try await start("Triangle", through: proxy)
      let window = try #require(try program.windows().first)
      try await changes(window, program)
      #expect(Set(pixels(window) ?? []).count > 100, "a triangle has many shades")
      try await drawsOn(proxy, program)
      // When it is minimised
      desktop.desk.iconify(window)
      try await isIn("background", program)
      try await waitUntil("the last frame") { program.output.contains("stops at") }
      // Then nothing is sent any more
      try await isSilent(proxy, program)
      // And when it comes back it goes on where it was
      desktop.desk.restore(window)
      try await isIn("foregroundActive", program)
      try await changes(window, program)
      let angles = self.angles(program)
      #expect(angles.count == 3)
      #expect(angles.dropFirst().first == angles.last, "\(program.output)")
    }

    @Test("Two triangles turn at once, and come back with their angles", .enabled(if: TriangleRequirement.isMet))
    func windows() async throws {
      let program = try await start("Triangle")
      try desktop.desk.key("n")
      try await desktop.settle(program, quiet: .milliseconds(200)) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      for window in try program.windows() { try await changes(window, program) }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      let ended = lines(program).filter { $0[1] == "stops" }.map { "\($0[0]) \($0[3])" }
      #expect(ended.count == 2, "\(program.evidence)")
      // When the program is launched again, and both windows have been used
      let next = try await start("Triangle", windows: 2)
      for window in try next.windows() {
        desktop.desk.focus(window)
        try await desktop.settle(next, quiet: .milliseconds(200)) { truths in
          truths.contains { $0.window == window && $0.expectedState == .foregroundActive }
        }
      }
      // Then each goes on from its own angle
      let begun = lines(next).filter { $0[1] == "starts" }.map { "\($0[0]) \($0[3])" }
      #expect(begun.sorted() == ended.sorted(), "\(next.evidence)")
    }

    @Test("Without its libraries the triangle says so and ends with 1", .enabled(if: TriangleRequirement.isMet))
    func missing() async throws {
      // Given a library that is none
      _ = try home.write("libEGL.so.1", "")
      let others = getenv("LD_LIBRARY_PATH").map { ":" + String(cString: $0) } ?? ""
      let program = try Program(
        Program.besideTests("Triangle"), display: desktop.server.display,
        environment: ["LD_LIBRARY_PATH": home.path + others])
      #expect(try await program.end() == .exited(1))
      #expect(program.errors.contains("libEGL.so.1 is missing. Install"), "\(program.errors)")
    }

    @Test("A server that goes away ends a game in order", .enabled(if: Requirement.program("Pong")))
    func lost() async throws {
      let program = try await start("Pong")
      try await desktop.server.kill()
      #expect(try await program.end() == .exited(1), "\(program.evidence)")
    }

    // Mesa has been seen to wait for ever for a frame of a server that died.
    @Test(
      "A server that goes away ends Triangle, whatever the driver waits for", .enabled(if: TriangleRequirement.isMet),
      arguments: 1...5)
    func lostWhileDrawing(round: Int) async throws {
      let program = try await start("Triangle")
      try await changes(try #require(try program.windows().first), program)
      try await desktop.server.kill()
      #expect(try await program.end() == .exited(1), "\(program.evidence)")
    }

    // What the driver asks for in a frame: GetGeometry (14) before it draws, PutImage (72) to show it. A frame
    // without a size was never shown to its end.
    @Test(
      "A server that goes away in the middle of a frame ends Triangle with 1, whatever the driver makes of it",
      .enabled(if: TriangleRequirement.isMet), arguments: [UInt8(14), 72])
    func lostInFrame(opcode: UInt8) async throws {
      let proxy = try XProxy(to: desktop.server, hiding: ["MIT-SHM", "DRI3"])
      let program = try await start("Triangle", through: proxy)
      try await drawsOn(proxy, program)
      proxy.cut(at: opcode)
      #expect(try await program.end() == .exited(1), "\(program.evidence)")
      #expect(!program.errors.contains("still waits"), "\(program.errors)")
      #expect(program.output.contains("stops at"), "not in order: \(program.evidence)")
    }

    // MARK: The hand and the eye

    private func start(_ demo: String, through proxy: XProxy? = nil, windows: Int = 1) async throws -> Program {
      let path = Program.besideTests(demo)
      let program =
        try proxy.map { try Program(path, display: $0.display, home: home, on: $0) }
        ?? desktop.start(path, home: home)
      try await desktop.settle(program, quiet: .milliseconds(200), demo) { truths in
        truths.count == windows && truths.contains { $0.expectedState == .foregroundActive }
      }
      return program
    }

    private func isIn(_ state: String, _ program: Program) async throws {
      try await program.wait(for: state) { $0.scenes.first?.state == state ? () : nil }
    }

    private func text(_ window: UInt32) throws -> String {
      try #require(desktop.desk.client.text(window, "WM_NAME"))
    }

    private func pixels(_ window: UInt32) -> [UInt32]? {
      guard let place = desktop.desk.client.place(of: window) else { return nil }
      return desktop.desk.client.pixels(of: window, x: 0, y: 0, width: place.width, height: place.height)
    }

    /// Waits until there are three pictures in a row, each unlike the one before.
    private func changes(_ window: UInt32, _ program: Program) async throws {
      var last = pixels(window)
      for _ in 0..<3 {
        try await waitUntil("another picture", evidence: { program.evidence }) {
          guard let next = self.pixels(window), next != last else { return false }
          last = next
          return true
        }
      }
    }

    /// The measure: half a second, in which 30 frames would be drawn.
    private func staysAsItIs(_ window: UInt32) async throws {
      // What was on its way when the scene resigned may come first.
      try await waitUntil("a picture that stands") {
        let before = self.pixels(window)
        try await Task.sleep(for: .milliseconds(500))
        return before != nil && self.pixels(window) == before
      }
    }

    private func drawsOn(_ proxy: XProxy, _ program: Program) async throws {
      let before = proxy.counts.byOpcode[72] ?? 0
      try await waitUntil("10 frames", evidence: { "\(proxy.counts)\n\(program.evidence)" }) {
        proxy.counts.byOpcode[72] ?? 0 >= before + 10
      }
    }

    /// The measure: a second in which 60 frames would be drawn, and no wake-up finds that there is
    /// nothing to draw.
    ///
    /// What saves the scene's state, and what looks after the program, may wake once or twice before.
    private func isSilent(_ proxy: XProxy, _ program: Program) async throws {
      try await program.rests(for: .seconds(1)) { proxy.counts.requests }
    }

    /// What the triangle says: its session, whether it starts or stops, "at", and the degrees.
    private func lines(_ program: Program) -> [[Substring]] {
      program.output.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count >= 5 }
    }

    private func angles(_ program: Program) -> [Substring] { lines(program).map { $0[3] } }
  }
}
