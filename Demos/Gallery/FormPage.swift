import Proscenium
import ProsceniumUI

/// Columns beside each other, or below each other where the window is narrow; scrolled where it is low.
final class FormPage: ScrollView {
  private let columns: StackView
  /// Where it is scrolled to when it is first laid out.
  var firstOffset: Int?

  init(_ columns: [View]) {
    self.columns = StackView(.horizontal, spacing: 0, columns)
    super.init()
    self.columns.distribution = .fillEqually
    addSubview(self.columns)
  }

  override func layoutSubviews() {
    let isWide = bounds.size.width >= 220 * columns.subviews.count
    let axis: StackView.Axis = isWide ? .horizontal : .vertical
    if columns.axis != axis {
      columns.axis = axis
      columns.distribution = isWide ? .fillEqually : .fill
    }
    let size = columns.sizeThatFits(Size(width: bounds.size.width, height: 1 << 16))
    columns.frame = Rect(x: 0, y: 0, width: bounds.size.width, height: size.height)
    contentSize = columns.frame.size
    if let offset = firstOffset.take() { contentOffset.y = offset }
    super.layoutSubviews()
  }
}

/// A text with the frame of a field.
final class FramedTextView: TextView {
  override func draw(_ rect: Rect, in context: DrawingContext) {
    context.withState {
      context.clip(to: Path(bounds, cornerRadius: 5))
      super.draw(rect, in: context)
    }
    context.stroke(bounds, cornerRadius: 5, with: theme.separator)
    if isFirstResponder { context.strokeFocusRing(bounds, cornerRadius: 5, theme) }
  }
}
