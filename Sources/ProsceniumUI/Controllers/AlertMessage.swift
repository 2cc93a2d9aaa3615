import ProsceniumCore

/// The explanation of an alert that is higher than the screen: it is scrolled, by keys too.
final class AlertMessage: ScrollView {
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    addSubview(content)
  }

  override var canBecomeFirstResponder: Bool { true }

  override func layoutSubviews() {
    // The bar is beside the letters.
    let width = max(0, bounds.size.width - 10)
    let height = content.sizeThatFits(Size(width: width, height: 1 << 20)).height
    content.frame = Rect(x: 0, y: 0, width: width, height: height)
    contentSize = Size(width: bounds.size.width, height: height)
    super.layoutSubviews()
  }

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown else { return super.handle(event) }
    let page = max(bounds.size.height - lineHeight, lineHeight)
    switch KeySymbol.withoutKeypad(key.symbol) {
    case KeySymbol.up: contentOffset.y -= lineHeight
    case KeySymbol.down: contentOffset.y += lineHeight
    case KeySymbol.pageUp: contentOffset.y -= page
    case KeySymbol.pageDown: contentOffset.y += page
    case KeySymbol.home: contentOffset.y = 0
    case KeySymbol.end: contentOffset.y = contentSize.height
    default: return super.handle(event)
    }
    return true
  }

  override func firstResponderDidChange() { setFrontNeedsDisplay() }

  override func drawInFront(_ bounds: Rect, in context: DrawingContext) {
    if isFirstResponder { context.strokeFocusRing(bounds.inset(x: 1, y: 1), cornerRadius: 3, theme) }
  }
}
