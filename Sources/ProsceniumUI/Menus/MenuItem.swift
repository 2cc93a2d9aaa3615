public import ProsceniumCore

/// A part of a menu: an item, or a menu within it.
@preconcurrency @MainActor open class MenuElement {
  /// The title; setting it removes the mnemonic.
  public final var title: String {
    get { content.text }
    set { content = MarkedText(plain: newValue) }
  }
  /// The title with an underscore before its mnemonic, which is underlined.
  ///
  /// That is the letter that chooses an item, or opens a submenu, of an open menu; with Alt it opens a menu of a
  /// ``MenuBar``. Two underscores stand for one.
  public final var titleWithMnemonic: String {
    get { content.marked }
    set { content = MarkedText(newValue) }
  }
  final var content: MarkedText { didSet { Responder.requireMainThread() } }
  /// The picture beside the title.
  public final var image: Image? { didSet { Responder.requireMainThread() } }

  init(_ title: String, _ image: Image?) {
    content = MarkedText(plain: title)
    self.image = image
  }
}

/// A command in a menu.
///
/// It calls a handler, or sends an action along the responder chain of the view that the menu is for: to the first
/// responder that performs it (`Responder.canPerformAction(_:withSender:)`). An item whose action nobody performs is
/// disabled. Before a menu is shown, a target that is a ``MenuValidating`` completes its items.
open class MenuItem: MenuElement {
  /// The mark beside an item.
  public enum State: Hashable, Sendable, CaseIterable {
    /// No mark.
    case off
    /// A check mark.
    case on
    /// A dash: on for a part of what it is about.
    case mixed
  }

  /// What is special about an item.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// The attributes as bits.
    public let rawValue: Int
    /// Creates attributes from bits.
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The item cannot be chosen.
    public static let disabled = Attributes(rawValue: 1 << 0)
    /// The item causes something that cannot be undone.
    public static let destructive = Attributes(rawValue: 1 << 1)
    /// The item is not shown; the keys of one in a ``MenuBar`` still perform it.
    public static let hidden = Attributes(rawValue: 1 << 2)
  }

  /// The mark.
  public final var state = State.off { didSet { Responder.requireMainThread() } }
  /// What is special about it.
  public final var attributes: Attributes {
    didSet {
      Responder.requireMainThread()
      own = nil
    }
  }
  /// Those that the program has set, where a target has completed the item since.
  private var own: Attributes?
  /// The keys that ask for the same; shown in the menu, and performed for the items of a ``MenuBar``.
  public final let keyEquivalent: KeyCommand?
  /// The action; nil for an item with a handler.
  public final let action: Action?
  private let handler: (@MainActor () -> Void)?

  /// Creates an item with a handler.
  /// - Parameters:
  ///   - title: The title.
  ///   - image: The picture beside it.
  ///   - attributes: What is special about it.
  ///   - state: The mark.
  ///   - handler: Called after the menu is dismissed, if this item was chosen.
  public init(
    _ title: String, image: Image? = nil, attributes: Attributes = [], state: State = .off,
    handler: @escaping @MainActor () -> Void
  ) {
    self.attributes = attributes
    self.state = state
    self.handler = handler
    action = nil
    keyEquivalent = nil
    super.init(title, image)
  }

  /// Creates an item that sends an action.
  /// - Parameters:
  ///   - title: The title.
  ///   - image: The picture beside it.
  ///   - attributes: What is special about it.
  ///   - action: The action; its sender is the item.
  public init(_ title: String, image: Image? = nil, attributes: Attributes = [], action: Action) {
    self.attributes = attributes
    self.action = action
    handler = nil
    keyEquivalent = nil
    super.init(title, image)
  }

  /// Creates an item for a key command: with its title, its keys and its action.
  /// - Parameters:
  ///   - command: The command.
  ///   - titleWithMnemonic: The title with an underscore before its mnemonic; the command's title where nil.
  ///   - image: The picture beside the title.
  ///   - attributes: What is special about it.
  public init(
    _ command: KeyCommand, titleWithMnemonic: String? = nil, image: Image? = nil, attributes: Attributes = []
  ) {
    self.attributes = attributes
    action = command.action
    handler = nil
    keyEquivalent = command
    super.init(command.title, image)
    if let titleWithMnemonic { self.titleWithMnemonic = titleWithMnemonic }
  }

  /// Creates an item with a mnemonic and a handler.
  /// - Parameters:
  ///   - titleWithMnemonic: The title with an underscore before its mnemonic.
  ///   - image: The picture beside it.
  ///   - attributes: What is special about it.
  ///   - state: The mark.
  ///   - handler: Called after the menu is dismissed, if this item was chosen.
  public convenience init(
    titleWithMnemonic: String, image: Image? = nil, attributes: Attributes = [], state: State = .off,
    handler: @escaping @MainActor () -> Void
  ) {
    self.init("", image: image, attributes: attributes, state: state, handler: handler)
    self.titleWithMnemonic = titleWithMnemonic
  }

  /// Creates an item with a mnemonic that sends an action.
  /// - Parameters:
  ///   - titleWithMnemonic: The title with an underscore before its mnemonic.
  ///   - image: The picture beside it.
  ///   - attributes: What is special about it.
  ///   - action: The action; its sender is the item.
  public convenience init(
    titleWithMnemonic: String, image: Image? = nil, attributes: Attributes = [], action: Action
  ) {
    self.init("", image: image, attributes: attributes, action: action)
    self.titleWithMnemonic = titleWithMnemonic
  }

  /// Whether it can be chosen.
  var isEnabled: Bool { !attributes.contains(.disabled) }

  /// Whether somebody performed its action when that was found out last.
  private(set) final var isPerformed = true

  /// Finds out whether somebody performs the item's action.
  /// - Returns: Whether the item can be chosen.
  func validate(from start: Responder?) -> Bool {
    guard let action else { return isEnabled }
    // What the last target made of them says nothing of the next one.
    if let own { attributes = own }
    let target = start?.target(forAction: action, withSender: self)
    isPerformed = target != nil
    guard let target else { return false }
    if let target = target as? any MenuValidating {
      let before = attributes
      target.validate(self)
      own = before
    }
    return isEnabled
  }

  func perform(from start: Responder?) {
    handler?()
    guard let action, let target = start?.target(forAction: action, withSender: self) else { return }
    Application.sharedIfLaunched?.sendAction(action, to: target, from: self)
  }
}

