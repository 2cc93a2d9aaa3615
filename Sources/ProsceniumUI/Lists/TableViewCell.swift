public import ProsceniumCore

/// A cell of a ``TableView``: a picture, a text, and a second text.
///
/// For other content subclasses, or the data source, add views of their own to it.
open class TableViewCell: ListCell {
  /// Where the second text is.
  public enum Style: Hashable, Sendable {
    /// At the right of the first one.
    case value1
    /// Below the first one, smaller; for rows of about 44 points.
    case subtitle
  }

  /// What is drawn at the right edge.
  public enum AccessoryType: Hashable, Sendable {
    /// Nothing.
    case none
    /// A check mark.
    case checkmark
    /// An arrow: the row leads on.
    case disclosureIndicator
  }

  /// Creates a cell without content.
  public override init() {
    super.init()
    for view in [imageView, textLabel, detailTextLabel] { addSubview(view) }
    setLooks()
  }

  /// Creates a cell.
  /// - Parameter style: Where the second text is.
  public convenience init(style: Style) {
    self.init()
    self.style = style
    setLooks()
  }

  /// Where the second text is.
  public private(set) final var style = Style.value1

  /// What is drawn at the right edge.
  open var accessoryType = AccessoryType.none {
    didSet {
      guard oldValue != accessoryType else { return }
      setNeedsLayout()
      setNeedsDisplay()
    }
  }

  /// The picture at the left edge.
  public final let imageView = ImageView()
  /// The first text.
  public final let textLabel = Label()
  /// The second text.
  public final let detailTextLabel = Label()

  private func setLooks() {
    detailTextLabel.font = style == .subtitle ? Font.system.withSize(11) : .system
    detailTextLabel.alignment = style == .value1 ? .right : .natural
    detailTextLabel.isSecondary = true
  }

  // MARK: Layout

  private static let margin = 10
  private static let gap = 8
  private static let mark = 16

  open override func layoutSubviews() {
    super.layoutSubviews()
    var (left, right) = (Self.margin, bounds.size.width - Self.margin)
    if accessoryType != .none { right -= Self.mark + Self.gap }
    let height = bounds.size.height
    imageView.isHidden = imageView.image == nil
    if !imageView.isHidden {
      let side = max(0, height - 8)
      imageView.frame = Rect(x: left, y: 4, width: side, height: side)
      left += side + Self.gap
    }
    let room = max(0, right - left)
    detailTextLabel.isHidden = detailTextLabel.text.isEmpty
    guard !detailTextLabel.isHidden else {
      textLabel.frame = Rect(x: left, y: 0, width: room, height: height)
      return
    }
    switch style {
    case .value1:
      // The second text gives way, as long as there is something of it.
      let first = min(textLabel.intrinsicContentSize.width, room)
      let second = min(detailTextLabel.intrinsicContentSize.width, max(room / 3, room - first - Self.gap))
      textLabel.frame = Rect(x: left, y: 0, width: max(0, room - second - Self.gap), height: height)
      detailTextLabel.frame = Rect(x: right - second, y: 0, width: second, height: height)
    case .subtitle:
      let (first, second) = (
        textLabel.intrinsicContentSize.height, detailTextLabel.intrinsicContentSize.height
      )
      let top = max(0, (height - first - second) / 2)
      textLabel.frame = Rect(x: left, y: top, width: room, height: first)
      detailTextLabel.frame = Rect(x: left, y: top + first, width: room, height: second)
    }
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    super.draw(rect, in: context)
    let (x, y) = (Double(bounds.size.width - Self.margin - Self.mark), Double(bounds.size.height) / 2)
    var path = Path()
    switch accessoryType {
    case .none: return
    case .checkmark:
      path.move(toX: x + 2, y: y)
      path.line(toX: x + 6, y: y + 4)
      path.line(toX: x + 14, y: y - 5)
    case .disclosureIndicator:
      path.move(toX: x + 8, y: y - 5)
      path.line(toX: x + 13, y: y)
      path.line(toX: x + 8, y: y + 5)
    }
    let color = accessoryType == .checkmark ? theme.accent : theme.secondaryLabel
    context.stroke(path, with: isSelected ? theme.label : color, lineWidth: 2)
  }
}

/// The title of a section of a ``TableView``.
final class TableSectionTitle: ListCell {
  private let label = Label()

  init(_ title: String, _ kind: ListSupplement.Kind) {
    super.init()
    label.text = title
    label.font = kind == .header ? Font.system.withWeight(.semibold) : Font.system.withSize(11)
    label.isSecondary = true
    addSubview(label)
  }

  static let height = 26

  /// The list gets its presses, which go on although titles come and go.
  override func hitTest(_ point: Point) -> View? { super.hitTest(point) == nil ? nil : superview }

  override func layoutSubviews() {
    super.layoutSubviews()
    label.frame = bounds.inset(x: 10, y: 0)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    // Rows scroll beneath it.
    context.fill(bounds, with: theme.background)
    let line = Rect(x: 0, y: bounds.size.height - 1, width: bounds.size.width, height: 1)
    context.fill(line, with: theme.separator)
  }
}
