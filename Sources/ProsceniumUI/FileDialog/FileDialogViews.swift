import FoundationEssentials
import ProsceniumCore

/// A row of a dialog for files: the name, the size and the date.
final class FileCell: TableViewCell {
  private let dateLabel = Label()
  private var isFolder = false

  override init() {
    super.init()
    dateLabel.isSecondary = true
    dateLabel.alignment = .right
    detailTextLabel.alignment = .right
    addSubview(dateLabel)
  }

  func show(_ entry: FolderEntry) {
    isFolder = entry.isFolder
    textLabel.text = entry.name
    detailTextLabel.text =
      !entry.isReachable ? "name is no UTF-8" : entry.isFolder ? "" : FileTexts.size(entry.size)
    dateLabel.text = FileTexts.date(DateFields(Date(timeIntervalSince1970: Double(entry.time))))
    accessibilityHint = isFolder ? "Folder" : nil
    setNeedsLayout()
    setNeedsDisplay()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    let (height, right) = (bounds.size.height, bounds.size.width - 10)
    // The name has half of a narrow row at least.
    let date = min(140, max(0, right / 3))
    let size = min(110, max(0, right / 4))
    dateLabel.frame = Rect(x: right - date, y: 0, width: date, height: height)
    detailTextLabel.frame = Rect(x: right - date - size, y: 0, width: max(0, size - 8), height: height)
    textLabel.frame = Rect(x: 36, y: 0, width: max(0, right - date - size - 44), height: height)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    super.draw(rect, in: context)
    let top = (bounds.size.height - 14) / 2
    if isFolder {
      context.fill(Rect(x: 12, y: top, width: 7, height: 5), cornerRadius: 1.5, with: theme.accent)
      context.fill(Rect(x: 12, y: top + 2, width: 16, height: 12), cornerRadius: 2, with: theme.accent)
    } else {
      let page = Rect(x: 14, y: top, width: 11, height: 14)
      context.stroke(page, cornerRadius: 1.5, with: theme.secondaryLabel)
    }
  }
}

/// The views of a dialog for files.
@MainActor struct FileDialogViews {
  let name = TextField()
  let path = TextField()
  let parent = Button()
  let table = TableView()
  let message = Label()
  let filter = PopUpButton()
  let hidden = Switch("", style: .checkbox)
  let cancel = Button()
  let accept = Button()

  init(_ kind: FileDialogKind, _ options: FileDialogOptions) {
    name.text = options.suggestedName
    parent.titleWithMnemonic = "_Up"
    parent.toolTip = "The folder above (Alt+Up)"
    table.accessibilityLabel = "Files"
    table.allowsMultipleSelection = kind == .open && options.allowsMultipleSelection
    message.isSecondary = true
    filter.items = options.filters.map(\.name)
    filter.isHidden = kind == .folder || options.filters.isEmpty
    filter.accessibilityLabel = "Kind of files"
    hidden.titleWithMnemonic = "_Hidden files"
    cancel.title = "Cancel"
    accept.title = options.acceptLabel.isEmpty ? Self.verb(kind) : options.acceptLabel
    accept.style = .filled
    for view in [name, path, table] { view.isStretching = true }
  }

  private static func verb(_ kind: FileDialogKind) -> String {
    switch kind {
    case .open: "Open"
    case .save: "Save"
    case .folder: "Choose"
    }
  }

  /// The view with all of them.
  func root(_ kind: FileDialogKind) -> View {
    let named = StackView(.horizontal, [label("_Name:", for: name), name])
    named.isHidden = kind != .save
    let place = StackView(.horizontal, [label("F_older:", for: path), path, parent])
    let buttons = StackView(.horizontal, [filter, hidden, Spacer(), cancel, accept])
    return StackView(.vertical, spacing: 10, margin: 14, [named, place, table, message, buttons])
  }

  private func label(_ text: String, for field: TextField) -> Label {
    let label = Label()
    label.textWithMnemonic = text
    label.mnemonicTarget = field
    return label
  }
}
