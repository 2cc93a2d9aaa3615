import ProsceniumCore

/// A view with a text that may have a mnemonic.
protocol Captioned: View {
  var caption: Caption { get }
}

/// The short text of a view, such as the title of a button: its layout, kept up to date with the text and the font.
@MainActor final class Caption {
  private unowned let view: View
  let layout: TextLayout

  /// - Parameter view: The view that shows the text, which owns this.
  init(of view: View) {
    self.view = view
    layout = TextLayout(in: view)
    layout.maximumLines = 1
  }

  /// The text; setting it removes the mnemonic.
  var text: String {
    get { content.text }
    set { content = MarkedText(plain: newValue) }
  }

  /// The text with its mnemonic, which is underlined.
  var content = MarkedText(plain: "") {
    didSet {
      underlined = content.letter ?? 0..<0
      if oldValue.letter != content.letter { view.setNeedsDisplay() }
      guard !content.text.utf8.elementsEqual(layout.text.utf8) else { return }
      layout.text = content.text
      view.invalidateIntrinsicContentSize()
    }
  }

  var font: Font {
    get { layout.font }
    set {
      guard newValue != layout.font else { return }
      layout.font = newValue
      view.invalidateIntrinsicContentSize()
    }
  }

  /// Shows the lines that the text has, without wrapping, in place of one with spaces for their ends.
  func showLineEndings() { (layout.maximumLines, layout.wrapping) = (nil, .none) }

  /// The UTF-8 offsets of what is underlined.
  var underlined = 0..<0

  /// Draws the text in the middle of the height of a place, or from its upper edge on where it is higher.
  func draw(in place: Rect, _ context: DrawingContext, color: Color, alpha: Double = 1) {
    layout.width = max(0, place.size.width)
    let top = place.origin.y + max(0, (place.size.height - layout.size.height) / 2)
    context.draw(
      layout, underlining: underlined, at: Point(x: place.origin.x, y: top), color: color, alpha: alpha)
  }
}

extension DrawingContext {
  /// Draws a text, a part of which is underlined.
  func draw(
    _ layout: TextLayout, underlining part: Range<Int>, at corner: Point, color: Color, alpha: Double = 1
  ) {
    draw(layout, at: corner, color: color, alpha: alpha)
    guard !part.isEmpty, layout.shows(part.lowerBound) else { return }
    let y = corner.y + layout.baseline(ofLine: layout.line(at: part.lowerBound)) + 2
    for rect in layout.selectionRects(from: part.lowerBound, to: part.upperBound) {
      fill(Rect(x: corner.x + rect.origin.x, y: y, width: rect.size.width, height: 1), with: color, alpha: alpha)
    }
  }
}
