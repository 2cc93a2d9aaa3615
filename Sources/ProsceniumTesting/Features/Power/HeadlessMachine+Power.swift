public import ProsceniumCore

/// The power of the machine.
///
/// A program receives what it follows: see `Device`. The values last over a relaunch. A change is delivered at once,
/// and not, as by the sources of a real machine, at most once a second.
extension HeadlessMachine {
  /// Gives the machine a battery, or changes it.
  ///
  /// The machine runs on its battery where that is unplugged.
  /// - Parameters:
  ///   - level: The charge, from 0 to 1; values outside that range are the nearest one within, NaN is 0.
  ///   - state: The state.
  public func setBattery(level: Float, state: Device.BatteryState) {
    power.change {
      $0.batteryPercent = level.isNaN ? 0 : Int((min(max(level, 0), 1) * 100).rounded())
      $0.batteryState = state
      $0.isOnBattery = state == .unplugged
    }
  }

  /// Removes the battery: the machine is plugged into power.
  public func removeBattery() {
    power.change { ($0.batteryPercent, $0.batteryState, $0.isOnBattery) = (nil, .unknown, false) }
  }

  /// Closes the lid, or opens it; the machine does not sleep: see ``sleep()``.
  /// - Parameter isClosed: Whether it is closed.
  public func setLid(isClosed: Bool) { power.change { $0.isLidClosed = isClosed } }

  /// The user begins to save power, or ends it.
  /// - Parameter isEnabled: Whether power is to be saved.
  public func setLowPowerMode(_ isEnabled: Bool) { power.change { $0.isLowPowerMode = isEnabled } }

  /// Makes the machine hotter or cooler.
  /// - Parameter state: How hot it is.
  public func setThermalState(_ state: Device.ThermalState) { power.change { $0.thermalState = state } }
}
