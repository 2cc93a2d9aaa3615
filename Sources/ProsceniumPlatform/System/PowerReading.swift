/// The state of the machine's battery (UIKit's names).
public enum BatteryState: String, Hashable, Sendable, CaseIterable {
  /// There is no battery, nothing is known of it, or it is not monitored.
  case unknown
  /// The machine runs on the battery.
  case unplugged
  /// The machine is plugged into power, and the battery is not full.
  case charging
  /// The machine is plugged into power, and the battery is full.
  case full
}

/// How hot the machine is (the names of Foundation's `ProcessInfo.ThermalState`).
public enum ThermalState: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// As cool as it should be, or nothing is known.
  case nominal
  /// Warm: fans run, or the machine is about to become slower. Work that nobody waits for can be put off.
  case fair
  /// Hot: the kernel makes the machine slower. Frame rates and work should be reduced.
  case serious
  /// So hot that the kernel is about to switch the machine off. Only what the user needs now should go on.
  case critical

  /// Whether the first is the cooler one.
  public static func < (left: ThermalState, right: ThermalState) -> Bool { left.rawValue < right.rawValue }
}

/// A part of what a machine reports of its power; followed on request alone.
package enum PowerTopic: Hashable, Sendable, CaseIterable {
  /// The battery, the supply and the lid.
  case battery
  case lowPowerMode
  case thermalState
}

/// What is known of the machine's power.
///
/// Values that are not followed, or that no service reports, are those of ``init()``.
package struct PowerReading: Hashable, Sendable {
  /// The charge of the battery, from 0 to 100; nil where there is none.
  package var batteryPercent: Int?
  package var batteryState = BatteryState.unknown
  /// Whether the machine runs on its battery.
  package var isOnBattery = false
  package var isLidClosed = false
  /// Whether the user wants to save power.
  package var isLowPowerMode = false
  package var thermalState = ThermalState.nominal

  package init() {}

  /// The values of some topics alone.
  package func limited(to topics: Set<PowerTopic>) -> PowerReading {
    var reading = PowerReading()
    if topics.contains(.battery) {
      (reading.batteryPercent, reading.batteryState) = (batteryPercent, batteryState)
      (reading.isOnBattery, reading.isLidClosed) = (isOnBattery, isLidClosed)
    }
    if topics.contains(.lowPowerMode) { reading.isLowPowerMode = isLowPowerMode }
    if topics.contains(.thermalState) { reading.thermalState = thermalState }
    return reading
  }
}

/// Observes the machine's power, as far as the program wants to know it.
@MainActor package protocol PowerMonitor: AnyObject {
  /// Follows these topics from now on, and no other ones.
  ///
  /// Each change is posted as ``SystemEvent/power(_:)``, never before this function returns. The first event comes when
  /// a value differs from ``PowerReading/init()``.
  func follow(_ topics: Set<PowerTopic>)
}
