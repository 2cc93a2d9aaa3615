import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// What logind says: that the machine is about to sleep or to be shut down, that the session is locked, that another one is
/// in front (org.freedesktop.login1(5)).
///
/// Holds a delay inhibitor from the beginning, because one that is taken when the signal comes is too late: closed as soon as
/// everything has been saved and no background task is open, and taken again after the sleep.
///
/// What it said last counts until it says otherwise, also while it, or the bus, is gone: a daemon that is restarted while the
/// screen is locked unlocks nothing. That nobody speaks is told, so that the user can show to be there.
@MainActor final class LogindSource: SleepInhibitor {
  private static let name = "org.freedesktop.login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let session = "org.freedesktop.login1.Session"
  private static let properties = "org.freedesktop.DBus.Properties"

  private let bus: Bus
  private let host: any SystemHost
  private let sessionID: String?
  private var inhibitor: BusDescriptor?
  private var isAsking = false
  /// It has refused the inhibitor, and that has been said.
  private var isRefused = false
  /// What the machine is waiting to do.
  private var announced: Set<Absence> = []
  private var isSaved = false
  private var holdsTasks = false
  private var sessionPath: String?
  private var believesActive = false
  /// Whether the session's hint has been seen set: then it tells of every lock.
  private(set) var tellsLocks = false
  private var known: [Absence: Bool] = [:]
  /// What was so when logind went, and has not been confirmed since.
  private var doubtful: Set<Absence> = []
  private var isSilent = false
  /// How long logind waits for whoever delays it (`InhibitDelayMaxUSec`), in milliseconds; its default until it has said.
  private var delay = 5000
  private var announcedAt = 0.0

  /// How many questions have not been answered yet, with those that follow from their answers.
  private var unanswered = 0
  /// Called when all that was asked has been answered, so that it is known whether the user is there, or when nobody is there
  /// to ask; also of what is asked later.
  private let onFirstWord: @MainActor () -> Void

  init(
    bus: Bus, environment: [String: String], host: any SystemHost, onFirstWord: @escaping @MainActor () -> Void
  ) {
    self.onFirstWord = onFirstWord
    self.bus = bus
    self.host = host
    sessionID = environment["XDG_SESSION_ID"]
    // First: of a name that is followed already it would be told at once that nobody has it yet.
    bus.onOwner(of: Self.name) { [weak self] owner in self?.ownerChanged(owner) }
    for (signal, absence) in [("PrepareForSleep", Absence.sleeping), ("PrepareForShutdown", .shuttingDown)] {
      bus.subscribe(
        BusRule(sender: Self.name, path: "/org/freedesktop/login1", interface: Self.manager, name: signal)
      ) { [weak self] in if let begins = $0.values.first?.bool { self?.prepare(absence, begins) } }
    }
    bus.subscribe(
      BusRule(sender: Self.name, interface: Self.properties, name: "PropertiesChanged", firstText: Self.session)
    ) { [weak self] in self?.sessionChanged($0) }
  }

  private func ownerChanged(_ owner: String?) {
    guard owner != nil else {
      onFirstWord()
      return lose()
    }
    takeInhibitor()
    findSession()
    for (property, absence) in [("PreparingForSleep", Absence.sleeping), ("PreparingForShutdown", .shuttingDown)] {
      getOfManager(property) { [weak self] in
        if let isOn = $0?.bool { self?.prepare(absence, isOn) }
      }
    }
    getOfManager("InhibitDelayMaxUSec") { [weak self] in
      if let microseconds = $0?.integer { self?.delay = max(0, microseconds / 1000) }
    }
  }

  /// Nobody says anything any more.
  private func lose() {
    inhibitor = nil
    isAsking = false
    isRefused = false
    doubtful = announced.union(known.filter(\.value).keys)
    isSilent = !doubtful.isEmpty
    if isSilent { host.post(.silence(isOn: true, source: Self.name)) }
  }

  /// There is a new word on something; the silence ends with the last word that is missed.
  /// - Returns: Whether it has to be told in any case: the user may have shown to be there meanwhile.
  private func confirm(_ absence: Absence) -> Bool {
    let isDoubtful = doubtful.remove(absence) != nil
    if isSilent, doubtful.isEmpty {
      isSilent = false
      host.post(.silence(isOn: false, source: Self.name))
    }
    return isDoubtful
  }

  private func tell(_ absence: Absence, _ isOn: Bool) {
    host.post(.absence(absence, isOn: isOn, source: Self.name))
  }

  // MARK: Sleep

  private func prepare(_ absence: Absence, _ begins: Bool) {
    let isDoubtful = confirm(absence)
    if begins == announced.contains(absence) {
      // Heard before, by the signal or by the answer to the question; or it never went to sleep.
      if announced.isEmpty { takeInhibitor() }
      if isDoubtful { tell(absence, begins) }
      return
    }
    if begins {
      if announced.isEmpty { announcedAt = host.now }
      isSaved = false
      announced.insert(absence)
    } else {
      announced.remove(absence)
      // Also where it never went to sleep.
      if announced.isEmpty { takeInhibitor() }
    }
    tell(absence, begins)
  }

  func inhibit(reason: String) { holdsTasks = true }

  var savingTime: Int {
    SleepDelay.savingTime(delay: delay, elapsed: Int((host.now - announcedAt) * 1000))
  }

