import ProsceniumCore

/// Keys and the movements of the caret.
extension TextView {
  func handleKey(_ key: Key) -> Bool {
    guard let command = TextCommand(key), isEditable || !command.changesText else { return false }
    input.endComposition()
    switch command {
    case .type(let text): change { $0.insert(text) }
    case .newLine: change { $0.insert($0.storage.lineEnd(at: $0.selection.head)) }
    case .deleteBackward(let unit): change { $0.deleteBackward(unit) }
    case .deleteForward(let unit): change { $0.deleteForward(unit) }
    case .move(let move, let extending):
      self.move(move, extending: extending)
      if extending { publishSelection() }
    }
    return true
  }

  private func move(_ move: TextCommand.Move, extending: Bool) {
    switch move {
    case .left, .right: moveSideways(right: move == .right, extending: extending)
    case .wordLeft, .wordRight:
      let forward = (move == .wordRight) != isRightToLeft
      change { $0.move(.word, forward: forward, extending: extending) }
    case .up, .down: moveByLine(down: move == .down, extending: extending)
    case .paragraphUp, .paragraphDown:
      let storage = editing.storage
      let head = editing.selection.head
      let content = storage.contentRange(at: head)
      let target =
        move == .paragraphDown
        ? storage.characterEnd(after: content.upperBound)
        : head > content.lowerBound
          ? content.lowerBound : storage.contentRange(at: storage.characterStart(before: head)).lowerBound
      change { $0.moveCaret(to: target, extending: extending) }
    case .lineStart, .lineEnd: moveToLineEdge(end: move == .lineEnd, extending: extending)
    case .pageUp, .pageDown: moveByPage(down: move == .pageDown, extending: extending)
    case .documentStart: change { $0.move(.document, forward: false, extending: extending) }
    case .documentEnd: change { $0.move(.document, forward: true, extending: extending) }
    }
  }

  private func moveSideways(right: Bool, extending: Bool) {
    let storage = editing.storage
    let head = editing.selection.head
    // In the order of Unicode, Hebrew (U+0590, 0xD6 in UTF-8) is the first script written from right to left.
    guard isLaidOut, case let place = location(of: head), case let layout = rows(place.paragraph).layout,
      layout.text.utf8.contains(where: { $0 >= 0xD6 })
    else { return change { $0.move(.character, forward: right, extending: extending) } }
    let forward = right != isRightToLeft
    if !extending, !editing.selection.isEmpty { return change { $0.move(.character, forward: forward) } }
    let moved = layout.moveVisually(from: place.offset, by: right ? 1 : -1)
    let isAhead = moved > place.offset
    let target = isAhead ? storage.roundedUp(place.start + moved) : storage.rounded(place.start + moved)
    if moved == place.offset || target == head {
      return change { $0.move(.character, forward: forward, extending: extending) }
    }
    change { $0.moveCaret(to: target, extending: extending) }
  }

  /// Whether the paragraph of the caret is written from right to left.
  private var isRightToLeft: Bool {
    guard isLaidOut else { return false }
    let layout = rows(location(of: editing.selection.head).paragraph).layout
    return layout.caret(at: 0).origin.x > layout.caret(at: layout.text.utf8.count).origin.x
      && layout.lineCount == 1 || layout.caret(at: 0).origin.x > layout.size.width / 2
  }

  private func moveByLine(down: Bool, extending: Bool) {
    guard isLaidOut else { return }
    let place = location(of: editing.selection.head)
    let caret = rows(place.paragraph).layout.caret(at: place.offset)
    let x = goalX ?? caret.origin.x
    let y = down ? caret.origin.y + caret.size.height + 1 : caret.origin.y - 1
    let isPastEnd =
      down
      ? place.paragraph == lines.count - 1 && y >= lines.height(place.paragraph, editing.storage)
      : place.paragraph == 0 && y < 0
    if isPastEnd { return change { $0.move(.document, forward: down, extending: extending) } }
    let target = offset(at: TextPlace(paragraph: place.paragraph, y: y), x: x)
    change(keepsGoal: true) { $0.moveCaret(to: target, extending: extending) }
    goalX = x
  }

  private func moveToLineEdge(end: Bool, extending: Bool) {
    guard isLaidOut else { return change { $0.move(.paragraph, forward: end, extending: extending) } }
    let place = location(of: editing.selection.head)
    let layout = rows(place.paragraph).layout
    let line = layout.line(at: place.offset)
    let range = layout.lineRange(line)
    var target = place.start + (end ? range.upperBound : range.lowerBound)
    // The end of a wrapped line is the start of the next one.
    if end, goesOn(after: line, of: place.paragraph) { target = editing.storage.characterStart(before: target) }
    change { $0.moveCaret(to: target, extending: extending) }
  }

  private func moveByPage(down: Bool, extending: Bool) {
    guard isLaidOut else { return }
    let page = max(lines.lineHeight, area.size.height - lines.lineHeight)
    let place = location(of: editing.selection.head)
    let caret = rows(place.paragraph).layout.caret(at: place.offset)
    let x = goalX ?? caret.origin.x
    let middle = TextPlace(paragraph: place.paragraph, y: caret.origin.y + caret.size.height / 2)
    if !scroll(by: down ? page : -page) {
      return change { $0.move(.document, forward: down, extending: extending) }
    }
    let target = offset(at: TextPlace(paragraph: middle.paragraph, y: middle.y + (down ? page : -page)), x: x)
    change(keepsGoal: true) { $0.moveCaret(to: target, extending: extending) }
    goalX = x
  }
}

extension TextStorage {
  /// The line ending used around an offset.
  fileprivate func lineEnd(at offset: Int) -> String {
    let content = contentRange(at: offset)
    // The ending of its own paragraph, else of the one before.
    for place in [content.upperBound, characterStart(before: content.lowerBound)] {
      if let character = TextWalk(place, in: self).character, character.isLineEnd { return String(character) }
    }
    return "\n"
  }
}

extension Character {
  fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
