import ProsceniumPlatform

/// Reports the screen savers of the desktop environments.
///
/// An active one means that the screen is locked, or about to be: KDE's is active only then, and most of the others
/// lock and report it nowhere else. Where logind's hint reports locks it means a screen saver alone: GNOME's shell sets
/// the hint, and its saver also comes where the user wants no lock.
///
/// An owner of a name need not report anything: each one is asked (`GetActive`), and one that does not answer counts
/// from its first signal on. What it reported counts until it disappears, or another one that says nothing takes its
/// place. Only those of the program's display are heard (``DisplayServices``): another one's lock hides nothing here.
@MainActor final class ScreenSaverSource {
  private static let names = [
    "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
  ]
  private static let unity = "com.canonical.Unity"
  private static let unitySession = unity + ".Session"

  /// The paths of a saver's object: KDE's, the first one, has an older path too.
  private static func paths(_ name: String) -> [String] {
    ["/" + String(name.map { $0 == "." ? "/" : $0 })] + (name == names[0] ? ["/ScreenSaver"] : [])
  }

  /// The meaning of an active saver, which lasts until it is inactive.
  private enum Meaning {
    case lock, saver
  }

  private let bus: Bus
  private let services: DisplayServices
  private let host: any SystemHost
  private let locksAreReported: @MainActor () -> Bool
  private var active: [String: Meaning] = [:]
  /// The owner of each name that has said something last.
  private var speakers: [String: String] = [:]
  /// The owner of each name of which it is known whether it is the display's, with the answer.
  private var places: [String: (owner: String, isOurs: Bool)] = [:]
  /// The names of which it is not known yet whether they have an owner that is active.
  private var unknown = Set(names + [unity])
  private let onPresenceKnown: @MainActor () -> Void

  /// Makes a source, which reports as soon as the bus is connected.
  /// - Parameters:
  ///   - bus: The session bus.
  ///   - services: Tells which savers are those of the program's display.
  ///   - host: The framework.
  ///   - locksAreReported: Whether another source reports locks.
  ///   - onPresenceKnown: Called when it is known of all savers whether they are active.
  init(
    bus: Bus, services: DisplayServices, host: any SystemHost, locksAreReported: @escaping @MainActor () -> Bool,
    onPresenceKnown: @escaping @MainActor () -> Void
  ) {
    self.bus = bus
    self.services = services
    self.host = host
    self.locksAreReported = locksAreReported
    self.onPresenceKnown = onPresenceKnown
    for name in Self.names { follow(name) }
    followUnity()
  }

  private func follow(_ name: String) {
    let questions = Self.paths(name).map { BusMember(path: $0, interface: name, name: "GetActive") }
    onOwner(of: name, asking: questions) { [weak self] in self?.setActive(name, $0) }
    // At any path: KDE sends it at two.
    bus.subscribe(BusRule(sender: name, interface: name, name: "ActiveChanged")) { [weak self] signal in
      guard let self, let isActive = signal.values.first?.bool, let owner = bus.owner(of: name) else { return }
      whenPlaced(owner, of: name) { [weak self] isOurs in
        guard let self, isOurs else { return }
        speakers[name] = owner
        setActive(name, isActive)
      }
    }
  }

  /// Unity's shell has no saver, and reports locks alone.
  private func followUnity() {
    let question = BusMember(path: "/com/canonical/Unity/Session", interface: Self.unitySession, name: "IsLocked")
    onOwner(of: Self.unity, asking: [question]) { [weak self] in self?.set($0 ? .lock : nil, of: Self.unity) }
    for (signal, meaning) in [("Locked", Meaning.lock), ("Unlocked", nil)] {
      bus.subscribe(BusRule(sender: Self.unity, interface: Self.unitySession, name: signal)) { [weak self] _ in
        guard let self, let owner = bus.owner(of: Self.unity) else { return }
        whenPlaced(owner, of: Self.unity) { [weak self] isOurs in
          guard let self, isOurs else { return }
          speakers[Self.unity] = owner
          set(meaning, of: Self.unity)
        }
      }
    }
  }

  /// Asks each owner of a name whether it is active.
  ///
  /// Called before the name's signals are subscribed to: the owner of a name that is followed already is reported at
  /// once, as none.
  private func onOwner(
    of name: String, asking questions: [BusMember], _ answer: @escaping @MainActor (_ isActive: Bool) -> Void
  ) {
    bus.onOwner(of: name) { [weak self] owner in
      guard let self else { return }
      guard let owner else {
        set(nil, of: name)
        return becameKnown(name)
      }
      whenPlaced(owner, of: name) { [weak self] isOurs in
        if isOurs { self?.ask(owner, of: name, questions, answer) } else { self?.heardOfStranger(name) }
      }
    }
  }

  private func ask(
    _ owner: String, of name: String, _ questions: [BusMember],
    _ answer: @escaping @MainActor (_ isActive: Bool) -> Void
  ) {
    ask(owner, questions) { [weak self] isActive in
      // One that has been replaced meanwhile says nothing of the present owner.
      guard let self, bus.owner(of: name) == owner else { return }
      if let isActive {
        speakers[name] = owner
        answer(isActive)
      } else if speakers[name] != owner {
        set(nil, of: name)
      }
      becameKnown(name)
    }
  }

  /// A saver of another display has taken the place of whatever there was.
  private func heardOfStranger(_ name: String) {
    set(nil, of: name)
    becameKnown(name)
  }

  /// Calls a function with whether the owner of a name is the display's, unless it has been replaced by then.
  private func whenPlaced(
    _ owner: String, of name: String, _ action: @escaping @MainActor (_ isOurs: Bool) -> Void
  ) {
    if let place = places[name], place.owner == owner { return action(place.isOurs) }
    services.find(owner) { [weak self] isOurs in
      guard let self, bus.owner(of: name) == owner else { return }
      places[name] = (owner, isOurs)
      action(isOurs)
    }
  }

  private func becameKnown(_ name: String) {
    if unknown.remove(name) != nil, unknown.isEmpty { onPresenceKnown() }
  }

  /// Asks an owner by its unique name, so that no program is started; one object after the other until one answers.
  ///
  /// The answer is nil where none gives a boolean.
  private func ask(_ owner: String, _ questions: [BusMember], _ answer: @escaping @MainActor (Bool?) -> Void) {
    guard let question = questions.first else { return answer(nil) }
    bus.call(owner, question) { [weak self] result in
      if let isActive = (try? result.get())?.first?.bool { return answer(isActive) }
      self?.ask(owner, Array(questions.dropFirst()), answer)
    }
  }

  private func setActive(_ name: String, _ isActive: Bool) {
    set(isActive ? (locksAreReported() ? .saver : .lock) : nil, of: name)
  }

  private func set(_ meaning: Meaning?, of name: String) {
    let before = active[name]
    guard (before == nil) != (meaning == nil) else { return }
    active[name] = meaning
    switch meaning ?? before {
    case .lock: host.post(.concealment(.locked, isOn: meaning != nil, source: name))
    case .saver: host.post(.screenSaver(isOn: meaning != nil, source: name))
    case nil: break
    }
  }
}
