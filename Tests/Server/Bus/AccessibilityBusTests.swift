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

/// Assistive programs on a real accessibility bus, with libatspi's and with hostile calls.
@MainActor
@Suite(
  "The accessibility bus", .serialized,
  .enabled(if: BusRequirement.isMet && (mustNotSkip || AccessibilityBus.isInstalled)))
struct AccessibilityBusTests {
  private let host = TestHost()
  private let daemon: PrivateBus
  private final class Folders { var list: [TemporaryFolder] = [] }
  private let folders = Folders()

  init() async throws { daemon = try await PrivateBus() }

  private func start(_ variables: [String: String] = [:]) -> BusSource {
    let source = BusSource(environment: daemon.environment.merging(variables) { $1 }) { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  /// A process, and the files of what it prints.
  private struct Running {
    let process: ChildProcess
    let output: String
    let errors: String
  }

  private func run(_ arguments: [String]) throws -> Running {
    let folder = try TemporaryFolder()
    folders.list.append(folder)
    var environment = try privateEnvironment(home: folder, display: nil)
    environment.merge(daemon.environment) { $1 }
    let (output, errors) = (folder.file("out"), folder.file("err"))
    return Running(
      process: try ChildProcess(arguments, environment: environment, output: output, errors: errors), output: output,
      errors: errors)
  }

  /// Runs a program while the loop turns, and answers what it has printed.
  @discardableResult private func output(_ arguments: [String]) throws -> String {
    let process = try run(arguments)
    guard host.turn(until: { process.process.poll() != nil }) else { throw DeskFailure("\(arguments) hangs") }
    return text(of: process.output) + text(of: process.errors)
  }

  private func set(_ property: String, _ isOn: Bool) throws {
    let name = "org.freedesktop.DBus.Properties.Set"
    try output(
      ["gdbus", "call", "--address", daemon.address, "-d", "org.a11y.Bus", "-o", "/org/a11y/bus", "-m", name]
        + ["org.a11y.Status", property, "<\(isOn)>"])
  }

  private func python(_ script: String) throws -> String {
    try output(["/usr/bin/python3", "-W", "ignore", "-c", AccessibilityBus.prelude + script])
  }

  private var news: [AccessibilityEvent] {
    host.events.compactMap { if case .accessibility(let event) = $0 { event } else { nil } }
  }

  private func isWatched(_ isOn: Bool) -> Bool {
    host.turn { if case .watched(isOn, _)? = news.last { true } else { false } }
  }

  /// A window with a label, a field, a slider and a list of two.
  private static func tree(
    text: String = "Ada Lovelace", focused: Bool = false, selected: Int = 0, label: String = "Name"
  ) -> AccessibilityTree {
    var tree = AccessibilityTree()
    func add(
      _ number: UInt64, in parent: UInt64, _ properties: AccessibilityProperties, _ frame: Rect
    ) {
      var properties = properties
      properties.states.insert(.showing)
      let id = AccessibilityID(rawValue: number)
      tree.nodes[id] = .init(
        properties, frame: frame, corner: Point(x: 10, y: 20), parent: AccessibilityID(rawValue: parent))
      if parent == 0 {
        tree.windows.append(id)
      } else {
        tree.nodes[AccessibilityID(rawValue: parent)]?.children.append(id)
      }
    }
    func rect(_ y: Int) -> Rect { Rect(x: 10, y: 20 + y, width: 100, height: 20) }
    add(1, in: 0, AccessibilityProperties(role: .window, label: "Form"), Rect(x: 10, y: 20, width: 100, height: 200))
    add(2, in: 1, AccessibilityProperties(role: .staticText, label: label), rect(0))
    var field = AccessibilityProperties(role: .textField, label: label)
    field.text = AccessibilityText(text, selection: 0..<3, wrappedLines: text == "Ada Lovelace" ? [4] : [])
    field.states.formUnion([.editable, .focusable])
    if focused { field.states.insert(.focused) }
    add(3, in: 1, field, rect(20))
    tree.nodes[AccessibilityID(rawValue: 3)]?.labelledBy = AccessibilityID(rawValue: 2)
    var slider = AccessibilityProperties(role: .slider, label: "Volume")
    slider.range = AccessibilityRange(value: 3, minimum: 0, maximum: 10, step: 1)
    slider.actions = ["press"]
    add(4, in: 1, slider, rect(40))
    add(5, in: 1, AccessibilityProperties(role: .list, label: "Names"), rect(60))
    for number in 0..<2 {
      var item = AccessibilityProperties(role: .listItem, label: "Item \(number)")
      item.position = .init(index: number, count: 1000)
      item.states.insert(.selectable)
      if selected == number { item.states.insert(.selected) }
      add(UInt64(6 + number), in: 5, item, rect(60 + 20 * number))
    }
    return tree
  }

  @Test(
    "Without an assistive program nothing is started, connected or told; with one, and after it, as often as it comes")
  func onRequest() async throws {
    let source = start()
    defer { source.stop() }
    #expect(host.settle())
    source.requested.accessibility.publish(Self.tree())
    let names = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    #expect(!names.contains("a11y") && news.isEmpty && host.watched.count == 2, "the bus that plays both")
    for isRead in [false, true] {
      try set(isRead ? "ScreenReaderEnabled" : "IsEnabled", true)
      #expect(isWatched(true) && news.last == .watched(true, byScreenReader: isRead))
      try set(isRead ? "ScreenReaderEnabled" : "IsEnabled", false)
      if isRead { try set("IsEnabled", false) }
      #expect(isWatched(false))
      #expect(host.turn { host.watched.count == 2 }, "the second connection is closed")
    }
  }

  @Test("A service and a registry that answer after a minute are heard all the same")
  func lateAnswers() throws {
    var address: BusReply?
    var embedding: BusReply?
    let launcher = try daemon.peer(named: ATSPI.launcher, host) { _, call in
      switch call.member.name {
      case "GetAll": return { $0.give(.success([.options(["IsEnabled": .bool(true)])])) }
      case "GetAddress": return { address = $0 }
      default: return nil
      }
    }
    // On the same bus, which is the one of its address.
    let registry = try daemon.peer(named: ATSPI.registry, host) { _, call in
      guard call.member.name == "Embed" else { return nil }
      return { embedding = $0 }
    }
    let source = start()
    defer {
      source.stop()
      for peer in [launcher, registry] { peer.disconnect() }
    }
    #expect(host.turn { address != nil } && host.settle())
    host.passTime(within: .seconds(60))
    address?.give(.success([.string(daemon.address)]))
    #expect(host.turn { embedding != nil } && host.settle())
    host.passTime(within: .seconds(60))
    #expect(news.isEmpty)
    embedding?.give(.success([.structure([.string(":1.0"), .objectPath(ATSPI.rootPath)])]))
    #expect(isWatched(true), "\(host.messages)")
  }

  @Test("libatspi walks the tree: roles, names, states, places, texts, values, relations, selections")
  func walk() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    source.requested.accessibility.publish(Self.tree())
    let found = try python(
      """
      for e in everything(app()):
        x = e.get_extents(Atspi.CoordType.WINDOW) if e.get_role_name() != 'application' else None
        print(e.get_role_name(), e.get_name(), e.get_index_in_parent(), (x.x, x.y, x.width, x.height) if x else '')
      field, slider, items = find('entry'), find('slider'), find('list')
      print(Atspi.Text.get_text(field, 0, -1), Atspi.Text.get_character_count(field), Atspi.Text.get_caret_offset(field))
      word = Atspi.Text.get_string_at_offset(field, 5, Atspi.TextGranularity.WORD)
      print(word.content, word.start_offset, word.end_offset)
      for offset, unit in (0, 'LINE'), (4, 'LINE'), (12, 'LINE'), (5, 'PARAGRAPH'):
        line = Atspi.Text.get_string_at_offset(field, offset, getattr(Atspi.TextGranularity, unit))
        print(line.content, line.start_offset, line.end_offset)
      line = Atspi.Text.get_text_before_offset(field, 5, Atspi.TextBoundaryType.LINE_START)
      print(line.content, line.start_offset, line.end_offset)
      part = Atspi.Text.get_selection(field, 0)
      print(part.start_offset, part.end_offset, field.get_relation_set()[0].get_target(0).get_name())
      print(Atspi.Value.get_current_value(slider), Atspi.Value.get_maximum_value(slider))
      print(Atspi.Selection.get_n_selected_children(items), Atspi.Selection.get_selected_child(items, 0).get_name())
      print(find('list item').get_attributes()['setsize'], find('list item').get_attributes()['posinset'])
      print(find('frame').get_accessible_at_point(15, 65, Atspi.CoordType.SCREEN).get_name(), slider.get_parent().get_name())
      for kind in Atspi.CoordType.SCREEN, Atspi.CoordType.WINDOW, Atspi.CoordType.PARENT:
        for x in Atspi.Text.get_character_extents(field, 0, kind), Atspi.Text.get_range_extents(field, 0, 2, kind):
          print((x.x, x.y, x.width, x.height))
      """)
    let program = ProgramName.own
    #expect(
      found == """
        application \(program) -1 \n\
        frame Form 0 (0, 0, 100, 200)
        label Name 0 (0, 0, 100, 20)
        entry Name 1 (0, 20, 100, 20)
        slider Volume 2 (0, 40, 100, 20)
        list Names 3 (0, 60, 100, 20)
        list item Item 0 0 (0, 60, 100, 20)
        list item Item 1 1 (0, 80, 100, 20)
        Ada Lovelace 12 3
        Lovelace 4 12
        Ada  0 4
        Lovelace 4 12
        Lovelace 4 12
        Ada Lovelace 0 12
        Ada  0 4
        0 3 Name
        3.0 10.0
        1 Item 0
        1000 1
        Volume Form
        (10, 40, 100, 20)
        (10, 40, 100, 20)
        (0, 20, 100, 20)
        (0, 20, 100, 20)
        (0, 20, 100, 20)
        (0, 20, 100, 20)

        """)
  }

