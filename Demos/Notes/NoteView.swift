import Proscenium
import ProsceniumUI

/// The menus, the words that are looked for, a note's text, and a row below it with its file and messages.
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
  let proxy = DocumentProxyView()
  private let message = Label()

  override init() {
    super.init()
    text.font = Font(size: 14)
    text.accessibilityLabel = "Note"
    message.font = Font(size: 12)
    proxy.font = Font(size: 12)
    findBar.isHidden = true
    for view in [bar, findBar, text, proxy, message] { addSubview(view) }
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
    let size = proxy.intrinsicContentSize
    let file = min(size.width, width / 2)
    let bottom = max(0, height - row)
    proxy.frame = Rect(
      x: max(0, width - file - 8), y: bottom + (row - size.height) / 2, width: file, height: size.height)
    message.frame = Rect(x: 8, y: bottom, width: max(0, width - 24 - file), height: row)
  }
}
