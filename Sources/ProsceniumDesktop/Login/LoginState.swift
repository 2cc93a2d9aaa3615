import ProsceniumPlatform

/// The values that logind has announced, and which of them are unconfirmed because logind has disappeared since.
struct LoginState: Equatable {
  private var announced: Set<ConcealmentReason> = []
  private var unconfirmed: Set<ConcealmentReason> = []
  /// Whether it has been reported that logind, being absent, cannot take back what it announced.
  private var isSilent = false

  func isOn(_ reason: ConcealmentReason) -> Bool { announced.contains(reason) }

  /// Logind has disappeared: what it announced still counts.
  /// - Returns: The events to report.
  mutating func lose() -> [SystemEvent] {
    unconfirmed = announced
    isSilent = !announced.isEmpty
    return isSilent ? [.silence(isOn: true, source: Logind.name)] : []
  }

  /// Logind announces a value.
  ///
  /// One that was unconfirmed is reported in any case: the user's input may have ended it meanwhile.
  /// - Returns: The events to report.
  mutating func set(_ reason: ConcealmentReason, _ isOn: Bool) -> [SystemEvent] {
    var events: [SystemEvent] = []
    let isConfirmation = unconfirmed.remove(reason) != nil
    if isSilent, unconfirmed.isEmpty {
      isSilent = false
      events.append(.silence(isOn: false, source: Logind.name))
    }
    if isConfirmation || isOn != announced.contains(reason) {
      events.append(.concealment(reason, isOn: isOn, source: Logind.name))
    }
    if isOn { announced.insert(reason) } else { announced.remove(reason) }
    return events
  }
}
