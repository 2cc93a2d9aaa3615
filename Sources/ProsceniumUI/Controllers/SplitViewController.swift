public import ProsceniumCore

/// Two controllers side by side, with a divider between them that the user drags.
///
/// The divider is moved by the arrows, too, while it is the first responder. Its place is restored with the scene; see
/// ``ViewController/restorationState``.
open class SplitViewController: ViewController {
  /// The controller on the left, such as of a list.
  public let primary: ViewController
  /// The controller on the right, such as of what is chosen in the list.
  public let secondary: ViewController
  /// The least width of each of them in points.
  public final var minimumColumnWidth = 100 { didSet { place() } }
  private let divider = SplitDivider()
  private var wishedWidth = 240

  /// Creates a split view.
  /// - Parameters:
  ///   - primary: The controller on the left.
  ///   - secondary: The controller on the right.
  public init(primary: ViewController, secondary: ViewController) {
    self.primary = primary
    self.secondary = secondary
    super.init()
    for controller in [primary, secondary] { addChild(controller) }
    divider.controller = self
  }

  /// The width of the primary column in points; 240 at first.
  ///
  /// Limited by the size of the view and ``minimumColumnWidth``, and as set where a larger view has room for it.
  public final var primaryColumnWidth: Int {
    get {
      primaryColumnWidth(in: isViewLoaded ? view.bounds.size.width : 0)
    }
    set {
      Responder.requireMainThread()
      let new = min(max(newValue, 0), 1 << 24)
      guard new != wishedWidth else { return }
      wishedWidth = new
      place()
      invalidateRestorableState()
    }
  }

  private func primaryColumnWidth(in width: Int) -> Int {
    limits(in: width).map { min(max(wishedWidth, $0.lowerBound), $0.upperBound) } ?? wishedWidth
  }

  /// The widths that the primary column can have; nil where there is no room.
  private func limits(in width: Int) -> ClosedRange<Int>? {
    let room = width - SplitDivider.thickness
    guard room > 0 else { return nil }
    let least = min(max(minimumColumnWidth, 0), room / 2)
    return least...room - least
  }

  /// The place of the divider as a number.
  fileprivate var dividerRange: AccessibilityRange? {
    limits(in: view.bounds.size.width).map { limits in
      AccessibilityRange(
        value: Double(primaryColumnWidth), minimum: Double(limits.lowerBound), maximum: Double(limits.upperBound),
        step: Double(SplitDivider.step))
    }
  }

  open override func loadView() {
    let view = ContainerView { [weak self] in self?.place() }
    for one in [primary.view, secondary.view, divider] { view.addSubview(one) }
    self.view = view
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    for child in children { child.didMove(toParent: self) }
  }

  private func place() {
    guard isViewLoaded else { return }
    let places = columns(in: view.bounds.size)
    (primary.view.frame, secondary.view.frame) = places
    let (left, height) = (places.0.size.width, places.0.size.height)
    divider.frame = Rect(x: left, y: 0, width: SplitDivider.thickness, height: height)
  }

  override func placeChildren() { place() }

  private func columns(in size: Size) -> (Rect, Rect) {
    let width = primaryColumnWidth(in: size.width)
    let right = width + SplitDivider.thickness
    return (
      Rect(x: 0, y: 0, width: width, height: size.height),
      Rect(x: right, y: 0, width: max(0, size.width - right), height: size.height)
    )
  }

  open override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
    let (left, right) = columns(in: size)
    for child in shownChildren {
      let own = child === primary ? left.size : child === secondary ? right.size : size
      child.viewWillTransition(to: own, with: coordinator)
    }
  }

  // MARK: Restoration

  open override var restorationState: [String: any Sendable] {
    get {
      var state = super.restorationState
      state["divider"] = wishedWidth
      state["columns"] = [primary.restorationState, secondary.restorationState]
      return state
    }
    set {
      if let width = newValue["divider"] as? Int { primaryColumnWidth = width }
      for (controller, state) in zip([primary, secondary], newValue.states("columns")) {
        controller.restorationState = state
      }
      super.restorationState = newValue
    }
  }
}

/// The line between two columns.
final class SplitDivider: View {
  static let thickness = 7
  /// How far an arrow moves it.
  static let step = 10
  weak var controller: SplitViewController?
  private var isDragged = false

  override init() {
    super.init()
    cursor = .resizeHorizontally
    accessibilityRole = .separator
  }

  override var canBecomeFirstResponder: Bool { true }

  private func move(by distance: Int) { controller?.primaryColumnWidth += distance }

  override var accessibilityProperties: AccessibilityProperties {
    var properties = super.accessibilityProperties
    properties.label = "Divider"
    properties.range = controller?.dividerRange
    properties.states.insert(.vertical)
    return properties
  }

  override func accessibilityPerform(_ request: AccessibilityRequest) -> Bool {
    guard case .setValue(let width) = request else { return super.accessibilityPerform(request) }
    guard ViewInput(self).canBeUsed, width.isFinite, let controller, let range = controller.dividerRange else {
      return false
    }
    controller.primaryColumnWidth = Int(min(max(width, range.minimum), range.maximum))
    return true
  }

  override func handle(_ event: Event) -> Bool {
    let middle = bounds.origin.x + bounds.size.width / 2
    switch event.kind {
    case .button(let button) where button.number == 1:
      isDragged = button.isDown
      return true
    case .motion:
      guard isDragged, let place = event.location(in: self) else { return false }
      move(by: place.x - middle)
      return true
    case .key(let key) where key.isDown && key.modifiers.isDisjoint(with: [.control, .alternate, .command, .shift]):
      switch KeySymbol.withoutKeypad(key.symbol) {
      case KeySymbol.left: move(by: -Self.step)
      case KeySymbol.right: move(by: Self.step)
      default: return false
      }
      return true
    default: return super.handle(event)
    }
  }

  override func pressCancelled() { isDragged = false }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, bounds) = (theme, bounds)
    context.fill(bounds, with: theme.background)
    let line = Rect(x: bounds.size.width / 2, y: 0, width: 1, height: bounds.size.height)
    context.fill(line, with: theme.separator)
    if isFirstResponder { context.fill(line.inset(x: -1, y: 0), with: theme.accent) }
  }
}
