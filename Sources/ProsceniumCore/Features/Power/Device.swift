public import FoundationEssentials

/// The machine that the program runs on: its battery, the user's wish to save power, and its heat (UIKit's `UIDevice`,
/// and the part of Foundation's `ProcessInfo` that is about power).
///
/// ```swift
/// Device.current.isBatteryMonitoringEnabled = true
/// let token = NotificationCenter.default.addObserver(of: Device.current, for: .batteryLevelDidChange) { message in
///   gauge.value = message.device.batteryLevel
/// }
/// ```
///
/// For the main thread. Nothing is observed that the program does not ask for: the battery, the supply and the lid from
/// ``isBatteryMonitoringEnabled`` on, the other values from the first time that they are read. No property waits for an
/// answer: a value is unknown, false or nominal until it has arrived, and a difference is notified.
///
/// Notifications of one moment come in this order: state and level of the battery, supply, lid, low-power mode, heat;
/// after scenes have taken their steps, and at most once a second. While the program is suspended nothing is posted; on
/// resumption each notification is posted at most once, and only where the value differs from that before.
///
/// On Linux the battery is UPower's, and the low-power mode that of power-profiles-daemon or tuned-ppd, both over the
/// system bus, which starts them where it can; heat is that of the kernel's thermal zones. A machine without one of
/// them has no such values, and reports nothing of them.
@MainActor public final class Device {
  /// The state of a battery.
  public typealias BatteryState = ProsceniumPlatform.BatteryState
  /// How hot the machine is.
  public typealias ThermalState = ProsceniumPlatform.ThermalState

  /// The machine, as ``Application/shared`` observes it.
  public static var current: Device { of(Application.shared) }

  /// The machine, as a program observes it.
  static func of(_ application: Application) -> Device {
    if let device = application.value(DeviceKey.self) { return device }
    let device = Device(application)
    application.setValue(device, DeviceKey.self)
    return device
  }

  private unowned let application: Application
  /// What the program wants to know.
  private var topics: Set<PowerTopic> = []

  init(_ application: Application) { self.application = application }

  /// Whether the battery, the supply and the lid are observed; false at first.
  ///
  /// Their values are unknown while it is false. It may be set before the launch.
  public var isBatteryMonitoringEnabled: Bool {
    get { topics.contains(.battery) }
    set {
      assertMainThread()
      if newValue { topics.insert(.battery) } else { topics.remove(.battery) }
      follow()
    }
  }

  /// The charge of the battery, from 0 to 1 in steps of 0.01; -1 where there is none, or it is unknown.
  ///
  /// A machine with several batteries has one level for all of them (UPower's display device). Changes are reported by
  /// ``BatteryLevelDidChangeMessage``.
  public var batteryLevel: Float { battery.batteryPercent.map { Float($0) / 100 } ?? -1 }

  /// Whether the battery is being charged; unknown where there is none.
  ///
  /// A battery that is not charged further because of a limit that the user has set is charging. Changes are reported
  /// by ``BatteryStateDidChangeMessage``.
  public var batteryState: BatteryState { battery.batteryState }

  /// Whether the machine runs on its battery; false where that is unknown.
  ///
  /// Changes are reported by ``PowerSourceDidChangeMessage``.
  public var isOnBattery: Bool { battery.isOnBattery }

  /// Whether the machine's lid is closed; false where it has none, or it is unknown.
  ///
  /// Most machines sleep then, unless an external display is connected. Changes are reported by
  /// ``LidDidChangeMessage``.
  public var isLidClosed: Bool { battery.isLidClosed }

  /// Whether the user wants to save power: work that nobody waits for should be put off, and less be drawn.
  ///
  /// The power profile `power-saver`. Observed from the first time that it is read on, when it is false; read it before
  /// observing ``PowerStateDidChangeMessage``.
  public var isLowPowerModeEnabled: Bool {
    follow(.lowPowerMode)
    return reading.isLowPowerMode
  }

  /// How hot the machine is, by the hottest of the kernel's thermal zones.
  ///
  /// Observed from the first time that it is read on, when it is nominal; read it before observing
  /// ``ThermalStateDidChangeMessage``. The zones are read every ten seconds from then on, but not while the program is
  /// suspended. A zone is *fair* when its fan runs, and within 5 degrees of *serious*; *serious* at the temperature at
  /// which the kernel makes the machine slower; *critical* where the kernel calls it hot, and within 5 degrees of the
  /// temperature at which it switches the machine off. A state ends 3 degrees below where it began.
  public var thermalState: ThermalState {
    follow(.thermalState)
    return reading.thermalState
  }

  private var reading: PowerReading { application.conductor?.feature(Power.self)?.reading ?? PowerReading() }

  /// Nothing is known of a battery that is no longer monitored, although the last reading has it for another moment.
  private var battery: PowerReading { reading.limited(to: topics) }

  private func follow(_ topic: PowerTopic) { if topics.insert(topic).inserted { follow() } }

  /// Asks for the topics; again once the application has a host.
  func follow() { application.host.machine.power?.follow(topics) }
}

extension Device {
  /// Posted when ``Device/batteryState`` has changed, while ``Device/isBatteryMonitoringEnabled`` is true.
  public struct BatteryStateDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/batteryLevel`` has changed, while ``Device/isBatteryMonitoringEnabled`` is true.
  public struct BatteryLevelDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/isOnBattery`` has changed, while ``Device/isBatteryMonitoringEnabled`` is true.
  public struct PowerSourceDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/isLidClosed`` has changed, while ``Device/isBatteryMonitoringEnabled`` is true.
  public struct LidDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/isLowPowerModeEnabled`` has changed, once it has been read.
  public struct PowerStateDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/thermalState`` has changed, once it has been read.
  public struct ThermalStateDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
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

extension NotificationCenter.MessageIdentifier where Self == Device.BatteryStateDidChangeMessage.Identifier {
  /// Names ``Device/BatteryStateDidChangeMessage``.
  public static var batteryStateDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.BatteryLevelDidChangeMessage.Identifier {
  /// Names ``Device/BatteryLevelDidChangeMessage``.
  public static var batteryLevelDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.PowerSourceDidChangeMessage.Identifier {
  /// Names ``Device/PowerSourceDidChangeMessage``.
  public static var powerSourceDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.LidDidChangeMessage.Identifier {
  /// Names ``Device/LidDidChangeMessage``.
  public static var lidDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.PowerStateDidChangeMessage.Identifier {
  /// Names ``Device/PowerStateDidChangeMessage``.
  public static var powerStateDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.ThermalStateDidChangeMessage.Identifier {
  /// Names ``Device/ThermalStateDidChangeMessage``.
  public static var thermalStateDidChange: Self { .init() }
}

/// The machine, once it has been asked for.
enum DeviceKey: ValueKey { static var initial: Device? { nil } }
