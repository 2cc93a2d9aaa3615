import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import ScenarioKit
import SceneLifecycle
import TestSupport
import Testing

@Suite("Decoding a trace") struct TraceDecoderTests {
  private static let line = #"{"t":1.5,"pid":7,"kind":"error","message":"a"}"#

  @Test("What a program writes is what is read, whatever the text in it")
  func values() throws {
    let written = TraceRecord.system(
      "odd",
      [
        "message": .string("\"\\/\n\t\u{1}é\u{1F600}"), "flag": .bool(true),
        "list": .array([.string("a"), .string("b\""), .string("")]), "number": .int(-7), "none": .array([]),
      ])
    guard case .line(let line)? = TraceDecoder.decode(written.json(time: 12.000001, process: 7)).first,
      let record = line.record
    else {
      Issue.record("no line")
      return
    }
    #expect(line.time == 12.000001 && line.process == 7 && line.kind == "system" && line.number == 1)
    #expect(record.text("message") == "\"\\/\n\t\u{1}é\u{1F600}")
    #expect(record["flag"] == .bool(true) && record["none"] == .array([]))
    #expect(record["list"] == .array([.string("a"), .string("b\""), .string("")]))
    #expect(record["number"] == .int(-7))
  }

  @Test(
    "Each kind is decoded as it was encoded, with and without the keys that need not be there",
    arguments: [
      .launch(application: "a.b", reason: "restore", model: .sceneBased, urls: 2),
      .launch(application: "a.b", reason: "launch", model: .appBased, urls: 0),
      .fact("visible", true, cause: "viewable", scene: "s", window: "0x1"), .fact("locked", false, cause: "logind"),
      .fact("windowManager", "absent", cause: "WM_S owner"),
      .edge(.sceneWillConnect, scene: "s", policy: .whenVisible, urls: 1), .edge(.sceneDidBecomeActive, scene: "s"),
      .edge(.sceneDidDisconnect, scene: "s", window: "0x1", reason: "requested"),
      .app("applicationDidBecomeActive", state: .active),
      .app("openURLContexts", state: .inactive, sessions: ["s", "t"], urls: 3),
      .system("suspended"), .system("screenSaver", ["cause": .string("x"), "to": .bool(true)]),
      .request("snapshot", scene: "s", outcome: "1x1"), .request("connect", outcome: "done", ["screen": .string("x")]),
      .error(message: "amiss"),
    ] as [TraceRecord])
  func kinds(record: TraceRecord) {
    let items = TraceDecoder.decode(record.json(time: 1.25, process: 3))
    #expect(items == [.line(TraceDecoder.Line(record, number: 1, time: 1.25, process: 3))])
  }

  @Test("Any JSON is read; a kind that is not known has no record")
  func json() throws {
    let text =
      #" { "t" : 1e0 , "pid":7,"kind":"\u0065rror\ud83d\ude00\/","x":{"y":[1,{"z":null}]},"n":null,"l":[1,"a"]} "#
    guard case .line(let line)? = TraceDecoder.decode(text).first else {
      Issue.record("no line")
      return
    }
    #expect(line.kind == "error\u{1F600}/" && line.time == 1 && line.record == nil)
  }

  @Test(
    "What is no line is rubbish, with its number",
    arguments: [
      "rubbish", "{}", "[]", "{\"t\":1,\"pid\":7}", line + "x", "{\"t\":\"1\",\"pid\":7,\"kind\":\"error\"}",
      "{\"t\":1,\"pid\":7,\"kind\":\"error\",}", "{\"t\":1,\"pid\":7,\"kind\":\"err", "\u{0}\u{0}",
      "{\"t\":1,\"pid\":7,\"kind\":\"a\\x\"}", String(repeating: "{\"a\":", count: 10_000), "{\"t\":1 \"pid\":7}",
    ])
  func rubbish(text: String) {
    let items = TraceDecoder.decode("\(Self.line)\n\n\(text)\n\(Self.line)\n")
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
      let items = TraceDecoder.decode(String(decoding: bytes[..<count], as: UTF8.self))
      #expect(items.count == (count < Self.line.utf8.count ? 0 : count < 2 * Self.line.utf8.count + 1 ? 1 : 2))
      for case .rubbish in items { Issue.record("rubbish where the trace was cut after \(count) bytes") }
    }
  }

  @Test("A text may come in pieces of any length")
  func pieces() {
    let bytes = Array((Self.line + "\r\n" + Self.line + "\n").utf8)
    for length in 1..<bytes.count {
      var decoder = TraceDecoder()
      var items: [TraceDecoder.Item] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        items += decoder.decode(bytes[start..<min(start + length, bytes.count)])
      }
      #expect(items == TraceDecoder.decode(String(decoding: bytes, as: UTF8.self)) && decoder.finish() == nil)
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
      var decoder = TraceDecoder()
      let items = decoder.decode(bytes + [10] + valid + [10])
      #expect(items.last.map { if case .line = $0 { true } else { false } } == true)
    }
  }
}
