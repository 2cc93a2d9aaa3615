import ProsceniumCore

/// The explanation of an alert that is higher than the screen: it is scrolled.
final class AlertMessage: ScrollView {
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    addSubview(content)
  }

  override func layoutSubviews() {
    // The bar is beside the letters.
    let width = max(0, bounds.size.width - 10)
    let height = content.sizeThatFits(Size(width: width, height: 1 << 20)).height
    content.frame = Rect(x: 0, y: 0, width: width, height: height)
    contentSize = Size(width: bounds.size.width, height: height)
    super.layoutSubviews()
  }
}
