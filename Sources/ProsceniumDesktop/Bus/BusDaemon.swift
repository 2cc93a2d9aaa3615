/// The methods and signals of the bus itself (D-Bus Specification, "Message Bus Messages").
enum BusDaemon {
  static let name = "org.freedesktop.DBus"
  /// The flag for a name that is not waited for; it neither replaces an owner, nor may be replaced.
  static let doNotQueue: UInt32 = 4
  /// The replies to a request for a name: it is owned now, or was owned already.
  static let ownerReplies: Set<Int?> = [1, 4]

  /// The signal that a name has another owner.
  static let ownerChanged = member("NameOwnerChanged")

  /// The signals that a name has another owner.
  static func ownerRule(of name: String) -> BusRule {
    BusRule(sender: Self.name, interface: Self.name, name: ownerChanged.name, firstText: name)
  }

  static func member(_ member: String) -> BusMember {
    BusMember(path: "/org/freedesktop/DBus", interface: name, name: member)
  }
}

extension Bus {
  /// The first of some names that a caller owns; nil where it owns none.
  func findOwned(
    by sender: String, _ names: ArraySlice<String>, _ answer: @escaping @MainActor (String?) -> Void
  ) {
    guard let name = names.first else { return answer(nil) }
    call(BusDaemon.name, BusDaemon.member("GetNameOwner"), [.string(name)]) { [weak self] result in
      if (try? result.get())?.first?.text == sender { return answer(name) }
      guard let self else { return answer(nil) }
      findOwned(by: sender, names.dropFirst(), answer)
    }
  }
}

/// The desktop portal (XDG Desktop Portal).
enum Portal {
  static let name = "org.freedesktop.portal.Desktop"
  static let path = "/org/freedesktop/portal/desktop"
  static let interface = "org.freedesktop.portal"

  /// A method of one of the portal's interfaces.
  static func member(_ interface: String, _ name: String) -> BusMember {
    BusMember(path: path, interface: "\(self.interface).\(interface)", name: name)
  }
}
