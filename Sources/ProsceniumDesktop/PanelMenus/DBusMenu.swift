import FoundationEssentials
import ProsceniumPlatform

/// A menu bar as `com.canonical.dbusmenu` (version 3) has it, and the answers to what panels read of it.
struct DBusMenu: Equatable {
  static let interface = "com.canonical.dbusmenu"

  /// An item without what is in it.
  private struct Entry: Equatable {
    var properties: [String: BusValue]
    var children: [Int]
  }

  /// By number; 0 is the bar.
  private var entries: [Int: Entry] = [:]
  /// Counts the changes of which items there are.
  private(set) var revision: UInt32 = 1

  /// The most items, and how deep they may lie in one another: what a program answers may be endless.
  static let mostItems = 10_000
  static let deepest = 30

  init(_ items: [PanelMenuItem] = []) {
    let bar = PanelMenuItem(0, .menu, children: items)
    add(bar, depth: 0)
  }

  private mutating func add(_ item: PanelMenuItem, depth: Int) {
    entries[item.id] = Entry(properties: Self.properties(of: item), children: [])
    guard depth < Self.deepest else { return }
    var known: [Int] = []
    for child in item.children where entries.count < Self.mostItems && entries[child.id] == nil {
      // An item that is in two places is where it was found first.
      guard (1...Int(Int32.max)).contains(child.id) else { continue }
      known.append(child.id)
      add(child, depth: depth + 1)
    }
    entries[item.id]?.children = known
  }

  /// The properties that are not as they are for each item that does not say it.
  private static func properties(of item: PanelMenuItem) -> [String: BusValue] {
    var properties: [String: BusValue] = [:]
    switch item.kind {
    case .separator: return ["type": .string("separator")]
    case .menu: properties["children-display"] = .string("submenu")
    case .item: break
    }
    if !item.titleWithMnemonic.isEmpty { properties["label"] = .string(item.titleWithMnemonic.withoutZeros) }
    if !item.isEnabled { properties["enabled"] = .bool(false) }
    if item.mark != .none {
      properties["toggle-type"] = .string("checkmark")
      properties["toggle-state"] = .int32(item.mark == .on ? 1 : -1)
    }
    if !item.keys.isEmpty {
      let keys = BusValue.array(of: "s", item.keys.map { .string($0.withoutZeros) })
      properties["shortcut"] = .array(of: "as", [keys])
    }
    if let picture = item.picture {
      properties["icon-data"] = .array(of: "y", picture.map { .whole(Int128($0), code: "y") })
    }
    return properties
  }

  private static let defaults: [String: BusValue] = [
    "type": .string("standard"), "label": .string(""), "enabled": .bool(true), "visible": .bool(true),
    "icon-name": .string(""), "toggle-type": .string(""), "toggle-state": .int32(-1), "children-display": .string(""),
    "disposition": .string("normal"),
  ]

  func has(_ id: Int) -> Bool { entries[id] != nil }

  /// Whether an item can be chosen.
  func isEnabled(_ id: Int) -> Bool { entries[id].map { $0.properties["enabled"] == nil } ?? false }

  // MARK: Reading

  /// The properties of an item, all of them where no names are given.
  private func properties(of id: Int, named names: Set<String>) -> BusValue {
    let all = entries[id]?.properties ?? [:]
    return .options(names.isEmpty ? all : all.filter { names.contains($0.key) })
  }

  private func layout(of id: Int, depth: Int, _ names: Set<String>) -> BusValue {
    let children = depth == 0 ? [] : entries[id]?.children ?? []
    let inner = children.map { BusValue.variant(layout(of: $0, depth: max(depth, 0) - 1, names)) }
    return .structure([.int32(id), properties(of: id, named: names), .array(of: "v", inner)])
  }

  /// Answers a call that reads the menu.
  /// - Parameter call: The call.
  /// - Returns: The answer; nil for a method that is none of these.
  func answer(_ call: MethodCall) -> Result<[BusValue], BusFailure>? {
    switch (call.name, call.signature) {
    case ("GetLayout", "iias"):
      guard has(call.int(0)) else { return .failure(Self.unknown(call.int(0))) }
      // Any depth below none is all of it.
      let depth = call.int(1) < 0 ? Self.deepest + 1 : call.int(1)
      return .success([.uint32(revision), layout(of: call.int(0), depth: depth, Set(call.texts(2)))])
    case ("GetGroupProperties", "aias"):
      let (wanted, names) = (call.ints(0), Set(call.texts(1)))
      // One that is named again and again would make the answer as long as the caller likes.
      var known: Set<Int> = []
      let ids = wanted.isEmpty ? entries.keys.sorted() : wanted.filter { has($0) && known.insert($0).inserted }
      let all = ids.map { BusValue.structure([.int32($0), properties(of: $0, named: names)]) }
      return .success([.array(of: "(ia{sv})", all)])
    case ("GetProperty", "is"):
      guard let entry = entries[call.int(0)] else { return .failure(Self.unknown(call.int(0))) }
      let name = call.values[1].text ?? ""
      guard let value = entry.properties[name] ?? Self.defaults[name] else {
        return .failure(.invalid("an item has no property \(name.prefix(100))"))
      }
      return .success([.variant(value)])
    default: return nil
    }
  }

