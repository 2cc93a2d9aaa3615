/// What an instance can be asked over the bus.
enum InstanceInterface {
  /// The Desktop Entry Specification's.
  static let application = "org.freedesktop.Application"
  /// What that one lacks; a change that an older instance would misunderstand gets another number.
  static let own = "org.proscenium.Instance1"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let properties = "org.freedesktop.DBus.Properties"
  static let version: UInt32 = 1

  /// Errors of our own.
  enum Failure {
    /// The instance shows its windows on another display.
    static let otherDisplay = "org.proscenium.Error.OtherDisplay"
    /// The instance is about to end: ask the next one.
    static let ending = "org.proscenium.Error.Ending"
    static let noSuchAction = "org.proscenium.Error.NoSuchAction"
  }

  /// Errors that everybody knows.
  static func failure(_ name: String, _ message: String) -> BusFailure {
    BusFailure(name: "org.freedesktop.DBus.Error.\(name)", message: message)
  }

  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """

  /// What the object of an instance has.
  static let description =
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

  /// What lies on the way to that object: the next element.
  static func description(at path: String, towards object: String) -> String? {
    let prefix = path == "/" ? path : path + "/"
    guard object.hasPrefix(prefix), object != path else { return nil }
    let child = object.dropFirst(prefix.count).prefix { $0 != "/" }
    return head + "<node>\n <node name=\"\(child)\"/>\n</node>\n"
  }
}