  @Test("Texts are of the locale that the first variable for messages names, else of \"C\"")
  func locale() throws {
    let source = start(["LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LC_ALL": ""])
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    source.requested.accessibility.publish(Self.tree())
    let found = try python("print(app().get_object_locale(), find('label').get_object_locale())")
    #expect(found == "de_DE.UTF-8 de_DE.UTF-8\n")
    #expect(AccessibleAnswers.locale(of: ["LANG": "it_IT"]) == "it_IT" && AccessibleAnswers.locale(of: [:]) == "C")
    #expect(AccessibleAnswers.locale(of: ["LC_ALL": "fr_FR", "LC_MESSAGES": "de_DE"]) == "fr_FR")
  }

  /// A window with a table of 1,000 rows, of which three are in sight, and with two tabs.
  private static func tables(rows: Int = 1000, selected: RangeSet<Int> = RangeSet(), tab: Int = 0) -> AccessibilityTree
  {
    var tree = AccessibilityTree()
    func add(_ number: UInt64, in parent: UInt64, _ properties: AccessibilityProperties) {
      var properties = properties
      properties.states.insert(.showing)
      let (id, above) = (AccessibilityID(rawValue: number), AccessibilityID(rawValue: parent))
      tree.nodes[id] = .init(
        properties, frame: Rect(x: 0, y: 0, width: 100, height: 100), corner: Point(x: 0, y: 0), parent: above)
      if parent == 0 { tree.windows.append(id) } else { tree.nodes[above]?.children.append(id) }
    }
    add(1, in: 0, AccessibilityProperties(role: .window, label: "Rows"))
    var table = AccessibilityProperties(role: .list, label: "Files")
    table.table = AccessibilityTable(rowCount: rows, columnTitles: ["Name"], selectedRows: selected)
    add(2, in: 1, table)
    for row in 0..<3 {
      var item = AccessibilityProperties(role: .listItem, label: "File \(100 + row)")
      item.cell = .init(row: 100 + row, column: 0)
      item.states.insert(.selectable)
      if selected.contains(100 + row) { item.states.insert(.selected) }
      add(UInt64(10 + row), in: 2, item)
    }
    add(3, in: 1, AccessibilityProperties(role: .tabList))
    for number in 0..<2 {
      var item = AccessibilityProperties(role: .tab, label: "Page \(number)")
      item.states.insert(.selectable)
      if tab == number { item.states.insert(.selected) }
      add(UInt64(20 + number), in: 3, item)
    }
    return tree
  }

