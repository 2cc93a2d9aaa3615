import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What logind and the screen savers say, over a real bus, with python-dbusmock's templates.
@MainActor @Suite("logind and screen savers", .serialized, .enabled(if: BusRequirement.isMet)) struct LogindTests {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func start(session: String? = "c1", passesTime: Bool = true) throws -> (
    source: BusSource, inhibitor: any SleepInhibitor
  ) {
    var environment = daemon.environment
    environment["XDG_SESSION_ID"] = session
    var inhibitor: (any SleepInhibitor)?
    let source = BusSource(environment: environment) { inhibitor = $0 }
    source.start(host)
    if passesTime { host.passTime() } else { _ = host.turn { inhibitor != nil } }
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
    for _ in 0..<4000 {
      host.turnOnce()
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
      #expect(host.turn { host.events.last == .concealment(.sleeping, isOn: true, source: Self.name) })
      inhibitor.saved()
      #expect(try await inhibitors().contains("delay"))
      inhibitor.release()
      try await waitForInhibitors { !$0.contains("delay") }
      // It has slept, and will again
      try await emit("PrepareForSleep", false)
      #expect(host.turn { host.events.last == .concealment(.sleeping, isOn: false, source: Self.name) })
      try await waitForInhibitors { $0.contains("'delay'") }
    }
    try await emit("PrepareForShutdown", true)
    #expect(host.turn { host.events.last == .concealment(.shuttingDown, isOn: true, source: Self.name) })
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
        .concealment(.locked, isOn: true, source: Self.name),
        .concealment(.switchedAway, isOn: true, source: Self.name),
        .concealment(.locked, isOn: false, source: Self.name),
        .concealment(.switchedAway, isOn: false, source: Self.name),
      ])
    source.stop()
  }

  @Test("logind that answers after a minute is believed from then on, and does not count as one that refuses")
  func lateAnswers() throws {
    let session = Self.path + "/session/c1"
    var unanswered: [String: BusReply] = [:]
    let logind = try daemon.peer(named: Self.name, host) { _, call in
      let method = call.member.name
      guard ["GetSession", "Inhibit"].contains(method) else { return nil }
      return { unanswered[method] = $0 }
    }
    let (source, _) = try start()
    defer {
      source.stop()
      logind.disconnect()
    }
    #expect(host.turn { unanswered.count == 2 } && host.settle())
    host.passTime(within: .seconds(60))
    #expect(host.reports.isEmpty)
    unanswered["GetSession"]?.give(.success([.objectPath(session)]))
    logind.emit(
      BusMember(path: session, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged"),
      [.string("org.freedesktop.login1.Session"), .options(["LockedHint": .bool(true)]), .array(of: "s", [])])
    #expect(host.turn { host.events == [.concealment(.locked, isOn: true, source: Self.name)] }, "\(host.events)")
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
    #expect(host.events == [.concealment(.locked, isOn: true, source: Self.name)])
    source.stop()
  }

  /// A logind that refuses what it is asked for by these methods, by their arguments' types.
  private func mockBusyLogind(_ methods: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let code = "raise dbus.exceptions.DBusException('busy', name='org.freedesktop.DBus.Error.LimitsExceeded')"
    let template = try folder.write(
      "busy.py",
      """
      BUS_NAME = "\(Self.name)"
      MAIN_OBJ = "\(Self.path)"
      MAIN_IFACE = "org.freedesktop.login1.Manager"
      SYSTEM_BUS = True

      def load(mock, parameters):
          mock.AddMethods(MAIN_IFACE, [\(methods.map { "('\($0)', '\($1)', 'o', \"\(code)\")" }.joined(separator: ", "))])

      """)
    try await daemon.mock(template, name: Self.name)
  }

  private func waitForCalls(_ method: String, _ count: Int) async throws {
    var calls = ""
    for _ in 0..<4000 {
      host.turnOnce()
      calls = try await daemon.call(Self.name, Self.path, "org.freedesktop.DBus.Mock.GetCalls")
      if calls.split(separator: "'\(method)'").count > count { return }
    }
    Issue.record("calls: \(calls)")
  }

  @Test("That logind does not let the program delay a sleep is said once, however often it is asked")
  func refusal() async throws {
    try await mockBusyLogind(["Inhibit": "ssss"])
    let (source, _) = try start()
    try await waitForCalls("Inhibit", 1)
    // It is asked again after each sleep that came to nothing
    for count in 2...3 {
      try await emit("PrepareForSleep", false)
      try await waitForCalls("Inhibit", count)
    }
    #expect(host.settle())
    #expect(host.reports.count { $0.contains("does not wait") } == 1, "\(host.reports)")
    source.stop()
  }

  /// The screen has been locked, and then logind has gone.
  private func lockedAndGone() async throws -> BusSource {
    try await mockLogind()
    let (source, _) = try start()
    try await waitForInhibitors { $0.contains("delay") }
    try await set("LockedHint", true)
    #expect(host.turn { host.events.count == 1 })
    try await daemon.endServices()
    #expect(host.turn { host.events.count == 2 })
    return source
  }

  @Test("logind that goes while the screen is locked unlocks nothing; back again, it is asked, and believed")
  func restart() async throws {
    let source = try await lockedAndGone()
    #expect(host.settle())
    #expect(host.events.last == .silence(isOn: true, source: Self.name))
    // Back again, and locked as before
    try await mockLogind()
    try await waitForInhibitors { $0.contains("delay") }
    // The mock begins unlocked, and says so when it is asked
    #expect(host.turn { host.events.count == 4 })
    #expect(
      host.events[2...] == [
        .silence(isOn: false, source: Self.name), .concealment(.locked, isOn: false, source: Self.name),
      ])
    try await set("LockedHint", true)
    #expect(host.turn { host.events.last == .concealment(.locked, isOn: true, source: Self.name) })
    source.stop()
  }

  @Test("logind that is back and cannot say whether the screen is locked unlocks nothing, and is silent on it still")
  func restartWithoutAnswers() async throws {
    let source = try await lockedAndGone()
    // One that is too busy for every question
    try await mockBusyLogind(["GetSession": "s", "GetUser": "u"])
    try await waitForCalls("GetUser", 1)
    // What it says after its last refusal comes after that
    try await emit("PrepareForSleep", true)
    #expect(host.turn { host.events.last == .concealment(.sleeping, isOn: true, source: Self.name) })
    #expect(
      host.events == [
        .concealment(.locked, isOn: true, source: Self.name), .silence(isOn: true, source: Self.name),
        .concealment(.sleeping, isOn: true, source: Self.name),
      ])
    source.stop()
  }

  @Test(
    "A bus that goes while the machine is about to sleep takes nothing back; logind is asked when it is there again")
  func restartWhileSleeping() async throws {
    try await mockLogind()
    let (source, inhibitor) = try start()
    try await waitForInhibitors { $0.contains("delay") }
    try await emit("PrepareForSleep", true)
    #expect(host.turn { host.events.count == 1 })
    inhibitor.saved()
    try await daemon.kill()
    #expect(host.turn { host.events.last == .silence(isOn: true, source: Self.name) })
    try await daemon.restart()
    try await mockLogind()
    #expect(host.turn { host.events.count == 4 })
    #expect(
      host.events == [
        .concealment(.sleeping, isOn: true, source: Self.name), .silence(isOn: true, source: Self.name),
        .silence(isOn: false, source: Self.name), .concealment(.sleeping, isOn: false, source: Self.name),
      ])
    try await waitForInhibitors { $0.contains("delay") }
    source.stop()
  }

  @Test("A lock and a sleep that were there before the program are told at once")
  func before() async throws {
    try await mockLogind()
    try await set("LockedHint", true)
    try await daemon.call(
      Self.name, Self.path, "org.freedesktop.DBus.Mock.UpdateProperties", "org.freedesktop.login1.Manager",
      "{'PreparingForSleep': <true>}")
    let (source, _) = try start(passesTime: false)
    #expect(host.turn { host.firstWords.last == false })
    #expect(host.firstWords.first == true)
    #expect(host.turn { host.events.count == 2 })
    #expect(
      Set(host.events.map { "\($0)" })
        == Set(
          [
            SystemEvent.concealment(.sleeping, isOn: true, source: Self.name),
            .concealment(.locked, isOn: true, source: Self.name),
          ].map { "\($0)" }))
    source.stop()
  }

  @Test("Whatever keeps scenes out of sight is told before the first word, which frees them", arguments: Self.news)
  func beforeFirstWord(_ news: String) async throws {
    try await mockLogind()
    switch news {
    case "PreparingForSleep":
      try await daemon.call(
        Self.name, Self.path, "org.freedesktop.DBus.Mock.UpdateProperties", "org.freedesktop.login1.Manager",
        "{'\(news)': <true>}")
    default: try await set(news, news != "Active")
    }
    // Without the timeout, which would end the wait on a slow machine
    host.isTimeStill = true
    let (source, _) = try start()
    #expect(host.isFirstWordAwaited)
    for _ in 0..<2000 where host.isFirstWordAwaited { host.turnOnce() }
    let absence: ConcealmentReason =
      switch news {
      case "Active": .switchedAway
      case "LockedHint": .locked
      default: .sleeping
      }
    #expect(host.eventsAtFirstWord == [.concealment(absence, isOn: true, source: Self.name)])
    source.stop()
  }
  private nonisolated static let news = ["Active", "LockedHint", "PreparingForSleep"]

  @Test("Unity's lock is told before the first word, too")
  func unity() async throws {
    let (name, session) = ("com.canonical.Unity", "com.canonical.Unity.Session")
    try await daemon.mock(name: name, path: "/com/canonical/Unity/Session", interface: session)
    try await daemon.call(
      name, "/com/canonical/Unity/Session", "org.freedesktop.DBus.Mock.AddMethod", session, "IsLocked", "", "b",
      "ret = True")
    host.isTimeStill = true
    let (source, _) = try start()
    for _ in 0..<2000 where host.isFirstWordAwaited { host.turnOnce() }
    #expect(host.eventsAtFirstWord == [.concealment(.locked, isOn: true, source: name)])
    source.stop()
  }

  @Test("Saving takes less time than logind waits, less what is over of it")
  func savingTime() async throws {
    try await mockLogind()
    try await daemon.call(
      Self.name, Self.path, "org.freedesktop.DBus.Mock.AddProperty", "org.freedesktop.login1.Manager",
      "InhibitDelayMaxUSec", "<uint64 2000000>")
    let (source, inhibitor) = try start()
    #expect(inhibitor.savingTime == 4000)
    #expect(host.turn { inhibitor.savingTime == 1500 })
    try await emit("PrepareForSleep", true)
    #expect(host.turn { !host.events.isEmpty })
    host.now += 1.25
    #expect(inhibitor.savingTime == 250)
    host.now += 5
    #expect(inhibitor.savingTime == 0)
    #expect(SleepDelay.savingTime(delay: 5000, elapsed: 0) == 4000)
    #expect(SleepDelay.savingTime(delay: 30_000, elapsed: 10) == 28_990)
    #expect(SleepDelay.savingTime(delay: 100, elapsed: 0) == 75)
    source.stop()
  }

  @Test("Savers that are active already are asked, at the start and when they come; answers of other types say nothing")
  func askedSavers() async throws {
    let (gnome, kde) = ("org.gnome.ScreenSaver", "org.freedesktop.ScreenSaver")
    func mock(_ name: String, _ path: String, _ type: String, _ answer: String) async throws {
      try await daemon.mock(name: name, path: path, interface: name)
      try await daemon.call(
        name, path, "org.freedesktop.DBus.Mock.AddMethod", name, "GetActive", "", type, "ret = \(answer)")
    }
    // At KDE's older place alone
    try await mock(kde, "/ScreenSaver", "b", "True")
    try await mock("org.mate.ScreenSaver", "/org/mate/ScreenSaver", "s", "'yes'")
    try await mock("org.xfce.ScreenSaver", "/org/xfce/ScreenSaver", "b", "False")
    let (source, _) = try start()
    #expect(host.turn { host.events == [.concealment(.locked, isOn: true, source: kde)] })
    // One that comes later has its methods once it has its name: it says that it is active when it is asked
    try await daemon.mock(name: gnome, path: "/org/gnome/ScreenSaver", interface: gnome)
    #expect(host.settle())
    try await daemon.endServices()
    #expect(host.turn { host.events.last == .concealment(.locked, isOn: false, source: kde) })
    #expect(host.events.count == 2)
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
    for _ in 0..<4000 where host.events.isEmpty {
      try await say(kde, "/ScreenSaver", "true")
      for _ in 0..<5 { host.turn(milliseconds: 5) }
    }
    #expect(host.turn { host.events == [.concealment(.locked, isOn: true, source: kde)] })
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
        .concealment(.locked, isOn: true, source: kde), .concealment(.locked, isOn: false, source: kde),
        .concealment(.locked, isOn: true, source: gnome), .concealment(.locked, isOn: false, source: gnome),
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
    #expect(host.events == [.concealment(.locked, isOn: true, source: Self.name)])
    source.stop()
  }
}
