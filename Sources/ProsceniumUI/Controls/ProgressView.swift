public import ProsceniumCore

/// A bar that shows how much of a task is done.
///
/// Nothing in it moves by itself, not even for an unknown amount: the view has no timer and requests no frames, so that
/// a program that only waits is not woken. It is drawn again when ``progress`` or ``isIndeterminate`` changes.
open class ProgressView: View {
  /// Creates an empty bar.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
  }

  /// Creates a bar.
  /// - Parameter progress: The part of the task that is done, 0...1.
  public convenience init(progress: Double) {
    self.init()
    self.progress = progress
  }

  private var shown = 0.0 { didSet { if oldValue != shown { setNeedsDisplay() } } }

  /// The part of the task that is done, 0...1; 0 at first.
  ///
  /// A number beyond becomes the nearest one within; one that is not a number changes nothing.
  open var progress: Double {
    get { shown }
    set { if !newValue.isNaN { shown = min(max(newValue, 0), 1) } }
  }

  /// Whether the amount of the task is unknown; false at first.
  ///
  /// The bar is then striped over its whole width, and ``progress`` is kept and not shown. The stripes do not move.
  open var isIndeterminate = false { didSet { if oldValue != isIndeterminate { setNeedsDisplay() } } }

  open override var intrinsicContentSize: Size { Size(width: 120, height: Self.thickness) }

  private static let thickness = 6

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, bounds) = (theme, bounds)
    let height = min(Self.thickness, bounds.size.height)
    let radius = Double(height) / 2
    var bar = Rect(
      x: bounds.origin.x, y: bounds.origin.y + (bounds.size.height - height) / 2, width: bounds.size.width,
      height: height)
    // The colour of separators is nearly as strong as the accent colour in high contrast.
    context.fill(bar, cornerRadius: radius, with: theme.isHighContrast ? theme.controlBackground : theme.separator)
    if theme.isHighContrast { context.stroke(bar, cornerRadius: radius, with: theme.separator) }
    if isIndeterminate { return drawStripes(in: bar, radius, context, theme) }
    bar.size.width = Int((Double(bar.size.width) * progress).rounded())
    if bar.size.width > 0 { context.fill(bar, cornerRadius: radius, with: theme.accent) }
  }

  private func drawStripes(in bar: Rect, _ radius: Double, _ context: DrawingContext, _ theme: Theme) {
    let (top, bottom) = (Double(bar.origin.y), Double(bar.origin.y + bar.size.height))
    let (width, slant) = (8, bottom - top)
    var stripes = Path()
    for start in stride(from: bar.origin.x - width, to: bar.origin.x + bar.size.width, by: 2 * width) {
      let (left, right) = (Double(start), Double(start + width))
      stripes.move(toX: left, y: bottom)
      stripes.line(toX: left + slant, y: top)
      stripes.line(toX: right + slant, y: top)
      stripes.line(toX: right, y: bottom)
      stripes.close()
    }
    context.withState {
      context.clip(to: Path(bar, cornerRadius: radius))
      context.fill(stripes, with: theme.accent)
    }
  }
}
