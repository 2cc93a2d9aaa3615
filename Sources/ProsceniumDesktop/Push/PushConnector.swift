import FoundationEssentials
import ProsceniumPlatform

/// The program's object for distributors (`org.unifiedpush.Connector1` and `Connector2`).
enum PushConnector {
  static let path = "/org/unifiedpush/Connector"
  static let interfaces = ["org.unifiedpush.Connector1", "org.unifiedpush.Connector2"]
  /// The longest message; servers may send 4096 bytes (RFC 8030).
  static let longestMessage = 1 << 16
  private static let longestEndpoint = 1 << 12

  /// Reads a call.
  /// - Parameters:
  ///   - member: The method.
  ///   - values: Its arguments.
  ///   - token: The program's own token, which the call has to have.
  /// - Returns: What is told.
  /// - Throws: The error for the caller.
  static func read(_ member: BusMember, _ values: [BusValue], token: String) throws(BusFailure) -> PushEvent {
    var arguments: [String: BusValue] = [:]
    switch (member.interface, member.name, values.map(\.signature).joined()) {
    case (interfaces[1], "Message", "a{sv}"), (interfaces[1], "NewEndpoint", "a{sv}"),
      (interfaces[1], "Unregistered", "a{sv}"):
      arguments = values[0].properties ?? [:]
    case (interfaces[0], "Message", "says"): arguments = ["token": values[0], "message": values[1]]
    case (interfaces[0], "NewEndpoint", "ss"): arguments = ["token": values[0], "endpoint": values[1]]
    case (interfaces[0], "Unregistered", "s"): arguments = ["token": values[0]]
    case _: throw .standard("UnknownMethod", "there is no such method with these arguments")
    }
    guard arguments["token"]?.text == token else { throw .invalid("the token is none of this program") }
    switch member.name {
    case "Message":
      guard case .array(of: "y", let bytes)? = arguments["message"]?.plain, bytes.count <= longestMessage else {
        throw .invalid("no message of at most \(longestMessage) bytes")
      }
      return .message(Data(bytes.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }))
    case "NewEndpoint":
      guard let text = arguments["endpoint"]?.text, text.utf8.count <= longestEndpoint, let url = URL(string: text),
        ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
      else { throw .invalid("no endpoint") }
      return .endpoint(url)
    case _: return .unregistered
    }
  }

  /// The answer to a call that is understood.
  static func answer(to member: BusMember) -> [BusValue] { member.interface == interfaces[1] ? [.options([:])] : [] }

  /// The introspection data.
  static let description = """
    <interface name="org.unifiedpush.Connector1">
     <method name="Message">
      <arg name="token" type="s" direction="in"/><arg name="message" type="ay" direction="in"/>
      <arg name="id" type="s" direction="in"/>
     </method>
     <method name="NewEndpoint">
      <arg name="token" type="s" direction="in"/><arg name="endpoint" type="s" direction="in"/>
     </method>
     <method name="Unregistered"><arg name="token" type="s" direction="in"/></method>
    </interface>
    <interface name="org.unifiedpush.Connector2">
     <method name="Message"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method>
     <method name="NewEndpoint"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method>
     <method name="Unregistered"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method>
    </interface>

    """
}
