import ProsceniumCore

/// A view that draws several elements by itself.
@MainActor protocol PartedView: View {
  var partCount: Int { get }
  func describePart(_ index: Int) -> AccessibilityProperties
  /// The place of an element in the view's own coordinates, in points.
  func placeOfPart(_ index: Int) -> Rect
  func performPart(_ index: Int, _ request: AccessibilityRequest) -> Bool
}

extension PartedView {
  /// The elements, which stay the same as long as there are as many.
  var parts: [AccessibilityPart] {
    let own = accessibility ?? ViewAccessibility()
    accessibility = own
    let count = min(max(0, partCount), 10_000)
    if own.parts.count > count { own.parts.removeLast(own.parts.count - count) }
    while own.parts.count < count { own.parts.append(AccessibilityPart(own.parts.count, of: self)) }
    return own.parts
  }
}

/// An element that a view draws by itself.
@MainActor final class AccessibilityPart: AccessibilityObject {
  private let index: Int
  private weak var view: (any PartedView)?

  init(_ index: Int, of view: any PartedView) {
    self.index = index
    self.view = view
  }

  /// The view, while it has the element.
  private var present: (any PartedView)? { view.flatMap { index < $0.partCount ? $0 : nil } }

  var accessibilityProperties: AccessibilityProperties {
    guard let present else { return AccessibilityProperties(role: .group) }
    var properties = present.describePart(index)
    if !ViewInput(present).canBeUsed { properties.states.subtract([.enabled, .focusable]) }
    return properties
  }

  var accessibilityFrame: Rect {
    guard let present else { return Rect(x: 0, y: 0, width: 0, height: 0) }
    let place = present.convert(present.placeOfPart(index), to: nil)
    return Pixels(scale: max(present.window?.scale ?? 1, 0.1)).rect(place.sensible)
  }

  func accessibilityPerform(_ request: AccessibilityRequest) -> Bool {
    guard let present, ViewInput(present).canBeUsed else { return false }
    return present.performPart(index, request)
  }
}

extension SegmentedControl: PartedView {
  var partCount: Int { numberOfSegments }

  func describePart(_ index: Int) -> AccessibilityProperties {
    let role: AccessibilityRole = showsTabs ? .tab : .radioButton
    var properties = AccessibilityProperties(role: role, label: titleForSegment(at: index) ?? "")
    let isSelected = selectedSegmentIndex == index
    properties.states.insert(showsTabs ? .selectable : .checkable)
    if isSelected { properties.states.insert(showsTabs ? .selected : .checked) }
    if isSelected, isFirstResponder { properties.states.insert(.focused) }
    if isEnabledForSegment(at: index) {
      properties.states.insert(.focusable)
    } else {
      properties.states.remove(.enabled)
    }
    properties.actions = ["press"]
    properties.position = .init(index: index, count: numberOfSegments)
    return properties
  }

  func placeOfPart(_ index: Int) -> Rect { place(of: index) }

  func performPart(_ index: Int, _ request: AccessibilityRequest) -> Bool {
    guard isEnabledForSegment(at: index) else { return false }
    switch request {
    case .action(0), .setSelected(true): select(index, nil)
    case .focus: return ViewDescription(self).perform(.focus)
    default: return false
    }
    return selectedSegmentIndex == index
  }
}

extension SwatchGrid: PartedView {
  var partCount: Int { Swatches.colors.count }

  func describePart(_ index: Int) -> AccessibilityProperties {
    var properties = AccessibilityProperties(role: .listItem, label: ColorCode.text(Swatches.colors[index]))
    properties.states.formUnion([.focusable, .selectable])
    if selectedIndex == index { properties.states.formUnion(isFirstResponder ? [.selected, .focused] : .selected) }
    properties.actions = ["press"]
    properties.position = .init(index: index, count: partCount)
    return properties
  }

  func placeOfPart(_ index: Int) -> Rect { place(of: index) }

  func performPart(_ index: Int, _ request: AccessibilityRequest) -> Bool {
    switch request {
    case .action(0), .setSelected(true): select(index, nil)
    case .focus: return ViewDescription(self).perform(.focus)
    default: return false
    }
    return true
  }
}

extension MenuBar: PartedView {
  var partCount: Int { menus.count }

  func describePart(_ index: Int) -> AccessibilityProperties {
    var properties = AccessibilityProperties(role: .menu, label: menus[index].title)
    properties.states.formUnion([.expandable, .hasPopUp])
    if open == index { properties.states.insert(.expanded) }
    properties.actions = ["press"]
    return properties
  }

  func placeOfPart(_ index: Int) -> Rect { rect(of: index) }

  func performPart(_ index: Int, _ request: AccessibilityRequest) -> Bool {
    guard case .action(0) = request else { return false }
    openMenu(index, byKey: true)
    return open == index
  }
}

extension MenuView: PartedView {
  var partCount: Int { navigation.rows.count }

  func describePart(_ index: Int) -> AccessibilityProperties {
    guard let element = element(at: index) else { return AccessibilityProperties(role: .separator) }
    let item = element as? MenuItem
    let state = item?.state ?? .off
    let role: AccessibilityRole = element is Menu ? .menu : state == .off ? .menuItem : .checkMenuItem
    var properties = AccessibilityProperties(role: role, label: element.title)
    properties.hint = item?.keyEquivalent?.keysTitle ?? ""
    if state == .on { properties.states.formUnion([.checkable, .checked]) }
    if state == .mixed { properties.states.formUnion([.checkable, .indeterminate]) }
    if element is Menu { properties.states.insert(.hasPopUp) }
    if !navigation.rows[index].isEnabled { properties.states.remove(.enabled) }
    if navigation.highlighted == index { properties.states.formUnion(isInnermost ? [.focused, .selected] : .selected) }
    properties.states.formUnion([.focusable, .selectable])
    properties.actions = ["press"]
    properties.position = itemNumbers[index].map { .init(index: $0, count: itemNumbers.count) }
    return properties
  }

  func placeOfPart(_ index: Int) -> Rect { rect(of: index) }

  func performPart(_ index: Int, _ request: AccessibilityRequest) -> Bool {
    guard navigation.rows[index].isEnabled else { return false }
    switch request {
    case .action(0): session?.choose(index, in: self)
    case .focus, .setSelected(true): change { $0.highlight(index) }
    default: return false
    }
    return true
  }
}
