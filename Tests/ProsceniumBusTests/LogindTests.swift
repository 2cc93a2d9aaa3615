import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumBus

/// What logind and the screen savers say, over a real bus, with python-dbusmock's templates.
@MainActor @Suite("logind and screen savers", .serialized, .enabled(if: BusRequirement.isMet)) struct LogindTests {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func start(session: String? = "c1") throws -> (source: BusSource, inhibitor: any SleepInhibitor) {
    var environment = daemon.environment
    environment["XDG_SESSION_ID"] = session
    var inhibitor: (any SleepInhibitor)?
    let source = BusSource(environment: environment) { inhibitor = $0 }
    source.start(host)
    host.passTime()
    return (source, try #require(inhibitor))
  }

  private func mockLogind() async throws {
    try await daemon.mock("logind", name: Self.name)
    try await daemon.call(
      Self.name, Self.path, "org.freedesktop.DBus.Mock.AddSession", "c1", "seat0", "uint32 \(getuid())", "me", "true")
  }

  private func emit(_ signal: String, _ begins: Bool) async throws {
    try await daemon.call(
      Self.name, Self.path, "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager", signal, "b",
      "[<\(begins)>]")
  }

  private func set(_ property: String, _ value: Bool) async throws {
    try await daemon.call(
      Self.name, Self.path + "/session/c1", "org.freedesktop.DBus.Mock.UpdateProperties",
      "org.freedesktop.login1.Session", "{'\(property)': <\(value)>}")
  }

  private func inhibitors() async throws -> String {
    try await daemon.call(Self.name, Self.path, "org.freedesktop.login1.Manager.ListInhibitors")
  }

  private func waitForInhibitors(_ condition: (String) -> Bool) async throws {
    for _ in 0..<200 {
      _ = host.turn(milliseconds: 10)
      if condition(try await inhibitors()) { return }
    }
    Issue.record("inhibitors: \(try await inhibitors())")
  }

  @Test("The machine waits from the beginning, and goes on once everything is saved and no task is open")
  func sleep() async throws {
    try await mockLogind()
    let (source, inhibitor) = try start()
    try await waitForInhibitors { $0.contains("'delay'") && $0.contains("sleep:shutdown") }
    for _ in 1...2 {
      // A task is open, and the machine is about to sleep
      inhibitor.inhibit(reason: "saving")
      try await emit("PrepareForSleep", true)
      #expect(host.turn { host.events.last == .absence(.sleeping, isOn: true, source: Self.name) })
      inhibitor.saved()
      #expect(try await inhibitors().contains("delay"))
      inhibitor.release()
      try await waitForInhibitors { !$0.contains("delay") }
      // It has slept, and will again
      try await emit("PrepareForSleep", false)
      #expect(host.turn { host.events.last == .absence(.sleeping, isOn: false, source: Self.name) })
      try await waitForInhibitors { $0.contains("'delay'") }
    }
    try await emit("PrepareForShutdown", true)
    #expect(host.turn { host.events.last == .absence(.shuttingDown, isOn: true, source: Self.name) })
    inhibitor.saved()
    try await waitForInhibitors { !$0.contains("delay") }
    source.stop()
  }

  @Test("The session's lock and its place in front are told once each")
  func lock() async throws {
    try await mockLogind()
    let (source, _) = try start()
    try await waitForInhibitors { $0.contains("delay") }
    #expect(host.events.isEmpty)
    try await set("LockedHint", true)
    #expect(host.turn { host.events.count == 1 })
    try await set("LockedHint", true)
    try await set("Active", false)
    #expect(host.turn { host.events.count == 2 })
    try await set("LockedHint", false)
    try await set("Active", true)
    #expect(host.turn { host.events.count == 4 })
    #expect(
      host.events == [
        .absence(.locked, isOn: true, source: Self.name), .absence(.switchedAway, isOn: true, source: Self.name),
        .absence(.locked, isOn: false, source: Self.name), .absence(.switchedAway, isOn: false, source: Self.name),
      ])
    source.stop()
  }

  @Test("That a text console is not in front says nothing; that it is locked does")
  func console() async throws {
    try await mockLogind()
    try await daemon.call(
      Self.name, Self.path + "/session/c1", "org.freedesktop.DBus.Mock.UpdateProperties",
      "org.freedesktop.login1.Session", "{'Type': <'tty'>, 'Active': <false>}")
    let (source, _) = try start()
    try await waitForInhibitors { $0.contains("delay") }
    try await set("Active", true)
    try await set("Active", false)
    try await set("LockedHint", true)
    #expect(host.turn { !host.events.isEmpty })
    #expect(host.events == [.absence(.locked, isOn: true, source: Self.name)])
    source.stop()
  }

  @Test("logind that goes while the screen is locked says nothing any more; back again, it is believed")
  func restart() async throws {
    try await mockLogind()
    let (source, _) = try start()
    try await waitForInhibitors { $0.contains("delay") }
    try await set("LockedHint", true)
    #expect(host.turn { host.events.count == 1 })
    try await daemon.endServices()
    #expect(host.turn { host.events.last == .absence(.locked, isOn: false, source: Self.name) })
    try await mockLogind()
    try await waitForInhibitors { $0.contains("delay") }
    try await set("LockedHint", true)
    #expect(host.turn { host.events.last == .absence(.locked, isOn: true, source: Self.name) })
    source.stop()
  }

  @Test("A screen saver is believed once it says something, at whatever path, until it goes")
  func screenSaver() async throws {
    let gnome = "org.gnome.ScreenSaver"
    let kde = "org.freedesktop.ScreenSaver"
    let (source, _) = try start()
    try await daemon.mock(name: gnome, path: "/org/gnome/ScreenSaver", interface: gnome)
    try await daemon.mock(name: kde, path: "/ScreenSaver", interface: kde)
    func say(_ name: String, _ path: String, _ isActive: String) async throws {
      try await daemon.call(
        name, path, "org.freedesktop.DBus.Mock.EmitSignal", name, "ActiveChanged", "b", "[<\(isActive)>]")
    }
    // Those that own a name and say nothing lock nothing
    // Said again until it is heard: when the connection is made nothing tells
    for _ in 0..<100 where host.events.isEmpty {
      try await say(kde, "/ScreenSaver", "true")
      for _ in 0..<5 { host.turn(milliseconds: 5) }
    }
    #expect(host.turn { host.events == [.absence(.locked, isOn: true, source: kde)] })
    try await say(kde, "/ScreenSaver", "true")
    try await say(kde, "/ScreenSaver", "false")
    #expect(host.turn { host.events.count == 2 })
    // Twice the same, as Cinnamon says it
    try await say(kde, "/ScreenSaver", "false")
    try await say(gnome, "/org/gnome/ScreenSaver", "true")
    #expect(host.turn { host.events.count == 3 })
    try await daemon.endServices()
    #expect(host.turn { host.events.count == 4 })
    #expect(
      host.events == [
        .absence(.locked, isOn: true, source: kde), .absence(.locked, isOn: false, source: kde),
        .absence(.locked, isOn: true, source: gnome), .absence(.locked, isOn: false, source: gnome),
      ])
    source.stop()
  }

  @Test("Wrong types, and signals of others, say nothing")
  func rubbish() async throws {
    try await mockLogind()
    let (source, _) = try start()
    try await waitForInhibitors { $0.contains("delay") }
    for (type, value) in [("s", "<'true'>"), ("i", "<1>"), ("as", "<['true']>")] {
      try await daemon.call(
        Self.name, Self.path, "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager",
        "PrepareForSleep", type, "[\(value)]")
    }
    try await daemon.emit(Self.path, "org.freedesktop.login1.Manager.PrepareForSleep", "boolean:true")
    try await set("LockedHint", true)
    #expect(host.turn { !host.events.isEmpty })
    #expect(host.events == [.absence(.locked, isOn: true, source: Self.name)])
    source.stop()
  }
}
