import ProsceniumCore

/// The rows of a paragraph.
///
/// A long paragraph is cut into pieces (``TextStorage``), but rows are not: the rest of a piece after its
/// last full row is laid out together with the next piece, and belongs to the rows of that piece.
@MainActor struct TextRows {
  let layout: TextLayout
  /// The number of bytes of the piece before at the start of the layout's text.
  let lead: Int
  /// The number of bytes of the layout's text that are shown here; the others are the lead of the next piece.
  let length: Int
  let count: Int
  let height: Int

  /// - Parameters:
  ///   - layout: The layout of the lead and the piece.
  ///   - lead: The number of bytes of the piece before with which the layout begins.
  ///   - goesOn: Whether the next piece belongs to the same paragraph.
  ///   - lineHeight: The height of an empty row in points.
  init(_ layout: TextLayout, lead: Int, goesOn: Bool, lineHeight: Int) {
    (self.layout, self.lead) = (layout, lead)
    let (all, lines) = (layout.text.utf8.count, layout.lineCount)
    let last = layout.lineRange(lines - 1).lowerBound
    // Without this limit a paragraph without line breaks would be shown in its last piece alone.
    if goesOn, all - last <= Self.mostLead {
      (length, count, height) = (last, lines - 1, layout.lineRect(lines - 1).origin.y)
    } else {
      (length, count, height) = (all, lines, max(lineHeight, layout.size.height))
    }
  }

  /// The largest row, in bytes, that is left to the next piece.
  private static let mostLead = 16 * TextStorage.mostBytes

  /// The text with which the next piece begins.
  var rest: Substring {
    let text = layout.text
    return text[text.utf8.index(text.startIndex, offsetBy: length)...]
  }
}
