import ProsceniumLoop
import ProsceniumPlatform

/// The registry's way of keys to assistive programs, which the program with the focus tells it of
/// (`org.a11y.atspi.DeviceEventController`).
@MainActor final class AccessibleKeys {
  private static let path = "/org/a11y/atspi/registry/deviceeventcontroller"
  private static let controller = ATSPI.prefix + "DeviceEventController"
  private static let listener = ATSPI.prefix + "DeviceEventListener"

  private let bus: Bus
  /// The registry's own name on the bus.
  private var registry: String
  /// Whether a program listens.
  private(set) var isHeard = false
  private var isAsking = false
  /// Whether a program has ceased to listen since the registry was asked who does.
  private var isOutdated = false

  /// Begins to follow who listens.
  /// - Parameters:
  ///   - bus: The accessibility bus.
  ///   - registry: The registry's own name on it.
  init(bus: Bus, registry: String) {
    (self.bus, self.registry) = (bus, registry)
    bus.subscribe(BusRule(sender: ATSPI.registry, interface: Self.listener)) { [weak self] signal in
      switch signal.member.name {
      case "KeystrokeListenerRegistered": self?.isHeard = true
      case "KeystrokeListenerDeregistered": self?.ask()
      default: break
      }
    }
    ask()
  }

  /// Another registry has come in place of the one before.
  func follow(_ registry: String) {
    (self.registry, isHeard) = (registry, false)
    ask()
  }

  private func ask() {
    // A program has hundreds of listeners, one for each state of the modifiers.
    guard !isAsking else { return isOutdated = true }
    (isAsking, isOutdated) = (true, false)
    bus.call(registry, BusMember(path: Self.path, interface: Self.controller, name: "GetKeystrokeListeners"), []) {
      [weak self] result in
      guard let self else { return }
      isAsking = false
      if isOutdated { return ask() }
      isHeard = (try? result.get())?.first?.elements?.isEmpty == false
    }
  }

  /// Tells of a key; calls a function with whether it is a command to a program, once that is known.
  func tell(_ key: Key, time: UInt32, _ answer: @escaping @MainActor (Bool) -> Void) {
    let member = BusMember(path: Self.path, interface: Self.controller, name: "NotifyListenersSync")
    bus.call(registry, member, [Self.event(key, time: time)], timeout: Bus.longestAnswer) { result in
      answer((try? result.get())?.first?.bool == true)
    }
  }

  /// `AtspiDeviceEvent`: whether the key went up, its keysym, keycode and modifiers, the time, its text, and whether
  /// that can be read.
  static func event(_ key: Key, time: UInt32) -> BusValue {
    let isText =
      key.modifiers.isDisjoint(with: [.control, .alternate, .command])
      && key.characters.unicodeScalars.first.map { $0.properties.generalCategory != .control } ?? false
    // The registry reads the keycode and the modifiers as 16 bits, whatever its introspection says.
    return .structure([
      .uint32(key.isDown ? 0 : 1), .whole(Int128(Int32(truncatingIfNeeded: key.symbol)), code: "i"),
      .whole(Int128(key.code), code: "n"), .whole(Int128(key.modifiers.rawValue & 0xFF), code: "n"),
      .whole(Int128(Int32(truncatingIfNeeded: time)), code: "i"),
      // Without a text the name of the keysym is read.
      .string(isText ? key.characters : ""), .bool(isText),
    ])
  }
}
