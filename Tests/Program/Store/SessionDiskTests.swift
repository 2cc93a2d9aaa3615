import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Disks that fail while a program runs.
  @Suite("Disk trouble", .enabled(if: Requirement.sceneLab))
  struct SessionDiskTests {
    enum Trouble: CaseIterable {
      /// Something that cannot be taken away lies where the record is to be written.
      case obstructed
      /// No space is left; on a small file system of its own.
      case full
    }

    @Test("A program runs on, says once what is wrong, and saves again when it can", arguments: Trouble.allCases)
    func passing(_ trouble: Trouble) async throws {
      // Given a program whose session is saved
      let home = try TemporaryFolder()
      let path = try folder(home)
      var disk: SmallDisk?
      if trouble == .full { disk = try await SmallDisk(path, home) }
      let run = try await DeskScenario(.openbox, arguments: ["--stay"], home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      let identifier = try #require(try run.program.trace.lines().scenes.first?.identifier)
      let record = "\(path)/\(identifier).session"
      func saved(_ word: String) async throws {
        try await run.perform("keep \(identifier) \(word)")
        try await waitUntil("\(word) on disk", evidence: { run.program.evidence }) { text(of: record).contains(word) }
      }
      try await saved("first")
      // When the disk fails, and more than one change cannot be saved
      let obstacle = "\(path)/.\(identifier).session.tmp"
      switch trouble {
      case .obstructed: try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
      case .full: try disk?.fill()
      }
      try await run.perform("keep \(identifier) second")
      try await run.program.wait(for: "the message") { lines in errors(lines).isEmpty ? nil : () }
      try await run.perform("keep \(identifier) third")
      // What goes out of sight is saved at once.
      try await run.perform("hide 1")
      try await run.desktop.settle(run.program) { $0.count == 1 }
      try await run.perform("show 1")
      try await run.desktop.settle(run.program) { $0.allSatisfy(\.exists) }
      // Then it was said once, and what was saved before is untouched
      #expect(try errors(run.program.trace.lines()).count == 1, "\(run.program.evidence)")
      #expect(text(of: record).contains("first"))
      // And when there is room again, the next change is saved, and nothing more is said
      switch trouble {
      case .obstructed: rmdir(obstacle)
      case .full: disk?.empty()
      }
      try await saved("fourth")
      #expect(try errors(run.program.trace.lines()).count == 1, "\(run.program.evidence)")
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      await disk?.unmount()
    }

    @Test("A directory that is taken away under a program costs a message, and no more")
    func removed() async throws {
      let home = try TemporaryFolder()
      let run = try await DeskScenario(.openbox, arguments: ["--stay"], home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      let identifier = try #require(try run.program.trace.lines().scenes.first?.identifier)
      try FileManager.default.removeItem(atPath: home.file("state"))
      try home.write("state", "a file")
      try await run.perform("keep \(identifier) second")
      try await run.program.wait(for: "the message") { lines in errors(lines).isEmpty ? nil : () }
      try await run.perform("new")
      try await run.desktop.settle(run.program) { $0.count == 2 && $0.allSatisfy(\.exists) }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      try EndingTests.expectEnd(run.program)
    }

    @Test("A program whose directory cannot be made runs without one, and says so once")
    func noDirectory() async throws {
      let home = try TemporaryFolder()
      try home.write("state", "a file where the directory should be")
      let run = try await DeskScenario(.openbox, arguments: ["--stay"], home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.exists) }
      try await run.perform("new")
      try await run.desktop.settle(run.program) { $0.count == 2 && $0.allSatisfy(\.exists) }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      #expect(try errors(run.program.trace.lines()).count == 1, "\(run.program.evidence)")
    }

    @Test("A store that cannot be opened at the launch is opened later: what there is is saved, what was there stays")
    func openedLate() async throws {
      // Given two stored sessions, in a directory that a link leads to
      let home = try TemporaryFolder()
      let (path, place) = (try folder(home), home.file("place"))
      try FileManager.default.moveItem(atPath: path, toPath: place)
      try #require(symlink(place, path) == 0)
      let first = try await DeskScenario(.openbox, arguments: ["--stay"], home: home)
      try await first.desktop.settle(first.program)
      try await first.perform("new")
      try await first.desktop.settle(first.program) { $0.count == 2 && $0.allSatisfy(\.exists) }
      let stored = try first.program.trace.lines().scenes.map(\.identifier)
      first.program.send(SIGTERM)
      #expect(try await first.program.end() == .exited(0))
      // When it leads nowhere at a launch
      func lead(to target: String) throws {
        try #require(symlink(target, path + ".new") == 0 && rename(path + ".new", path) == 0)
      }
      try lead(to: "nowhere")
      let run = try await DeskScenario(.openbox, arguments: ["--stay"], on: first.desktop, home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.exists) }
      let identifier = try #require(try run.program.trace.lines().scenes.first?.identifier)
      try await run.perform("keep \(identifier) unsaved")
      // Then the program runs on, and saves when the directory is back
      try await run.program.wait(for: "the message") { lines in errors(lines).isEmpty ? nil : () }
      try lead(to: place)
      try await waitUntil("it is on disk", evidence: { run.program.evidence }) {
        text(of: "\(place)/\(identifier).session").contains("unsaved")
      }
      let lines = try run.program.trace.lines()
      #expect(errors(lines).count == 1 && lines.count { $0.name == "savingResumed" } == 1, "\(run.program.evidence)")
      #expect(lines.scenes.count == 1)
      // And the next launch has all of them
      run.program.send(SIGKILL)
      _ = try await run.program.end()
      let next = try run.desktop.start(DeskScenario.path, ["--stay"], home: home)
      try await run.desktop.settle(next, "all sessions") { $0.count == 3 && $0.allSatisfy(\.exists) }
      #expect(try Set(next.trace.lines().scenes.map(\.identifier)) == Set(stored + [identifier]))
      next.send(SIGKILL)
      _ = try await next.end()
    }

    private func folder(_ home: TemporaryFolder) throws -> String {
      _ = try home.folder("state")
      return try home.folder("state/org.proscenium.Scenario")
    }

    private func errors(_ lines: [TraceLine]) -> [TraceLine] { lines.filter { $0.kind == "error" } }
  }
}

/// A file system of a few pages, mounted on a folder.
private final class SmallDisk: Sendable {
  private let path: String
  private let home: TemporaryFolder

  /// Mounts it; cancels the test by name where this process may not.
  init(_ path: String, _ home: TemporaryFolder) async throws {
    self.path = path
    self.home = home
    guard try await Self.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=0700", "none", path], home) else {
      try cancelTest("no file system can be mounted", lacking: .mounts)
    }
  }

  /// Takes all the space that is left.
  func fill() throws {
    let descriptor = open("\(path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DeskFailure("no file to fill the disk with: errno \(errno)") }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, page, page.count) > 0 {}
    guard errno == ENOSPC else { throw DeskFailure("the disk is not full: errno \(errno)") }
  }

  func empty() { unlink("\(path)/filler") }

  func unmount() async { _ = try? await Self.run(["umount", "-l", path], home) }

  private static func run(_ arguments: [String], _ home: TemporaryFolder) async throws -> Bool {
    let process = try ChildProcess(
      arguments, environment: try privateEnvironment(home: home, display: nil), output: home.file("mount-out"),
      errors: home.file("mount-err"))
    return try await process.wait() == .exited(0)
  }
}
