import Testing

@testable import ProsceniumUI

/// Text by paragraphs, and the ways through it.
@Suite("Text storage") struct TextStorageTests {
  /// Places where a caret can be, from the beginning to the end.
  private func stops(_ storage: TextStorage) -> [Int] {
    var stops = [0]
    while let last = stops.last, case let next = storage.characterEnd(after: last), next > last { stops.append(next) }
    return stops
  }

  private func stopsBackward(_ storage: TextStorage) -> [Int] {
    var stops = [storage.length]
    while let last = stops.last, case let next = storage.characterStart(before: last), next < last {
      stops.append(next)
    }
    return stops.reversed()
  }

  @Test(
    "Paragraphs keep what they end with", arguments: ["", "\n", "a", "a\nb\r\nc\rd\n", "\r\n\r\n", "\n\r", "\r\r\n\n"])
  func paragraphs(_ text: String) {
    let storage = TextStorage(text)
    #expect(storage.text == text)
    #expect(storage.characterCount == text.count)
    #expect(storage.paragraphs.count == text.split(omittingEmptySubsequences: false) { $0.isNewline }.count)
    #expect(storage.paragraphs.last?.length == storage.paragraphs.last?.contentLength)
  }

  @Test(
    "A caret goes from cluster to cluster, both ways",
    arguments: [
      "abc", "e\u{301}a\u{308}\u{323}x", "👨‍👩‍👧‍👦👍🏽🇩🇪🇫🇷", "a\r\nb\rc\n", "שלום עולם", "क्षत्रिय", "\u{301}a", "한국어 각", "x\u{200D}y",
    ])
  func clusters(_ text: String) {
    let storage = TextStorage(text)
    var expected = [0]
    for character in text { expected.append((expected.last ?? 0) + String(character).utf8.count) }
    #expect(stops(storage) == expected)
    #expect(stopsBackward(storage) == expected)
    for (number, offset) in expected.enumerated() {
      #expect(storage.offset(ofCharacter: number) == offset)
      #expect(storage.characterOffset(of: offset) == number)
    }
    for offset in 0...storage.length {
      #expect(storage.rounded(offset) == expected.last { $0 <= offset })
      #expect(storage.roundedUp(offset) == expected.first { $0 >= offset })
    }
  }

  @Test("Places outside the text are its ends")
  func outside() {
    var storage = TextStorage("añ\nb")
    #expect(storage.characterEnd(after: 99) == 5 && storage.characterStart(before: -9) == 0)
    #expect(storage.rounded(99) == 5 && storage.rounded(-1) == 0)
    #expect(storage.offset(ofCharacter: 99) == 5 && storage.offset(ofCharacter: -1) == 0)
    #expect(storage[-5..<99] == "añ\nb")
    storage.replace(90..<99, with: "!")
    #expect(storage.text == "añ\nb!")
  }

  @Test("A text that replaces one of the same characters in other bytes has its own bytes")
  func normalized() {
    let (one, other) = ("\u{212B}\nb\n\u{212B}", "A\u{30A}\nB\nA\u{30A}")
    var storage = TextStorage(one)
    storage.replace(0..<storage.length, with: other)
    #expect(Array(storage.text.utf8) == Array(other.utf8))
    #expect(TextStorage("\u{212B}") != TextStorage("A\u{30A}"))
  }

  @Test("A line feed that meets a carriage return ends one line with it")
  func joining() {
    var storage = TextStorage("a\rb")
    storage.replace(2..<2, with: "\n")
    #expect(storage == TextStorage("a\r\nb"))
    storage.replace(2..<3, with: "")
    #expect(storage == TextStorage("a\rb"))
    storage.replace(2..<3, with: "")
    storage.replace(2..<2, with: "\nc")
    #expect(storage == TextStorage("a\r\nc"))
    storage.replace(2..<2, with: "x")
    #expect(storage == TextStorage("a\rx\nc"))
  }

  @Test(
    "A paragraph that is very long is cut between clusters, and is one paragraph all the same",
    arguments: ["x", "word ", "e\u{301}", "👨‍👩‍👧", "שלום ", "é"])
  func pieces(_ piece: String) {
    let long = String(repeating: piece, count: 40_000 / piece.utf8.count)
    var storage = TextStorage("a\n" + long + "\r\nb")
    #expect((20...36).contains(storage.paragraphs.count))
    #expect(storage.paragraphs.allSatisfy { $0.length <= TextStorage.mostBytes + 2 })
    #expect(storage.text == "a\n" + long + "\r\nb" && storage.characterCount == storage.text.count)
    #expect(storage[storage.contentRange(at: 20_000)].utf8.count == long.utf8.count)
    let middle = storage.offset(ofCharacter: 2 + long.count / 2)
    storage.replace(middle..<middle, with: "|")
    #expect(storage == TextStorage(storage.text))
    let change = storage.replace(middle..<middle + 1, with: "")
    #expect(change.replaced.count < storage.paragraphs.count - 2)
    storage.replace(2 + long.utf8.count..<4 + long.utf8.count, with: "")
    #expect(storage == TextStorage("a\n" + long + "b"))
    storage.replace(1..<middle, with: "")
    #expect(storage == TextStorage(storage.text))
  }

