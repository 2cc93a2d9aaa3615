public import ProsceniumCore

/// A control of two buttons that decrease and increase a number by steps.
///
/// A press changes the number at once, and again and again while it is held (``autorepeat``). While the stepper is the
/// first responder the arrow keys change it by a step, and Home and End take it to the limits. It does not show the
/// number: ``NumberField`` does.
///
/// Each change by the user sends ``ControlEvents/valueChanged``, and after that
/// ``ControlEvents/primaryActionTriggered``; for a press that is held see ``isContinuous``. A press that is cancelled
/// keeps the number that it reached. A change by the program sends nothing.
open class Stepper: Control {
  /// A press on one of the buttons.
  private struct Press {
    let isIncrease: Bool
    /// The number before the press.
    let start: Double
  }
  private var press: Press?
  private let repetition = PressRepeat()
  private var bounded = BoundedNumber(0, in: 0...100) { didSet { if oldValue != bounded { setNeedsDisplay() } } }
  private var step = 1.0
  /// The button under the pointer: whether it is the one that increases.
  private var hovered: Bool? { didSet { if oldValue != hovered { setNeedsDisplay() } } }

  /// Creates a stepper from 0 to 100 by steps of 1, at 0.
  public override init() { super.init() }

  // MARK: Value

  /// The number; 0 at first.
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

  /// The smallest number; 0 at first.
  ///
  /// If it is larger than ``maximumValue`` that becomes the same. One that is not finite changes nothing.
  open var minimumValue: Double {
    get { bounded.minimum }
    set { bounded.minimum = newValue }
  }

  /// The largest number; 100 at first.
  ///
  /// If it is smaller than ``minimumValue`` that becomes the same. One that is not finite changes nothing.
  open var maximumValue: Double {
    get { bounded.maximum }
    set { bounded.maximum = newValue }
  }

  /// The distance of a step; 1 at first.
  ///
  /// One that is no positive number changes nothing.
  open var stepValue: Double {
    get { step }
    set {
      Responder.requireMainThread()
      guard newValue.isFinite, newValue > 0, newValue != step else { return }
      step = newValue
      tellAssistivePrograms()
    }
  }

  /// Whether a step beyond a limit goes to the other limit; false at first.
  open var wraps = false { didSet { if oldValue != wraps { setNeedsDisplay() } } }

  /// Whether a press that is held changes the number again and again; true at first.
  open var autorepeat = true { didSet { Responder.requireMainThread() } }

  /// Whether a press that is held sends its events for each change, and not only at its end; true at first.
  open var isContinuous = true { didSet { Responder.requireMainThread() } }

  /// Changes the number by a step for the user; returns whether it is another one now.
  private func change(increase: Bool) -> Bool {
    let (old, target) = (value, increase ? value + step : value - step)
    if wraps, target > maximumValue {
      // The last step may be shorter.
      value = old < maximumValue ? maximumValue : minimumValue
    } else if wraps, target < minimumValue {
      value = old > minimumValue ? minimumValue : maximumValue
    } else {
      value = target
    }
    return value != old
  }

  private func send(_ event: Event?) {
    userChangedValue(event)
    primaryAction(event)
  }

  /// Changes the number by several steps, without an event.
  func step(by count: Int) { for _ in 0..<abs(count) where !change(increase: count > 0) { return } }

  // MARK: Keys

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool {
    if case .motion(let motion) = event.kind {
      hovered = motion.phase == .exited ? nil : event.location(in: self).flatMap(button)
    }
    guard let (key, symbol) = plainKey(event) else { return super.handle(event) }
    let old = value
    switch symbol {
    case KeySymbol.left, KeySymbol.down: if key.isDown, isEnabled { _ = change(increase: false) }
    case KeySymbol.right, KeySymbol.up: if key.isDown, isEnabled { _ = change(increase: true) }
    case KeySymbol.home: if key.isDown, isEnabled { value = minimumValue }
    case KeySymbol.end: if key.isDown, isEnabled { value = maximumValue }
    default: return super.handle(event)
    }
    if value != old { send(event) }
    return isEnabled
  }

  // MARK: Tracking

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    guard isTracking, let isIncrease = event.location(in: self).flatMap(button) else { return }
    press = Press(isIncrease: isIncrease, start: value)
    if autorepeat { repetition.begin(in: window) { [weak self] in self?.stepOnce(nil) } }
    stepOnce(event)
  }

  open override func continueTracking(_ event: Event) {
    super.continueTracking(event)
    if isTracking { isHighlighted = press != nil && event.location(in: self).flatMap(button) == press?.isIncrease }
  }

  open override func endTracking(_ event: Event) {
    endPress(event)
    _ = stopTracking(event)
  }

  open override func pressCancelled() {
    // The number is kept, so the program is told of it.
    endPress(nil)
    super.pressCancelled()
  }

  private func stepOnce(_ event: Event?) {
    guard let press, isHighlighted, change(increase: press.isIncrease) else { return }
    if isContinuous { send(event) } else { invalidateRestorableState() }
  }

  private func endPress(_ event: Event?) {
    repetition.end()
    guard let press else { return }
    self.press = nil
    setNeedsDisplay()
    if !isContinuous, value != press.start { send(event) }
  }

  open override func hoverDidChange() {
    if !isHovered { hovered = nil }
    super.hoverDidChange()
  }

  // MARK: Drawing

  open override var intrinsicContentSize: Size { Size(width: 68, height: 30) }

  private func place(increase: Bool) -> Rect {
    let (bounds, half) = (bounds, bounds.size.width / 2)
    return Rect(
      x: bounds.origin.x + (increase ? half : 0), y: bounds.origin.y,
      width: increase ? bounds.size.width - half : half, height: bounds.size.height)
  }

  /// The button at a point: whether it is the one that increases.
  private func button(at point: Point) -> Bool? {
    [false, true].first { place(increase: $0).contains(point) }
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, alpha) = (bounds, theme.opacity(isEnabled: isEnabled))
    for isIncrease in [false, true] {
      let place = place(increase: isIncrease)
      let isOver = hovered == isIncrease
      let isPressed = press?.isIncrease == isIncrease && isHighlighted
      let canStep = wraps || (isIncrease ? value < maximumValue : value > minimumValue)
      let fill = isPressed ? theme.controlPressed : isOver && canStep ? theme.controlHover : theme.controlBackground
      context.withState {
        context.clip(to: place)
        context.fill(bounds, cornerRadius: 6, with: fill, alpha: alpha)
      }
      drawSign(isIncrease, in: place, context, theme.label, theme.opacity(isEnabled: isEnabled && canStep))
    }
    let middle = place(increase: true).origin
    let edge = Rect(x: middle.x, y: middle.y + 7, width: 1, height: max(0, bounds.size.height - 14))
    context.fill(edge, with: theme.separator, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    if isFirstResponder { context.strokeFocusRing(bounds, cornerRadius: 6, theme) }
  }

  private func drawSign(
    _ isIncrease: Bool, in place: Rect, _ context: DrawingContext, _ color: Color, _ alpha: Double
  ) {
    let middle = place.origin + Point(x: place.size.width / 2, y: place.size.height / 2)
    let square = context.aligned(Rect(middle - Point(x: 5, y: 5), Size(width: 10, height: 10)))
    // As many pixels on one side of a line as on the other.
    let room = context.aligned(4)
    var sign = Path(square.inset(x: 0, y: room))
    if isIncrease { sign.elements += Path(square.inset(x: room, y: 0)).elements }
    context.fill(sign, with: color, alpha: alpha)
  }
}
