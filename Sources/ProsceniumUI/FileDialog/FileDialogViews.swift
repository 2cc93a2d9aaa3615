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
    textLabel.text = FilePath.shown(entry.name)
    detailTextLabel.text =
      !entry.isReachable ? "name is no UTF-8" : entry.isFolder ? "" : FileTexts.size(entry.size)
    dateLabel.text = FileTexts.date(DateFields(Date(timeIntervalSince1970: Double(entry.time))))
    accessibilityHint = isFolder ? "Folder" : nil
    setNeedsLayout()
    setNeedsDisplay()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    let columns = FileColumns(width: bounds.size.width)
    for (label, column) in [(textLabel, columns.name), (detailTextLabel, columns.size), (dateLabel, columns.modified)] {
      label.frame = Rect(x: column.lowerBound, y: 0, width: column.count, height: bounds.size.height)
    }
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    super.draw(rect, in: context)
    let icon = isFolder ? FileIcon.folder : .document
    icon.draw(atX: 12, middle: bounds.size.height / 2, in: context, theme, isSelected: isSelected)
  }
}

/// The places of the columns in a row.
struct FileColumns: Hashable, Sendable {
  let name: Range<Int>
  let size: Range<Int>
  let modified: Range<Int>

  init(width: Int) {
    let right = max(0, width - 10)
    // The name has half of a narrow row at least.
    let (modified, size) = (min(140, right / 3), min(110, right / 4))
    self.modified = right - modified..<right
    self.size = right - modified - size..<max(right - modified - size, right - modified - 8)
    name = min(36, right)..<max(min(36, right), right - modified - size - 8)
  }

  subscript(column: FolderOrder.Column) -> Range<Int> {
    switch column {
    case .name: name
    case .size: size
    case .modified: modified
    }
  }
}

/// The titles of the columns, which sort by them.
final class FileHeader: View {
  private let titles = FolderOrder.Column.allCases.map { FileColumnTitle($0) }
  /// Called when the user presses the title of a column.
  var pressed: ((FolderOrder.Column) -> Void)?
  var order = FolderOrder() { didSet { showOrder() } }

  override init() {
    super.init()
    for title in titles {
      title.addAction(for: .primaryActionTriggered) { [weak self, column = title.column] in self?.pressed?(column) }
      addSubview(title)
    }
    showOrder()
  }

  private func showOrder() {
    for title in titles {
      let isSorted = title.column == order.column
      title.isDescending = isSorted ? order.isDescending : nil
      title.accessibilityValue = isSorted ? order.isDescending ? "sorted downwards" : "sorted upwards" : nil
    }
  }

  override var intrinsicContentSize: Size { Size(width: 0, height: 26) }

  override func layoutSubviews() {
    super.layoutSubviews()
    let columns = FileColumns(width: bounds.size.width)
    for title in titles {
      let column = columns[title.column]
      title.frame = Rect(x: column.lowerBound - 6, y: 0, width: column.count + 12, height: bounds.size.height)
    }
  }
}

/// The title of a column.
final class FileColumnTitle: Button {
  let column: FolderOrder.Column
  /// How the files are sorted by the column; nil where they are by another one.
  var isDescending: Bool? { didSet { if oldValue != isDescending { setNeedsDisplay() } } }

  init(_ column: FolderOrder.Column) {
    self.column = column
    super.init()
    title = column.rawValue.capitalized
    font = Font.system.withSize(11).withWeight(.semibold)
    caption.layout.alignment = column == .name ? .natural : .right
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    if isHighlighted || isHovered { context.fill(bounds, cornerRadius: 4, with: fill(theme)) }
    if isFirstResponder { context.strokeFocusRing(bounds.inset(x: 1, y: 1), cornerRadius: 4, theme) }
    let color = isDescending == nil ? theme.secondaryLabel : theme.label
    // The arrow is beside the letters, on the inner side.
    let room = bounds.inset(x: 6, y: 0)
    caption.draw(in: room, context, color: color)
    guard let isDescending else { return }
    let width = min(caption.layout.measured().width, room.size.width)
    let x = Double(column == .name ? room.origin.x + width + 5 : room.origin.x + room.size.width - width - 12)
    let (y, step) = (Double(bounds.size.height) / 2, isDescending ? 2.0 : -2.0)
    var arrow = Path()
    arrow.move(toX: x, y: y - step)
    arrow.line(toX: x + 3.5, y: y + step)
    arrow.line(toX: x + 7, y: y - step)
    context.stroke(arrow, with: color, lineWidth: 1.5)
  }
}

/// The places beside the files, which a narrow dialog has no room for.
final class FileDialogMiddle: StackView {
  private static let narrow = 520

  override func layoutSubviews() {
    subviews.first?.isHidden = bounds.size.width < Self.narrow
    super.layoutSubviews()
  }
}

/// The views of a dialog for files.
@MainActor struct FileDialogViews {
  let name = TextField()
  let path = TextField()
  let parent = Button()
  let places = FilePlacesView()
  let header = FileHeader()
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
    table.hasEdge = true
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

  /// Shows a message; an empty one takes no room.
  func say(_ text: String) {
    message.text = text
    message.isHidden = text.isEmpty
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
    let files = StackView(.vertical, spacing: 2, [header, table])
    files.isStretching = true
    let middle = FileDialogMiddle(.horizontal, spacing: 10, [places, files])
    middle.isStretching = true
    return StackView(.vertical, spacing: 10, margin: 14, [named, place, middle, message, buttons])
  }

  private func label(_ text: String, for field: TextField) -> Label {
    let label = Label()
    label.textWithMnemonic = text
    label.mnemonicTarget = field
    return label
  }
}
