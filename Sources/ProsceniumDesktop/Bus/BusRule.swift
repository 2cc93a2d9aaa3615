/// The signals of a subscription.
package struct BusRule: Hashable, Sendable {
  /// The sender's well-known name; the same signal of another sender is ignored.
  package var sender: String
  /// Nil for any.
  package var path: String?
  package var interface: String
  /// Nil for any.
  package var name: String?
  /// The first argument, a text; nil for any.
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

  /// The match rule (D-Bus Specification, "Match Rules").
  var text: String {
    var parts = ["type='signal'", "sender='\(sender)'", "interface='\(interface)'"]
    if let path { parts.append("path='\(path)'") }
    if let name { parts.append("member='\(name)'") }
    if let firstText { parts.append("arg0='\(firstText)'") }
    return parts.joined(separator: ",")
  }

  /// Whether a signal's object, interface and name match.
  func matches(_ member: BusMember) -> Bool {
    guard member.interface == interface else { return false }
    if let path, path != member.path { return false }
    return name == nil || name == member.name
  }

  /// Whether a signal's arguments match.
  func matches(_ values: [BusValue]) -> Bool { firstText == nil || values.first?.text == firstText }
}

/// A signal that matches a subscription.
package struct BusSignal {
  package var member: BusMember
  package var values: [BusValue]
}
