public import ProsceniumCore

/// A view that shows an item of a list, and is used again for another one when its item is out of sight.
///
/// What ``TableViewCell`` and ``CollectionViewCell`` have in common. Views in it are clipped to it. A press that they
/// do not handle selects the item.
open class ListCell: View {
  /// Creates an empty cell.
  public override init() {
    super.init()
    clipsToBounds = true
  }

  /// The identifier under which the cell's kind is registered; nil for a cell that is not used again.
  public internal(set) final var reuseIdentifier: String?

  /// Whether the item is selected; set by the list.
  open var isSelected: Bool {
    get { state.isSelected }
    set { state.isSelected = newValue }
  }

  /// Whether the cell is drawn as pressed: its item is being moved.
  public final var isHighlighted: Bool { state.isHighlighted }

  /// Whether the list gets the keys that the user types, so that its selection is drawn with emphasis.
  public final var isSelectionEmphasized: Bool { state.isEmphasized }

  /// Called before the cell is used for another item: reset what is not set for each item.
  open func prepareForReuse() {}

  /// Called after the selection, the emphasis or the press changed; the default redraws the cell.
  open func stateDidChange() { setNeedsDisplay() }

  open override func hoverDidChange() { setNeedsDisplay() }

  /// Performs the primary action of the item, as Return does.
  open override func accessibilityActivate() -> Bool { activateItem() }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    if isSelected {
      context.fill(bounds, with: isSelectionEmphasized ? theme.selection : theme.controlPressed)
    } else if isHovered {
      context.fill(bounds, with: theme.controlHover)
    }
    if state.isLead { context.strokeFocusRing(bounds.inset(x: 1, y: 1), cornerRadius: 3, theme) }
    if isHighlighted { context.fill(bounds, with: theme.controlPressed, alpha: 0.5) }
  }

  // MARK: The list's side

  /// Whether the cell is kept although its item is out of sight.
  final var isOutOfSight = false
  /// Whether the program has been told that the cell is displayed.
  final var isDisplayed = false

  struct State: Hashable {
    var isSelected = false
    var isEmphasized = false
    /// Whether the arrows go on from here.
    var isLead = false
    var isHighlighted = false
  }
  final var state = State() {
    didSet {
      guard oldValue != state else { return }
      if oldValue.isSelected != isSelected {
        for case let label as Label in subviews { label.isOnSelection = isSelected }
      }
      stateDidChange()
    }
  }
}

/// A cell of a ``CollectionView``.
///
/// Subclasses add their views to it, and place them in `layoutSubviews()`.
open class CollectionViewCell: ListCell {}
