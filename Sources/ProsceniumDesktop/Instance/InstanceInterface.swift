/// The interfaces of an instance on the bus.
enum InstanceInterface {
  /// The interface of the Desktop Entry Specification.
  static let application = "org.freedesktop.Application"
  /// Our own, for what that one lacks.
  ///
  /// A change that older instances would misunderstand gets another number.
  static let own = "org.proscenium.Instance1"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let properties = "org.freedesktop.DBus.Properties"
  static let version: UInt32 = 1

  /// The names of our own errors.
  enum Failure {
    /// The instance shows its windows on another display.
    static let otherDisplay = "org.proscenium.Error.OtherDisplay"
    /// The instance is about to end: the next one takes the call.
    static let ending = "org.proscenium.Error.Ending"
    /// The program has no shortcut item of that name.
    static let noSuchAction = "org.proscenium.Error.NoSuchAction"
  }

  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """

  /// The introspection data of an instance's object.
  private static let description =
    head + """
      <node>
       <interface name="org.freedesktop.Application">
        <method name="Activate"><arg name="platform_data" type="a{sv}" direction="in"/></method>
        <method name="Open">
         <arg name="uris" type="as" direction="in"/><arg name="platform_data" type="a{sv}" direction="in"/>
        </method>
        <method name="ActivateAction">
         <arg name="action_name" type="s" direction="in"/><arg name="parameter" type="av" direction="in"/>
         <arg name="platform_data" type="a{sv}" direction="in"/>
        </method>
       </interface>
       <interface name="org.proscenium.Instance1">
        <method name="Start"><arg name="start" type="a{sv}" direction="in"/></method>
        <method name="Continue">
         <arg name="activity_type" type="s" direction="in"/><arg name="activity" type="s" direction="in"/>
         <arg name="platform_data" type="a{sv}" direction="in"/>
        </method>
        <property name="Version" type="u" access="read"/>
        <property name="Display" type="s" access="read"/>
        <property name="TimeToEnd" type="d" access="read"/>
       </interface>
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
       </interface>
      </node>

      """

  /// The introspection data at a path: of an instance's object, or of an object above it, which has the next element of
  /// the path; nil for all others.
  static func description(at path: String, of object: String) -> String? {
    if path == object { return description }
    let prefix = path == "/" ? path : path + "/"
    guard object.hasPrefix(prefix) else { return nil }
    let child = object.dropFirst(prefix.count).prefix { $0 != "/" }
    return head + "<node>\n <node name=\"\(child)\"/>\n</node>\n"
  }
}

extension BusFailure {
  /// A call has other arguments than it should have, or they are of no use.
  static func invalid(_ reason: String) -> BusFailure { standard("InvalidArgs", reason) }
}
