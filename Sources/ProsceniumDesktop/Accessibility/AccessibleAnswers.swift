import ProsceniumPlatform

/// What a call of an assistive program comes to.
enum AccessibleAnswer: Equatable {
  case values([BusValue])
  /// Something is asked of an element, and the call is answered with these values.
  case request(AccessibilityID, AccessibilityRequest, [BusValue])
  case failure(BusFailure)
}

/// The answers to calls of assistive programs, from the tree that the program shows.
struct AccessibleAnswers {
  var tree: AccessibilityTree
  /// The program's name on the accessibility bus.
  var busName: String
  /// The program's name for people.
  var programName: String
  /// The number that the registry has given the program.
  var number = 0
  /// The element that has the program in it: the registry's desktop.
  var desktop = BusValue.structure([.string(""), .objectPath(ATSPI.nullPath)])
  /// The POSIX locale of the texts.
  var locale = "C"

  private static let properties = "org.freedesktop.DBus.Properties"

  /// The locale of messages that an environment has (POSIX, "Internationalization Variables").
  static func locale(of environment: [String: String]) -> String {
    ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
  }

  /// Answers a call.
  /// - Parameters:
  ///   - member: The object and the method.
  ///   - values: The arguments.
  /// - Returns: The answer; an error for an element that is gone, and for methods that it does not have.
  func answer(_ member: BusMember, _ values: [BusValue]) -> AccessibleAnswer {
    if member.path == ATSPI.cachePath { return cacheAnswer(member) }
    guard let id = ATSPI.id(member.path), id == .application || tree[id] != nil else {
      return .failure(.standard("UnknownObject", "there is no element \(member.path.prefix(100))"))
    }
    let call = MethodCall(name: member.name, values: values)
    if member.interface == Self.properties { return property(call, of: id) }
    guard member.interface.hasPrefix(ATSPI.prefix),
      case let interface = String(member.interface.dropFirst(ATSPI.prefix.count)), has(interface, id)
    else { return unknown(member, call) }
    let answer: AccessibleAnswer? =
      switch interface {
      case "Accessible": accessible(call, id)
      case "Application": application(call)
      case "Component": component(call, id)
      case "Action": action(call, id)
      case "Selection": selection(call, id)
      case "Text", "EditableText": text(call, id)
      case "Table": table(call, id)
      case "TableCell": tableCell(call, id)
      default: nil
      }
    return answer ?? unknown(member, call)
  }

  private func unknown(_ member: BusMember, _ call: MethodCall) -> AccessibleAnswer {
    let method = "\(member.interface).\(member.name)".prefix(200)
    return .failure(.standard("UnknownMethod", "there is no \(method) with \"\(call.signature.prefix(100))\""))
  }

  private func has(_ interface: String, _ id: AccessibilityID) -> Bool {
    interfaces(id).contains(ATSPI.prefix + interface)
  }

  private func interfaces(_ id: AccessibilityID) -> [String] {
    tree[id]?.properties.interfaces ?? ["Accessible", "Application"].map { ATSPI.prefix + $0 }
  }

  /// An element as others refer to it.
  func reference(_ id: AccessibilityID?) -> BusValue {
    guard let id else { return .structure([.string(""), .objectPath(ATSPI.nullPath)]) }
    return .structure([.string(busName), .objectPath(ATSPI.path(id))])
  }

  private func references(_ ids: [AccessibilityID]) -> BusValue { .array(of: "(so)", ids.map { reference($0) }) }

  /// Programs ask for each element where there are none.
  private func cacheAnswer(_ member: BusMember) -> AccessibleAnswer {
    guard member.interface == ATSPI.prefix + "Cache", member.name == "GetItems" else {
      return .failure(.standard("UnknownMethod", "there is no such method"))
    }
    return .values([.array(of: "((so)(so)(so)iiassusau)", [])])
  }

  // MARK: Properties

  private func property(_ call: MethodCall, of id: AccessibilityID) -> AccessibleAnswer {
    guard let name = call.values.first?.text else { return .failure(.invalid("no interface")) }
    let interface = name.hasPrefix(ATSPI.prefix) ? String(name.dropFirst(ATSPI.prefix.count)) : name
    if call.name == "Set" {
      guard call.signature == "ssv", interface == "Value", call.values[1].text == "CurrentValue",
        case .double(let number)? = call.values.last?.plain, number.isFinite, tree[id]?.properties.range != nil,
        case .request = ask(.setValue(number), of: id)
      else { return .failure(.standard("PropertyReadOnly", "this cannot be set")) }
      return .request(id, .setValue(number), [])
    }
    let known = has(interface, id) ? properties(interface, id) : [:]
    switch BusObjects.property(call.name, call.values, of: [name: known]) {
    case .success(let values): return .values(values)
    case .failure(let failure): return .failure(failure)
    }
  }

