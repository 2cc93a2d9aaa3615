import Proscenium
import ProsceniumUI

/// The menus, the words that are looked for, a note's text, and a row below it for messages.
final class NoteView: View {
  let text = TextView()
  let bar = MenuBar()
  let findBar = FindBar()
  var showsFindBar = false {
    didSet {
      findBar.isHidden = !showsFindBar
      setNeedsLayout()
    }
  }
  private let message = Label()

  override init() {
    super.init()
    text.font = Font(size: 14)
    message.font = Font(size: 12)
    findBar.isHidden = true
    for view in [bar, findBar, text, message] { addSubview(view) }
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
    let find = showsFindBar ? findBar.intrinsicContentSize.height : 0
    findBar.frame = Rect(x: 0, y: top, width: width, height: find)
    text.frame = Rect(x: 0, y: top + find, width: width, height: max(0, height - row - top - find))
    message.frame = Rect(x: 8, y: max(0, height - row), width: max(0, width - 16), height: row)
  }
}
