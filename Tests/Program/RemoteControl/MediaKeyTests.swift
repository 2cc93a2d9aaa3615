import DeskSupport
import Glibc
import ProsceniumCore
import ProsceniumDesk
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Media keys that a real server sends to windows of a program.
  @Suite("Media keys of a keyboard", .enabled(if: Requirement.server))
  struct MediaKeyTests {
    /// The keys of `XF86keysym.h` that are commands.
    private static let keys: [(symbol: UInt32, command: RemoteControlCommand)] = [
      (0x1008_FF14, .togglePlayPause), (0x1008_FF15, .stop), (0x1008_FF16, .previousTrack), (0x1008_FF17, .nextTrack),
      (0x1008_FF31, .pause), (0x1008_FF3E, .beginSeekingBackward), (0x1008_FF97, .beginSeekingForward),
    ]
    private static let forward = DeskKey(symbol: 0x1008_FF97)
    private static let rewind = DeskKey(symbol: 0x1008_FF3E)

    /// A program with windows that are as many, the last of which has the focus.
    private func start(_ count: Int = 1) async throws -> DeskScenario {
      let run = try await DeskScenario(.openbox, arguments: ["--stay"])
      for _ in 1..<count { try await run.perform("new") }
      try await run.desktop.settle(run.program) { $0.count == count && $0.allSatisfy(\.exists) }
      return run
    }

    /// What the first responders heard.
    private func heard(_ run: DeskScenario) -> [String] {
      run.program.output.split(separator: "\n").map(String.init).filter {
        $0.contains("asked to") || $0.contains("key ")
      }
    }

    /// Waits until they have heard this, and no more, since the start.
    private func wait(_ run: DeskScenario, for lines: [String]) async throws {
      try await waitUntil("\(lines)", evidence: { "\(heard(run))\n\(run.program.evidence)" }) {
        heard(run).count >= lines.count
      }
      #expect(heard(run) == lines, "\(run.program.evidence)")
    }

    /// Begins to receive commands, and waits until the server knows of it.
    private func begin(_ run: DeskScenario, _ words: String = "player begin") async throws {
      try await run.perform(words)
      try await hasBegun(run)
    }

    private func hasBegun(_ run: DeskScenario) async throws {
      try await run.program.wait(for: "the begin") { lines in
        lines.contains { $0.name == "remoteControl" && $0.text.contains("receives") } ? true : nil
      }
      try await run.desktop.settle(run.program)
    }

    /// Gives a window the focus.
    private func focus(_ run: DeskScenario, _ scene: Int) async throws {
      try await run.perform("user focus \(scene)")
      try await wait(run, for: scene, "foregroundActive")
    }

    private func wait(_ run: DeskScenario, for scene: Int, _ state: String) async throws {
      try await run.program.wait(for: "scene \(scene) to be \(state)") { lines in
        let scenes = lines.scenes
        return scenes.indices.contains(scene - 1) && scenes[scene - 1].state == state ? true : nil
      }
    }

    @Test("Each is a command for the first responder while commands are received, and else a key")
    func keys() async throws {
      let run = try await start()
      defer { run.close() }
      var expected: [String] = []
      try await begin(run)
      for (symbol, command) in Self.keys {
        try run.desktop.desk.press(DeskKey(symbol: symbol))
        expected.append("1 asked to \(command)")
        if let end = command.whenReleased { expected.append("1 asked to \(end)") }
      }
      try await wait(run, for: expected)
      // A release after the end is that of a press before it.
      let play = DeskKey(symbol: Self.keys[0].symbol)
      try run.desktop.desk.hold(play, isDown: true)
      expected.append("1 asked to togglePlayPause")
      try await wait(run, for: expected)
      try await run.perform("player end")
      try run.desktop.desk.hold(play, isDown: false)
      // Not the same key at once: a release and a press at the same moment are a repetition.
      for (symbol, _) in Self.keys.reversed() {
        try run.desktop.desk.press(DeskKey(symbol: symbol))
        expected += ["1 key down", "1 key up"]
      }
      try await wait(run, for: expected)
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }

    @Test("A key that is pressed while the program is busy, right before it begins to receive commands, is a key")
    func pressedBefore() async throws {
      let run = try await start()
      defer { run.close() }
      // The words of this line end when the file is there: until then nothing is read.
      let folder = try TemporaryFolder()
      let busy = folder.file("busy")
      run.send("player begin after \(busy) \(folder.file("go"))")
      try await waitUntil("a busy program", evidence: { run.program.evidence }) { access(busy, F_OK) == 0 }
      for (symbol, _) in Self.keys { try run.desktop.desk.press(DeskKey(symbol: symbol)) }
      try folder.write("go", "")
      var expected = Self.keys.flatMap { _ in ["1 key down", "1 key up"] }
      try await wait(run, for: expected)
      try await hasBegun(run)
      try run.desktop.desk.press(DeskKey(symbol: Self.keys[0].symbol))
      expected.append("1 asked to togglePlayPause")
      try await wait(run, for: expected)
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }

    @Test("Seeking lasts as long as its key is held, and ends where the focus goes meanwhile, or the keyboard")
    func seeking() async throws {
      let run = try await start()
      defer { run.close() }
      let desk = run.desktop.desk
      try await begin(run)
      var expected: [String] = []
      for (key, way) in [(Self.forward, "Forward"), (Self.rewind, "Backward")] {
        let (begin, end) = ("1 asked to beginSeeking\(way)", "1 asked to endSeeking\(way)")
        try desk.hold(key, isDown: true)
        expected.append(begin)
        try await wait(run, for: expected)
        try desk.hold(key, isDown: false)
        expected.append(end)
        try await wait(run, for: expected)
        // The focus goes, and comes back while the key is still held, which is repeated then.
        try desk.hold(key, isDown: true)
        expected.append(begin)
        try await wait(run, for: expected)
        try await run.perform("user focus none")
        expected.append(end)
        try await wait(run, for: expected)
        try await wait(run, for: 1, "foregroundInactive")
        try await focus(run, 1)
        try desk.hold(key, isDown: false)
        try desk.press(DeskKey(symbol: 0x1008_FF15))
        expected.append("1 asked to stop")
        try await wait(run, for: expected)
        // Another program takes the keyboard.
        try desk.hold(key, isDown: true)
        expected.append(begin)
        try await wait(run, for: expected)
        try await desk.grabKeyboard()
        expected.append(end)
        try await wait(run, for: expected)
        try desk.hold(key, isDown: false)
        try await wait(run, for: 1, "foregroundInactive")
        desk.ungrabKeyboard()
        try await wait(run, for: 1, "foregroundActive")
      }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }

    @Test("Where another window of the program gets the focus, seeking ends where it began, and begins there no more")
    func otherWindow() async throws {
      let run = try await start(2)
      defer { run.close() }
      let desk = run.desktop.desk
      try await begin(run)
      try await focus(run, 1)
      try desk.hold(Self.forward, isDown: true)
      var expected = ["1 asked to beginSeekingForward"]
      try await wait(run, for: expected)
      try await focus(run, 2)
      expected.append("1 asked to endSeekingForward")
      try await wait(run, for: expected)
      try desk.hold(Self.forward, isDown: false)
      try desk.press(DeskKey(symbol: 0x1008_FF15))
      expected.append("2 asked to stop")
      try await wait(run, for: expected)
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }

    @Test("Seeking ends where its window is closed while the key is held, and begins again with the next press")
    func closedWindow() async throws {
      let run = try await start(2)
      defer { run.close() }
      let desk = run.desktop.desk
      try await begin(run)
      try await focus(run, 2)
      try desk.hold(Self.forward, isDown: true)
      var expected = ["2 asked to beginSeekingForward"]
      try await wait(run, for: expected)
      try await run.perform("destroy 2")
      expected.append("1 asked to endSeekingForward")
      try await wait(run, for: expected)
      try desk.hold(Self.forward, isDown: false)
      try await focus(run, 1)
      // In between, because a press at the time of the release is one of the keyboard's repetition.
      try desk.press(DeskKey(symbol: 0x1008_FF15))
      expected.append("1 asked to stop")
      try await wait(run, for: expected)
      try desk.press(Self.forward)
      expected += ["1 asked to beginSeekingForward", "1 asked to endSeekingForward"]
      try await wait(run, for: expected)
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }
  }
}
