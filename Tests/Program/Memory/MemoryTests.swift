import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// What a scene takes while it is seen, and gives back when it is not.
  @Suite("Memory", .enabled(if: Requirement.sceneLab))
  struct MemoryTests {
    /// The three ways from memory to the screen, by the extensions that the server lacks.
    static let ways: [[String]] = [[], ["Present"], ["MIT-SHM"]]

    @Test(
      "In the background a scene of 4K has no more than one that never drew, and shown again it looks as before",
      arguments: ways)
    func large(_ missing: [String]) async throws {
      var used: [Int] = []
      for options in [["--undrawn"], []] {
        let desktop = try await PrivateDesktop(.none, withoutExtensions: missing)
        let run = try await DeskScenario(.none, arguments: ["--memory=3840x2160"] + options, on: desktop)
        defer { run.close() }
        let client = desktop.desk.client
        let scenes = try await run.program.wait(for: "the scene") { lines in
          lines.scenes.first { $0.state.hasPrefix("foreground") && $0.window != nil }
        }
        let window = try #require(scenes.window)
        func picture() throws -> [UInt32] {
          try #require(client.pixels(of: window, x: 0, y: 0, width: 1152, height: 900))
        }
        var before: [UInt32] = []
        if options.isEmpty {
          try await waitUntil("the picture") {
            before = try picture()
            return before == Self.pattern
          }
          // Shared or not, the surface is there; the kernel counts what is shared with the server elsewhere.
          if missing == ["MIT-SHM"] { #expect(try memory(of: run.program) > 3840 * 2160 * 4) }
        }
        for round in 1...3 {
          try await run.perform("memory hide")
          try await waitUntil("the background, round \(round)", evidence: { run.program.evidence }) {
            try run.program.trace.lines().scenes.first?.state == "background"
          }
          try await waitUntil(
            "the server's memory", evidence: { "\((try? client.pixmapBytes(ofClientWith: window)) ?? -1)" }
          ) {
            try client.pixmapBytes(ofClientWith: window) == 0
          }
          #expect(run.program.sharedMemory == 0)
          if round == 3 { break }
          try await run.perform("memory show")
          try await waitUntil("the foreground", evidence: { run.program.evidence }) {
            try run.program.trace.lines().scenes.first?.state.hasPrefix("foreground") == true
          }
          if options.isEmpty { try await waitUntil("the same picture") { try picture() == before } }
        }
        // The snapshot goes when the writer's thread has encoded and written it. What drawing needed once, whatever
        // the number of scenes, stays: the queue of the connection, tables, and what the language's run-time library
        // knows of types.
        if let undrawn = used.first {
          try await waitUntil(
            "the program's memory", limit: .seconds(60),
            evidence: { "\((try? memory(of: run.program)) ?? -1) bytes, and \(undrawn) without drawing" }
          ) {
            try memory(of: run.program) <= undrawn + undrawn / 20 + 48 * 1024
          }
        }
        used.append(try await settledMemory(of: run.program))
      }
    }

    /// What it has once it has come to rest: its writer's thread and that of the keymap have gone, and nothing changes.
    private func settledMemory(of program: Program) async throws -> Int {
      var now = try memory(of: program)
      for _ in 0..<60 {
        // The measure: longer than the writer's timeout.
        try await Task.sleep(for: .seconds(1))
        let before = now
        now = try memory(of: program)
        if now == before { break }
      }
      return now
    }

    @Test("A hundred scenes that were drawn and disconnected have left 64 KiB each at most, and nothing on the server")
    func hundred() async throws {
      let desktop = try await PrivateDesktop(.none)
      let run = try await DeskScenario(.none, arguments: ["--memory=200x150"], on: desktop)
      defer { run.close() }
      let client = desktop.desk.client
      let first = try await run.program.wait(for: "the scene") { lines in
        lines.scenes.first { $0.state.hasPrefix("foreground") }?.window
      }
      func states() throws -> [String] { try run.program.trace.lines().scenes.map(\.state) }
      try await run.perform("memory hide")
      try await waitUntil("the background") { try states() == ["background"] }
      try await run.perform("memory disconnect")
      try await waitUntil("nothing") { try states() == ["unattached"] }
      let before = try memory(of: run.program)
      try await run.perform("memory open 100")
      try await waitUntil("a hundred drawn scenes", limit: .seconds(60)) {
        try states().filter { $0.hasPrefix("foreground") }.count == 100
      }
      try await waitUntil("drawn", limit: .seconds(60)) {
        try client.pixmapBytes(ofClientWith: first) >= 100 * 200 * 150 * 4
      }
      try await run.perform("memory hide")
      try await waitUntil("all in the background", limit: .seconds(60)) {
        try states().filter { $0 == "background" }.count == 100
      }
      try await run.perform("memory disconnect")
      try await waitUntil("all disconnected", limit: .seconds(60)) {
        try states().allSatisfy { $0 == "unattached" }
      }
      try await waitUntil("the server's memory") { try client.pixmapBytes(ofClientWith: first) == 0 }
      // The snapshots go when the writer's thread has encoded and written them.
      try await waitUntil(
        "the program's memory", limit: .seconds(60),
        evidence: { "\((((try? memory(of: run.program)) ?? 0) - before) / 100) bytes a scene" }
      ) {
        try (memory(of: run.program) - before) / 100 <= 64 << 10
      }
      #expect(run.program.sharedMemory == 0)
    }

    @Test("A warning through a FIFO reaches the program, which goes on sleeping after it")
    func warning() async throws {
      let desktop = try await PrivateDesktop(.none)
      let home = try TemporaryFolder()
      let fifo = home.file("pressure")
      try #require(mkfifo(fifo, 0o600) == 0)
      let program = try Program(
        DeskScenario.path, ["--memory=200x150"], display: desktop.server.display,
        environment: ["MEMORY_PRESSURE_WATCH": fifo], home: home, on: desktop)
      try await program.wait(for: "the scene") { lines in lines.scenes.first { $0.state.hasPrefix("foreground") } }
      try await waitUntil("the FIFO to be open") { program.opens(fifo) }
      let writer = open(fifo, O_WRONLY | O_NONBLOCK)
      #expect(write(writer, "x", 1) == 1)
      close(writer)
      try await program.wait(for: "the warning") { lines in
        lines.first { $0.kind == "system" && $0.name == "memoryWarning" }
      }
      // Once it has settled nothing wakes it: a FIFO without a writer is silent.
      try await program.rests(for: .seconds(3))
    }

    /// What the window of 4K shows on the screen.
    private static let pattern: [UInt32] = (0..<900).flatMap { y in
      (0..<1152).map { x in UInt32(truncatingIfNeeded: x &* 997 &+ y &* 31) & 0xFF_FFFF }
    }

    /// What only this process has, and would not have without writing to it.
    private func memory(of program: Program) throws -> Int {
      let line = text(of: "/proc/\(program.pid)/smaps_rollup").split(separator: "\n").first {
        $0.hasPrefix("Private_Dirty:")
      }
      let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      return try #require(kilobytes) * 1024
    }
  }
}

extension Program {
  /// How many mappings of surfaces there are.
  var sharedMemory: Int {
    text(of: "/proc/\(pid)/maps").split(separator: "\n").filter { $0.contains("memfd:proscenium") }.count
  }

  fileprivate func opens(_ path: String) -> Bool {
    names(inFolder: "/proc/\(pid)/fd").contains { name in
      var bytes = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/\(pid)/fd/\(name)", &bytes, bytes.count)
      return count > 0 && String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
    }
  }
}
