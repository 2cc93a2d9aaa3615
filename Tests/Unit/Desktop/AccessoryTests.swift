import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Which devices are accessories, and what the kernel's socket says of them.
@MainActor @Suite("Devices of udev", .serialized) struct AccessoryTests {
  private func facts(
    _ path: String, _ subsystem: String, type: String? = nil, _ properties: [String: String] = [:],
    change: (inout DeviceFacts) -> Void = { _ in }
  ) -> DeviceFacts {
    var facts = DeviceFacts(path: path, subsystem: subsystem)
    (facts.type, facts.properties) = (type, properties)
    change(&facts)
    return facts
  }

  @Test("The kind follows from what udev's rules have found out")
  func kinds() {
    let usb = "/sys/devices/pci0000:00/usb1/1-2"
    func kind(_ path: String, _ subsystem: String, type: String? = nil, _ properties: [String: String] = [:])
      -> AccessoryKind?
    {
      facts(path, subsystem, type: type, properties).kind
    }
    #expect(kind(usb + "/block/sdb/sdb1", "block", type: "partition", ["ID_FS_USAGE": "filesystem"]) == .storage)
    #expect(kind(usb + "/block/sdb/sdb1", "block", ["ID_FS_USAGE": "crypto"]) == .storage)
    // A disk with partitions, swap, and what only plays a disk.
    #expect(kind(usb + "/block/sdb", "block", type: "disk") == nil)
    #expect(kind(usb + "/block/sdb/sdb2", "block", ["ID_FS_USAGE": "other"]) == nil)
    #expect(kind("/sys/devices/virtual/block/loop0", "block", ["ID_FS_USAGE": "filesystem"]) == nil)
    for property in ["KEYBOARD", "MOUSE", "TOUCHPAD", "TOUCHSCREEN", "TABLET", "JOYSTICK", "POINTINGSTICK"] {
      #expect(kind(usb + "/input/input7/event3", "input", ["ID_INPUT_" + property: "1"]) == .input)
    }
    // The power button; the same mouse in its older forms.
    #expect(kind(usb + "/input/input7/event3", "input", ["ID_INPUT": "1", "ID_INPUT_KEY": "1"]) == nil)
    #expect(kind(usb + "/input/input7/event3", "input", ["ID_INPUT_MOUSE": "0"]) == nil)
    #expect(kind(usb + "/input/input7", "input", ["ID_INPUT_MOUSE": "1"]) == nil)
    #expect(kind(usb + "/input/input7/mouse0", "input", ["ID_INPUT_MOUSE": "1"]) == nil)
    #expect(kind(usb + "/sound/card1/controlC1", "sound") == .audio)
    #expect(kind(usb + "/sound/card1", "sound") == nil && kind(usb + "/sound/card1/pcmC1D0p", "sound") == nil)
    let screen = facts("/sys/devices/pci/drm/card0/card0-HDMI-A-1", "drm") { $0.isConnected = true }
    #expect(screen.kind == .display)
    #expect(kind(screen.path, "drm") == nil)
    #expect(facts("/sys/devices/pci/drm/card0", "drm") { $0.isConnected = true }.kind == nil)
    #expect(kind(usb + "/video4linux/video0", "video4linux", ["ID_V4L_CAPABILITIES": ":capture:"]) == .camera)
    #expect(kind(usb + "/video4linux/video1", "video4linux", ["ID_V4L_CAPABILITIES": ":"]) == nil)
    #expect(kind(usb + "/video4linux/video1", "video4linux") == nil)
    #expect(kind(usb + "/ttyUSB0/tty/ttyUSB0", "tty") == .serial && kind(usb + "/tty/ttyACM3", "tty") == .serial)
    #expect(kind("/sys/devices/virtual/tty/tty1", "tty") == nil && kind("/sys/devices/tty/ttyS0", "tty") == nil)
    for properties in [["ID_MTP_DEVICE": "1"], ["ID_MEDIA_PLAYER": "nokia"], ["adb_user": "yes"]] {
      #expect(kind(usb, "usb", type: "usb_device", properties) == .phone)
      #expect(kind(usb + "/1-2:1.0", "usb", type: "usb_interface", properties) == nil)
    }
    #expect(kind(usb, "usb", type: "usb_device", ["ID_GPHOTO2": "1"]) == .camera)
    #expect(kind(usb, "usb", type: "usb_device", ["ID_GPHOTO2": "1", "ID_MTP_DEVICE": "1"]) == .phone)
    #expect(kind(usb, "usb", type: "usb_device", ["ID_MEDIA_PLAYER": ""]) == nil)
    #expect(kind(usb, "usb", type: "usb_device") == nil && kind("", "") == nil && kind("/", "hidraw") == nil)
  }

