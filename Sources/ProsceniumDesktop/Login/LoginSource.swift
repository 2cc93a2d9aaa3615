import ProsceniumPlatform

/// Reports what logind announces: that the machine is about to sleep or to be shut down, that the login session is
/// locked, and that another one is in front.
///
/// A value counts until logind announces another one, also while logind or the bus is absent: a daemon that is
/// restarted while the screen is locked unlocks nothing. Its absence is reported, so that the user's input can show
/// that the user is present.
@MainActor final class LoginSource {
  /// Delays sleep and shutdown until everything is saved.
  let inhibitor: DelayInhibitor
  /// Whether `LockedHint` has been set once: then logind reports every lock of the session.
  ///
  /// Most lockers never set it.
  private(set) var reportsLocks = false

  private let host: any SystemHost
  private let logind: Logind
  private let session: LoginSession
  private var state = LoginState()

  /// Makes a source, which reports as soon as the bus is connected.
  /// - Parameters:
  ///   - bus: The system bus.
  ///   - sessionID: The login session's id; nil for that of the process.
  ///   - host: The framework.
  ///   - onPresenceKnown: Called when logind is absent or has answered all questions, so that it is known whether the
  ///     user is present; again after later questions.
  init(
    bus: Bus, sessionID: String?, host: any SystemHost, onPresenceKnown: @escaping @MainActor () -> Void
  ) {
    self.host = host
    logind = Logind(bus, onIdle: onPresenceKnown)
    session = LoginSession(logind, id: sessionID)
    inhibitor = DelayInhibitor(logind, host: host)
    session.onChange = { [weak self] in self?.sessionChanged($0, $1) }
    // Before the signals: a name that is followed already is reported at once, as one without an owner.
    logind.onPresence { [weak self] in if $0 { self?.appeared() } else { self?.disappeared() } }
    logind.onSignal("PrepareForSleep") { [weak self] in self?.prepare(.sleeping, $0) }
    logind.onSignal("PrepareForShutdown") { [weak self] in self?.prepare(.shuttingDown, $0) }
    logind.onSessionChange { [weak session] in session?.propertiesChanged($0) }
  }

  private func appeared() {
    inhibitor.acquire()
    session.find()
    logind.managerProperty("PreparingForSleep") { [weak self] in self?.prepare(.sleeping, $0?.bool) }
    logind.managerProperty("PreparingForShutdown") { [weak self] in self?.prepare(.shuttingDown, $0?.bool) }
    inhibitor.readDelay()
  }

  private func disappeared() {
    logind.onIdle()
    inhibitor.reset()
    post(state.lose())
  }

  /// A sleep or a shutdown begins or has ended; nil where logind sent no boolean.
  private func prepare(_ reason: ConcealmentReason, _ isOn: Bool?) {
    guard let isOn else { return }
    let isNew = !state.isOn(reason)
    let events = state.set(reason, isOn)
    if isOn, isNew { inhibitor.announce() }
    // Also where the machine did not sleep.
    if !state.isOn(.sleeping), !state.isOn(.shuttingDown) { inhibitor.withdraw() }
    post(events)
  }

  private func sessionChanged(_ property: LoginSession.Property, _ value: Bool) {
    switch property {
    case .lockedHint:
      if value { reportsLocks = true }
      post(state.set(.locked, value))
    case .active:
      guard session.isGraphical || state.isOn(.switchedAway) else { return }
      post(state.set(.switchedAway, !value))
    }
  }

  private func post(_ events: [SystemEvent]) { for event in events { host.post(event) } }
}

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
