public import FoundationEssentials
public import ProsceniumCore

/// A control for a date, a time of day, or both, of which the parts are edited in a line of text.
///
/// The parts are in the order of the user's region (`LocaleSettings`), in the Gregorian calendar and the machine's time
/// zone. While the control is the first responder one of them is selected: digits replace it, the arrows upwards and
/// downwards change it by one, and the arrows to the left and to the right, Tab and Shift-Tab select another one. A
/// separator, one of `/.-:,`, the space or what stands between the parts, ends the part that is typed. A day that a
/// month lacks becomes its last day.
///
/// Each change by the user sends ``ControlEvents/valueChanged``, and after that
/// ``ControlEvents/primaryActionTriggered``: when a part is complete or left, and where the date is within the limits.
/// One beyond them, on the way to another, becomes the nearer limit when the control resigns the first responder. A
/// change by the program sends nothing.
open class DatePicker: Control {
  /// What the user edits.
  public enum Mode: Hashable, Sendable, CaseIterable {
    /// The hour and the minute.
    case time
    /// The year, the month and the day.
    case date
    /// Both.
    case dateAndTime
  }

  private var moment = Date(timeIntervalSince1970: 0)
  private lazy var form = DateForm.current(date: true, time: false)
  private lazy var editing = makeEditing()
  /// Whether what is edited is a date beyond the limits, which the user may still complete.
  private var isBeyondLimits = false
  private let layout = TextLayout(direction: .leftToRight, displayScale: TextLayout.standardScale)
  /// The offsets of the parts in the layout's text.
  private var places: [Range<Int>] = []
  private var observers: [NotificationCenter.ObservationToken] = []

  /// Creates a control for the date of today.
  public override init() {
    super.init()
    layout.maximumLines = 1
    date = Date()
  }

  /// Creates a control.
  /// - Parameters:
  ///   - date: The date.
  ///   - mode: What the user edits.
  ///   - handler: Called when the user changes the date.
  public convenience init(_ date: Date, mode: Mode = .date, handler: (@MainActor () -> Void)? = nil) {
    self.init()
    self.datePickerMode = mode
    self.date = date
    if let handler { addAction(for: .valueChanged, handler) }
  }

  // MARK: Value

  /// The date; that of the creation at first.
  ///
  /// One beyond the limits becomes the nearer limit. What the user does not edit stays: with the mode
  /// ``Mode/date`` the time of day, but for its seconds. An hour that comes twice at the end of summer time is the one
  /// with the clock of the date before. The years are 1 to 9999. While the user types it is the date
  /// that is shown, within the limits, though no event has been sent: a button that is pressed, or a key command, does
  /// not end the editing.
  open var date: Date {
    get {
      var shown = editing
      shown.commit()
      return isBeyondLimits || shown.fields != editing.fields ? limited(shown.fields.date(as: moment)) : moment
    }
    set {
      guard !newValue.timeIntervalSince1970.isNaN else { return }
      // What is being typed is replaced, also by the date from before.
      editing.commit()
      set(newValue)
    }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { date }
    set { if let new = newValue as? Date { date = new } }
  }

  /// The earliest date; no limit where nil, as at first.
  open var minimumDate: Date? { didSet { set(moment) } }

  /// The latest date; no limit where nil, as at first.
  ///
  /// It counts where it is before ``minimumDate``.
  open var maximumDate: Date? { didSet { set(moment) } }

  /// What the user edits; the date at first.
  open var datePickerMode = Mode.date { didSet { if oldValue != datePickerMode { formMayHaveChanged() } } }

  /// The font.
  open var font = Font.system {
    didSet {
      guard oldValue != font else { return }
      layout.font = font
      invalidateIntrinsicContentSize()
    }
  }

  private func limited(_ date: Date) -> Date {
    let late = minimumDate.map { max(date, $0) } ?? date
    return maximumDate.map { min(late, $0) } ?? late
  }

  private func set(_ date: Date) {
    Responder.requireMainThread()
    moment = limited(date)
    isBeyondLimits = false
    // What is being typed, and where, stays as far as it can.
    if DateFields(moment) != editing.fields {
      let selection = editing.selection
      editing = makeEditing()
      editing.select(selection)
    }
    showText()
  }

  /// Sets the parts to those of a date, as the user would.
  func enter(_ date: Date) { change(nil, isTyped: false) { $0.enter(DateFields(date)) } }

  private func makeEditing() -> DateEditing {
    DateEditing(DateFields(moment), form.parts, twelveHours: form.twelveHours)
  }

  private func formMayHaveChanged() {
    form = DateForm.current(date: datePickerMode != .time, time: datePickerMode != .date)
    (editing, isBeyondLimits) = (makeEditing(), false)
    showText()
    invalidateIntrinsicContentSize()
  }

  /// Changes what is edited for the user.
  /// - Parameters:
  ///   - event: The event.
  ///   - isTyped: Whether the user may go on to a date within the limits.
  ///   - body: The change.
  private func change(_ event: Event?, isTyped: Bool = true, _ body: (inout DateEditing) -> Void) {
    let before = editing.fields
    body(&editing)
    if editing.fields != before || isBeyondLimits && !isTyped { edited(event, isTyped) } else { showText() }
  }

