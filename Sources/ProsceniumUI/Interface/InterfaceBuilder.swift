import ProsceniumCore

/// Makes the objects of one interface file.
@MainActor final class InterfaceBuilder {
  /// An object of a class of the program.
  struct Instance {
    let type: InterfaceClass
    let object: Responder
    let line: Int
  }

  let file: InterfaceFile
  let document: InterfaceDocument
  private(set) var window = InterfaceFrame()
  /// What the file says of the window's size, and what is in the window; nil where the interface is no window.
  private var sizes: (wish: Size, request: Size, content: View)?
  /// What of the file has no effect, once for each kind of thing.
  var warnings: [InterfaceError] = []
  var warned: Set<String> = []
  var objects: [String: (object: Responder, line: Int)] = [:]
  /// The ids of all objects, also of those that are no views.
  lazy var ids = document.root.ids
  /// The ids of the `<menu>`s that menu bars and buttons show.
  private lazy var menuModels = document.root.ids(namedBy: "menu-model")
  /// The template's comes first.
  var instances: [Instance] = []
  var hasTemplate = false
  var signals: [(element: InterfaceElement, view: View, widget: InterfaceWidget)] = []
  /// Properties that name other objects, which may come later in the file.
  var references: [(property: InterfaceElement, view: View)] = []
  var menuCalls: [InterfaceMenuCall] = []
  /// The directions in which views ask for more room.
  private var expansion: [ObjectIdentifier: (horizontal: Bool, vertical: Bool)] = [:]

  init(_ file: InterfaceFile, _ document: InterfaceDocument) {
    self.file = file
    self.document = document
  }

  // MARK: The interface

  /// Makes all objects, and connects them.
  /// - Returns: The controller, which has its view.
  /// - Throws: The first error, with its line.
  func makeController() throws(InterfaceError) -> ViewController {
    let root = document.root
    guard root.name == "interface" else {
      throw InterfaceError(line: root.line, "The root is <\(shown(root.name))>, and not GtkBuilder's <interface>.")
    }
    let mainIndex = root.indexOfInterface
    var main: ViewController?
    for (index, element) in root.children.enumerated() {
      switch element.name {
      case _ where index == mainIndex: main = try makeMain(element)
      case "object" where InterfaceWidget.withoutView.contains(element["class"] ?? ""): break
      case "template": throw InterfaceError(line: element.line, "The file has a second template.")
      case "object": _ = try makeView(element)
      case "requires": break
      // Read with the view that names it.
      case "menu" where menuModels.contains(element["id"] ?? ""): break
      default: warn(element, "<\(shown(element.name))> has no effect.")
      }
    }
    guard let main else { throw InterfaceError(line: root.line, "The file has no object that could be shown.") }
    for reference in references { try refer(reference.property, of: reference.view) }
    for instance in instances { try connectOutlets(of: instance) }
    for signal in signals { try connect(signal.element, signal.view, signal.widget) }
    for call in menuCalls { try connect(call) }
    // A group turns switches into radio buttons, and what the program does with an outlet may need more room.
    if let sizes { window.fit(sizes.wish, request: sizes.request, around: sizes.content) }
    return main
  }

  private func makeMain(_ element: InterfaceElement) throws(InterfaceError) -> ViewController {
    let own = element.name == "template" ? try makeTemplate(element) : nil
    let name = try attribute(own == nil ? "class" : "parent", of: element)
    let view: View
    switch own {
    case is View where InterfaceWidget.windows.contains(name):
      throw InterfaceError(line: element.line, "The template of a window is a ViewController; this one is a View.")
    case let own as View:
      guard let widget = InterfaceWidget.named(name), widget.accepts(own) else {
        throw InterfaceError(line: element.line, "A \(type(of: own)) cannot be a \(shown(name)).")
      }
      view = try configure(own, widget, element)
    default:
      view = InterfaceWidget.windows.contains(name) ? try makeWindow(element) : try makeView(element, of: name)
    }
    let controller = own as? ViewController ?? ViewController()
    guard !controller.isViewLoaded else {
      throw InterfaceError(
        line: element.line, "The initialiser of \(type(of: controller)) uses its view, which the file has not made yet."
      )
    }
    controller.interfaceView = placed(view)
    return controller
  }

