import FoundationEssentials
import Proscenium

/// Lists what comes and goes around the program: accessories, accounts, what sensors tell, the modes of screens, and
/// places once somebody wants to know them.
@MainActor final class MachineLog {
  static let shared = MachineLog()
  private var observers: [NotificationCenter.ObservationToken] = []
  private lazy var location = LocationManager()

  func observe() {
    let (center, manager, store) = (NotificationCenter.default, AccessoryManager.shared, AccountStore.shared)
    manager.registerForLocalNotifications()
    _ = store.accounts
    observers = [
      center.addObserver(of: manager, for: .accessoryDidConnect) { [weak self] message in
        self?.record(.accessory, "\(message.accessory.kind) connected: \(message.accessory.name)")
      },
      center.addObserver(of: manager, for: .accessoryDidDisconnect) { [weak self] message in
        self?.record(.accessory, "\(message.accessory.kind) disconnected: \(message.accessory.name)")
      },
      center.addObserver(of: store, for: .identityDidChange) { [weak self] message in
        for account in message.added { self?.record(.user, "signed in: \(account.provider), \(account.name)") }
        for account in message.removed { self?.record(.user, "signed out: \(account.provider), \(account.name)") }
        for account in message.changed where account.needsAttention {
          self?.record(.user, "has to sign in again: \(account.provider), \(account.name)")
        }
      },
    ]
    observeSensors(center)
  }

  /// Sensors work while a scene is in the foreground.
  private func observeSensors(_ center: NotificationCenter) {
    let device = Device.current
    device.beginGeneratingDeviceOrientationNotifications()
    device.isProximityMonitoringEnabled = true
    device.isAmbientLightMonitoringEnabled = true
    device.isShakeMonitoringEnabled = true
    observers += [
      center.addObserver(of: device, for: .orientationDidChange) { [weak self] message in
        self?.record(.sensor, "the machine's orientation is \(message.device.orientation)")
      },
      center.addObserver(of: device, for: .proximityStateDidChange) { [weak self] message in
        self?.record(.sensor, message.device.proximityState ? "something is close" : "nothing is close")
      },
      center.addObserver(of: device, for: .ambientLightDidChange) { [weak self] message in
        let light = message.device.ambientLight.map { "\(Int($0.level)) \($0.unit)" }
        self?.record(.sensor, "the light around the machine is \(light ?? "unknown")")
      },
      center.addObserver(of: Screen.self, for: .availableModesDidChange) { [weak self] message in
        guard let mode = message.screen.currentMode else { return }
        let count = message.screen.availableModes.count
        self?.record(
          .display,
          "\(message.screen.name) has \(count) modes, and shows \(mode.size.width) x \(mode.size.height) at "
            + "\(Int(mode.refreshRate.rounded())) Hz")
      },
    ]
    // Asks for the modes of all screens.
    _ = Application.shared.screens.first?.availableModes
  }

  /// The user has shaken the machine, or has begun to and something has come in between.
  func recordShake(isCancelled: Bool) {
    record(.sensor, isCancelled ? "the machine was nearly shaken" : "the machine was shaken")
  }

  /// Asks where the machine is, which the user has to want.
  func locate() {
    location.delegate = self
    location.desiredAccuracy = .city
    location.startMonitoringSignificantLocationChanges()
    location.startUpdatingLocation()
  }

  /// Lists what other programs offer, and continues the first of it, which its window is told.
  func continueFirst() {
    Task {
      let offers = await HandoffCenter.shared.activities()
      if offers.isEmpty { record(.request, "no other program offers an activity") }
      for offer in offers {
        let sender = offer.sourceApplication ?? "another program"
        record(.request, "\(sender) offers \(offer.activityType), \(offer.title ?? "untitled")")
      }
      if let first = offers.first { try? await HandoffCenter.shared.continueActivity(first) }
    }
  }

  /// Lists the distributors of pushed messages, and has the next one by name push them, as the user may choose.
  func chooseDistributor() {
    let center = RemoteNotificationCenter.current
    Task {
      let distributors = await center.distributors()
      guard let first = distributors.first else {
        return record(.request, "there is no distributor of pushed messages")
      }
      let sorted = distributors.sorted()
      let next = sorted.first { $0 > first } ?? sorted[0]
      record(.request, "pushed by \(next) from now on, of \(sorted.joined(separator: ", "))")
      center.register(distributor: next)
    }
  }

  private func record(_ source: EventLog.Source, _ text: String) { EventLog.shared.record(source, text) }
}

extension MachineLog: LocationManagerDelegate {
  func locationManager(_ manager: LocationManager, didUpdateLocation location: Location) {
    let radius = Int(min(location.horizontalAccuracy, 1e9).rounded())
    record(.location, "at \(location.latitude), \(location.longitude), within \(radius) m")
  }

  func locationManager(_ manager: LocationManager, didFailWith error: LocationManager.Failure) {
    record(.location, "no place is known: \(error)")
  }

  func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
    record(.location, "the user's answer is \(manager.authorizationStatus)")
  }
}
