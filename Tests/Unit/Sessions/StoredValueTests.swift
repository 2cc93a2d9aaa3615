import FoundationEssentials
import ProsceniumCore
import Testing

@Suite("Values that can be stored")
struct StoredValueTests {
  @Test(
    "Each kind survives a round trip through JSON",
    arguments: [
      .null, .bool(true), .int(-7), .double(2.5), .double(3), .double(-0.0), .double(.infinity), .double(1e300),
      .string("a\u{0}\u{1F600}"), .data(Data([0, 255])), .date(Date(timeIntervalSinceReferenceDate: 12.25)),
      .date(Date(timeIntervalSinceReferenceDate: 12)), .url(URL(string: "note:1")!), .uuid(UUID()),
      .array([.int(1), .null]), .set([.int(1), .string("b")]),
      .dictionary(["$double": .int(1), "$$x": .null, "plain": .dictionary([:])]),
    ] as [StoredValue])
  func roundTrip(_ value: StoredValue) throws {
    let data = try JSONEncoder().encode(["v": value])
    #expect(try JSONDecoder().decode([String: StoredValue].self, from: data)["v"] == value)
  }

  @Test("A program's values are taken as what they are, and handed back")
  func conversion() throws {
    #expect(try StoredValue(UInt8(5), key: "k") == .int(5))
    #expect(try StoredValue(true, key: "k") == .bool(true))
    #expect(try StoredValue(Float(0.5), key: "k") == .double(0.5))
    #expect(try StoredValue(Int?.some(3) as Any, key: "k") == .int(3))
    #expect(try StoredValue(Int?.none as Any, key: "k") == .null)
    #expect(try StoredValue(["a": [1, 2]], key: "k") == .dictionary(["a": .array([.int(1), .int(2)])]))
    #expect(try StoredValue(Set(["a"]), key: "k") == .set([.string("a")]))
    #expect(try StoredValue(Set(["a"]), key: "k").value as? Set<String> == ["a"])
    #expect(try StoredValue([1, 2], key: "k").value as? [Int] == [1, 2])
    #expect(try StoredValue(["a": "b"], key: "k").value as? [String: String] == ["a": "b"])
  }

  @Test("What cannot be stored is named by key and type")
  func refusal() {
    struct Odd {}
    #expect(throws: StoredValue.Unstorable(key: "k.a[1]", type: "Odd")) {
      try StoredValue(["a": [1, Odd()] as [Any]], key: "k")
    }
    #expect(throws: StoredValue.Unstorable.self) { try StoredValue(UInt64.max, key: "k") }
    var nested: [Any] = []
    for _ in 0..<10_000 { nested = [nested] }
    #expect(throws: StoredValue.Unstorable.self) { try StoredValue(nested, key: "k") }
  }
}
