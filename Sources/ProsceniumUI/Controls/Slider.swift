public import ProsceniumCore

/// A control for a number within limits: a knob on a bar, with the smallest number at the left, or at the bottom.
///
/// The user moves the knob by pointer or touch; a press beside the knob moves it there. While the slider is the first
/// responder the arrow keys move it by a step, Page Up and Page Down by five, and Home and End to its limits.
///
/// Each change by the user sends ``ControlEvents/valueChanged``, and after that
/// ``ControlEvents/primaryActionTriggered``; for a drag see ``isContinuous``. A press that is cancelled keeps the value
/// that it reached. A change by the program sends nothing.
open class Slider: Control {
  /// The state of a press that moves the knob.
  private struct Drag {
    /// The distance of the pointer from the middle of the knob.
    var grip = 0.0
    /// The place of the pointer along the bar.
    var place: Double
    /// The value before the press.
    let start: Double
  }
  private var drag: Drag?
  private var bounded = BoundedNumber(0, in: 0...1) { didSet { if oldValue != bounded { setNeedsDisplay() } } }
  private var limits: ClosedRange<Double> { bounded.limits }
  private var number: Double { bounded.value }

  /// Creates a slider from 0 to 1, at 0.
  public override init() { super.init() }

  /// Creates a slider.
  /// - Parameters:
  ///   - value: The value.
  ///   - limits: The smallest and the largest value.
  ///   - handler: Called when the user changes the value.
  public convenience init(
    _ value: Double, in limits: ClosedRange<Double> = 0...1, handler: (@MainActor () -> Void)? = nil
  ) {
    self.init()
    minimumValue = limits.lowerBound
    maximumValue = limits.upperBound
    self.value = value
    if let handler { addAction(for: .valueChanged, handler) }
  }

  // MARK: Value

  /// The value; 0 at first.
  ///
  /// A number beyond the limits becomes the nearer limit; one that is not a number changes nothing.
  open var value: Double {
    get { bounded.value }
    set { bounded.value = newValue }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { value }
    set { if let number = number(newValue) { value = number } }
  }

  /// The smallest value, at the left; 0 at first.
  ///
  /// If it is larger than ``maximumValue`` that becomes the same. One that is not finite changes nothing.
  open var minimumValue: Double {
    get { bounded.minimum }
    set { bounded.minimum = newValue }
  }

  /// The largest value, at the right; 1 at first.
  ///
  /// If it is smaller than ``minimumValue`` that becomes the same. One that is not finite changes nothing.
  open var maximumValue: Double {
    get { bounded.maximum }
    set { bounded.maximum = newValue }
  }

  /// Whether a drag sends ``ControlEvents/valueChanged`` for each change, and not only at its end; true at first.
  open var isContinuous = true { didSet { Responder.requireMainThread() } }

  /// The distance by which an arrow key moves the value.
  ///
  /// A twentieth of the distance between the limits where it is nil, as at first, or no positive number. Places that a
  /// pointer or a touch reaches are not limited to steps.
  open var step: Double? { didSet { Responder.requireMainThread() } }

  private var stride: Double {
    if let step, step.isFinite, step > 0 { return step }
    return limits.upperBound / 20 - limits.lowerBound / 20
  }

  /// The place of the value between the limits, 0...1.
  private var fraction: Double {
    // The difference of the largest numbers is infinite, that of their halves is not.
    let range = limits.upperBound / 2 - limits.lowerBound / 2
    return range > 0 ? min(max((number / 2 - limits.lowerBound / 2) / range, 0), 1) : 0
  }

  /// Changes the value for the user; returns whether it is another one now.
  private func change(to new: Double) -> Bool {
    let old = number
    value = new
    return number != old
  }

  private func send(_ event: Event?) {
    userChangedValue(event)
    primaryAction(event)
  }

  /// The axis of the bar; horizontal at first.
  ///
  /// On a vertical one the smallest value is at the bottom.
  open var axis = StackView.Axis.horizontal { didSet { if oldValue != axis { invalidateIntrinsicContentSize() } } }

  // MARK: Keys

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool {
    guard let (key, symbol) = plainKey(event), let target = target(of: symbol) else { return super.handle(event) }
    if key.isDown, isEnabled, change(to: target) { send(event) }
    return isEnabled
  }

  /// The value to which a key moves; nil for other keys.
  private func target(of symbol: UInt32) -> Double? {
    switch symbol {
    case KeySymbol.left, KeySymbol.down: number - stride
    case KeySymbol.right, KeySymbol.up: number + stride
    case KeySymbol.pageDown: number - 5 * stride
    case KeySymbol.pageUp: number + 5 * stride
    case KeySymbol.home: limits.lowerBound
    case KeySymbol.end: limits.upperBound
    default: nil
    }
  }

  // MARK: Tracking

