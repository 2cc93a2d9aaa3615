import ProsceniumCore

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What a window heard, written as in a laboratory's notebook: `+H V2 Unmap S3 fUnmap FI(N/Nl)`.
///
/// Map/Unmap the window, fMap/fUnmap its frame, S0...S3 and S- `WM_STATE`, +H/-H HIDDEN, +HH and +HHH the same more
/// than once, =H HIDDEN found, ~H a change of `_NET_WM_STATE` announced, V0...V2 Visibility, D0...D9 and D*
/// `_NET_WM_DESKTOP`, R/F reparented to the root/to a frame, off/on moved off and onto the screen, FI/FO focus events,
/// K a key, E Expose, C0...C9 the current desktop, +show/-show showing desktop, WM+name/WM- the window manager,
/// listsH/lacksH whether that supports HIDDEN, due the desktop rule's moment, `[viewable]` and `[unviewable]` the
/// answer about the frames, +desk/-desk the desktop's own window above it or not.
enum Shorthand {
  static let frame: UInt32 = 0xF0
  static let root: UInt32 = 0x1
  static let onScreen = Rect(x: 10, y: 10, width: 640, height: 480)
  static let offScreen = Rect(x: -1152, y: 10, width: 640, height: 480)
  static let monitor = Rect(x: 0, y: 0, width: 1152, height: 900)

  static func entries(_ text: String, window: UInt32 = 0xA) -> [WindowLog.Entry] {
    text.split(separator: " ").map { token in
      if let signal = rootSignal(String(token)) { return .root(signal) }
      guard let signal = signal(String(token)) else { preconditionFailure("no such shorthand: \(token)") }
      return .window(WindowID(rawValue: window), signal)
    }
  }

  /// A window under a window manager: framed or not, visible, focused, on desktop 0 of one monitor.
  static func shown(_ name: String?, framed: Bool, monitors: Int = 1, window: UInt32 = 0xA) -> [WindowLog.Entry] {
    let monitors: [WindowLog.Entry] = [.root(.monitors(Array(repeating: monitor, count: monitors)))]
    let manager: [WindowLog.Entry] = [.root(.windowManager(present: true, name: name))]
    return monitors + manager
      + entries("C0 Create Show \(framed ? "F [viewable] " : "")Map S1 -H D0 on V0 FI(N/Nl)", window: window)
  }

  private static func rootSignal(_ token: String) -> RootSignal? {
    switch token {
    case "listsH": return .supports(activeWindow: true, hidden: true)
    case "lacksH": return .supports(activeWindow: true, hidden: false)
    case "+show": return .showingDesktop(true)
    case "-show": return .showingDesktop(false)
    case "WM-": return .windowManager(present: false, name: nil)
    case "due": return .workspaceRuleDue
    default: break
    }
    if token.hasPrefix("WM+") { return .windowManager(present: true, name: String(token.dropFirst(3))) }
    if token.first == "C", let root = UInt32(token.dropFirst()) { return .currentWorkspace(root) }
    return nil
  }

  private static func signal(_ token: String) -> WindowSignal? {
    switch token {
    case "Create": return .created(onScreen)
    case "Show": return .showRequested
    case "Withdraw": return .withdrawn
    case "Map": return .mapped
    case "Unmap": return .unmapped
    case "Destroy": return .destroyed
    case "fMap": return .ancestorMapped(frame)
    case "fUnmap": return .ancestorUnmapped(frame)
    case "R": return .reparented(parent: root, parentIsRoot: true)
    case "F": return .reparented(parent: frame, parentIsRoot: false)
    case "[viewable]": return .ancestors([.init(window: frame, isMapped: true)])
    case "[unviewable]": return .ancestors([.init(window: frame, isMapped: false)])
    case "~H": return .netStateAnnounced
    case "+H": return .netState(.hidden)
    case "+HH": return .netState([.hidden, .hiddenTwice])
    case "+HHH": return .netState([.hidden, .hiddenTwice, .hiddenThrice])
    case "-H": return .netState([])
    case "=H": return .netStateFound(.hidden)
    case "+desk": return .desktopsAbove([monitor])
    case "-desk": return .desktopsAbove([])
    case "S-": return .wmState(nil)
    case "D*": return .workspace(0xFFFF_FFFF)
    case "off": return .configured(offScreen, isAbsolute: true)
    case "on": return .configured(onScreen, isAbsolute: true)
    case "K": return .keyPress
    case "E": return .exposed
    case "apart": return .redirected
    case "+cm": return .composited(true)
    case "-cm": return .composited(false)
    case "V0": return .visibility(.unobscured)
    case "V1": return .visibility(.partiallyObscured)
    case "V2": return .visibility(.fullyObscured)
    default: break
    }
    if token.first == "S", let state = UInt32(token.dropFirst()) { return .wmState(state) }
    if token.first == "D", let root = UInt32(token.dropFirst()) { return .workspace(root) }
    return focusSignal(token)
  }

  /// `FI(mode/detail)` or `FO(mode/detail)`.
  private static func focusSignal(_ token: String) -> WindowSignal? {
    let parts = token.dropFirst(3).dropLast().split(separator: "/").map(String.init)
    guard parts.count == 2, let mode = modes[parts[0]], let detail = details[parts[1]] else { return nil }
    return token.hasPrefix("FI(") ? .focusIn(mode, detail) : token.hasPrefix("FO(") ? .focusOut(mode, detail) : nil
  }

  private static let modes: [String: WindowSignal.Mode] = [
    "N": .normal, "Grab": .grab, "Ungrab": .ungrab, "WG": .whileGrabbed,
  ]
  private static let details: [String: WindowSignal.Detail] = [
    "An": .ancestor, "Vi": .virtual, "In": .inferior, "Nl": .nonlinear, "NlV": .nonlinearVirtual, "Pt": .pointer,
    "PR": .pointerRoot, "No": .none,
  ]
}

/// A window and its desktop, for tests that look at effects too.
struct Subject {
  var window = WindowModel()
  var root = RootModel()
  var windowEffects: [WindowModel.Effect] = []
  var rootEffects: [RootModel.Effect] = []

  init(_ entries: [WindowLog.Entry] = []) { take(entries) }

  mutating func take(_ text: String) { take(Shorthand.entries(text)) }

  mutating func take(_ entries: [WindowLog.Entry]) {
    for entry in entries {
      switch entry {
      case .window(_, let signal): windowEffects += window.apply(signal, root: root)
      case .root(let signal):
        let effects = root.apply(signal, windows: [window])
        rootEffects += effects
        if effects.contains(.discardManagerProperties) {
          windowEffects += window.apply(.windowManagerLost, root: root)
        }
      case .batch: break
      }
    }
  }

  var levels: WindowLevels { window.levels(root: root) }
}
