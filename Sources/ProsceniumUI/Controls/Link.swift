public import FoundationEssentials
public import ProsceniumCore

/// A control with an underlined title that opens a URL in the user's preferred application.
///
/// It is pressed by pointer or touch, and by Space or Return while it is the first responder. It sends
/// ``ControlEvents/primaryActionTriggered`` and then opens the URL (`Application.open(_:options:completionHandler:)`).
/// A URL that no application opens is reported on standard error.
open class Link: Control {
  private lazy var caption = Caption(of: self)

  /// Creates a link without a title or a URL.
  public override init() {
    super.init()
    cursor = .pointingHand
  }

  /// Creates a link.
  /// - Parameters:
  ///   - title: The title; the URL's text where empty.
  ///   - url: The URL.
  public convenience init(_ title: String, url: URL) {
    self.init()
    self.title = title
    self.url = url
    showTitle()
  }

  /// The title; the text of the ``url`` is shown where it is empty, as at first.
  open var title = "" { didSet { showTitle() } }

  /// The URL that is opened; nothing is where nil, as at first.
  open var url: URL? { didSet { showTitle() } }

  /// The font of the title.
  open var font: Font {
    get { caption.font }
    set { caption.font = newValue }
  }

  private func showTitle() {
    caption.text = title.isEmpty ? url?.absoluteString ?? "" : title
    caption.underlined = 0..<caption.text.utf8.count
  }

  /// Sends ``ControlEvents/primaryActionTriggered``, and opens the URL.
  /// - Parameter event: The event that triggers it; nil for an action of the program.
  open override func primaryAction(_ event: Event?) {
    super.primaryAction(event)
    #if !WITHOUT_OpenRequests
      guard let url else { return }
      Application.sharedIfLaunched?.open(url) { isOpened in
        guard !isOpened else { return }
        Application.report("No application opens \(url). Install one, or choose it in the desktop's settings.")
      }
    #endif
  }

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool { pressedByKey(event) ?? super.handle(event) }

  override var texts: [TextLayout] { [caption.layout] }

  /// The room around the title for the ring of the first responder.
  private static let room = 4

  open override var intrinsicContentSize: Size {
    let size = caption.layout.measured()
    return Size(width: size.width + 2 * Self.room, height: size.height + 2 * Self.room)
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, bounds) = (theme, bounds)
    let alpha = isHighlighted ? 0.6 : theme.opacity(isEnabled: isEnabled)
    caption.draw(in: bounds.inset(x: Self.room, y: Self.room), context, color: theme.accent, alpha: alpha)
    if isFirstResponder { context.strokeFocusRing(ring, cornerRadius: 4, theme) }
  }

  /// What is around the title, which may be narrower than the view.
  private var ring: Rect {
    let layout = caption.layout
    let title = layout.selectionRects(from: 0, to: caption.text.utf8.count).reduce(nil) { $0?.union($1) ?? $1 }
    guard let title else { return bounds }
    let x = bounds.origin.x + Self.room + title.origin.x
    let around = Rect(x: x, y: bounds.origin.y, width: title.size.width, height: bounds.size.height)
    return around.inset(x: -Self.room, y: 0).intersection(bounds) ?? bounds
  }
}
