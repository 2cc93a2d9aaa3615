public import ProsceniumCore

/// The notices that the desktop shows, which outlast the program.
extension HeadlessMachine {
  /// The notices that are shown, the oldest first.
  public var deliveredNotifications: [UserNotificationRequest] { parts.notices.shown.map(\.request) }

  /// The titles of a notice's buttons; none where it is not shown.
  /// - Parameter identifier: The notice's identifier.
  /// - Returns: The titles.
  public func buttons(ofNotification identifier: String) -> [String] {
    parts.notices.shown.first { $0.request.identifier == identifier }?.actions.map(\.title) ?? []
  }

  /// The user chooses a notice, or one of its buttons, which takes it down.
  ///
  /// Does nothing where it is not shown, or has no such button. The program has to run.
  /// - Parameters:
  ///   - identifier: The notice's identifier.
  ///   - action: The button's identifier; the notice itself by default.
  public func choose(
    notification identifier: String, action: String = UserNotificationResponse.defaultActionIdentifier
  ) {
    guard let notice = parts.notices.shown.first(where: { $0.request.identifier == identifier }),
      let response = notice.response(to: action), hasSource
    else { return }
    parts.notices.takeDown(identifier)
    var request = IncomingRequest()
    request.response = response
    receive(request)
  }

  /// The user takes a notice down.
  /// - Parameter identifier: The notice's identifier.
  public func dismiss(notification identifier: String) { parts.notices.close(identifier) }
}