  private func properties(_ interface: String, _ id: AccessibilityID) -> [String: BusValue] {
    let own = tree[id]?.properties
    switch interface {
    case "Accessible":
      let parent = id == .application ? desktop : reference(tree[id]?.parent)
      return [
        "Name": .string((own?.label ?? programName).withoutZeros),
        "Description": .string((own?.description ?? "").withoutZeros),
        "Parent": parent, "ChildCount": .int32(tree.children(of: id).count), "Locale": .string(locale),
        "AccessibleId": .string((own?.identifier ?? "").withoutZeros), "HelpText": .string(""),
      ]
    case "Application":
      return [
        "ToolkitName": .string("Proscenium"), "Version": .string("1"), "ToolkitVersion": .string("1"),
        "AtspiVersion": .string("2.1"), "InterfaceVersion": .uint32(1), "Id": .int32(number),
      ]
    case "Component": return [:]
    case "Action": return ["NActions": .int32(own?.actions.count ?? 0)]
    case "Selection": return ["NSelectedChildren": .int32(selected(id).count)]
    case "Text":
      let text = own?.readableText
      return [
        "CharacterCount": .int32(text?.string.unicodeScalars.count ?? 0), "CaretOffset": .int32(text?.caret ?? -1),
      ]
    case "Value":
      guard let range = own?.range else { return [:] }
      return [
        "MinimumValue": .double(range.minimum), "MaximumValue": .double(range.maximum),
        "MinimumIncrement": .double(range.step), "CurrentValue": .double(range.value),
        "Text": .string((own?.value ?? "").withoutZeros),
      ]
    case "Table": return tableProperties(id)
    case "TableCell": return cellProperties(id)
    default: return [:]
    }
  }

  // MARK: Accessible

  private func accessible(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    let (node, children) = (tree[id], tree.children(of: id))
    switch (call.name, call.signature) {
    case ("GetChildren", ""): return .values([references(children)])
    case ("GetChildAtIndex", "i"):
      let index = call.int(0)
      return .values([reference(children.indices.contains(index) ? children[index] : nil)])
    case ("GetIndexInParent", ""):
      let siblings = node.map { tree.children(of: $0.parent) } ?? []
      return .values([.int32(siblings.firstIndex(of: id) ?? -1)])
    case ("GetRole", ""): return .values([.uint32(node?.properties.role.atspi.number ?? 75)])
    case ("GetRoleName", ""), ("GetLocalizedRoleName", ""):
      return .values([.string(node?.properties.role.atspi.name ?? "application")])
    case ("GetState", ""):
      let states = node.map { ATSPIState.all(of: $0.properties) } ?? []
      return .values([.array(of: "u", ATSPIState.words(states))])
    case ("GetRelationSet", ""): return .values([.array(of: "(ua(so))", relations(id))])
    case ("GetAttributes", ""): return .values([.strings(node.map { attributes($0.properties) } ?? [:])])
    case ("GetApplication", ""): return .values([reference(.application)])
    case ("GetInterfaces", ""): return .values([.array(of: "s", interfaces(id).map { .string($0) })])
    default: return nil
    }
  }

  private func application(_ call: MethodCall) -> AccessibleAnswer? {
    switch (call.name, call.signature) {
    case ("GetLocale", "u"): .values([.string(locale)])
    // There is no connection but that of the bus.
    case ("GetApplicationBusAddress", ""): .values([.string("")])
    default: nil
    }
  }

  /// What the element names, and what names it.
  private func relations(_ id: AccessibilityID) -> [BusValue] {
    var relations: [BusValue] = []
    let named = tree.nodes.filter { $0.value.labelledBy == id }.keys.sorted()
    if !named.isEmpty { relations.append(.structure([.uint32(1), references(named)])) }
    if let label = tree[id]?.labelledBy { relations.append(.structure([.uint32(2), references([label])])) }
    return relations
  }

  private func attributes(_ properties: AccessibilityProperties) -> [String: String] {
    var attributes = ["toolkit": "Proscenium"]
    if !properties.identifier.isEmpty { attributes["id"] = properties.identifier }
    if !properties.placeholder.isEmpty { attributes["placeholder-text"] = properties.placeholder }
    if !properties.value.isEmpty { attributes["valuetext"] = properties.value }
    if let position = properties.position {
      attributes["posinset"] = "\(position.index &+ 1)"
      attributes["setsize"] = "\(position.count)"
    }
    return attributes
  }

  // MARK: Component

  private func component(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    guard let node = tree[id] else { return nil }
    switch (call.name, call.signature) {
    case ("GetExtents", "u"):
      let frame = frame(node, in: call.int(0))
      let numbers = [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]
      return .values([.structure(numbers.map { .int32($0) })])
    case ("GetPosition", "u"):
      let origin = frame(node, in: call.int(0)).origin
      return .values([.int32(origin.x), .int32(origin.y)])
    case ("GetSize", ""): return .values([.int32(node.frame.size.width), .int32(node.frame.size.height)])
    case ("Contains", "iiu"): return .values([.bool(frame(node, in: call.int(2)).contains(call.point))])
    case ("GetAccessibleAtPoint", "iiu"):
      let corner = corner(node, in: call.int(2))
      let place = Rect(x: call.int(0), y: call.int(1), width: 0, height: 0).offset(x: corner.x, y: corner.y).origin
      return .values([reference(element(at: place, in: id))])
    case ("GetLayer", ""): return .values([.uint32(node.parent == .application ? 7 : 3)])
    case ("GetMDIZOrder", ""): return .values([.whole(0, code: "n")])
    case ("GetAlpha", ""): return .values([.double(1)])
    case ("GrabFocus", ""): return ask(.focus, of: id, if: node.properties.states.contains(.focusable))
    case ("ScrollTo", "u"): return ask(.scrollToVisible, of: id)
    // Where things are is the program's matter.
    case ("SetExtents", "iiiiu"), ("SetPosition", "iiu"), ("SetSize", "ii"), ("ScrollToPoint", "uii"):
      return .values([.bool(false)])
    default: return nil
    }
  }

