/// The atoms that the platform uses, by name.
enum AtomName: String, CaseIterable, Sendable {
  // Interned at start: those of new windows, and those that show a window manager.
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
  // Read by a window manager once, when it first sees a window.
  case netWMState = "_NET_WM_STATE"
  case netWMDesktop = "_NET_WM_DESKTOP"
  case netWMStateFullScreen = "_NET_WM_STATE_FULLSCREEN"
  case netWMStateMaximizedHorizontally = "_NET_WM_STATE_MAXIMIZED_HORZ"
  case netWMStateMaximizedVertically = "_NET_WM_STATE_MAXIMIZED_VERT"
  case netWMStateAbove = "_NET_WM_STATE_ABOVE"
  case netWMStateSticky = "_NET_WM_STATE_STICKY"
  case netWMSyncRequest = "_NET_WM_SYNC_REQUEST"
  case netWMSyncRequestCounter = "_NET_WM_SYNC_REQUEST_COUNTER"
  case netWMWindowType = "_NET_WM_WINDOW_TYPE"
  case netWMWindowTypeNormal = "_NET_WM_WINDOW_TYPE_NORMAL"
  case netWMWindowTypeDialog = "_NET_WM_WINDOW_TYPE_DIALOG"
  case netWMIcon = "_NET_WM_ICON"

  // Interned when a window manager runs or starts.
  case wmChangeState = "WM_CHANGE_STATE"
  case netWMStateHidden = "_NET_WM_STATE_HIDDEN"
  case netWMStateShaded = "_NET_WM_STATE_SHADED"
  case netCurrentDesktop = "_NET_CURRENT_DESKTOP"
  case netShowingDesktop = "_NET_SHOWING_DESKTOP"
  case netActiveWindow = "_NET_ACTIVE_WINDOW"
  case netWMAllowedActions = "_NET_WM_ALLOWED_ACTIONS"
  case netWMActionMinimize = "_NET_WM_ACTION_MINIMIZE"
  case netWMActionMaximizeHorizontally = "_NET_WM_ACTION_MAXIMIZE_HORZ"
  case netWMActionMaximizeVertically = "_NET_WM_ACTION_MAXIMIZE_VERT"
  case netWMActionFullScreen = "_NET_WM_ACTION_FULLSCREEN"
  case netWMActionMove = "_NET_WM_ACTION_MOVE"
  case netWMActionResize = "_NET_WM_ACTION_RESIZE"
  case netRequestFrameExtents = "_NET_REQUEST_FRAME_EXTENTS"
  case netFrameExtents = "_NET_FRAME_EXTENTS"

  // Interned when they are first needed.
  case netStartupID = "_NET_STARTUP_ID"
  case netStartupInfo = "_NET_STARTUP_INFO"
  case netStartupInfoBegin = "_NET_STARTUP_INFO_BEGIN"
  case settingsSelection = "_XSETTINGS_S"
  case settings = "_XSETTINGS_SETTINGS"
  /// Interned when a window first gets the focus, so that the first key waits for one answer only.
  case xkbRulesNames = "_XKB_RULES_NAMES"
  case smClientID = "SM_CLIENT_ID"
  /// Interned with the first window of another toolkit.
  case netMoveResizeWindow = "_NET_MOVERESIZE_WINDOW"

  // Interned when the program asks for visible frames of screens.
  case netWorkArea = "_NET_WORKAREA"
  case gtkWorkAreas = "_GTK_WORKAREAS"
  case netClientList = "_NET_CLIENT_LIST"
  case netWMStrutPartial = "_NET_WM_STRUT_PARTIAL"
  case netWMStrut = "_NET_WM_STRUT"

  // Interned when a pop-up is first shown.
  case netWMWindowTypePopUpMenu = "_NET_WM_WINDOW_TYPE_POPUP_MENU"
  case netWMWindowTypeDropDownMenu = "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU"
  case netWMWindowTypeToolTip = "_NET_WM_WINDOW_TYPE_TOOLTIP"
  case netWMWindowTypeDrag = "_NET_WM_WINDOW_TYPE_DND"

  // Interned when the desktop is shown.
  case netClientListStacking = "_NET_CLIENT_LIST_STACKING"
  case netWMWindowTypeDesktop = "_NET_WM_WINDOW_TYPE_DESKTOP"

  // Interned when the settings are followed: xscreensaver's property, and its word for a locked screen.
  case screenSaverStatus = "_SCREENSAVER_STATUS"
  case screenLocked = "LOCK"

  // Interned when the program copies or pastes (ICCCM 2.6); the names of MIME types are the pasteboard's own.
  case clipboard = "CLIPBOARD"
  case targets = "TARGETS"
  case multiple = "MULTIPLE"
  case timestamp = "TIMESTAMP"
  case incremental = "INCR"
  case atomPair = "ATOM_PAIR"
  /// The property that owners write their answers to.
  case transfer = "PROSCENIUM_TRANSFER"

  // Interned when the first window takes drops, and when a drag begins, which has some of its own (XDND 5, XDS).
  case xdndAware = "XdndAware"
  case xdndSelection = "XdndSelection"
  case xdndTypeList = "XdndTypeList"
  case xdndEnter = "XdndEnter"
  case xdndPosition = "XdndPosition"
  case xdndStatus = "XdndStatus"
  case xdndLeave = "XdndLeave"
  case xdndDrop = "XdndDrop"
  case xdndFinished = "XdndFinished"
  case xdndActionCopy = "XdndActionCopy"
  case xdndActionMove = "XdndActionMove"
  case xdndProxy = "XdndProxy"
  case xdndDirectSave = "XdndDirectSave0"
  /// Interned when something has been moved, too (ICCCM 2.6.3.1).
  case delete = "DELETE"
  case null = "NULL"

  static let atStart = cases(from: .wmProtocols, before: .wmChangeState)
  static let forManager = cases(from: .wmChangeState, before: .netStartupID)
  static let forStartup = cases(from: .netStartupID, before: .settingsSelection)
  static let forSettings = cases(from: .settingsSelection, before: .xkbRulesNames)
  static let forWorkAreas = cases(from: .netWorkArea, before: .netWMWindowTypePopUpMenu)
  static let forPopUps = cases(from: .netWMWindowTypePopUpMenu, before: .netClientListStacking)
  static let forShowingDesktop = [.netClientList] + cases(from: .netClientListStacking, before: .screenSaverStatus)
  static let forLockers = [.netClientList] + cases(from: .screenSaverStatus, before: .clipboard)
  static let forSelections = cases(from: .clipboard, before: .xdndAware)
  static let forDrops = cases(from: .xdndAware, before: .xdndProxy)
  static let forDrags = cases(from: .xdndAware, before: nil)

  private static func cases(from first: AtomName, before next: AtomName?) -> [AtomName] {
    Array(allCases.drop { $0 != first }.prefix { $0 != next })
  }

  /// The name as the server knows it; selections of a screen carry its number (ICCCM 2.8, EWMH "Compositing").
  func spelling(screen: Int) -> String {
    switch self {
    case .managerSelection, .compositorSelection, .settingsSelection: rawValue + "\(screen)"
    case _: rawValue
    }
  }
}
