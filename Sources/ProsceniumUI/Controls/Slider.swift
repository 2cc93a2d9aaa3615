public import ProsceniumCore

/// A control for a number within limits: a knob on a bar, with the smallest number at the left.
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
    /// The place of the pointer.
    var x: Int
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
  open var isContinuous = true

  /// The distance by which an arrow key moves the value.
  ///
  /// A twentieth of the distance between the limits where it is nil, as at first, or no positive number. Places that a
  /// pointer or a touch reaches are not limited to steps.
  open var step: Double?

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

  open override func beginTracking(_ event: Event) {
    // A second finger begins no second drag.
    guard !isTracking else { return }
    super.beginTracking(event)
    guard isTracking, let x = event.location(in: self)?.x else { return }
    let distance = Double(x) - knob
    drag = Drag(x: x, start: number)
    if abs(distance) <= Self.radius { drag?.grip = distance } else { follow(x, event) }
  }

  open override func continueTracking(_ event: Event) {
    guard isTracking, let drag, let x = event.location(in: self)?.x, x != drag.x else { return }
    follow(x, event)
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

  private func follow(_ x: Int, _ event: Event) {
    drag?.x = x
    let length = travel.upperBound - travel.lowerBound
    guard length > 0, let drag else { return }
    let part = min(max((Double(x) - drag.grip - travel.lowerBound) / length, 0), 1)
    guard change(to: limits.lowerBound * (1 - part) + limits.upperBound * part) else { return }
    if isContinuous { send(event) } else { invalidateRestorableState() }
  }

  private func endDrag(_ event: Event?) {
    guard let drag else { return }
    self.drag = nil
    if !isContinuous, number != drag.start { send(event) }
  }

  // MARK: Drawing

  open override var intrinsicContentSize: Size { Size(width: 120, height: 24) }

  private static let radius = 9.0
  /// The room around the knob for the ring of the first responder.
  private static let ring = 3.0

  /// The places of the middle of the knob, from left to right.
  private var travel: ClosedRange<Double> {
    let (left, width) = (Double(bounds.origin.x), Double(bounds.size.width))
    let room = min(Self.radius + Self.ring, width / 2)
    return left + room...left + width - room
  }

  /// The middle of the knob.
  private var knob: Double { travel.lowerBound + (travel.upperBound - travel.lowerBound) * fraction }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, x, alpha) = (theme, knob, isEnabled ? 1 : 0.4)
    let middle = Double(bounds.origin.y) + Double(bounds.size.height) / 2
    func bar(from left: Double, to right: Double) -> Path {
      Path(x: left, y: middle - 2, width: right - left, height: 4, cornerRadius: 2)
    }
    func circle(_ radius: Double) -> Path {
      Path(x: x - radius, y: middle - radius, width: 2 * radius, height: 2 * radius, cornerRadius: radius)
    }
    // The bar ends at the knob, through which it would be seen where the slider is disabled.
    let (left, right) = (travel.lowerBound - Self.radius, travel.upperBound + Self.radius)
    if x - Self.radius > left { context.fill(bar(from: left, to: x - Self.radius), with: theme.accent, alpha: alpha) }
    if x + Self.radius < right {
      context.fill(bar(from: x + Self.radius, to: right), with: theme.separator, alpha: alpha)
    }
    context.fill(circle(Self.radius), with: fill(theme), alpha: alpha)
    context.stroke(circle(Self.radius - 0.5), with: theme.secondaryLabel, alpha: alpha)
    if isFirstResponder { context.stroke(circle(Self.radius + 2), with: theme.accent, lineWidth: 2) }
  }
}
