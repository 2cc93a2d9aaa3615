import ProsceniumLoop
import ProsceniumPlatform

/// The desktop's service for notices (Desktop Notifications Specification 1.2).
///
/// Its notices end with this process for most servers: only a program that runs hears of the user's choice.
@MainActor final class NotificationServer: NoticeRoute {
  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"
  /// More notices are not remembered, however many the program shows: the user's choice of the oldest is not heard.
  private static let mostShown = 1000

  private let bus: Bus
  private weak var host: (any SystemHost)?
  /// Called with the name of a notice that is not shown any more.
  private let onClosed: @MainActor (String) -> Void
  /// The notices that the server shows, by its numbers.
  private var shown: [UInt32: UserNotice] = [:]
  private var numbers: [String: UInt32] = [:]
  /// What the server can do; nil until it has said so.
  private var capabilities: Set<String>?
  /// The number and the token of the response that is about to come.
  private var token: (number: Int, text: String)?
  private var isListening = false

  init(bus: Bus, host: any SystemHost, onClosed: @escaping @MainActor (String) -> Void) {
    self.bus = bus
    self.host = host
    self.onClosed = onClosed
  }

  private static func member(_ name: String) -> BusMember {
    BusMember(path: path, interface: Self.name, name: name)
  }

  // MARK: Out

  func show(_ notice: UserNotice, completion: @escaping @MainActor (BusFailure?) -> Void) {
    listen()
    guard capabilities == nil else { return send(notice, completion) }
    bus.call(Self.name, Self.member("GetCapabilities")) { [weak self] result in
      guard let self else { return completion(.disconnected) }
      switch result {
      case .failure(let failure): completion(failure)
      case .success(let values):
        capabilities = Set(values.first?.elements?.compactMap(\.text) ?? [])
        send(notice, completion)
      }
    }
  }

  private func send(_ notice: UserNotice, _ completion: @escaping @MainActor (BusFailure?) -> Void) {
    let (request, content) = (notice.request, notice.request.content)
    let can = capabilities ?? []
    var actions: [String] = []
    if can.contains("actions") {
      // Desktops that show a button for it need its title.
      actions = [UserNotificationResponse.defaultActionIdentifier, content.title]
      for action in notice.actions { actions += [action.identifier, action.title] }
    }
    var hints: [String: BusValue] = [
      "desktop-entry": .string(host?.desktopIdentifier ?? ""),
      "urgency": .whole(Int128(content.interruptionLevel.urgency), code: "y"),
    ]
    hints[content.playsSound ? "sound-name" : "suppress-sound"] =
      content.playsSound ? .string("message-new-instant") : .bool(true)
    let body = can.contains("body-markup") ? content.body.escapedMarkup : content.body
    let values: [BusValue] = [
      .string(ProgramName.own), .uint32(numbers[request.identifier] ?? 0), .string(""),
      .string(content.title.withoutZeros), .string(body.withoutZeros),
      .array(of: "s", actions.map { .string($0.withoutZeros) }), .options(hints), .whole(-1, code: "i"),
    ]
    bus.call(Self.name, Self.member("Notify"), values) { [weak self] result in
      switch result {
      case .failure(let failure): completion(failure)
      case .success(let values):
        guard case .whole(let number, code: "u")? = values.first, let number = UInt32(exactly: number) else {
          return completion(.badAnswer)
        }
        self?.remember(notice, number)
        completion(nil)
      }
    }
  }

  private func remember(_ notice: UserNotice, _ number: UInt32) {
    if let before = numbers[notice.request.identifier] { shown[before] = nil }
    forget(number)
    if shown.count >= Self.mostShown, let oldest = shown.keys.min() { forget(oldest) }
    shown[number] = notice
    numbers[notice.request.identifier] = number
  }

  func shows(_ identifier: String) -> Bool { numbers[identifier] != nil }

  func remove(_ identifier: String) {
    guard let number = numbers[identifier] else { return }
    forget(number)
    bus.call(Self.name, Self.member("CloseNotification"), [.uint32(number)]) { _ in }
  }

  /// - Returns: The name of the notice; nil where that is unknown, or another one's by now.
  @discardableResult private func forget(_ number: UInt32) -> String? {
    guard let identifier = shown.removeValue(forKey: number)?.request.identifier, numbers[identifier] == number
    else { return nil }
    numbers[identifier] = nil
    return identifier
  }

  // MARK: In

  /// Hears of the user's choices from the first notice on.
  private func listen() {
    guard !isListening else { return }
    isListening = true
    bus.onOwner(of: Self.name) { [weak self] _ in
      // Another server numbers anew.
      guard let self else { return }
      let closed = numbers.keys.sorted()
      (shown, numbers, capabilities, token) = ([:], [:], nil, nil)
      for identifier in closed { onClosed(identifier) }
    }
    func hear(_ name: String, _ handler: @escaping @MainActor ([BusValue]) -> Void) {
      bus.subscribe(BusRule(sender: Self.name, path: Self.path, interface: Self.name, name: name)) {
        handler($0.values)
      }
    }
    hear("ActivationToken") { [weak self] values in
      guard values.count == 2, let number = values[0].integer, let text = values[1].text,
        text.utf8.count <= InstanceCall.longestName
      else { return }
      self?.token = (number, text)
    }
    hear("ActionInvoked") { [weak self] in self?.invoked($0) }
    hear("NotificationClosed") { [weak self] values in
      guard let self, let number = values.first?.integer.flatMap({ UInt32(exactly: $0) }) else { return }
      if let identifier = forget(number) { onClosed(identifier) }
    }
  }

  private func invoked(_ values: [BusValue]) {
    guard values.count == 2, let number = values[0].integer, let action = values[1].text,
      let notice = UInt32(exactly: number).flatMap({ shown[$0] }), let response = notice.response(to: action),
      let host, host.acceptsRequests
    else { return }
    var request = IncomingRequest()
    request.response = response
    if let token, token.number == number { request.token = token.text }
    token = nil
    host.post(.request(request))
  }
}

extension UserNotificationContent.InterruptionLevel {
  /// The number of the hint `urgency`.
  fileprivate var urgency: UInt8 {
    switch self {
    case .passive: 0
    case .active: 1
    case .timeSensitive: 2
    }
  }
}

extension String {
  /// The text as markup that shows it (the specification's chapter "Markup").
  fileprivate var escapedMarkup: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case _: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
