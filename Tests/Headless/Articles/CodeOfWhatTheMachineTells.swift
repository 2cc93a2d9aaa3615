import FoundationEssentials
import Proscenium

private struct Keys {
  func forget() {}
  func load() {}
}
private struct Calendar { func reload() {} }
private let (keys, calendar) = (Keys(), Calendar())
@MainActor private func takeSample(_ descriptor: Int32?) {}
@MainActor private func showNoSamples() {}
@MainActor private func askForTown() {}
@MainActor private func forgetFiles() {}

// Begin: code of WhatTheMachineTells.md
private final class AppDelegate: Responder {}

extension AppDelegate: ApplicationDelegate {
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) { keys.forget() }
  func applicationProtectedDataDidBecomeAvailable(_ application: Application) { keys.load() }
  func applicationSignificantTimeChange(_ application: Application) { calendar.reload() }
}
// End: code of WhatTheMachineTells.md

#if !WITHOUT_Power
  // Begin: code of WhatTheMachineTells.md
  @MainActor final class Uploads {
    private(set) var isPaused = false
    private var observers: [NotificationCenter.ObservationToken] = []

    func begin() {
      let (device, center) = (Device.current, NotificationCenter.default)
      device.isBatteryMonitoringEnabled = true
      observers = [
        center.addObserver(of: device, for: .powerSourceDidChange) { [weak self] _ in self?.decide() },
        center.addObserver(of: device, for: .powerStateDidChange) { [weak self] _ in self?.decide() },
        center.addObserver(of: device, for: .thermalStateDidChange) { [weak self] _ in self?.decide() },
      ]
      decide()
    }

    private func decide() {
      let device = Device.current
      isPaused = device.isLowPowerModeEnabled || device.thermalState >= .serious || device.isOnBattery
    }
  }
// End: code of WhatTheMachineTells.md
#endif

#if !WITHOUT_Accessories
  // Begin: code of WhatTheMachineTells.md
  @MainActor final class Meter {
    private var session: AccessorySession?
    private var observer: NotificationCenter.ObservationToken?

    func begin() {
      let manager = AccessoryManager.shared
      observer = NotificationCenter.default.addObserver(of: manager, for: .accessoryDidConnect) { [weak self] message in
        if message.accessory.kind == .serial { self?.open(message.accessory) }
      }
      manager.registerForLocalNotifications()
    }

    private func open(_ accessory: Accessory) {
      session = try? AccessorySession(accessory: accessory, access: .reading)
      session?.delegate = self
      session?.readabilityHandler = { takeSample($0.descriptor) }
    }
  }

  extension Meter: AccessorySessionDelegate {
    func accessorySession(_ session: AccessorySession, didFailWith error: AccessoryError) { showNoSamples() }
  }
// End: code of WhatTheMachineTells.md
#endif

#if !WITHOUT_Sensors
  @MainActor private func arrange(_ orientation: Device.Orientation) {}
  @MainActor private func dim(_ isNear: Bool) {}
  @MainActor private func shuffle() {}

  // Begin: code of WhatTheMachineTells.md
  @MainActor final class Compartment: Responder {
    private var observers: [NotificationCenter.ObservationToken] = []

    func begin() {
      let (device, center) = (Device.current, NotificationCenter.default)
      device.beginGeneratingDeviceOrientationNotifications()
      device.isProximityMonitoringEnabled = true
      device.isShakeMonitoringEnabled = true
      observers = [
        center.addObserver(of: device, for: .orientationDidChange) { arrange($0.device.orientation) },
        center.addObserver(of: device, for: .proximityStateDidChange) { dim($0.device.proximityState) },
      ]
    }

    override func motionEnded(_ motion: DeviceMotion, with event: Event) { shuffle() }
  }
// End: code of WhatTheMachineTells.md
#endif

#if !WITHOUT_ScreenModes
  private func report(_ text: String) {}

  // Begin: code of WhatTheMachineTells.md
  @MainActor func play(on screen: Screen) {
    guard let mode = screen.availableModes.first(where: { $0.size == Size(width: 1280, height: 720) }) else { return }
    screen.requestMode(mode) { result in
      if case .failure(let error) = result { report("\(screen.name) cannot show it: \(error)") }
    }
  }
// End: code of WhatTheMachineTells.md
#endif

#if !WITHOUT_Location
  @MainActor private func showWeather(at location: Location) {}

  // Begin: code of WhatTheMachineTells.md
  @MainActor final class Weather {
    private let manager = LocationManager()

    func begin() {
      manager.delegate = self
      manager.desiredAccuracy = .city
      manager.startMonitoringSignificantLocationChanges()
    }
  }

  extension Weather: LocationManagerDelegate {
    func locationManager(_ manager: LocationManager, didUpdateLocation location: Location) { showWeather(at: location) }
    func locationManager(_ manager: LocationManager, didFailWith error: LocationManager.Failure) { askForTown() }
    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
      if manager.authorizationStatus == .denied { askForTown() }
    }
  }
// End: code of WhatTheMachineTells.md
#endif

#if !WITHOUT_Accounts
  // Begin: code of WhatTheMachineTells.md
  @MainActor final class CloudFiles {
    private var observer: NotificationCenter.ObservationToken?
    /// Whose files are here; stored with them.
    var owner: IdentityToken?

    func begin() {
      let store = AccountStore.shared
      observer = NotificationCenter.default.addObserver(of: store, for: .identityDidChange) { [weak self] _ in
        self?.decide()
      }
      if store.isKnown { decide() }
    }

    private func decide() {
      let isSignedIn = AccountStore.shared.accounts.contains { $0.identityToken == owner }
      if !isSignedIn { forgetFiles() }
    }
  }
// End: code of WhatTheMachineTells.md
#endif
