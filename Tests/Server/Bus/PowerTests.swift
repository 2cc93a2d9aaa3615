import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The battery, the lid and the power profiles over a real bus, with python-dbusmock's services.
@MainActor @Suite("Power over the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct PowerTests {
  private static let upower = "org.freedesktop.UPower"
  private static let path = "/org/freedesktop/UPower"
  private static let device = path + "/devices/DisplayDevice"
  private static let (older, newer) = ("net.hadess.PowerProfiles", "org.freedesktop.UPower.PowerProfiles")
  private static let mock = "org.freedesktop.DBus.Mock."
  private static let properties = "org.freedesktop.DBus.Properties"
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func start() -> BusSource {
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  private func reading(_ change: (inout PowerReading) -> Void) -> SystemEvent {
    var reading = PowerReading()
    change(&reading)
    return .power(reading)
  }

  /// Waits for an event, which comes a second after the last one where there were many.
  private func waits(for event: SystemEvent) -> Bool { host.turn { host.events.last == event } }

  /// Lets the program follow these topics.
  private func follow(_ source: BusSource, _ topics: PowerTopic...) {
    source.requested.power.follow(Set(topics))
    passTurns()
  }

  /// Lets happen what was put off until the next turn, and what is put off there.
  private func passTurns() {
    var turns = 0
    _ = host.turn {
      turns += 1
      return turns > 3
    }
  }

  private func setBattery(_ percent: Double, state: Int, isPresent: Bool = true) async throws {
    try await daemon.call(
      Self.upower, Self.path, Self.mock + "SetupDisplayDevice", "2", "\(state)", "\(percent)", "50.0", "100.0", "5.0",
      "3600", "0", "\(isPresent)", "battery", "1")
  }

  private func set(_ name: String, _ path: String, _ interface: String, _ property: String, _ value: String)
    async throws
  {
    try await daemon.call(name, path, Self.properties + ".Set", interface, property, "<\(value)>")
  }

  /// The names and interfaces in match rules.
  private func matched() async throws -> [String] {
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules")
    return answer.split(separator: "'").map(String.init).filter { $0.contains("UPower") || $0.contains("hadess") }
  }

  @Test("The battery is heard of once it is asked for, with each change, until it is not asked for any more")
  func battery() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await setBattery(42.4, state: 2)
    try await set(Self.upower, Self.path, Self.upower, "OnBattery", "true")
    let source = start()
    passTurns()
    #expect(host.settle())
    // Nothing is matched or heard without need.
    #expect(host.events.isEmpty)
    #expect(try await matched() == [])
    let watched = host.watched.count
    follow(source, .battery)
    let first = reading { ($0.batteryPercent, $0.batteryState, $0.isOnBattery) = (42, .unplugged, true) }
    #expect(waits(for: first))
    // All of it at once.
    #expect(host.events == [first])
    #expect(host.watched.count == watched)
    // Less than a percent is no news.
    try await setBattery(41.6, state: 2)
    try await setBattery(43, state: 1)
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState, $0.isOnBattery) = (43, .charging, true) }))
    try await set(Self.upower, Self.path, Self.upower, "OnBattery", "false")
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState) = (43, .charging) }))
    try await set(Self.upower, Self.path, Self.upower, "LidIsClosed", "true")
    let last = reading { ($0.batteryPercent, $0.batteryState, $0.isLidClosed) = (43, .charging, true) }
    #expect(waits(for: last))
    // It dies, and comes back with another one.
    try await daemon.endServices()
    #expect(waits(for: reading { _ in }))
    try await daemon.mock("upower", name: Self.upower)
    try await setBattery(100, state: 4)
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState) = (100, .full) }))
    // So does the bus.
    try await daemon.kill()
    #expect(waits(for: reading { _ in }))
    try await daemon.restart()
    try await daemon.mock("upower", name: Self.upower)
    try await setBattery(7, state: 3)
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState) = (7, .unplugged) }))
    // The battery is taken out.
    try await setBattery(7, state: 3, isPresent: false)
    #expect(waits(for: reading { _ in }))
    try await setBattery(8, state: 6)
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState) = (8, .unplugged) }))
    follow(source)
    #expect(waits(for: reading { _ in }))
    var rules = try await matched()
    for _ in 0..<4000 where !rules.isEmpty {
      host.turnOnce()
      rules = try await matched()
    }
    #expect(rules == [])
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("Low power by either name; the newer one counts where both are there")
  func profiles() async throws {
    try await daemon.mock("power_profiles_daemon", name: Self.older)
    let source = start()
    follow(source, .lowPowerMode)
    let old = "/net/hadess/PowerProfiles"
    try await set(Self.older, old, Self.older, "ActiveProfile", "'power-saver'")
    let (low, usual) = (reading { $0.isLowPowerMode = true }, reading { _ in })
    #expect(waits(for: low))
    try await set(Self.older, old, Self.older, "ActiveProfile", "'performance'")
    #expect(waits(for: usual))
    let new = "/org/freedesktop/UPower/PowerProfiles"
    try await daemon.mock(name: Self.newer, path: new, interface: Self.newer)
    try await daemon.call(
      Self.newer, new, Self.mock + "AddProperties", Self.newer, "{'ActiveProfile': <'power-saver'>}")
    try await set(Self.newer, new, Self.newer, "ActiveProfile", "'power-saver'")
    #expect(waits(for: low))
    try await daemon.endServices()
    #expect(waits(for: usual))
    #expect(host.events.count == 4)
    source.stop()
  }

  @Test("What a service says soon after another one, and again, is told without a wait")
  func atOnce() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await setBattery(50, state: 2)
    try await daemon.mock("power_profiles_daemon", name: Self.older)
    let source = start()
    follow(source, .battery)
    let known = reading { ($0.batteryPercent, $0.batteryState) = (50, .unplugged) }
    #expect(waits(for: known))
    // From here on no time passes but that of the present moment.
    host.isTimeStill = true
    follow(source, .battery, .lowPowerMode)
    for isLow in [true, false, true] {
      let profile = isLow ? "'power-saver'" : "'balanced'"
      try await set(Self.older, "/net/hadess/PowerProfiles", Self.older, "ActiveProfile", profile)
      let next = reading {
        ($0.batteryPercent, $0.batteryState, $0.isLowPowerMode) = (50, .unplugged, isLow)
      }
      #expect(waits(for: next))
    }
    source.stop()
  }

  @Test("Both at once, and a machine with neither: nothing is reported, nothing fails")
  func absent() async throws {
    let source = start()
    follow(source, .battery, .lowPowerMode)
    var rules: [String] = []
    for _ in 0..<4000 where rules.count < 12 {
      host.turnOnce()
      rules = try await matched()
    }
    #expect(rules.count >= 12 && host.settle())
    #expect(host.events.isEmpty && host.reports.isEmpty && host.messages.isEmpty)
    source.stop()
  }

  @Test("A service that does not answer keeps nothing else back")
  func hangs() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await daemon.mock("power_profiles_daemon", name: Self.older)
    try await set(Self.older, "/net/hadess/PowerProfiles", Self.older, "ActiveProfile", "'power-saver'")
    try await daemon.killOwner(of: Self.upower, with: SIGSTOP)
    let source = start()
    // The call that hangs does not fail meanwhile.
    host.isTimeStill = true
    follow(source, .battery, .lowPowerMode)
    #expect(host.turn { host.events == [reading { $0.isLowPowerMode = true }] })
    source.stop()
  }

  @Test("A service that the bus can start is started once it is asked for, once")
  func started() async throws {
    let data = try TemporaryFolder()
    let starts = data.file("starts")
    let daemon = try await PrivateBus(
      starting: Self.upower, by: "exec /usr/bin/python3 -m dbusmock --session -t upower", data: data)
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    #expect(host.settle() && text(of: starts).isEmpty)
    follow(source, .battery)
    #expect(host.turn { !text(of: starts).isEmpty })
    // It has come when it can be talked to; the call would start it too.
    try await daemon.call(
      Self.upower, Self.path, Self.mock + "SetupDisplayDevice", "2", "2", "50.0", "50.0", "100.0", "5.0", "3600", "0",
      "true", "battery", "1")
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState) = (50, .unplugged) }))
    // It dies: it is not started again.
    try await daemon.killOwner(of: Self.upower)
    #expect(waits(for: reading { _ in }))
    #expect(!host.turn(seconds: 1) { text(of: starts) != "start\n" })
    source.stop()
  }

  // MARK: Lies

  /// Sends a change of the display device, as the owner of the name.
  private func change(_ properties: String, invalidated: String = "[]") async throws {
    try await daemon.call(
      Self.upower, Self.device, Self.mock + "EmitSignal", Self.properties, "PropertiesChanged", "sa{sv}as",
      "[<'\(Self.upower).Device'>, <\(properties)>, <@as \(invalidated)>]")
  }

  @Test("Levels out of range, NaN, wrong types and the words of others change nothing")
  func rubbish() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await setBattery(50, state: 2)
    let source = start()
    follow(source, .battery)
    let known = reading { ($0.batteryPercent, $0.batteryState) = (50, .unplugged) }
    #expect(waits(for: known))
    for value in [
      "150.0", "-0.5", "1e300", "'50'", "uint32 60", "int64 60", "[60.0]", "(60.0,)", "true", "{'a': 60.0}",
    ] {
      try await change("{'Percentage': <\(value)>}")
    }
    for value in ["uint32 7", "uint32 4294967295", "int32 1", "1.0", "'charging'", "true"] {
      try await change("{'State': <\(value)>}")
    }
    for value in ["uint32 0", "0.0", "'no'"] { try await change("{'IsPresent': <\(value)>}") }
    for value in ["inf", "-inf", "nan"] {
      let code =
        "self.EmitSignal('\(Self.properties)', 'PropertiesChanged', 'sa{sv}as', ['\(Self.upower).Device', "
        + "dbus.Dictionary({'Percentage': dbus.Double(float('\(value)'))}, signature='sv'), "
        + "dbus.Array([], signature='s')])"
      try await daemon.call(
        Self.upower, Self.device, Self.mock + "AddMethod", "a.b", "Lie", "", "", code)
      try await daemon.call(Self.upower, Self.device, "a.b.Lie")
    }
    // Another object of the same service, and another interface.
    try await daemon.call(
      Self.upower, Self.path, Self.mock + "EmitSignal", Self.properties, "PropertiesChanged", "sa{sv}as",
      "[<'\(Self.upower).Device'>, <{'Percentage': <9.0>}>, <@as []>]")
    try await daemon.call(
      Self.upower, Self.device, Self.mock + "EmitSignal", Self.properties, "PropertiesChanged", "sa{sv}as",
      "[<'\(Self.upower)'>, <{'Percentage': <9.0>, 'OnBattery': <true>}>, <@as []>]")
    // The same signal of another connection, to all and to this one alone.
    let names = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    let connections = names.split(separator: "'").map(String.init).filter { $0.hasPrefix(":") }
    for connection in [nil] + connections.map(Optional.some) {
      try await daemon.emit(
        Self.device, Self.properties + ".PropertiesChanged", "string:\(Self.upower).Device",
        "dict:string:double:Percentage,9", "array:string:", to: connection)
    }
    // Whatever was believed would be in the next report.
    try await set(Self.upower, Self.path, Self.upower, "OnBattery", "true")
    #expect(host.turn { host.events.count > 1 })
    let next = reading { ($0.batteryPercent, $0.batteryState, $0.isOnBattery) = (50, .unplugged, true) }
    #expect(host.events == [known, next])
    try await setBattery(51, state: 2)
    #expect(waits(for: reading { ($0.batteryPercent, $0.batteryState, $0.isOnBattery) = (51, .unplugged, true) }))
    #expect(host.messages.isEmpty && host.reports.isEmpty)
    source.stop()
  }

  @Test("A flood of changes is a few reports and then one a second, with the last values")
  func flood() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await setBattery(50, state: 2)
    let source = start()
    follow(source, .battery)
    let known = reading { ($0.batteryPercent, $0.batteryState) = (50, .unplugged) }
    #expect(waits(for: known))
    let start = ContinuousClock.now
    let code = """
      for number in range(2000):
          self.EmitSignal('\(Self.properties)', 'PropertiesChanged', 'sa{sv}as', ['\(Self.upower).Device', \
      dbus.Dictionary({'Percentage': dbus.Double(number % 90)}, signature='sv'), \
      dbus.Array(['State'], signature='s')])
      """
    try await daemon.call(Self.upower, Self.device, Self.mock + "AddMethod", "a.b", "Flood", "", "", code)
    try await daemon.call(Self.upower, Self.device, "a.b.Flood")
    try await setBattery(99, state: 1)
    let last = reading { ($0.batteryPercent, $0.batteryState) = (99, .charging) }
    #expect(waits(for: last))
    let most = 3 + ReportBudget.burst + Int((ContinuousClock.now - start) / .seconds(1))
    #expect(host.events.count <= most)
    // While the program is suspended no deadline passes, and each report replaces the last one: nothing waits.
    host.isSuspended = true
    try await setBattery(98, state: 1)
    #expect(host.turn { host.events.last == reading { ($0.batteryPercent, $0.batteryState) = (98, .charging) } })
    source.stop()
  }

  @Test("A budget of reports has a burst, then one in each period, and the burst again after a quiet one")
  func budget() {
    var budget = ReportBudget()
    func take(_ count: Int) -> [Bool] { (0..<count).map { _ in budget.take() } }
    func nextPeriod() {
      budget.endPeriod()
      // A report begins one.
      #expect(take(1) == [true])
      _ = budget.beginPeriod()
    }
    for _ in 0..<2 {
      #expect(take(ReportBudget.burst + 1) == Array(repeating: true, count: ReportBudget.burst) + [false])
      let begins = [budget.beginPeriod(), budget.beginPeriod()]
      #expect(begins == [true, false])
      nextPeriod()
      #expect(take(2) == [false, false])
      nextPeriod()
      // Nothing more is wanted in this one.
      budget.endPeriod()
    }
  }
}
