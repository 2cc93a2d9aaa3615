import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Menu bars on a real bus, as panels read them: with libdbusmenu, with Debian's registrar, and with hostile calls.
@MainActor
@Suite(
  "Menu bars on the bus", .serialized, .enabled(if: BusRequirement.isMet && (mustNotSkip || MenuPanel.isInstalled)))
struct PanelMenuBusTests {
  private let host = TestHost()
  private let daemon: PrivateBus
  private final class Folders { var list: [TemporaryFolder] = [] }
  private let folders = Folders()
  private let window = WindowID(rawValue: 0x40_0001)

  init() async throws { daemon = try await PrivateBus() }

  private func start() -> (BusSource, PanelMenuSource) {
    let source = BusSource(environment: daemon.environment) { _ in }
    source.start(host)
    host.passTime()
    return (source, source.requested.panelMenus)
  }

  private struct Running {
    let process: ChildProcess
    let output: String
    var lines: [String] { text(of: output).split(separator: "\n").map(String.init) }
  }

  private func run(_ arguments: [String]) throws -> Running {
    let folder = try TemporaryFolder()
    folders.list.append(folder)
    var environment = try privateEnvironment(home: folder, display: nil)
    environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.address
    let output = folder.file("out")
    return Running(
      process: try ChildProcess(arguments, environment: environment, output: output, errors: output), output: output)
  }

  private func start(python script: String) throws -> Running {
    try run(["/usr/bin/python3", "-W", "ignore", "-u", "-c", script])
  }

  /// What a program prints, while the loop turns.
  private func output(_ arguments: [String], meanwhile: () -> Void = {}) throws -> String {
    let running = try run(arguments)
    let isOver = host.turn {
      meanwhile()
      return running.process.poll() != nil
    }
    guard isOver else { throw DeskFailure("\(arguments) hangs") }
    return text(of: running.output)
  }

  private func python(_ script: String, meanwhile: () -> Void = {}) throws -> String {
    try output(["/usr/bin/python3", "-W", "ignore", "-c", script], meanwhile: meanwhile)
  }

  private var news: [PanelMenuEvent] {
    host.events.compactMap { if case .panelMenu(let event) = $0 { event } else { nil } }
  }

  private static func items(enabled: Bool = true, extra: Bool = false) -> [PanelMenuItem] {
    var save = PanelMenuItem(2, titleWithMnemonic: "_Save")
    save.keys = ["Control", "s"]
    save.isEnabled = enabled
    var mark = PanelMenuItem(4, titleWithMnemonic: "Mark")
    mark.mark = .on
    let more = extra ? [PanelMenuItem(5, titleWithMnemonic: "Extra")] : []
    return [
      PanelMenuItem(1, .menu, titleWithMnemonic: "_File", children: [save, PanelMenuItem(3, .separator), mark] + more),
      PanelMenuItem(6, .menu, titleWithMnemonic: "_Help", children: [PanelMenuItem(7, titleWithMnemonic: "About")]),
    ]
  }

  /// Starts a registrar, and has it take the menu bar; answers the line that it prints for that.
  private func register(_ source: PanelMenuSource) throws -> (Running, line: [String]) {
    source.follow()
    let registrar = try start(python: MenuPanel.registrar)
    try #require(host.turn { news.last == .panel(isThere: true) }, "\(registrar.lines)")
    source.show(Self.items(), of: window)
    try #require(host.turn { news.last == .accepted(window) }, "\(registrar.lines)")
    let line = try #require(registrar.lines.last).split(separator: " ").map(String.init)
    return (registrar, line)
  }

  @Test(
    "Nothing is asked before a window has a menu bar, nothing is there before a registrar is, and it goes with that")
  func onRequest() async throws {
    let (source, menus) = start()
    defer { source.stop() }
    menus.show(Self.items(), of: window)
    #expect(host.settle() && news.isEmpty)
    let (registrar, line) = try register(menus)
    #expect(line.count == 4 && line[0] == "register" && line[2] == "\(0x40_0001)")
    let object = ["gdbus", "introspect", "--address", daemon.address, "-d", line[1], "-o", line[3]]
    #expect(try output(object).contains("com.canonical.dbusmenu"))
    registrar.process.send(SIGKILL)
    #expect(host.turn { news.last == .panel(isThere: false) })
    #expect(try !output(object).contains("com.canonical.dbusmenu"))
    // Another one gets it as well, and is told when the window has it no more.
    let (second, again) = try register(menus)
    menus.withdraw(window)
    #expect(host.turn { second.lines.last == "unregister \(0x40_0001)" })
    #expect(again[3] == line[3])
    second.process.send(SIGKILL)
  }

