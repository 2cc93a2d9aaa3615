package import ProsceniumLoop

/// What an accessory is for.
public enum AccessoryKind: String, Hashable, Sendable, CaseIterable {
  /// A file system that can be mounted, or an encrypted one: a disk, a stick, a card.
  case storage
  /// A keyboard, a mouse, a touchpad, a touch screen, a tablet, a joystick.
  case input
  /// A sound card.
  case audio
  /// A display that is connected to the machine, whether it is in use or not.
  case display
  /// A camera that records video, or one whose pictures can be read.
  case camera
  /// A serial line over USB or Bluetooth.
  case serial
  /// A phone, a tablet or a media player that speaks MTP, adb or Apple's protocol.
  case phone
}

/// What is known of an accessory.
package struct AccessoryReading: Hashable, Sendable {
  package var kind: AccessoryKind
  /// The device's folder in sysfs.
  package var path: String
  /// The path of the file by which the device is opened; nil where it has none.
  package var node: String?
  /// The number of that file (`st_rdev`); 0 where there is none.
  package var number: UInt64 = 0
  package var name = ""
  package var manufacturer = ""
  package var serialNumber = ""
  /// The identity of a file system; empty for what is none, or has none.
  package var volume = ""
  /// The bus that it is on, as udev names it: `usb`, `bluetooth`.
  package var bus = ""
  /// Another number once the device has been removed and has come back while the program runs.
  package var connection = 0

  package init(kind: AccessoryKind, path: String) { (self.kind, self.path) = (kind, path) }

  /// Whether both are the same device: by its number and its own names, and by its place only where it has no number.
  package func isSameDevice(as other: AccessoryReading) -> Bool {
    kind == other.kind && number == other.number && serialNumber == other.serialNumber && volume == other.volume
      && name == other.name && manufacturer == other.manufacturer && (number != 0 || path == other.path)
  }
}

/// Why an accessory cannot be used.
public enum AccessoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not connected any more, or it was not while the program was suspended.
  case disconnected
  /// Another device stands in its place.
  case replaced
  /// Such a device is not opened by programs: a display.
  case notOpenable
  /// The user may not open it; a rule of udev, or a group, can allow that.
  case notPermitted
  /// Another program uses it, and it serves one alone.
  case busy
  /// Opening it has failed, with this `errno`.
  case system(Int32)

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .disconnected: "the accessory is not connected"
    case .replaced: "another accessory stands in its place"
    case .notOpenable: "the accessory has no file by which it is opened"
    case .notPermitted: "the user may not open the accessory"
    case .busy: "another program uses the accessory"
    case .system(let code): "opening the accessory has failed: \(Errno(code))"
    }
  }
}

/// How an accessory is opened.
public enum AccessoryAccess: Hashable, Sendable, CaseIterable {
  /// Nothing is written to it.
  case reading
  /// It is read and written.
  case readingAndWriting
}

/// Observes the accessories, as long as the program wants to know them.
@MainActor package protocol AccessoryMonitor: AnyObject {
  /// Follows the accessories from now on, or no longer.
  ///
  /// Each change is posted as ``SystemEvent/accessories(_:)`` with all of them, never before this function returns. The
  /// first event comes where there are any.
  func follow(_ isFollowed: Bool)

  /// Opens an accessory, which has to be the same device still.
  /// - Parameters:
  ///   - accessory: The accessory.
  ///   - access: Whether it is written, too.
  /// - Returns: The descriptor, which never blocks.
  /// - Throws: Why it cannot be opened.
  func open(_ accessory: AccessoryReading, for access: AccessoryAccess) throws(AccessoryError) -> Descriptor
}
