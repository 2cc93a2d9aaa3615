import DeskSupport
import Glibc
import ProsceniumLoop
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Devices that come and go under a real program, by umockdev.
  @Suite("Accessories of a program", .enabled(if: Requirement.sceneLab && (mustNotSkip || DeviceBed.isInstalled)))
  struct AccessoryProgramTests {
    private static let usb = "/devices/pci0000:00/usb1"
    private static let line = usb + "/1-2/ttyUSB0/tty/ttyUSB0"
    private static let screen = "/devices/pci0000:00/drm/card0/card0-HDMI-A-1"

    private static func serial(_ number: String, _ minor: Int = 0) -> String {
      """
      P: \(line.replacing("ttyUSB0", with: "ttyUSB\(minor)"))
      N: ttyUSB\(minor)
      E: SUBSYSTEM=tty
      E: DEVNAME=/dev/ttyUSB\(minor)
      E: MAJOR=188
      E: MINOR=\(minor)
      E: ID_BUS=usb
      E: ID_MODEL=Wire
      E: ID_SERIAL_SHORT=\(number)
      A: dev=188:\(minor)

      """
    }

    private static let stick = """
      P: \(usb)/1-3/block/sdb
      N: sdb
      E: SUBSYSTEM=block
      E: DEVTYPE=disk
      E: DEVNAME=/dev/sdb
      E: MAJOR=8
      E: MINOR=16
      A: dev=8:16

      P: \(usb)/1-3/block/sdb/sdb1
      N: sdb1
      E: SUBSYSTEM=block
      E: DEVTYPE=partition
      E: DEVNAME=/dev/sdb1
      E: MAJOR=8
      E: MINOR=17
      E: ID_FS_USAGE=filesystem
      E: ID_MODEL=Stick
      E: ID_SERIAL_SHORT=S1
      A: dev=8:17

      """

    /// Devices of the other kinds, some with properties that are none.
    private static let others = """
      P: /devices/pci0000:00/input/input7
      E: SUBSYSTEM=input
      E: NAME="Mouse \u{7}of a maker"

      P: /devices/pci0000:00/input/input7/event3
      N: input/event3
      E: SUBSYSTEM=input
      E: DEVNAME=/dev/input/event3
      E: MAJOR=13
      E: MINOR=67
      E: ID_INPUT=1
      E: ID_INPUT_MOUSE=1
      A: dev=13:67

      P: /devices/pci0000:00/sound/card1
      E: SUBSYSTEM=sound
      E: ID_MODEL=Box

      P: /devices/pci0000:00/sound/card1/controlC1
      N: snd/controlC1
      E: SUBSYSTEM=sound
      E: DEVNAME=/dev/snd/controlC1
      E: MAJOR=116
      E: MINOR=1
      A: dev=116:1

      P: \(screen)
      E: SUBSYSTEM=drm
      A: status=disconnected\\n

      P: /devices/pci0000:00/video4linux/video0
      N: video0
      E: SUBSYSTEM=video4linux
      E: DEVNAME=/dev/video0
      E: MAJOR=81
      E: MINOR=0
      E: ID_V4L_CAPABILITIES=:capture:
      E: ID_V4L_PRODUCT=\(String(repeating: "Eye", count: 2000))
      A: dev=81:0

      P: \(usb)/1-4
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_device
      E: ID_MODEL=Phone
      E: ID_MTP_DEVICE=1

      P: \(usb)/1-5
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_device
      E: ID_MODEL=Hub

      """

    private func start(_ bed: DeviceBed, _ arguments: String...) async throws -> DeskScenario {
      let run = try await DeskScenario(.openbox, arguments: arguments, environment: bed.environment)
      try await run.desktop.settle(run.program)
      bed.wait(for: run.program)
      return run
    }

    private func lines(_ run: DeskScenario) -> [String] { run.program.output.split(separator: "\n").map(String.init) }

    private func wait(_ run: DeskScenario, for line: String, _ count: Int = 1) async throws {
      try await waitUntil("\(count) x \(line)", evidence: { run.program.evidence }) {
        lines(run).count { $0 == line } >= count
      }
    }

    @Test("Each kind is told when it is there, comes and goes, and nothing is watched before the program asks")
    func kinds() async throws {
      let bed = try await DeviceBed()
      try await bed.add(Self.serial("A1"))
      let run = try await start(bed, "--stay")
      defer { run.close() }
      #expect(!bed.hasListeners)
      try await run.perform("accessories")
      try await wait(run, for: "connected serial: Wire, A1")
      #expect(bed.hasListeners)
      try await bed.add(Self.stick)
      try await wait(run, for: "connected storage: Stick, S1")
      try await bed.add(Self.others)
      try await wait(run, for: "connected input: Mouse of a maker, ")
      try await wait(run, for: "connected audio: Box, ")
      try await wait(run, for: "connected phone: Phone, ")
      try await wait(run, for: "connected camera: " + String(repeating: "Eye", count: 2000).prefix(256) + ", ")
      try await bed.setStatus("connected", of: Self.screen)
      try await wait(run, for: "connected display: card0-HDMI-A-1, ")
      try await bed.setStatus("disconnected", of: Self.screen)
      try await wait(run, for: "disconnected display: card0-HDMI-A-1, ")
      try await bed.remove(Self.usb + "/1-3/block/sdb/sdb1")
      try await wait(run, for: "disconnected storage: Stick, S1")
      // A flood says nothing that is new, and the program goes on.
      try await bed.flood(Self.line, 50)
      try await bed.remove(Self.usb + "/1-4")
      try await wait(run, for: "disconnected phone: Phone, ")
      try await run.perform("ticks")
      // One that comes back at once is another connection.
      try await bed.replug(Self.line)
      try await wait(run, for: "disconnected serial: Wire, A1")
      try await wait(run, for: "connected serial: Wire, A1", 2)
      #expect(try await bed.end(run.program), "\(run.program.evidence)")
      let told = lines(run).count { $0.hasPrefix("connected") || $0.hasPrefix("disconnected") }
      #expect(told == 12, "\(run.program.evidence)")
      #expect(try run.program.trace.lines().violations == [])
    }

    @Test("A session is closed before the program is suspended, and opened again on the same device alone")
    func sessions() async throws {
      let bed = try await DeviceBed()
      try await bed.add(Self.serial("A1"))
      try await bed.add(Self.stick)
      let run = try await start(bed, "--suspend")
      defer { run.close() }
      try await run.perform("accessories")
      try await wait(run, for: "connected serial: Wire, A1")
      try await wait(run, for: "connected storage: Stick, S1")
      try await run.perform("session serial")
      #expect(lines(run).contains("session open"), "\(run.program.evidence)")
      #expect(openLines(run) == 1)
      try await bed.type("one", at: "/dev/ttyUSB0")
      try await wait(run, for: #"session reads ["one"]"#)
      try await suspend(run)
      #expect(openLines(run) == 0 && lines(run).contains("session closes"))
      // It goes and comes back, twice; the stick goes, and a camera comes. Nothing of it is told yet.
      for _ in 0..<2 { try await bed.replug(Self.line) }
      try await bed.remove(Self.usb + "/1-3/block/sdb/sdb1")
      try await bed.add(Self.others)
      let told = lines(run).count
      #expect(try isSuspended(run) && lines(run).count == told)
      try await resume(run, bed)
      try await wait(run, for: "session open again")
      try await wait(run, for: "disconnected storage: Stick, S1")
      try await wait(run, for: "connected phone: Phone, ")
      #expect(openLines(run) == 1 && !lines(run).contains("disconnected serial: Wire, A1"))
      try await bed.type("two", at: "/dev/ttyUSB0")
      try await wait(run, for: #"session reads ["two"]"#)
      // Another device at the same path, of the same number.
      try await suspend(run)
      try await bed.replug(Self.line, serialNumber: "B2")
      try await resume(run, bed)
      try await wait(run, for: "session failed: another accessory stands in its place")
      try await wait(run, for: "disconnected serial: Wire, A1")
      try await wait(run, for: "connected serial: Wire, B2")
      #expect(openLines(run) == 0)
      // A new one, and its device goes for good; while the program runs, then while it is suspended.
      try await run.perform("session serial")
      #expect(openLines(run) == 1)
      try await bed.remove(Self.line)
      try await wait(run, for: "session failed: the accessory is not connected")
      #expect(openLines(run) == 0)
      try await bed.add(Self.serial("C3", 1))
      try await wait(run, for: "connected serial: Wire, C3")
      try await run.perform("session serial")
      try await suspend(run)
      try await bed.remove(Self.line.replacing("ttyUSB0", with: "ttyUSB1"))
      try await resume(run, bed)
      try await wait(run, for: "session failed: the accessory is not connected", 2)
      try await wait(run, for: "disconnected serial: Wire, C3")
      // Each of them once.
      let gone = lines(run).filter { $0.hasPrefix("disconnected") }
      #expect(
        gone.sorted() == [
          "disconnected serial: Wire, A1", "disconnected serial: Wire, B2", "disconnected serial: Wire, C3",
          "disconnected storage: Stick, S1",
        ])
      #expect(try await bed.end(run.program), "\(run.program.evidence)")
      #expect(try run.program.trace.lines().violations == [])
    }

    /// How many descriptors of the program are open on the line, which umockdev plays by a terminal.
    private func openLines(_ run: DeskScenario) -> Int {
      let folder = "/proc/\(run.program.pid)/fd"
      return KernelFile.names(in: folder).count { name in
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("\(folder)/\(name)", &buffer, buffer.count)
        return length > 0
          && String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix("/dev/pts/")
      }
    }

    private func suspend(_ run: DeskScenario) async throws {
      try await run.perform("grace 0")
      for window in try run.program.windows() { run.desktop.desk.iconify(window) }
      try await waitUntil("the suspension", evidence: { run.program.evidence }) { try isSuspended(run) }
    }

    /// Shows the program again, which may be focused, suspended once more, and then shown.
    private func resume(_ run: DeskScenario, _ bed: DeviceBed) async throws {
      // What it has heard while it was suspended counts as that, whenever it is read.
      try await waitUntil("everything to be heard") { bed.isHeard }
      for window in try run.program.windows() { run.desktop.desk.restore(window) }
      try await waitUntil("an active scene", evidence: { run.program.evidence }) {
        try run.program.trace.lines().last { $0.kind == "edge" }?.name == "sceneDidBecomeActive"
      }
      // It is not suspended again before the test wants it.
      try await run.perform("grace 600000")
    }

    private func isSuspended(_ run: DeskScenario) throws -> Bool {
      try run.program.trace.lines().last { $0.kind == "system" && ["suspended", "resumed"].contains($0.name) }?.name
        == "suspended"
    }
  }
}
