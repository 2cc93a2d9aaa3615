public import ProsceniumCore

/// What the program says of a view to assistive programs.
@MainActor final class ViewAccessibility {
  var isElement: Bool?
  var label: String?
  var hint: String?
  var value: String?
  var identifier: String?
  var role: AccessibilityRole?
  var traits: AccessibilityTraits?
  var elements: [any AccessibilityObject]?
  var isHidden = false
  var customActions: [AccessibilityCustomAction]?
  /// The label beside the view.
  weak var labelView: Label?
  /// The elements for what the view draws by itself.
  var parts: [AccessibilityPart] = []

  static func change(_ view: View, _ change: (ViewAccessibility) -> Void) {
    View.requireMainThread()
    let own = view.host.accessibility ?? ViewAccessibility()
    view.host.accessibility = own
    change(own)
    Accessibility.post(notification: .layoutChanged)
  }
}

/// What assistive programs, such as screen readers, know of a view.
///
/// All of it is for the main thread, and has an effect only while an assistive program is there. The views of this
/// module describe themselves; `View.accessibilityProperties` is overridden to describe one of the program's own.
extension View {
  /// Whether the view is an element that assistive programs know, and the views in it are not.
  ///
  /// True for controls, texts and texts that are edited, for lists and what scrolls, which have elements in them, and
  /// for views with an ``accessibilityRole`` or traits. Views in one that is none belong to what contains it.
  public final var isAccessibilityElement: Bool {
    get { host.accessibility?.isElement ?? (ViewDescription(self).role != nil) }
    set { ViewAccessibility.change(self) { $0.isElement = newValue } }
  }

  /// The name, in a few words; nil, as at first, for what the view shows, or for the text of the label that has it as
  /// its ``Label/mnemonicTarget``.
  public final var accessibilityLabel: String? {
    get { host.accessibility?.label }
    set { ViewAccessibility.change(self) { $0.label = newValue } }
  }

  /// What the view does, where the name does not say it; nil, as at first, for the `toolTip`.
  public final var accessibilityHint: String? {
    get { host.accessibility?.hint }
    set { ViewAccessibility.change(self) { $0.hint = newValue } }
  }

  /// The value in words; nil, as at first, for what the view shows.
  public final var accessibilityValue: String? {
    get { host.accessibility?.value }
    set { ViewAccessibility.change(self) { $0.value = newValue } }
  }

  /// What a program that tests the interface finds the view by; nil, as at first, for none.
  public final var accessibilityIdentifier: String? {
    get { host.accessibility?.identifier }
    set { ViewAccessibility.change(self) { $0.identifier = newValue } }
  }

  /// What the view is like; setting it says what it is, and replaces what it was by itself.
  public final var accessibilityTraits: AccessibilityTraits {
    get { host.accessibility?.traits ?? AccessibilityTraits(of: accessibilityProperties) }
    set { ViewAccessibility.change(self) { $0.traits = newValue } }
  }

  /// What the view is; nil, as at first, for what it is by itself or by its ``accessibilityTraits`` (our addition).
  public final var accessibilityRole: AccessibilityRole? {
    get { host.accessibility?.role }
    set { ViewAccessibility.change(self) { $0.role = newValue } }
  }

  /// The elements in the view, in the order in which they are read; nil, as at first, for those of its subviews.
  public final var accessibilityElements: [any AccessibilityObject]? {
    get { host.accessibility?.elements }
    set { ViewAccessibility.change(self) { $0.elements = newValue } }
  }

  /// Whether the view and all in it are left out; false at first.
  public final var accessibilityElementsHidden: Bool {
    get { host.accessibility?.isHidden ?? false }
    set { ViewAccessibility.change(self) { $0.isHidden = newValue } }
  }

  /// What can be done with the view besides its press; nil, as at first, for nothing.
  public final var accessibilityCustomActions: [AccessibilityCustomAction]? {
    get { host.accessibility?.customActions }
    set { ViewAccessibility.change(self) { $0.customActions = newValue } }
  }
}

extension View: AccessibilityObject {
  /// The rectangle in pixels of the window.
  public final var accessibilityFrame: Rect {
    Pixels(scale: max(window?.scale ?? 1, 0.1)).rect(convert(bounds, to: nil).sensible)
  }

  /// The label that has the view as its ``Label/mnemonicTarget``, unless the view has an ``accessibilityLabel``.
  public final var accessibilityLabelObject: (any AccessibilityObject)? {
    // The program's own name counts more.
    host.accessibility?.label == nil ? host.accessibility?.labelView : nil
  }
}

extension ViewTree: AccessibilityContainer {
  var accessibilityElements: [any AccessibilityObject]? { root.map { ViewDescription($0).elements } }
}
