import ProsceniumPlatform

/// Texts: what assistive programs read in them, and write.
extension AccessibleAnswers {
  func text(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    guard let node = tree[id], let text = node.properties.readableText else { return nil }
    let scalars = Array(text.string.unicodeScalars)
    return reading(call, text, scalars) ?? boxes(call, node) ?? writing(call, id, text)
  }

  private func reading(
    _ call: MethodCall, _ text: AccessibilityText, _ scalars: [Unicode.Scalar]
  ) -> AccessibleAnswer? {
    let count = scalars.count
    func part(_ range: Range<Int>) -> [BusValue] {
      [.string(Self.string(scalars, range)), .int32(range.lowerBound), .int32(range.upperBound)]
    }
    switch (call.name, call.signature) {
    case ("GetText", "ii"):
      return .values([.string(Self.string(scalars, Self.range(call.int(0), call.int(1), count)))])
    case ("GetCharacterAtOffset", "i"):
      let offset = call.int(0)
      return .values([.int32(scalars.indices.contains(offset) ? Int(scalars[offset].value) : 0)])
    case ("GetStringAtOffset", "iu"):
      guard let unit = TextUnit(granularity: call.int(1), text) else {
        return .failure(.invalid("no such granularity"))
      }
      return .values(part(unit.range(at: call.int(0), in: scalars)))
    case ("GetTextAtOffset", "iu"), ("GetTextBeforeOffset", "iu"), ("GetTextAfterOffset", "iu"):
      guard let unit = TextUnit(boundary: call.int(1), text) else { return .failure(.invalid("no such boundary")) }
      let at = unit.range(at: call.int(0), in: scalars)
      switch call.name {
      case "GetTextBeforeOffset": return .values(part(unit.range(before: at, in: scalars)))
      case "GetTextAfterOffset": return .values(part(unit.range(after: at, in: scalars)))
      default: return .values(part(at))
      }
    case ("GetNSelections", ""): return .values([.int32(text.selection.isEmpty ? 0 : 1)])
    case ("GetSelection", "i"):
      let range = call.int(0) == 0 ? text.selection : 0..<0
      return .values([.int32(range.lowerBound), .int32(range.upperBound)])
    case ("GetAttributes", "i"), ("GetAttributeRun", "ib"): return .values([.strings([:]), .int32(0), .int32(count)])
    case ("GetDefaultAttributes", ""), ("GetDefaultAttributeSet", ""): return .values([.strings([:])])
    case ("GetAttributeValue", "is"): return .values([.string("")])
    default: return nil
    }
  }

  /// Places of characters are not known: each is that of the element.
  private func boxes(_ call: MethodCall, _ node: AccessibilityTree.Node) -> AccessibleAnswer? {
    switch (call.name, call.signature) {
    case ("GetCharacterExtents", "iu"), ("GetRangeExtents", "iiu"):
      let frame = frame(node, in: call.int(call.values.count - 1))
      let numbers = [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]
      return .values(numbers.map { .int32($0) })
    case ("GetOffsetAtPoint", "iiu"): return .values([.int32(-1)])
    case ("GetBoundedRanges", "iiiiuuu"): return .values([.array(of: "(iisv)", [])])
    case ("ScrollSubstringTo", "iiu"), ("ScrollSubstringToPoint", "iiuii"): return .values([.bool(false)])
    default: return nil
    }
  }

