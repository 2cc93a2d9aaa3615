import Glibc

/// The users and processes of callers, by the bus, which is asked once for each connection.
///
/// A call is not handled before its caller is known. The bus does not know a caller that has disconnected without
/// waiting for the answer; such a caller counts as this user where no other user can be connected
/// (``BusPeer/isOwnUsers(alone:)``).
@MainActor final class SenderBook {
  struct Sender: Hashable, Sendable {
    var user: UInt32
    var process: Int?
  }
  typealias Answer = (Sender?) -> Void

  /// The most calls that wait for their callers to be known.
  static let mostWaiting = 4096
  private static let mostKnown = 1024

  private let bus: Bus
  private var known: [String: Sender] = [:]
  private var waiting: [String: [Answer]] = [:]
  private var waitingCount = 0

  init(bus: Bus) { self.bus = bus }

  /// Finds the sender with a unique name; nil where it is not known.
  ///
  /// False where too many calls wait.
  func find(_ name: String, _ answer: @escaping Answer) -> Bool {
    let isAsked = waiting[name] != nil
    if let sender = known[name], !isAsked {
      answer(sender)
      return true
    }
    guard waitingCount < Self.mostWaiting else { return false }
    waitingCount += 1
    waiting[name, default: []].append(answer)
    guard !isAsked else { return true }
    bus.call(BusDaemon.name, BusDaemon.member("GetConnectionCredentials"), [.string(name)]) { [weak self] result in
      self?.add(result, of: name)
    }
    return true
  }

  /// Drops all senders, because another bus assigns other unique names.
  func removeAll() { known = [:] }

  private func add(_ result: Result<[BusValue], BusFailure>, of name: String) {
    var sender: Sender?
    switch result {
    case .success(let values):
      let properties = values.first?.properties
      let user = properties?["UnixUserID"]?.integer.flatMap { UInt32(exactly: $0) }
      sender = user.map { Sender(user: $0, process: properties?["ProcessID"]?.integer) }
      if known.count >= Self.mostKnown { known = [:] }
      known[name] = sender
    case .failure(let failure):
      let hasGone = failure.name == "\(BusDaemon.name).Error.NameHasNoOwner"
      if hasGone, bus.isOwnUsersAlone { sender = Sender(user: geteuid(), process: nil) }
    }
    let answers = waiting.removeValue(forKey: name) ?? []
    waitingCount -= answers.count
    for answer in answers { answer(sender) }
  }
}
