import DeskSupport
import SuiteSupport
import Testing

extension ThirdDesk {
  /// The kernel's thermal zones under a real program, by umockdev.
  @Suite("The temperature of a program's machine", .enabled(if: mustNotSkip || DeviceBed.isInstalled))
  struct ThermalProgramTests {
    private static let package = "/devices/virtual/thermal/thermal_zone0"
    private static let skin = "/devices/virtual/thermal/thermal_zone1"

    private static let zones = """
      P: \(package)
      E: SUBSYSTEM=thermal
      A: type=x86_pkg_temp\\n
      A: temp=40000\\n
      A: trip_point_0_type=critical\\n
      A: trip_point_0_temp=105000\\n
      A: trip_point_1_type=passive\\n
      A: trip_point_1_temp=90000\\n

      P: \(skin)
      E: SUBSYSTEM=thermal
      A: type=skin\\n
      A: temp=30000\\n
      A: trip_point_0_type=hot\\n
      A: trip_point_0_temp=60000\\n

      """

    @Test("It is read once the program asks and not while it is suspended; each new state is told, the hottest zone's")
    func states() async throws {
      let bed = try await DeviceBed()
      try await bed.add(Self.zones)
      let openings = try bed.openings(of: Self.package)
      let run = try await DeskScenario(.openbox, arguments: ["--suspend"], environment: bed.environment)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      let wait = { (lines: String...) in
        try await waitUntil("\(lines)", evidence: { run.program.evidence }) {
          run.program.output.split(separator: "\n").filter { $0.hasPrefix("heat ") }.map(String.init) == lines
        }
      }
      #expect(openings.take() == [])
      try await run.perform("heat")
      try await wait("heat nominal")
      var opened: Set<String> = []
      try await waitUntil("the first reading", evidence: { run.program.evidence }) {
        opened.formUnion(openings.take())
        return opened.isSuperset(of: ["trip_point_0_temp", "trip_point_1_type", "temp"])
      }
      try await bed.set("temp", "90000", of: Self.package)
      try await wait("heat nominal", "heat serious")
      try await bed.set("temp", "61000", of: Self.skin)
      try await wait("heat nominal", "heat serious", "heat critical")
      // The limits do not change: they are read once.
      opened = openings.take()
      #expect(opened.contains("temp") && !opened.contains { $0.hasPrefix("trip_point") }, "\(opened)")
      // Suspended it does not look, and looks again as it goes on.
      try await run.perform("grace 0")
      for window in try run.program.windows() { run.desktop.desk.iconify(window) }
      try await run.program.wait(for: "the suspension") { lines in
        lines.contains { $0.kind == "system" && $0.name == "suspended" } ? true : nil
      }
      try await bed.set("temp", "40000", of: Self.package)
      try await bed.set("temp", "30000", of: Self.skin)
      _ = openings.take()
      // Longer than from one reading to the next one
      try await Task.sleep(for: .seconds(11))
      #expect(openings.take() == [])
      for window in try run.program.windows() { run.desktop.desk.restore(window) }
      try await wait("heat nominal", "heat serious", "heat critical", "heat nominal")
      #expect(try await bed.end(run.program), "\(run.program.evidence)")
      #expect(try run.program.trace.lines().violations == [])
    }
  }
}
