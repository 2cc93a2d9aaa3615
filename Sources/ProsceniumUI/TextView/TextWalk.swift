/// A place between two clusters of a text, for ways over many of them: the next one costs no search.
struct TextWalk {
  /// The offset in the text.
  private(set) var offset: Int
  private let paragraphs: [TextStorage.Paragraph]
  private var paragraph: Int
  /// The place in the paragraph, at whose end it is in the last one only.
  private var index: String.Index

  /// The place of an offset, which is not within a cluster.
  init(_ offset: Int, in storage: TextStorage) {
    let place = storage.location(of: offset)
    paragraphs = storage.paragraphs
    paragraph = place.paragraph
    index = paragraphs[paragraph].index(place.offset)
    self.offset = place.start + place.offset
  }

  /// The cluster after the place; nil at the end of the text.
  var character: Character? {
    let text = paragraphs[paragraph].text
    return index < text.endIndex ? text[index] : nil
  }

  /// The place after the next cluster; nil at the end of the text.
  var next: TextWalk? {
    let text = paragraphs[paragraph].text
    guard index < text.endIndex else { return nil }
    var next = self
    next.index = text.index(after: index)
    next.offset += text.utf8.distance(from: index, to: next.index)
    if next.index == text.endIndex, paragraph + 1 < paragraphs.count {
      next.paragraph += 1
      next.index = paragraphs[next.paragraph].text.startIndex
    }
    return next
  }

  /// The place before the previous cluster; nil at the start of the text.
  var previous: TextWalk? {
    var previous = self
    if index == paragraphs[paragraph].text.startIndex {
      guard paragraph > 0 else { return nil }
      previous.paragraph -= 1
      previous.index = paragraphs[previous.paragraph].text.endIndex
    }
    let (text, end) = (paragraphs[previous.paragraph].text, previous.index)
    previous.index = text.index(before: end)
    previous.offset -= text.utf8.distance(from: previous.index, to: end)
    return previous
  }

  /// The script of the word that the cluster after the place is a part of; nil where it is of none.
  ///
  /// Words are letters and digits, and apostrophes between two of them. Japanese has no blanks: a word ends where
  /// another script begins.
  var script: WordScript? {
    guard let character else { return nil }
    if character.isPartOfWord { return character.unicodeScalars.first.map { WordScript($0) } }
    guard character == "'" || character == "\u{2019}" else { return nil }
    return previous?.character?.isLetter == true && next?.character?.isLetter == true ? .withBlanks : nil
  }
}

/// The scripts that words of Japanese change between, and all others.
enum WordScript {
  case withBlanks, ideographs, hiragana, katakana

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case ..<0x3005: self = .withBlanks
    case 0x3041...0x309F: self = .hiragana
    case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .katakana
    default: self = scalar.value == 0x3005 || scalar.properties.isIdeographic ? .ideographs : .withBlanks
    }
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool {
    guard let first = unicodeScalars.first else { return false }
    let properties = first.properties
    if properties.isAlphabetic || properties.numericType != nil || first == "_" { return true }
    // A combining mark without a base.
    return properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
  }
}