  /// Where places count from: the corner of the desktop (0), of the window (1), or of what contains an element (2).
  private func corner(_ node: AccessibilityTree.Node, in kind: Int) -> Point {
    switch kind {
    case 1: node.corner
    case 2: tree[node.parent]?.frame.origin ?? Point(x: 0, y: 0)
    default: Point(x: 0, y: 0)
    }
  }

  func frame(_ node: AccessibilityTree.Node, in kind: Int) -> Rect {
    let corner = corner(node, in: kind)
    // The smallest number has no opposite.
    return node.frame.offset(x: -max(corner.x, -Int.max), y: -max(corner.y, -Int.max))
  }

  /// The innermost element at a place of the desktop; of several the last one, which is in front.
  private func element(at place: Point, in id: AccessibilityID) -> AccessibilityID? {
    guard tree[id]?.frame.contains(place) == true else { return nil }
    var found = id
    while let next = tree.children(of: found).last(where: { tree[$0]?.frame.contains(place) == true }) { found = next }
    return found
  }

  // MARK: Action and selection

  private func action(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    let names = tree[id]?.properties.actions ?? []
    if call.name == "GetActions", call.signature == "" {
      let actions = names.map { name in
        BusValue.structure([.string(name.withoutZeros), .string(""), .string("")])
      }
      return .values([.array(of: "(sss)", actions)])
    }
    guard call.signature == "i" else { return nil }
    let index = call.int(0)
    let name = names.indices.contains(index) ? names[index].withoutZeros : nil
    switch call.name {
    case "GetName", "GetLocalizedName": return .values([.string(name ?? "")])
    case "GetDescription", "GetKeyBinding": return .values([.string("")])
    case "DoAction": return ask(.action(index), of: id, if: name != nil)
    default: return nil
    }
  }

  private func selected(_ id: AccessibilityID) -> [AccessibilityID] {
    tree.children(of: id).filter { tree[$0]?.properties.states.contains(.selected) ?? false }
  }

  private func selection(_ call: MethodCall, _ id: AccessibilityID) -> AccessibleAnswer? {
    let (children, selected) = (tree.children(of: id), selected(id))
    switch (call.name, call.signature) {
    // What is out of sight cannot be told.
    case ("SelectAll", ""), ("ClearSelection", ""): return .values([.bool(false)])
    case (_, "i"): break
    default: return nil
    }
    let index = call.int(0)
    let child = children.indices.contains(index) ? children[index] : nil
    let other = selected.indices.contains(index) ? selected[index] : nil
    switch call.name {
    case "GetSelectedChild": return .values([reference(other)])
    case "IsChildSelected": return .values([.bool(child.map(selected.contains) ?? false)])
    case "SelectChild": return child.map { ask(.setSelected(true), of: $0) } ?? .values([.bool(false)])
    case "DeselectChild": return child.map { ask(.setSelected(false), of: $0) } ?? .values([.bool(false)])
    case "DeselectSelectedChild": return other.map { ask(.setSelected(false), of: $0) } ?? .values([.bool(false)])
    default: return nil
    }
  }

  /// Asks something of an element that can be used; answers whether it is asked.
  func ask(
    _ request: AccessibilityRequest, of id: AccessibilityID, if isPossible: Bool = true
  ) -> AccessibleAnswer {
    guard isPossible, tree[id]?.properties.states.contains(.enabled) == true || request == .scrollToVisible,
      canBeUsed(windowOf: id)
    else { return .values([.bool(false)]) }
    return .request(id, request, [.bool(true)])
  }

  /// Whether the window of an element is showing, and not beneath an alert; the element may be scrolled out of sight.
  private func canBeUsed(windowOf id: AccessibilityID) -> Bool {
    var top = id
    while let parent = tree[top]?.parent, parent != .application { top = parent }
    return tree[top]?.properties.states.isSuperset(of: [.showing, .enabled]) ?? false
  }
}

extension MethodCall {
  fileprivate var point: Point { Point(x: int(0), y: int(1)) }
}

extension BusValue {
  static func strings(_ pairs: [String: String]) -> BusValue {
    .dictionary(
      key: "s", value: "s",
      Dictionary(uniqueKeysWithValues: pairs.map { (.string($0.key.withoutZeros), .string($0.value.withoutZeros)) }))
  }
}
