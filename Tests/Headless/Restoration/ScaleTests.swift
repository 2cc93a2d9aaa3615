import ProsceniumCore
import ProsceniumTesting
import TestSupport
import Testing

/// Programs with very many sessions.
@MainActor @Suite("Many sessions", .serialized) struct ScaleTests {
  /// What a launch with so many stored sessions does, of which two were shown.
  private func launch(_ count: Int) throws -> (connected: Int, open: Int, writes: Int) {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b"]).end()
    let name = try #require(try disk.names().first { $0.hasSuffix(".session") })
    let record = String(decoding: try disk.read(name, limit: .max), as: UTF8.self)
    let lines = record.split(separator: "\n", maxSplits: 1)
    // The first line: format, version, identifier, time, presence, and more.
    var words = try #require(lines.first).split(separator: " ", omittingEmptySubsequences: false)
    try #require(words.count > 4 && words[4] == "shown")
    words[4] = "hidden"
    for number in 2..<count {
      let identifier = "copy-\(number)"
      words[2] = identifier[...]
      disk.replace("\(identifier).session", with: Array("\(words.joined(separator: " "))\n\(lines[1])".utf8))
    }
    let restarted = disk.restarted(.nothing)
    let before = restarted.operationCount
    let next = SessionRun(restarted).launch()
    let writes = restarted.operationCount - before
    defer { next.kill() }
    return (next.application.connectedScenes.count, next.application.openSessions.count, writes)
  }

  @Test("A launch with 100,000 stored sessions connects those that were shown, and writes what it writes with ten")
  func launches() throws {
    let few = try launch(10)
    let count = testRounds(100_000)
    let many = try launch(count)
    #expect(few.connected == 2 && many.connected == 2)
    #expect(few.open == 10 && many.open == count)
    #expect(few.writes == many.writes)
  }
}
