public import ProsceniumCore

/// A view that shows a text.
open class Label: View, Captioned {
  private(set) lazy var caption = Caption(of: self)

  /// Creates a label without text.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
  }

  /// Creates a label.
  /// - Parameters:
  ///   - text: The text.
  ///   - font: The font.
  public convenience init(_ text: String, font: Font = .system) {
    self.init()
    self.text = text
    self.font = font
  }

  /// The text.
  open var text: String {
    get { caption.text }
    set { caption.text = newValue }
  }

  /// The text with an underscore before its mnemonic, which is underlined.
  ///
  /// That is the letter that, with Alt, makes the ``mnemonicTarget`` the first responder; where several views
  /// of a window have the same one, the next of them becomes the first responder. Two underscores stand for one.
  /// Setting ``text`` removes the mnemonic.
  open var textWithMnemonic: String {
    get { caption.content.marked }
    set { caption.content = MarkedText(newValue) }
  }

  /// The view that the mnemonic makes the first responder, such as a text field beside the label, which has the
  /// text as its name for assistive programs; held weakly.
  open weak var mnemonicTarget: View? {
    didSet {
      guard oldValue !== mnemonicTarget else { return }
      if let oldValue { oldValue.changeAccessibility { $0.labelView = nil } }
      if let mnemonicTarget { mnemonicTarget.changeAccessibility { $0.labelView = self } }
    }
  }

  /// The font.
  open var font: Font {
    get { caption.font }
    set { caption.font = newValue }
  }

  /// The colour of the letters; the theme's where nil.
  open var textColor: Color? { didSet { if oldValue != textColor { setNeedsDisplay() } } }

  /// Whether the theme's colour is that of less important text.
  final var isSecondary = false { didSet { if oldValue != isSecondary { setNeedsDisplay() } } }

  /// Whether the label is in a selected cell, on which less important text would be too faint.
  final var isOnSelection = false { didSet { if oldValue != isOnSelection, isSecondary { setNeedsDisplay() } } }

  /// The alignment of lines within the label.
  open var alignment = TextAlignment.natural {
    didSet {
      caption.layout.alignment = alignment
      setNeedsDisplay()
    }
  }

  /// The largest number of lines; no limit where 0.
  ///
  /// Where it is 1, as at first, the whole text is one line, with spaces for its line endings. A larger number is that
  /// of each paragraph.
  open var numberOfLines = 1 {
    didSet {
      // Those of interface files are not wrapped before.
      caption.layout.wrapping = .word
      guard oldValue != numberOfLines else { return }
      caption.layout.maximumLines = numberOfLines > 0 ? numberOfLines : nil
      invalidateIntrinsicContentSize()
    }
  }

  open override var intrinsicContentSize: Size { caption.layout.measured() }

  open override func sizeThatFits(_ size: Size) -> Size {
    var fitting = intrinsicContentSize
    if fitting.width > size.width, numberOfLines != 1 {
      caption.layout.width = max(0, size.width)
      fitting = caption.layout.size
    }
    fitting.width = min(fitting.width, max(0, size.width))
    return wished(over: fitting)
  }

  override var texts: [TextLayout] { [caption.layout] }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let isFaint = isSecondary && !isOnSelection
    caption.draw(in: bounds, context, color: textColor ?? (isFaint ? theme.secondaryLabel : theme.label))
  }
}
