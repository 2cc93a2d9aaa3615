public import ProsceniumCore

/// A control that is on or off, drawn as a switch, as a box with a check mark, or as a radio button.
///
/// The user changes it by pointer or touch, and by Space or Return while it is the first responder. It then sends
/// ``ControlEvents/valueChanged``, and after that ``ControlEvents/primaryActionTriggered``. A change by the program
/// sends nothing.
open class Switch: Control, Captioned {
  /// The look of a switch.
  public enum Style: Hashable, Sendable {
    /// A knob that is at the left, or at the right where the switch is on.
    case sliding
    /// A box, with a check mark where the switch is on.
    case checkbox
    /// A circle, with a dot where the switch is on: the user turns it on only, by a press, and off by another one of
    /// its ``Switch/group``.
    case radio
  }
  private(set) lazy var caption = Caption(of: self)

  /// Creates a switch that is off, without a title.
  public override init() { super.init() }

  /// Creates a switch.
  /// - Parameters:
  ///   - title: The title.
  ///   - isOn: Whether it is on.
  ///   - style: The look.
  ///   - handler: Called when the user changes it.
  public convenience init(
    _ title: String, isOn: Bool = false, style: Style = .sliding, handler: (@MainActor () -> Void)? = nil
  ) {
    self.init()
    self.title = title
    self.isOn = isOn
    self.style = style
    if let handler { addAction(for: .valueChanged, handler) }
  }

  /// Whether the switch is on; false at first.
  ///
  /// One that is turned on turns the others of its ``group`` off.
  open var isOn = false {
    didSet {
      guard oldValue != isOn else { return }
      setNeedsDisplay()
      if isOn { group?.turnOff(allBut: self) }
    }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { if isIndeterminate { nil } else { isOn } }
    set {
      guard let isOn = newValue as? Bool else { return }
      isIndeterminate = false
      self.isOn = isOn
    }
  }

  /// Whether what the switch stands for is neither on nor off, such as a property of several objects; false at first.
  ///
  /// It is drawn as a dash in place of the mark, and ends with a change by the user.
  open var isIndeterminate = false { didSet { if oldValue != isIndeterminate { setNeedsDisplay() } } }

  /// The switches of which one is on at a time, this one included; none where nil.
  open var group: SwitchGroup? {
    didSet {
      guard oldValue !== group else { return }
      oldValue?.remove(self)
      group?.add(self)
    }
  }

  /// The look.
  open var style = Style.sliding { didSet { if oldValue != style { invalidateIntrinsicContentSize() } } }

  /// The title, at the right of the switch; a press on it is one on the switch.
  open var title: String {
    get { caption.text }
    set { caption.text = newValue }
  }

  /// The title with an underscore before its mnemonic, which is underlined.
  ///
  /// That is the letter that, with Alt, changes the switch; where several views
  /// of a window have the same one, the next of them becomes the first responder. Two underscores stand for one.
  /// Setting ``title`` removes the mnemonic.
  open var titleWithMnemonic: String {
    get { caption.content.marked }
    set { caption.content = MarkedText(newValue) }
  }

  /// The font of the title.
  open var font: Font {
    get { caption.font }
    set { caption.font = newValue }
  }

  open override var intrinsicContentSize: Size {
    let own = Size(width: mark.width + 2 * Self.ring, height: mark.height + 2 * Self.ring)
    guard !title.isEmpty else { return own }
    let size = caption.layout.measured()
    return Size(width: own.width + Self.gap + size.width, height: max(own.height, size.height))
  }

  open override var canBecomeFirstResponder: Bool { isEnabled }

  override var isTabStop: Bool { super.isTabStop && (group?.isTabStop(self) ?? true) }

  open override func handle(_ event: Event) -> Bool {
    pressedByKey(event) ?? group?.movedByKey(event, from: self) ?? super.handle(event)
  }

