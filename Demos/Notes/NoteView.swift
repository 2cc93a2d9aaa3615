import Proscenium
import ProsceniumUI

/// The menus, a note's text, and a row below it for messages.
final class NoteView: View {
  let text = TextView()
  let bar = MenuBar()
  private let message = Label()

  override init() {
    super.init()
    text.font = Font(size: 14)
    message.font = Font(size: 12)
    addSubview(bar)
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
    let top = bar.intrinsicContentSize.height
    bar.frame = Rect(x: 0, y: 0, width: width, height: top)
    text.frame = Rect(x: 0, y: top, width: width, height: max(0, height - row - top))
    message.frame = Rect(x: 8, y: max(0, height - row), width: max(0, width - 16), height: row)
  }
}
