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
    message.numberOfLines = 0
    proxy.font = Font(size: 12)
    findBar.isHidden = true
    for view in [bar, findBar, text, proxy, message] { addSubview(view) }
  }

  /// Shows a message in the row.
  func show(_ words: String, isActive: Bool) {
    if message.text != words { setNeedsLayout() }
    message.text = words
    message.textColor = isActive ? theme.label : theme.secondaryLabel
  }

  override func layoutSubviews() {
    let (width, height) = (bounds.size.width, bounds.size.height)
    let size = proxy.intrinsicContentSize
    let file = min(size.width, width / 2)
    let space = max(0, width - 24 - file)
    // A long message takes as many lines as it needs, and leaves half of the window to the text.
    let row = max(24, min(message.sizeThatFits(Size(width: space, height: height)).height + 8, height / 2))
    let top = bar.sizeThatFits(bounds.size).height
    bar.frame = Rect(x: 0, y: 0, width: width, height: top)
    let find = showsFindBar ? findBar.intrinsicContentSize.height : 0
    findBar.frame = Rect(x: 0, y: top, width: width, height: find)
    text.frame = Rect(x: 0, y: top + find, width: width, height: max(0, height - row - top - find))
    let bottom = max(0, height - row)
    proxy.frame = Rect(
      x: max(0, width - file - 8), y: bottom + (row - size.height) / 2, width: file, height: size.height)
    message.frame = Rect(x: 8, y: bottom, width: space, height: row)
  }
}
