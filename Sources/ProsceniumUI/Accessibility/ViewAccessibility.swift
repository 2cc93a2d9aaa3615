import ProsceniumCore

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
  /// The label whose text is the view's name: one without a text is none.
  var namingLabel: Label? { labelView.flatMap { $0.text.isEmpty ? nil : $0 } }
  /// The elements for what the view draws by itself.
  var parts: [AccessibilityPart] = []
}

extension ViewTree: AccessibilityContainer {
  var accessibilityElements: [any AccessibilityObject]? { root.map { ViewDescription($0).elements } }
  var accessibilityLabel: String? { controller?.nameOfWindow }
}
