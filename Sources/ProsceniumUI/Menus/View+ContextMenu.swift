import ProsceniumCore

/// The menus of views: opened by the right button, and by the Menu key or Shift and F10.
extension ViewTree {
  /// Opens the menu of the view at a press, or of the nearest superview that has one.
  func openContextMenu(for view: View?, _ event: Event) {
    for view in view.map({ Array($0.selfAndSuperviews) }) ?? [] {
      guard let point = event.location(in: view), let menu = view.contextMenu(at: point) else { continue }
      MenuSession.open(
        menu, for: view, at: Rect(point, Size(width: 0, height: 0)), kind: .menu, from: view, press: event)
      return
    }
  }

  /// Opens the menu of the view that gets keys, or of the nearest superview that has one.
  /// - Returns: Whether there is one.
  func openContextMenu() -> Bool {
    for view in (window?.firstResponder as? View ?? root).map({ Array($0.selfAndSuperviews) }) ?? [] {
      let point = view.contextMenuPoint
      guard let menu = view.contextMenu(at: point) else { continue }
      MenuSession.open(
        menu, for: view, at: Rect(point, Size(width: 0, height: 0)), kind: .menu, from: view, byKey: true)
      return true
    }
    return false
  }
}
