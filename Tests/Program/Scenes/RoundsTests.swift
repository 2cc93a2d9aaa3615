import DeskSupport
import Glibc
import ProsceniumCore
import SuiteSupport
import Testing

extension FourthDesk {
  /// What a thousand scenes leave behind.
  @Suite("A thousand rounds", .enabled(if: Requirement.sceneLab))
  struct RoundsTests {
    @Test(
      "Neither memory nor what is on the server grows with scenes that come and go", .timeLimit(.minutes(30)),
      arguments: [WindowManager.openbox, .none], ["disconnect", "close"])
    func rounds(_ kind: WindowManager, _ way: String) async throws {
      try Requirement.windowManager(kind)
      // Given a program that has warmed up: what is allocated once is not counted
      let run = try await DeskScenario(kind, arguments: ["--rounds"])
      defer { run.close() }
      try await run.program.wait(for: "the first scene") { $0.first { $0.to == "foregroundInactive" } }
      for _ in 1...3 { try await run.perform("rounds \(way) 100") }
      let before = try await use(by: run)
      // When a thousand scenes come and go
      for _ in 1...10 { try await run.perform("rounds \(way) 100") }
      let ends = try run.program.trace.lines().filter { $0.name == "sceneDidDisconnect" }.count
      #expect(ends == 1300)
      // Then the server has of the program what it had
      let after = try await use(by: run, like: before.server)
      #expect(after.server == before.server, "\(after.server) after \(before.server)")
      // And the program is as large as it was, give or take two steps of the allocator's (64 kB: one for the main
      // thread and one for the one that writes, seen once however many rounds follow): 150 leaked bytes a round would
      // show
      var growth = after.memory - before.memory
      if growth > 150_000 {
        // A busy machine may make more threads allocate at once; only a leak goes on.
        for _ in 1...10 { try await run.perform("rounds \(way) 100") }
        growth = try await use(by: run, like: before.server).memory - after.memory
      }
      #expect(growth <= 150_000, "\(growth) bytes more than \(before.memory)")
    }

    /// What the program holds in its own memory, in bytes, and in the server, once that is what it is expected to be.
    private func use(
      by run: DeskScenario, like expected: [String: Int]? = nil
    ) async throws -> (memory: Int, server: [String: Int]) {
      let scenes = try run.program.trace.lines().scenes
      let window = try #require(scenes.last?.window)
      let client = run.desktop.desk.client
      var last: [String: Int] = [:]
      if let expected {
        try? await waitUntil("the server's resources") {
          last = try client.resources(ofClientWith: window)
          return last == expected
        }
      } else {
        // The last round's window and panel are on their way: both are managed first, and then nothing changes.
        if run.desktop.desk.kind != .none {
          try await waitUntil("two windows") {
            client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW")?.count == 2
          }
        }
        var since = ContinuousClock.now
        try await waitUntil("steady resources") {
          let now = try client.resources(ofClientWith: window)
          if now != last { (last, since) = (now, .now) }
          return ContinuousClock.now - since > .milliseconds(500)
        }
      }
      return (try privateMemory(of: run.program.pid), last)
    }

    /// What only this process has, and would not have without writing to it.
    private func privateMemory(of process: pid_t) throws -> Int {
      let line = text(of: "/proc/\(process)/smaps_rollup").split(separator: "\n").first {
        $0.hasPrefix("Private_Dirty:")
      }
      let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      return try #require(kilobytes) * 1024
    }
  }
}
