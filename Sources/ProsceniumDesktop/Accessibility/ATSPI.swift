import ProsceniumPlatform

/// The names and numbers of the accessibility bus (AT-SPI 2, `atspi-constants.h` and the interfaces of at-spi2-core).
enum ATSPI {
  static let prefix = "org.a11y.atspi."
  static let registry = "org.a11y.atspi.Registry"
  static let folder = "/org/a11y/atspi/accessible"
  static let rootPath = folder + "/root"
  static let nullPath = "/org/a11y/atspi/null"
  static let cachePath = "/org/a11y/atspi/cache"

  /// The service of the session bus that knows the accessibility bus.
  static let launcher = "org.a11y.Bus"
  static let launcherPath = "/org/a11y/bus"
  static let status = "org.a11y.Status"

  /// The path of an element.
  static func path(_ id: AccessibilityID) -> String { id == .application ? rootPath : "\(folder)/\(id.rawValue)" }

  /// The element of a path; nil for other paths.
  static func id(_ path: String) -> AccessibilityID? {
    if path == rootPath { return .application }
    guard path.hasPrefix(folder + "/"), case let text = path.dropFirst(folder.count + 1), text.first != "0",
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return UInt64(text).map { AccessibilityID(rawValue: $0) }
  }
}

extension AccessibilityRole {
  /// The number and the name of AT-SPI's role.
  var atspi: (number: UInt32, name: String) {
    switch self {
    case .button: (43, "push button")
    case .popUpButton: (11, "combo box")
    case .checkBox: (7, "check box")
    case .toggleButton: (62, "toggle button")
    case .radioButton: (44, "radio button")
    case .link: (88, "link")
    case .staticText: (29, "label")
    case .heading: (83, "heading")
    case .image: (27, "image")
    case .textField: (79, "entry")
    case .secureTextField: (40, "password text")
    case .textView: (61, "text")
    case .slider: (51, "slider")
    case .stepper: (52, "spin button")
    case .progressIndicator: (42, "progress bar")
    // Of a date editor (12) no text is read.
    case .dateField: (52, "spin button")
    case .list: (31, "list")
    case .listItem: (32, "list item")
    case .table: (55, "table")
    case .tableCell: (56, "table cell")
    case .tabList: (38, "page tab list")
    case .tab: (37, "page tab")
    case .menuBar: (34, "menu bar")
    case .menu: (33, "menu")
    case .menuItem: (35, "menu item")
    case .checkMenuItem: (8, "check menu item")
    case .separator: (50, "separator")
    case .scrollArea: (49, "scroll pane")
    case .group: (39, "panel")
    case .window: (23, "frame")
    case .dialog: (16, "dialog")
    }
  }
}

/// A state of AT-SPI, by its bit.
enum ATSPIState: Int, CaseIterable {
  case active = 1
  case busy = 3
  case checked = 4
  case collapsed = 5
  case editable = 7
  case enabled = 8
  case expandable = 9
  case expanded = 10
  case focusable = 11
  case focused = 12
  case horizontal = 14
  case modal = 16
  case multiLine = 17
  case multiselectable = 18
  case selectable = 22
  case selected = 23
  case sensitive = 24
  case showing = 25
  case singleLine = 26
  case vertical = 29
  case visible = 30
  case indeterminate = 32
  case selectableText = 38
  case checkable = 41
  case hasPopUp = 42
  case readOnly = 43

  /// The name in events.
  var name: String {
    switch self {
    case .multiLine: "multi-line"
    case .singleLine: "single-line"
    case .selectableText: "selectable-text"
    case .hasPopUp: "has-popup"
    case .readOnly: "read-only"
    default: "\(self)"
    }
  }

  /// The states of an element.
  static func all(of properties: AccessibilityProperties) -> Set<ATSPIState> {
    let own = properties.states
    var states: Set<ATSPIState> = [.visible]
    let same: [(AccessibilityStates, [ATSPIState])] = [
      (.enabled, [.enabled, .sensitive]), (.focusable, [.focusable]), (.focused, [.focused]),
      (.selectable, [.selectable]), (.selected, [.selected]), (.checkable, [.checkable]), (.checked, [.checked]),
      (.indeterminate, [.indeterminate]), (.expandable, [.expandable]), (.expanded, [.expanded]),
      (.editable, [.editable]), (.multiLine, [.multiLine]), (.busy, [.busy]), (.horizontal, [.horizontal]),
      (.vertical, [.vertical]), (.multiselectable, [.multiselectable]), (.hasPopUp, [.hasPopUp]), (.modal, [.modal]),
      (.showing, [.showing]), (.active, [.active]),
    ]
    for (state, bits) in same where own.contains(state) { states.formUnion(bits) }
    if own.contains(.expandable), !own.contains(.expanded) { states.insert(.collapsed) }
    switch properties.role {
    case .textField, .secureTextField, .textView:
      states.insert(.selectableText)
      if properties.role != .textView { states.insert(.singleLine) }
      if !own.contains(.editable) { states.insert(.readOnly) }
    default: break
    }
    return states
  }

  /// The two words of a state set.
  static func words(_ states: Set<ATSPIState>) -> [BusValue] {
    let bits = states.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }
    return [.uint32(UInt32(truncatingIfNeeded: bits)), .uint32(UInt32(truncatingIfNeeded: bits >> 32))]
  }
}

extension AccessibilityProperties {
  /// What is read behind the name: of a button no value is read.
  var description: String { (role == .button ? [value, hint] : [hint]).filter { !$0.isEmpty }.joined(separator: ", ") }

  /// The text in the element, or the text that it is.
  var readableText: AccessibilityText? {
    if let text { return text }
    switch role {
    case .staticText, .heading: return label.isEmpty ? nil : AccessibilityText(label)
    default: return value.isEmpty || range != nil ? nil : AccessibilityText(value)
    }
  }

  /// Whether the element has items that are selected.
  var selectsItems: Bool { [.list, .table, .tabList].contains(role) }

  /// The interfaces of AT-SPI that the element has.
  var interfaces: [String] {
    var names = ["Accessible", "Component"]
    if !actions.isEmpty { names.append("Action") }
    if readableText != nil { names.append("Text") }
    if text != nil, states.contains(.editable) { names.append("EditableText") }
    if range != nil { names.append("Value") }
    if selectsItems { names.append("Selection") }
    if table != nil { names.append("Table") }
    if cell != nil { names.append("TableCell") }
    return names.map { ATSPI.prefix + $0 }
  }
}

extension BusValue {
  static func int32(_ number: Int) -> BusValue { .whole(Int128(Int32(clamping: number)), code: "i") }
}