  static func unknown(_ id: Int) -> BusFailure { .invalid("there is no item \(id)") }

  /// The properties of the object.
  static let objectProperties: [String: BusValue] = [
    "Version": .uint32(3), "TextDirection": .string("ltr"), "Status": .string("normal"),
    "IconThemePath": .array(of: "s", []),
  ]

  // MARK: Changes

  /// Shows other items.
  /// - Parameter items: The items.
  /// - Returns: The signals that tell of it, by name.
  mutating func update(_ items: [PanelMenuItem]) -> [(name: String, values: [BusValue])] {
    var new = DBusMenu(items)
    new.revision = revision
    var signals: [(name: String, values: [BusValue])] = []
    var (updated, removed): ([BusValue], [BusValue]) = ([], [])
    for id in new.entries.keys.sorted() {
      guard let old = entries[id]?.properties, let now = new.entries[id]?.properties, old != now else { continue }
      let changed = now.filter { old[$0.key] != $0.value }
      let gone = old.keys.filter { now[$0] == nil }.sorted()
      if !changed.isEmpty { updated.append(.structure([.int32(id), .options(changed)])) }
      if !gone.isEmpty { removed.append(.structure([.int32(id), .array(of: "s", gone.map { .string($0) })])) }
    }
    if !updated.isEmpty || !removed.isEmpty {
      signals.append(
        ("ItemsPropertiesUpdated", [.array(of: "(ia{sv})", updated), .array(of: "(ias)", removed)]))
    }
    let parents = new.entries.keys.filter { id in
      entries[id].map { $0.children != new.entries[id]?.children } ?? false
    }
    if !parents.isEmpty {
      new.revision &+= 1
      // One menu alone is read again where it is the only one that differs.
      let parent = parents.count == 1 ? parents[0] : 0
      signals.append(("LayoutUpdated", [.uint32(new.revision), .int32(parent)]))
    }
    self = new
    return signals
  }

  /// The introspection data.
  static let description = """
    <interface name="com.canonical.dbusmenu">
     <property name="Version" type="u" access="read"/><property name="TextDirection" type="s" access="read"/>
     <property name="Status" type="s" access="read"/><property name="IconThemePath" type="as" access="read"/>
     <method name="GetLayout">
      <arg name="parentId" type="i" direction="in"/><arg name="recursionDepth" type="i" direction="in"/>
      <arg name="propertyNames" type="as" direction="in"/><arg name="revision" type="u" direction="out"/>
      <arg name="layout" type="(ia{sv}av)" direction="out"/>
     </method>
     <method name="GetGroupProperties">
      <arg name="ids" type="ai" direction="in"/><arg name="propertyNames" type="as" direction="in"/>
      <arg name="properties" type="a(ia{sv})" direction="out"/>
     </method>
     <method name="GetProperty">
      <arg name="id" type="i" direction="in"/><arg name="name" type="s" direction="in"/>
      <arg name="value" type="v" direction="out"/>
     </method>
     <method name="Event">
      <arg name="id" type="i" direction="in"/><arg name="eventId" type="s" direction="in"/>
      <arg name="data" type="v" direction="in"/><arg name="timestamp" type="u" direction="in"/>
     </method>
     <method name="EventGroup">
      <arg name="events" type="a(isvu)" direction="in"/><arg name="idErrors" type="ai" direction="out"/>
     </method>
     <method name="AboutToShow">
      <arg name="id" type="i" direction="in"/><arg name="needUpdate" type="b" direction="out"/>
     </method>
     <method name="AboutToShowGroup">
      <arg name="ids" type="ai" direction="in"/><arg name="updatesNeeded" type="ai" direction="out"/>
      <arg name="idErrors" type="ai" direction="out"/>
     </method>
     <signal name="ItemsPropertiesUpdated">
      <arg name="updatedProps" type="a(ia{sv})"/><arg name="removedProps" type="a(ias)"/>
     </signal>
     <signal name="LayoutUpdated"><arg name="revision" type="u"/><arg name="parent" type="i"/></signal>
     <signal name="ItemActivationRequested"><arg name="id" type="i"/><arg name="timestamp" type="u"/></signal>
    </interface>

    """
}