  @Test("A registrar that refuses leaves the bar to the window")
  func refused() throws {
    let (source, menus) = start()
    defer { source.stop() }
    menus.follow()
    let registrar = try start(python: "refuses = True\n" + MenuPanel.registrar)
    defer { registrar.process.send(SIGKILL) }
    #expect(host.turn { news.last == .panel(isThere: true) })
    menus.show(Self.items(), of: window)
    #expect(host.turn { host.messages.contains { $0.contains("does not take a menu bar") } })
    #expect(news == [.panel(isThere: true)])
  }

  @Test("libdbusmenu reads the menus, has one completed before it is shown, and its choice has its time")
  func library() throws {
    let (source, menus) = start()
    defer { source.stop() }
    let (registrar, line) = try register(menus)
    defer { registrar.process.send(SIGKILL) }
    var isCompleted = false
    let found = try python(
      MenuPanel.library(line[1], line[3]) + """
        show(root, 0)
        file = root.get_children()[0]
        about(file)
        show(file, 1)
        file.get_children()[2].handle_event('clicked', GLib.Variant('i', 0), 777)
        file.get_children()[0].handle_event('clicked', GLib.Variant('i', 0), 778)
        wait(lambda: False, 0.5)
        """
    ) {
      guard news.contains(.willShow(window, item: 1)), !isCompleted else { return }
      isCompleted = true
      menus.show(Self.items(enabled: false, extra: true), of: window)
      menus.isComplete(1, of: window)
    }
    #expect(
      found == """
        _File submenu True
          _Save [['Control', 's']] True
          separator True
          Mark checkmark 1 True
        _Help submenu True
          About True
          _Save [['Control', 's']] False
          separator True
          Mark checkmark 1 True
          Extra True

        """)
    // What cannot be chosen is not.
    #expect(news.contains(.chosen(window, item: 4, time: 777)))
    #expect(!news.contains { if case .chosen(_, item: 2, _) = $0 { true } else { false } })
  }

  @Test("Changes are told as properties, layouts with revisions, and menus that are to be opened")
  func signals() throws {
    let (source, menus) = start()
    defer { source.stop() }
    let (registrar, line) = try register(menus)
    defer { registrar.process.send(SIGKILL) }
    let listener = try start(python: MenuPanel.listener(line[1]))
    defer { listener.process.send(SIGKILL) }
    #expect(host.turn { listener.lines.first == "ready" })
    menus.show(Self.items(), of: window)
    menus.show(Self.items(enabled: false), of: window)
    menus.show(Self.items(enabled: false, extra: true), of: window)
    menus.open(6, of: window)
    menus.open(99, of: window)
    menus.show(Self.items(extra: true), of: window)
    #expect(host.turn { listener.lines.count == 5 }, "\(listener.lines)")
    #expect(
      listener.lines.dropFirst() == [
        "ItemsPropertiesUpdated [(2, {'enabled': False})] []", "LayoutUpdated 2 1", "ItemActivationRequested 6",
        "ItemsPropertiesUpdated [] [(2, ['enabled'])]",
      ])
  }

  @Test(
    "Wrong calls get errors, groups name what is not there, and whoever waits for a program that sleeps is answered")
  func rubbish() throws {
    let (source, menus) = start()
    defer { source.stop() }
    let (registrar, line) = try register(menus)
    defer { registrar.process.send(SIGKILL) }
    let prelude = """
      import dbus
      bus = dbus.SessionBus()
      def call(method, signature='', args=(), interface='com.canonical.dbusmenu'):
        try: return bus.call_blocking('\(line[1])', '\(line[3])', interface, method, signature, args, timeout=20)
        except dbus.DBusException as e: return e.get_dbus_name().split('.')[-1]
      v = dbus.Int32(0, variant_level=1)

      """
    let answers = try python(
      prelude + """
        print(call('GetLayout', 'iias', (99, -1, [])), call('GetLayout'), call('Nothing'), call('Event', 's', ('x',)))
        print(call('Event', 'isvu', (99, 'clicked', v, 0)), call('Event', 'isvu', (4, 'hovered', v, 0)))
        print(call('EventGroup', 'a(isvu)', ([(4, 'clicked', v, 5), (98, 'clicked', v, 5)],)))
        print(call('EventGroup', 'a(isvu)', ([(98, 'clicked', v, 5)],)))
        print(call('GetProperty', 'is', (4, 'nothing')), int(call('GetProperty', 'is', (4, 'toggle-state'))))
        print(int(call('Get', 'ss', ('com.canonical.dbusmenu', 'Version'), 'org.freedesktop.DBus.Properties')))
        print(call('Set', 'ssv', ('com.canonical.dbusmenu', 'Version', v), 'org.freedesktop.DBus.Properties'))
        print(call('AboutToShow', 'i', (99,)))
        print(bool(call('AboutToShow', 'i', (1,))))
        print([[int(i) for i in a] for a in call('AboutToShowGroup', 'ai', ([1, 6, 99],))])
        print([[int(i) for i in a] for a in call('AboutToShowGroup', 'ai', ([],))])
        """)
    // Nobody completes a menu here: the panel is answered after a second.
    #expect(
      answers == """
        InvalidArgs UnknownMethod UnknownMethod UnknownMethod
        InvalidArgs None
        dbus.Array([dbus.Int32(98)], signature=dbus.Signature('i'))
        InvalidArgs
        InvalidArgs 1
        3
        PropertyReadOnly
        InvalidArgs
        False
        [[], [99]]
        [[], []]

        """)
    #expect(news.filter { if case .chosen = $0 { true } else { false } } == [.chosen(window, item: 4, time: 5)])
    let count = news.count
    host.isSuspended = true
    #expect(try python(prelude + "print(bool(call('AboutToShow', 'i', (1,))))") == "False\n" && news.count == count)
    host.isSuspended = false
    host.acceptsRequests = false
    #expect(try python(prelude + "print(call('Event', 'isvu', (4, 'clicked', v, 0)))") == "None\n")
    #expect(news.count == count)
    host.acceptsRequests = true
    let flood = """
      for i in range(3000):
        m = dbus.lowlevel.MethodCallMessage('\(line[1])', '\(line[3])', 'com.canonical.dbusmenu', 'AboutToShow')
        m.append(1, signature='i')
        bus.send_message(m)
      print(call('GetProperty', 'is', (4, 'label')))
      """
    #expect(try python(prelude + "import dbus.lowlevel\n" + flood) == "Mark\n")
    // No more of one message, or of many, are chosen than a user can.
    host.now += 100
    let before = news.count
    let clicks = "print(len(call('EventGroup', 'a(isvu)', ([(4, 'clicked', v, 5)] * 5000,))))\n"
    #expect(try python(prelude + clicks + clicks) == "0\n0\n")
    #expect(news.dropFirst(before).count == Int(CallFlood.ofCommands.burst))
    #expect(host.messages.count { $0.contains("too many") } == 1)
    host.now += 1
    #expect(try python(prelude + "print(call('Event', 'isvu', (4, 'clicked', v, 6)))") == "None\n")
    #expect(news.last == .chosen(window, item: 4, time: 6))
  }

  @Test("Debian's registrar takes the menu bar, names it to panels, and forgets it")
  func debian() throws {
    let (source, menus) = start()
    defer { source.stop() }
    menus.follow()
    let registrar = try run([MenuPanel.debian])
    defer { registrar.process.send(SIGKILL) }
    #expect(host.turn { news.last == .panel(isThere: true) }, "\(registrar.lines)")
    menus.show(Self.items(), of: window)
    #expect(host.turn { news.last == .accepted(window) }, "\(registrar.lines) \(host.messages)")
    let name = "com.canonical.AppMenu.Registrar"
    let question = [
      "gdbus", "call", "--address", daemon.address, "-d", name, "-o", "/com/canonical/AppMenu/Registrar", "-m",
      "\(name).GetMenuForWindow", "\(0x40_0001)",
    ]
    #expect(try output(question).contains("objectpath '/com/canonical/menu/0x400001'"))
    menus.withdraw(window)
    #expect(host.settle())
    #expect(try !output(question).contains("/com/canonical/menu/"))
    registrar.process.send(SIGTERM)
    #expect(host.turn { news.last == .panel(isThere: false) })
  }
}

