/// Which signals are wanted.
package struct BusRule: Hashable, Sendable {
  /// The well-known name of whoever sends them: others that say the same are not believed.
  package var sender: String
  /// Nil for any.
  package var path: String?
  package var interface: String
  /// Nil for any.
  package var name: String?
  /// The first value, where that is a text; nil for any.
  package var firstText: String?

  package init(
    sender: String, path: String? = nil, interface: String, name: String? = nil, firstText: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.name = name
    self.firstText = firstText
  }

  /// The rule, as the bus takes it (D-Bus Specification, "Match Rules").
  var text: String {
    var parts = ["type='signal'", "sender='\(sender)'", "interface='\(interface)'"]
    if let path { parts.append("path='\(path)'") }
    if let name { parts.append("member='\(name)'") }
    if let firstText { parts.append("arg0='\(firstText)'") }
    return parts.joined(separator: ",")
  }

  /// Whether a signal is wanted, but for who sent it and what it says.
  func matches(_ member: BusMember) -> Bool {
    guard member.interface == interface else { return false }
    if let path, path != member.path { return false }
    return name == nil || name == member.name
  }

  /// Whether a signal that matches is wanted for what it says.
  func matches(_ values: [BusValue]) -> Bool { firstText == nil || values.first?.text == firstText }
}

/// A signal that was wanted.
package struct BusSignal {
  package var member: BusMember
  package var values: [BusValue]
}

/// A call that somebody makes of us.
@MainActor package struct BusRequest {
  /// The caller's unique name.
  package var sender: String
  package var member: BusMember
  let body: BusBody
  /// What it says; nil where that cannot be read: too many values, too large, or damaged.
  package var values: [BusValue]? { body.values }
}

/// What comes of a call that somebody makes of us.
package enum BusAnswer {
  case success([BusValue])
  case failure(BusFailure)
  /// Whoever is handed the reply answers it when it can.
  case later(@MainActor (BusReply) -> Void)
}
