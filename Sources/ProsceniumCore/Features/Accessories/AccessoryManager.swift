public import FoundationEssentials

/// The devices that are connected to the machine, and come and go while the program runs (ExternalAccessory's
/// `EAAccessoryManager`).
///
/// ```swift
/// let manager = AccessoryManager.shared
/// manager.registerForLocalNotifications()
/// let token = NotificationCenter.default.addObserver(of: manager, for: .accessoryDidConnect) { message in
///   if message.accessory.kind == .serial { open(message.accessory) }
/// }
/// ```
///
/// For the main thread. Nothing is observed before ``registerForLocalNotifications()``, and no property waits for an
/// answer: accessories that are connected already are notified as soon as they are known.
///
/// Those that go are notified before those that come, after scenes have taken their steps. While the program is
/// suspended nothing is posted; on resumption only what differs is: an accessory that was removed and has come back is
/// none of that.
///
/// On Linux they are the devices of udev, by libudev, once udev's rules have been applied to them. Those that are built
/// into the machine are among them. Without libudev there are none, which a program that asks for them says once on
/// standard error.
@MainActor public final class AccessoryManager {
  /// The accessories, as ``Application/shared`` observes them.
  public static var shared: AccessoryManager { of(Application.shared) }

  /// The accessories, as a program observes them.
  static func of(_ application: Application) -> AccessoryManager {
    if let manager = application.value(AccessoryManagerKey.self) { return manager }
    let manager = AccessoryManager(application)
    application.setValue(manager, AccessoryManagerKey.self)
    return manager
  }

  /// The accessories that are connected, in the order in which they have become known; none before
  /// ``registerForLocalNotifications()``.
  public private(set) var connectedAccessories: [Accessory] = []

  /// Nil once the process is dead, in a test.
  private weak var application: Application?
  private(set) var isRegistered = false
  private var connections = 0
  private var sessions: [WeakSession] = []

  init(_ application: Application) { self.application = application }

  /// Begins to observe accessories, and to post ``DidConnectMessage`` and ``DidDisconnectMessage``.
  ///
  /// May be called before the launch; again it changes nothing.
  public func registerForLocalNotifications() { setRegistered(true) }

  /// Ends the notifications; accessories are still observed as long as there is an open ``AccessorySession``.
  ///
  /// Without one ``connectedAccessories`` is empty from the next turn of the loop on.
  public func unregisterForLocalNotifications() { setRegistered(false) }

  private func setRegistered(_ isRegistered: Bool) {
    assertMainThread()
    self.isRegistered = isRegistered
    follow()
  }

  /// Asks for accessories, where somebody wants to know them; again once the application has a host.
  func follow() {
    sessions.removeAll { $0.session?.isInvalid != false }
    application?.host.machine.accessories?.follow(isRegistered || !sessions.isEmpty)
  }

  // MARK: Sessions

  func add(_ session: AccessorySession) {
    sessions.append(WeakSession(session: session))
    follow()
  }

  /// The sessions on an accessory, which end because it is gone.
  func sessions(on accessory: Accessory) -> [AccessorySession] {
    sessions.compactMap(\.session).filter { $0.accessory === accessory }
  }

  func session(_ identifier: ObjectIdentifier) -> AccessorySession? {
    sessions.lazy.compactMap(\.session).first { ObjectIdentifier($0) == identifier }
  }

  // MARK: Changes

  /// Takes over what is connected now.
  func update(_ readings: [AccessoryReading]) -> (gone: [Accessory], come: [Accessory]) {
    var (new, gone, kept) = (readings, [Accessory](), [Accessory]())
    for accessory in connectedAccessories {
      let same = new.firstIndex {
        $0.connection == accessory.reading.connection && $0.isSameDevice(as: accessory.reading)
      }
      if let same {
        accessory.reading = new.remove(at: same)
        kept.append(accessory)
      } else {
        gone.append(accessory)
      }
    }
    let come = new.map { reading in
      connections += 1
      return Accessory(reading, connectionID: connections)
    }
    for accessory in gone { accessory.isConnected = false }
    connectedAccessories = kept + come
    return (gone, come)
  }

  private struct WeakSession {
    weak var session: AccessorySession?
  }
}

/// A device that is connected to the machine (ExternalAccessory's `EAAccessory`).
///
/// One that is removed and connected again is another object, unless the program was suspended meanwhile.
@MainActor public final class Accessory {
  /// What an accessory is for.
  public typealias Kind = AccessoryKind

  /// What the accessory is for.
  public var kind: Kind { reading.kind }
  /// Its name, as its maker or udev's database has it; the kernel's name for it where there is no other.
  public var name: String { reading.name }
  /// Its maker; empty where that is unknown.
  public var manufacturer: String { reading.manufacturer }
  /// Its serial number; empty where it has none.
  public var serialNumber: String { reading.serialNumber }
  /// The bus that it is on, as udev names it, such as `usb` or `bluetooth`; empty where that is unknown.
  public var bus: String { reading.bus }
  /// The path of the file by which it is opened, such as `/dev/ttyUSB0`; nil where it has none.
  ///
  /// Another accessory may have this path a moment later: an ``AccessorySession`` looks.
  public var deviceNode: String? { reading.node }
  /// A number that no other connection of this run of the program has.
  public let connectionID: Int
  /// Whether it is connected.
  public internal(set) var isConnected = true

  var reading: AccessoryReading

  init(_ reading: AccessoryReading, connectionID: Int) { (self.reading, self.connectionID) = (reading, connectionID) }
}

extension AccessoryManager {
  /// Posted when an accessory has been connected, and for each that was when it has become known.
  public struct DidConnectMessage: NotificationCenter.MainActorMessage {
    /// What the message is about.
    public typealias Subject = AccessoryManager
    /// The accessory.
    public let accessory: Accessory
  }

  /// Posted when an accessory is gone, after its sessions have been told.
  public struct DidDisconnectMessage: NotificationCenter.MainActorMessage {
    /// What the message is about.
    public typealias Subject = AccessoryManager
    /// The accessory, which is not connected any more.
    public let accessory: Accessory
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AccessoryManager.DidConnectMessage> {
  /// Names ``AccessoryManager/DidConnectMessage``.
  public static var accessoryDidConnect: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AccessoryManager.DidDisconnectMessage> {
  /// Names ``AccessoryManager/DidDisconnectMessage``.
  public static var accessoryDidDisconnect: Self { .init() }
}

/// The accessories, once they have been asked for.
enum AccessoryManagerKey: ValueKey { static var initial: AccessoryManager? { nil } }
