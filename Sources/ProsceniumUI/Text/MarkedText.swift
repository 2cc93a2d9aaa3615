/// A text with a letter that presses a control together with Alt: its mnemonic.
struct MarkedText: Hashable, Sendable {
  /// The text without marks.
  private(set) var text = ""
  /// The UTF-8 offsets of the letter; nil without one.
  private(set) var letter: Range<Int>?

  /// A text without a mnemonic.
  init(plain text: String) { self.text = text }

  /// Reads a text in which an underscore stands before the letter, and two stand for one.
  ///
  /// The first mark counts; further ones, and one at the end, are left out.
  init(_ marked: String) {
    var isMark = false
    for character in marked {
      if character == "_", !isMark {
        isMark = true
        continue
      }
      let start = text.utf8.count
      text.append(character)
      if isMark, letter == nil, character != "_" { letter = start..<text.utf8.count }
      isMark = false
    }
  }

  /// The text with its first letter as the mnemonic that meets a condition; without one where none does.
  func marking(where isMnemonic: (Character) -> Bool) -> MarkedText {
    var new = MarkedText(plain: text)
    if let place = text.firstIndex(where: isMnemonic) {
      let start = text.utf8.distance(from: text.startIndex, to: place)
      new.letter = start..<start + text[place].utf8.count
    }
    return new
  }

  /// The text with its marks.
  var marked: String {
    var (marked, offset) = ("", 0)
    for character in text {
      if offset == letter?.lowerBound || character == "_" { marked.append("_") }
      marked.append(character)
      offset += character.utf8.count
    }
    return marked
  }

  /// The letter, folded; nil without one.
  var mnemonic: String? {
    letter.flatMap { letter in
      let bytes = text.utf8
      let start = bytes.index(bytes.startIndex, offsetBy: letter.lowerBound)
      return String(text[start..<bytes.index(bytes.startIndex, offsetBy: letter.upperBound)]).folded
    }
  }
}
