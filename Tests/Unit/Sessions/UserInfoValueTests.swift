import FoundationEssentials
import ProsceniumJSON
import Testing

@testable import ProsceniumPlatform

@Suite("Values that can be stored")
struct UserInfoValueTests {
  @Test(
    "Each kind survives a round trip through JSON",
    arguments: [
      true, -7, 2.5, 3.0, -0.0, Double.infinity, 1e300, "a\u{0}\u{1F600}", Data([0, 255]),
      Date(timeIntervalSinceReferenceDate: 12.25), Date(timeIntervalSinceReferenceDate: 12), URL(string: "note:1")!,
      UUID(), Set([1, 2]),
    ] as [any Hashable & Sendable])
  func roundTrip(_ value: any Hashable & Sendable) throws {
    let stored = try JSONValue(value, key: "v")
    let back = try #require(try JSONValue.object(in: try JSONValue.bytes(of: ["v": stored]))["v"])
    #expect(back == stored)
    #expect(back.value as? AnyHashable == AnyHashable(value))
  }

  @Test("Nothing, arrays, sets of mixed values and dictionaries survive it too, whatever their keys")
  func collections() throws {
    let values: [String: Any] = [
      "none": Int?.none as Any, "array": [1, 2], "set": Set<AnyHashable>([1, "b"]), "empty": [:] as [String: Int],
      "tag": ["$double": 1], "dollars": ["$double": 1, "$$x": 2],
    ]
    let stored = try JSONValue(values, key: "v")
    let back = try #require(try JSONValue.object(in: try JSONValue.bytes(of: ["v": stored]))["v"])
    #expect(back == stored)
    let members = try #require(back.value as? [String: any Sendable])
    #expect(members["array"] as? [Int] == [1, 2] && members["empty"] as? [String: Int] == [:])
    #expect(members["tag"] as? [String: Int] == ["$double": 1])
    #expect(members["dollars"] as? [String: Int] == ["$double": 1, "$$x": 2])
    #expect((members["set"] as? [any Sendable])?.count == 2 && members["none"] as? Int == nil)
  }

  @Test("A program's values are taken as what they are, and handed back")
  func conversion() throws {
    #expect(try JSONValue(UInt8(5), key: "k") == .int(5))
    #expect(try JSONValue(true, key: "k") == .bool(true))
    #expect(try JSONValue(Float(0.5), key: "k") == .double(0.5))
    #expect(try JSONValue(Int?.some(3) as Any, key: "k") == .int(3))
    #expect(try JSONValue(Int?.none as Any, key: "k") == .null)
    #expect(try JSONValue(["a": [1, 2]], key: "k") == .object(["a": .array([.int(1), .int(2)])]))
    #expect(try JSONValue(Set(["a"]), key: "k") == .object(["$set": .array([.string("a")])]))
    #expect(try JSONValue(Set(["a"]), key: "k").value as? Set<String> == ["a"])
    #expect(try JSONValue([1, 2], key: "k").value as? [Int] == [1, 2])
    #expect(try JSONValue(["a": "b"], key: "k").value as? [String: String] == ["a": "b"])
  }

  @Test("What cannot be stored is named by key and type")
  func refusal() {
    struct Odd {}
    #expect(throws: JSONValue.Unstorable(key: "k.a[1]", type: "Odd")) {
      try JSONValue(["a": [1, Odd()] as [Any]], key: "k")
    }
    #expect(throws: JSONValue.Unstorable.self) { try JSONValue(UInt64.max, key: "k") }
    var nested: [Any] = []
    for _ in 0..<10_000 { nested = [nested] }
    #expect(throws: JSONValue.Unstorable.self) { try JSONValue(nested, key: "k") }
  }
}
