public import ProsceniumCore

/// A picture that is shown.
open class ImageView: View {
  /// How a picture fills the view.
  public enum ContentMode: Hashable, Sendable {
    /// As large as it can be with all of it to be seen.
    case scaleAspectFit
    /// As small as it can be without room around it.
    case scaleAspectFill
    /// Exactly, whatever becomes of its proportions.
    case scaleToFill
    /// In the middle, one point for a pixel.
    case center
  }

  /// A view without a picture.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
  }

  /// A view with a picture.
  public convenience init(_ image: Image?) {
    self.init()
    self.image = image
  }

  /// The picture.
  open var image: Image? {
    didSet { if oldValue !== image { invalidateIntrinsicContentSize() } }
  }

  /// How the picture fills the view.
  open var contentMode = ContentMode.scaleAspectFit {
    didSet { if oldValue != contentMode { setNeedsDisplay() } }
  }

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
