import ProsceniumCore

/// What a ``TextField`` shows: its text with what is being composed in place of the selection, or dots.
struct FieldText {
  private static let dot = "•"

  private let storage: TextStorage
  private let selection: TextSelection
  private let composition: TextComposition?
  private let isSecure: Bool

  init(_ editing: TextEditing, _ composition: TextComposition?, isSecure: Bool) {
    (storage, selection) = (editing.storage, editing.selection)
    (self.composition, self.isSecure) = (composition, isSecure)
  }

  var text: String {
    var text = storage.text
    if let composition {
      let range = storage.characters(of: selection.range)
      text = text.prefix(range.lowerBound) + composition.text + text.dropFirst(range.upperBound)
    }
    return isSecure ? String(repeating: Self.dot, count: text.count) : text
  }

  // MARK: Offsets in what is shown

  /// The offset for one in the text, while nothing is being composed, or before that.
  func offset(_ offset: Int) -> Int {
    isSecure ? storage.characterOffset(of: offset) * Self.dot.utf8.count : offset
  }

  /// The offset in the text for one in what is shown, while nothing is being composed.
  func textOffset(_ offset: Int) -> Int {
    isSecure ? storage.offset(ofCharacter: offset / Self.dot.utf8.count) : offset
  }

  var caret: Int {
    guard let composition else { return offset(selection.head) }
    return offset(of: composition.caret ?? composition.text.count, in: composition)
  }

  /// What is being composed; nil for nothing.
  var marked: Range<Int>? {
    composition.map { offset(of: 0, in: $0)..<offset(of: $0.text.count, in: $0) }
  }

  /// What is drawn as selected: the selection, or the highlighted parts of what is being composed.
  var highlights: [Range<Int>] {
    guard let composition else { return [offset(selection.range.lowerBound)..<offset(selection.range.upperBound)] }
    return composition.segments.filter(\.isHighlighted).map {
      offset(of: $0.range.lowerBound, in: composition)..<offset(of: $0.range.upperBound, in: composition)
    }
  }

  private func offset(of characters: Int, in composition: TextComposition) -> Int {
    offset(selection.range.lowerBound)
      + (isSecure ? characters * Self.dot.utf8.count : composition.utf8Offset(characters))
  }
}

/// The button that clears a ``TextField``.
@MainActor enum ClearButton {
  /// What it takes from the room of the text.
  static let width = 20

  /// The part of a field that clears it, which ends at its edge.
  static func place(in bounds: Rect) -> Rect {
    let x = bounds.origin.x + bounds.size.width - width - 4
    return Rect(x: x, y: bounds.origin.y, width: width + 4, height: bounds.size.height)
  }

  static func draw(at place: Rect, _ theme: Theme, in context: DrawingContext) {
    let (x, y) = (place.origin.x + place.size.width / 2, place.origin.y + place.size.height / 2)
    context.fill(Rect(x: x - 7, y: y - 7, width: 14, height: 14), cornerRadius: 7, with: theme.secondaryLabel)
    var cross = Path()
    for side in [-3.0, 3.0] {
      cross.move(toX: Double(x) - side, y: Double(y) - 3)
      cross.line(toX: Double(x) + side, y: Double(y) + 3)
    }
    context.stroke(cross, with: theme.contentBackground, lineWidth: 1.5)
  }
}
