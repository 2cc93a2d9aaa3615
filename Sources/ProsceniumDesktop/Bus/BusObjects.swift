import Glibc
import ProsceniumPlatform

/// The objects of this program on a bus, which the user's other programs call and read.
@MainActor final class BusObjects {
  /// Answers a call of an object; nil for one that it does not know, which the library refuses.
  typealias Handler = @MainActor (BusMessage) -> BusAnswer?

  static let properties = "org.freedesktop.DBus.Properties"
  private static let introspectable = "org.freedesktop.DBus.Introspectable"

  /// The users and processes of other programs on the bus.
  let senders: SenderBook
  private weak var host: (any SystemHost)?
  /// Answers calls of objects that are not added; nil for nobody.
  var other: Handler?
  private var objects: [String: (interfaces: String, handler: Handler)] = [:]

  /// Answers the calls that come over a bus from now on.
  init(bus: Bus, host: any SystemHost) {
    self.host = host
    senders = SenderBook(bus: bus)
    bus.requestHandler = { [weak self] in self?.answer($0) }
    bus.onConnection { [weak self] in if !$0 { self?.senders.removeAll() } }
  }

  /// Adds an object.
  /// - Parameters:
  ///   - path: The object's path.
  ///   - interfaces: The introspection data of its interfaces, without the standard ones.
  ///   - handler: Answers its calls; called before anything is known of the caller: see ``admit(_:_:)``.
  func export(_ path: String, interfaces: String, _ handler: @escaping Handler) {
    objects[path] = (interfaces, handler)
  }

  /// Removes an object.
  func withdraw(_ path: String) { objects[path] = nil }

  private func answer(_ call: BusMessage) -> BusAnswer? {
    let member = call.member
    if member.interface == Self.introspectable, member.name == "Introspect" {
      guard let text = description(at: member.path) else { return nil }
      return { $0.give(.success([.string(text)])) }
    }
    return (objects[member.path]?.handler ?? other)?(call)
  }

  /// Handles a call once its sender is known to be this user; the values of other calls are not read.
  func admit(
    _ call: BusMessage, _ handle: @escaping (SenderBook.Sender, [BusValue], BusReply) -> Void
  ) -> BusAnswer {
    { [weak self] reply in
      let isAsked = self?.senders.find(call.sender) { sender in
        guard let sender, sender.user == geteuid() else {
          self?.host?.trace(
            "refused", "a call of \(sender.map { "the user \($0.user)" } ?? "a process that has disconnected")")
          return reply.refuse("AccessDenied", "only the user's own programs are heard")
        }
        guard let values = call.values else { return reply.refuse("LimitsExceeded", "too much") }
        handle(sender, values, reply)
      }
      if isAsked != true { reply.refuse("LimitsExceeded", "too many calls") }
    }
  }

  // MARK: The standard interfaces

  /// The answer to a call about an object's properties, which others can read only.
  /// - Parameters:
  ///   - method: The method of `org.freedesktop.DBus.Properties`.
  ///   - values: Its arguments.
  ///   - properties: The values, by interface and name.
  /// - Returns: The answer.
  nonisolated static func property(
    _ method: String, _ values: [BusValue], of properties: [String: [String: BusValue]]
  ) -> Result<[BusValue], BusFailure> {
    guard let interface = values.first?.text else { return .failure(.invalid("no interface")) }
    switch (method, values.count) {
    case ("GetAll", 1): return .success([.options(properties[interface] ?? [:])])
    case ("Get", 2):
      guard let value = values[1].text.flatMap({ properties[interface]?[$0] }) else {
        return .failure(.standard("UnknownProperty", "there is no such property"))
      }
      return .success([.variant(value)])
    case ("Set", 3): return .failure(.standard("PropertyReadOnly", "nothing can be set"))
    case _: return .failure(.invalid("\(method) has other arguments"))
    }
  }

  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """

  private static let standard = """
    <interface name="org.freedesktop.DBus.Introspectable">
     <method name="Introspect"><arg name="xml_data" type="s" direction="out"/></method>
    </interface>
    <interface name="org.freedesktop.DBus.Properties">
     <method name="Get">
      <arg name="interface_name" type="s" direction="in"/><arg name="property_name" type="s" direction="in"/>
      <arg name="value" type="v" direction="out"/>
     </method>
     <method name="GetAll">
      <arg name="interface_name" type="s" direction="in"/><arg name="properties" type="a{sv}" direction="out"/>
     </method>
     <method name="Set">
      <arg name="interface_name" type="s" direction="in"/><arg name="property_name" type="s" direction="in"/>
      <arg name="value" type="v" direction="in"/>
     </method>
     <signal name="PropertiesChanged">
      <arg name="interface_name" type="s"/><arg name="changed_properties" type="a{sv}"/>
      <arg name="invalidated_properties" type="as"/>
     </signal>
    </interface>

    """

  /// The introspection data at a path: of an object, and of the elements of paths below it; nil where there are none.
  private func description(at path: String) -> String? {
    let prefix = path == "/" ? path : path + "/"
    let children = Set(
      objects.keys.filter { $0.hasPrefix(prefix) && $0 != path }.map { $0.dropFirst(prefix.count).prefix { $0 != "/" } }
    )
    let interfaces = objects[path].map { $0.interfaces + Self.standard }
    guard interfaces != nil || !children.isEmpty else { return nil }
    let nodes = children.sorted().map { "<node name=\"\($0)\"/>\n" }.joined()
    return Self.head + (interfaces ?? "") + nodes + "</node>\n"
  }
}

extension BusFailure {
  /// A call has other arguments than it should have, or they are of no use.
  static func invalid(_ reason: String) -> BusFailure { standard("InvalidArgs", reason) }
}