  private func makeTemplate(_ element: InterfaceElement) throws(InterfaceError) -> Responder {
    let name = try attribute("class", of: element)
    guard let type = file.classes.first(where: { $0.name == name }) else {
      throw InterfaceError(
        line: element.line,
        "The program has no class \"\(shown(name))\" for interface files; it has: \(list(file.classes.map(\.name))).")
    }
    let object = type.make()
    guard object is ViewController || object is View else {
      throw InterfaceError(line: element.line, "\(shown(name)) is neither a ViewController nor a View.")
    }
    hasTemplate = true
    instances.insert(Instance(type: type, object: object, line: element.line), at: 0)
    objects[name] = (object, element.line)
    // The id of a template is that of its view, where the template is no view itself.
    if element["id"] == name { objects[name] = nil }
    return object
  }

  /// A view whose superview is the window: its margins are room within the window.
  private func placed(_ view: View) -> View {
    var placement = view.stackPlacement
    placement.minimumSize = StackPlacement().minimumSize
    guard placement != StackPlacement() else { return view }
    view.isStretching = true
    return StackView(.vertical, spacing: 0, [view])
  }

  // MARK: Windows

  private func makeWindow(_ element: InterfaceElement) throws(InterfaceError) -> View {
    var content: View?
    var border = 0
    var (size, request) = (Size(width: -1, height: -1), Size(width: 0, height: 0))
    for child in element.children {
      switch child.name {
      case "property":
        let name = child.propertyName
        if name == "child" {
          content = try onlyChild(content, child)
          continue
        }
        switch name {
        case "title": window.title = text(of: child)
        case "default-width": size.width = try length(child)
        case "default-height": size.height = try length(child)
        case "width-request": request.width = max(0, try length(child))
        case "height-request": request.height = max(0, try length(child))
        case "border-width": border = try length(child)
        case "resizable": window.isResizable = try flag(child)
        case "gravity", "icon-name", "type", "type-hint", "visible", "window-position": break
        case _ where InterfaceWidget.ignored.contains(name): break
        default: warnAboutProperty(child, of: element)
        }
      case "child": content = try onlyChild(content, child)
      case "signal": throw InterfaceError(line: child.line, "A window has no signals: its scene's delegate is called.")
      default: warnAboutPart(child)
      }
    }
    var view = content ?? View()
    if border > 0 {
      view.isStretching = true
      view = StackView(.vertical, spacing: 0, margin: border, [view])
    }
    view = placed(view)
    sizes = (size, request, view)
    return view
  }

  private func onlyChild(_ present: View?, _ element: InterfaceElement) throws(InterfaceError) -> View? {
    guard let object = try object(in: element) else { return present }
    guard present == nil else { throw InterfaceError(line: element.line, "There is room for one child only.") }
    return try makeView(object)
  }

  // MARK: Views

  private func makeView(_ element: InterfaceElement) throws(InterfaceError) -> View {
    try makeView(element, of: try attribute("class", of: element))
  }

  private func makeView(_ element: InterfaceElement, of name: String) throws(InterfaceError) -> View {
    if let type = file.classes.first(where: { $0.name == name }) {
      guard let view = type.make() as? View else {
        throw InterfaceError(line: element.line, "\(shown(name)) is no View; a ViewController can be a template only.")
      }
      instances.append(Instance(type: type, object: view, line: element.line))
      return try configure(view, InterfaceWidget.of(view), element)
    }
    guard let widget = InterfaceWidget.named(name) else {
      if InterfaceWidget.windows.contains(name) {
        throw InterfaceError(
          line: element.line, "A window has to be the interface itself; this \(name) is another object.")
      }
      throw InterfaceError(
        line: element.line,
        "There is no view for the class \"\(shown(name))\". There are views for "
          + list(InterfaceWidget.all.map(\.name) + InterfaceWidget.windows)
          + "; classes of the program: \(list(file.classes.map(\.name))).")
    }
    return try configure(widget.make(), widget, element)
  }

