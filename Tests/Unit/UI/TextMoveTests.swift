import Testing

@testable import ProsceniumUI

@Suite("A text that is dragged within itself") struct TextMoveTests {
  @Test("Every part can be moved to every other place")
  func all() {
    let text = "Grüße\nWelt"
    let storage = TextStorage(text)
    let places = (0...text.count).map { storage.offset(ofCharacter: $0) }
    for start in places {
      for end in places where end > start {
        for offset in places {
          let move = TextMove(start..<end, to: offset, in: storage)
          guard offset < start || offset > end else {
            #expect(move == nil)
            continue
          }
          let part = storage[start..<end]
          let rest = storage[0..<start] + storage[end..<storage.length]
          let place = offset > end ? offset - (end - start) : offset
          let wanted =
            String(decoding: rest.utf8.prefix(place), as: UTF8.self) + part
            + String(decoding: rest.utf8.dropFirst(place), as: UTF8.self)
          guard let move else {
            Issue.record("nothing is moved from \(start)..<\(end) to \(offset)")
            continue
          }
          let moved = storage[0..<move.range.lowerBound] + move.text + storage[move.range.upperBound..<storage.length]
          #expect(moved == wanted)
          #expect(Array(moved.utf8)[move.moved].elementsEqual(part.utf8))
        }
      }
    }
  }

  @Test("A range that is not there moves nothing")
  func outside() {
    let storage = TextStorage("abc")
    #expect(TextMove(1..<9, to: 0, in: storage) == nil && TextMove(0..<1, to: 9, in: storage) == nil)
    #expect(TextMove(1..<1, to: 0, in: storage) == nil && TextMove(1..<2, to: -1, in: storage) == nil)
  }
}
