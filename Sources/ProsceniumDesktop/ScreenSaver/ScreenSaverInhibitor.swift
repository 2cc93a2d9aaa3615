import ProsceniumLoop
import ProsceniumPlatform

/// Keeps the desktop environment's screen saver away: by Inhibit of `org.freedesktop.ScreenSaver`, or of the portal
/// where only that is present.
///
/// The names are followed from the first request of the program on. A new owner of a name is requested again, because
/// the request ended with the old one.
@MainActor final class ScreenSaverInhibitor: IdleInhibitor {
  nonisolated private static let saver = "org.freedesktop.ScreenSaver"
  /// How long the session bus may be absent until that is reported.
  private static let busTimeout = Duration.seconds(5)
  private static let reason = "The program is in use."
  /// The portal's flag for an idle session.
  private static let idleFlag: UInt32 = 8

  /// An object with the method.
  private struct Service: Equatable {
    var name: String
    var inhibit: BusMember

    /// The older path is KDE's.
    static let savers = ["/org/freedesktop/ScreenSaver", "/ScreenSaver"].map {
      Service(name: saver, inhibit: BusMember(path: $0, interface: saver, name: "Inhibit"))
    }
    static let portal = Service(name: Portal.name, inhibit: Portal.member("Inhibit", "Inhibit"))
  }

  private enum State {
    case none
    case requesting(Service)
    /// The token ends the inhibition.
    case inhibited(Service, token: BusValue)
  }

  private let bus: Bus
  private let host: any SystemHost
  private var isWanted = false
  private var isFollowing = false
  /// Whether the absence of the session bus has been reported.
  private var isReported = false
  private var owners: [String: String] = [:]
  private var state = State.none
  /// Counts the requests: the answer to an earlier one is not used.
  private var number = 0

  init(bus: Bus, host: any SystemHost) {
    self.bus = bus
    self.host = host
    host.offer(self)
  }

  func setInhibited(_ isWanted: Bool) {
    self.isWanted = isWanted
    guard isWanted else { return end() }
    host.after(milliseconds: Self.busTimeout.milliseconds) { [weak self] in self?.checkBus() }
    guard !isFollowing else { return request() }
    isFollowing = true
    for name in [Self.saver, Portal.name] {
      bus.onOwner(of: name) { [weak self] owner in self?.ownerChanged(of: name, to: owner) }
    }
  }

  /// A machine without a session bus is reported only where the program needs one.
  private func checkBus() {
    if bus.isConnected { isReported = false }
    guard isWanted, !bus.isConnected, !isReported else { return }
    isReported = true
    host.report("The desktop's screen saver is not kept away: there is no session bus that it could be asked on.")
  }

  private func ownerChanged(of name: String, to owner: String?) {
    guard owners[name] != owner else { return }
    owners[name] = owner
    switch state {
    case .none: break
    case .requesting(let service), .inhibited(let service, _):
      // A screen saver that comes replaces the portal.
      guard service.name == name || (name == Self.saver && owner != nil) else { return }
      if service.name != name { end() }
    }
    number += 1
    state = .none
    request()
  }

  private func request() {
    guard isWanted, case .none = state else { return }
    request((Service.savers + [.portal]).filter { owners[$0.name] != nil })
  }

  /// Requests the inhibition from one service after the other, until one grants it.
  private func request(_ services: [Service]) {
    guard let service = services.first else { return state = .none }
    state = .requesting(service)
    number += 1
    let number = number
    // Silence is no refusal: what a busy one grants later has to be ended, or it lasts until the program does.
    bus.call(service.name, service.inhibit, arguments(service), timeout: Bus.longestAnswer) { [weak self] result in
      self?.answered(result, service, number, others: Array(services.dropFirst()))
    }
  }

  private func answered(
    _ result: Result<[BusValue], BusFailure>, _ service: Service, _ number: Int, others: [Service]
  ) {
    switch result {
    case .success(let values):
      let isLatest = number == self.number
      if isLatest { state = .none }
      guard let token = values.first, token.signature == (service == .portal ? "o" : "u") else { return }
      // Another service was requested meanwhile, or none is wanted any more.
      guard isLatest, isWanted else { return end(service, token) }
      state = .inhibited(service, token: token)
    case .failure(let failure):
      guard number == self.number else { return }
      // The portal may have come meanwhile.
      let others = others.isEmpty && service != .portal && owners[Portal.name] != nil ? [.portal] : others
      if isWanted, !others.isEmpty { return request(others) }
      state = .none
      if failure != .disconnected { host.report("The desktop's screen saver is not kept away: \(failure)") }
    }
  }

  private func arguments(_ service: Service) -> [BusValue] {
    guard service == .portal else { return [.string(host.applicationIdentifier), .string(Self.reason)] }
    let noWindow = BusValue.string("")
    return [noWindow, .uint32(Self.idleFlag), .options(["reason": .string(Self.reason)])]
  }

  private func end() {
    guard case .inhibited(let service, let token) = state else { return }
    state = .none
    end(service, token)
  }

  private func end(_ service: Service, _ token: BusValue) {
    if service == .portal, let path = token.text {
      bus.call(service.name, BusMember(path: path, interface: Portal.interface + ".Request", name: "Close")) { _ in }
    } else {
      let member = BusMember(path: service.inhibit.path, interface: Self.saver, name: "UnInhibit")
      bus.call(service.name, member, [token]) { _ in }
    }
  }
}