  /// Gives a view the properties and the children of its element.
  private func configure(
    _ view: View, _ widget: InterfaceWidget, _ element: InterfaceElement
  ) throws(InterfaceError) -> View {
    if let id = element["id"] {
      if let other = objects[id] {
        throw InterfaceError(line: element.line, "The id \"\(shown(id))\" is that of the object in line \(other.line).")
      }
      objects[id] = (view, element.line)
    }
    if let button = view as? PopUpButton { setChoices(of: button, element) }
    if let bar = view as? MenuBar { bar.menus = try InterfaceMenus(of: bar, self).bar(element) }
    if widget.name == InterfaceWidget.menuButton, let button = view as? Button {
      button.menu = try InterfaceMenus(of: button, self).button(element)
    }
    var own: (horizontal: Bool?, vertical: Bool?) = (nil, nil)
    var children: [InterfaceElement] = []
    for part in element.children {
      switch part.name {
      case "property":
        switch part.propertyName {
        case "hexpand": own.horizontal = try flag(part)
        case "vexpand": own.vertical = try flag(part)
        case "child": children.append(part)
        default: try setProperty(part, of: view, widget, element)
        }
      case "child" where part["internal-child"] == "accessible":
        for object in part.children(named: "object") { setAccessibility(of: view, object) }
      // Read before the properties.
      case "child" where view is MenuBar: break
      case "child": children.append(part)
      case "signal": signals.append((part, view, widget))
      case "style": for style in part.children { widget.styles[style["name"] ?? ""]?(view) }
      case "attributes": try setAttributes(part, of: view, widget)
      case "accessibility": setAccessibility(of: view, part)
      // Read with what is around the object.
      case "layout": break
      // Read before the properties.
      case "items" where view is PopUpButton: break
      default: warnAboutPart(part)
      }
    }
    let inner = try add(children, to: view, widget)
    expansion[ObjectIdentifier(view)] = (own.horizontal ?? inner.horizontal, own.vertical ?? inner.vertical)
    return view
  }

  /// Adds the children of an element.
  /// - Returns: The directions in which any of them asks for more room.
  private func add(
    _ elements: [InterfaceElement], to view: View, _ widget: InterfaceWidget
  ) throws(InterfaceError) -> (horizontal: Bool, vertical: Bool) {
    var expands = (horizontal: false, vertical: false)
    var children: [(view: View, packing: InterfacePacking)] = []
    for element in elements {
      guard let object = try object(in: element) else { continue }
      switch widget.children {
      case .none: throw InterfaceError(line: element.line, "A \(widget.name) has no children here.")
      case .single where !children.isEmpty:
        throw InterfaceError(line: element.line, "There is room for one child only.")
      case .single, .stack, .grid, .rows: break
      }
      let child = try makeView(object)
      let wish = expansion[ObjectIdentifier(child)] ?? (false, false)
      expands = (expands.horizontal || wish.horizontal, expands.vertical || wish.vertical)
      var packing = InterfacePacking(expands: wish)
      for part in element.children(named: "packing") + object.children(named: "layout") {
        for property in part.children(named: "property") { try pack(property, &packing, widget) }
      }
      children.append((child, packing))
    }
    switch widget.children {
    case .none: break
    case .single(let set), .rows(let set): for child in children { set(view, child.view) }
    case .stack: if let stack = view as? StackView { InterfacePacking.pack(children, into: stack) }
    case .grid:
      for child in children {
        (view as? GridView)?.add(child.view, at: child.packing.cell, expands: child.packing.expands)
      }
    }
    return expands
  }

  private func pack(
    _ property: InterfaceElement, _ packing: inout InterfacePacking, _ widget: InterfaceWidget
  ) throws(InterfaceError) {
    let name = property.propertyName
    let isKnown =
      switch widget.children {
      case .stack: InterfacePacking.ofStack.contains(name)
      case .grid: InterfacePacking.ofGrid.contains(name)
      case .none, .single, .rows: false
      }
    guard isKnown else { return warn(property, "The packing \"\(shown(name))\" has no effect.") }
    guard packing.set(name, InterfaceProperty.trimmed(property.text)) else {
      throw invalid(property, expected: "what GTK writes there, of no more than \(InterfacePacking.mostLines) lines")
    }
  }

  /// The object of a child; nil for a place that is empty.
  private func object(in element: InterfaceElement) throws(InterfaceError) -> InterfaceElement? {
    let object = element.children.first { $0.name == "object" }
    // The title bar of a window that has none, for example.
    if object == nil, element.children.contains(where: { $0.name == "placeholder" }) { return nil }
    // That of a window: its name is its title.
    if element["internal-child"] == "accessible" { return nil }
    if let type = element["internal-child"] ?? element["type"] {
      throw InterfaceError(line: element.line, "There is no place for a child of the type \"\(shown(type))\".")
    }
    return object
  }
}
