extension StringProtocol {
  /// The text for comparisons in which letters in upper and lower case are the same ones.
  ///
  /// In lower case the letters of one key may still differ: Turkish has an i with a dot in both cases and one without,
  /// and Greek has another sigma at the end of a word.
  var folded: String {
    var folded = String.UnicodeScalarView()
    for scalar in lowercased().unicodeScalars {
      switch scalar {
      case "\u{307}" where folded.last == "i": continue
      case "ı": folded.append("i")
      case "ς": folded.append("σ")
      default: folded.append(scalar)
      }
    }
    return String(folded)
  }

  /// Whether the text begins with letters, in upper or lower case.
  ///
  /// Vowel signs and points are typed after the letter that they form a character with.
  /// - Parameter letters: The letters, ``folded``.
  /// - Returns: Whether it does.
  func begins(with letters: String) -> Bool {
    let text = folded
    return text.hasPrefix(letters) || text.unicodeScalars.starts(with: letters.unicodeScalars)
  }
}
