import ProsceniumCore

/// What an item of a menu of an interface file calls; it is known once all objects are made.
@MainActor final class InterfaceMenuCall {
  let element: InterfaceElement
  let handler: String
  private(set) weak var sender: View?
  var perform: () -> Void = {}

  init(_ element: InterfaceElement, _ handler: String, _ sender: View) {
    self.element = element
    self.handler = handler
    self.sender = sender
  }
}

/// The menus of a menu bar or a button: those of GTK 3, which are objects, and a menu model, as GTK 4 has it.
@MainActor struct InterfaceMenus {
  private let builder: InterfaceBuilder
  /// The view that the menus are of.
  private let sender: View

  init(of sender: View, _ builder: InterfaceBuilder) { (self.sender, self.builder) = (sender, builder) }

  /// Makes the menus of a bar's element.
  func bar(_ element: InterfaceElement) throws(InterfaceError) -> [Menu] {
    var menus: [Menu] = []
    if let menu = try model(of: element) { menus = barMenus(of: try elements(ofModel: menu), menu) }
    return menus + barMenus(of: try elements(ofShell: element), element)
  }

  /// Makes the menu of a button's element; nil where it names none.
  func button(_ element: InterfaceElement) throws(InterfaceError) -> Menu? {
    if let menu = try model(of: element) { return Menu(children: try elements(ofModel: menu)) }
    guard let property = element.children.first(where: { $0.propertyName == "popup" }) else { return nil }
    guard let shell = builder.helper(of: property, "GtkMenu") else { throw missing(property, "GtkMenu") }
    return Menu(children: try elements(ofShell: shell))
  }

  /// The `<menu>` that an element names; nil where it names none.
  private func model(of element: InterfaceElement) throws(InterfaceError) -> InterfaceElement? {
    guard let property = element.children.first(where: { $0.propertyName == "menu-model" }) else { return nil }
    let id = InterfaceProperty.trimmed(property.text)
    let menu = builder.document.root.children.first { $0.name == "menu" && $0["id"] == id }
    guard let menu else { throw missing(property, "<menu>") }
    return menu
  }

  private func missing(_ property: InterfaceElement, _ what: String) -> InterfaceError {
    let (name, id) = (property.propertyName, InterfaceProperty.trimmed(property.text))
    return InterfaceError(
      line: property.line,
      "The property \"\(name)\" names \"\(builder.shown(id))\", and the file has no \(what) of this id.")
  }

  private func barMenus(of elements: [MenuElement], _ source: InterfaceElement) -> [Menu] {
    if elements.contains(where: { $0 is MenuItem }) {
      builder.warn(source, "An item of a menu bar that has no submenu has no effect.")
    }
    return elements.compactMap { $0 as? Menu }
  }

  // MARK: Menu models

  private func elements(ofModel model: InterfaceElement) throws(InterfaceError) -> [MenuElement] {
    var elements: [MenuElement] = []
    for part in model.children {
      let content = modelAttribute("label", of: part).map { MarkedText(builder.text(of: $0)) } ?? MarkedText(plain: "")
      switch part.name {
      case "attribute": break
      case "submenu": elements.append(menu(content, try self.elements(ofModel: part)))
      case "section":
        let section = menu(content, try self.elements(ofModel: part), .displayInline)
        elements.append(section)
      case "item":
        // A submenu may be written as an item with a link, too.
        if let link = part.children(named: "link").first(where: { $0["name"] == "submenu" }) {
          elements.append(menu(content, try self.elements(ofModel: link)))
        } else {
          // The group of the action, such as "win.", is GTK's.
          let action = modelAttribute("action", of: part)
          let name = action.map { InterfaceProperty.trimmed($0.text).split(separator: ".").last.map(String.init) ?? "" }
          elements.append(item(content, action ?? part, name))
        }
      default: builder.warnAboutPart(part)
      }
    }
    return elements
  }

  private func modelAttribute(_ name: String, of element: InterfaceElement) -> InterfaceElement? {
    element.children(named: "attribute").first { $0["name"] == name }
  }

  // MARK: Menus as objects

  /// The items of a menu or a menu bar; those between separators are groups.
  private func elements(ofShell shell: InterfaceElement) throws(InterfaceError) -> [MenuElement] {
    var groups: [[MenuElement]] = [[]]
    for child in shell.children(named: "child") where child["internal-child"] != "accessible" {
      guard let object = child.children.first(where: { $0.name == "object" }) else { continue }
      switch object["class"] ?? "" {
      case "GtkSeparatorMenuItem": groups.append([])
      case "GtkMenuItem", "GtkImageMenuItem", "GtkCheckMenuItem", "GtkRadioMenuItem":
        groups[groups.count - 1].append(try element(ofObject: object))
      case let other:
        throw InterfaceError(line: object.line, "A \(builder.shown(other)) cannot be in a menu.")
      }
    }
    guard groups.count > 1 else { return groups[0] }
    return groups.map { Menu(options: .displayInline, children: $0) }
  }

  private func element(ofObject object: InterfaceElement) throws(InterfaceError) -> MenuElement {
    var (label, attributes, state) = ("", MenuItem.Attributes(), MenuItem.State.off)
    var (submenu, signal): (InterfaceElement?, InterfaceElement?) = (nil, nil)
    for part in object.children {
      switch part.name {
      case "property":
        switch part.propertyName {
        case "label": label = builder.text(of: part)
        case "sensitive": if try !builder.flag(part) { attributes.insert(.disabled) }
        case "visible": if try !builder.flag(part) { attributes.insert(.hidden) }
        case "active": if try builder.flag(part) { state = .on }
        case "inconsistent": if try builder.flag(part) { state = .mixed }
        case "use-underline": break
        case let name where InterfaceWidget.ignored.contains(name): break
        default: builder.warnAboutProperty(part, of: object)
        }
      case "child" where part["internal-child"] == "accessible": break
      case "child" where part["type"] == "submenu": submenu = part.children.first { $0.name == "object" }
      case "signal": signal = part
      default: builder.warnAboutPart(part)
      }
    }
    let content = object.hasMnemonic ? MarkedText(label) : MarkedText(plain: label)
    if let submenu { return menu(content, try elements(ofShell: submenu)) }
    var handler: String?
    if let signal {
      let name = try builder.attribute("name", of: signal)
      guard ["activate", "toggled"].contains(name) else {
        throw InterfaceError(
          line: signal.line,
          "An item of a menu has no signal \"\(builder.shown(name))\" here. Its signals are: activate, toggled.")
      }
      handler = try builder.attribute("handler", of: signal)
    }
    let item = item(content, signal ?? object, handler)
    item.attributes.formUnion(attributes)
    item.state = state
    return item
  }

  // MARK: Elements

  private func menu(_ content: MarkedText, _ children: [MenuElement], _ options: Menu.Options = []) -> Menu {
    let menu = Menu(options: options, children: children)
    menu.content = content
    return menu
  }

  private func item(_ content: MarkedText, _ element: InterfaceElement, _ handler: String?) -> MenuItem {
    let call = handler.map { InterfaceMenuCall(element, $0, sender) }
    let item = MenuItem("", attributes: call == nil ? .disabled : []) { call?.perform() }
    item.content = content
    if let call { builder.menuCalls.append(call) }
    return item
  }
}