  @Test("Names, numbers and files; a device is the same one by its number and serial number, not by its path")
  func identities() throws {
    let path = "/sys/devices/usb1/1-2/tty/ttyUSB0"
    let line = try #require(
      facts(path, "tty", ["ID_MODEL": "Wire\n\u{7}", "ID_VENDOR": "ACME", "ID_SERIAL_SHORT": "12", "ID_BUS": "usb"]) {
        ($0.node, $0.number) = ("/dev/ttyUSB0", 48128)
      }.accessory)
    #expect((line.name, line.manufacturer, line.serialNumber, line.bus) == ("Wire", "ACME", "12", "usb"))
    #expect(line.node == "/dev/ttyUSB0" && line.number == 48128)
    #expect(facts("/sys/input7/event3", "input", ["ID_INPUT_MOUSE": "1", "NAME": "\"A B\""]).accessory?.name == "A B")
    #expect(facts(path, "tty").accessory?.name == "ttyUSB0")
    // A file elsewhere is none of udev's.
    let odd = facts(path, "tty") { ($0.node, $0.number) = ("/home/ttyUSB0", 1) }.accessory
    #expect(odd?.node == nil && odd?.number == 0)
    var other = line
    (other.path, other.connection, other.bus) = ("/sys/devices/usb2/2-1/tty/ttyUSB0", 4, "")
    #expect(other.isSameDevice(as: line))
    other.serialNumber = "13"
    #expect(!other.isSameDevice(as: line))
    (other.serialNumber, other.number) = ("12", 48129)
    #expect(!other.isSameDevice(as: line))
    (other.number, other.volume) = (48128, "A")
    #expect(!other.isSameDevice(as: line))
    // Without a number it is the place.
    let screen = AccessoryReading(kind: .display, path: "/sys/a")
    #expect(
      screen.isSameDevice(as: screen) && !screen.isSameDevice(as: AccessoryReading(kind: .display, path: "/sys/b")))
  }

  @Test("Without libudev there are none, which is said once they are asked for, and once alone")
  func absent() {
    let host = TestHost()
    let source = AccessorySource { nil }
    source.start(host)
    host.passTime()
    #expect(host.reports.isEmpty && host.watched.isEmpty)
    for _ in 0..<2 {
      source.follow(true)
      host.passTime()
      source.follow(false)
      host.passTime()
    }
    #expect(host.reports == ["Accessories cannot be listed: libudev.so.1 is not installed."])
    #expect(host.events.isEmpty && host.watched.isEmpty)
    var line = AccessoryReading(kind: .serial, path: "/sys/a")
    #expect(throws: AccessoryError.notOpenable) { _ = try source.open(line, for: .reading).number }
    (line.node, line.number) = ("/dev/null", 259)
    #expect(throws: AccessoryError.disconnected) { _ = try source.open(line, for: .reading).number }
    line.node = "/dev/missing/at/all"
    #expect(throws: AccessoryError.disconnected) { _ = try source.open(line, for: .reading).number }
    line.node = "/etc/passwd"
    #expect(throws: AccessoryError.replaced) { _ = try source.open(line, for: .reading).number }
  }

  @Test("Nothing is watched before it is asked for, nor after it is not any more")
  func asked() throws {
    let host = TestHost()
    let source = AccessorySource()
    source.start(host)
    host.passTime()
    #expect(host.watched.isEmpty)
    let library = try #require(Udev.library)
    source.follow(true)
    source.follow(true)
    host.passTime()
    #expect(host.watched.count == 2)
    // The first reading.
    #expect(host.turn { host.wakeUps > 0 })
    source.follow(false)
    host.passTime()
    #expect(host.watched.isEmpty && host.reports.isEmpty)
    // Asked and taken back in one turn, nothing is begun.
    source.follow(true)
    source.follow(false)
    host.passTime()
    #expect(host.watched.isEmpty)
    source.follow(true)
    host.passTime()
    source.stop()
    #expect(host.watched.isEmpty)
    // The machine's own terminals are devices of udev, and no accessories.
    guard let udev = Udev(library) else { throw DeskFailure("libudev makes no context") }
    #expect(udev.devices(of: ["tty"]) { $0.facts.accessory?.kind }.allSatisfy { $0 == .serial })
    #expect(udev.facts(ofDevice: .max, isBlock: false) == nil)
  }

  @Test("What the kernel has had no room for is noticed, and what comes after it is heard; rubbish is not")
  func overrun() async throws {
    if !mustNotSkip, !DeviceMessages.isInstalled { try Test.cancel("python3 is not installed") }
    let library = try #require(Udev.library)
    let socket = try #require(UdevSocket(library, of: ["tty"]))
    guard try await DeviceMessages.send("remove", "first") else {
      try cancelTest("messages of devices cannot be sent", lacking: .deviceMessages)
    }
    let first = "/sys/devices/virtual/tty/first"
    // Others talk on this socket of the machine, too: only what is of these devices counts.
    func all() -> [UdevSocket.Message] {
      var messages: [UdevSocket.Message] = []
      while messages.count < 20_000, let message = socket.receive() { messages.append(message) }
      return messages
    }
    #expect(all().contains(.removed(first)))
    // As root the library takes so much room that nothing would fill it.
    var room: Int32 = 4096
    #expect(setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size)) == 0)
    let count = 8000
    #expect(try await DeviceMessages.send("remove", "first", times: count))
    let heard = all()
    #expect(heard.contains(.other) && heard.count { $0 == .removed(first) } < count)
    // A message that is none ends a reading; the loop reads again as long as there is more.
    var later: [UdevSocket.Message] = []
    #expect(try await DeviceMessages.sendRubbish())
    for _ in 0..<40 { later += all() }
    #expect(try await DeviceMessages.send("remove", "last"))
    for _ in 0..<40 { later += all() }
    #expect(!later.contains(.removed("/sys/devices/virtual/tty/rubbish")))
    #expect(later.contains(.removed("/sys/devices/virtual/tty/last")))
  }

  @Test("A flood is a few readings")
  func flood() async throws {
    if !mustNotSkip, !DeviceMessages.isInstalled { try Test.cancel("python3 is not installed") }
    let (library, host) = (try #require(Udev.library), TestHost())
    var readings = 0
    let watch = try #require(DeviceWatch(library, host: host) { _ in readings += 1 })
    #expect(host.turn { readings == 1 })
    guard try await DeviceMessages.send("change", "any") else {
      try cancelTest("messages of devices cannot be sent", lacking: .deviceMessages)
    }
    #expect(host.turn { readings == 2 })
    let start = ContinuousClock.now
    for _ in 0..<3 {
      #expect(try await DeviceMessages.send("change", "any", times: 4000))
      #expect(host.turn { !host.turn() })
    }
    // Nothing more is read once all that was said has been heard.
    var before = -1
    #expect(
      host.turn {
        defer { before = readings }
        return before == readings && !watch.isReading
      })
    #expect(readings <= 3 + Int((ContinuousClock.now - start) / .milliseconds(200)))
    let count = readings
    #expect(try await DeviceMessages.send("add", "any"))
    #expect(host.turn { readings > count })
    #expect(host.reports.isEmpty && host.watched.count == 2)
  }
}
