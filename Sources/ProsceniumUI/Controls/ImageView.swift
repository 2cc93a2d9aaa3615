public import ProsceniumCore

/// A view that shows a picture.
open class ImageView: View {
  /// The way in which a picture fills the view.
  public enum ContentMode: Hashable, Sendable {
    /// Scaled to fit into the view, with its proportions.
    case scaleAspectFit
    /// Scaled to cover the view, with its proportions.
    case scaleAspectFill
    /// Scaled to the size of the view, without its proportions.
    case scaleToFill
    /// Centred, one point for each pixel.
    case center
  }

  /// Creates a view without a picture.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
  }

  /// Creates a view with a picture.
  /// - Parameter image: The picture.
  public convenience init(_ image: Image?) {
    self.init()
    self.image = image
  }

  /// The picture.
  open var image: Image? { didSet { if oldValue !== image { invalidateIntrinsicContentSize() } } }

  /// The way in which the picture fills the view.
  open var contentMode = ContentMode.scaleAspectFit { didSet { if oldValue != contentMode { setNeedsDisplay() } } }

  open override var intrinsicContentSize: Size { image?.size ?? super.intrinsicContentSize }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    guard let image else { return }
    context.draw(image, in: place(of: image.size))
  }

  private func place(of size: Size) -> Rect {
    let bounds = bounds
    let (across, down) = (
      Double(bounds.size.width) / Double(size.width), Double(bounds.size.height) / Double(size.height)
    )
    let factor: Double
    switch contentMode {
    case .scaleToFill: return bounds
    case .scaleAspectFit: factor = min(across, down)
    case .scaleAspectFill: factor = max(across, down)
    case .center: factor = 1
    }
    let width = Int((Double(size.width) * factor).rounded())
    let height = Int((Double(size.height) * factor).rounded())
    return Rect(
      x: bounds.origin.x + (bounds.size.width - width) / 2, y: bounds.origin.y + (bounds.size.height - height) / 2,
      width: width, height: height)
  }
}