  @Test("pyatspi reads a table of which few rows are in sight, its cells, and tabs, and selects in them")
  func tables() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    source.requested.accessibility.publish(Self.tables(selected: RangeSet([101..<102, 998..<1000])))
    let answers = try python(
      """
      import pyatspi
      files, tabs = find('list'), find('page tab list')
      table = files.queryTable()
      print(table.nRows, table.nColumns, table.nSelectedRows, list(table.getSelectedRows()), table.getColumnDescription(0))
      print(table.getAccessibleAt(102, 0).name, table.getAccessibleAt(5, 0), table.getIndexAt(102, 0), table.getIndexAt(5, 0))
      print(table.getRowAtIndex(1), table.getColumnAtIndex(1), table.isRowSelected(999), table.isSelected(100, 0))
      print(table.getRowExtentAt(7, 0), table.getRowExtentAt(1000, 0), [int(v) for v in table.getRowColumnExtentsAtIndex(1)])
      cell = files[2].queryTableCell()
      print([int(v) for v in cell.position], cell.rowSpan, cell.table.name)
      print(table.addRowSelection(500), table.removeRowSelection(101), table.addRowSelection(1000))
      for tab in tabs:
        states = tab.getState()
        print(tab.getRoleName(), tab.name, states.contains(pyatspi.STATE_SELECTABLE), states.contains(pyatspi.STATE_SELECTED))
      print(tabs.querySelection().getSelectedChild(0).name, tabs.querySelection().selectChild(1))
      """)
    #expect(
      answers == """
        1000 1 3 [101, 998, 999] Name
        File 102 None 2 -1
        101 0 True False
        1 0 [1, 101, 0, 1, 1, 1]
        [1, 102, 0] 1 Files
        True True False
        page tab Page 0 True True
        page tab Page 1 True False
        Page 0 True

        """)
    func id(_ number: UInt64) -> AccessibilityID { AccessibilityID(rawValue: number) }
    #expect(
      news.dropFirst() == [
        .request(id(2), .setRowSelected(500, true)), .request(id(2), .setRowSelected(101, false)),
        .request(id(21), .setSelected(true)),
      ])
  }

  @Test("Rows that come, and selections in sight and out of it, are told, and so is another tab")
  func tableEvents() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    let service = source.requested.accessibility
    service.publish(Self.tables())
    let listener = try run([
      "/usr/bin/python3", "-W", "ignore", "-u", "-c", AccessibilityBus.prelude + AccessibilityBus.listener,
    ])
    defer { listener.process.send(SIGKILL) }
    func heard() -> [String] { text(of: listener.output).split(separator: "\n").map(String.init) }
    #expect(host.turn { heard().first == "ready" })
    func count(_ event: String) -> Int { heard().count { $0 == event } }
    service.publish(Self.tables(selected: RangeSet(500..<501)))
    #expect(host.turn { count("object:selection-changed 0 0 list") == 1 })
    service.publish(Self.tables(rows: 1001, selected: RangeSet(500..<501)))
    #expect(host.turn { count("object:model-changed 0 0 list") == 1 }, "\(heard()) \(text(of: listener.errors))")
    service.publish(Self.tables(rows: 1001, selected: RangeSet(500..<501), tab: 1))
    #expect(host.turn { count("object:selection-changed 0 0 page tab list") == 1 })
    #expect(count("object:state-changed:selected 1 0 page tab") == 1)
    #expect(count("object:state-changed:selected 0 0 page tab") == 1)
    #expect(count("object:selection-changed 0 0 list") == 1 && count("object:model-changed 0 0 list") == 1)
  }

  @Test("What it does arrives as requests, and only what can be done")
  func requests() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    source.requested.accessibility.publish(Self.tree())
    let answers = try python(
      """
      field, slider, items, label = find('entry'), find('slider'), find('list'), find('label')
      print(slider.do_action(0), slider.do_action(5), label.grab_focus(), field.grab_focus())
      print(Atspi.Value.set_current_value(slider, 7.5), Atspi.Text.set_caret_offset(field, 4))
      print(Atspi.EditableText.insert_text(field, 3, 'm', 1), Atspi.EditableText.delete_text(field, 0, 4))
      print(Atspi.Selection.select_child(items, 1), Atspi.Selection.select_child(items, 9))
      """)
    #expect(answers == "True False False True\nTrue True\nTrue True\nTrue False\n")
    func id(_ number: UInt64) -> AccessibilityID { AccessibilityID(rawValue: number) }
    #expect(
      news.dropFirst() == [
        .request(id(4), .action(0)), .request(id(3), .focus), .request(id(4), .setValue(7.5)),
        .request(id(3), .selectText(4..<4)), .request(id(3), .replaceText(3..<3, with: "m")),
        .request(id(3), .replaceText(0..<4, with: "")), .request(id(7), .setSelected(true)),
      ])
    let count = news.count
    var tree = Self.tree()
    tree.nodes[id(4)]?.properties.states.remove(.enabled)
    source.requested.accessibility.publish(tree)
    let refusal = try python(
      """
      try: Atspi.Value.set_current_value(find('slider'), 2)
      except GLib.Error as e: print(e.message)
      """)
    #expect(news.count == count, "\(news) \(refusal)")
  }

  @Test("Changes are told as events: a text, its caret, a name, the focus, a selection, what is gone, what is said")
  func events() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    let service = source.requested.accessibility
    service.publish(Self.tree())
    let listener = try run([
      "/usr/bin/python3", "-W", "ignore", "-u", "-c", AccessibilityBus.prelude + AccessibilityBus.listener,
    ])
    defer { listener.process.send(SIGKILL) }
    func heard() -> [String] { text(of: listener.output).split(separator: "\n").map(String.init) }
    #expect(host.turn { heard().first == "ready" })
    service.publish(Self.tree(text: "Ada Byron", focused: true, selected: 1, label: "Her name"))
    var smaller = Self.tree(text: "Ada Byron", focused: true, selected: 1, label: "Her name")
    smaller.nodes[AccessibilityID(rawValue: 4)] = nil
    smaller.nodes[AccessibilityID(rawValue: 1)]?.children.remove(at: 2)
    service.publish(smaller)
    service.announce("Saved")
    service.publish(AccessibilityTree())
    #expect(
      host.turn { heard().contains { $0.hasPrefix("window:destroy") } }, "\(heard()) \(text(of: listener.errors))")
    let wanted = [
      "object:property-change:accessible-name 0 0 label", "object:text-changed:delete 4 8 entry",
      "object:text-changed:insert 4 5 entry", "object:selection-changed 0 0 list",
      "object:state-changed:selected 1 0 list item", "object:state-changed:focused 1 0 entry",
      "object:children-changed:remove 2 0 frame", "object:announcement 1 0 entry",
      "object:children-changed:remove 0 0 application",
    ]
    for event in wanted { #expect(heard().contains(event), "\(event) of \(heard())") }
  }

  @Test("A program that listens to keys hears of them and takes its own, for as long as it listens")
  func keys() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    let service = source.requested.accessibility
    #expect(!service.hearsKeys)
    let listener = try run([
      "/usr/bin/python3", "-W", "ignore", "-u", "-c", AccessibilityBus.prelude + AccessibilityBus.keyListener,
    ])
    defer { listener.process.send(SIGKILL) }
    let problem = { "\(text(of: listener.output)) \(text(of: listener.errors))" }
    #expect(host.turn { service.hearsKeys && text(of: listener.output) == "ready\n" }, "\(problem())")
    func key(_ symbol: UInt32, _ characters: String, isDown: Bool = true, _ modifiers: ModifierFlags = []) -> Key {
      Key(code: 43, symbol: symbol, characters: characters, isDown: isDown, modifiers: modifiers)
    }
    service.tell(key(0x68, "h"), time: 7, number: 1)
    #expect(host.turn { news.last == .answer(1, isHandled: true) }, "\(problem())")
    service.tell(key(0x48, "H", isDown: false, .shift), time: 9, number: 2)
    service.tell(key(0xFF0D, "\r", [.control]), time: 0, number: 3)
    #expect(host.turn { news.last == .answer(3, isHandled: false) }, "\(problem())")
    #expect(
      text(of: listener.output) == """
        ready
        0 104 43 0 7 h True
        1 72 43 1 9 H True
        0 65293 43 4 0  False

        """)
    listener.process.send(SIGTERM)
    #expect(host.turn { !service.hearsKeys }, "\(problem())")
  }

  @Test("A registry that comes anew is asked who listens to keys in place of the one before, by one subscriber")
  func registries() throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    let answer = try python(
      """
      import dbus, os
      bus, daemon = dbus.bus.BusConnection(address()), ('org.freedesktop.DBus', '/org/freedesktop/DBus')
      def call(method, signature, *args): return bus.call_blocking(*daemon, daemon[0], method, signature, args)
      registry = 'org.a11y.atspi.Registry'
      os.kill(call('GetConnectionUnixProcessID', 's', registry), 15)
      while call('NameHasOwner', 's', registry): time.sleep(0.01)
      print(call('StartServiceByName', 'su', registry, 0))
      """)
    #expect(answer == "1\n")
    #expect(host.turn { news.count == 2 }, "\(news)")
    let member = BusMember(
      path: "", interface: "org.a11y.atspi.DeviceEventListener", name: "KeystrokeListenerRegistered")
    let bus = try #require(source.requested.accessibility.bus)
    #expect(
      bus.subscribers.handlers(of: BusSignal(member: member, values: []), from: "org.a11y.atspi.Registry").count == 1)
  }

  @Test("Wrong paths, interfaces, signatures and elements that are gone get errors, a flood is answered in turns")
  func rubbish() async throws {
    let source = start()
    defer { source.stop() }
    try set("IsEnabled", true)
    #expect(isWatched(true))
    source.requested.accessibility.publish(Self.tree())
    let answers = try python(
      """
      import dbus
      bus = dbus.bus.BusConnection(address())
      name = [n for n in bus.list_names() if n.startswith(':') and bus.call_blocking('org.freedesktop.DBus',
        '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'GetConnectionUnixProcessID', 's', (n,)) == \(getpid())][0]
      def call(path, interface, method, signature='', args=()):
        try: return bus.call_blocking(name, path, interface, method, signature, args, timeout=20)
        except dbus.DBusException as e: return e.get_dbus_name().split('.')[-1]
      base, a = '/org/a11y/atspi/accessible/', 'org.a11y.atspi.'
      print(call(base + '99', a + 'Accessible', 'GetRole'), call(base + '01', a + 'Accessible', 'GetRole'))
      print(call(base + '99999999999999999999999', a + 'Accessible', 'GetRole'), call('/', a + 'Accessible', 'GetRole'))
      print(call(base + '3', a + 'Value', 'Whatever'), call(base + '3', a + 'Accessible', 'GetChildAtIndex', 's', ('x',)))
      print(call(base + '3', a + 'Text', 'GetStringAtOffset', 'iu', (-2147483648, 77)))
      print(call(base + '3', a + 'Text', 'GetText', 'ii', (2147483647, -2147483648)))
      print(call(base + '3', a + 'Text', 'GetTextAfterOffset', 'iu', (2147483647, 1)))
      print(call(base + '1', a + 'Component', 'GetAccessibleAtPoint', 'iiu', (-2147483648, 2147483647, 4294967295)))
      print(call(base + '4', 'org.freedesktop.DBus.Properties', 'Set', 'ssv', (a + 'Value', 'CurrentValue', float('nan'))))
      print(call(base + '4', 'org.freedesktop.DBus.Properties', 'Get', 'ss', (a + 'Accessible', 'Nothing')))
      import gi
      from gi.repository import GLib
      from dbus.mainloop.glib import DBusGMainLoop
      for i in range(5000):
        m = dbus.lowlevel.MethodCallMessage(name, base + '3', a + 'Accessible', 'GetState')
        bus.send_message(m)
      print(call(base + '3', a + 'Accessible', 'GetRole'))
      """)
    #expect(
      answers == """
        UnknownObject UnknownObject
        UnknownObject UnknownObject
        UnknownMethod UnknownMethod
        InvalidArgs
        \n\
        (dbus.String(''), dbus.Int32(12), dbus.Int32(12))
        dbus.Struct((dbus.String(''), dbus.ObjectPath('/org/a11y/atspi/null')), signature=None)
        PropertyReadOnly
        UnknownProperty
        79

        """)
    #expect(news.count == 1)
  }
}

