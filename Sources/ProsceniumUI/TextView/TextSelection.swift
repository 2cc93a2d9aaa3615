/// A selection in UTF-8 offsets, from its anchor to the caret.
struct TextSelection: Hashable, Sendable {
  /// The fixed end of the selection.
  var anchor: Int
  /// The moving end of the selection: the caret.
  var head: Int

  init(anchor: Int, head: Int) {
    self.anchor = anchor
    self.head = head
  }

  /// A caret without a selection.
  init(caret: Int = 0) { self.init(anchor: caret, head: caret) }

  var range: Range<Int> { min(anchor, head)..<max(anchor, head) }
  var isEmpty: Bool { anchor == head }
}
