import CSystem
import Glibc
import ProsceniumLoop

/// libudev, with a context of its own: the library's objects are for one thread.
struct Udev: ~Copyable {
  /// The library; nil where it is not installed.
  static let library = Library.permanent(udev_open)

  private let library: udev_library
  private let context: OpaquePointer

  /// Makes a context; nil where there is no memory.
  init?(_ library: udev_library) {
    guard let context = library.udev_new() else { return nil }
    (self.library, self.context) = (library, context)
  }

  deinit { _ = library.udev_unref(context) }

  /// The devices of some subsystems, as far as a function wants to have them.
  func devices<Value>(of subsystems: [String], _ value: (borrowing UdevDevice) -> Value?) -> [Value] {
    guard let list = library.udev_enumerate_new(context) else { return [] }
    defer { _ = library.udev_enumerate_unref(list) }
    for subsystem in subsystems { _ = library.udev_enumerate_add_match_subsystem(list, subsystem) }
    // A device that disappears meanwhile is an error, and the others are listed all the same.
    _ = library.udev_enumerate_scan_devices(list)
    var values: [Value] = []
    var entry = library.udev_enumerate_get_list_entry(list)
    while let present = entry {
      if let path = library.udev_list_entry_get_name(present),
        let device = UdevDevice(library, library.udev_device_new_from_syspath(context, path)),
        let value = value(device)
      {
        values.append(value)
      }
      entry = library.udev_list_entry_get_next(present)
    }
    return values
  }

  /// What is known of the device that a file opens.
  /// - Parameters:
  ///   - number: The file's number (`st_rdev`).
  ///   - isBlock: Whether it is a block device's.
  /// - Returns: Nil where there is no such device.
  func facts(ofDevice number: UInt64, isBlock: Bool) -> DeviceFacts? {
    let kind = CChar(bitPattern: isBlock ? UInt8(ascii: "b") : UInt8(ascii: "c"))
    return UdevDevice(library, library.udev_device_new_from_devnum(context, kind, UInt(number)))?.facts
  }
}

/// A device, as libudev knows it.
struct UdevDevice: ~Copyable {
  /// The longest text that is believed, in bytes.
  private static let mostBytes = 256

  private let library: udev_library
  private let device: OpaquePointer

  /// Takes over a device; nil where it is none.
  fileprivate init?(_ library: udev_library, _ device: OpaquePointer?) {
    guard let device else { return nil }
    (self.library, self.device) = (library, device)
  }

  deinit { _ = library.udev_device_unref(device) }

  /// Whether the device has been received because it is gone.
  var isRemoved: Bool { Self.text(library.udev_device_get_action(device)) == "remove" }

  /// The device's folder in sysfs.
  var path: String { library.udev_device_get_syspath(device).map { String(cString: $0) } ?? "" }

  /// What is known of the device.
  var facts: DeviceFacts {
    var facts = DeviceFacts(path: path, subsystem: Self.text(library.udev_device_get_subsystem(device)) ?? "")
    facts.type = Self.text(library.udev_device_get_devtype(device))
    facts.node = library.udev_device_get_devnode(device).map { String(cString: $0) }
    facts.number = UInt64(library.udev_device_get_devnum(device))
    // A sound card's control and an input's events have their names from the device above, of the same subsystem.
    let above = library.udev_device_get_parent(device).flatMap { parent in
      Self.text(library.udev_device_get_subsystem(parent)) == facts.subsystem ? parent : nil
    }
    for name in DeviceFacts.propertyNames {
      let own = Self.text(library.udev_device_get_property_value(device, name))
      facts.properties[name] =
        own ?? above.flatMap { Self.text(library.udev_device_get_property_value($0, name)) }
    }
    if facts.isConnector {
      facts.isConnected = Self.text(library.udev_device_get_sysattr_value(device, "status")) == "connected"
    }
    return facts
  }

  private static func text(_ bytes: UnsafePointer<CChar>?) -> String? {
    guard let bytes else { return nil }
    let text = UnsafeBufferPointer(start: bytes, count: mostBytes).prefix { $0 != 0 }
    return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The socket on which udev says what becomes of devices, once its rules have been applied to them.
///
/// Only what root has sent is received: the library looks at the sender.
@MainActor final class UdevSocket {
  /// What is received.
  enum Message: Equatable {
    /// The device at this path is gone.
    case removed(String)
    /// Something else has become of a device, or the kernel had no room for messages.
    case other
  }

  private let library: udev_library
  private let context: OpaquePointer
  private let monitor: OpaquePointer

  /// Begins to receive what is said of devices of some subsystems; nil where the kernel has no such socket.
  init?(_ library: udev_library, of subsystems: [String]) {
    guard let context = library.udev_new() else { return nil }
    guard let monitor = library.udev_monitor_new_from_netlink(context, "udev") else {
      _ = library.udev_unref(context)
      return nil
    }
    (self.library, self.context, self.monitor) = (library, context, monitor)
    // In the kernel: what is of other subsystems does not wake the program.
    for subsystem in subsystems {
      _ = library.udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
    }
    guard library.udev_monitor_enable_receiving(monitor) >= 0 else { return nil }
  }

  isolated deinit {
    _ = library.udev_monitor_unref(monitor)
    _ = library.udev_unref(context)
  }

  /// The descriptor, which stays the socket's.
  var number: Int32 { library.udev_monitor_get_fd(monitor) }

  /// The next message; nil where there is none, or one that is no message of udev.
  func receive() -> Message? {
    if let device = UdevDevice(library, library.udev_monitor_receive_device(monitor)) {
      return device.isRemoved ? .removed(device.path) : .other
    }
    return errno == ENOBUFS ? .other : nil
  }
}
