public import ProsceniumCore

/// A panel of the desktop that shows menu bars in place of their windows, in memory: ``HeadlessMachine/menuPanel``.
@MainActor public final class HeadlessMenuPanel: PanelMenuService {
  private unowned let machine: HeadlessMachine
  /// Whether it is there; false at first, and the same in later processes.
  public private(set) var isThere = false
  /// Whether the process has asked for it.
  private(set) var isFollowed = false
  private var menus: [WindowID: [PanelMenuItem]] = [:]
  /// How often the process has shown a menu bar, or something else in it.
  private(set) var publications = 0
  /// The menus that the program has had opened (`Window.openPanelMenu(_:)`), by their numbers.
  public private(set) var opened: [Int] = []
  /// The menus that the process has completed.
  private(set) var completed: [Int] = []

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Starts the panel: programs show it the menu bars of their windows from now on.
  public func start() { set(isThere: true) }

  /// Ends the panel: windows have their menu bars back.
  public func stop() { set(isThere: false) }

  private func set(isThere: Bool) {
    self.isThere = isThere
    if !isThere { menus = [:] }
    if isFollowed { machine.post(.panelMenu(.panel(isThere: isThere))) }
  }

  /// The menu bar of a window, as the panel knows it; nil where the panel has none.
  /// - Parameter window: The window.
  /// - Returns: The menus.
  public func menus(of window: Window) -> [PanelMenuItem]? { window.id.flatMap { menus[$0] } }

  /// The user opens a menu of the panel, which the program completes before.
  /// - Parameters:
  ///   - item: The number of the menu.
  ///   - window: The window.
  public func open(_ item: Int, of window: Window) {
    if let id = window.id { machine.post(.panelMenu(.willShow(id, item: item))) }
  }

  /// The user chooses an item in the panel.
  /// - Parameters:
  ///   - item: The number of the item.
  ///   - window: The window.
  public func choose(_ item: Int, of window: Window) {
    if let id = window.id { machine.post(.panelMenu(.chosen(id, item: item, time: 0))) }
  }

  // MARK: The process' side

  /// Another process begins, which has asked for nothing.
  func forgetProcess() { (isFollowed, menus, publications, opened, completed) = (false, [:], 0, [], []) }

  package func follow() {
    isFollowed = true
    if isThere { machine.post(.panelMenu(.panel(isThere: true))) }
  }

  package func show(_ items: [PanelMenuItem], of window: WindowID) {
    publications += 1
    guard menus.updateValue(items, forKey: window) == nil else { return }
    machine.post(.panelMenu(.accepted(window)))
  }

  package func withdraw(_ window: WindowID) { menus[window] = nil }
  package func isComplete(_ item: Int, of window: WindowID) { completed.append(item) }
  package func open(_ item: Int, of window: WindowID) { opened.append(item) }
}

extension HeadlessSource: PanelMenuProvider {
  var panelMenus: any PanelMenuService { machine.menuPanel }
}
