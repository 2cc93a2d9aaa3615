/// The atoms that the platform uses.
///
/// Every one is here, and none is interned anywhere else.
enum AtomName: String, CaseIterable, Sendable {
  // Interned at start: what windows are created with, and what tells that there is a window manager.
  case wmProtocols = "WM_PROTOCOLS"
  case wmDeleteWindow = "WM_DELETE_WINDOW"
  case wmState = "WM_STATE"
  case wmClientLeader = "WM_CLIENT_LEADER"
  case wmWindowRole = "WM_WINDOW_ROLE"
  case utf8String = "UTF8_STRING"
  case netSupported = "_NET_SUPPORTED"
  case netSupportingWMCheck = "_NET_SUPPORTING_WM_CHECK"
  case netWMName = "_NET_WM_NAME"
  case netWMPing = "_NET_WM_PING"
  case netWMPID = "_NET_WM_PID"
  case netWMUserTime = "_NET_WM_USER_TIME"
  case managerSelection = "WM_S"
  case compositorSelection = "_NET_WM_CM_S"

  // Interned when a window manager is there, or turns up: nothing of it is needed without one.
  case wmChangeState = "WM_CHANGE_STATE"
  case netWMState = "_NET_WM_STATE"
  case netWMStateHidden = "_NET_WM_STATE_HIDDEN"
  case netWMStateFullScreen = "_NET_WM_STATE_FULLSCREEN"
  case netWMStateMaximizedHorizontally = "_NET_WM_STATE_MAXIMIZED_HORZ"
  case netWMStateMaximizedVertically = "_NET_WM_STATE_MAXIMIZED_VERT"
  case netWMStateShaded = "_NET_WM_STATE_SHADED"
  case netWMStateAbove = "_NET_WM_STATE_ABOVE"
  case netWMStateSticky = "_NET_WM_STATE_STICKY"
  case netWMDesktop = "_NET_WM_DESKTOP"
  case netCurrentDesktop = "_NET_CURRENT_DESKTOP"
  case netShowingDesktop = "_NET_SHOWING_DESKTOP"
  case netActiveWindow = "_NET_ACTIVE_WINDOW"
  case netWMSyncRequest = "_NET_WM_SYNC_REQUEST"
  case netWMSyncRequestCounter = "_NET_WM_SYNC_REQUEST_COUNTER"
  case netWMWindowType = "_NET_WM_WINDOW_TYPE"
  case netWMWindowTypeNormal = "_NET_WM_WINDOW_TYPE_NORMAL"
  case netWMWindowTypeDialog = "_NET_WM_WINDOW_TYPE_DIALOG"
  case netWMAllowedActions = "_NET_WM_ALLOWED_ACTIONS"
  case netWMActionMinimize = "_NET_WM_ACTION_MINIMIZE"
  case netWMActionMaximizeHorizontally = "_NET_WM_ACTION_MAXIMIZE_HORZ"
  case netWMActionMaximizeVertically = "_NET_WM_ACTION_MAXIMIZE_VERT"
  case netWMActionFullScreen = "_NET_WM_ACTION_FULLSCREEN"
  case netWMActionMove = "_NET_WM_ACTION_MOVE"
  case netWMActionResize = "_NET_WM_ACTION_RESIZE"
  case netWMIcon = "_NET_WM_ICON"

  // Interned when they are needed, if ever.
  case netStartupID = "_NET_STARTUP_ID"
  case netStartupInfo = "_NET_STARTUP_INFO"
  case netStartupInfoBegin = "_NET_STARTUP_INFO_BEGIN"
  case xkbRulesNames = "_XKB_RULES_NAMES"
  case smClientID = "SM_CLIENT_ID"
  case settingsSelection = "_XSETTINGS_S"
  case settings = "_XSETTINGS_SETTINGS"

  // Interned when somebody wants to know what panels leave of the screens.
  case netWorkArea = "_NET_WORKAREA"
  case gtkWorkAreas = "_GTK_WORKAREAS"
  case netClientList = "_NET_CLIENT_LIST"
  case netWMStrutPartial = "_NET_WM_STRUT_PARTIAL"
  case netWMStrut = "_NET_WM_STRUT"