/// The programs of the accessibility bus.
enum AccessibilityBus {
  static var isInstalled: Bool {
    access("/usr/libexec/at-spi-bus-launcher", X_OK) == 0
      && access("/usr/share/dbus-1/accessibility-services", F_OK) == 0
      && !((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/python3/dist-packages/pyatspi")) ?? [])
        .isEmpty
  }

  /// Functions of the scripts.
  static let prelude = """
    import gi, sys, time
    gi.require_version('Atspi', '2.0')
    from gi.repository import Atspi, GLib
    Atspi.init()
    def app():
      for _ in range(200):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
          child = desktop.get_child_at_index(i)
          if child and child.get_child_count(): return child
        time.sleep(0.05)
      sys.exit('there is no program')
    def everything(e):
      yield e
      for i in range(e.get_child_count()): yield from everything(e.get_child_at_index(i))
    def find(role, name=None):
      return next(e for e in everything(app()) if e.get_role_name() == role and name in (None, e.get_name()))
    def address():
      import dbus
      return str(dbus.SessionBus().call_blocking('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', '', ()))

    """

  /// Prints the keys that it hears, and takes those whose text is h.
  static let keyListener = """
    import pyatspi, signal
    def heard(e):
      print(int(e.type.real), e.id, e.hw_code, e.modifiers, e.timestamp, e.event_string, bool(e.is_text))
      return e.event_string == 'h'
    def listen(is_on):
      kinds = (pyatspi.KEY_PRESSED_EVENT, pyatspi.KEY_RELEASED_EVENT)
      for mask in [0, 1, 4]:
        if is_on: pyatspi.Registry.registerKeystrokeListener(heard, mask=mask, kind=kinds, synchronous=True, preemptive=True)
        else: pyatspi.Registry.deregisterKeystrokeListener(heard, mask=mask, kind=kinds)
    def leave(*_):
      listen(False)
      GLib.idle_add(sys.exit)
    signal.signal(signal.SIGTERM, leave)
    listen(True)
    GLib.idle_add(print, 'ready')
    pyatspi.Registry.start()

    """

  /// Prints the events that it hears.
  static let listener = """
    def heard(e):
      try: role = e.source.get_role_name()
      except GLib.Error: role = '?'
      print(e.type, e.detail1, e.detail2, role)
    listener = Atspi.EventListener.new(heard)
    roles = [e.get_role_name() for e in everything(app())]
    for kind in ['object:state-changed', 'object:text-changed', 'object:text-caret-moved', 'object:property-change',
      'object:children-changed', 'object:model-changed', 'object:selection-changed', 'object:announcement', 'window']: listener.register(kind)
    print('ready')
    Atspi.event_main()

    """
}