  private func writing(_ call: MethodCall, _ id: AccessibilityID, _ text: AccessibilityText) -> AccessibleAnswer? {
    let properties = tree[id]?.properties
    // The text of a label cannot be selected.
    let isEdited = properties?.text != nil && properties?.states.contains(.focusable) == true
    let canWrite = isEdited && properties?.states.contains(.editable) == true
    let count = text.string.unicodeScalars.count
    func replace(_ range: Range<Int>, _ new: String) -> AccessibleAnswer {
      ask(.replaceText(range, with: new), of: id, if: canWrite)
    }
    func select(_ start: Int, _ end: Int) -> AccessibleAnswer {
      ask(.selectText(Self.range(start, end, count)), of: id, if: isEdited)
    }
    switch (call.name, call.signature) {
    case ("SetCaretOffset", "i"): return select(call.int(0), call.int(0))
    case ("AddSelection", "ii"): return select(call.int(0), call.int(1))
    case ("SetSelection", "iii"): return select(call.int(1), call.int(2))
    case ("RemoveSelection", "i"): return select(text.caret, text.caret)
    case ("SetTextContents", "s"): return replace(0..<count, call.values[0].text ?? "")
    case ("InsertText", "isi"):
      let new = (call.values[1].text ?? "").unicodeScalars.prefix(max(0, call.int(2)))
      let place = Self.range(call.int(0), call.int(0), count)
      return replace(place, String(String.UnicodeScalarView(new)))
    case ("DeleteText", "ii"): return replace(Self.range(call.int(0), call.int(1), count), "")
    // The pasteboard is the program's matter.
    case ("CutText", "ii"), ("PasteText", "i"): return .values([.bool(false)])
    case ("CopyText", "ii"): return .values([])
    default: return nil
    }
  }

  /// A range within a text; -1 stands for its end.
  private static func range(_ start: Int, _ end: Int, _ count: Int) -> Range<Int> {
    func place(_ number: Int) -> Int { number < 0 ? count : min(number, count) }
    return min(place(start), place(end))..<max(place(start), place(end))
  }

  private static func string(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text).withoutZeros
  }
}

/// The units in which assistive programs read a text.
enum TextUnit: Equatable {
  case character, word, sentence, paragraph
  /// A line on the screen; of those that do not begin a paragraph, where they begin, in order.
  case line([Int])

  /// AT-SPI's `TextGranularity`.
  init?(granularity: Int, _ text: AccessibilityText) {
    switch granularity {
    case 0: self = .character
    case 1: self = .word
    case 2: self = .sentence
    case 3: self = .line(text.wrappedLines)
    case 4: self = .paragraph
    default: return nil
    }
  }

  /// AT-SPI's `TextBoundaryType`.
  init?(boundary: Int, _ text: AccessibilityText) {
    switch boundary {
    case 0: self = .character
    case 1, 2: self = .word
    case 3, 4: self = .sentence
    case 5, 6: self = .line(text.wrappedLines)
    default: return nil
    }
  }

  /// The unit at an offset, with the spaces or the line ending behind it; empty at the end of the text.
  func range(at offset: Int, in text: [Unicode.Scalar]) -> Range<Int> {
    let offset = min(max(0, offset), text.count)
    if self == .character { return offset..<min(offset + 1, text.count) }
    var (start, end) = (offset, offset)
    while start > 0, !isStart(start, in: text) { start -= 1 }
    while end < text.count, end == offset || !isStart(end, in: text) { end += 1 }
    return start..<end
  }

  func range(before range: Range<Int>, in text: [Unicode.Scalar]) -> Range<Int> {
    range.lowerBound > 0 ? self.range(at: range.lowerBound - 1, in: text) : 0..<0
  }

  func range(after range: Range<Int>, in text: [Unicode.Scalar]) -> Range<Int> {
    range.upperBound < text.count ? self.range(at: range.upperBound, in: text) : text.count..<text.count
  }

  /// Whether a unit begins at an offset that is neither the first nor the last one.
  private func isStart(_ offset: Int, in text: [Unicode.Scalar]) -> Bool {
    let (before, here) = (text[offset - 1], offset < text.count ? text[offset] : "\n")
    switch self {
    case .character: return true
    case .word: return !Self.isSpace(here) && (Self.isSpace(before) || Self.isLetter(before) != Self.isLetter(here))
    case .sentence:
      guard !Self.isSpace(here), Self.isSpace(before) else { return before == "\n" }
      var index = offset - 1
      while index > 0, Self.isSpace(text[index]) { index -= 1 }
      return [".", "!", "?", "。"].contains(text[index])
    case .line(let wrapped): return wrapped.contains(offset) || Self.paragraph.isStart(offset, in: text)
    case .paragraph: return before == "\n" || (before == "\r" && here != "\n")
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_" || scalar == "'"
      || scalar.properties.generalCategory == .nonspacingMark
  }
}
