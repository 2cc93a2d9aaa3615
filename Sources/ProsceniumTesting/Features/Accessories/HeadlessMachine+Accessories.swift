public import ProsceniumCore
import ProsceniumPlatform

/// The accessories of the machine.
///
/// A program receives them once it asks for them: see `AccessoryManager`. They last over a relaunch.
extension HeadlessMachine {
  /// Connects an accessory.
  /// - Parameters:
  ///   - kind: What it is for.
  ///   - name: Its name, which is its own among those that are connected: one of the same name is removed before.
  ///   - serialNumber: Its serial number.
  ///   - file: The path of a file that a session opens in its place, such as a pipe; nil where it is not opened.
  public func connectAccessory(_ kind: Accessory.Kind, name: String, serialNumber: String = "", file: String? = nil) {
    var accessory = AccessoryReading(kind: kind, path: "/sys/devices/memory/" + name)
    (accessory.name, accessory.serialNumber, accessory.node) = (name, serialNumber, file)
    disconnectAccessory(named: name)
    parts.accessories.change { $0.append(accessory) }
  }

  /// Removes an accessory.
  /// - Parameter name: Its name.
  public func disconnectAccessory(named name: String) { parts.accessories.change { $0.removeAll { $0.name == name } } }
}