  private func edited(_ event: Event?, _ isTyped: Bool) {
    let edited = editing.fields.date(as: moment)
    let new = limited(edited)
    let isBeyond = new != edited
    isBeyondLimits = isBeyond && isTyped && !editing.shows(DateFields(new))
    guard !isBeyondLimits else { return showText() }
    if isBeyond { editing.fields = DateFields(new) }
    let isChange = new != moment
    moment = new
    showText()
    guard isChange else { return }
    userChangedValue(event)
    primaryAction(event)
  }

  /// The date as it is shown.
  var shownText: String { layout.text }

  /// The Unicode scalars of the part that keys change; none without the keys.
  var shownSelection: Range<Int> {
    guard isFirstResponder, places.indices.contains(editing.selection) else { return 0..<0 }
    let (text, place) = (layout.text.utf8, places[editing.selection])
    func scalars(_ offset: Int) -> Int {
      layout.text.unicodeScalars.distance(from: text.startIndex, to: text.index(text.startIndex, offsetBy: offset))
    }
    return scalars(place.lowerBound)..<scalars(place.upperBound)
  }

  private func showText() {
    var (text, places, index) = ("", [Range<Int>](), 0)
    for piece in form.pieces {
      let start = text.utf8.count
      switch piece {
      case .text(let between): text += between
      case .part(let part):
        if part == .half, let halves = form.halves {
          text += halves[editing.fields.hour / 12]
        } else {
          text += editing.text(of: index)
        }
        places.append(start..<text.utf8.count)
        index += 1
      }
    }
    self.places = places
    layout.text = text
    setNeedsDisplay()
  }

  // MARK: The view's side

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override var isTextInput: Bool { true }

  open override func firstResponderDidChange() {
    super.firstResponderDidChange()
    if isFirstResponder { return change(nil) { $0.select(0) } }
    change(nil, isTyped: false) { $0.commit() }
    // A time that a change of the clock leaves out is shown as what it has become.
    editing = makeEditing()
    showText()
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    observers = []
    guard window != nil, let application = Application.sharedIfLaunched else { return }
    let center = NotificationCenter.default
    observers = [
      center.addObserver(of: application, for: .localeDidChange) { [weak self] _ in self?.formMayHaveChanged() },
      center.addObserver(of: application, for: .significantTimeChange) { [weak self] message in
        if message.changes.contains(.timeZone) { self?.formMayHaveChanged() }
      },
    ]
    formMayHaveChanged()
  }

  override var texts: [TextLayout] { [layout] }

  // MARK: Input

  open override func handle(_ event: Event) -> Bool {
    guard let (key, symbol) = plainKey(event) else { return super.handle(event) }
    guard key.isDown, isEnabled else { return false }
    switch symbol {
    case KeySymbol.up: change(event, isTyped: false) { $0.step(by: 1) }
    case KeySymbol.down: change(event, isTyped: false) { $0.step(by: -1) }
    case KeySymbol.left: change(event) { _ = $0.move(by: -1) }
    case KeySymbol.right: change(event) { _ = $0.move(by: 1) }
    case KeySymbol.home: change(event) { $0.select(0) }
    case KeySymbol.end: change(event) { $0.select(.max) }
    case KeySymbol.backspace, KeySymbol.delete: change(event) { $0.deleteBackward() }
    case KeySymbol.tab, KeySymbol.backTab:
      let isBack = symbol == KeySymbol.backTab || key.modifiers.contains(.shift)
      var hasMoved = false
      change(event) { hasMoved = $0.move(by: isBack ? -1 : 1) }
      // From the last part Tab goes to the next view.
      return hasMoved
    default: return type(key.characters, event)
    }
    return true
  }

  private func type(_ characters: String, _ event: Event) -> Bool {
    if let digit = characters.first?.wholeNumberValue, characters.count == 1, (0...9).contains(digit) {
      change(event) { $0.type(digit) }
      return true
    }
    if form.twelveHours, let half = ["a", "p"].firstIndex(of: characters.lowercased()) {
      change(event) { $0.setHalf(half) }
      return true
    }
    guard form.isSeparator(characters) else { return false }
    change(event) { $0.endPart() }
    return true
  }

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    guard isTracking, let point = event.location(in: self), becomeFirstResponder() else { return }
    let offset = layout.caretOffset(at: point - origin)
    // The part at the pointer, or the one before it.
    let index = places.lastIndex { $0.lowerBound <= offset } ?? 0
    change(event) { $0.select(index) }
  }

  open override func endTracking(_ event: Event) { _ = stopTracking(event) }

  // MARK: Drawing

  open override var intrinsicContentSize: Size {
    let size = layout.measured()
    return Size(width: size.width + 16, height: size.height + 14)
  }

  /// The upper left corner of the text.
  private var origin: Point {
    Point(x: bounds.origin.x + 8, y: bounds.origin.y + (bounds.size.height - layout.size.height) / 2)
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, alpha) = (bounds, theme.opacity(isEnabled: isEnabled))
    context.fill(bounds, cornerRadius: 6, with: theme.contentBackground, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    if isFirstResponder {
      context.strokeFocusRing(bounds, cornerRadius: 6, theme)
      if places.indices.contains(editing.selection), case let place = places[editing.selection] {
        for rect in layout.selectionRects(from: place.lowerBound, to: place.upperBound) {
          let around = rect.offset(x: origin.x, y: origin.y).inset(x: -1, y: 0)
          context.fill(around, cornerRadius: 3, with: theme.selection)
        }
      }
    }
    context.draw(layout, at: origin, color: theme.label, alpha: alpha)
  }
}
