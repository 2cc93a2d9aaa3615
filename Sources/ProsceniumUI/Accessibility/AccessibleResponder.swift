public import ProsceniumCore

/// What assistive programs, such as screen readers, know of a view: the superclass of ``View`` alone.
///
/// All of it is for the main thread, and has an effect only while an assistive program is there. The views of this
/// module describe themselves; ``accessibilityProperties`` is overridden to describe one of the program's own.
open class AccessibleResponder: Responder, AccessibilityObject {
  /// What the program says of the view; nil for nothing.
  final var accessibility: ViewAccessibility?

  /// Creates a view's part.
  public override init() { super.init() }

  private var viewDescription: ViewDescription? { (self as? View).map(ViewDescription.init) }

  final func changeAccessibility(_ change: (ViewAccessibility) -> Void) {
    View.requireMainThread()
    let own = accessibility ?? ViewAccessibility()
    accessibility = own
    change(own)
    Accessibility.post(notification: .layoutChanged)
  }

  /// Has assistive programs read the view again, because of a change that is not drawn.
  final func tellAssistivePrograms() {
    if (self as? View)?.window != nil { Accessibility.post(notification: .layoutChanged) }
  }

  /// Whether the view is an element that assistive programs know, and the views in it are not.
  ///
  /// True for controls, texts and texts that are edited, for lists and what scrolls, which have elements in them, and
  /// for views with an ``accessibilityRole`` or traits. Views in one that is none belong to what contains it.
  public final var isAccessibilityElement: Bool {
    get { accessibility?.isElement ?? (viewDescription?.role != nil) }
    set { changeAccessibility { $0.isElement = newValue } }
  }

  /// The name, in a few words; nil, as at first, for what the view shows, or for the text of the label that has it as
  /// its ``Label/mnemonicTarget``.
  public final var accessibilityLabel: String? {
    get { accessibility?.label }
    set { changeAccessibility { $0.label = newValue } }
  }

  /// What the view does, where the name does not say it; nil, as at first, for the `toolTip`.
  public final var accessibilityHint: String? {
    get { accessibility?.hint }
    set { changeAccessibility { $0.hint = newValue } }
  }

  /// The value in words; nil, as at first, for what the view shows.
  public final var accessibilityValue: String? {
    get { accessibility?.value }
    set { changeAccessibility { $0.value = newValue } }
  }

  /// What a program that tests the interface finds the view by; nil, as at first, for none.
  public final var accessibilityIdentifier: String? {
    get { accessibility?.identifier }
    set { changeAccessibility { $0.identifier = newValue } }
  }

  /// What the view is like; setting it says what it is, and replaces what it was by itself.
  public final var accessibilityTraits: AccessibilityTraits {
    get { accessibility?.traits ?? AccessibilityTraits(of: accessibilityProperties) }
    set { changeAccessibility { $0.traits = newValue } }
  }

  /// What the view is; nil, as at first, for what it is by itself or by its ``accessibilityTraits`` (our addition).
  public final var accessibilityRole: AccessibilityRole? {
    get { accessibility?.role }
    set { changeAccessibility { $0.role = newValue } }
  }

  /// The elements in the view, in the order in which they are read; nil, as at first, for those of its subviews.
  public final var accessibilityElements: [any AccessibilityObject]? {
    get { accessibility?.elements }
    set { changeAccessibility { $0.elements = newValue } }
  }

  /// Whether the view and all in it are left out; false at first.
  public final var accessibilityElementsHidden: Bool {
    get { accessibility?.isHidden ?? false }
    set { changeAccessibility { $0.isHidden = newValue } }
  }

  /// What can be done with the view besides its press; nil, as at first, for nothing.
  public final var accessibilityCustomActions: [AccessibilityCustomAction]? {
    get { accessibility?.customActions }
    set { changeAccessibility { $0.customActions = newValue } }
  }

  // MARK: Overridden

  /// All that assistive programs know of the view but its place; override it to describe a view of your own, beginning
  /// with that of `super`.
  open var accessibilityProperties: AccessibilityProperties {
    viewDescription?.properties ?? AccessibilityProperties(role: .group)
  }

  /// The elements in the view, in the order in which they are read.
  open var accessibilityObjects: [any AccessibilityObject] { viewDescription?.elementsWithin ?? [] }

  /// Does what an assistive program asks for; the default calls the functions below, and those of the control.
  /// - Parameter request: What it asks for.
  /// - Returns: Whether it is done.
  open func accessibilityPerform(_ request: AccessibilityRequest) -> Bool { viewDescription?.perform(request) ?? false }

  /// Does what a press does; the default does nothing.
  /// - Returns: Whether it is done.
  open func accessibilityActivate() -> Bool { false }

  /// Makes the value larger, for a view with the trait `adjustable`; the default does nothing.
  open func accessibilityIncrement() {}

  /// Makes the value smaller, as for ``accessibilityIncrement()``.
  open func accessibilityDecrement() {}

  // MARK: Place

  /// The rectangle in pixels of the window.
  public final var accessibilityFrame: Rect {
    guard let view = self as? View else { return Rect(x: 0, y: 0, width: 0, height: 0) }
    return Pixels(scale: max(view.window?.scale ?? 1, 0.1)).rect(view.convert(view.bounds, to: nil).sensible)
  }

  /// The label that has the view as its ``Label/mnemonicTarget``, unless the view has an ``accessibilityLabel``.
  public final var accessibilityLabelObject: (any AccessibilityObject)? {
    // The program's own name counts more.
    accessibility?.label == nil ? accessibility?.namingLabel : nil
  }
}
