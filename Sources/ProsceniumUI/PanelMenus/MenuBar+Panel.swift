import FoundationEssentials
public import ProsceniumCore

/// The numbers of the menus and items of a bar, as a panel knows them.
///
/// What is no part of the bar any more has lost its number, and no other element gets it.
@MainActor final class PanelMenuNumbers {
  private enum Key: Hashable {
    case element(ObjectIdentifier)
    /// Separators are no elements: they are counted in each menu.
    case separator(Int, Int)
  }

  private var numbers: [Key: Int] = [:]
  /// Held, so that no other element is where one was that is gone.
  private var elements: [Int: MenuElement] = [:]
  private var last = 0
  /// The pictures as files; made once.
  private var pictures: [Int: (image: Image, file: Data?)] = [:]
  /// The largest pictures that a panel gets, in pixels.
  private static let largest = 128

  subscript(number: Int) -> MenuElement? { elements[number] }

  func number(of element: MenuElement) -> Int? { numbers[.element(ObjectIdentifier(element))] }

  /// Describes menus, whose elements have numbers from now on; those of others are forgotten.
  func describe(_ menus: [Menu]) -> [PanelMenuItem] {
    let (oldNumbers, oldElements) = (numbers, elements)
    (numbers, elements) = ([:], [:])
    defer {
      withExtendedLifetime(oldElements) {}
      pictures = pictures.filter { elements[$0.key] != nil }
    }
    func number(_ key: Key, _ element: MenuElement?) -> Int {
      // One that is in two places has two numbers.
      let isNew = numbers[key] == nil
      let known = isNew ? oldNumbers[key] : nil
      if known == nil { last += 1 }
      let number = known ?? last
      if isNew { numbers[key] = number }
      elements[number] = element
      return number
    }
    func describe(_ element: MenuElement) -> PanelMenuItem {
      let own = number(.element(ObjectIdentifier(element)), element)
      guard let menu = element as? Menu else { return item(own, element) }
      var separators = 0
      let children = menu.rows.map { row in
        if let row { return describe(row) }
        separators += 1
        return PanelMenuItem(number(.separator(own, separators), nil), .separator)
      }
      var item = PanelMenuItem(own, .menu, titleWithMnemonic: menu.titleWithMnemonic, children: children)
      item.isEnabled = !children.isEmpty
      item.picture = picture(of: menu, own)
      return item
    }
    return menus.map(describe)
  }

  private func picture(of element: MenuElement, _ number: Int) -> Data? {
    guard let image = element.image, max(image.size.width, image.size.height) <= Self.largest else {
      pictures[number] = nil
      return nil
    }
    if let known = pictures[number], known.image === image { return known.file }
    let file = image.pngData().map { Data($0) }
    pictures[number] = (image, file)
    return file
  }

  private func item(_ number: Int, _ element: MenuElement) -> PanelMenuItem {
    var item = PanelMenuItem(number, titleWithMnemonic: element.titleWithMnemonic)
    item.picture = picture(of: element, number)
    guard let element = element as? MenuItem else { return item }
    item.isEnabled = element.isEnabled && element.isPerformed
    item.mark = element.state == .on ? .on : element.state == .mixed ? .mixed : .none
    item.keys = element.keyEquivalent?.panelKeys ?? []
    return item
  }
}

extension MenuBar: PanelMenu {
  /// The menus, with the items as they were validated last.
  public var panelMenuItems: [PanelMenuItem] { panelNumbers.describe(menus) }

  /// Validates the items of the menu, as before each showing.
  public func panelMenuWillShow(_ item: Int) {
    // The bar shows titles alone, which are not validated.
    guard let menu = panelNumbers[item] as? Menu else { return }
    for case let item as MenuItem in menu.rows { _ = item.validate(from: actionStart) }
  }

  /// Performs an item as if it was chosen in the window.
  public func panelMenuPerform(_ item: Int) {
    guard let item = panelNumbers[item] as? MenuItem, item.validate(from: actionStart) else { return }
    item.perform(from: actionStart)
  }

  /// Whether the panel shows the bar, which is hidden meanwhile.
  public var isShownByPanel: Bool {
    get { isWithPanel }
    set {
      session?.end()
      isWithPanel = newValue
    }
  }

  /// Has the panel open a menu, where it shows the bar.
  /// - Returns: Whether it does.
  func openInPanel(_ index: Int) -> Bool {
    guard isWithPanel, menus.indices.contains(index), let number = panelNumbers.number(of: menus[index]) else {
      return false
    }
    window?.openPanelMenu(number)
    return true
  }
}

extension ViewTree: PanelMenuContainer {
  var panelMenu: (any PanelMenu)? {
    menuBar.flatMap { $0.isInUse ? $0 : nil }
  }
}

extension KeyCommand {
  /// The keys by X's names, held ones first.
  fileprivate var panelKeys: [String] {
    let names: [(ModifierFlags, String)] = [
      (.control, "Control"), (.alternate, "Alt"), (.command, "Super"), (.shift, "Shift"),
    ]
    let special = [
      KeySymbol.space: "space", KeySymbol.backspace: "BackSpace", KeySymbol.tab: "Tab", KeySymbol.return: "Return",
      KeySymbol.escape: "Escape", KeySymbol.insert: "Insert", KeySymbol.delete: "Delete", KeySymbol.home: "Home",
      KeySymbol.end: "End", KeySymbol.pageUp: "Page_Up", KeySymbol.pageDown: "Page_Down", KeySymbol.left: "Left",
      KeySymbol.up: "Up", KeySymbol.right: "Right", KeySymbol.down: "Down", KeySymbol.menu: "Menu",
    ]
    let key: String
    switch symbol {
    case 0: key = input
    case KeySymbol.function(1)...KeySymbol.function(35): key = "F\(symbol - KeySymbol.function(1) + 1)"
    case 0x21...0x7E: key = String(Character(UnicodeScalar(UInt8(symbol)))).lowercased()
    default: key = special[symbol] ?? ""
    }
    return key.isEmpty ? [] : names.filter { modifiers.contains($0.0) }.map(\.1) + [key]
  }
}
