public import ProsceniumCore

/// Dots in a circle that go round while something is done of which the amount is not known.
///
/// They move only while they are seen: frames are requested while the view is drawn in the window of a scene in the
/// foreground. Hidden, scrolled out of sight or outside a window it wakes the program never.
open class ActivityIndicator: View {
  private static let dots = 8
  private static let perSecond = 10.0
  private var link: FrameLink?
  /// The dot that is drawn strongest.
  private var first = 0
  /// Whether the dots have been drawn since they moved last.
  private var isSeen = false

  /// Creates an indicator that stands still.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
  }

  /// Whether the dots go round; false at first.
  public private(set) final var isAnimating = false {
    didSet {
      guard oldValue != isAnimating else { return }
      if !isAnimating { stop() }
      setNeedsDisplay()
    }
  }

  /// Lets the dots go round, from now on whenever they are seen.
  public func startAnimating() { isAnimating = true }

  /// Lets the dots stand still.
  public func stopAnimating() { isAnimating = false }

  /// Whether no dots are drawn while they stand still; true at first.
  ///
  /// The view keeps its room.
  open var hidesWhenStopped = true { didSet { if oldValue != hidesWhenStopped { setNeedsDisplay() } } }

  /// The colour of the dots; the theme's where nil.
  open var color: Color? { didSet { if oldValue != color { setNeedsDisplay() } } }

  open override var intrinsicContentSize: Size { Size(width: 20, height: 20) }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    stop()
  }

  private func stop() {
    link?.invalidate()
    link = nil
    first = 0
  }

  private func move() {
    guard isSeen else { return stop() }
    isSeen = false
    first = (first + 1) % Self.dots
    setNeedsDisplay()
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    isSeen = true
    if isAnimating, link == nil, let window {
      let link = FrameLink(window: window) { [weak self] _ in self?.move() }
      link.preferredFramesPerSecond = Self.perSecond
      self.link = link
    }
    guard isAnimating || !hidesWhenStopped else { return }
    let bounds = bounds
    let size = Double(min(bounds.size.width, bounds.size.height))
    let (x, y) = (
      Double(bounds.origin.x) + Double(bounds.size.width) / 2, Double(bounds.origin.y) + Double(bounds.size.height) / 2
    )
    // The dots touch neither each other nor the edges.
    let (way, radius) = (size * 0.39, size * 0.1)
    for (number, direction) in Self.directions.enumerated() {
      let age = (first - number + Self.dots) % Self.dots
      let dot = Path(
        x: x + way * direction.x - radius, y: y + way * direction.y - radius, width: 2 * radius, height: 2 * radius,
        cornerRadius: radius)
      context.fill(dot, with: color ?? theme.label, alpha: isAnimating ? max(0.15, 1 - Double(age) * 0.13) : 0.3)
    }
  }

  /// The directions of the dots from the middle, clockwise from the top.
  private static let directions: [(x: Double, y: Double)] = {
    let half = 0.5.squareRoot()
    return [(0, -1), (half, -half), (1, 0), (half, half), (0, 1), (-half, half), (-1, 0), (-half, -half)]
  }()
}
