import Glibc
import ProsceniumCore
import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import ScenarioKit
import Testing

@MainActor @Suite("The trace") struct TraceTests {
  @Test("Lines are JSON whatever the text in them")
  func json() {
    let record = TraceRecord.system(
      "odd",
      [
        "message": .string("\"\\\n\t\u{1}é\u{1F600}"), "flag": .bool(true),
        "list": .array([.string("a"), .string("b\"")]),
      ])
    #expect(
      record.json(time: 12.0000004, process: 7)
        == #"{"t":12.000000,"pid":7,"kind":"system","name":"odd","message":"\"\\\n\t\u0001é😀","#
        + #""flag":true,"list":["a","b\""]}"#)
    let error = TraceRecord.error(message: "x")
    #expect(error.json(time: .nan, process: 1) == #"{"t":0.000000,"pid":1,"kind":"error","message":"x"}"#)
    #expect(error.json(time: 3.999_999_7, process: 1).hasPrefix(#"{"t":4.000000,"#))
  }

  @Test("A launch writes its line first, and facts name the rule that decided")
  func facts() throws {
    let run = HeadlessScenario(arguments: [])
    _ = run.perform("launch")
    let first = try #require(run.program.entries.first)
    #expect(first.kind == "launch" && first.text("application") == "org.proscenium.Scenario")
    #expect(first["version"] == .int(1) && first.text("reason") == "launch")
    let visible = run.program.entries.first { $0.kind == "fact" && $0.text("name") == "visible" }
    #expect(visible?["to"] == .bool(true) && visible?.text("cause") == "viewable")
    #expect(visible?.text("window")?.hasPrefix("0x") == true)
  }

  @Test("The variable is taken out of the environment, and lines are appended")
  func environment() {
    let path = "/tmp/proscenium-trace-\(getpid())"
    defer { unlink(path) }
    setenv("PROSCENIUM_TRACE", path, 1)
    let file = TraceFile.fromEnvironment()
    #expect(getenv("PROSCENIUM_TRACE") == nil)
    file?.write("one")
    file?.write("two")
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(descriptor, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "one\ntwo\n")
  }

  @Test("A full pipe costs lines and does not block, and a closed one ends nothing")
  func pipes() async throws {
    let path = "/tmp/proscenium-fifo-\(getpid())"
    mkfifo(path, 0o600)
    defer { unlink(path) }
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    let file = try #require(TraceFile.at(path))
    // A limit from here on, not `.timeLimit`, which counts the tests that have the main actor before this one.
    let limit = Task.detached {
      try await Task.sleep(for: .seconds(60))
      close(reader)
    }
    for _ in 0..<10_000 { file.write("a line that is not read") }
    limit.cancel()
    await #expect(throws: CancellationError.self, "A write waited for the reader") { try await limit.value }
    close(reader)
    for _ in 0..<10 { file.write("a line that cannot be read") }
  }

  @Test("Lines that are lost are said once", arguments: ["/dev/full", "/dev/null"])
  func lost(path: String) throws {
    var reports: [String] = []
    let file = try #require(TraceFile.at(path) { reports.append($0) })
    for _ in 0..<3 { file.write("a line") }
    #expect(reports.count == (path == "/dev/full" ? 1 : 0))
    #expect(reports.allSatisfy { $0.contains("No space left on device") })
  }

  @Test("A file that cannot be opened is said once, and the program runs on")
  func unwritable() {
    var reports: [String] = []
    #expect(TraceFile.at("/nowhere/at/all") { reports.append($0) } == nil)
    #expect(reports.count == 1)
  }
}
