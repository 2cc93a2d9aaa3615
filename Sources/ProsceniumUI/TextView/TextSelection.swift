/// What is selected, in UTF-8 offsets: from where it was begun to where the caret is.
package struct TextSelection: Hashable, Sendable {
  /// The end that stays while the other one is moved.
  package var anchor: Int
  /// The end that moves: the caret.
  package var head: Int

  package init(anchor: Int, head: Int) {
    self.anchor = anchor
    self.head = head
  }

  /// A caret that nothing is selected at.
  package init(caret: Int = 0) { self.init(anchor: caret, head: caret) }

  package var range: Range<Int> { min(anchor, head)..<max(anchor, head) }
  package var isEmpty: Bool { anchor == head }
}
