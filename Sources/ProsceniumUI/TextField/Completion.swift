/// What is added to a text that the user types, and is selected, so that the next character replaces it.
extension TextEditing {
  /// Puts a text behind the caret at the end, and selects it.
  mutating func complete(with rest: String) {
    let start = selection.head
    guard !rest.isEmpty, selection.isEmpty, start == storage.length, insert(rest) else { return }
    select(TextSelection(anchor: start, head: selection.head))
  }

  /// Puts the caret behind what was added, as far as the selection tells: it reaches from within the text to its end.
  mutating func leaveCompletion() {
    let range = selection.range
    if range.lowerBound > 0 && !range.isEmpty && range.upperBound == storage.length { moveCaret(to: range.upperBound) }
  }
}

extension [String] {
  /// The rest of the first of these texts that begins with another one, in upper or lower case; empty for none.
  func rest(behind text: Substring) -> Substring {
    let (count, start) = (text.count, text.lowercased())
    guard count > 0 else { return "" }
    for one in self {
      let line = one.onOneLine
      if line.count > count, line.prefix(count).lowercased() == start { return line.dropFirst(count) }
    }
    return ""
  }
}

extension TextFieldDelegate {
  /// What the delegate adds to a text that will be typed at the end of a field; empty for nothing.
  func completion(of range: Range<Int>, _ typed: String, in field: TextField) -> Substring {
    guard !field.isSecureTextEntry, range.upperBound == field.editing.storage.characterCount else { return "" }
    let text = field.text.prefix(range.lowerBound) + typed
    return textField(field, completionsFor: String(text)).rest(behind: text)
  }
}
