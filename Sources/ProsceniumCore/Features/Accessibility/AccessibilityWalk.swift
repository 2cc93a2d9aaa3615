/// The numbers of elements: an element keeps its own for as long as it is shown.
@MainActor final class AccessibilityObjects {
  private struct Entry {
    weak var object: (any AccessibilityObject)?
    weak var window: Window?
    var key: ObjectIdentifier
  }
  private var entries: [AccessibilityID: Entry] = [:]
  private var ids: [ObjectIdentifier: AccessibilityID] = [:]
  private var last: UInt64 = 0

  /// The element with a number; nil once it is gone.
  subscript(id: AccessibilityID) -> (any AccessibilityObject)? { entries[id]?.object }

  /// The window with a number; nil for other elements, and once it is gone.
  func window(_ id: AccessibilityID) -> Window? { entries[id]?.window }

  func id(of object: any AccessibilityObject) -> AccessibilityID {
    let key = ObjectIdentifier(object)
    // Another object may be where one was that is gone.
    if let id = ids[key], entries[id]?.object === object { return id }
    return add(Entry(object: object, key: key))
  }

  func id(of window: Window) -> AccessibilityID {
    let key = ObjectIdentifier(window)
    if let id = ids[key], entries[id]?.window === window { return id }
    return add(Entry(window: window, key: key))
  }

  private func add(_ entry: Entry) -> AccessibilityID {
    last += 1
    let id = AccessibilityID(rawValue: last)
    (entries[id], ids[entry.key]) = (entry, id)
    return id
  }

  /// Forgets the elements that a tree does not have.
  func keep(_ tree: AccessibilityTree) {
    for (id, entry) in entries where tree[id] == nil {
      entries[id] = nil
      if ids[entry.key] == id { ids[entry.key] = nil }
    }
  }
}

/// Reads windows into a tree, within limits: what a program answers may be endless.
@MainActor struct AccessibilityWalk {
  /// The most elements of a program, and how deep they may lie in one another.
  static let mostNodes = 20_000
  static let deepest = 100

  private let objects: AccessibilityObjects
  private var tree = AccessibilityTree()

  /// What the elements of a window have in common.
  private struct Surroundings {
    var corner: Point
    var isShowing: Bool
    /// Whether the window gets the keys.
    var hasFocus: Bool
    /// The part in which an element can be seen, in pixels of the desktop.
    var clip: Rect?
    var depth = 0
  }

  init(_ objects: AccessibilityObjects) { self.objects = objects }

  /// The tree of what has been read.
  func finish() -> AccessibilityTree {
    var tree = tree
    for (id, node) in tree.nodes where node.labelledBy.map({ tree.nodes[$0] == nil }) ?? false {
      tree.nodes[id]?.labelledBy = nil
    }
    return tree
  }

  /// Reads a window, and the menus that belong to it.
  mutating func add(_ window: Window, in conductor: Conductor) {
    let id = objects.id(of: window)
    let scene = window.windowScene
    let isShowing = (window.record?.activation ?? .unattached) >= .foregroundInactive
    let isModal = scene?.modalWindows.contains { $0 === window } ?? false
    let name = container(of: window)?.accessibilityLabel ?? window.effectiveTitle
    var properties = AccessibilityProperties(role: isModal ? .dialog : .window, label: name)
    if isShowing { properties.states.insert(.showing) }
    if window.hasFocus { properties.states.insert(.active) }
    if isModal { properties.states.insert(.modal) }
    if let topmost = scene?.modalWindows.last, topmost !== window { properties.states.remove(.enabled) }
    tree.windows.append(id)
    tree.nodes[id] = AccessibilityTree.Node(
      properties, frame: window.knownFrame, corner: window.knownFrame.origin, parent: .application)
    let popUps = conductor.feature(PopUps.self)?.presented.filter { $0.windowScene === scene } ?? []
    // While a menu is open it gets the keys.
    let hasMenu = popUps.contains { $0.kind.isMenu }
    let own = Surroundings(
      corner: window.knownFrame.origin, isShowing: isShowing, hasFocus: window.hasFocus && !hasMenu,
      clip: window.knownFrame)
    add(elements(of: window), to: id, own)
    for popUp in popUps where root(of: popUp) === window {
      let surroundings = Surroundings(
        corner: popUp.knownFrame.origin, isShowing: isShowing, hasFocus: popUp.kind.isMenu, clip: popUp.knownFrame)
      add(elements(of: popUp), to: id, surroundings)
    }
  }

  /// The window above which a menu, or the menu that opened it, is presented.
  private func root(of popUp: PopUpWindow) -> Window? {
    var window: Window? = popUp
    while let next = window as? PopUpWindow { window = next.owner }
    return window
  }

  private func container(of window: Window) -> (any AccessibilityContainer)? {
    window.content as? any AccessibilityContainer ?? window as? any AccessibilityContainer
  }

  private func elements(of window: Window) -> [any AccessibilityObject] {
    container(of: window)?.accessibilityElements ?? []
  }

  private mutating func add(
    _ elements: [any AccessibilityObject], to parent: AccessibilityID, _ surroundings: Surroundings
  ) {
    guard surroundings.depth < Self.deepest else { return }
    for element in elements {
      guard tree.nodes.count < Self.mostNodes else { return }
      let id = objects.id(of: element)
      // One that is in two places is where it was found first.
      guard tree.nodes[id] == nil else { continue }
      let corner = surroundings.corner
      let frame = element.accessibilityFrame.offset(x: corner.x, y: corner.y)
      var (properties, within) = (element.accessibilityProperties, surroundings)
      properties.states.subtract([.showing, .active])
      if !surroundings.hasFocus { properties.states.remove(.focused) }
      let isInSight = surroundings.clip?.intersects(frame) ?? false
      if surroundings.isShowing, isInSight { properties.states.insert(.showing) }
      var node = AccessibilityTree.Node(properties, frame: frame, corner: corner, parent: parent)
      node.labelledBy = element.accessibilityLabelObject.map { objects.id(of: $0) }
      tree.nodes[id] = node
      tree.nodes[parent]?.children.append(id)
      if [.scrollArea, .list, .table].contains(properties.role) {
        within.clip = surroundings.clip?.intersection(frame)
      }
      within.depth += 1
      add(element.accessibilityObjects, to: id, within)
    }
  }
}
