import ProsceniumPlatform

/// What the screen savers of the desktops say.
///
/// That one is active means that the screen is locked, or about to be: KDE's is active only then, and of the others most lock
/// by themselves and say so nowhere else. It means a saver alone where logind's hint tells of locks: that has then been seen
/// set in this session, and says by itself when the screen is locked. GNOME's shell is so, whose saver also comes where
/// the user wants no lock.
///
/// That a name is owned does not mean that its owner says anything: whoever comes, or is there, is asked (`GetActive`), and
/// one that does not answer counts once it has said something. It is believed until it goes.
@MainActor final class ScreenSaverSource {
  private static let names = [
    "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
  ]
  private static let unity = "com.canonical.Unity"

  /// Where they can be asked: of the first, KDE's, the older place comes second.
  private static func paths(_ name: String) -> [String] {
    ["/" + name.replacing(".", with: "/")] + (name == names[0] ? ["/ScreenSaver"] : [])
  }

  /// What an active saver was taken for; it is over as the same.
  private enum Meaning {
    case lock, saver
  }

  private let bus: Bus
  private let host: any SystemHost
  private let tellsLocks: @MainActor () -> Bool
  private var active: [String: Meaning] = [:]
  /// Of whom it is not known yet whether they are there, and active.
  private var unknown: Set<String> = []
  private let onFirstWord: @MainActor () -> Void

  /// - Parameters:
  ///   - bus: The user's.
  ///   - host: Who has the loop.
  ///   - tellsLocks: Whether somebody else has been seen to tell when the screen is locked.
  ///   - onFirstWord: Called when it is known of all whether they are active.
  init(
    bus: Bus, host: any SystemHost, tellsLocks: @escaping @MainActor () -> Bool,
    onFirstWord: @escaping @MainActor () -> Void
  ) {
    self.onFirstWord = onFirstWord
    unknown = Set(Self.names + [Self.unity])
    self.bus = bus
    self.host = host
    self.tellsLocks = tellsLocks
    for name in Self.names {
      // Before what is followed for the signals: told at once that nobody has the name yet, it would be an answer.
      bus.onOwner(of: name) { [weak self] owner in
        guard let self else { return }
        guard let owner else {
          note(name, nil)
          return settle(name)
        }
        ask(owner, Self.paths(name).map { BusMember(path: $0, interface: name, name: "GetActive") }) { [weak self] in
          if let isActive = $0 { self?.noteActive(name, isActive) }
          self?.settle(name)
        }
      }
      // At more than one path, with KDE at two of them at once.
      bus.subscribe(BusRule(sender: name, interface: name, name: "ActiveChanged")) { [weak self] signal in
        if let isActive = signal.values.first?.bool { self?.noteActive(name, isActive) }
      }
    }
    followUnity()
  }

  /// Unity's shell has no saver, and says of locks alone.
  private func followUnity() {
    let unity = Self.unity
    // Before what is followed for the signals, as above.
    bus.onOwner(of: unity) { [weak self] owner in
      guard let self else { return }
      guard let owner else {
        note(unity, nil)
        return settle(unity)
      }
      let isLocked = BusMember(path: "/com/canonical/Unity/Session", interface: unity + ".Session", name: "IsLocked")
      ask(owner, [isLocked]) { [weak self] in
        if let isLocked = $0 { self?.note(unity, isLocked ? .lock : nil) }
        self?.settle(unity)
      }
    }
    for (signal, meaning) in [("Locked", Meaning.lock), ("Unlocked", nil)] {
      bus.subscribe(BusRule(sender: unity, interface: unity + ".Session", name: signal)) { [weak self] _ in
        self?.note(unity, meaning)
      }
    }
  }

  private func settle(_ name: String) {
    if unknown.remove(name) != nil, unknown.isEmpty { onFirstWord() }
  }

  /// Asks whoever has a name now, by its own, so that nobody is started for it; at one place after the other.
  ///
  /// The answer is nil where nothing that can be used is said.
  private func ask(_ owner: String, _ members: [BusMember], _ answer: @escaping @MainActor (Bool?) -> Void) {
    guard let member = members.first else { return answer(nil) }
    bus.call(owner, member) { [weak self] result in
      if let isActive = (try? result.get())?.first?.bool { return answer(isActive) }
      self?.ask(owner, Array(members.dropFirst()), answer)
    }
  }

  private func noteActive(_ name: String, _ isActive: Bool) {
    note(name, isActive ? (tellsLocks() ? .saver : .lock) : nil)
  }

  private func note(_ name: String, _ meaning: Meaning?) {
    let before = active[name]
    guard (before == nil) != (meaning == nil) else { return }
    active[name] = meaning
    switch meaning ?? before {
    case .lock: host.post(.absence(.locked, isOn: meaning != nil, source: name))
    case .saver: host.post(.screenSaver(isOn: meaning != nil, source: name))
    case nil: break
    }
  }
}
