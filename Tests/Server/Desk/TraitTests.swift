import DeskSupport
import Glibc
import ProsceniumDeskTrait
import Testing

/// What the trait does, seen from outside: each test runs a test of ``OnPurpose`` in a process of its own.
@Suite("The trait for tests on a desk") struct TraitTests {
  private struct Run {
    var ending: Program.Ending
    var output: String
    var folder: TemporaryFolder
    /// What was attached, by the beginnings of the names.
    func attachment(_ name: String) -> [UInt8]? {
      let stem = name.split(separator: ".").first.map(String.init) ?? name
      let found = names(inFolder: folder.file("attachments")).first { $0.hasPrefix(stem) }
      return found.map { contents(of: folder.file("attachments/\($0)")) }
    }
  }

  private func run(_ test: String, _ change: (inout [String: String]) -> Void = { _ in }) async throws -> Run {
    let folder = try TemporaryFolder()
    var environment = try privateEnvironment(home: folder, display: nil)
    environment["PROSCENIUM_DESK_ON_PURPOSE"] = "1"
    change(&environment)
    _ = try folder.write("attachments/.keep", "")
    let process = try ChildProcess(
      [
        "/proc/self/exe", "--testing-library", "swift-testing", "--filter", "OnPurpose/\(test)", "--attachments-path",
        folder.file("attachments"),
      ], environment: environment, output: folder.file("out"), errors: folder.file("err"))
    let ending = try await process.wait(limit: .seconds(60))
    return Run(ending: ending, output: text(of: folder.file("out")) + text(of: folder.file("err")), folder: folder)
  }

  @Test(
    "A test that fails leaves a picture, the server's view, and each program's trace and output", .enabled(if: ready))
  func evidence() async throws {
    let run = try await run("fails")
    #expect(run.ending == .exited(1), "\(run.output)")
    // A PNG, of which a test of its own says that it is right.
    #expect(run.attachment("screen.png")?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true, "\(run.output)")
    let windows = String(decoding: run.attachment("windows.txt") ?? [], as: UTF8.self)
    #expect(windows.contains("under openbox") && windows.contains("foregroundActive"), "\(windows)")
    let trace = String(decoding: run.attachment("trace-1.jsonl") ?? [], as: UTF8.self)
    #expect(trace.contains("sceneDidBecomeActive") && trace.hasSuffix("}\n"), "\(trace)")
    let program = String(decoding: run.attachment("program-1.txt") ?? [], as: UTF8.self)
    #expect(program.contains("--- trace | server"), "\(program)")
  }

  @Test("What a test throws, and a wait in vain, leave the same", .enabled(if: ready))
  func thrown() async throws {
    let run = try await run("throwing")
    #expect(run.ending == .exited(1), "\(run.output)")
    #expect(run.attachment("screen.png") != nil && run.attachment("windows.txt") != nil, "\(run.output)")
    #expect(run.output.contains("waited 0.05 seconds for something that never happens"), "\(run.output)")
  }

  @Test(
    "A test that its time limit cancels leaves the same, whether it throws or goes on", .enabled(if: ready),
    arguments: ["interrupted", "goingOn"])
  func overTime(_ test: String) async throws {
    let run = try await run(test)
    #expect(run.attachment("screen.png") != nil && run.attachment("windows.txt") != nil, "\(run.output)")
  }

  @Test("A test that cancels itself leaves nothing", .enabled(if: ready))
  func cancelling() async throws {
    let run = try await run("cancelling")
    #expect(run.ending == .exited(0), "\(run.output)")
    #expect(run.output.contains("of no use here"), "\(run.output)")
    #expect(names(inFolder: run.folder.file("attachments")) == [".keep"])
  }

  @Test("A test that passes leaves nothing, and no server", .enabled(if: ready))
  func passes() async throws {
    let run = try await run("passes")
    #expect(run.ending == .exited(0), "\(run.output)")
    #expect(names(inFolder: run.folder.file("attachments")) == [".keep"])
    let word = run.output.split(separator: "server ").last?.prefix { $0.isNumber }
    let server = try #require(word.flatMap { Int32($0) }, "\(run.output)")
    #expect(kill(server, 0) == -1 && errno == ESRCH)
  }

  @Test("Without the window manager a test is skipped by name, and fails where none may be", arguments: [false, true])
  func missing(mustNotSkip: Bool) async throws {
    let run = try await run("passes") {
      $0["PATH"] = "/nowhere"
      $0["PROSCENIUM_TESTS_NO_SKIP"] = mustNotSkip ? "1" : nil
    }
    #expect(run.output.contains("Xvfb is not installed (Debian: xvfb)"), "\(run.output)")
    #expect(run.ending == (mustNotSkip ? .exited(1) : .exited(0)), "\(run.output)")
  }

  @Test("A test without the trait has no desk, and is told so")
  func none() throws {
    let failure = try #require(throws: DeskFailure.self) { try Desk.current }
    #expect(failure.summary.contains(".desktop(.openbox)"))
  }

  private static var ready: Bool { mustNotSkip || (XServer.isInstalled && WindowManager.openbox.isInstalled) }
}

/// Tests for the tests above alone.
@Suite(
  "Run by another test", .desktop(.openbox), .serialized,
  .enabled(if: getenv("PROSCENIUM_DESK_ON_PURPOSE") != nil, "only within another test"))
struct OnPurpose {
  @Test func fails() async throws {
    let program = try Desk.current.start(Program.besideTests("SceneLab"))
    try await program.waitForScene(toBe: .foregroundActive)
    #expect(Bool(false), "on purpose")
    program.send(SIGKILL)
    _ = try await program.end()
  }

  @Test func throwing() async throws {
    try await Desk.current.waitUntil("something that never happens", limit: .milliseconds(50)) { false }
  }

  @Test func interrupted() async throws {
    withUnsafeCurrentTask { $0?.cancel() }
    try await Desk.current.waitUntil("something that never happens") { false }
  }

  @Test func goingOn() async throws {
    withUnsafeCurrentTask { $0?.cancel() }
    try? await Desk.current.waitUntil("something that never happens") { false }
  }

  @Test func cancelling() throws { try Test.cancel("of no use here") }

  @Test func passes() throws {
    print("server", try Desk.current.server.pid)
  }
}
