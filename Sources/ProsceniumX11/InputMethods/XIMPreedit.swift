import ProsceniumPlatform

/// The text that a server composes, which it changes part by part.
struct XIMPreedit {
  /// `XIMReverse` and `XIMHighlight` (XIM 1.0, section 4.9).
  private static let highlights: UInt32 = 1 << 0 | 1 << 2
  /// As many as of any other engine.
  private static let most = EngineText.most
  private static let mostSegments = 100

  private var scalars: [Unicode.Scalar] = []
  private var feedback: [UInt32] = []
  private var caret = 0
  private var isCaretShown = true

  /// Changes the text.
  /// - Parameters:
  ///   - change: The change; what it says of places outside the text counts as its nearest end.
  ///   - text: The text of the change, decoded.
  mutating func apply(_ change: XIMPreeditChange, text: String?) {
    let first = min(max(0, change.first), scalars.count)
    let end = min(first + min(max(0, change.length), Self.most), scalars.count)
    switch (text, change.feedback) {
    case (nil, let feedback?):
      for (place, value) in zip(first..<end, feedback) { self.feedback[place] = value }
    case (let text, let feedback):
      let new = Array((text ?? "").unicodeScalars.prefix(Self.most))
      scalars.replaceSubrange(first..<end, with: new)
      let shown = (feedback ?? []).prefix(new.count)
      self.feedback.replaceSubrange(first..<end, with: shown + Array(repeating: 0, count: new.count - shown.count))
    }
    if scalars.count > Self.most {
      scalars.removeLast(scalars.count - Self.most)
      feedback.removeLast(feedback.count - Self.most)
    }
    caret = min(max(0, change.caret), scalars.count)
  }

  /// Moves the caret (`XIMCaretDirection`, XIM 1.0, section 4.9); it has one line.
  /// - Returns: Where it is now.
  mutating func moveCaret(to position: Int, direction: UInt32, isShown: Bool) -> Int {
    isCaretShown = isShown
    let place =
      switch direction {
      case 0: caret + 1
      case 1: caret - 1
      case 8: 0
      case 9: scalars.count
      case 10: position
      default: caret
      }
    caret = min(max(0, place), scalars.count)
    return caret
  }

  /// What is shown; nil for nothing.
  var composition: TextComposition? {
    guard !scalars.isEmpty else { return nil }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    let places = EngineText(String(view))
    var segments: [TextComposition.Segment] = []
    var start: Int?
    for place in 0...scalars.count where segments.count < Self.mostSegments {
      let isHighlighted = place < feedback.count && feedback[place] & Self.highlights != 0
      if isHighlighted, start == nil { start = place }
      if !isHighlighted, let first = start.take() {
        segments.append(
          TextComposition.Segment(
            places.characters(scalars: first)..<places.characters(scalars: place), isHighlighted: true))
      }
    }
    return TextComposition(
      places.text, caret: isCaretShown ? places.characters(scalars: caret) : nil, segments: segments)
  }
}
