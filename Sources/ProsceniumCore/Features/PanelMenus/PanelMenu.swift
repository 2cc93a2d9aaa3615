/// The menu bar of a window, which a panel of the desktop may show in the window's place.
///
/// `MenuBar` of `ProsceniumUI` is one. Everything is called on the main thread, only while a panel is there that wants
/// menu bars (on the session bus `com.canonical.AppMenu.Registrar`), and never within another callback.
@MainActor public protocol PanelMenu: AnyObject {
  /// The menus of the bar, with all that is in them, as they are known now.
  ///
  /// Read when the panel comes, after ``Window/setNeedsPanelMenuUpdate()``, and after
  /// ``panelMenuWillShow(_:)``. Only what has changed is told to the panel.
  var panelMenuItems: [PanelMenuItem] { get }

  /// The panel is about to show what is in a menu: its items are completed for the present state of things.
  /// - Parameter item: The number of the menu; 0 for the bar.
  func panelMenuWillShow(_ item: Int)

  /// The user has chosen an item in the panel.
  ///
  /// Called only where the user could use the window: it is shown, its scene is in the foreground, and no alert is
  /// above it.
  /// - Parameter item: The number of the item.
  func panelMenuPerform(_ item: Int)

  /// Whether the panel shows the bar; set by the framework. The window hides its own meanwhile.
  var isShownByPanel: Bool { get set }
}

/// A ``WindowContent``, or a ``Window`` that draws by its own means, with a menu bar for the panel.
@MainActor public protocol PanelMenuContainer: AnyObject {
  /// The menu bar of the window; nil for none.
  var panelMenu: (any PanelMenu)? { get }
}

extension Window {
  /// Says that the window has a menu bar now, has another one, or that what is in it has changed.
  ///
  /// A panel is looked for from the first such call on. Without one nothing is read.
  public func setNeedsPanelMenuUpdate() {
    Application.sharedIfLaunched?.conductor?.feature(PanelMenus.self)?.setNeedsUpdate(self)
  }

  /// Has the panel that shows the window's menu bar open one of its menus; does nothing without one.
  /// - Parameter item: The number of the menu in ``PanelMenu/panelMenuItems``.
  public func openPanelMenu(_ item: Int) {
    Application.sharedIfLaunched?.conductor?.feature(PanelMenus.self)?.open(item, of: self)
  }

  /// The window's menu bar for a panel.
  var panelMenu: (any PanelMenu)? {
    (content as? any PanelMenuContainer ?? self as? any PanelMenuContainer)?.panelMenu
  }
}
