/// What is added to a text that the user types, and is selected, so that the next character replaces it.
extension TextEditing {
  /// How many characters of a text may come in place of others, where there may be so many in all.
  ///
  /// Signs that belong to the character before them need no room.
  func room(for text: String, in range: Range<Int>, most: Int) -> Int {
    let room = max(0, max(0, most) - storage.characterCount + range.count)
    guard text.count > room else { return room }
    var result = storage
    _ = result.replace(result.offsets(ofCharacters: range), with: text)
    return result.characterCount <= max(most, storage.characterCount - range.count) ? text.count : room
  }

  /// Puts the rest of a suggestion behind the caret at the end, of so many characters at most, and selects it.
  mutating func complete(_ suggestion: (line: String, rest: Substring)?, atMost most: Int) {
    self.suggestion = suggestion?.line
    let start = selection.head
    guard let rest = suggestion.map({ String($0.rest.prefix(most)) }), !rest.isEmpty, selection.isEmpty,
      start == storage.length, insert(rest)
    else { return }
    select(TextSelection(anchor: start, head: selection.head))
  }

  /// Puts the caret behind what was added, as far as the selection tells: it reaches from within a text that begins as
  /// the suggestion does to its end.
  mutating func leaveCompletion() {
    let range = selection.range
    guard let suggestion, range.lowerBound > 0, !range.isEmpty, range.upperBound == storage.length,
      suggestion.folded.hasPrefix(storage.text.folded)
    else { return }
    moveCaret(to: range.upperBound)
    acceptSuggestion()
  }

  /// Moves the caret for the user, which accepts the suggestion where it comes behind what was added.
  mutating func moveAccepting(_ unit: Unit, forward: Bool, extending: Bool = false) {
    move(unit, forward: forward, extending: extending)
    acceptSuggestion()
  }

  /// Gives what the user typed the letters of the suggestion, where the caret is behind what was added.
  private mutating func acceptSuggestion() {
    guard selection == TextSelection(caret: storage.length), let suggestion = suggestion.take(),
      case let text = storage.text, suggestion != text, suggestion.folded == text.folded
    else { return }
    replace(0..<storage.length, with: suggestion)
  }
}

extension [String] {
  /// The first of these texts that begins with another one, in upper or lower case, and its rest; nil for none.
  func completing(_ text: Substring) -> (line: String, rest: Substring)? {
    let (count, start) = (text.count, text.folded)
    guard count > 0 else { return nil }
    for one in self {
      let line = String(one.onOneLine)
      if line.count > count, line.prefix(count).folded == start { return (line, line.dropFirst(count)) }
    }
    return nil
  }
}

extension TextFieldDelegate {
  /// What the delegate suggests for a text that will be typed at the end of a field, and its rest; nil for nothing.
  func completion(of range: Range<Int>, _ typed: String, in field: TextField) -> (line: String, rest: Substring)? {
    guard !field.isSecureTextEntry, range.upperBound == field.editing.storage.characterCount else { return nil }
    let text = field.text.prefix(range.lowerBound) + typed
    return textField(field, completionsFor: String(text)).completing(text)
  }
}
