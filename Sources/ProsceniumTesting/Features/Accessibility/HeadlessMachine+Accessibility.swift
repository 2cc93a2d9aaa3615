public import ProsceniumCore

/// An element of the program's windows, as a screen reader knows it.
public struct AccessibleElement: Hashable, Sendable {
  let id: AccessibilityID
  /// All that is known of it but its place.
  public let properties: AccessibilityProperties
  /// Its rectangle on the desktop, in pixels.
  public let frame: Rect
  /// The elements in it, in the order in which they are read.
  public let elements: [AccessibleElement]

  init?(_ id: AccessibilityID, of tree: AccessibilityTree) {
    guard let node = tree[id] else { return nil }
    self.id = id
    (properties, frame) = (node.properties, node.frame)
    elements = node.children.compactMap { AccessibleElement($0, of: tree) }
  }

  /// The first element with a role and a name, among this one and all that are in it; nil for none.
  /// - Parameters:
  ///   - role: The role; any where nil.
  ///   - label: The name; any where nil.
  /// - Returns: The element.
  public func first(_ role: AccessibilityRole? = nil, _ label: String? = nil) -> AccessibleElement? {
    if role ?? properties.role == properties.role, label ?? properties.label == properties.label { return self }
    for element in elements { if let found = element.first(role, label) { return found } }
    return nil
  }

  /// The element and those in it, a line each: its role, its name, and its states but that it is enabled and showing.
  public var outline: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    let states = Self.names.filter { properties.states.contains($0.0) }.map(\.1)
    let disabled = properties.states.contains(.enabled) ? [] : ["disabled"]
    let label = properties.label.isEmpty ? [] : ["\"\(properties.label)\""]
    let line = ([properties.role.rawValue] + label + disabled + states).joined(separator: " ")
    return [line] + elements.flatMap(\.lines).map { "  " + $0 }
  }

  private static let names: [(AccessibilityStates, String)] = [
    (.focusable, "focusable"), (.focused, "focused"), (.selectable, "selectable"), (.selected, "selected"),
    (.checkable, "checkable"), (.checked, "checked"), (.indeterminate, "indeterminate"), (.expandable, "expandable"),
    (.expanded, "expanded"), (.editable, "editable"), (.multiLine, "multiLine"), (.busy, "busy"),
    (.horizontal, "horizontal"), (.vertical, "vertical"), (.multiselectable, "multiselectable"),
    (.hasPopUp, "hasPopUp"), (.modal, "modal"), (.active, "active"),
  ]
}

/// Screen readers and other assistive programs.
extension HeadlessMachine {
  /// Starts a screen reader: the program shows it its windows from now on, in later processes too.
  public func startScreenReader() { setScreenReader(isThere: true) }

  /// Ends the screen reader.
  public func stopScreenReader() { setScreenReader(isThere: false) }

  private func setScreenReader(isThere: Bool) {
    accessibility.isThere = isThere
    post(.accessibility(.watched(isThere, byScreenReader: isThere)))
  }

  /// The windows of the program, as the screen reader knows them; none without one.
  public var accessibleWindows: [AccessibleElement] {
    accessibility.tree.windows.compactMap { AccessibleElement($0, of: accessibility.tree) }
  }

  /// What the program has said to be read at once (`Accessibility.post`).
  public var accessibilityAnnouncements: [String] { accessibility.announcements }

  /// The screen reader asks something of an element for its user.
  /// - Parameters:
  ///   - request: What it asks for.
  ///   - element: The element.
  public func perform(_ request: AccessibilityRequest, on element: AccessibleElement) {
    post(.accessibility(.request(element.id, request)))
  }
}
