import ProsceniumPlatform

/// The notices of the desktop portal (XDG Desktop Portal, `org.freedesktop.portal.Notification`), which outlast the
/// program.
///
/// The user's choice is an action of the program (`org.freedesktop.Application`), for which the bus starts it; its
/// parameter is a ``NoticeTarget``.
@MainActor final class NotificationPortal: NoticeRoute {
  /// The program's action for all choices; its parameter is the text of the response.
  nonisolated static let action = "proscenium-notification"
  private static let interface = "Notification"

  private let bus: Bus
  private weak var host: (any SystemHost)?
  /// Whether the portal reaches this process by the application's name on the bus.
  private let isReachable: @MainActor () -> Bool
  private let key: NoticeKey
  private var isListening = false

  init(bus: Bus, host: any SystemHost, key: NoticeKey, isReachable: @escaping @MainActor () -> Bool) {
    self.bus = bus
    self.host = host
    self.key = key
    self.isReachable = isReachable
  }

  func show(_ notice: UserNotice, completion: @escaping @MainActor (BusFailure?) -> Void) {
    let content = notice.request.content
    // An action with this prefix is called, any other one is a signal, which only a process that runs hears.
    let action = (isReachable() ? "app." : "") + Self.action
    if !isReachable() { listen() }
    let key = key.forNotice()
    func target(_ name: String) -> BusValue {
      .string(notice.response(to: name).map { NoticeTarget(key: key, $0).text } ?? "")
    }
    var values: [String: BusValue] = [
      "title": .string(content.title.withoutZeros), "body": .string(content.body.withoutZeros),
      "priority": .string(content.interruptionLevel.priority),
      "sound": .string(content.playsSound ? "default" : "silent"),
      "default-action": .string(action),
      "default-action-target": target(UserNotificationResponse.defaultActionIdentifier),
    ]
    if !notice.actions.isEmpty {
      values["buttons"] = .array(
        of: "a{sv}",
        notice.actions.map {
          .options([
            "label": .string($0.title.withoutZeros), "action": .string(action), "target": target($0.identifier),
          ])
        })
    }
    send(.string(notice.request.identifier.withoutZeros), values, completion)
  }

  private func send(
    _ identifier: BusValue, _ values: [String: BusValue], _ completion: @escaping @MainActor (BusFailure?) -> Void
  ) {
    let member = Portal.member(Self.interface, "AddNotification")
    bus.call(Portal.name, member, [identifier, .options(values)]) { [weak self] result in
      guard case .failure(let failure) = result else { return completion(nil) }
      // A portal of the interface's first version does not know this key, and xdg-desktop-portal before 1.19 refuses
      // the whole notice for it.
      var known = values
      guard let self, failure.name == "\(Portal.interface).Error.InvalidArgument",
        known.removeValue(forKey: "sound") != nil
      else { return completion(failure) }
      send(identifier, known, completion)
    }
  }

  /// The portal does not tell what it shows.
  func shows(_ identifier: String) -> Bool { false }

  func remove(_ identifier: String) {
    let member = Portal.member(Self.interface, "RemoveNotification")
    bus.call(Portal.name, member, [.string(identifier.withoutZeros)]) { _ in }
  }

  private func listen() {
    guard !isListening else { return }
    isListening = true
    let rule = BusRule(
      sender: Portal.name, path: Portal.path, interface: "\(Portal.interface).\(Self.interface)", name: "ActionInvoked")
    bus.subscribe(rule) { [weak self] in self?.invoked($0.values) }
  }

  /// The notice, the action, and its parameters: the target, and from version 2 on platform data.
  private func invoked(_ values: [BusValue]) {
    guard values.count == 3, values[1].text == Self.action, let parameters = values[2].elements,
      let target = parameters.first?.text.flatMap({ NoticeTarget($0) }),
      values[0].text == target.response.request.identifier, let host, host.acceptsRequests
    else { return }
    guard key.accepts(target) else { return host.trace("refused", NoticeTarget.refusal) }
    var request = IncomingRequest()
    request.response = target.response
    request.token = parameters.last?.properties?[PlatformData.token]?.text
      .flatMap { $0.utf8.count <= InstanceCall.longestName ? $0 : nil }
    host.post(.request(request))
  }
}

extension UserNotificationContent.InterruptionLevel {
  /// The portal's name of the priority.
  fileprivate var priority: String {
    switch self {
    case .passive: "low"
    case .active: "normal"
    case .timeSensitive: "urgent"
    }
  }
}
