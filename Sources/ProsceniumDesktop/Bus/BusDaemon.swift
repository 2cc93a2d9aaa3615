/// The methods and signals of the bus itself (D-Bus Specification, "Message Bus Messages").
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

  /// Neither replaces an owner, nor may be replaced.
  private static let doNotQueueFlag: UInt32 = 4
  private static let primaryOwnerReply = 1
  private static let alreadyOwnerReply = 4

  /// Requests a name without waiting for it to become free.
  @MainActor static func requestName(_ name: String, on bus: Bus, _ answer: @escaping @MainActor (NameReply) -> Void) {
    bus.call(self.name, member("RequestName"), [.string(name), .uint32(doNotQueueFlag)]) { result in
      switch result {
      case .failure(let failure): answer(.failed("\(failure)"))
      case .success(let values):
        answer([primaryOwnerReply, alreadyOwnerReply].contains(values.first?.integer) ? .owned : .taken)
      }
    }
  }
}
