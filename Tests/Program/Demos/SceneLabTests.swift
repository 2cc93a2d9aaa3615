import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// SceneLab's face, which is there where Cairo is: as Notes, which needs it.
  @Suite(
    "SceneLab's face",
    .enabled(if: Requirement.sceneLab && Requirement.program("Notes")))
  struct SceneLabTests {
    let desktop: PrivateDesktop

    init() async throws {
      try Requirement.windowManager(.openbox)
      desktop = try await PrivateDesktop(.openbox)
    }

    @Test("The header has the state's colour, and the buttons do what the keys do")
    func buttons() async throws {
      // Given a scene that is active
      let program = try await desktop.startSceneLab(1)
      let first = try #require(try program.windows().first)
      try await shows(0x2E8B57, first, program)
      // When its first button is pressed, New
      try press(first, fromLeft: 30)
      // Then there is another scene
      try await desktop.settle(program, "two scenes") { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      desktop.desk.focus(first)
      try await shows(0x2E8B57, first, program)
      let second = try #require(try program.windows().last)
      try await shows(0xE0A030, second, program)
      // And when the last one is pressed, Quit, then the program ends in order
      try press(first, fromLeft: -30)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test("Without any font it says so once, and its buttons can be pressed all the same")
    func noFonts() async throws {
      // Given a machine without fonts
      let folder = try TemporaryFolder()
      let cache = folder.file("cache")
      let fonts = try folder.write("fonts.conf", "<fontconfig><cachedir>\(cache)</cachedir></fontconfig>")
      let program = try await desktop.startSceneLab(1, [], ["FONTCONFIG_FILE": fonts])
      let first = try #require(try program.windows().first)
      try await shows(0x2E8B57, first, program)
      // When another scene shows its face, and Quit is pressed in the first one
      try desktop.desk.key("n")
      try await desktop.settle(program, "two scenes") { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      let second = try #require(try program.windows().last)
      desktop.desk.focus(second)
      try await shows(0x2E8B57, second, program)
      desktop.desk.focus(first)
      try await shows(0x2E8B57, first, program)
      try press(first, fromLeft: -30)
      // Then the program ends in order, with one complaint
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      let complaints = program.errors.split(separator: "\n").filter { $0.contains("no font is installed") }
      #expect(complaints.count == 1, "\(program.errors)")
    }

    @Test("In a narrow window of small pixels the buttons are in two rows, and all of them can be pressed")
    func narrow() async throws {
      // Given twice the pixels for a point, and a window of 200 by 150 points
      let client = desktop.desk.client
      client.setProperty(
        client.root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: Array("Xft.dpi:\t192\n".utf8))
      let program = try await desktop.startSceneLab(1)
      let first = try #require(try program.windows().first)
      desktop.desk.focus(first)
      client.move(first, to: Place(100, 100, 400, 300))
      try await shows(0x2E8B57, first, program)
      // And it has laid its buttons out anew: half a second without a sign of it is many frames
      try await desktop.settle(program, quiet: .milliseconds(500), "the size") { _ in
        client.place(of: first)?.width == 400
      }
      // When the first button of the upper row is pressed, New: 31 points from the lower row's
      try press(first, fromLeft: 60, above: 74)
      // Then there is another scene, and the last button of the lower row ends the program
      try await desktop.settle(program, "two scenes") { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      desktop.desk.focus(first)
      try await shows(0x2E8B57, first, program)
      try press(first, fromLeft: -60, above: 20)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test("It is installed for the desktop, and removed")
    func installed() async throws {
      let home = try TemporaryFolder()
      for (command, isThere) in [("--install-desktop-entry", true), ("--uninstall-desktop-entry", false)] {
        let program = try desktop.start(
          Program.besideTests("SceneLab"), [command], environment: ["XDG_DATA_HOME": home.file("data")], home: home)
        #expect(try await program.end() == .exited(0), "\(program.evidence)")
        let entry = home.file("data/applications/org.proscenium.SceneLab.desktop")
        #expect((access(entry, F_OK) == 0) == isThere, "\(command)")
      }
    }

    @Test("Time goes on in sight, also without the focus, and nothing is drawn in the background")
    func time() async throws {
      // Given a visible scene, whose requests are counted
      let proxy = try XProxy(to: desktop.server, hiding: ["MIT-SHM"])
      let program = try Program(Program.besideTests("SceneLab"), display: proxy.display, on: proxy)
      try await desktop.settle(program, "active") { $0.first?.expectedState == .foregroundActive }
      let window = try #require(try program.windows().first)
      try await goesOn(window, program)
      let other = desktop.desk.client.makeWindow(x: 900, y: 700, width: 100, height: 100) { _ in }
      desktop.desk.focus(other)
      try await shows(0xE0A030, window, program)
      try await goesOn(window, program)
      // When it is minimised
      desktop.desk.iconify(window)
      try await program.wait(for: "background") { $0.scenes.first?.state == "background" ? () : nil }
      // Then nothing is sent any more, in twice the time that a picture lasts; the state is saved a moment before
      try await desktop.settle(program, quiet: .milliseconds(500), "hidden") {
        $0.first?.expectedState == .background
      }
      try await program.rests(for: .seconds(2)) { proxy.counts.requests }
      // And on return it goes on
      desktop.desk.restore(window)
      try await goesOn(window, program)
      desktop.desk.client.destroy(other)
    }

    @Test("What was drawn with comes back with its scene")
    func resources() async throws {
      // Given a scene, and what it has on the server after another one was there
      let program = try await desktop.startSceneLab(1)
      let first = try #require(try program.windows().first)
      try await shows(0x2E8B57, first, program)
      try await openAndClose(program)
      let before = try desktop.desk.client.resources(ofClientWith: first)
      // When others come and go
      for _ in 1...3 { try await openAndClose(program) }
      // Then nothing has become more; a window has three buffers at most, as many as the server is slow
      let buffers: Set = ["PIXMAP", "ShmSeg", "XFixesRegion"]
      try await waitUntil("no more than before", evidence: { "\(before)\n\(program.evidence)" }) {
        try desktop.desk.client.resources(ofClientWith: first).allSatisfy { type, count in
          // One graphics context for all windows, made when the server first loses something; three scenes would leave
          // three.
          count <= (buffers.contains(type) ? 3 : (before[type] ?? 0) + (type == "GC" ? 1 : 0))
        }
      }
    }

    // MARK: The hand and the eye

    /// Opens a scene with its face, and closes it.
    private func openAndClose(_ program: Program) async throws {
      try desktop.desk.key("n")
      let scenes = try await desktop.settle(program, "two") { $0.count == 2 && $0[1].isViewable }
      let window = try #require(scenes[1].window)
      desktop.desk.focus(window)
      try await shows(0x2E8B57, window, program)
      try desktop.desk.key("w")
      let left = try await desktop.settle(program, "one again") { $0.count == 1 }
      desktop.desk.focus(try #require(left[0].window))
      try await desktop.settle(program, "active again") { $0[0].expectedState == .foregroundActive }
    }

    /// Waits for the header's colour.
    private func shows(_ color: UInt32, _ window: UInt32, _ program: Program) async throws {
      try await waitUntil("the header's colour", evidence: { program.evidence }) {
        self.desktop.desk.client.pixels(of: window, x: 2, y: 2, width: 1, height: 1)?.first.map { $0 & 0xFFFFFF }
          == color
      }
    }

    /// Waits for two more pictures of the time line.
    private func goesOn(_ window: UInt32, _ program: Program) async throws {
      var last: [UInt32]?
      for _ in 0..<3 {
        try await waitUntil("another picture", evidence: { program.evidence }) {
          // A row in its middle; too low or too high it would have nothing that moves.
          let next = self.desktop.desk.client.pixels(of: window, x: 0, y: 130, width: 360, height: 1)
          guard let next, next != last, Set(next).count > 2 else { return false }
          last = next
          return true
        }
      }
    }

    /// Clicks into the row of buttons; a negative distance counts from the right.
    private func press(_ window: UInt32, fromLeft distance: Int, above: Int = 0) throws {
      let place = try #require(desktop.desk.client.place(of: window))
      let x = distance < 0 ? place.x + place.width + distance : place.x + distance
      try desktop.desk.click(x: x, y: place.y + place.height - 26 - above)
    }
  }
}
