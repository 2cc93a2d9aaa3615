import FoundationEssentials
public import ProsceniumCore

/// A control for a number within limits: a text field and a ``Stepper``.
///
/// What the user types is the ``value`` at once. Its events are sent with Return, and when the field is left, also by
/// the end of its scene; a text that is no number is replaced by the value then. While the field is edited the arrow
/// keys upwards and downwards change the value by a step, and Page Up and Page Down by ten.
///
/// Numbers are written with the decimal separator of the user's region (`LocaleSettings.numberRegion`), and read with
/// it; the digits may be those of any script. Groups of digits are read where they are as `LocaleFormatter` writes
/// them: in a German region `1.234` is 1234, and `1.234,5` is 1234.5. A full stop that cannot separate such groups is
/// the decimal point: there `1.5` is 1.5, and `0.125` is 0.125. A number may have an exponent, as `1e3`. Anything else,
/// such as `1,5` in a region that groups with commas, is none.
///
/// Each change by the user, also an undo made from another view, sends ``ControlEvents/valueChanged``, and after that
/// ``ControlEvents/primaryActionTriggered``; Return sends ``ControlEvents/editingDidEndOnExit``, too. A change by the
/// program sends nothing.
open class NumberField: Control {
  private let field = Field()
  private let stepper = Buttons()
  /// The text that was shown last for the value.
  private var written = ""
  #if !WITHOUT_Locale
    private var observer: NotificationCenter.ObservationToken?
  #endif

  /// Creates a field for numbers from 0 to 100 by steps of 1, at 0.
  public override init() {
    super.init()
    for view in [field, stepper] { addSubview(view) }
    field.owner = self
    field.addAction(for: .editingDidEnd) { [weak self] in self?.commit() }
    // As by an undo from another view.
    field.addAction(for: .editingChanged) { [weak self] in if self?.field.isEditing == false { self?.commit() } }
    field.addAction(for: .editingDidEndOnExit) { [weak self] in
      self?.commit()
      self?.sendActions(for: .editingDidEndOnExit)
    }
    // What has been typed counts before the step.
    stepper.addAction(for: .touchDown) { [weak self] in self?.commit() }
    stepper.addAction(for: .valueChanged) { [weak self] in self?.showValue(isChange: true) }
    showValue()
  }