  /// Changes ``isOn``, and sends ``ControlEvents/valueChanged`` and ``ControlEvents/primaryActionTriggered``.
  ///
  /// Does nothing where the switch is on and is a radio button, or has a ``group``.
  /// - Parameter event: The event that triggers it; nil for an action of the program.
  open override func primaryAction(_ event: Event?) {
    guard !isOn || isIndeterminate || (style != .radio && group == nil) else { return }
    isOn = isIndeterminate || !isOn
    isIndeterminate = false
    userChangedValue(event)
    super.primaryAction(event)
  }

  override var texts: [TextLayout] { [caption.layout] }

  // MARK: Drawing

  /// The room around the switch for the ring of the first responder.
  private static let ring = 3
  /// The room between the switch and the title.
  private static let gap = 6

  private var mark: Size {
    switch style {
    case .sliding: Size(width: 40, height: 22)
    case .checkbox, .radio: Size(width: 18, height: 18)
    }
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, mark, alpha) = (bounds, mark, theme.opacity(isEnabled: isEnabled))
    let place = Rect(
      x: bounds.origin.x + Self.ring, y: bounds.origin.y + (bounds.size.height - mark.height) / 2, width: mark.width,
      height: mark.height)
    let radius = style == .checkbox ? 4 : Double(mark.height) / 2
    if isOn || isIndeterminate {
      context.fill(place, cornerRadius: radius, with: theme.accentBackground, alpha: alpha)
      if let shade = accentShade(isPressed: isHighlighted, isHovered: isHovered) {
        context.fill(place, cornerRadius: radius, with: .black, alpha: shade)
      }
    } else {
      context.fill(place, cornerRadius: radius, with: fill(theme), alpha: alpha)
      context.stroke(place, cornerRadius: radius, with: theme.secondaryLabel, alpha: alpha)
    }
    if let sign = sign(in: context.aligned(place), context) {
      let color = isOn || isIndeterminate ? theme.accentLabel : theme.secondaryLabel
      context.fill(sign, with: color, alpha: alpha)
    } else if isOn, style == .checkbox {
      let check = Self.checkMark(in: context.aligned(place))
      context.stroke(check, with: theme.accentLabel, alpha: alpha, lineWidth: max(context.aligned(2), 1))
    }
    if isFirstResponder {
      context.strokeFocusRing(around: context.aligned(place), cornerRadius: radius, theme)
    }
    guard !title.isEmpty else { return }
    let left = place.origin.x + mark.width + Self.ring + Self.gap
    let room = Size(width: bounds.origin.x + bounds.size.width - left, height: bounds.size.height)
    caption.draw(in: Rect(Point(x: left, y: bounds.origin.y), room), context, color: theme.label, alpha: alpha)
  }

  /// The knob, the dot or the dash in the switch, with as many pixels on one side of it as on the other.
  private func sign(in place: ExactRect, _ context: DrawingContext) -> Path? {
    switch style {
    case _ where isIndeterminate:
      let room = (x: context.aligned(place.width / 2 - 5), y: context.aligned(place.height / 2 - 1))
      return Path(place.inset(x: room.x, y: room.y), cornerRadius: 1)
    case .sliding:
      let room = context.aligned(isOn ? 3 : 4)
      var knob = place.inset(x: room, y: room)
      if isOn { knob.x += knob.width - knob.height }
      knob.width = knob.height
      return Path(ellipseIn: knob)
    case .radio where isOn: return Path(ellipseIn: place.inset(x: context.aligned(5), y: context.aligned(5)))
    case .radio, .checkbox: return nil
    }
  }

  private static func checkMark(in place: ExactRect) -> Path {
    let (x, y, unit) = (place.x, place.y, place.width / 18)
    var path = Path()
    path.move(toX: x + 4 * unit, y: y + 9.5 * unit)
    path.line(toX: x + 7.5 * unit, y: y + 13 * unit)
    path.line(toX: x + 14 * unit, y: y + 5.5 * unit)
    return path
  }
}
