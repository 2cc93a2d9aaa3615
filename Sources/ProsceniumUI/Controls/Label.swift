public import ProsceniumCore

/// A text that is shown.
open class Label: View {
  let layout = TextLayout()
  /// The size in one line, or as many as the text has by itself: measuring lays the text out, which drawing then does again.
  private var natural: Size?

  /// A label without text.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
    layout.maximumLines = 1
  }

  /// A label.
  public convenience init(_ text: String, font: Font = .system) {
    self.init()
    set(text, font)
  }

  // An initialiser would set them without their observers.
  private func set(_ text: String, _ font: Font) {
    self.text = text
    self.font = font
  }

  /// The text.
  open var text = "" {
    didSet {
      guard !oldValue.utf8.elementsEqual(text.utf8) else { return }
      layout.text = text
      measureAgain()
    }
  }

  /// The font.
  open var font = Font.system {
    didSet {
      guard oldValue != font else { return }
      layout.font = font
      measureAgain()
    }
  }

  /// The letters' colour; the theme's where nil.
  open var textColor: Color? {
    didSet { if oldValue != textColor { setNeedsDisplay() } }
  }

  /// Where the lines are within the label.
  open var alignment = TextAlignment.natural {
    didSet {
      layout.alignment = alignment
      setNeedsDisplay()
    }
  }

  /// How many lines are shown at most; as many as there are where 0.
  open var numberOfLines = 1 {
    didSet {
      guard oldValue != numberOfLines else { return }
      layout.maximumLines = numberOfLines > 0 ? numberOfLines : nil
      measureAgain()
    }
  }

  private func measureAgain() {
    natural = nil
    invalidateIntrinsicContentSize()
  }

  open override var intrinsicContentSize: Size {
    if let natural { return natural }
    layout.width = nil
    natural = layout.size
    return layout.size
  }

  open override func sizeThatFits(_ size: Size) -> Size {
    var fitting = intrinsicContentSize
    if fitting.width > size.width, numberOfLines != 1 {
      layout.width = max(0, size.width)
      fitting = layout.size
    }
    fitting.width = min(fitting.width, max(0, size.width))
    if let wished = preferredSize {
      if wished.width >= 0 { fitting.width = wished.width }
      if wished.height >= 0 { fitting.height = wished.height }
    }
    return fitting
  }

  override func purge() { layout.purge() }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    layout.width = bounds.size.width
    let top = max(0, (bounds.size.height - layout.size.height) / 2)
    let origin = Point(x: bounds.origin.x, y: bounds.origin.y + top)
    context.draw(layout, at: origin, color: textColor ?? theme.label)
  }
}