  /// Creates a field.
  /// - Parameters:
  ///   - value: The value.
  ///   - limits: The smallest and the largest value.
  ///   - handler: Called when the user changes the value.
  public convenience init(
    _ value: Double, in limits: ClosedRange<Double> = 0...100, handler: (@MainActor () -> Void)? = nil
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
  /// A number beyond the limits becomes the nearer limit; one that is not a number changes nothing. While the user
  /// types a number it is that one, within the limits, though no event has been sent: a button that is pressed, or a
  /// key command, does not end the editing.
  open var value: Double {
    get {
      // A text that was not changed stands for all digits of the value.
      guard field.isEditing, field.text != written, let typed else { return stepper.value }
      return min(max(typed, minimumValue), maximumValue)
    }
    set {
      stepper.value = newValue
      showValue()
    }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { value }
    set { if let number = number(newValue) { value = number } }
  }

  /// The smallest value, as ``Stepper/minimumValue``; 0 at first.
  open var minimumValue: Double {
    get { stepper.minimumValue }
    set {
      stepper.minimumValue = newValue
      digitsChanged()
    }
  }

  /// The largest value, as ``Stepper/maximumValue``; 100 at first.
  open var maximumValue: Double {
    get { stepper.maximumValue }
    set {
      stepper.maximumValue = newValue
      digitsChanged()
    }
  }

  /// The distance of a step; 1 at first.
  ///
  /// One that is no positive number changes nothing.
  open var stepValue: Double {
    get { stepper.stepValue }
    set { stepper.stepValue = newValue }
  }

  /// Whether a step beyond a limit goes to the other limit; false at first.
  open var wraps: Bool {
    get { stepper.wraps }
    set { stepper.wraps = newValue }
  }

  /// How many digits the fraction of the value has in the field, from 0 to 15; 0 at first.
  ///
  /// What the user types is rounded to them; the values of the program are not.
  open var fractionDigits = 0 { didSet { if oldValue != fractionDigits { digitsChanged() } } }

  open override var isEnabled: Bool {
    didSet {
      field.isEnabled = isEnabled
      stepper.isEnabled = isEnabled
    }
  }

  // MARK: The text

  #if WITHOUT_Locale
    private let separator = "."
    private func text(of number: Double, _ digits: Int) -> String { "\(number)" }
  #else
    /// The decimal separator of the user's region.
    private var separator: String { String(text(of: 0.5, 1).dropFirst().dropLast()) }
    private func text(of number: Double, _ digits: Int) -> String {
      LocaleFormatter.number(number, fractionDigits: digits)
    }
  #endif

  /// A number as it is shown: without groups of digits, which would be in the way of editing.
  private func shown(_ number: Double) -> String {
    let (text, separator) = (text(of: number, fractionDigits), separator)
    // The largest numbers have an exponent.
    guard abs(number) < 1e15 else { return text }
    return text.filter { $0.isNumber || $0 == "-" || separator.contains($0) }
  }

  private func digitsChanged() {
    showValue()
    invalidateIntrinsicContentSize()
  }

  private func showValue(isChange: Bool = false) {
    written = shown(stepper.value)
    field.text = written
    guard isChange else { return }
    userChangedValue(nil)
    primaryAction(nil)
  }

  /// The number that is typed; nil for none.
  private var typed: Double? {
    let (text, separator) = (plain(field.text), separator)
    var parts = [text]
    if !separator.isEmpty {
      parts = text.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
    parts[0] = ungrouped(parts[0])
    // Hexadecimal is a number to Swift.
    guard !text.contains(where: { $0 == "x" || $0 == "X" }), let number = Double(parts.joined(separator: ".")),
      number.isFinite
    else { return nil }
    let scale = (0..<min(max(fractionDigits, 0), 15)).reduce(1.0) { power, _ in power * 10 }
    let rounded = (number * scale).rounded() / scale
    return rounded.isFinite ? rounded : number
  }

  /// A text without spaces, and with the digits, the minus sign and the apostrophe of ASCII.
  private func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
      if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
        plain += "\(Int(value))"
      } else {
        plain.unicodeScalars.append(scalar == "\u{2212}" ? "-" : scalar == "\u{2019}" ? "'" : scalar)
      }
    }
    return plain
  }

  /// A whole number without the separators of its groups, where these are as the region has them; else the same text.
  private func ungrouped(_ whole: String) -> String {
    let sign = String(whole.prefix { $0 == "+" || $0 == "-" })
    let digits = whole.filter { $0.isNumber }
    let grouped = Double(digits).map { plain(text(of: $0, 0)) }
    return grouped.map { sign + $0 } == whole ? sign + digits : whole
  }

  /// The field in which the number is typed.
  var editor: TextField { field }

  /// Takes what the user has typed for the value, after steps of so many.
  func commit(steps: Int = 0) {
    let old = stepper.value
    if field.text != written, let typed { stepper.value = typed }
    stepper.step(by: steps)
    showValue(isChange: stepper.value != old)
  }

  // MARK: Views

  #if !WITHOUT_Locale
    open override func didMoveToWindow() {
      super.didMoveToWindow()
      observer = nil
      guard window != nil, let application = Application.sharedIfLaunched else { return }
      observer = NotificationCenter.default.addObserver(of: application, for: .localeDidChange) { [weak self] _ in
        self?.regionMayHaveChanged()
      }
      regionMayHaveChanged()
    }

    /// What is being edited stays, and is read by the new region.
    private func regionMayHaveChanged() { if !field.isEditing, shown(stepper.value) != written { digitsChanged() } }
  #endif

  /// Makes its text field the first responder.
  /// - Returns: Whether it is the first responder now.
  @discardableResult
  open override func becomeFirstResponder() -> Bool { field.becomeFirstResponder() }

  open override func hitTest(_ point: Point) -> View? {
    let view = super.hitTest(point)
    return view === self ? nil : view
  }

  /// The room between the field and the buttons.
  private static let gap = 4

  /// With room for the digits of both limits, as far as they are not too many.
  open override var intrinsicContentSize: Size {
    let measuring = TextLayout(displayScale: field.layout.displayScale)
    measuring.font = field.font
    let digits = [minimumValue, maximumValue].map { limit in
      measuring.text = shown(limit)
      return measuring.size.width
    }
    // The margins of the field, and the caret behind the digits.
    let width = min(max(72, (digits.max() ?? 0) + 17), 217)
    let (field, buttons) = (field.intrinsicContentSize, stepper.intrinsicContentSize)
    return Size(width: width + Self.gap + buttons.width, height: max(field.height, buttons.height))
  }

  open override func layoutSubviews() {
    let (bounds, wish) = (bounds, stepper.intrinsicContentSize.width)
    let left = max(0, bounds.size.width - wish)
    field.frame = Rect(bounds.origin, Size(width: max(0, left - Self.gap), height: bounds.size.height))
    stepper.frame = Rect(
      x: bounds.origin.x + left, y: bounds.origin.y, width: bounds.size.width - left, height: bounds.size.height)
  }

  /// The buttons: the keys are the field's.
  private final class Buttons: Stepper {
    override var canBecomeFirstResponder: Bool { false }
  }

  /// The field, whose arrow keys change the value.
  private final class Field: TextField {
    weak var owner: NumberField?

    override func handle(_ event: Event) -> Bool {
      guard let (key, symbol) = plainKey(event), !key.modifiers.contains(.shift), let owner, isEnabled else {
        return super.handle(event)
      }
      let count: Int
      switch symbol {
      case KeySymbol.up: count = 1
      case KeySymbol.down: count = -1
      case KeySymbol.pageUp: count = 10
      case KeySymbol.pageDown: count = -10
      default: return super.handle(event)
      }
      if key.isDown { owner.commit(steps: count) }
      return true
    }
  }
}
