import ProsceniumCore

/// What the screen savers of the desktops say: on them, being active means being locked, or about to be.
///
/// Which of them is there is not asked: that a name is owned does not mean that its owner says anything. One that has said
/// something is believed until it goes.
@MainActor final class ScreenSaverSource {
  private static let names = [
    "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
  ]

  private let host: any SystemHost
  /// Those that say that the screen is locked.
  private var locked: Set<String> = []

  init(bus: Bus, host: any SystemHost) {
    self.host = host
    for name in Self.names {
      // At more than one path, with KDE at two of them at once.
      bus.subscribe(BusRule(sender: name, interface: name, name: "ActiveChanged")) { [weak self] signal in
        if let isActive = signal.values.first?.bool { self?.note(name, isActive) }
      }
      bus.onOwner(of: name) { [weak self] owner in if owner == nil { self?.note(name, false) } }
    }
    let unity = "com.canonical.Unity"
    for (signal, isLocked) in [("Locked", true), ("Unlocked", false)] {
      bus.subscribe(BusRule(sender: unity, interface: unity + ".Session", name: signal)) { [weak self] _ in
        self?.note(unity, isLocked)
      }
    }
    bus.onOwner(of: unity) { [weak self] owner in if owner == nil { self?.note(unity, false) } }
  }

  private func note(_ name: String, _ isLocked: Bool) {
    guard isLocked ? locked.insert(name).inserted : locked.remove(name) != nil else { return }
    host.post(.absence(.locked, isOn: isLocked, source: name))
  }
}
