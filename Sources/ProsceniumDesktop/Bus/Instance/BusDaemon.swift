/// What the bus itself can be asked (D-Bus Specification, "Message Bus Messages").
enum BusDaemon {
  static let name = "org.freedesktop.DBus"

  static func member(_ member: String) -> BusMember {
    BusMember(path: "/org/freedesktop/DBus", interface: name, name: member)
  }

  enum NameReply: Hashable, Sendable {
    case owned
    case taken
    case failed(String)
  }

  /// `DBUS_NAME_FLAG_DO_NOT_QUEUE`, and neither replacing nor being replaced.
  private static let flags: UInt32 = 4

  @MainActor static func requestName(_ name: String, on bus: Bus, _ answer: @escaping @MainActor (NameReply) -> Void) {
    bus.call(self.name, member("RequestName"), [.string(name), .uint32(flags)]) { result in
      switch result {
      case .failure(let failure): answer(.failed("\(failure)"))
      // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, and ..._ALREADY_OWNER.
      case .success(let values): answer([1, 4].contains(values.first?.integer) ? .owned : .taken)
      }
    }
  }
}
