import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Orientation, proximity and light over a real bus, with python-dbusmock's iio-sensor-proxy.
@MainActor @Suite("Sensors over the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct SensorTests {
  private static let proxy = "net.hadess.SensorProxy"
  private static let path = "/net/hadess/SensorProxy"
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

  private func mock(has sensors: String...) async throws {
    try await daemon.mock("iio-sensors-proxy", name: Self.proxy)
    for sensor in sensors { try await set("Has" + sensor, "true") }
  }

  private func set(_ property: String, _ value: String) async throws {
    try await daemon.call(Self.proxy, Self.path, Self.mock + "SetInternalProperty", Self.proxy, property, "<\(value)>")
  }

  /// Who has claimed a sensor: `accelerometer`, `proximity` or `ambientLight`.
  private func owners(_ sensor: String) async throws -> Int {
    let answer = try await daemon.call(
      Self.proxy, Self.path, Self.mock + "GetInternalProperty", sensor + "Owners")
    return answer.count { $0 == ":" }
  }

  private func waits(owners count: Int, of sensor: String) async throws -> Bool {
    for _ in 0..<4000 {
      if try await owners(sensor) == count { return true }
      passTurns()
      host.turnOnce()
    }
    return false
  }

  private func reading(
    _ topics: Set<SensorTopic>, _ change: (inout SensorReading) -> Void = { _ in }
  ) -> SystemEvent {
    var reading = SensorReading(topics)
    change(&reading)
    return .sensors(reading)
  }

  private func waits(for event: SystemEvent) -> Bool { host.turn { host.events.last == event } }

  private func follow(_ source: BusSource, _ topics: SensorTopic...) {
    source.requested.sensors.follow(Set(topics))
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

  /// The match rules about the service.
  private func matched() async throws -> Int {
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules")
    return answer.split(separator: "'").count { $0.contains("hadess.SensorProxy") }
  }

  @Test("A sensor is claimed while it is followed, and not before or after; each change is told")
  func claims() async throws {
    try await mock(has: "Accelerometer", "Proximity", "AmbientLight")
    try await set("AccelerometerOrientation", "'left-up'")
    let source = start()
    #expect(host.settle())
    #expect(try await matched() == 0)
    #expect(host.events.isEmpty)
    let watched = host.watched.count
    follow(source, .orientation)
    #expect(waits(for: reading([.orientation]) { $0.turn = .right }))
    #expect(try await owners("accelerometer") == 1)
    #expect(try await owners("proximity") == 0)
    #expect(try await owners("ambientLight") == 0)
    #expect(host.watched.count == watched)
    let names: [(String, DeviceTurn?)] = [
      ("bottom-up", .half), ("right-up", .left), ("normal", .upright), ("undefined", nil),
    ]
    for (name, turn) in names {
      try await set("AccelerometerOrientation", "'\(name)'")
      #expect(waits(for: reading([.orientation]) { $0.turn = turn }), "\(name)")
    }
    // Another one is claimed beside it, and it stays claimed.
    try await set("LightLevel", "123.4")
    follow(source, .orientation, .light)
    #expect(waits(for: reading([.orientation, .light]) { $0.light = AmbientLight(level: 120, unit: .lux) }))
    try await set("LightLevelUnit", "'vendor'")
    try await set("LightLevel", "55.0")
    follow(source, .light, .proximity)
    #expect(try await waits(owners: 0, of: "accelerometer"))
    #expect(try await waits(owners: 1, of: "proximity"))
    #expect(try await owners("ambientLight") == 1)
    let vendor = AmbientLight(level: 55, unit: .vendor)
    #expect(waits(for: reading([.light, .proximity]) { $0.light = vendor }))
    try await set("ProximityNear", "true")
    #expect(waits(for: reading([.light, .proximity]) { ($0.light, $0.isNear) = (vendor, true) }))
    // Nobody looks any more.
    follow(source)
    for sensor in ["accelerometer", "proximity", "ambientLight"] {
      #expect(try await waits(owners: 0, of: sensor), "\(sensor)")
    }
    var rules = try await matched()
    for _ in 0..<4000 where rules > 0 {
      host.turnOnce()
      rules = try await matched()
    }
    #expect(rules == 0)
    let told = host.events.count
    try await set("ProximityNear", "false")
    #expect(host.settle() && host.events.count == told)
    // Somebody looks again: it is told anew, once everything is known.
    follow(source, .light, .proximity)
    #expect(waits(for: reading([.light, .proximity]) { $0.light = vendor }))
    #expect(host.events.count == told + 1)
    #expect(host.messages.isEmpty && host.reports.isEmpty)
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("A service that dies tells nothing; one that comes back, or with the bus, is claimed again")
  func dies() async throws {
    let source = start()
    // On a machine without the service there is nothing to tell.
    follow(source, .orientation, .proximity)
    #expect(waits(for: reading([.orientation, .proximity])))
    try await mock(has: "Accelerometer")
    try await set("AccelerometerOrientation", "'bottom-up'")
    #expect(try await waits(owners: 1, of: "accelerometer"))
    #expect(waits(for: reading([.orientation, .proximity]) { $0.turn = .half }))
    try await daemon.endServices()
    #expect(waits(for: reading([.orientation, .proximity])))
    try await mock(has: "Accelerometer", "Proximity")
    #expect(try await waits(owners: 1, of: "accelerometer"))
    #expect(try await waits(owners: 1, of: "proximity"))
    try await set("ProximityNear", "true")
    #expect(waits(for: reading([.orientation, .proximity]) { $0.isNear = true }))
    // The sensor itself goes.
    try await set("HasProximity", "false")
    #expect(waits(for: reading([.orientation, .proximity])))
    try await set("HasProximity", "true")
    #expect(waits(for: reading([.orientation, .proximity]) { $0.isNear = true }))
    try await daemon.kill()
    #expect(waits(for: reading([.orientation, .proximity])))
    try await daemon.restart()
    try await mock(has: "Accelerometer")
    #expect(try await waits(owners: 1, of: "accelerometer"))
    try await set("AccelerometerOrientation", "'normal'")
    #expect(waits(for: reading([.orientation, .proximity]) { $0.turn = .upright }))
    source.stop()
  }

  /// A service in Python that refuses, or does not answer, what it is told to.
  private func serve(
    _ claim: String, proximity: String = "done()", light: String = "done()", _ values: String
  ) async throws {
    try await daemon.serve(
      """
      import dbus, dbus.service, dbus.mainloop.glib
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.SystemBus()
      class Proxy(dbus.service.Object):
          @dbus.service.method('org.freedesktop.DBus.Properties', in_signature='s', out_signature='a{sv}')
          def GetAll(self, interface): return \(values)
          @dbus.service.method('\(Self.proxy)', async_callbacks=('done', 'failed'))
          def ClaimAccelerometer(self, done, failed): \(claim)
          @dbus.service.method('\(Self.proxy)', async_callbacks=('done', 'failed'))
          def ClaimProximity(self, done, failed): \(proximity)
          @dbus.service.method('\(Self.proxy)', async_callbacks=('done', 'failed'))
          def ClaimLight(self, done, failed): \(light)
          @dbus.service.signal('org.freedesktop.DBus.Properties', signature='sa{sv}as')
          def PropertiesChanged(self, interface, changed, invalidated): pass
          @dbus.service.method('\(Self.proxy)')
          def Flood(self):
              for number in range(2000):
                  turn = ['normal', 'left-up', 'bottom-up'][number % 3]
                  self.PropertiesChanged('\(Self.proxy)', {'AccelerometerOrientation': turn}, [])
              self.PropertiesChanged('\(Self.proxy)', {'AccelerometerOrientation': 'right-up'}, [])
      name = dbus.service.BusName('\(Self.proxy)', bus)
      proxy = Proxy(bus, '\(Self.path)')
      GLib.MainLoop().run()
      """, name: Self.proxy)
  }

  private static let values = """
    {'HasAccelerometer': True, 'AccelerometerOrientation': 'left-up', 'AccelerometerTilt': 'vertical', \
    'HasProximity': True, 'ProximityNear': True, 'HasAmbientLight': True, 'LightLevel': 5.0}
    """

  @Test("A sensor whose claim is refused tells nothing, whatever its value is; the other ones do")
  func refused() async throws {
    try await serve(
      "done()", proximity: "failed(dbus.DBusException('no', name='org.freedesktop.DBus.Error.AccessDenied'))",
      Self.values)
    let source = start()
    follow(source, .orientation, .proximity)
    #expect(waits(for: reading([.orientation, .proximity]) { $0.turn = .right }))
    #expect(host.events.count == 1 && host.messages.isEmpty && host.reports.isEmpty)
    source.stop()
  }

  @Test("A claim that is not answered keeps back no other sensor; once it has failed, that one is unknown")
  func unanswered() async throws {
    try await serve("done()", light: "None", Self.values)
    let source = start()
    // The claim does not fail before its time is passed below.
    host.isTimeStill = true
    follow(source, .orientation, .proximity, .light)
    let answered = reading([.orientation, .proximity]) { ($0.turn, $0.isNear) = (.right, true) }
    #expect(host.turn { host.events.last == answered })
    host.passTime()
    #expect(waits(for: reading([.orientation, .proximity, .light]) { ($0.turn, $0.isNear) = (.right, true) }))
    #expect(host.events.count == 2)
    source.stop()
  }

  @Test("What cannot be is not believed, nor what others than the service say")
  func lies() async throws {
    try await serve(
      "done()",
      """
      {'HasAccelerometer': True, 'AccelerometerOrientation': 'sideways', 'AccelerometerTilt': 'face-up', \
      'HasProximity': 'yes', 'ProximityNear': True, 'HasAmbientLight': True, 'LightLevel': float('nan'), \
      'LightLevelUnit': 'candles'}
      """)
    let source = start()
    follow(source, .orientation)
    let flat = reading([.orientation]) { $0.facesUp = true }
    #expect(waits(for: flat))
    // Another connection says it, to all and to this one alone.
    let names = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    let connections = names.split(separator: "'").map(String.init).filter { $0.hasPrefix(":") }
    for connection in [nil] + connections.map(Optional.some) {
      try await daemon.emit(
        Self.path, Self.properties + ".PropertiesChanged", "string:\(Self.proxy)",
        "dict:string:string:AccelerometerTilt,face-down", "array:string:", to: connection)
    }
    #expect(host.settle())
    #expect(host.events == [flat])
    follow(source, .orientation, .proximity, .light)
    #expect(waits(for: reading([.orientation, .proximity, .light]) { $0.facesUp = true }))
    #expect(host.messages.isEmpty && host.reports.isEmpty)
    source.stop()
  }

  @Test(
    "A flood of changes is at most four reports a second, with the last values; a service that hangs is not waited for")
  func flood() async throws {
    try await serve(
      "None", "{'HasAccelerometer': True, 'AccelerometerOrientation': 'normal'}")
    let source = start()
    follow(source, .orientation)
    // The claim is not answered; the source goes on, and nothing waits for it.
    #expect(host.settle())
    source.requested.sensors.follow([])
    try await daemon.endServices()
    try await serve("done()", "{'HasAccelerometer': True, 'AccelerometerOrientation': 'normal'}")
    follow(source, .orientation)
    #expect(waits(for: reading([.orientation]) { $0.turn = .upright }))
    let (start, told) = (ContinuousClock.now, host.events.count)
    try await daemon.call(Self.proxy, Self.path, Self.proxy + ".Flood")
    #expect(waits(for: reading([.orientation]) { $0.turn = .left }))
    #expect(host.events.count - told <= 3 + Int((ContinuousClock.now - start) / .milliseconds(250)))
    source.stop()
    #expect(host.watched.isEmpty)
  }
}
