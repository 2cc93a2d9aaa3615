import CXCB
import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// Execution modes of a program on a real server: what keeps it running, and what a debug build says of it.
  @Suite("Execution modes on X11", .enabled(if: Requirement.sceneLab))
  struct ExecutionTests {
    private func wait(_ run: DeskScenario, for name: String, _ count: Int = 1) async throws {
      try await run.program.wait(for: "\(name) \(count)") { lines in
        lines.count { $0.kind == "system" && $0.name == name } >= count ? true : nil
      }
    }

    private func systemNames(_ run: DeskScenario) throws -> [String] {
      let names: Set = ["executionBegan", "executionEnded", "suspended", "resumed"]
      return try run.program.trace.lines().filter { $0.kind == "system" }.compactMap(\.name).filter(names.contains)
    }

    #if !WITHOUT_Suspension
      @Test("An iconic program runs while it holds a mode, and is suspended when it has ended it")
      func held() async throws {
        let run = try await DeskScenario(.openbox, arguments: ["--suspend"])
        defer { run.close() }
        try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.isViewable) }
        try await run.perform("grace 0")
        try await run.perform("mode begin network")
        for window in try run.program.windows() { run.desktop.desk.iconify(window) }
        try await run.program.wait(for: "the background") {
          $0.contains { $0.name == "sceneDidEnterBackground" } ? () : nil
        }
        // A suspended program answers no command.
        try await run.perform("ticks")
        try await run.perform("mode begin audio")
        try await run.perform("mode end network")
        try await run.perform("ticks")
        #expect(try !systemNames(run).contains("suspended"))
        try await run.perform("mode end audio")
        try await wait(run, for: "suspended")
        #expect(
          try systemNames(run)
            == ["executionBegan", "executionBegan", "executionEnded", "executionEnded", "suspended"])
      }
    #endif

    @Test("A mode that is held for nothing is named, and one that is used is not, by what the process really has open")
    func named() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("pulse")
      let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(server) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(100)) + [0]) }
      let isBound = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(isBound == 0 && listen(server, 1) == 0)
      let run = try await DeskScenario(.openbox, arguments: [])
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.isViewable) }
      try await run.perform("connect \(path)")
      for mode in ["audio", "location", "network", "accessory"] { try await run.perform("mode begin \(mode)") }
      func reports() throws -> [String] {
        try run.program.trace.lines().filter { $0.kind == "error" }.map(\.text).filter { $0.contains("execution mode") }
      }
      try await waitUntil("the reports", evidence: { run.program.evidence }) { try reports().count >= 3 }
      for mode in ["location", "network", "accessory"] {
        #expect(try reports().count { $0.contains("The execution mode \(mode) ") } == 1, "\(run.program.evidence)")
      }
      #expect(try reports().count == 3, "\(run.program.evidence)")
    }
  }
}
