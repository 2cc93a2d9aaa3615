import Glibc
import ProsceniumCore

/// What logind says: that the machine is about to sleep or to be shut down, that the session is locked, that another one is
/// in front (org.freedesktop.login1(5)).
///
/// Holds a delay inhibitor from the beginning, because one that is taken when the signal comes is too late: closed as soon as
/// everything has been saved and no background task is open, and taken again after the sleep.
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
  /// What the machine is waiting to do.
  private var announced: Set<Absence> = []
  private var isSaved = false
  private var holdsTasks = false
  private var sessionPath: String?
  private var believesActive = false
  private var known: [Absence: Bool] = [:]

  init(bus: Bus, environment: [String: String], host: any SystemHost) {
    self.bus = bus
    self.host = host
    sessionID = environment["XDG_SESSION_ID"]
    for (signal, absence) in [("PrepareForSleep", Absence.sleeping), ("PrepareForShutdown", .shuttingDown)] {
      bus.subscribe(
        BusRule(sender: Self.name, path: "/org/freedesktop/login1", interface: Self.manager, name: signal)
      ) { [weak self] in self?.prepare(absence, $0.values) }
    }
    bus.subscribe(
      BusRule(sender: Self.name, interface: Self.properties, name: "PropertiesChanged", firstText: Self.session)
    ) { [weak self] in self?.sessionChanged($0) }
    bus.onOwner(of: Self.name) { [weak self] owner in self?.ownerChanged(owner) }
  }

  private func ownerChanged(_ owner: String?) {
    guard owner != nil else { return forget() }
    takeInhibitor()
    findSession()
  }

  /// Nobody says any more that the user is away, or that the machine is about to sleep.
  private func forget() {
    inhibitor = nil
    isAsking = false
    sessionPath = nil
    believesActive = false
    for absence in announced { tell(absence, false) }
    announced = []
    for (absence, isOn) in known where isOn { tell(absence, false) }
    known = [:]
  }

  private func tell(_ absence: Absence, _ isOn: Bool) {
    host.post(.absence(absence, isOn: isOn, source: Self.name))
  }

  // MARK: Sleep

  private func prepare(_ absence: Absence, _ values: [BusValue]) {
    guard let begins = values.first?.bool else { return }
    if begins {
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
    let values = ["sleep:shutdown", Application.shared.identifier, "Windows are being saved.", "delay"]
    bus.call(Self.name, member, values.map { .string($0) }) { [weak self] result in
      guard let self else { return }
      isAsking = false
      switch result {
      case .success(let values):
        guard case .descriptor(let descriptor)? = values.first else { return }
        inhibitor = descriptor
        letGo()
      case .failure(let failure):
        if failure != .disconnected { host.log("logind does not wait for the program before it sleeps: \(failure)") }
      }
    }
  }

  // MARK: The session

  /// Processes that the user's service manager has started are in no session: then the one that the user looks at.
  private func findSession() {
    ask("GetSession", [.string(sessionID ?? "auto")]) { [weak self] values in
      guard let self else { return }
      if let path = values?.first?.text { return follow(path) }
      ask("GetUser", [.uint32(getuid())]) { [weak self] values in
        guard let self, let user = values?.first?.text else { return }
        get("Display", of: "org.freedesktop.login1.User", at: user) { [weak self] value in
          if let path = value?.fields?.last?.text, path != "/" { self?.follow(path) }
        }
      }
    }
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
    if property == "Active", !believesActive { return }
    let absence: Absence = property == "LockedHint" ? .locked : .switchedAway
    let isOn = property == "LockedHint" ? value : !value
    // Most lockers never set the hint: that it is not set says nothing.
    guard isOn != known[absence] ?? false else { return }
    known[absence] = isOn
    tell(absence, isOn)
  }

  // MARK: Questions

  private func ask(_ name: String, _ values: [BusValue], _ answer: @escaping @MainActor ([BusValue]?) -> Void) {
    let member = BusMember(path: "/org/freedesktop/login1", interface: Self.manager, name: name)
    bus.call(Self.name, member, values) { answer(try? $0.get()) }
  }

  private func get(
    _ property: String, of interface: String, at path: String, _ answer: @escaping @MainActor (BusValue?) -> Void
  ) {
    let member = BusMember(path: path, interface: Self.properties, name: "Get")
    bus.call(Self.name, member, [.string(interface), .string(property)]) { result in
      answer((try? result.get())?.first?.plain)
    }
  }
}
