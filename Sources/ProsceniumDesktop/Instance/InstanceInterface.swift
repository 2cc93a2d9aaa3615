/// The interfaces of an instance on the bus.
enum InstanceInterface {
  /// The interface of the Desktop Entry Specification.
  static let application = "org.freedesktop.Application"
  /// Our own, for what that one lacks.
  ///
  /// A change that older instances would misunderstand gets another number.
  static let own = "org.proscenium.Instance1"
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

  /// The introspection data of the two interfaces.
  static let description = """
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
     <method name="ContinueFrom">
      <arg name="activity_type" type="s" direction="in"/><arg name="name" type="s" direction="in"/>
      <arg name="identifier" type="s" direction="in"/><arg name="platform_data" type="a{sv}" direction="in"/>
     </method>
     <property name="Version" type="u" access="read"/>
     <property name="Display" type="s" access="read"/>
     <property name="TimeToEnd" type="d" access="read"/>
    </interface>

    """
}
