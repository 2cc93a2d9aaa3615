import TestSupport
import Testing

@testable import ProsceniumX11

/// Texts as Xlib and servers of input methods write them.
@Suite("Compound text") struct CompoundTextTests {
  private func decode(_ parts: [UInt8]...) -> String { CompoundText.decode(parts.flatMap { $0 }) }
  private func escape(_ text: String) -> [UInt8] { [0x1B] + Array(text.utf8) }

  @Test("Parts in character sets of ISO 2022, in either half")
  func characterSets() {
    #expect(decode(Array("a b\n".utf8)) == "a b\n")
    #expect(decode([0x61, 0xE9]) == "aé")
    #expect(decode(escape("-F"), [0xE1], escape("-A"), [0xE1]) == "αá")
    #expect(decode(escape("$(A"), [0x44, 0x63, 0x3A, 0x43], escape("(B"), [0x21]) == "你好!")
    #expect(decode(escape("$)A"), [0xC4, 0xE3, 0x61, 0xBA, 0xC3]) == "你a好")
    #expect(decode(escape("$(B"), [0x46, 0x7C, 0x4B, 0x5C]) == "日本")
    #expect(decode(escape("$(C"), [0x47, 0x51, 0x31, 0x39]) == "한국")
    #expect(decode(escape("$(D"), [0x30, 0x21]) == "丂")
    #expect(decode(escape("$(G"), [0x44, 0x21], escape("$(H"), [0x21, 0x21]) == "一乂")
    #expect(decode(escape(")I"), [0xB1]) == "ｱ")
  }

  @Test("UTF-8, extended segments and directions")
  func extensions() {
    #expect(decode(escape("%G"), Array("你😀".utf8), escape("%@"), [0x61, 0xE9]) == "你😀aé")
    #expect(decode(escape("%G"), Array("你".utf8)) == "你")
    #expect(decode(escape("%/2"), [0x80, 0x8B], Array("big5-0".utf8), [2, 0xA7, 0x41, 0xA6, 0x6E], [0x62]) == "你好b")
    #expect(decode([0x9B, 0x31, 0x5D], [0x61], [0x9B, 0x5D], [0x62]) == "ab")
  }

  @Test("What is not known or is cut off is left out; wrong characters are replaced")
  func wrong() {
    #expect(decode(escape("$(Z"), [0x30, 0x21], escape("(B"), [0x61]) == "a")
    #expect(decode(escape("$)A"), [0xC4]) == "")
    #expect(decode([0x61], escape("$")) == "a")
    #expect(decode([0x61], escape("%/2"), [0x81]) == "a")
    #expect(decode([0x61], escape("%/2"), [0xFF, 0xFF, 0x62]) == "a")
    #expect(decode(escape("$)A"), [0xFF, 0xFF], escape("(B"), [0x61]).hasSuffix("a"))
  }

  @Test("Any bytes end", arguments: UInt64(0)..<64)
  func anyBytes(seed: UInt64) {
    var random = SeededNumbers(seed)
    let likely: [UInt8] = [0x1B, 0x24, 0x25, 0x28, 0x29, 0x2D, 0x2F, 0x32, 0x41, 0x42, 0x47, 0x49, 0x9B, 0x80, 0xFF, 2]
    for _ in 0..<100 {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        Bool.random(using: &random)
          ? likely.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      #expect(CompoundText.decode(bytes).utf8.count <= 4 * bytes.count)
    }
  }
}
