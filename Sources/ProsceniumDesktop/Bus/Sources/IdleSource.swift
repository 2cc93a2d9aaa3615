import ProsceniumLoop
import ProsceniumPlatform

/// Keeps the desktop's screen saver away: `org.freedesktop.ScreenSaver`'s Inhibit, or the portal's where only that is there.
///
/// Nothing is asked for until the program wants it. Who has the name may change: the new one is asked again; one that goes
/// has forgotten what it was asked.
@MainActor final class IdleSource: IdleInhibitor {
  nonisolated private static let saver = "org.freedesktop.ScreenSaver"
  nonisolated private static let portal = "org.freedesktop.portal.Desktop"
  /// How long a bus may take to come before somebody is told that it is missing, in milliseconds.
  private static let patience = 5000
  private static let reason = "The program is in use."

  /// Where one can ask.
  private enum Way: Hashable {
    /// The object is at one of two places: the older one is KDE's.
    case saver(path: String)
    case portal

    var name: String {
      switch self {
      case .saver: IdleSource.saver
      case .portal: IdleSource.portal
      }
    }
  }

  /// What has been asked for.
  private enum Promise {
    case none
    case asking(Way)
    case given(Way, BusValue)
  }

  private let bus: Bus
  private let host: any SystemHost
  private var isWanted = false
  private var isFollowing = false
  private var hasComplained = false
  private var owners: [String: String] = [:]
  private var promise = Promise.none
  /// Counts who was asked: an answer to an earlier question is none.
  private var question = 0

  init(bus: Bus, host: any SystemHost) {
    self.bus = bus
    self.host = host
    host.offer(self)
  }

  func keepAwake(_ isWanted: Bool) {
    self.isWanted = isWanted
    guard isWanted else { return takeBack() }
    host.after(milliseconds: Self.patience) { [weak self] in self?.checkBus() }
    guard !isFollowing else { return ask() }
    isFollowing = true
    for name in [Self.saver, Self.portal] {
      bus.onOwner(of: name) { [weak self] owner in self?.ownerChanged(of: name, to: owner) }
    }
  }

  /// A machine need not have a bus; a program that needs one is told.
  private func checkBus() {
    if bus.isConnected { hasComplained = false }
    guard isWanted, !bus.isConnected, !hasComplained else { return }
    hasComplained = true
    host.report("The desktop's screen saver is not kept away: there is no session bus that it could be asked on.")
  }

  private func ownerChanged(of name: String, to owner: String?) {
    guard owners[name] != owner else { return }
    owners[name] = owner
    switch promise {
    case .none: break
    case .asking(let way), .given(let way, _):
      // The portal's word counts until the saver comes, which is asked in its place.
      guard way.name == name || (name == Self.saver && owner != nil) else { return }
      if way.name != name { takeBack() }
    }
    // An answer that is on its way is to an earlier question.
    question += 1
    promise = .none
    ask()
  }

  private func ask() {
    guard isWanted, case .none = promise else { return }
    let savers = ["/org/freedesktop/ScreenSaver", "/ScreenSaver"].map { Way.saver(path: $0) }
    ask((owners[Self.saver] == nil ? [] : savers) + (owners[Self.portal] == nil ? [] : [.portal]))
  }

  /// Asks one after the other, until one agrees.
  private func ask(_ ways: [Way]) {
    guard let way = ways.first else { return promise = .none }
    promise = .asking(way)
    question += 1
    let number = question
    let (member, values) = request(way)
    bus.call(way.name, member, values) { [weak self] result in
      self?.answered(result, way, number, others: Array(ways.dropFirst()))
    }
  }

  private func answered(
    _ result: Result<[BusValue], BusFailure>, _ way: Way, _ number: Int, others: [Way]
  ) {
    switch result {
    case .success(let values):
      let isAwaited = number == question
      if isAwaited { promise = .none }
      guard let token = values.first, isToken(token, way) else { return }
      // Somebody else has been asked since, or nobody wants it any more.
      guard isAwaited, isWanted else { return giveBack(way, token) }
      promise = .given(way, token)
    case .failure(let failure):
      guard number == question else { return }
      // The portal may have come meanwhile.
      let others = others.isEmpty && way != .portal && owners[Self.portal] != nil ? [.portal] : others
      if isWanted, !others.isEmpty { return ask(others) }
      promise = .none
      if failure != .disconnected { host.report("The desktop's screen saver is not kept away: \(failure)") }
    }
  }

  private func isToken(_ value: BusValue, _ way: Way) -> Bool {
    switch (way, value) {
    case (.saver, .uint32), (.portal, .objectPath): true
    case _: false
    }
  }

  private func request(_ way: Way) -> (BusMember, [BusValue]) {
    switch way {
    case .saver(let path):
      let values = [host.applicationIdentifier, Self.reason].map { BusValue.string($0) }
      return (BusMember(path: path, interface: Self.saver, name: "Inhibit"), values)
    case .portal:
      let member = BusMember(
        path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Inhibit", name: "Inhibit")
      // No window; 8: idle.
      return (member, [.string(""), .uint32(8), .options(["reason": .string(Self.reason)])])
    }
  }

  private func takeBack() {
    guard case .given(let way, let token) = promise else { return }
    promise = .none
    giveBack(way, token)
  }

  private func giveBack(_ way: Way, _ token: BusValue) {
    switch way {
    case .saver(let path):
      bus.call(way.name, BusMember(path: path, interface: Self.saver, name: "UnInhibit"), [token]) { _ in }
    case .portal:
      guard let path = token.text else { return }
      let member = BusMember(path: path, interface: "org.freedesktop.portal.Request", name: "Close")
      bus.call(way.name, member) { _ in }
    }
  }
}
