import DeskSupport
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension ThirdDesk {
  /// Windows that rest while others move, in programs that are killed.
  @Suite("Places after a death at any moment", .enabled(if: Requirement.sceneLab)) struct PlaceKillTests {
    /// PLACE_KILLS is how often; TEST_SEED repeats a run that failed, as far as the clock lets it.
    static let kills = getenv("PLACE_KILLS").flatMap { Int(String(cString: $0)) } ?? 12

    @Test("A window that rests comes back where it was, whatever moves as the program is killed")
    func killed() async throws {
      try Requirement.windowManager(.openbox)
      let (seed, lanes) = (testSeed(), 3)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
          group.addTask {
            var life = try await Life(seed: seed &+ UInt64(lane) &* 1_000_003)
            for round in lane..<max(lanes, Self.kills) where round % lanes == lane { try await life.round(round) }
          }
        }
        try await group.waitForAll()
      }
    }

    /// One program's life after life, in one home.
    private struct Life {
      /// Where a session's window rests.
      struct Rest: Hashable {
        var place: Place
        var isIconic: Bool
      }

      private static let count = 5
      private let home: TemporaryFolder
      private let desktop: PrivateDesktop
      private var program: Program
      private var numbers: SeededNumbers
      private let ears: XEars
      private var pings: UInt32 = 0
      private var client: XClient { desktop.desk.client }

      init(seed: UInt64) async throws {
        home = try TemporaryFolder()
        desktop = try await PrivateDesktop(.openbox)
        numbers = SeededNumbers(seed)
        ears = try XEars(display: desktop.server.display)
        program = try desktop.start(
          Program.besideTests("SceneLab"), ["--plain", "--scenes", "\(Self.count)"], home: home)
        _ = try await windows()
      }

      /// All windows, by their sessions' identities.
      private func windows() async throws -> [String: UInt32] {
        try await program.wait(for: "all windows") { _ in
          let found = client.windowsBySession(of: program)
          return found.count == Self.count && found.values.allSatisfy { [1, 3].contains(client.truth($0).wmState) }
            ? found : nil
        }
      }

      /// Puts windows to rest, moves others, kills the program, and compares what the next ones show.
      mutating func round(_ number: Int) async throws {
        let windows = try await windows()
        // Given windows at rest, of which the records know
        var rests: [String: Rest] = [:]
        let resting = windows.sorted { $0.key < $1.key }.shuffled(using: &numbers).prefix(
          Int.random(in: 2...4, using: &numbers))
        for (session, window) in resting {
          // An icon is asked for once more where it is gone again before the program has seen it.
          try await answers(window)
          desktop.desk.restore(window)
          try await desktop.desk.waitUntil("\(session) to be shown") { client.truth(window).wmState == 1 }
          let before = client.place(of: window)
          client.move(window, to: somewhere())
          try await desktop.desk.waitUntil("\(session) to be moved") { client.place(of: window) != before }
          // Its frame has its part in where it is now, and so has its record.
          try await waitUntil("\(session) to be saved", evidence: { program.evidence }) {
            client.place(of: window).map { stored[session]?.contains(Self.text($0)) ?? false } ?? false
          }
          let place = try #require(client.place(of: window))
          rests[session] = Rest(place: place, isIconic: Bool.random(using: &numbers))
          if rests[session]?.isIconic == true { desktop.desk.iconify(window) }
        }
        try await waitUntil("everything at rest to be saved", evidence: { problems(rests, stored) + program.evidence })
        {
          problems(rests, stored).isEmpty
        }
        // When it is killed while others move
        for _ in 0..<Int.random(in: 0...20, using: &numbers) {
          for (session, window) in windows where rests[session] == nil { client.move(window, to: somewhere()) }
          usleep(UInt32.random(in: 0...60_000, using: &numbers))
        }
        try await kill()
        // And now and then again, in its launch
        if number % 3 == 1 {
          try await next()
          usleep(UInt32.random(in: 0...1_500_000, using: &numbers))
          try await kill()
        }
        // Then each that rested is there
        try await next()
        let after = try await self.windows()
        try await waitUntil(
          "all at their places, round \(number)",
          evidence: { "\(problems(rests, shown(after)))\nstored: \(problems(rests, stored))\n\(program.evidence)" }
        ) { problems(rests, shown(after)).isEmpty }
        // And is not remembered elsewhere
        try await waitUntil("the places to stay saved", evidence: { problems(rests, stored) + program.evidence }) {
          problems(rests, stored).isEmpty
        }
      }

      /// Waits until the program has handled what was sent to it before.
      private mutating func answers(_ window: UInt32) async throws {
        pings += 1
        let ping = pings
        ears.ping(window, time: ping)
        try await waitUntil("an answer of the program", evidence: { program.evidence }) { ears.heardPing(ping, window) }
      }

      private mutating func somewhere() -> Place {
        Place(
          Int.random(in: 10...500, using: &numbers), Int.random(in: 30...400, using: &numbers),
          Int.random(in: 120...400, using: &numbers), Int.random(in: 100...300, using: &numbers))
      }

      private func kill() async throws {
        program.send(SIGKILL)
        _ = try await program.end()
        try await desktop.desk.waitUntil("the windows to be gone") { desktop.desk.windows.isEmpty }
      }

      private mutating func next() async throws {
        program = try desktop.start(Program.besideTests("SceneLab"), ["--plain"], home: home)
      }

      private var stored: [String: String] { home.records(of: "SceneLab") }

      /// The windows as records would tell of them.
      private func shown(_ windows: [String: UInt32]) -> [String: String] {
        windows.mapValues { window in
          let isIconic = client.truth(window).wmState == 3
          // An iconic window's place is its frame's, which openbox keeps mapped elsewhere in no way.
          return "\(client.place(of: window).map(Self.text) ?? "no place") \(Self.text(isIconic))"
        }
      }

      private static func text(_ place: Place) -> String {
        "\"frame\":{\"origin\":{\"x\":\(place.x),\"y\":\(place.y)},"
          + "\"size\":{\"height\":\(place.height),\"width\":\(place.width)}}"
      }

      private static func text(_ isIconic: Bool) -> String { "\"isMinimized\":\(isIconic)" }

      /// What is not as it was at rest.
      private func problems(_ rests: [String: Rest], _ seen: [String: String]) -> String {
        rests.sorted { $0.key < $1.key }.compactMap { session, rest in
          let now = seen[session] ?? "nothing"
          let isRight = now.contains(Self.text(rest.place)) && now.contains(Self.text(rest.isIconic))
          return isRight ? nil : "\(session) rested at \(rest), and is \(now)\n"
        }.joined()
      }
    }
  }
}

extension TemporaryFolder {
  /// The records of a program whose home this is, by the sessions' identities.
  func records(of program: String) -> [String: String] {
    let folder = file("state/org.proscenium.\(program)")
    var records: [String: String] = [:]
    for name in names(inFolder: folder) where name.hasSuffix(".session") {
      records[String(name.dropLast(".session".count))] = text(of: "\(folder)/\(name)")
    }
    return records
  }
}

extension XClient {
  /// A program's windows by their sessions' identities.
  func windowsBySession(of program: Program) -> [String: UInt32] {
    var found: [String: UInt32] = [:]
    for window in longs(root, "_NET_CLIENT_LIST", type: "WINDOW") ?? [] {
      guard longs(window, "_NET_WM_PID", type: "CARDINAL")?.first == UInt32(program.pid) else { continue }
      guard let role = text(window, "WM_WINDOW_ROLE") else { continue }
      #expect(found[role] == nil, "two windows of the session \(role)")
      found[role] = window
    }
    return found
  }
}
