import Glibc
import ProsceniumPlatform

/// Who the callers are, as the bus says: asked once for each connection.
///
/// Nothing of a caller is done before that is known. The bus knows nothing of one that has gone by then, as whoever calls
/// without waiting for the answer. It is believed where the kernel says that no other user can have been there
/// (``BusPeer/isOwnUsers(alone:)``), and nobody's elsewhere.
@MainActor final class SenderBook {
  struct Sender: Hashable, Sendable {
    var user: UInt32
    var process: Int?
  }
  typealias Answer = (Sender?) -> Void

  /// More calls than that do not wait at a time, and not more of them from whoever asks.
  static let mostWaiting = 4096
  private static let mostKnown = 1024

  private let bus: Bus
  private var known: [String: Sender] = [:]
  private var waiting: [String: [Answer]] = [:]
  private var waitingCount = 0

  init(bus: Bus) { self.bus = bus }

  /// False where too many are asked for already.
  func find(_ name: String, _ answer: @escaping Answer) -> Bool {
    if let sender = known[name], waiting[name] == nil {
      answer(sender)
      return true
    }
    guard waitingCount < Self.mostWaiting else { return false }
    waitingCount += 1
    if waiting[name] != nil {
      waiting[name]?.append(answer)
      return true
    }
    waiting[name] = [answer]
    bus.call(BusDaemon.name, BusDaemon.member("GetConnectionCredentials"), [.string(name)]) { [weak self] result in
      self?.take(result, of: name)
    }
    return true
  }

  /// Names are given out anew by another bus.
  func forgetAll() { known = [:] }

  private func take(_ result: Result<[BusValue], BusFailure>, of name: String) {
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
