import Glibc

/// The user's login session at logind: finds it, and follows whether it is locked and in front.
@MainActor final class LoginSession {
  /// The properties that are followed.
  enum Property: String, CaseIterable {
    case lockedHint = "LockedHint"
    case active = "Active"
  }

  /// Logind's errors for a user who has no session (org.freedesktop.login1(5)).
  private static let noSession = Set(
    ["NoSuchUser", "NoUserForPID", "NoSuchSession", "NoSessionForPID"].map { "\(Logind.name).\($0)" })

  private let logind: Logind
  private let id: String
  private var path: String?
  /// Whether the session is one of the display, so that ``Property/active`` counts: not that of a text console, from
  /// which the program may have been started in tmux.
  private(set) var isGraphical = false
  /// Called with each value, also with one that is known already.
  var onChange: ((Property, Bool) -> Void)?

  /// - Parameters:
  ///   - logind: Logind.
  ///   - id: The session's id; nil for the process's own.
  init(_ logind: Logind, id: String?) {
    self.logind = logind
    self.id = id ?? "auto"
  }

  /// Finds the session.
  ///
  /// Processes that the user's service manager has started are in none: then it is the session that the user has in
  /// front.
  func find() {
    logind.ask("GetSession", [.string(id)]) { [weak self] result in
      guard let self else { return }
      if case .success(let values) = result, let path = values.first?.text { return follow(path) }
      findFrontSession()
    }
  }

  private func findFrontSession() {
    logind.ask("GetUser", [.uint32(getuid())]) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let values):
        guard let user = values.first?.text else { return }
        logind.property("Display", of: Logind.user, at: user) { [weak self] value in
          guard let path = value?.fields?.last?.text else { return }
          if path == "/" { self?.followNone() } else { self?.follow(path) }
        }
      // Other failures do not mean that there is no session, and unlock nothing.
      case .failure(let failure): if Self.noSession.contains(failure.name) { followNone() }
      }
    }
  }

  private func follow(_ path: String) {
    self.path = path
    read(.lockedHint)
    logind.property("Type", of: Logind.session, at: path) { [weak self] type in
      guard let self, self.path == path else { return }
      isGraphical = type?.text != "tty"
      if isGraphical { read(.active) }
    }
  }

  /// There is no session: none is locked, and no other one is in front.
  ///
  /// Where the bus was lost nothing is known.
  private func followNone() {
    guard logind.isPresent else { return }
    path = nil
    onChange?(.lockedHint, false)
    onChange?(.active, true)
  }

  private func read(_ property: Property) {
    guard let path else { return }
    logind.property(property.rawValue, of: Logind.session, at: path) { [weak self] in
      if let value = $0?.bool { self?.onChange?(property, value) }
    }
  }

  /// The signal has the interface, the changed properties with their values, and those that have to be read.
  func propertiesChanged(_ signal: BusSignal) {
    guard signal.member.path == path, signal.values.count == 3 else { return }
    let changed = signal.values[1].properties ?? [:]
    let invalidated = signal.values[2].elements?.compactMap(\.text) ?? []
    for property in Property.allCases {
      if let value = changed[property.rawValue]?.bool {
        onChange?(property, value)
      } else if invalidated.contains(property.rawValue) {
        read(property)
      }
    }
  }
}

/// The methods, properties and signals of logind (org.freedesktop.login1(5)).
@MainActor final class Logind {
  nonisolated static let name = "org.freedesktop.login1"
  static let session = "org.freedesktop.login1.Session"
  static let user = "org.freedesktop.login1.User"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"

  private let bus: Bus
  private var openQuestions = 0
  /// Called when all questions have been answered, with those that followed from the answers.
  let onIdle: @MainActor () -> Void

  init(_ bus: Bus, onIdle: @escaping @MainActor () -> Void) {
    self.bus = bus
    self.onIdle = onIdle
  }

  var isPresent: Bool { bus.hasOwner(Self.name) }

  /// Calls a method of the manager.
  func call(_ method: String, _ values: [BusValue], _ answer: @escaping Bus.Answer) {
    call(BusMember(path: Self.path, interface: Self.manager, name: method), values, answer)
  }

  /// Calls a method of an object; a late answer counts, because nobody would ask a busy logind again.
  private func call(_ member: BusMember, _ values: [BusValue], _ answer: @escaping Bus.Answer) {
    bus.call(Self.name, member, values, timeout: Bus.longestAnswer, answer)
  }

  /// Calls a method of the manager whose answer has to be known before ``onIdle`` is called.
  func ask(_ method: String, _ values: [BusValue], _ answer: @escaping Bus.Answer) {
    ask(BusMember(path: Self.path, interface: Self.manager, name: method), values, answer)
  }

  /// Reads a property of the manager; the answer is nil where it cannot be read.
  func managerProperty(_ property: String, _ answer: @escaping @MainActor (BusValue?) -> Void) {
    self.property(property, of: Self.manager, at: Self.path, answer)
  }

  /// Reads a property of an object; the answer is nil where it cannot be read.
  func property(
    _ property: String, of interface: String, at path: String, _ answer: @escaping @MainActor (BusValue?) -> Void
  ) {
    let member = BusMember(path: path, interface: Self.properties, name: "Get")
    ask(member, [.string(interface), .string(property)]) { answer((try? $0.get())?.first?.plain) }
  }

  private func ask(_ member: BusMember, _ values: [BusValue], _ answer: @escaping Bus.Answer) {
    openQuestions += 1
    call(member, values) { [weak self] result in
      // May ask for more.
      answer(result)
      guard let self else { return }
      openQuestions -= 1
      if openQuestions == 0 { onIdle() }
    }
  }

  /// Calls a function with the flag of each signal of the manager.
  func onSignal(_ signal: String, _ handler: @escaping @MainActor (Bool?) -> Void) {
    bus.subscribe(BusRule(sender: Self.name, path: Self.path, interface: Self.manager, name: signal)) {
      handler($0.values.first?.bool)
    }
  }

  /// Calls a function for each change of a session's properties.
  func onSessionChange(_ handler: @escaping @MainActor (BusSignal) -> Void) {
    bus.subscribe(
      BusRule(sender: Self.name, interface: Self.properties, name: "PropertiesChanged", firstText: Self.session),
      handler)
  }

  /// Calls a function as soon as it is known whether logind is present, and at each change.
  func onPresence(_ handler: @escaping @MainActor (_ isPresent: Bool) -> Void) {
    bus.onOwner(of: Self.name) { handler($0 != nil) }
  }
}
