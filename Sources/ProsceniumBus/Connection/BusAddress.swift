/// Where a bus is (D-Bus Specification, "Server Addresses").
struct BusAddress: Hashable {
  let text: String

  /// Where the environment says, or where it is by convention; nil where neither says anything.
  init?(_ kind: Bus.Kind, environment: [String: String]) {
    switch kind {
    case .session:
      if let text = environment["DBUS_SESSION_BUS_ADDRESS"], !text.isEmpty {
        self.text = text
      } else if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
        text = "unix:path=\(folder)/bus"
      } else {
        return nil
      }
    case .system: text = environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    }
  }

  /// What it reads of the environment.
  static let variables = ["DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR"]

  /// The first socket that is a file; nil for others, which give no sign of themselves.
  var socketPath: String? {
    for address in text.split(separator: ";") where address.hasPrefix("unix:") {
      for pair in address.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=/") {
        return String(pair.dropFirst(5))
      }
    }
    return nil
  }
}