  @Test("Words end where they end in a language, punctuation and blanks are none of theirs")
  func words() {
    let storage = TextStorage("Don't panic, naïve e\u{301}tude!\r\n\r\nשלום, עולם 42")
    var ends: [Int] = []
    var place = 0
    while case let next = storage.wordEnd(after: place), next > place {
      ends.append(next)
      place = next
    }
    let words = zip([0] + ends, ends).map { storage[$0..<$1] }
    #expect(words == ["Don't", " panic", ", naïve", " e\u{301}tude", "!\r\n\r\nשלום", ", עולם", " 42"])
    var starts: [Int] = []
    while case let next = storage.wordStart(before: place), next < place {
      starts.append(next)
      place = next
    }
    #expect(
      zip(starts, [storage.length] + starts).map { storage[$0..<$1] }.reversed() == [
        "Don't ", "panic, ", "naïve ", "e\u{301}tude!\r\n\r\n", "שלום, ", "עולם ", "42",
      ])
  }

  @Test("A word of Japanese ends where its script changes")
  func japanese() {
    let storage = TextStorage("私は東京タワーに行きます。2号")
    let parts = ["私", "は", "東京", "タワー", "に", "行", "きます", "。", "2", "号"]
    var place = 0
    for part in parts {
      let next = place + part.utf8.count
      #expect(storage[storage.wordRange(at: place)] == part)
      if part != "。" {
        #expect(storage.wordEnd(after: place) == next && storage.wordStart(before: next) == place, "\(part)")
      }
      place = next
    }
  }

  @Test("A double click takes a word, blanks or one sign, never more than the paragraph")
  func wordRanges() {
    let storage = TextStorage("ab  c!\ndef\n\n")
    let selected = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12].map { storage[storage.wordRange(at: $0)] }
    #expect(selected == ["ab", "ab", "  ", "  ", "c", "!", "!", "def", "def", "def", "", ""])
  }

  @Test("A word goes on over the pieces of a long paragraph, and is one however long it is")
  func longWords() {
    let word = "Don't" + String(repeating: "née", count: 3000)
    let storage = TextStorage("a \(word) b\nc")
    #expect(storage.paragraphs.count > 5)
    let range = 2..<2 + word.utf8.count
    for offset in [2, 2047, 2048, 2049, 4096, 6000, range.upperBound - 1] {
      #expect(storage.wordRange(at: offset) == range, "\(offset)")
      #expect(storage.wordEnd(after: offset) == range.upperBound, "\(offset)")
      #expect(storage.wordStart(before: offset + 1) == 2, "\(offset)")
    }
    #expect(storage.wordRange(at: range.upperBound) == range.upperBound..<range.upperBound + 1)
  }

  @Test(
    "A walk takes the clusters one by one, both ways, as a caret does",
    arguments: ["", "a", "a\r\nb\rc\n", "e\u{301}👨‍👩‍👧‍👦\nשלום", String(repeating: "né", count: 2000) + "\n🇩🇪"])
  func walk(_ text: String) {
    let storage = TextStorage(text)
    var place = TextWalk(0, in: storage)
    var (offsets, characters) = ([0], [Character]())
    while let character = place.character, let next = place.next {
      characters.append(character)
      offsets.append(next.offset)
      place = next
    }
    #expect(characters == Array(text) && offsets == stops(storage))
    var backward = [place.offset]
    while let previous = place.previous {
      #expect(previous.character == characters.popLast())
      backward.append(previous.offset)
      place = previous
    }
    #expect(backward.reversed() == offsets)
  }

  @Test("Places outside the text, and within a cluster, are in the words beside them")
  func wordsOutside() {
    let storage = TextStorage("ab cd")
    #expect(storage.wordEnd(after: -3) == 2 && storage.wordEnd(after: 9) == 5)
    #expect(storage.wordStart(before: -3) == 0 && storage.wordStart(before: 9) == 3)
    #expect(storage.wordRange(at: -3) == 0..<2 && storage.wordRange(at: 9) == 3..<5)
  }
}
