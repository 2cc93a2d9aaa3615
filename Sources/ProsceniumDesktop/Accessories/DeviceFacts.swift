import ProsceniumPlatform

/// What udev says of a device, as far as it makes the device an accessory.
struct DeviceFacts: Equatable, Sendable {
  /// The device's folder in sysfs.
  var path: String
  var subsystem: String
  /// The kind of device within its subsystem (`DEVTYPE`).
  var type: String?
  /// The file in `/dev`, and its number.
  var node: String?
  var number: UInt64 = 0
  /// The properties of ``propertyNames``, as far as the device has them.
  var properties: [String: String] = [:]
  /// Whether something is connected to a connector of a graphics card.
  var isConnected = false

  init(path: String, subsystem: String) { (self.path, self.subsystem) = (path, subsystem) }

  private static let inputs = ["KEYBOARD", "MOUSE", "TOUCHPAD", "TOUCHSCREEN", "TABLET", "JOYSTICK", "POINTINGSTICK"]
    .map { "ID_INPUT_" + $0 }
  private static let phones = ["ID_MTP_DEVICE", "adb_user", "USBMUXD_SUPPORTED"]
  private static let names = ["ID_V4L_PRODUCT", "ID_MODEL_FROM_DATABASE", "ID_MODEL", "NAME"]
  private static let makers = ["ID_VENDOR_FROM_DATABASE", "ID_VENDOR"]
  private static let serials = ["ID_SERIAL_SHORT", "ID_SERIAL", "UNIQ"]

  /// The properties that count.
  static let propertyNames =
    inputs + phones + names + makers + serials
    + ["ID_FS_USAGE", "ID_FS_UUID", "ID_V4L_CAPABILITIES", "ID_MEDIA_PLAYER", "ID_GPHOTO2", "ID_BUS"]

  /// The last part of the path.
  var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] }

  /// Whether it is the connector of a graphics card: `card0-HDMI-A-1`.
  var isConnector: Bool { subsystem == "drm" && name.contains("-") }

  /// What the device is for; nil where programs have no use for it, or another device stands for it.
  var kind: AccessoryKind? {
    switch subsystem {
    case "block":
      // Files and memory that play disks have no place on a bus.
      let isReal = !path.hasPrefix("/sys/devices/virtual/")
      return isReal && ["filesystem", "crypto"].contains(properties["ID_FS_USAGE"]) ? .storage : nil
    case "input": return name.hasPrefix("event") && has(Self.inputs) ? .input : nil
    // The last of a card's devices that the kernel makes.
    case "sound": return name.hasPrefix("controlC") ? .audio : nil
    case "drm": return isConnector && isConnected ? .display : nil
    case "video4linux":
      return properties["ID_V4L_CAPABILITIES"]?.contains(":capture:") == true ? .camera : nil
    case "tty": return ["ttyUSB", "ttyACM", "rfcomm"].contains { name.hasPrefix($0) } ? .serial : nil
    case "usb":
      guard type == "usb_device" else { return nil }
      if has(Self.phones) || properties["ID_MEDIA_PLAYER"]?.isEmpty == false { return .phone }
      return has(["ID_GPHOTO2"]) ? .camera : nil
    case _: return nil
    }
  }

  private func has(_ names: [String]) -> Bool { names.contains { ["1", "yes"].contains(properties[$0]) } }

  /// The accessory; nil where the device is none.
  var accessory: AccessoryReading? {
    guard let kind else { return nil }
    func first(_ names: [String]) -> String { names.lazy.compactMap { properties[$0] }.first.map(Self.plain) ?? "" }
    var accessory = AccessoryReading(kind: kind, path: path)
    if number != 0, let node, node.hasPrefix("/dev/") { (accessory.node, accessory.number) = (node, number) }
    accessory.name = first(Self.names)
    if accessory.name.isEmpty { accessory.name = String(name) }
    accessory.manufacturer = first(Self.makers)
    accessory.serialNumber = first(Self.serials)
    // The serial number of a reader does not tell one card from another one.
    if kind == .storage { accessory.volume = first(["ID_FS_UUID"]) }
    accessory.bus = first(["ID_BUS"])
    return accessory
  }

  /// A text without the signs that udev and the kernel put around it, and without control characters.
  private static func plain(_ text: String) -> String {
    let shown = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\"" }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: shown)
    return String(result)
  }
}
