import FoundationEssentials
import ProsceniumJSON
import TestSupport
import Testing

@Suite("Reading JSON") struct JSONReaderTests {
  /// The value of a text, as Foundation's decoder finds it.
  private func decoded(_ text: [UInt8]) -> [String: JSONValue]? {
    try? JSONDecoder().decode([String: JSONValue].self, from: Data(text))
  }

  private func agrees(_ text: [UInt8]) -> Bool { (try? JSONValue.object(in: text)) == decoded(text) }

  @Test(
    "A value is the one that Foundation's decoder finds, or an error for both",
    arguments: [
      "0", "-0", "1.0", "1e2", "15E-1", "150e-1", "-1.5", "1e19", "18446744073709551615", "18446744073709551616",
      "-9223372036854775808", "-9223372036854775809", "1e-999999", "1e999999", "1.7976931348623157e308", "4.9e-324",
      "01", "-", "-01", "1.", ".5", "+1", "1e", "1e+", "1e+2", "NaN", "0x10", "1 2", "[1,]", "[,1]", "[1 2]", "[,]",
      "[1", "]", "{\"a\":1,}", "{,}", "{\"a\":1,\"a\":2}", "{\"a\" 1}", "{\"a\":}", "{1:1}", "{\"a\":1 \"b\":2}",
      " [ 1 ,\t{ \"a\" :\r\nnull } ] ", "true", "false", "truex", "nul", "", "\u{b}1",
      "\"\\u0000\"", "\"\\ud83d\\uDE00\"",
      "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83dx\"", "\"\\ud83d\\u0041\"", "\"\\u12g4\"", "\"\\u+123\"", "\"\\u12\"",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\x\"", "\"\t\"", "\"\u{7f}\"", "\"a", "\"a\\", "\"e\u{301}\"",
      "{\"\u{e9}\":1,\"e\u{301}\":2}", "a", "1a", "\"a\"b",
    ])
  func single(_ value: String) {
    let text = Array("{\"value\":\(value)}".utf8)
    #expect(agrees(text), "\(decoded(text).debugDescription)")
  }

  // Foundation's reads `0.E`, too. No two changes give the last key the name of another one: of a name that is there
  // twice, Foundation's does not look at the second number, and ours refuses a text whose number is none.
  @Test("Texts that random bytes have replaced are read as Foundation's decoder reads them")
  func random() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    let whole = Array(
      #"{"a":[1,-2.5e3,null,{"é":"\n\u00e9\ud83d\ude00"}],"b":{"c":[[],{}],"d":true},"last":0.1} "#.utf8)
    let signs = Array("{}[]\",:\\-+.eu019 \n\u{0}é".utf8)
    var readable = 0
    for _ in 0..<5000 {
      var text = whole
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: text.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = signs.randomElement(using: &random) ?? 0
        case 1: text.insert(signs.randomElement(using: &random) ?? 0, at: place)
        case _: text.remove(at: place)
        }
      }
      if decoded(text) != nil { readable += 1 }
      try #require(agrees(text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
    #expect(readable > 0 && readable < 5000)
  }

  @Test("Text is as deep as Foundation's decoder reads it, and other text than UTF-8 is refused")
  func limits() {
    for depth in [510, 511, 512, 513, 100_000] {
      #expect(agrees(Array("{\"a\":".utf8) + nested(depth) + Array("}".utf8)), "\(depth)")
    }
    #expect(agrees([0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8)))
    #expect(throws: (any Error).self) { try JSONValue.object(in: Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) }
    #expect(throws: (any Error).self) { try JSONValue.object(in: Array("{\"a\":1,\"a\":0.1e}".utf8)) }
    #expect(throws: (any Error).self) { try JSONValue.object(in: Array("[1]".utf8)) }
    #expect(throws: (any Error).self) { try JSONValue.object(in: []) }
  }

  // Swift compares texts by their normal form, which takes a time that grows with the square of such a number.
  @Test("Names have at most thirty marks on one letter, by joiners between them; texts are as they were")
  func marks() throws {
    let marks = String(repeating: "\u{323}\u{301}", count: 500)
    let few = "e" + marks.unicodeScalars.prefix(30).map(String.init).joined()
    let members = try JSONValue.object(in: Array(#"{"a\#(marks)":"b\#(marks)","\#(few)":"\#(few)"}"#.utf8))
    #expect(members[few] == .string(few))
    let (name, value) = try #require(members.first { $0.key != few })
    let scalars = name.unicodeScalars
    #expect(scalars.split { $0.properties.canonicalCombiningClass == .notReordered }.allSatisfy { $0.count <= 30 })
    #expect(scalars.filter { $0 != "\u{34F}" }.elementsEqual(("a" + marks).unicodeScalars))
    #expect(value.text?.unicodeScalars.elementsEqual(("b" + marks).unicodeScalars) == true)
  }

  private func nested(_ depth: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
  }
}