  open override var followsFinger: Bool { true }

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    guard isTracking, let place = event.location(in: self).map(along) else { return }
    let distance = place - knob
    drag = Drag(place: place, start: number)
    if abs(distance) <= Self.radius { drag?.grip = distance } else { follow(place, event) }
  }

  open override func continueTracking(_ event: Event) {
    guard isTracking, let drag, let place = event.location(in: self).map(along), place != drag.place else { return }
    follow(place, event)
  }

  open override func endTracking(_ event: Event) {
    continueTracking(event)
    endDrag(event)
    _ = stopTracking(event)
  }

  open override func pressCancelled() {
    // The value is kept, so the program is told of it.
    endDrag(nil)
    super.pressCancelled()
  }

  private func follow(_ place: Double, _ event: Event) {
    drag?.place = place
    let length = travel.upperBound - travel.lowerBound
    guard length > 0, let drag else { return }
    let part = min(max((place - drag.grip - travel.lowerBound) / length, 0), 1)
    guard change(to: limits.lowerBound * (1 - part) + limits.upperBound * part) else { return }
    if isContinuous { send(event) } else { invalidateRestorableState() }
  }

  private func endDrag(_ event: Event?) {
    guard let drag else { return }
    self.drag = nil
    if !isContinuous, number != drag.start { send(event) }
  }

  // MARK: Drawing

  open override var intrinsicContentSize: Size {
    axis == .horizontal ? Size(width: 120, height: 24) : Size(width: 24, height: 120)
  }

  private static let radius = 9.0
  /// The room around the knob for the ring of the first responder.
  private static let ring = 3.0

  /// The distance of a point from the end of the bar with the smallest value.
  private func along(_ point: Point) -> Double {
    let end = bounds.origin.y + bounds.size.height
    return Double(axis == .horizontal ? point.x - bounds.origin.x : end - point.y)
  }

  /// The places of the middle of the knob, along the bar.
  private var travel: ClosedRange<Double> {
    let length = Double(axis == .horizontal ? bounds.size.width : bounds.size.height)
    let room = min(Self.radius + Self.ring, length / 2)
    return room...length - room
  }

  /// The middle of the knob.
  private var knob: Double { travel.lowerBound + (travel.upperBound - travel.lowerBound) * fraction }

  /// A part of the view, from a place along the bar to another one, with round ends.
  ///
  /// Its edges are between two pixels, with as many of them on one side of it as on the other.
  private func part(from start: Double, to end: Double, breadth: Double, _ context: DrawingContext) -> ExactRect {
    let whole = context.aligned(bounds)
    let (from, to) = (context.aligned(start), context.aligned(end))
    if axis == .horizontal {
      let room = context.aligned((whole.height - breadth) / 2)
      return ExactRect(x: whole.x + from, y: whole.y + room, width: to - from, height: whole.height - 2 * room)
    }
    let room = context.aligned((whole.width - breadth) / 2)
    return ExactRect(
      x: whole.x + room, y: whole.y + whole.height - to, width: whole.width - 2 * room, height: to - from)
  }

  /// The knob, which is as long as it is broad.
  private func knobRect(_ context: DrawingContext) -> ExactRect {
    var rect = part(from: knob - Self.radius, to: knob + Self.radius, breadth: 2 * Self.radius, context)
    if axis == .horizontal { rect.width = rect.height } else { rect.height = rect.width }
    return rect
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let alpha = theme.opacity(isEnabled: isEnabled)
    let line = max(context.aligned(1), 1 / context.scale)
    func bar(from start: Double, to end: Double) -> Path {
      Path(ellipseIn: part(from: start, to: end, breadth: 4, context))
    }
    // The bar ends at the knob, through which it would be seen where the slider is disabled.
    let (start, end) = (travel.lowerBound - Self.radius, travel.upperBound + Self.radius)
    let (knob, whole) = (knobRect(context), context.aligned(bounds))
    let (before, behind) =
      axis == .horizontal
      ? (knob.x - whole.x, knob.x + knob.width - whole.x)
      : (whole.y + whole.height - knob.y - knob.height, whole.y + whole.height - knob.y)
    if before > start { context.fill(bar(from: start, to: before), with: theme.accent, alpha: alpha) }
    if behind < end {
      // The colour of separators is nearly as strong as the accent colour in high contrast.
      let color = theme.isHighContrast ? theme.controlBackground : theme.separator
      context.fill(bar(from: behind, to: end), with: color, alpha: alpha)
      if theme.isHighContrast {
        // It begins beneath the knob's edge.
        let outline = part(from: behind - 1, to: end, breadth: 4, context).inset(x: line / 2, y: line / 2)
        context.stroke(Path(ellipseIn: outline), with: theme.separator, alpha: alpha, lineWidth: line)
      }
    }
    context.fill(Path(ellipseIn: knob), with: fill(theme), alpha: alpha)
    let edge = Path(ellipseIn: knob.inset(x: line / 2, y: line / 2))
    context.stroke(edge, with: theme.secondaryLabel, alpha: alpha, lineWidth: line)
    if isFirstResponder { context.strokeFocusRing(around: knob, cornerRadius: knob.height / 2, theme) }
  }
}