  func release() {
    holdsTasks = false
    letGo()
  }

  func saved() {
    isSaved = true
    letGo()
  }

  private func letGo() { if !announced.isEmpty, isSaved, !holdsTasks { inhibitor = nil } }

  private func takeInhibitor() {
    guard inhibitor == nil, !isAsking else { return }
    isAsking = true
    let member = BusMember(path: "/org/freedesktop/login1", interface: Self.manager, name: "Inhibit")
    let values = ["sleep:shutdown", host.applicationIdentifier, "Windows are being saved.", "delay"]
    bus.call(Self.name, member, values.map { .string($0) }) { [weak self] result in
      guard let self else { return }
      isAsking = false
      switch result {
      case .success(let values):
        guard case .descriptor(let descriptor)? = values.first else { return }
        inhibitor = descriptor
        isRefused = false
        letGo()
      case .failure(let failure):
        guard failure != .disconnected, !isRefused else { return }
        isRefused = true
        host.report("logind does not wait for the program before it sleeps: \(failure)")
      }
    }
  }

  // MARK: The session

  /// Processes that the user's service manager has started are in no session: then the one that the user looks at.
  private func findSession() {
    ask("GetSession", [.string(sessionID ?? "auto")]) { [weak self] result in
      guard let self else { return }
      if case .success(let values) = result, let path = values.first?.text { return follow(path) }
      ask("GetUser", [.uint32(getuid())]) { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(let values):
          guard let user = values.first?.text else { return }
          get("Display", of: "org.freedesktop.login1.User", at: user) { [weak self] value in
            guard let path = value?.fields?.last?.text else { return }
            if path == "/" { self?.followNone() } else { self?.follow(path) }
          }
        // What it cannot say, or not in time, unlocks nothing: only that there is no such user does.
        case .failure(let failure): if Self.denials.contains(failure.name) { followNone() }
        }
      }
    }
  }

  /// Logind's own words for a user who is in no session (org.freedesktop.login1(5)).
  private static let denials: Set = [
    "org.freedesktop.login1.NoSuchUser", "org.freedesktop.login1.NoUserForPID",
    "org.freedesktop.login1.NoSuchSession", "org.freedesktop.login1.NoSessionForPID",
  ]

  /// The session is gone, and with it what was said of it; not where the bus is, which says nothing.
  private func followNone() {
    guard bus.hasOwner(Self.name) else { return }
    sessionPath = nil
    for (property, value) in [("LockedHint", false), ("Active", true)] { note(property, value) }
  }

  /// Whether a session of a text console is in front says nothing of the display: it is where somebody started the program
  /// from, tmux say.
  private func follow(_ path: String) {
    sessionPath = path
    refresh("LockedHint")
    get("Type", of: Self.session, at: path) { [weak self] type in
      guard let self, sessionPath == path else { return }
      believesActive = type?.text != "tty"
      if believesActive { refresh("Active") }
    }
  }

  private func refresh(_ property: String) {
    guard let path = sessionPath else { return }
    get(property, of: Self.session, at: path) { [weak self] in
      if let value = $0?.bool { self?.note(property, value) }
    }
  }

  private func sessionChanged(_ signal: BusSignal) {
    guard signal.member.path == sessionPath, signal.values.count == 3 else { return }
    let changed = signal.values[1].properties ?? [:]
    let invalidated = signal.values[2].elements?.compactMap(\.text) ?? []
    for property in ["LockedHint", "Active"] {
      if let value = changed[property]?.bool {
        note(property, value)
      } else if invalidated.contains(property) {
        refresh(property)
      }
    }
  }

  private func note(_ property: String, _ value: Bool) {
    if property == "Active", !believesActive, known[.switchedAway] != true { return }
    let absence: Absence = property == "LockedHint" ? .locked : .switchedAway
    let isOn = property == "LockedHint" ? value : !value
    if absence == .locked, isOn { tellsLocks = true }
    let isDoubtful = confirm(absence)
    // Most lockers never set the hint: that it is not set says nothing.
    guard isDoubtful || isOn != known[absence] ?? false else { return }
    known[absence] = isOn
    tell(absence, isOn)
  }

  // MARK: Questions

  private typealias Answer = @MainActor (Result<[BusValue], BusFailure>) -> Void

  private func ask(_ name: String, _ values: [BusValue], _ answer: @escaping Answer) {
    let member = BusMember(path: "/org/freedesktop/login1", interface: Self.manager, name: name)
    call(member, values, answer)
  }

  private func getOfManager(_ property: String, _ answer: @escaping @MainActor (BusValue?) -> Void) {
    get(property, of: Self.manager, at: "/org/freedesktop/login1", answer)
  }

  private func get(
    _ property: String, of interface: String, at path: String, _ answer: @escaping @MainActor (BusValue?) -> Void
  ) {
    let member = BusMember(path: path, interface: Self.properties, name: "Get")
    call(member, [.string(interface), .string(property)]) { answer((try? $0.get())?.first?.plain) }
  }

  private func call(_ member: BusMember, _ values: [BusValue], _ answer: @escaping Answer) {
    unanswered += 1
    bus.call(Self.name, member, values) { [weak self] result in
      // May ask for more.
      answer(result)
      guard let self else { return }
      unanswered -= 1
      if unanswered == 0 { onFirstWord() }
    }
  }
}
