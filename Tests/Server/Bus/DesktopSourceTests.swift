import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The user's choices, and screen savers that are kept away, over a real bus with objects of python-dbusmock.
@MainActor @Suite("The desktop's services", .serialized, .enabled(if: BusRequirement.isMet)) struct DesktopSourceTests {
  private static let portal = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let settings = "org.freedesktop.portal.Settings"
  private static let saver = "org.freedesktop.ScreenSaver"
  private static let mock = "org.freedesktop.DBus.Mock."
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func start() -> BusSource {
    var environment = daemon.environment
    environment["XDG_SESSION_ID"] = "c1"
    let source = BusSource(environment: environment) { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  // MARK: Settings

  private func startPortal(_ answer: String) async throws {
    try await daemon.mock(name: Self.portal, path: Self.path, interface: Self.settings)
    try await daemon.call(
      Self.portal, Self.path, Self.mock + "AddMethod", Self.settings, "ReadAll", "as", "a{sa{sv}}", "ret = \(answer)")
  }

  private func change(_ namespace: String, _ key: String, _ value: String) async throws {
    try await daemon.call(
      Self.portal, Self.path, Self.mock + "EmitSignal", Self.settings, "SettingChanged", "ssv",
      "[<'\(namespace)'>, <'\(key)'>, <\(value)>]")
  }

  private func told(_ change: (inout DesktopSettings) -> Void) -> SystemEvent {
    var settings = DesktopSettings()
    change(&settings)
    return .settings(settings)
  }

  @Test("What the portal says is taken at once, when it changes, and given up when the portal goes")
  func portalSettings() async throws {
    let appearance = "org.freedesktop.appearance"
    try await startPortal(
      """
      {'\(appearance)': {'color-scheme': dbus.UInt32(1), 'contrast': dbus.UInt32(1), \
      'accent-color': dbus.Struct((1.0, 0.5, 0.0), signature='ddd')}, 'org.gnome.system.locale': {'region': 'de_DE.UTF-8'}}
      """)
    let source = start()
    #expect(host.turn { !host.events.isEmpty })
    let all = told {
      ($0.style, $0.prefersHighContrast, $0.accentColor, $0.region) = (
        .dark, true, Color(rgb: 0xFF8000), "de_DE.UTF-8"
      )
    }
    #expect(host.events == [all])
    try await change(appearance, "color-scheme", "uint32 2")
    try await change(appearance, "color-scheme", "uint32 2")
    try await change("org.gnome.system.locale", "region", "''")
    #expect(host.turn { host.events.count == 3 })
    #expect(
      host.events.last
        == told { ($0.style, $0.prefersHighContrast, $0.accentColor) = (.light, true, Color(rgb: 0xFF8000)) })
    try await daemon.endServices()
    #expect(host.turn { host.events.count == 4 })
    #expect(host.events.last == told { _ in })
    // Back again, it is asked again
    try await startPortal("{'\(appearance)': {'color-scheme': dbus.UInt32(1)}}")
    #expect(host.turn { host.events.count == 5 })
    #expect(host.events.last == told { $0.style = .dark })
    source.stop()
  }

  @Test("Wrong types, wild values and the words of others say nothing")
  func rubbish() async throws {
    let appearance = "org.freedesktop.appearance"
    try await startPortal("{'\(appearance)': {'color-scheme': 'dark', 'accent-color': 3, 'contrast': ['x']}, 'a': {}}")
    let source = start()
    // Its answer is not traced: the service knows that it was asked
    var isAsked = false
    for _ in 0..<4000 where !isAsked {
      host.turnOnce()
      isAsked = try await daemon.call(Self.portal, Self.path, Self.mock + "GetCalls").contains("'ReadAll'")
    }
    #expect(isAsked && host.settle())
    let values = [
      "'dark'", "uint32 9", "int64 -1", "[<1>]", "(1.0, 2.0, 0.5)", "(0.1, 0.2)", "<<<<<uint32 0>>>>>",
    ]
    for value in values {
      try await change(appearance, "color-scheme", value)
      try await change(appearance, "accent-color", value)
    }
    try await change("org.gnome.system.locale", "region", "'\(String(repeating: "x", count: 100_000))'")
    try await daemon.call(
      Self.portal, Self.path, Self.mock + "EmitSignal", Self.settings, "SettingChanged", "s", "[<'\(appearance)'>]")
    // Any connection can send the same signal; only the owner of the name is believed
    try await daemon.emit(
      Self.path, Self.settings + ".SettingChanged", "string:\(appearance)", "string:color-scheme",
      "variant:uint32:1")
    try await change(appearance, "color-scheme", "uint32 2")
    #expect(host.turn { !host.events.isEmpty })
    #expect(host.events == [told { $0.style = .light }])
    source.stop()
  }

  @Test("Of what a portal sends only the settings that are read are kept, however much it is")
  func floodOfSettings() async throws {
    let (appearance, calendar) = ("org.freedesktop.appearance", "org.gnome.desktop.calendar")
    let long = String(repeating: "x", count: 50_000)
    try await startPortal(
      "{'\(appearance)': {'contrast': '\(long)', 'other': 1, 'reduced-motion': dbus.UInt32(1)}, 'a': {'b': 'c'}}")
    let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
    let source = SettingsSource(bus: bus, host: host)
    bus.connect()
    #expect(host.turn { host.events == [told { $0.prefersReducedMotion = true }] })
    for number in 0..<20 { try await change(appearance, "key\(number)", "'\(long)'") }
    try await change(calendar, "week-start-day", "'\(long)'")
    try await change(appearance, "accent-color", "(\(Array(repeating: "1.0", count: 200).joined(separator: ", ")))")
    try await change(appearance, "color-scheme", "[1, 2, 3]")
    try await change(calendar, "week-start-day", "'monday'")
    #expect(host.turn { host.events.count == 2 })
    #expect(
      source.values == [
        appearance: ["reduced-motion": .uint32(1)], calendar: ["week-start-day": .string("monday")],
      ])
    bus.disconnect()
  }

  @Test("Less motion is wanted where the portal or the desktop's own setting says so")
  func motion() async throws {
    let (appearance, interface) = ("org.freedesktop.appearance", "org.gnome.desktop.interface")
    try await startPortal("{'\(interface)': {'enable-animations': False}}")
    let source = start()
    #expect(host.turn { !host.events.isEmpty })
    try await change(interface, "enable-animations", "true")
    #expect(host.turn { host.events.count == 2 })
    try await change(appearance, "reduced-motion", "uint32 1")
    #expect(host.turn { host.events.count == 3 })
    #expect(host.events == [true, false, true].map { value in told { $0.prefersReducedMotion = value } })
    source.stop()
  }

  @Test("The clock and the first day of the week are the desktop's; other values are no choice")
  func formats() async throws {
    let (interface, calendar) = ("org.gnome.desktop.interface", "org.gnome.desktop.calendar")
    try await startPortal("{'\(interface)': {'clock-format': '12h'}, '\(calendar)': {'week-start-day': 'saturday'}}")
    let source = start()
    #expect(host.turn { !host.events.isEmpty })
    #expect(host.events == [told { ($0.usesTwelveHourClock, $0.firstWeekday) = (true, 7) }])
    for value in ["'default'", "'Monday'", "uint32 1", "''"] { try await change(calendar, "week-start-day", value) }
    try await change(interface, "clock-format", "'24h'")
    #expect(host.turn { host.events.count == 3 })
    #expect(host.events[1] == told { $0.usesTwelveHourClock = true })
    for value in ["'13h'", "true", "uint32 24"] { try await change(interface, "clock-format", value) }
    #expect(host.turn { host.events.count == 4 })
    #expect(host.events.suffix(2) == [told { $0.usesTwelveHourClock = false }, told { _ in }])
    source.stop()
  }

  @Test("The machine's locale is asked for once it is wanted, and followed; the service may end and come back")
  func machineLocale() async throws {
    let (name, path) = ("org.freedesktop.locale1", "/org/freedesktop/locale1")
    let properties = "org.freedesktop.DBus.Properties"
    func startService(_ texts: String) async throws {
      try await daemon.mock(name: name, path: path, interface: name)
      try await daemon.call(name, path, Self.mock + "AddProperties", name, "{'Locale': <\(texts)>}")
    }
    func set(_ value: String) async throws {
      try await daemon.call(
        name, path, Self.mock + "EmitSignal", properties, "PropertiesChanged", "sa{sv}as",
        "[<'\(name)'>, <{'Locale': <\(value)>}>, <@as []>]")
    }
    func told(_ texts: String...) -> SystemEvent { .machineLocale(LocaleVariables(assignments: texts)) }
    try await startService("['LANG=de_DE.UTF-8', 'LC_TIME=en_GB.UTF-8']")
    let source = start()
    #expect(!host.turn(seconds: 1) { !host.events.isEmpty })
    source.requested.locale.follow()
    source.requested.locale.follow()
    let first = told("LANG=de_DE.UTF-8", "LC_TIME=en_GB.UTF-8")
    #expect(host.turn { host.events == [first] })
    // Other types, the words of others, and the same once more.
    for value in ["'LANG=xx'", "uint32 1", "[1]", "['LANG=de_DE.UTF-8', 'LC_TIME=en_GB.UTF-8']"] {
      try await set(value)
    }
    try await daemon.emit(
      path, properties + ".PropertiesChanged", "string:\(name)", "dict:string:string:Locale,LANG=xx", "array:string:")
    try await set("['LANG=fr_FR.UTF-8']")
    #expect(host.turn { host.events == [first, told("LANG=fr_FR.UTF-8")] })
    // It ends when it has nothing to do: what it said counts.
    try await daemon.endServices()
    try await startService("['LANG=it_IT.UTF-8']")
    #expect(host.turn { host.events == [first, told("LANG=fr_FR.UTF-8"), told("LANG=it_IT.UTF-8")] })
    source.stop()
  }

  @Test("A flood of locales, or of the portal's settings, is a few reports and then one a second")
  func floods() throws {
    let (locale, key) = ("org.freedesktop.locale1", BusValue.string("org.gnome.system.locale"))
    func text(_ language: String) -> BusValue { .array(of: "s", [.string("LANG=\(language)")]) }
    for name in [Self.portal, locale] {
      let host = TestHost()
      let service = try daemon.peer(named: name, host)
      defer { service.disconnect() }
      let first: BusValue =
        name == locale
        ? .options(["Locale": text("de_DE")])
        : .dictionary(key: "s", value: "a{sv}", [key: .options(["region": .string("de_DE")])])
      service.requestHandler = { call in
        guard ["ReadAll", "GetAll"].contains(call.member.name) else { return nil }
        return { $0.give(.success([first])) }
      }
      let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
      bus.connect()
      defer { bus.disconnect() }
      let source = LocaleSource()
      var settings: SettingsSource?
      if name == locale {
        source.start(host)
        source.use(bus)
        source.follow()
      } else {
        settings = SettingsSource(bus: bus, host: host)
      }
      func say(_ language: String) {
        if name == locale {
          service.emit(
            BusMember(path: "/org/freedesktop/locale1", interface: BusObjects.properties, name: "PropertiesChanged"),
            [.string(locale), .options(["Locale": text(language)]), .array(of: "s", [])])
        } else {
          let member = Portal.member("Settings", "SettingChanged")
          service.emit(member, [key, .string("region"), .variant(.string(language))])
        }
      }
      #expect(host.turn { !host.events.isEmpty })
      let start = ContinuousClock.now
      for number in 0..<2000 { say(number % 2 == 0 ? "en_US" : "de_DE") }
      say("fr_FR")
      let last =
        name == locale
        ? SystemEvent.machineLocale(LocaleVariables(assignments: ["LANG=fr_FR"])) : told { $0.region = "fr_FR" }
      #expect(host.turn { host.events.last == last })
      let most = 3 + ReportBudget.burst + Int((ContinuousClock.now - start) / .seconds(1))
      #expect(host.events.count <= most, "\(name)")
      #expect(settings != nil || name == locale)
    }
  }

  @Test("A portal, and another service, that have not answered in time are asked again")
  func silence() throws {
    let name = "org.example.Service"
    for method in ["ReadAll", "GetAll"] {
      let service = try daemon.peer(named: method == "ReadAll" ? Self.portal : name, host)
      let values: BusValue =
        method == "GetAll"
        ? .options(["Value": .uint32(7)])
        : .dictionary(
          key: "s", value: "a{sv}", [.string("org.freedesktop.appearance"): .options(["color-scheme": .uint32(1)])])
      var unanswered: [BusReply] = []
      service.requestHandler = { call in
        guard call.member.name == method else { return nil }
        return { if unanswered.count < 2 { unanswered.append($0) } else { $0.give(.success([values])) } }
      }
      let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
      var settings: SettingsSource?
      var properties: BusProperties?
      if method == "ReadAll" {
        settings = SettingsSource(bus: bus, host: host)
      } else {
        let object = BusProperties.Object(path: "/", interface: name, properties: ["Value": { _ in true }])
        properties = BusProperties(bus, name, [object], startsService: false) {}
      }
      bus.connect()
      for count in 1...2 {
        #expect(host.turn { unanswered.count == count })
        // The limit of the call, and the pause after it
        host.passTime()
        #expect(properties?.isBeingRead != true)
        host.passTime()
      }
      #expect(
        host.turn {
          properties.map { $0.value("Value", of: 0) == .uint32(7) }
            ?? (host.events == [told { $0.style = .dark }] && settings != nil)
        })
      bus.disconnect()
      service.disconnect()
    }
  }

  // MARK: Savers

  @Test("A saver that takes the place of an active one is active where it says so, whatever it answers")
  func replacedSaver() throws {
    let gnome = "org.gnome.ScreenSaver"
    var asked = 0
    /// One that answers whether it is active, or says it and then refuses the question, or does nothing but that.
    func saver(answers: Bool, says: Bool) throws -> Bus {
      try daemon.peer(named: gnome, host) { saver, call in
        guard call.member.name == "GetActive" else { return nil }
        asked += 1
        let signal = BusMember(path: "/org/gnome/ScreenSaver", interface: gnome, name: "ActiveChanged")
        if says { saver.emit(signal, [.bool(true)]) }
        return { if answers { $0.give(.success([.bool(true)])) } else { $0.refuse("UnknownMethod", "a test's") } }
      }
    }
    let first = try saver(answers: true, says: false)
    let source = start()
    #expect(host.turn { !host.events.isEmpty })
    let second = try saver(answers: false, says: true)
    #expect(host.turn { asked == 2 })
    let third = try saver(answers: false, says: false)
    let isFree = host.turn { asked == 3 && host.events.count == 2 }
    #expect(isFree)
    #expect(
      host.events == [
        .concealment(.locked, isOn: true, source: gnome), .concealment(.locked, isOn: false, source: gnome),
      ])
    source.stop()
    for saver in [first, second, third] { saver.disconnect() }
  }

  @Test("An active saver means a lock until logind's hint has told of one; from then on it is a saver alone")
  func savers() async throws {
    let (gnome, logind) = ("org.gnome.ScreenSaver", "org.freedesktop.login1")
    try await daemon.mock("logind", name: logind)
    try await daemon.call(
      logind, "/org/freedesktop/login1", Self.mock + "AddSession", "c1", "seat0", "uint32 \(getuid())", "me", "true")
    let source = start()
    try await daemon.mock(name: gnome, path: "/org/gnome/ScreenSaver", interface: gnome)
    func say(_ isActive: Bool) async throws {
      try await daemon.call(
        gnome, "/org/gnome/ScreenSaver", Self.mock + "EmitSignal", gnome, "ActiveChanged", "b", "[<\(isActive)>]")
    }
    func hint(_ isLocked: Bool) async throws {
      try await daemon.call(
        logind, "/org/freedesktop/login1/session/c1", "org.freedesktop.login1.Session.SetLockedHint", "\(isLocked)")
    }
    // Said again until it is heard: when the connection is made nothing tells
    for _ in 0..<4000 where host.events.isEmpty {
      try await say(true)
      for _ in 0..<5 { host.turn(milliseconds: 5) }
    }
    try await say(false)
    #expect(host.turn { host.events.count == 2 })
    try await hint(true)
    #expect(host.turn { host.events.count == 3 })
    try await hint(false)
    #expect(host.turn { host.events.count == 4 })
    try await say(true)
    #expect(host.turn { host.events.count == 5 })
    try await hint(true)
    #expect(host.turn { host.events.count == 6 })
    try await hint(false)
    #expect(host.turn { host.events.count == 7 })
    try await daemon.endServices()
    #expect(host.turn { host.events.count == 8 })
    #expect(
      host.events == [
        .concealment(.locked, isOn: true, source: gnome), .concealment(.locked, isOn: false, source: gnome),
        .concealment(.locked, isOn: true, source: logind), .concealment(.locked, isOn: false, source: logind),
        .screenSaver(isOn: true, source: gnome), .concealment(.locked, isOn: true, source: logind),
        .concealment(.locked, isOn: false, source: logind), .screenSaver(isOn: false, source: gnome),
      ])
    source.stop()
  }

  @Test("The lock of another display hides nothing, whatever it says; that of the program's own does")
  func saverElsewhere() throws {
    let gnome = "org.gnome.ScreenSaver"
    /// One that is active.
    func saver() throws -> Bus {
      try daemon.peer(named: gnome, host) { _, call in
        guard call.member.name == "GetActive" else { return nil }
        return { $0.give(.success([.bool(true)])) }
      }
    }
    // Given a desktop on the machine that is locked, and a program behind `ssh -X`
    let processes = try TemporaryFolder()
    try processes.write("\(getpid())/environ", "HOME=/home/a\0DISPLAY=:0\0")
    let first = try saver()
    var environment = daemon.environment
    environment["DISPLAY"] = "localhost:10.0"
    let source = BusSource(environment: environment, processFolder: processes.path) { _ in }
    source.start(host)
    host.passTime()
    #expect(host.turn { !host.firstWords.isEmpty && !host.isFirstWordAwaited } && host.settle())
    let signal = BusMember(path: "/org/gnome/ScreenSaver", interface: gnome, name: "ActiveChanged")
    first.emit(signal, [.bool(true)])
    #expect(host.settle())
    // Then it is not locked
    #expect(host.events == [])
    // And by a saver of its own display it is
    try processes.write("\(getpid())/environ", "DISPLAY=localhost:10.1\0")
    let second = try saver()
    #expect(host.turn { !host.events.isEmpty })
    #expect(host.events == [.concealment(.locked, isOn: true, source: gnome)])
    source.stop()
    for saver in [first, second] { saver.disconnect() }
  }

  // MARK: Idle

  /// A screen saver that counts who keeps it away, and writes down what it was asked.
  private func startSaver(at path: String = "/org/freedesktop/ScreenSaver", cookie: Int) async throws {
    try await daemon.mock(name: Self.saver, path: path, interface: Self.saver)
    try await daemon.call(
      Self.saver, path, Self.mock + "AddMethod", Self.saver, "Inhibit", "ss", "u", "ret = dbus.UInt32(\(cookie))")
    try await daemon.call(Self.saver, path, Self.mock + "AddMethod", Self.saver, "UnInhibit", "u", "", "")
  }

  private func startInhibitPortal() async throws {
    let request = "org.freedesktop.portal.Request"
    try await daemon.mock(name: Self.portal, path: Self.path, interface: "org.freedesktop.portal.Inhibit")
    try await daemon.call(
      Self.portal, Self.path, Self.mock + "AddMethod", "org.freedesktop.portal.Inhibit", "Inhibit", "sua{sv}", "o",
      "ret = dbus.ObjectPath('/request/1')")
    try await daemon.call(
      Self.portal, Self.path, Self.mock + "AddObject", "/request/1", request, "{}", "[('Close', '', '', '')]")
  }

  /// What was asked of an object, without when.
  private func asked(_ name: String, _ path: String) async throws -> [String] {
    let answer = try await daemon.call(name, path, Self.mock + "GetCalls")
    return answer.split(separator: "'").map(String.init).filter {
      ["Inhibit", "UnInhibit", "Close"].contains($0)
    }
  }

  private func wait(_ name: String, _ path: String, for calls: [String]) async throws {
    var last: [String] = []
    for _ in 0..<4000 {
      host.turnOnce()
      last = try await asked(name, path)
      if last == calls { return }
    }
    Issue.record("\(name) was asked \(last), not \(calls)")
  }

  @Test("The saver is asked once, asked again when it has another owner, and released when it is no longer wanted")
  func inhibit() async throws {
    let path = "/org/freedesktop/ScreenSaver"
    try await startSaver(cookie: 7)
    let source = start()
    let inhibitor = try #require(host.idleInhibitor)
    #expect(host.settle())
    #expect(try await asked(Self.saver, path) == [])
    inhibitor.setInhibited(true)
    try await wait(Self.saver, path, for: ["Inhibit"])
    #expect(host.settle())
    inhibitor.setInhibited(false)
    try await wait(Self.saver, path, for: ["Inhibit", "UnInhibit"])
    #expect(try await daemon.call(Self.saver, path, Self.mock + "GetCalls").contains("<uint32 7>"))
    // Wanted, and no longer wanted before the answer has come: it is given back when it does
    inhibitor.setInhibited(true)
    inhibitor.setInhibited(false)
    try await wait(Self.saver, path, for: ["Inhibit", "UnInhibit", "Inhibit", "UnInhibit"])
    // One saver goes, and another one comes
    inhibitor.setInhibited(true)
    try await wait(Self.saver, path, for: ["Inhibit", "UnInhibit", "Inhibit", "UnInhibit", "Inhibit"])
    try await daemon.endServices()
    #expect(host.settle())
    // At the older place alone
    try await startSaver(at: "/ScreenSaver", cookie: 9)
    try await wait(Self.saver, "/ScreenSaver", for: ["Inhibit"])
    inhibitor.setInhibited(false)
    try await wait(Self.saver, "/ScreenSaver", for: ["Inhibit", "UnInhibit"])
    #expect(try await daemon.call(Self.saver, "/ScreenSaver", Self.mock + "GetCalls").contains("<uint32 9>"))
    source.stop()
  }

  @Test("Nothing is watched or matched without need: a connection to each bus, and these names")
  func quiet() async throws {
    let source = start()
    func rules() async throws -> Set<String> {
      let answer = try await daemon.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules")
      // Rules as "sender='org.freedesktop.DBus',…,arg0='name'" for owners, "sender='name',…" for signals.
      return Set(answer.split(separator: "'").map(String.init).filter { $0.contains(".") && !$0.hasPrefix(":") })
        .subtracting(["org.freedesktop.DBus"])
    }
    let savers = ["freedesktop", "gnome", "cinnamon", "mate", "xfce"].map { "org.\($0).ScreenSaver" }
    let expected = Set(
      savers + [
        "com.canonical.Unity", "com.canonical.Unity.Session", "org.freedesktop.login1",
        "org.freedesktop.login1.Manager", "org.freedesktop.login1.Session", "org.freedesktop.DBus.Properties",
        "org.freedesktop.portal.Desktop", "org.freedesktop.portal.Settings", "org.freedesktop.appearance",
        "org.gnome.system.locale", "org.gnome.desktop.interface", "org.gnome.desktop.calendar",
        // Whether an assistive program is there.
        "org.a11y.Bus", "org.a11y.Status",
      ])
    var found: Set<String> = []
    for _ in 0..<4000 where found != expected {
      host.turnOnce()
      found = try await rules()
    }
    #expect(found == expected)
    #expect(host.settle() && host.watched.count == 2 && !host.isFirstWordAwaited)
    // The wish for a saver to stay away needs no other name
    host.idleInhibitor?.setInhibited(true)
    #expect(host.settle())
    #expect(try await rules() == expected && host.watched.count == 2)
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("A saver that is to be kept away where there is no bus is told of once; without the wish nothing is")
  func noBus() async throws {
    try await daemon.kill()
    unlink(daemon.path)
    let source = start()
    host.passTime()
    #expect(host.reports == [])
    let inhibitor = try #require(host.idleInhibitor)
    for _ in 0..<3 {
      inhibitor.setInhibited(true)
      host.passTime()
      inhibitor.setInhibited(false)
    }
    #expect(host.reports.count == 1 && host.reports.first?.contains("session bus") == true)
    source.stop()
  }

  @Test("A saver that grants the wish after a minute, when it is not wanted any more, is released")
  func lateGrant() throws {
    var unanswered: [BusReply] = []
    var released: [BusValue] = []
    let saver = try daemon.peer(named: Self.saver, host) { _, call in
      switch call.member.name {
      case "Inhibit": return { unanswered.append($0) }
      case "UnInhibit":
        released += call.values ?? []
        return { $0.give(.success([])) }
      default: return nil
      }
    }
    let source = start()
    defer {
      source.stop()
      saver.disconnect()
    }
    let inhibitor = try #require(host.idleInhibitor)
    inhibitor.setInhibited(true)
    #expect(host.turn { !unanswered.isEmpty } && host.settle())
    host.passTime(within: .seconds(60))
    inhibitor.setInhibited(false)
    let reply = try #require(unanswered.first)
    reply.give(.success([.uint32(7)]))
    #expect(host.turn { !released.isEmpty })
    #expect(released == [.uint32(7)] && unanswered.count == 1)
  }

  @Test("Where only the portal is there it is asked; a saver that comes later takes its place")
  func portalInhibits() async throws {
    try await startInhibitPortal()
    let source = start()
    let inhibitor = try #require(host.idleInhibitor)
    inhibitor.setInhibited(true)
    try await wait(Self.portal, Self.path, for: ["Inhibit"])
    #expect(try await daemon.call(Self.portal, Self.path, Self.mock + "GetCalls").contains("<uint32 8>"))
    #expect(host.settle())
    try await startSaver(cookie: 1)
    try await wait(Self.portal, "/request/1", for: ["Close"])
    inhibitor.setInhibited(false)
    try await wait(Self.saver, "/org/freedesktop/ScreenSaver", for: ["Inhibit", "UnInhibit"])
    source.stop()
  }
}
