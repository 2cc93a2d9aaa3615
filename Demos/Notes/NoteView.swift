import Proscenium
import ProsceniumUI

/// A note's text, and a row below it for messages.
final class NoteView: View {
  let text = TextView()
  private let message = Label()

  override init() {
    super.init()
    text.font = Font(size: 14)
    message.font = Font(size: 12)
    addSubview(text)
    addSubview(message)
  }

  /// Shows a message in the row.
  func show(_ words: String, isActive: Bool) {
    message.text = words
    message.textColor = isActive ? theme.label : theme.secondaryLabel
  }

  override func layoutSubviews() {
    let row = 24
    let (width, height) = (bounds.size.width, bounds.size.height)
    text.frame = Rect(x: 0, y: 0, width: width, height: max(0, height - row))
    message.frame = Rect(x: 8, y: max(0, height - row), width: max(0, width - 16), height: row)
  }
}
