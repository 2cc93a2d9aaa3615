import ProsceniumCore

/// The rows that a paragraph is shown in.
///
/// A long paragraph is cut into pieces (``TextStorage``), and rows know nothing of that: what is left of a piece after its
/// last full row is laid out together with the next one, at whose rows it belongs.
@MainActor struct TextRows {
  let layout: TextLayout
  /// How many bytes of the piece before are at the beginning of the layout's text.
  let lead: Int
  /// How many bytes of the layout's text are shown here; what follows is the next piece's lead.
  let length: Int
  let count: Int
  let height: Int

  /// - Parameters:
  ///   - layout: The layout of the lead and the piece.
  ///   - lead: How many bytes of the piece before it begins with.
  ///   - goesOn: Whether the next piece is of the same paragraph.
  ///   - lineHeight: How high an empty row is.
  init(_ layout: TextLayout, lead: Int, goesOn: Bool, lineHeight: Int) {
    (self.layout, self.lead) = (layout, lead)
    let (all, lines) = (layout.text.utf8.count, layout.lineCount)
    let last = layout.lineRange(lines - 1).lowerBound
    // Where no row ever ends nothing would be shown before the paragraph's end.
    if goesOn, all - last <= Self.mostLead {
      (length, count, height) = (last, lines - 1, layout.lineRect(lines - 1).origin.y)
    } else {
      (length, count, height) = (all, lines, max(lineHeight, layout.size.height))
    }
  }

  /// How long a row may be that is handed on, in bytes.
  private static let mostLead = 16 * TextStorage.mostBytes

  /// What the next piece begins with.
  var rest: Substring {
    let text = layout.text
    return text[text.utf8.index(text.startIndex, offsetBy: length)...]
  }
}
