import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension ThirdDesk {
  /// A real process, with the default data that the file of its manifest names.
  @Suite("The default data of a program", .enabled(if: Requirement.sceneLab))
  struct FirstLaunchProgramTests {
    private static let names = ["a", "Themes/dark", "Themes/light", "letter"]

    /// A copy of the program, and the home of its user.
    private struct Installation {
      let folder: TemporaryFolder
      let home: TemporaryFolder
      let path: String

      init() throws {
        (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
        path = try folder.copy(DeskScenario.path, to: "bin/Copied")
      }

      /// Installs a version: its data say which one it is.
      func install(_ version: Int, _ policy: String = "single") throws {
        for name in names { try folder.write("share/\(name)", Self.text(of: name, version)) }
        try folder.write(
          "bin/Copied.manifest.json",
          #"""
          {"version": "\#(version)", "instancePolicy": "\#(policy)",
           "defaultData": {"folder": "../share", "files": ["a", "Themes"], "templates": ["letter"]}}
          """#)
      }

      static func text(of name: String, _ version: Int) -> String {
        String(repeating: "\(name) of version \(version)\n", count: 3000)
      }

      /// The version of each file in the support directory; nil for a file that is not there, 0 for any other content.
      func versions(upTo last: Int) -> [Int?] {
        names.map { name in
          let path = home.file(".local/share/org.proscenium.Scenario/\(name)")
          guard FileManager.default.fileExists(atPath: path) else { return nil }
          let content = DeskSupport.text(of: path)
          let version = content.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) } ?? 0
          return (1...max(1, last)).contains(version) && content == Self.text(of: name, version) ? version : 0
        }
      }
    }

    /// Lines of a trace about first launches, which come right before the launch callbacks.
    private func firstLaunches(_ program: Program) throws -> [String] {
      let lines = try program.trace.lines()
      for index in lines.indices where lines[index].name == "firstLaunch" {
        let pair = try #require(lines.firstIndex { $0.name == "willFinishLaunchingWithOptions" })
        #expect(index < pair, "\(program.evidence)")
      }
      return lines.filter { $0.name == "firstLaunch" }.map(\.text)
    }

    private func end(_ program: Program) async throws {
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("They are copied at the first launch and at that of another version, and what the user has changed stays")
    func versions() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let installation = try Installation()
      try installation.install(1)
      let first = try desktop.start(installation.path, ["--stay"], home: installation.home)
      try await desktop.settle(first)
      #expect(installation.versions(upTo: 1) == [1, 1, 1, 1], "\(first.evidence)")
      #expect(try firstLaunches(first).count == 1, "\(first.evidence)")
      try await end(first)
      try installation.home.write(".local/share/org.proscenium.Scenario/a", "mine")
      try installation.install(2)
      let second = try desktop.start(installation.path, ["--stay"], home: installation.home)
      try await desktop.settle(second)
      #expect(installation.versions(upTo: 2) == [0, 2, 2, 1], "\(second.evidence)")
      #expect(installation.home.read(".local/share/org.proscenium.Scenario/a") == "mine")
      let line = try #require(try firstLaunches(second).first)
      #expect(line.contains(#""from":"1""#) && line.contains(#""copied":2"#) && line.contains(#""kept":2"#), "\(line)")
      try await end(second)
      let third = try desktop.start(installation.path, ["--stay"], home: installation.home)
      try await desktop.settle(third)
      #expect(try firstLaunches(third).isEmpty)
      try await end(third)
    }

    @Test(
      "Of three instances that are launched at once one copies, however long that takes, and none writes in its place",
      .enabled(if: mustNotSkip || isInstalled("strace")))
    func atOnce() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let installation = try Installation()
      try installation.install(1, "separateStores")
      // Given a disk that takes longer for all files than anybody waits for one that does nothing
      let slow = try desktop.start(
        "strace",
        [
          "-f", "-qq", "-o", installation.home.file("log"), "-e", "trace=fsync", "-e",
          "inject=fsync:delay_enter=700000", installation.path, "--stay",
        ], home: installation.home)
      let support = installation.home.file(".local/share/org.proscenium.Scenario")
      try await waitUntil("the first file", evidence: { slow.evidence }) {
        (try? FileManager.default.contentsOfDirectory(atPath: support))?.contains { $0.hasSuffix(".tmp") } == true
      }
      let others = try (1...2).map { _ in
        try desktop.start(installation.path, ["--stay"], home: installation.home)
      }
      for program in others + [slow] {
        try await program.wait(for: "the launch") { lines in
          lines.contains { $0.name == "didFinishLaunchingWithOptions" } ? true : nil
        }
        #expect(installation.versions(upTo: 1) == [1, 1, 1, 1], "\(program.evidence)")
        #expect(!program.errors.contains("default data"), "\(program.evidence)")
      }
      #expect(try firstLaunches(slow).count == 1)
      for program in others { #expect(try firstLaunches(program).isEmpty, "\(program.evidence)") }
      let left = try FileManager.default.contentsOfDirectory(atPath: support).filter { $0.hasSuffix(".tmp") }
      #expect(left == [])
      for program in others { program.send(SIGKILL) }
      let pid = try slow.trace.lines().first.flatMap { Self.process(of: $0.text) }
      kill(try #require(pid), SIGKILL)
      for program in others + [slow] { _ = try await program.end() }
    }

    @Test(
      "Killed at any sync or renaming, a copy leaves nothing behind where the version before it is launched again",
      .enabled(if: mustNotSkip || isInstalled("strace")), arguments: ["fsync", "renameat"])
    func killedAndBack(_ call: String) async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let installation = try Installation()
      let support = installation.home.file(".local/share/org.proscenium.Scenario")
      func left() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: support).filter { $0.hasSuffix(".tmp") }
      }
      func launch(_ version: Int, under command: [String] = []) async throws -> Bool {
        try installation.install(version)
        let all = command + [installation.path, "--stay"]
        let program = try desktop.start(all[0], Array(all.dropFirst()), home: installation.home)
        let isKilled = try await waitFor("a death, or a launch", evidence: { program.evidence }) { () -> Bool? in
          if program.ending != nil { return true }
          return try program.trace.lines().contains { $0.name == "willFinishLaunchingWithOptions" } ? false : nil
        }
        if !isKilled, let pid = try program.trace.lines().first.flatMap({ Self.process(of: $0.text) }) {
          kill(pid, SIGKILL)
        }
        _ = try await program.end()
        return isKilled
      }
      _ = try await launch(1)
      var hasLeft = 0
      for number in 1...40 {
        let isKilled = try await launch(
          2,
          under: [
            "strace", "-f", "-qq", "-o", installation.home.file("log"), "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(number)",
          ])
        if try !left().isEmpty { hasLeft += 1 }
        _ = try await launch(1)
        #expect(try left() == [], "after the kill at call \(number)")
        if !isKilled { break }
      }
      #expect(hasLeft >= (call == "fsync" ? 4 : 1), "\(hasLeft) kills have left something")
    }

    /// The process of a line of a trace.
    private static func process(of line: String) -> pid_t? {
      line.split(separator: "\"pid\":").last.flatMap { pid_t($0.prefix(while: \.isNumber)) }
    }

    @Test(
      "Where the file system has no renaming that replaces nothing, they are copied all the same, and nothing is left",
      .enabled(if: mustNotSkip || isInstalled("strace")), arguments: ["EINVAL", "ENOSYS"])
    func withoutNewRenaming(_ error: String) async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let installation = try Installation()
      try installation.install(1)
      try installation.home.write(".local/share/org.proscenium.Scenario/letter", "mine")
      let program = try desktop.start(
        "strace",
        [
          "-f", "-qq", "-o", installation.home.file("log"), "-e", "trace=renameat2", "-e",
          "inject=renameat2:error=\(error)", installation.path, "--stay",
        ], home: installation.home)
      try await program.wait(for: "the launch") { lines in
        lines.contains { $0.name == "didFinishLaunchingWithOptions" } ? true : nil
      }
      #expect(installation.versions(upTo: 1) == [1, 1, 1, 0], "\(program.evidence)")
      #expect(DeskSupport.text(of: installation.home.file("log")).contains("INJECTED"))
      let support = installation.home.file(".local/share/org.proscenium.Scenario")
      let names = try FileManager.default.contentsOfDirectory(atPath: support)
      #expect(Set(names) == ["a", "Themes", "letter", ".default-data.json"])
      let pid = try program.trace.lines().first.flatMap { Self.process(of: $0.text) }
      kill(try #require(pid), SIGKILL)
      _ = try await program.end()
    }

    /// Each file is as it was, or the new version's; a template that is there stays.
    private func expectWhole(_ before: [Int?], _ after: [Int?], _ version: Int) {
      for (index, name) in Self.names.enumerated() {
        let isTemplate = name == "letter"
        let allowed = isTemplate && before[index] != nil ? [before[index]] : [before[index], version]
        #expect(allowed.contains(after[index]), "\(name) of version \(version): \(before) -> \(after)")
      }
    }

    @Test("Killed at any moment of a launch: each file is of the old or of the new version")
    func killedAtRandom() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let rounds = getenv("FIRST_LAUNCH_KILLS").flatMap { Int(String(cString: $0)) } ?? 10
      // A launch waits for the disk, and for the processor where the machine is busy: several at once.
      let seeds = testSeeds(4)
      let kinds = try await withThrowingTaskGroup(of: Set<[Bool]>.self) { group in
        for (index, seed) in seeds.enumerated() {
          let share = rounds * (index + 1) / seeds.count - rounds * index / seeds.count
          group.addTask { try await killLaunches(share, on: desktop, SeededNumbers(seed)) }
        }
        return try await group.reduce(into: Set<[Bool]>()) { $0.formUnion($1) }
      }
      print("\(rounds) kills: \(kinds.count) kinds of outcome")
      #expect(rounds < 400 || kinds.count > 1, "all of \(rounds) kills have come before the copy, or after it")
    }

    /// Kills a program as often, each time at the first launch of another version; which files were copied.
    private func killLaunches(
      _ rounds: Int, on desktop: PrivateDesktop, _ numbers: SeededNumbers
    ) async throws -> Set<[Bool]> {
      let installation = try Installation()
      var (numbers, kinds) = (numbers, Set<[Bool]>())
      // How long a launch takes until its data are there: now, on this machine.
      var length = Duration.milliseconds(100)
      for version in 1...rounds + 1 {
        try installation.install(version)
        let before = installation.versions(upTo: version)
        let begin = ContinuousClock.now
        let program = try desktop.start(installation.path, ["--stay"], home: installation.home)
        if version == 1 {
          try await program.wait(for: "the launch") { lines in
            lines.contains { $0.name == "willFinishLaunchingWithOptions" } ? true : nil
          }
          length = .now - begin
        } else {
          try await Task.sleep(for: length * Double.random(in: 0..<2, using: &numbers))
        }
        program.send(SIGKILL)
        _ = try await program.end()
        let after = installation.versions(upTo: version)
        expectWhole(before, after, version)
        let copied = after.dropLast().map { $0 == version }
        kinds.insert(copied)
        length = length * (copied.contains(false) ? 1.1 : 1 / 1.1)
      }
      return kinds
    }

    @Test(
      "Killed at any sync or renaming: each file is of the old or of the new version, and the next launch has the new one",
      .enabled(if: mustNotSkip || isInstalled("strace")), arguments: ["fsync", "renameat"])
    func killed(_ call: String) async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let installation = try Installation()
      var kills = 0
      var mixed = 0
      // Each version is killed at another call, until a launch has less of them.
      for version in 1...40 {
        try installation.install(version)
        let before = installation.versions(upTo: version)
        let killed = try desktop.start(
          "strace",
          [
            "-f", "-qq", "-o", installation.home.file("log"), "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(version)", installation.path, "--stay",
          ], home: installation.home)
        let hasEnded = try await waitFor("a death, or a launch", evidence: { killed.evidence }) { () -> Bool? in
          if killed.ending != nil { return true }
          return try killed.trace.lines().contains { $0.name == "willFinishLaunchingWithOptions" } ? false : nil
        }
        // The program, not the one that traces it
        let pid = try killed.trace.lines().first.flatMap { Self.process(of: $0.text) }
        if !hasEnded { kill(try #require(pid), SIGKILL) }
        _ = try await killed.end()
        let after = installation.versions(upTo: version)
        expectWhole(before, after, version)
        if hasEnded { kills += 1 }
        if Set(after.dropLast()).count > 1 { mixed += 1 }
        let next = try desktop.start(installation.path, ["--stay"], home: installation.home)
        try await next.wait(for: "the launch") { lines in
          lines.contains { $0.name == "didFinishLaunchingWithOptions" } ? true : nil
        }
        let letter = after[3] ?? version
        #expect(installation.versions(upTo: version) == [version, version, version, letter], "\(next.evidence)")
        #expect(try next.trace.lines().filter { $0.kind == "error" }.isEmpty, "\(next.evidence)")
        next.send(SIGKILL)
        _ = try await next.end()
        if !hasEnded { break }
      }
      #expect(kills >= 4 && (call == "fsync" || mixed > 0), "\(kills) kills, \(mixed) of them between two renamings")
    }
  }
}
