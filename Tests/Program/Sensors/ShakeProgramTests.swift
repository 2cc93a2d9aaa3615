import DeskSupport
import SuiteSupport
import Testing

extension ThirdDesk {
  /// The kernel's accelerometer under a real program, by umockdev.
  @Suite("Shakes of a program's machine", .enabled(if: mustNotSkip || DeviceBed.isInstalled))
  struct ShakeProgramTests {
    private static let sensor = "/devices/pci0000:00/i2c-1/iio:device0"
    private static let file = "in_accel_x_raw"

    private static let accelerometer = """
      P: \(sensor)
      E: SUBSYSTEM=iio
      E: DEVTYPE=iio_device
      A: in_accel_x_raw=0\\n
      A: in_accel_y_raw=0\\n
      A: in_accel_z_raw=981\\n
      A: in_accel_scale=0.01\\n

      """

    @Test("A shake begins and ends at the first responder of the active scene, and the sensor is read for it alone")
    func shakes() async throws {
      let bed = try await DeviceBed()
      try await bed.add(Self.accelerometer)
      let openings = try bed.openings(of: Self.sensor)
      let run = try await DeskScenario(.openbox, arguments: ["--stay"], environment: bed.environment)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      let window = try #require(try run.program.windows().first)
      #expect(openings.take() == [])
      try await run.perform("shakes")
      try await shake(bed, run, 1)
      // Nobody looks: nothing is read.
      try await run.perform("user focus none")
      try await run.program.wait(for: "an inactive scene") { lines in
        lines.last { $0.kind == "edge" }?.name == "sceneWillResignActive" ? true : nil
      }
      try await waitUntil("the last reading", evidence: { run.program.evidence }) {
        _ = openings.take()
        try await Task.sleep(for: .milliseconds(500))
        return openings.take() == []
      }
      let told = phases(run)
      try await bed.shake(Self.sensor)
      #expect(!openings.take().contains(Self.file) && phases(run) == told)
      run.desktop.desk.focus(window)
      try await run.program.wait(for: "an active scene") { lines in
        lines.last { $0.kind == "edge" }?.name == "sceneDidBecomeActive" ? true : nil
      }
      try await shake(bed, run, 2)
      // A sensor that goes within a shake ends it, too.
      var number = 0
      try await waitUntil("a third beginning", evidence: { run.program.evidence }) {
        number += 1
        try await bed.set(Self.file, number.isMultiple(of: 2) ? "2500" : "-2500", of: Self.sensor)
        try await Task.sleep(for: .milliseconds(100))
        return phases(run).last == "1 shake began"
      }
      try await bed.remove(Self.sensor)
      try await waitUntil("its end", evidence: { run.program.evidence }) { phases(run).last != "1 shake began" }
      #expect(try await bed.end(run.program), "\(run.program.evidence)")
      for (number, phase) in phases(run).enumerated() {
        #expect((phase == "1 shake began") == number.isMultiple(of: 2), "\(run.program.evidence)")
      }
      #expect(try run.program.trace.lines().violations == [])
    }

    /// Each step of a shake that the first responder was told.
    private func phases(_ run: DeskScenario) -> [Substring] {
      run.program.output.split(separator: "\n").filter { $0.hasPrefix("1 shake ") }
    }

    /// Shakes the machine until one more shake has begun and ended: one that is very busy may look away meanwhile.
    private func shake(_ bed: DeviceBed, _ run: DeskScenario, _ count: Int) async throws {
      let isTold = { phases(run).count { $0 == "1 shake ended" } >= count }
      for _ in 0..<20 where !isTold() {
        try await bed.shake(Self.sensor)
        for _ in 0..<20 where !isTold() { try await Task.sleep(for: .milliseconds(50)) }
      }
      try await waitUntil("shake \(count)", evidence: { run.program.evidence }) { isTold() }
    }
  }
}
