import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The kernel's thermal zones, in folders of the form that it gives them.
@MainActor @Suite("The temperature", .serialized) struct ThermalTests {
  private let host = TestHost()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Other things are there, too.
    try write("cooling_device0/cur_state", "1\n")
  }

  private func write(_ path: String, _ text: String) throws {
    var parent = folder.path
    for name in path.split(separator: "/").dropLast() {
      parent += "/\(name)"
      mkdir(parent, 0o700)
    }
    try folder.write(path, text)
  }

  /// Writes a zone with trip points of these kinds and temperatures.
  private func zone(_ number: Int, _ temperature: String, _ trips: (String, String)...) throws {
    try write("thermal_zone\(number)/temp", temperature + "\n")
    for (index, trip) in trips.enumerated() {
      try write("thermal_zone\(number)/trip_point_\(index)_type", trip.0 + "\n")
      try write("thermal_zone\(number)/trip_point_\(index)_temp", trip.1 + "\n")
    }
  }

  private func start() -> PowerSource {
    let source = PowerSource(thermalFolder: folder.path)
    source.start(host)
    return source
  }

  private func reading(_ state: ThermalState) -> SystemEvent {
    var reading = PowerReading()
    reading.thermalState = state
    return .power(reading)
  }

  /// Lets ten seconds pass, and waits for the temperature then.
  private func readAgain() {
    let before = host.wakeUps
    host.passTime()
    #expect(host.turn { host.wakeUps > before })
  }

  @Test("Each state begins where the kernel acts, and ends three degrees below; the hottest zone counts")
  func states() throws {
    try zone(0, "40000", ("critical", "105000"), ("passive", "90000"), ("active", "60000"))
    try zone(3, "20000", ("hot", "70000"))
    let source = start()
    // Nothing is read before it is asked for.
    host.passTime()
    #expect(host.watched.isEmpty && host.events.isEmpty)
    source.follow([.thermalState])
    host.passTime()
    #expect(host.watched.count == 1)
    #expect(host.turn { host.wakeUps == 1 })
    #expect(host.events.isEmpty)
    let steps: [(Int, ThermalState)] = [
      (60000, .fair), (57000, .fair), (56999, .nominal), (90000, .serious), (87001, .serious), (86999, .fair),
      (100_000, .critical), (99999, .critical), (96999, .serious), (200_001, .nominal), (90000, .serious),
    ]
    var expected: [SystemEvent] = []
    var before = ThermalState.nominal
    for (temperature, state) in steps {
      try zone(0, "\(temperature)")
      readAgain()
      if state != before { expected.append(reading(state)) }
      before = state
      #expect(host.events == expected, "\(temperature)")
    }
    try zone(3, "70000")
    readAgain()
    #expect(host.events == expected + [reading(.critical)])
    // Not followed any more it is not read, and counts as unknown.
    source.follow([])
    host.passTime()
    host.passTime()
    #expect(host.watched.isEmpty && host.events.last == reading(.nominal))
    source.stop()
  }

  @Test("A sensor that fails, wild values and broken trip points say nothing, and harm no other zone")
  func rubbish() throws {
    try zone(0, "nonsense", ("passive", "50000"))
    try zone(1, "99999999999999999999999", ("passive", "50000"))
    try zone(2, "-5", ("critical", "0"), ("passive", "-274000"), ("hot", "x"), ("strange", "1"))
    try write("thermal_zone4/temp", "100000")
    try write("thermal_zone5/trip_point_0_type", "passive")
    mkdir(folder.file("thermal_zone6"), 0)
    try zone(7, "66000", ("passive", "70000"))
    let source = start()
    source.follow([.thermalState])
    host.passTime()
    #expect(host.turn { host.wakeUps == 1 })
    #expect(host.events == [reading(.fair)])
    // Gone while it is watched.
    unlink(folder.file("thermal_zone7/temp"))
    readAgain()
    #expect(host.events.last == reading(.nominal))
    source.stop()
  }

  @Test("A machine without zones is looked at once", arguments: ["", "/missing"])
  func none(_ name: String) {
    let source = PowerSource(thermalFolder: folder.path + name)
    source.start(host)
    source.follow([.thermalState])
    host.passTime()
    #expect(host.turn { host.wakeUps == 1 })
    host.passTime()
    #expect(host.watched.isEmpty && host.events.isEmpty && host.messages.isEmpty)
    source.stop()
  }
}