/// Panels that show menu bars.
enum MenuPanel {
  static let debian = "/usr/libexec/vala-panel/appmenu-registrar"

  static var isInstalled: Bool {
    access(debian, X_OK) == 0
      && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")
      && FileManager.default.fileExists(atPath: "/usr/lib/x86_64-linux-gnu/girepository-1.0/Dbusmenu-0.4.typelib")
  }

  /// A registrar that prints what is registered.
  static let registrar = """
    import dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    name = 'com.canonical.AppMenu.Registrar'
    class Registrar(dbus.service.Object):
      @dbus.service.method(name, in_signature='uo', sender_keyword='sender')
      def RegisterWindow(self, window, path, sender):
        if 'refuses' in globals(): raise dbus.DBusException('no')
        print('register', sender, window, path)
      @dbus.service.method(name, in_signature='u')
      def UnregisterWindow(self, window): print('unregister', window)
    bus = dbus.SessionBus()
    registrar = Registrar(bus, '/com/canonical/AppMenu/Registrar')
    owned = dbus.service.BusName(name, bus)
    GLib.MainLoop().run()

    """

  /// A panel on libdbusmenu, with the menus of a program as `root`.
  static func library(_ service: String, _ path: String) -> String {
    """
    import gi, time
    gi.require_version('Dbusmenu', '0.4')
    from gi.repository import Dbusmenu, GLib
    context = GLib.MainContext.default()
    def wait(condition, seconds=30):
      end = time.time() + seconds
      while not condition() and time.time() < end:
        context.iteration(False)
        time.sleep(0.005)
    client = Dbusmenu.Client.new('\(service)', '\(path)')
    def isRead(item):
      names = ('label', 'type')
      return any(item.property_get(n) for n in names) and all(isRead(i) for i in item.get_children())
    def all_read():
      menus = client.get_root().get_children() if client.get_root() else []
      # The marks and the keys are read after the titles.
      return len(menus) == 2 and all(isRead(m) for m in menus) and menus[0].get_children()[2].property_get('toggle-type') \\
        and menus[0].get_children()[0].property_get_variant('shortcut')
    wait(all_read)
    root = client.get_root()
    def show(item, depth):
      for child in item.get_children():
        parts = [child.property_get(n) for n in ('label', 'type', 'children-display', 'toggle-type')]
        parts = [p for p in parts if p and p != 'standard']
        if child.property_get('toggle-type'): parts.append(child.property_get_int('toggle-state'))
        keys = child.property_get_variant('shortcut')
        if keys: parts.append(keys.unpack())
        enabled = child.property_get_variant('enabled')
        print('  ' * depth + ' '.join(str(p) for p in parts), enabled is None or enabled.unpack())
        show(child, depth + 1)
    def about(item):
      before = len(item.get_children())
      item.send_about_to_show(None, None)
      wait(lambda: len(item.get_children()) != before and all_read())

    """
  }

  /// Prints the signals of a program.
  static func listener(_ service: String) -> String {
    """
    import dbus
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    def plain(v):
      if isinstance(v, dbus.Boolean): return bool(v)
      if isinstance(v, int): return int(v)
      if isinstance(v, str): return str(v)
      if isinstance(v, dict): return {plain(k): plain(x) for k, x in v.items()}
      return tuple(plain(x) for x in v) if isinstance(v, tuple) else [plain(x) for x in v]
    def heard(*values, member):
      if member == 'ItemActivationRequested': values = values[:1]
      print(member, *[plain(v) for v in values])
    bus.add_signal_receiver(heard, dbus_interface='com.canonical.dbusmenu', bus_name='\(service)', member_keyword='member')
    bus.get_name_owner('org.freedesktop.DBus')
    print('ready')
    GLib.MainLoop().run()

    """
  }
}
