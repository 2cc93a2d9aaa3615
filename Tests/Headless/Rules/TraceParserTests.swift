import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import TestSupport
import Testing

@Suite("Reading a trace") struct TraceParserTests {
  private static let line = #"{"t":1.5,"pid":7,"kind":"error","message":"a"}"#

  @Test("What a program writes is what is read, whatever the text in it")
  func values() throws {
    let entry = TraceEntry(
      "error",
      [
        ("message", .text("\"\\/\n\t\u{1}é\u{1F600}")), ("flag", .flag(true)), ("list", .list(["a", "b\"", ""])),
        ("number", .number(-7)), ("none", .list([])),
      ])
    guard case .line(let line)? = TraceParser.parse(entry.json(time: 12.000001, process: 7)).first else {
      Issue.record("no line")
      return
    }
    #expect(line.time == 12.000001 && line.process == 7 && line.kind == "error" && line.number == 1)
    #expect(line.text("message") == "\"\\/\n\t\u{1}é\u{1F600}")
    #expect(line["flag"] == .flag(true) && line["list"] == .list(["a", "b\"", ""]) && line["none"] == .list([]))
    #expect(line["number"] == .number(-7) && line.count("number") == -7)
  }

  @Test("Any JSON is read; values of forms that no trace has are left out")
  func json() throws {
    let text =
      #" { "t" : 1e0 , "pid":7,"kind":"\u0065rror\ud83d\ude00\/","x":{"y":[1,{"z":null}]},"n":null,"l":[1,"a"]} "#
    guard case .line(let line)? = TraceParser.parse(text).first else {
      Issue.record("no line")
      return
    }
    #expect(line.kind == "error\u{1F600}/" && line.time == 1)
    #expect(line["x"] == nil && line["n"] == nil && line["l"] == nil)
  }

  @Test(
    "What is no line is rubbish, with its number",
    arguments: [
      "rubbish", "{}", "[]", "{\"t\":1,\"pid\":7}", line + "x", "{\"t\":\"1\",\"pid\":7,\"kind\":\"error\"}",
      "{\"t\":1,\"pid\":7,\"kind\":\"error\",}", "{\"t\":1,\"pid\":7,\"kind\":\"err", "\u{0}\u{0}",
      "{\"t\":1,\"pid\":7,\"kind\":\"a\\x\"}", String(repeating: "{\"a\":", count: 10_000), "{\"t\":1 \"pid\":7}",
    ])
  func rubbish(text: String) {
    let items = TraceParser.parse("\(Self.line)\n\n\(text)\n\(Self.line)\n")
    #expect(items.count == 3)
    guard items.count == 3, case .rubbish(3, let found) = items[1] else {
      Issue.record("\(items)")
      return
    }
    #expect(text.hasPrefix(found.prefix(10)))
    #expect(TraceChecker.violations(in: "\(Self.line)\n\n\(text)\n").map(\.line) == [3])
  }

  @Test("A trace may be cut at any byte")
  func cuts() {
    let bytes = Array((Self.line + "\n" + Self.line + "\n").utf8)
    for count in bytes.indices {
      let items = TraceParser.parse(String(decoding: bytes[..<count], as: UTF8.self))
      #expect(items.count == (count < Self.line.utf8.count ? 0 : count < 2 * Self.line.utf8.count + 1 ? 1 : 2))
      for case .rubbish in items { Issue.record("rubbish where the trace was cut after \(count) bytes") }
    }
  }

  @Test("A text may come in pieces of any length")
  func pieces() {
    let bytes = Array((Self.line + "\r\n" + Self.line + "\n").utf8)
    for length in 1..<bytes.count {
      var parser = TraceParser()
      var items: [TraceParser.Item] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        items += parser.take(bytes[start..<min(start + length, bytes.count)])
      }
      #expect(items == TraceParser.parse(String(decoding: bytes, as: UTF8.self)) && parser.finish() == nil)
    }
  }

  @Test("Rubbish of any kind stops nothing")
  func randomRubbish() {
    var random = SeededNumbers(testSeed(1))
    let valid = Array(Self.line.utf8)
    for _ in 0..<2000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var parser = TraceParser()
      let items = parser.take(bytes + [10] + valid + [10])
      #expect(items.last.map { if case .line = $0 { true } else { false } } == true)
    }
  }
}
