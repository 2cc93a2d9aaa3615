import Glibc

/// The user's login session at logind: finds it, and follows whether it is locked and in front.
@MainActor final class LoginSession {
  /// The properties that are followed.
  enum Property: String, CaseIterable {
    case lockedHint = "LockedHint"
    case active = "Active"
  }

  /// Logind's errors for a user who has no session (org.freedesktop.login1(5)).
  private static let noSession: Set = [
    "org.freedesktop.login1.NoSuchUser", "org.freedesktop.login1.NoUserForPID",
    "org.freedesktop.login1.NoSuchSession", "org.freedesktop.login1.NoSessionForPID",
  ]

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

  func subscribe() {
    logind.onSessionChange { [weak self] in self?.propertiesChanged($0) }
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
  private func propertiesChanged(_ signal: BusSignal) {
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
