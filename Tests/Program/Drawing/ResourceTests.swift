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
        #expect(try desktop.desk.client.resources(ofClientWith: first) == before)
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
        for (type, count) in try client.resources(ofClientWith: second) {
          #expect(count <= before[type] ?? 0, "\(type)")
        }
        // And when it is brought back, then it is as it was
        desktop.desk.restore(first)
        try await desktop.settle(program, "connected again") {
          $0.count == 2 && $0.allSatisfy { $0.expectedState > .background }
        }
        #expect(try client.resources(ofClientWith: second) == before)
      }
    }

    @Test("Start-up waits for the server at most three times, however many scenes", arguments: [1, 10])
    func roundTrips(_ scenes: Int) async throws {
      let oneWay = Duration.milliseconds(100)
      let server = try await XServer()
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
      #expect(trips.rounded() <= 3, "\(trips) round trips; \(times)")
      #expect(trips > 0.5, "the proxy has not delayed anything: \(times)")
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
      // The measure itself: 5 s, once what follows a launch is over, on a busy machine too.
      try await Task.sleep(for: .seconds(7))
      let before = program.contextSwitches
      try await Task.sleep(for: .seconds(5))
      let after = program.contextSwitches
      #expect(after.voluntary == before.voluntary)
      #expect(after.threads == threads)
      #expect(before.threads == threads)
    }
  }
}
