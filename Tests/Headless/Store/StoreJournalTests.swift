import FoundationEssentials
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import Testing

@Suite("The journal of runs")
@MainActor struct StoreJournalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var journal: String
    var lastRun: SessionStore.LastRun
    var suspects: [String: Int] = [:]
    var testDescription: String { journal.replacing("\n", with: " ") }
    init(_ journal: String, _ lastRun: SessionStore.LastRun, _ suspects: [String: Int] = [:]) {
      self.journal = journal
      self.lastRun = lastRun
      self.suspects = suspects
    }
  }

  @Test("A journal of fifty thousand names is read in a time that grows with its length")
  func long() throws {
    let names = (0..<50_000).map { "s\($0)" }
    let text = "run 1\n" + names.map { "+\($0)\n" }.joined() + "!\n" + names.dropFirst(2).map { "-\($0)\n" }.joined()
    let disk = CuttableDisk()
    try disk.write("runs", Array(text.utf8))
    #expect(SessionStore(files: disk, runsInline: true).load().suspects == ["s0": 1, "s1": 1])
    // And what is left of it is short.
    #expect(try disk.read("runs", limit: .max).count < 1000)
  }

  @Test("Of a journal the last megabyte counts, and no name that is longer than an identifier")
  func limits() throws {
    let disk = CuttableDisk()
    let name = String(repeating: "n", count: 200)
    let text = "run 1\n+old\n" + String(repeating: "+x\n-x\n", count: 1 << 18) + "+bad\n+\(name)\n+\(name)n\n!\n"
    try disk.write("runs", Array(text.utf8))
    let contents = SessionStore(files: disk, runsInline: true).load()
    #expect(contents.lastRun == .died && contents.messages == [])
    #expect(contents.suspects == ["bad": 1, name: 1])
    #expect(SessionStore(files: disk, runsInline: true).load().lastRun == .died)
  }

  @Test(
    "What the lines say of the last run",
    arguments: [
      Case("", .none),
      Case("rubbish\n", .none),
      Case("+a\nend quit\n", .none),
      Case("run 1\n", .died),
      Case("run 1\nend quit\n", .quit),
      Case("run 1\nend session\n", .sessionEnded),
      Case("run 1\nend sess", .died),
      Case("run 1\nend quit\nrun 2\n", .died),
      Case("run 1\n+a\n", .died),
      Case("run 1\n+a\n!\n", .died, ["a": 1]),
      Case("run 1\n!\n+a\n", .died),
      Case("run 1\n+a\n!\n-a\n", .died),
      Case("run 1\n+a\n!\n-a\n+a\n", .died),
      Case("run 1\n+a\n!\n+b\n", .died, ["a": 1]),
      Case("!\n!a\nrun 1\n!a\n+a\n!a\n", .died),
      Case("run 1\n+a\n!\nrun 2\n+a\nrun 3\n+a\n!\n", .died, ["a": 2]),
      Case("run 1\n+a\n-a\n", .died),
      Case("run 1\n+a\n+b\n-a\n!\n", .died, ["b": 1]),
      Case("run 1\n+a\n!\nend quit\n", .quit),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\n", .died, ["a": 2]),
      Case("run 1\n+a\n!\nrun 2\n+a\n+b\n!\n", .died, ["a": 2, "b": 1]),
      Case("run 1\n+a\n!\nrun 2\nrun 3\n+a\n!\n", .died, ["a": 2]),
      Case("run 1\n+a\n!\nrun 2\n+a\n-a\nrun 3\n+a\n!\n", .died, ["a": 1]),
      Case("run 1\n+a\n!\nrun 2\n+a\n-a\n+b\n!\n", .died, ["b": 1]),
      Case("run 1\n+a\n!\nrun 2\n+b\n!\n", .died, ["a": 1, "b": 1]),
      Case("run 1\n+a\n!\nrun 2\n+b\n!\nrun 3\n+a\n!\n", .died, ["a": 2, "b": 1]),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\nrun 3\n=a\n+b\n!\n", .died, ["a": 3, "b": 1]),
      Case("run 1\n+a\n!\nend quit\nrun 2\n+a\n!\n", .died, ["a": 1]),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\nrun 3\nend session\n", .sessionEnded),
      Case("run 1\nend session\n+a\n!\n", .died, ["a": 1]),
      Case("run 1\nend session\n-a\n", .sessionEnded),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\nrun 3\n=a\n", .died, ["a": 1]),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\nrun 3\n=a\nend quit\n", .quit, ["a": 1]),
      Case("run 1\n=a\nend quit\nrun 2\n+a\n!\n", .died, ["a": 2]),
      Case("run 1\n=a\nend quit\nrun 2\n+a\n", .died, ["a": 1]),
      Case("run 1\n=a\nend quit\nrun 2\n+a\n-a\n", .died),
      Case("run 1\n=a\nrun 2\n", .died, ["a": 1]),
      Case("run 1\n=a\n+a\n!\n", .died, ["a": 1]),
      Case("run 1\n=a\n=a\n+b\n!\n", .died, ["a": 1, "b": 1]),
      Case("run 1\n\u{0}\u{0}\u{0}\n+a%20b\nrun x\n+\n+%\n+%2\n!\n", .died, ["a b": 1, "": 1]),
      Case("run 1\n+a\n+a\n-a\n!\n", .died),
      Case("run 1\nvoid\n", .none),
      Case("run 1\nend quit\nrun 2\nvoid\n", .quit),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\nrun 3\nvoid\nvoid\n", .died, ["a": 1]),
      Case("run 1\n+a\n!\nrun 2\n+a\n!\nrun 3\nvoid\nrun 4\nvoid\n", .died, ["a": 2]),
    ])
  func reading(_ given: Case) throws {
    let disk = CuttableDisk()
    try disk.write("runs", Array(given.journal.utf8))
    let contents = SessionStore(files: disk, runsInline: true).load()
    #expect(contents.lastRun == given.lastRun)
    #expect(contents.suspects == given.suspects)
    #expect(contents.messages == [])
  }

  @Test("Runs that crash as they connect a session are counted, however long the journal gets; an ordered one ends it")
  func counting() throws {
    var disk = CuttableDisk()
    for run in 0..<200 {
      let store = SessionStore(files: disk, runsInline: true)
      let contents = store.load()
      #expect(contents.lastRun == (run == 0 ? .none : run == 151 ? .quit : .died))
      let expected = run <= 150 ? run : run - 151
      // Beyond the largest count that is asked for, counting may stop.
      if expected <= 10 { #expect(contents.suspects["bad"] ?? 0 == expected, "run \(run)") }
      if expected > 10 { #expect(contents.suspects["bad"] ?? 0 > 10, "run \(run)") }
      for number in 0..<20 {
        store.beginConnecting("good-\(number)")
        store.endConnecting("good-\(number)")
      }
      store.beginConnecting("bad")
      store.access.noteCrash()
      if run == 150 { store.end(.quit) }
      disk = disk.restarted(.nothing)
    }
    #expect(try disk.read("runs", limit: .max).count < 6000)
  }

  @Test("A line after a torn one is whole")
  func torn() throws {
    let disk = CuttableDisk()
    try disk.write("runs", Array("run 1\nend quit\nru".utf8))
    _ = SessionStore(files: disk, runsInline: true).load()
    #expect(SessionStore(files: disk, runsInline: true).load().lastRun == .died)
  }

  @Test("A file that is appended to is opened once, and again when it has been removed or replaced")
  func appending() throws {
    let directory = try TemporaryDirectory()
    let files = try PosixFiles(path: directory.path)
    func text(_ name: String) throws -> String { String(decoding: try files.read(name, limit: 100), as: UTF8.self) }
    var lines = ""
    for number in 0..<5 {
      try files.append("runs", Array("\(number)\n".utf8))
      lines += "\(number)\n"
    }
    #expect(try text("runs") == lines)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))
        == directory.path + "/runs"
    }
    #expect(open == 1)
    try files.remove("runs")
    try files.append("runs", Array("5\n".utf8))
    #expect(try text("runs") == "5\n")
    try files.write("new", Array("new\n".utf8))
    try files.rename("new", to: "runs")
    try files.append("runs", Array("6\n".utf8))
    #expect(try text("runs") == "new\n6\n")
    try files.append("other", Array("7\n".utf8))
    #expect(try text("other") == "7\n" && text("runs") == "new\n6\n")
    // Also when it has another name, as a picture that is written piece by piece
    try files.rename("other", to: "picture")
    try files.write("other", Array("8\n".utf8))
    try files.append("other", Array("9\n".utf8))
    #expect(try text("picture") == "7\n" && text("other") == "8\n9\n")
  }

  @Test("Lines of calls are written together, in their order, before the loop rests or the process ends itself")
  func waiting() throws {
    let directory = try TemporaryDirectory()
    let files = try PosixFiles(path: directory.path)
    func text() throws -> String { String(decoding: try files.read("runs", limit: .max), as: UTF8.self) }
    let store = SessionStore(files: files, runsInline: true)
    #expect(store.load().suspects == [:])
    let run = try text()
    // When a session has connected, nothing is written before the loop rests
    store.beginConnecting("a")
    store.endConnecting("a")
    #expect(try text() == run)
    #expect(store.restConnecting())
    #expect(try text() == run + "+a\n-a\n")
    // When there are more lines than may wait, and others among them
    let names = (0..<500).map { "\($0)-of-many-sessions" }
    var lines = names.map { "+\($0)\n-\($0)\n" }.joined()
    for name in names {
      store.beginConnecting(name)
      store.endConnecting(name)
    }
    store.holdBack("held")
    store.beginConnecting("b")
    lines += "=held\n+b\n"
    // Then the process' end finds all of them in their order
    store.access.noteCrash()
    #expect(try text() == run + "+a\n-a\n" + lines + "!\n")
  }

  @Test("With a suspect each line is written at once, so that a kill from outside leaves who has survived")
  func suspects() throws {
    let directory = try TemporaryDirectory()
    let files = try PosixFiles(path: directory.path)
    try files.write("runs", Array("run 1\n+a\n!\n".utf8))
    let store = SessionStore(files: files, runsInline: true)
    #expect(store.load().suspects == ["a": 1])
    store.beginConnecting("a")
    store.endConnecting("a")
    #expect(String(decoding: try files.read("runs", limit: .max), as: UTF8.self).hasSuffix("+a\n-a\n"))
  }
}
