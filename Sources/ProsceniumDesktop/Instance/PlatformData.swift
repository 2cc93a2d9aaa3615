/// The keys of platform data (Desktop Entry Specification, "D-Bus Activation").
enum PlatformData {
  static let startupID = "desktop-startup-id"
  static let token = "activation-token"
  /// Ours: the well-known name of the caller.
  static let caller = "org.proscenium.caller"

  static func entries(token: String?, caller: String? = nil) -> [String: BusValue] {
    var entries: [String: BusValue] = [:]
    if let token {
      entries[startupID] = .string(token)
      entries[Self.token] = .string(token)
    }
    if let caller { entries[Self.caller] = .string(caller) }
    return entries
  }
}
