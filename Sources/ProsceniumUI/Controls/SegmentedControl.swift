public import ProsceniumCore

/// A control of several segments, of which one is selected.
///
/// The user selects a segment by pointer or touch; while the control is the first responder the arrow keys select the
/// next or the previous one, and Home and End the first or the last. Each change by the user sends
/// ``ControlEvents/valueChanged``, and after that ``ControlEvents/primaryActionTriggered``. A change by the program
/// sends nothing.
open class SegmentedControl: Control {
  private struct Segment {
    let caption: Caption
    var isEnabled = true
  }
  private var segments: [Segment] = []
  private var selected = SegmentedControl.noSegment { didSet { if oldValue != selected { setNeedsDisplay() } } }
  /// The segment on which a press began.
  private var pressed: Int? { didSet { if oldValue != pressed { setNeedsDisplay() } } }
  /// The segment under the pointer.
  private var hovered: Int? { didSet { if oldValue != hovered { setNeedsDisplay() } } }

  /// Whether the segments are tabs, each with a page that it shows.
  final var showsTabs = false

  /// The number for ``selectedSegmentIndex`` where no segment is selected.
  public static let noSegment = -1

  /// Creates a control without segments.
  public override init() { super.init() }

  /// Creates a control.
  /// - Parameters:
  ///   - titles: The titles of the segments, from left to right. None of them is selected.
  ///   - handler: Called when the user selects another one.
  public convenience init(_ titles: [String], handler: (@MainActor () -> Void)? = nil) {
    self.init()
    for title in titles { insertSegment(withTitle: title, at: numberOfSegments) }
    if let handler { addAction(for: .valueChanged, handler) }
  }

  // MARK: Segments

  /// The number of segments.
  public var numberOfSegments: Int { segments.count }

  /// Inserts a segment; the selected one stays selected.
  /// - Parameters:
  ///   - title: Its title.
  ///   - index: The number of segments at its left; one that is too small or too large counts as the nearest.
  public func insertSegment(withTitle title: String, at index: Int) {
    let segment = Segment(caption: Caption(of: self))
    segment.caption.layout.alignment = .center
    segment.caption.font = font
    segment.caption.text = title
    let index = min(max(index, 0), segments.count)
    stopPress()
    segments.insert(segment, at: index)
    if selected >= index { selected += 1 }
    invalidateIntrinsicContentSize()
  }

  /// Removes a segment; where it was the selected one, none is.
  /// - Parameter index: Its number. Nothing happens where there is none.
  public func removeSegment(at index: Int) {
    guard segments.indices.contains(index) else { return }
    stopPress()
    segments.remove(at: index)
    if selected == index { selected = Self.noSegment } else if selected > index { selected -= 1 }
    invalidateIntrinsicContentSize()
  }

  /// Removes all segments.
  public func removeAllSegments() { while numberOfSegments > 0 { removeSegment(at: numberOfSegments - 1) } }

  /// The title of a segment.
  /// - Parameter index: Its number.
  /// - Returns: The title; nil where there is no such segment.
  public func titleForSegment(at index: Int) -> String? {
    segments.indices.contains(index) ? segments[index].caption.text : nil
  }

  /// Sets the title of a segment.
  /// - Parameters:
  ///   - title: The title.
  ///   - index: The number of the segment. Nothing happens where there is none.
  public func setTitle(_ title: String, forSegmentAt index: Int) {
    if segments.indices.contains(index) { segments[index].caption.text = title }
  }

  /// Whether the user can select a segment.
  /// - Parameter index: Its number.
  /// - Returns: Whether it is enabled; false where there is no such segment.
  public func isEnabledForSegment(at index: Int) -> Bool {
    segments.indices.contains(index) && segments[index].isEnabled
  }

  /// Sets whether the user can select a segment; true at first.
  /// - Parameters:
  ///   - isEnabled: Whether it is enabled. One that is selected stays selected.
  ///   - index: The number of the segment. Nothing happens where there is none.
  public func setEnabled(_ isEnabled: Bool, forSegmentAt index: Int) {
    guard segments.indices.contains(index) else { return }
    segments[index].isEnabled = isEnabled
    if pressed == index, !isEnabled { stopPress() }
    setNeedsDisplay()
  }

  /// The number of the selected segment, from 0; ``noSegment`` for none, as at first.
  ///
  /// A number without a segment selects none.
  open var selectedSegmentIndex: Int {
    get { selected }
    set { selected = segments.indices.contains(newValue) ? newValue : Self.noSegment }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { selectedSegmentIndex }
    set { if let index = newValue as? Int { selectedSegmentIndex = index } }
  }

  /// The font of the titles.
  open var font = Font.system { didSet { for segment in segments { segment.caption.font = font } } }

  override var texts: [TextLayout] { segments.map(\.caption.layout) }

  /// Selects a segment for the user.
  func select(_ index: Int, _ event: Event?) {
    guard index != selected, isEnabledForSegment(at: index) else { return }
    selected = index
    userChangedValue(event)
    primaryAction(event)
  }