/// A menu: of items, of groups of them, and of menus that open beside it.
public final class Menu: MenuElement {
  /// How a menu within another one is shown.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int
    /// Creates options from bits.
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Its items are shown in place, between separators, without the title.
    public static let displayInline = Options(rawValue: 1 << 0)
  }

  /// How it is shown within another one.
  public let options: Options
  /// Its items, groups and submenus, in order.
  public var children: [MenuElement] { didSet { Responder.requireMainThread() } }

  /// Creates a menu.
  /// - Parameters:
  ///   - title: The title, for a submenu or a menu of a bar.
  ///   - image: The picture beside it.
  ///   - options: How it is shown within another menu.
  ///   - children: Its items, groups and submenus.
  public init(_ title: String = "", image: Image? = nil, options: Options = [], children: [MenuElement] = []) {
    self.options = options
    self.children = children
    super.init(title, image)
  }

  /// Creates a menu with a mnemonic.
  /// - Parameters:
  ///   - titleWithMnemonic: The title with an underscore before its mnemonic.
  ///   - image: The picture beside it.
  ///   - options: How it is shown within another menu.
  ///   - children: Its items, groups and submenus.
  public convenience init(
    titleWithMnemonic: String, image: Image? = nil, options: Options = [], children: [MenuElement] = []
  ) {
    self.init("", image: image, options: options, children: children)
    self.titleWithMnemonic = titleWithMnemonic
  }

  /// What is shown of it, row by row: groups in place between separators, hidden items left out; nil for a separator.
  var rows: [MenuElement?] {
    var rows: [MenuElement?] = []
    var endsGroup = false
    func add(_ element: MenuElement) {
      if endsGroup, !rows.isEmpty { rows.append(nil) }
      endsGroup = false
      rows.append(element)
    }
    for child in children {
      if let group = child as? Menu, group.options.contains(.displayInline) {
        endsGroup = true
        for row in group.rows { if let row { add(row) } else { endsGroup = true } }
        endsGroup = true
      } else if (child as? MenuItem)?.attributes.contains(.hidden) != true {
        add(child)
      }
    }
    return rows
  }

  /// All items, in submenus too.
  var items: [MenuItem] {
    children.flatMap { child in (child as? Menu)?.items ?? (child as? MenuItem).map { [$0] } ?? [] }
  }
}

/// A responder that completes the items whose actions it performs, before they are shown.
@preconcurrency @MainActor public protocol MenuValidating: Responder {
  /// Sets the title, the state and the attributes of an item for the present state of things.
  ///
  /// Before each call the item has the attributes that the program has set elsewhere. Items are told apart by the names
  /// of their actions, `item.action?.name == "sort"`, which are given for that: `Action(ListScene.sort, name: "sort")`.
  /// - Parameter item: The item.
  func validate(_ item: MenuItem)
}

extension KeyCommand {
  /// The keys as menus show them: `Ctrl+Shift+Z`.
  var keysTitle: String {
    let names: [(ModifierFlags, String)] = [
      (.control, "Ctrl"), (.alternate, "Alt"), (.command, "Super"), (.shift, "Shift"),
    ]
    let held = names.filter { modifiers.contains($0.0) }.map(\.1)
    return (held + [symbol == 0 ? input.uppercased() : symbolTitle]).joined(separator: "+")
  }

  private var symbolTitle: String {
    switch symbol {
    case KeySymbol.function(1)...KeySymbol.function(35): return "F\(symbol - KeySymbol.function(1) + 1)"
    case 0x21...0x7E, 0xA1...0xFF: return String(Character(UnicodeScalar(UInt8(symbol)))).uppercased()
    default: break
    }
    let names = [
      KeySymbol.space: "Space", KeySymbol.backspace: "Backspace", KeySymbol.tab: "Tab", KeySymbol.return: "Return",
      KeySymbol.escape: "Esc", KeySymbol.insert: "Ins", KeySymbol.delete: "Del", KeySymbol.home: "Home",
      KeySymbol.end: "End", KeySymbol.pageUp: "Page Up", KeySymbol.pageDown: "Page Down", KeySymbol.left: "Left",
      KeySymbol.up: "Up", KeySymbol.right: "Right", KeySymbol.down: "Down", KeySymbol.menu: "Menu",
    ]
    return names[symbol] ?? ""
  }
}
