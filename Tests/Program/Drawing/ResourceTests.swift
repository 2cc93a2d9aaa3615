import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// What a program costs its server and its machine.
  @Suite("Resources", .enabled(if: Requirement.sceneLab))
  struct ResourceTests {
    @Test("What a closed scene had on the server comes back")
    func closing() async throws {
      // Given two scenes, and what they have on the server
      // To the piece: what is drawn takes one buffer more or less, as the server is quick.
      let (desktop, program) = try await EndingTests.twoScenes(.openbox, ["--plain"])
      let (first, _) = try program.twoWindows()
      let before = try desktop.desk.client.resources(ofClientWith: first)
      for round in 1...3 {
        // When a third is opened by a key and closed by another
        try desktop.desk.key("n")
        let scenes = try await desktop.settle(program, "three, round \(round)") { $0.count == 3 && $0[2].isViewable }
        desktop.desk.focus(try #require(scenes[2].window))
        try await desktop.settle(program, "the third active") { $0[2].expectedState == .foregroundActive }
        try desktop.desk.key("w")
        try await desktop.settle(program, "two again") { $0.count == 2 }
        desktop.desk.focus(first)
        try await desktop.settle(program, "the first again") { $0[0].expectedState == .foregroundActive }
        // Then the server has no more of the program than before
        try await waitUntil("what there was before", evidence: { "\(before)\n\(program.evidence)" }) {
          try desktop.desk.client.resources(ofClientWith: first) == before
        }
      }
    }

    @Test("What a disconnected scene had on the server comes back, but for a bare window")
    func disconnecting() async throws {
      let (desktop, program) = try await EndingTests.twoScenes(.openbox, ["--plain"])
      let (first, second) = try program.twoWindows()
      let client = desktop.desk.client
      let before = try client.resources(ofClientWith: second)
      for _ in 1...3 {
        // When the first scene is hidden and disconnected by a key in the second
        desktop.desk.iconify(first)
        try await desktop.settle(program, "hidden") { $0[0].expectedState == .background }
        desktop.desk.focus(second)
        try await desktop.settle(program, "the second active") { $0[1].expectedState == .foregroundActive }
        try desktop.desk.key("d")
        try await desktop.settle(program, "disconnected") { $0.count == 1 }
        // Then the window keeps its place, and nothing has become more
        #expect(client.truth(first).exists)
        try await waitUntil("no more than before", evidence: { "\(before)\n\(program.evidence)" }) {
          try client.resources(ofClientWith: second).allSatisfy { type, count in count <= before[type] ?? 0 }
        }
        // And when it is brought back, then it is as it was
        desktop.desk.restore(first)
        try await desktop.settle(program, "connected again") {
          $0.count == 2 && $0.allSatisfy { $0.expectedState > .background }
        }
        try await waitUntil("what there was before", evidence: { "\(before)\n\(program.evidence)" }) {
          try client.resources(ofClientWith: second) == before
        }
      }
    }

    @Test("Start-up waits for the server at most three times, however many scenes", arguments: [1, 10])
    func roundTrips(_ scenes: Int) async throws {
      let server = try await XServer()
      // A busy machine may delay one of two launches by itself; a fourth trip comes however long the way is.
      var results: [String] = []
      for oneWay in [100, 200, 400, 800, 1600].map(Duration.milliseconds) {
        // The time until the last window is mapped, with and without a long way to the server
        var times: [Duration] = []
        for delay in [.zero, oneWay] {
          let proxy = try XProxy(to: server, delay: delay)
          let program = try Program(
            Program.besideTests("SceneLab"), ["--scenes", "\(scenes)"], display: proxy.display, on: proxy)
          // 8 is MapWindow.
          try await waitUntil("\(scenes) windows", evidence: { program.evidence }) {
            proxy.counts.byOpcode[8] ?? 0 >= scenes
          }
          times.append(proxy.counts.lastAt[8] ?? .zero)
        }
        let trips = (times[1] - times[0]) / (oneWay + oneWay)
        results.append("\(trips) round trips; \(times)")
        // Less than one: the proxy has not delayed anything.
        if trips > 0.5, trips.rounded() <= 3 { return }
      }
      Issue.record("\(results)")
    }

    @Test("Few requests open windows", arguments: [1, 10])
    func requests(_ scenes: Int) async throws {
      let desktop = try await PrivateDesktop()
      let proxy = try XProxy(to: desktop.server)
      let program = try Program(
        Program.besideTests("SceneLab"), ["--scenes", "\(scenes)"], display: proxy.display, on: proxy)
      try await desktop.settle(program) { $0.count == scenes && $0.allSatisfy(\.isViewable) }
      // Until the last MapWindow (8): what comes after it is what the demo paints when its states change.
      let requests = try #require(proxy.counts.requestsAtLast[8])
      #expect(requests <= 60 + 12 * (scenes - 1), "\(proxy.counts.byOpcode)")
    }

    @Test(
      "An idle program sleeps, with one thread and the watchdog's, and without one where there is none",
      arguments: [(.openbox, "report"), (.none, "off")] as [(WindowManager, String)])
    func idle(_ kind: WindowManager, _ watchdog: String) async throws {
      let desktop = try await PrivateDesktop(kind)
      // Its face draws the time as it goes by; without it there is nothing to do.
      let program = try await desktop.startSceneLab(2, ["--plain"], ["PROSCENIUM_WATCHDOG": watchdog])
      let threads = watchdog == "off" ? 1 : 2
      try await program.rests(for: .seconds(5))
      #expect(program.contextSwitches.threads == threads)
    }
  }
}