  // MARK: Keys

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool {
    if case .motion(let motion) = event.kind {
      hovered = motion.phase == .exited ? nil : event.location(in: self).flatMap(segment)
    }
    guard let (key, symbol) = plainKey(event), let candidates = candidates(for: symbol) else {
      return super.handle(event)
    }
    if key.isDown, isEnabled, let next = candidates.first(where: { segments[$0].isEnabled }) { select(next, event) }
    return isEnabled
  }

  /// The segments to which a key goes, the nearest one first; nil for other keys.
  private func candidates(for symbol: UInt32) -> [Int]? {
    switch symbol {
    // Without a selection either arrow begins at its end.
    case KeySymbol.left, KeySymbol.up: Array((0..<(selected < 0 ? segments.count : selected)).reversed())
    case KeySymbol.right, KeySymbol.down: Array((selected + 1)..<max(segments.count, selected + 1))
    case KeySymbol.home: Array(segments.indices)
    case KeySymbol.end: segments.indices.reversed()
    default: nil
    }
  }

  // MARK: Tracking

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    guard isTracking, let index = event.location(in: self).flatMap(segment) else { return }
    if segments.indices.contains(index), segments[index].isEnabled { pressed = index }
  }

  open override func continueTracking(_ event: Event) {
    super.continueTracking(event)
    if isTracking { isHighlighted = pressed != nil && event.location(in: self).flatMap(segment) == pressed }
  }

  open override func endTracking(_ event: Event) {
    let index = pressed
    pressed = nil
    guard stopTracking(event), let index, event.location(in: self).flatMap(segment) == index else { return }
    actOnPress { select(index, event) }
  }

  open override func pressCancelled() {
    pressed = nil
    super.pressCancelled()
  }

  /// Forgets a press on a segment that may be another one now.
  private func stopPress() {
    pressed = nil
    hovered = nil
  }

  open override func hoverDidChange() {
    if !isHovered { hovered = nil }
    super.hoverDidChange()
  }

  // MARK: Drawing

  /// The room between the title of a segment and its edges.
  private static let room = 12

  open override var intrinsicContentSize: Size {
    let sizes = segments.map { $0.caption.layout.measured() }
    let width = (sizes.map(\.width).max() ?? 0) + 2 * Self.room
    return Size(width: width * max(1, segments.count), height: (sizes.map(\.height).max() ?? 16) + 14)
  }

  func place(of index: Int) -> Rect {
    let (bounds, count) = (bounds, max(1, segments.count))
    let left = bounds.size.width * index / count
    let right = bounds.size.width * (index + 1) / count
    return Rect(x: bounds.origin.x + left, y: bounds.origin.y, width: right - left, height: bounds.size.height)
  }

  private func segment(at point: Point) -> Int? { segments.indices.first { place(of: $0).contains(point) } }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, alpha) = (bounds, theme.opacity(isEnabled: isEnabled))
    context.fill(bounds, cornerRadius: 6, with: theme.controlBackground, alpha: alpha)
    for index in segments.indices {
      let place = place(of: index)
      context.withState {
        context.clip(to: place)
        drawSegment(index, in: place, context, theme, alpha)
      }
    }
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    guard isFirstResponder else { return }
    let isAccented = segments.indices.contains(selected)
    let ring = isAccented ? place(of: selected) : bounds
    context.strokeFocusRing(ring.inset(x: 2, y: 2), cornerRadius: 4.5, theme, isAccented: isAccented)
  }

  private func drawSegment(
    _ index: Int, in place: Rect, _ context: DrawingContext, _ theme: Theme, _ alpha: Double
  ) {
    let segment = segments[index]
    let isPressed = pressed == index && isHighlighted
    let isAccented = index == selected && isEnabled
    if isAccented {
      context.fill(bounds, cornerRadius: 6, with: theme.accentBackground)
      if let shade = accentShade(isPressed: isPressed, isHovered: hovered == index) {
        context.fill(bounds, cornerRadius: 6, with: .black, alpha: shade)
      }
    } else if index == selected {
      // Faint letters would not be seen on a faint accent.
      context.fill(bounds, cornerRadius: 6, with: theme.controlPressed, alpha: alpha)
    } else if segment.isEnabled, isPressed || hovered == index {
      context.fill(bounds, cornerRadius: 6, with: isPressed ? theme.controlPressed : theme.controlHover, alpha: alpha)
    }
    if index > 0, index != selected, index - 1 != selected {
      let edge = Rect(x: place.origin.x, y: place.origin.y + 7, width: 1, height: max(0, place.size.height - 14))
      context.fill(edge, with: theme.separator, alpha: alpha)
    }
    segment.caption.draw(
      in: place.inset(x: Self.room / 2, y: 0), context, color: isAccented ? theme.accentLabel : theme.label,
      alpha: theme.opacity(isEnabled: isEnabled && segment.isEnabled))
  }
}
