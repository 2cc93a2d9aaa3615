/// An action of the user, a pager or another program on windows.
package enum DeskAction: String, CaseIterable, Sendable {
  case focusFirst, focusSecond, iconify, switchDesktop, sendToDesktop, showDesktop, cover, grabShortly, grabForLong
  /// The window manager is killed, and started again.
  case restartManager
  /// The first window's close button.
  case close

  /// In words.
  package var title: String {
    switch self {
    case .focusFirst: "focus the first"
    case .focusSecond: "focus the second"
    case .iconify: "iconify, restore"
    case .switchDesktop: "switch desktop and back"
    case .sendToDesktop: "send to desktop and back"
    case .showDesktop: "show desktop"
    case .cover: "cover"
    case .grabShortly: "short grab"
    case .grabForLong: "long grab"
    case .restartManager: "kill and start the manager"
    case .close: "close one"
    }
  }
}