  // Interned when something is copied or pasted (ICCCM 2.6). MIME types are the programs' own names, and with the
  // pasteboard.
  case clipboard = "CLIPBOARD"
  case targets = "TARGETS"
  case multiple = "MULTIPLE"
  case timestamp = "TIMESTAMP"
  case incremental = "INCR"
  case atomPair = "ATOM_PAIR"
  /// The property that owners write their answers to.
  case transfer = "PROSCENIUM_TRANSFER"

  static let atStart: [AtomName] = [
    .wmProtocols, .wmDeleteWindow, .wmState, .wmClientLeader, .wmWindowRole, .utf8String, .netSupported,
    .netSupportingWMCheck, .netWMName, .netWMPing, .netWMPID, .netWMUserTime, .managerSelection,
    .compositorSelection,
    // What a window manager reads once, when it first sees a window.
    .netWMState, .netWMDesktop, .netWMStateFullScreen, .netWMStateMaximizedHorizontally, .netWMStateMaximizedVertically,
    .netWMStateAbove, .netWMStateSticky, .netWMSyncRequest, .netWMSyncRequestCounter, .netWMWindowType,
    .netWMWindowTypeNormal,
    .netWMWindowTypeDialog, .netWMIcon,
  ]
  static let forManager: [AtomName] = [
    .wmChangeState, .netWMStateHidden, .netWMStateShaded, .netCurrentDesktop, .netShowingDesktop,
    .netActiveWindow, .netWMAllowedActions, .netWMActionMinimize, .netWMActionMaximizeHorizontally,
    .netWMActionMaximizeVertically, .netWMActionFullScreen, .netWMActionMove, .netWMActionResize,
  ]
  static let forWorkAreas: [AtomName] = [
    .netWorkArea, .gtkWorkAreas, .netClientList, .netWMStrutPartial, .netWMStrut,
  ]
  static let forSelections: [AtomName] = [
    .clipboard, .targets, .multiple, .timestamp, .incremental, .atomPair, .transfer,
  ]
  static let forSettings: [AtomName] = [.settingsSelection, .settings]
  static let forStartup: [AtomName] = [.netStartupID, .netStartupInfo, .netStartupInfoBegin]

  /// The name as the server knows it; selections of a screen carry its number (ICCCM 2.8, EWMH "Compositing").
  func spelling(screen: Int) -> String {
    switch self {
    case .managerSelection, .compositorSelection, .settingsSelection: rawValue + "\(screen)"
    case _: rawValue
    }
  }
}

/// Predefined atoms (X protocol, appendix A).
enum PredefinedAtom {
  static let any: UInt32 = 0
  static let primary: UInt32 = 1
  static let atom: UInt32 = 4
  static let cardinal: UInt32 = 6
  static let integer: UInt32 = 19
  static let resourceManager: UInt32 = 23
  static let string: UInt32 = 31
  static let window: UInt32 = 33
  static let wmClientMachine: UInt32 = 36
  static let wmHints: UInt32 = 35
  static let wmName: UInt32 = 39
  static let wmNormalHints: UInt32 = 40
  static let wmSizeHints: UInt32 = 41
  static let wmClass: UInt32 = 67
  static let wmTransientFor: UInt32 = 68
}

/// The numbers of the atoms, as far as they are known yet.
struct Atoms {
  private var values: [AtomName: UInt32] = [:]
  private var names: [UInt32: AtomName] = [:]

  /// The atom's number; 0, which no property, type or message has, until the server has said it.
  subscript(_ name: AtomName) -> UInt32 { values[name] ?? 0 }

  func name(of atom: UInt32) -> AtomName? { names[atom] }

  mutating func set(_ name: AtomName, _ atom: UInt32) {
    guard atom != 0 else { return }
    values[name] = atom
    names[atom] = name
  }
}
