import ProsceniumLoop
package import ProsceniumPlatform

/// A way by which notices reach the user.
@MainActor protocol NoticeRoute: AnyObject {
  /// Shows a notice.
  /// - Parameters:
  ///   - notice: The notice.
  ///   - completion: Called later, once, with why it is not shown; nil where it is.
  func show(_ notice: UserNotice, completion: @escaping @MainActor (BusFailure?) -> Void)

  /// Whether it is known that this way shows a notice of that name.
  func shows(_ identifier: String) -> Bool

  /// Takes a notice back, where this way has shown it.
  func remove(_ identifier: String)
}

/// Shows notices to the user over the session bus.
///
/// Nothing is matched or asked for before the first notice. Notices are sent one after the other, so that the last one
/// of a name is the one that is seen.
@MainActor package final class NoticeSource: NoticeService {
  /// More notices at a time are refused: a program that shows one in each frame does not fill the memory.
  static let mostWaiting = 1000

  private enum Task {
    case show(UserNotice, @MainActor (DesktopFailure?) -> Void)
    case remove([String])
  }

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  /// Whether it is known that there is a session bus, or none.
  private var isBusKnown = false
  private var makeRoutes: (@MainActor () -> [any NoticeRoute])?
  private lazy var routes: [any NoticeRoute] = makeRoutes?() ?? []
  private var hasRoutes = false
  private var tasks: [Task] = []
  private var isBusy = false
  private var isPlanned = false

  package var onClosed: (@MainActor (_ identifier: String) -> Void)?

  init() {}

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, nil for none, and the ways in the order in which they are tried.
  func use(_ bus: Bus?, _ routes: @escaping @MainActor () -> [any NoticeRoute] = { [] }) {
    self.bus = bus
    makeRoutes = routes
    isBusKnown = true
    planNext()
  }

  package func show(_ notice: UserNotice, completion: @escaping @MainActor (DesktopFailure?) -> Void) {
    guard tasks.count < Self.mostWaiting else {
      host?.after(milliseconds: 0) { completion(DesktopFailure("\(Self.mostWaiting) others wait already")) }
      return
    }
    tasks.append(.show(notice, completion))
    planNext()
  }

  package func remove(_ identifiers: [String]) {
    guard !tasks.isEmpty || hasRoutes || !identifiers.isEmpty else { return }
    tasks.append(.remove(identifiers))
    planNext()
  }

  /// After the present callback, which at a launch requests the first windows.
  private func planNext() {
    guard let host, isBusKnown, !isBusy, !isPlanned, !tasks.isEmpty else { return }
    isPlanned = true
    host.after(milliseconds: 0) { [weak self] in
      self?.isPlanned = false
      self?.performNext()
    }
  }

  private func performNext() {
    guard !isBusy, !tasks.isEmpty else { return }
    isBusy = true
    let isConnected = bus?.isConnected == true
    if isConnected { hasRoutes = true }
    switch tasks.removeFirst() {
    case .remove(let identifiers):
      if isConnected { for identifier in identifiers { takeBack(identifier) } }
      ended()
    case .show(let notice, let completion):
      guard isConnected else {
        completion(DesktopFailure("there is no session bus"))
        return ended()
      }
      attempt(routes[...], notice) { [weak self] failure in
        completion(failure.map { DesktopFailure("\($0)") })
        self?.ended()
      }
    }
  }

  /// One of an earlier run may have been shown by any way.
  private func takeBack(_ identifier: String) {
    if let route = routes.first(where: { $0.shows(identifier) }) { return route.remove(identifier) }
    for route in routes { route.remove(identifier) }
  }

  private func ended() {
    isBusy = false
    planNext()
  }

  /// Tries one way after the other, as long as nothing is there; what has refused a notice may have shown it.
  private func attempt(
    _ routes: ArraySlice<any NoticeRoute>, _ notice: UserNotice,
    _ completion: @escaping @MainActor (BusFailure?) -> Void
  ) {
    guard let route = routes.first else { return completion(.standard("ServiceUnknown", "nothing shows notices")) }
    route.show(notice) { [weak self] failure in
      guard let self, let failure, failure.isAbsence, routes.count > 1 else { return completion(failure) }
      attempt(routes.dropFirst(), notice, completion)
    }
  }
}

extension BusFailure {
  /// Whether the service, its object or its method is absent, so that nothing has been done.
  var isAbsence: Bool {
    let names = ["ServiceUnknown", "NameHasNoOwner", "UnknownObject", "UnknownInterface", "UnknownMethod"]
    return name.hasPrefix("\(BusDaemon.name).Error.Spawn.")
      || names.contains { name == "\(BusDaemon.name).Error.\($0)" }
  }

  /// Whether nobody has answered, so that what was asked for may have been done, or be done yet.
  var isSilence: Bool {
    ["NoReply", "Timeout", "TimedOut"].contains { name == "\(BusDaemon.name).Error.\($0)" }
  }
}
