public import FoundationEssentials

/// A part of a menu bar that a panel of the desktop shows in place of the window: an item, a separator, or a menu.
public struct PanelMenuItem: Hashable, Sendable {
  /// What a part of a menu is.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// A command.
    case item
    /// A line between groups.
    case separator
    /// A menu of its own: ``PanelMenuItem/children``.
    case menu
  }

  /// The mark beside an item.
  public enum Mark: Hashable, Sendable, CaseIterable {
    /// No mark.
    case none
    /// A check mark.
    case on
    /// A dash.
    case mixed
  }

  /// Its number in the menu bar, 1...2,147,483,647, which it keeps as long as it is the same.
  public var id: Int
  /// What it is.
  public var kind: Kind
  /// The title with an underscore before its mnemonic; two underscores stand for one.
  public var titleWithMnemonic: String
  /// Whether it can be chosen.
  public var isEnabled = true
  /// The mark beside it.
  public var mark = Mark.none
  /// The keys that ask for the same, held first, by X's names: `Control`, `Shift`, `Alt`, `Super`, and `s` or `F11`.
  public var keys: [String] = []
  /// The picture beside it, as a PNG file; nil for none.
  public var picture: Data?
  /// What is in a menu, in order.
  public var children: [PanelMenuItem]

  /// Makes a part of a menu.
  /// - Parameters:
  ///   - id: Its number.
  ///   - kind: What it is.
  ///   - titleWithMnemonic: The title with an underscore before its mnemonic.
  ///   - children: What is in a menu.
  public init(_ id: Int, _ kind: Kind = .item, titleWithMnemonic: String = "", children: [PanelMenuItem] = []) {
    self.id = id
    self.kind = kind
    self.titleWithMnemonic = titleWithMnemonic
    self.children = children
  }
}

/// Shows menu bars in a panel of the desktop environment.
@MainActor package protocol PanelMenuService: AnyObject {
  /// Finds out from now on whether there is such a panel: ``PanelMenuEvent/panel(isThere:)``.
  func follow()
  /// Has the panel show a menu bar for a window, or shows what has changed in it.
  func show(_ items: [PanelMenuItem], of window: WindowID)
  /// The window has no menu bar for the panel any more.
  func withdraw(_ window: WindowID)
  /// What is in a menu is complete, as ``PanelMenuEvent/willShow(_:item:)`` has asked for.
  func isComplete(_ item: Int, of window: WindowID)
  /// Has the panel open a menu.
  func open(_ item: Int, of window: WindowID)
}

/// A source of events that has such a service.
@MainActor package protocol PanelMenuProvider: SystemSource {
  var panelMenus: any PanelMenuService { get }
}

/// What a panel does that shows menu bars.
package enum PanelMenuEvent: Hashable, Sendable {
  /// There is one, or there is none any more.
  case panel(isThere: Bool)
  /// It has accepted the menu bar of a window.
  case accepted(WindowID)
  /// It is about to show what is in a menu, 0 for the bar: that is completed now.
  case willShow(WindowID, item: Int)
  /// The user has chosen an item, at a time of the window system; 0 where that is not known.
  case chosen(WindowID, item: Int, time: UInt32)
}
