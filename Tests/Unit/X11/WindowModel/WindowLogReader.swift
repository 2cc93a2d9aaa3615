@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Reads the fields of one line of a log; total: whatever the line is, the answer is an entry or a reason.
struct WindowLogReader {
  struct Failure: Error {
    var reason: String
  }

  private var fields: ArraySlice<Substring>

  init(_ line: Substring) {
    fields = line.unicodeScalars.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map { Substring($0) }[...]
  }

  func peek() -> Substring? { fields.first }

  func end() throws(Failure) {
    if let field = fields.first { throw Failure(reason: "one field too many: \(field)") }
  }

  mutating func entry() throws(Failure) -> WindowLog.Entry {
    let first = try next("window")
    if first == "--" { return .batch }
    if first == "desktop" { return .root(try rootSignal()) }
    guard let window = Self.number(first) else { throw Failure(reason: "neither a window nor desktop: \(first)") }
    return .window(WindowID(rawValue: window), try windowSignal())
  }

  private mutating func windowSignal() throws(Failure) -> WindowSignal {
    let name = try next("signal")
    switch name {
    case "created": return .created(try rect())
    case "placed": return .placed
    case "unplaced": return .unplaced
    case "showRequested": return .showRequested
    case "withdrawn": return .withdrawn
    case "mapped": return .mapped
    case "unmapped": return .unmapped
    case "destroyed": return .destroyed
    case "reparented":
      return .reparented(parent: try unsigned(), parentIsRoot: try either("root", "frame"))
    case "ancestors": return .ancestors(try ancestors())
    case "ancestorMapped": return .ancestorMapped(try unsigned())
    case "ancestorUnmapped": return .ancestorUnmapped(try unsigned())
    case "ancestorReparented": return .ancestorReparented(try unsigned())
    case "ancestorDestroyed": return .ancestorDestroyed(try unsigned())
    case "wmState": return .wmState(try optional())
    case "netState": return .netState(try netState())
    case "netStateAnnounced": return .netStateAnnounced
    case "netStateFound": return .netStateFound(try netState())
    case "desktop": return .workspace(try optional())
    case "desktopsAbove": return .desktopsAbove(try rects())
    case "configured": return .configured(try rect(), isAbsolute: try either("absolute", "relative"))
    case "translated": return .translated(Point(x: try integer(), y: try integer()))
    case "focusIn": return .focusIn(try value(), try value())
    case "focusOut": return .focusOut(try value(), try value())
    case "enter": return .enter(try value(), try value(), focus: try either("yes", "no"))
    case "leave": return .leave(try value(), try value(), focus: try either("yes", "no"))
    case "visibility": return .visibility(try value())
    case "redirected": return .redirected
    case "composited": return .composited(try either("yes", "no"))
    case "keyPress": return .keyPress
    case "exposed": return .exposed
    case "windowManagerLost": return .windowManagerLost
    case "restedBriefly": return .restedBriefly
    case "rested": return .rested
    default: throw Failure(reason: "no such signal of a window: \(name)")
    }
  }

  private mutating func rootSignal() throws(Failure) -> RootSignal {
    let name = try next("signal")
    switch name {
    case "windowManager": return .windowManager(present: try either("present", "absent"), name: try string())
    case "windowManagerChanged":
      guard let cause = try string() else { throw Failure(reason: "a cause is missing") }
      return .windowManagerChanged(cause: cause)
    case "windowManagerSettled": return .windowManagerSettled
    case "supports":
      return .supports(activeWindow: try either("yes", "no"), hidden: try either("yes", "no"))
    case "currentDesktop": return .currentWorkspace(try optional())
    case "showingDesktop": return .showingDesktop(try either("yes", "no"))
    case "monitors": return .monitors(try rects())
    case "desktopRuleDue": return .workspaceRuleDue
    default: throw Failure(reason: "no such signal of the desktop: \(name)")
    }
  }

  private mutating func next(_ what: String) throws(Failure) -> Substring {
    guard let field = fields.popFirst() else { throw Failure(reason: "a \(what) is missing") }
    return field
  }

  private mutating func integer() throws(Failure) -> Int {
    let field = try next("number")
    guard let value = Int(field) else { throw Failure(reason: "not a number: \(field)") }
    return value
  }

  private mutating func unsigned() throws(Failure) -> UInt32 {
    let field = try next("number")
    guard let value = Self.number(field) else { throw Failure(reason: "not a 32-bit number: \(field)") }
    return value
  }

  private mutating func optional() throws(Failure) -> UInt32? {
    guard fields.first == "-" else { return try unsigned() }
    fields.removeFirst()
    return nil
  }

  private mutating func rects() throws(Failure) -> [Rect] {
    var rects: [Rect] = []
    while !fields.isEmpty { rects.append(try rect()) }
    return rects
  }

  private mutating func rect() throws(Failure) -> Rect {
    Rect(x: try integer(), y: try integer(), width: try integer(), height: try integer())
  }

  private mutating func either(_ yes: String, _ no: String) throws(Failure) -> Bool {
    let field = try next("\(yes) or \(no)")
    if field == yes { return true }
    if field == no { return false }
    throw Failure(reason: "neither \(yes) nor \(no): \(field)")
  }

  private mutating func value<Value: CaseIterable>() throws(Failure) -> Value {
    let field = try next("value")
    guard let value = Value.allCases.first(where: { "\($0)" == field }) else {
      throw Failure(reason: "no such value: \(field)")
    }
    return value
  }

  private mutating func string() throws(Failure) -> String? {
    let field = try next("name")
    if field == "-" { return nil }
    guard let text = WindowLogWriter.unescape(field) else { throw Failure(reason: "a bad escape: \(field)") }
    return text
  }

  private mutating func netState() throws(Failure) -> WindowSignal.NetState? {
    let field = try next("state")
    if field == "-" { return nil }
    if field == "none" { return [] }
    if let value = Self.number(field).flatMap(UInt8.init(exactly:)) { return WindowSignal.NetState(rawValue: value) }
    var state: WindowSignal.NetState = []
    for part in field.split(separator: ",", omittingEmptySubsequences: false) {
      guard let known = WindowLogWriter.netStates.first(where: { $0.1 == part }) else {
        throw Failure(reason: "no such state: \(part)")
      }
      state.insert(known.0)
    }
    return state
  }

  private mutating func ancestors() throws(Failure) -> [WindowSignal.Ancestor] {
    var ancestors: [WindowSignal.Ancestor] = []
    while let field = fields.popFirst() {
      let parts = field.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let window = Self.number(parts[0]), parts[1] == "mapped" || parts[1] == "unmapped" else {
        throw Failure(reason: "not a frame: \(field)")
      }
      ancestors.append(.init(window: window, isMapped: parts[1] == "mapped"))
    }
    return ancestors
  }

  private static func number(_ field: Substring) -> UInt32? {
    field.hasPrefix("0x") ? UInt32(field.dropFirst(2), radix: 16) : UInt32(field)
  }
}
