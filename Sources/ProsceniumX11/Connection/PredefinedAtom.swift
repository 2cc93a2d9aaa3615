import CXCB

/// Predefined atoms (X protocol, appendix A).
enum PredefinedAtom {
  static let any = XCB_ATOM_ANY.rawValue
  static let primary = XCB_ATOM_PRIMARY.rawValue
  static let atom = XCB_ATOM_ATOM.rawValue
  static let cardinal = XCB_ATOM_CARDINAL.rawValue
  static let integer = XCB_ATOM_INTEGER.rawValue
  static let resourceManager = XCB_ATOM_RESOURCE_MANAGER.rawValue
  static let string = XCB_ATOM_STRING.rawValue
  static let window = XCB_ATOM_WINDOW.rawValue
  static let wmClientMachine = XCB_ATOM_WM_CLIENT_MACHINE.rawValue
  static let wmHints = XCB_ATOM_WM_HINTS.rawValue
  static let wmName = XCB_ATOM_WM_NAME.rawValue
  static let wmNormalHints = XCB_ATOM_WM_NORMAL_HINTS.rawValue
  static let wmSizeHints = XCB_ATOM_WM_SIZE_HINTS.rawValue
  static let wmClass = XCB_ATOM_WM_CLASS.rawValue
  static let wmTransientFor = XCB_ATOM_WM_TRANSIENT_FOR.rawValue
}
