public import FoundationEssentials

/// The machine that the program runs on: its battery, the user's wish to save power, its heat, which way up it is, what
/// is near it, and the light around it (UIKit's `UIDevice`, and the part of Foundation's `ProcessInfo` that is about
/// power).
///
/// ```swift
/// Device.current.isBatteryMonitoringEnabled = true
/// let token = NotificationCenter.default.addObserver(of: Device.current, for: .batteryLevelDidChange) { message in
///   gauge.value = message.device.batteryLevel
/// }
/// ```
///
/// For the main thread. Nothing is observed that the program does not ask for: the battery, the supply and the lid from
/// ``isBatteryMonitoringEnabled`` on, the low-power mode and the heat from the first time that they are read, sensors
/// between the begin and the end of their monitoring, as long as a scene is in the foreground. No property waits for an
/// answer: a value is unknown, false or nominal until it has arrived, and a difference is notified.
///
/// Notifications of one moment come in this order: state and level of the battery, supply, lid, low-power mode, heat,
/// as soon as the machine tells, and of a flood once a second; orientation, proximity, light, at most four times a
/// second; after scenes have taken their steps. While the program is suspended nothing is posted; on resumption each
/// notification is posted at most once, and only where the value differs from that before.
///
/// On Linux the battery is UPower's, and the low-power mode that of power-profiles-daemon or tuned-ppd, both over the
/// system bus, which starts them where it can; heat is that of the kernel's thermal zones; sensors are those of
/// iio-sensor-proxy. A machine without one of them has no such values, and reports nothing of them.
@MainActor public final class Device {
  /// The machine, as ``Application/shared`` observes it.
  public static var current: Device { of(Application.shared) }

  /// The machine, as a program observes it.
  static func of(_ application: Application) -> Device {
    if let device = application.value(DeviceKey.self) { return device }
    let device = Device(application)
    application.setValue(device, DeviceKey.self)
    return device
  }

  /// Nil once the process is dead, in a test.
  weak var application: Application?

  init(_ application: Application) { self.application = application }
}

/// A message about the machine; posted on the main thread.
public protocol DeviceMessage: NotificationCenter.MainActorMessage where Subject == Device {
  /// The machine.
  var device: Device { get }
}

extension DeviceMessage {
  /// The type of the message's name.
  public typealias Identifier = NotificationCenter.BaseMessageIdentifier<Self>

  /// Posts the message about its machine.
  @MainActor func post() { NotificationCenter.default.post(self, subject: device) }
}

/// The machine, once it has been asked for.
private enum DeviceKey: ValueKey { static var initial: Device? { nil } }
