public import FoundationEssentials

// The battery, the user's wish to save power, and the heat.
extension Device {
  /// The state of a battery.
  public typealias BatteryState = ProsceniumPlatform.BatteryState
  /// How hot the machine is.
  public typealias ThermalState = ProsceniumPlatform.ThermalState

  /// Whether the battery, the supply and the lid are observed; false at first.
  ///
  /// Their values are unknown while it is false. It may be set before the launch.
  public var isBatteryMonitoringEnabled: Bool {
    get { topics.contains(.battery) }
    set {
      assertMainThread()
      if newValue { topics.insert(.battery) } else { topics.remove(.battery) }
      followPower()
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

  private var reading: PowerReading { application?.conductor?.feature(Power.self)?.reading ?? PowerReading() }

  /// Nothing is known of a battery that is no longer monitored, although the last reading has it for another moment.
  private var battery: PowerReading { reading.limited(to: topics) }

  /// What the program wants to know.
  private var topics: Set<PowerTopic> {
    get { application?.value(PowerTopicsKey.self) ?? PowerTopicsKey.initial }
    set { application?.setValue(newValue, PowerTopicsKey.self) }
  }

  private func follow(_ topic: PowerTopic) {
    guard !topics.contains(topic) else { return }
    topics.insert(topic)
    followPower()
  }

  /// Asks for the topics; again once the application has a host.
  func followPower() { application?.host.machine.power?.follow(topics) }
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

/// What the program wants to know of the power.
enum PowerTopicsKey: ValueKey { static var initial: Set<PowerTopic> { [] } }
