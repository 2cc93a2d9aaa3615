@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Writes the fields of a log's lines.
enum WindowLogWriter {
  static func fields(_ signal: WindowSignal) -> String {
    switch signal {
    case .created(let rect): "created \(text(rect))"
    case .placed: "placed"
    case .unplaced: "unplaced"
    case .showRequested: "showRequested"
    case .withdrawn: "withdrawn"
    case .mapped: "mapped"
    case .unmapped: "unmapped"
    case .destroyed: "destroyed"
    case .reparented(let parent, let isRoot): "reparented \(hex(parent)) \(isRoot ? "root" : "frame")"
    case .ancestors(let ancestors):
      (["ancestors"] + ancestors.map { "\(hex($0.window)):\($0.isMapped ? "mapped" : "unmapped")" })
        .joined(separator: " ")
    case .ancestorMapped(let window): "ancestorMapped \(hex(window))"
    case .ancestorUnmapped(let window): "ancestorUnmapped \(hex(window))"
    case .ancestorReparented(let window): "ancestorReparented \(hex(window))"
    case .ancestorDestroyed(let window): "ancestorDestroyed \(hex(window))"
    case .wmState(let value): "wmState \(text(value))"
    case .netState(let value): "netState \(value.map(text) ?? "-")"
    case .netStateAnnounced: "netStateAnnounced"
    case .netStateFound(let value): "netStateFound \(value.map(text) ?? "-")"
    case .workspace(let value): "desktop \(text(value))"
    case .desktopsAbove(let rects): (["desktopsAbove"] + rects.map(text)).joined(separator: " ")
    case .configured(let rect, let isAbsolute): "configured \(text(rect)) \(isAbsolute ? "absolute" : "relative")"
    case .translated(let point): "translated \(point.x) \(point.y)"
    case .focusIn(let mode, let detail): "focusIn \(mode) \(detail)"
    case .focusOut(let mode, let detail): "focusOut \(mode) \(detail)"
    case .enter(let mode, let detail, let focus): "enter \(mode) \(detail) \(text(focus))"
    case .leave(let mode, let detail, let focus): "leave \(mode) \(detail) \(text(focus))"
    case .visibility(let value): "visibility \(value)"
    case .redirected: "redirected"
    case .composited(let value): "composited \(text(value))"
    case .keyPress: "keyPress"
    case .exposed: "exposed"
    case .windowManagerLost: "windowManagerLost"
    case .restedBriefly: "restedBriefly"
    case .rested: "rested"
    }
  }

  static func fields(_ signal: RootSignal) -> String {
    switch signal {
    case .windowManager(let present, let name):
      "windowManager \(present ? "present" : "absent") \(name.map(escape) ?? "-")"
    case .windowManagerChanged(let cause): "windowManagerChanged \(escape(cause))"
    case .windowManagerSettled: "windowManagerSettled"
    case .supports(let activeWindow, let hidden): "supports \(text(activeWindow)) \(text(hidden))"
    case .currentWorkspace(let value): "currentDesktop \(text(value))"
    case .showingDesktop(let value): "showingDesktop \(text(value))"
    case .monitors(let rects): (["monitors"] + rects.map(text)).joined(separator: " ")
    case .workspaceRuleDue: "desktopRuleDue"
    }
  }

  /// The parts of `_NET_WM_STATE` and what a log calls them.
  static let netStates: [(WindowSignal.NetState, String)] = [
    (.hidden, "hidden"), (.fullScreen, "fullScreen"), (.maximizedHorizontally, "maximizedHorizontally"),
    (.maximizedVertically, "maximizedVertically"), (.shaded, "shaded"), (.hiddenTwice, "hiddenTwice"),
    (.hiddenThrice, "hiddenThrice"),
  ]

  private static func text(_ state: WindowSignal.NetState) -> String {
    let parts = netStates.filter { state.contains($0.0) }
    let rest = parts.reduce(state) { $0.subtracting($1.0) }
    if state.isEmpty { return "none" }
    return rest.isEmpty ? parts.map(\.1).joined(separator: ",") : hex(UInt32(state.rawValue))
  }

  private static func text(_ rect: Rect) -> String {
    "\(rect.origin.x) \(rect.origin.y) \(rect.size.width) \(rect.size.height)"
  }

  private static func text(_ value: UInt32?) -> String { value.map { "\($0)" } ?? "-" }

  private static func text(_ value: Bool) -> String { value ? "yes" : "no" }

  private static func hex(_ value: UInt32) -> String { "0x" + String(value, radix: 16) }

  /// A name is one field, whatever another program put into it; `-` alone stands for none, `""` for an empty one.
  static func escape(_ text: String) -> String {
    if text.isEmpty { return "\"\"" }
    return text.unicodeScalars.map { scalar in
      let isPlain = ("!"..."~").contains(scalar) && scalar != "\\" && scalar != "\"" && (scalar != "-" || text != "-")
      return isPlain ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
    }.joined()
  }

  /// The other way; nil where a backslash begins nothing known.
  static func unescape(_ field: Substring) -> String? {
    if field == "\"\"" { return "" }
    var result = String.UnicodeScalarView()
    var rest = field.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      guard rest.popFirst() == "u", rest.popFirst() == "{", let end = rest.firstIndex(of: "}"),
        let value = UInt32(Substring(rest[..<end]), radix: 16), let named = Unicode.Scalar(value)
      else { return nil }
      result.append(named)
      rest = rest[rest.index(after: end)...]
    }
    return String(result)
  }
}
