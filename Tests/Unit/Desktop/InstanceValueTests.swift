import FoundationEssentials
import ProsceniumCore
import ProsceniumJSON
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The names, the calls and the files of one instance, as values.
@Suite("Values of one instance") struct InstanceValueTests {
  private let rule = InstanceCall.Rule(display: DisplayName(":0"), urls: URLRule(schemes: ["Beacon"]))

  private func read(
    _ name: String, _ values: [BusValue], own: Bool = false, rule: InstanceCall.Rule? = nil
  ) -> Result<InstanceCall, BusFailure> {
    let interface = own ? InstanceInterface.own : InstanceInterface.application
    let member = BusMember(path: "/", interface: interface, name: name)
    return Result { () throws(BusFailure) in try InstanceCall.read(member, values, rule ?? self.rule) }
  }

  private func failure(_ result: Result<InstanceCall, BusFailure>) -> String? {
    guard case .failure(let failure) = result else { return nil }
    return failure.name
  }

  @Test(
    "An id that is a bus name is the name; any other is written in one that is",
    arguments: [
      ("org.example.Editor", "org.example.Editor"), ("org.my-site.a_1", "org.my-site.a_1"),
      ("Editor", "org.proscenium.Application.Editor"),
      ("my editor", "org.proscenium.Application.my_20editor"),
      ("my_20editor", "org.proscenium.Application.my_5f20editor"),
      ("7zip", "org.proscenium.Application._37zip"), ("a..b", "org.proscenium.Application.a_2e_2eb"),
      ("org.7.x", "org.proscenium.Application.org_2e7_2ex"), ("Ü.a", "org.proscenium.Application._c3_9c_2ea"),
    ])
  func names(id: String, name: String) {
    #expect(InstanceName(identifier: id)?.base == name)
    #expect(InstanceName.isValid(name))
  }

  @Test("An instance's object and its number are in its names, and no other program's names are taken for them")
  func paths() throws {
    let name = try #require(InstanceName(identifier: "org.my-site.Editor"))
    #expect(name.path == "/org/my_site/Editor")
    #expect(name.numbered(1) == "org.my-site.Editor")
    #expect(name.numbered(2) == "org.my-site.Editor.Instance2")
    #expect(name.includes("org.my-site.Editor"))
    #expect(name.includes("org.my-site.Editor.Instance100"))
    for other in ["org.my-site.Editor.Instance1", "org.my-site.Editor.Instance02", "org.my-site.Editors", ":1.5", ""] {
      #expect(!name.includes(other))
    }
    #expect(InstanceName(identifier: "") == nil)
    #expect(InstanceName(identifier: String(repeating: "x", count: 250)) == nil)
  }

  @Test(
    "A service of the bus is that of the display that it was started with; one that does not say is this machine's",
    arguments: [
      ("DISPLAY=:0", ":0.0", true), ("DISPLAY=:0", ":1", false), ("DISPLAY=:0", "localhost:10.0", false),
      ("DISPLAY=far:0.0", "far:0", true), ("DISPLAY=", ":1", true), ("DISPLAY=", "localhost:10.0", false),
      ("WAYLAND_DISPLAY=wayland-0", ":0", true), ("WAYLAND_DISPLAY=wayland-0", "localhost:10.0", false),
      ("XDISPLAY=:7", ":1", true), ("DISPLAY=:1", "/tmp/.X11-unix/X0:0", false), ("", "/tmp/x:0", true),
      (nil, ":0", true), (nil, "localhost:10.0", false),
    ] as [(String?, String, Bool)])
  @MainActor func services(variable: String?, display: String, isOurs: Bool) {
    let environment = variable.map { "HOME=/home/a=b\0\($0)\0LANG=C\0" }
    #expect(DisplayServices.isService(with: environment, of: DisplayName(display)) == isOurs)
  }

  @Test(
    "Displays are the same whatever their screen", arguments: [(":0", ":0.0"), (":0", "unix:0"), ("h:1.2", "h:1")])
  func displays(one: String, other: String) {
    #expect(DisplayName(one) == DisplayName(other))
    #expect(DisplayName(one) != DisplayName(":7"))
    #expect(DisplayName("localhost:0") != DisplayName(":0"))
  }

  @Test("What is well formed is handed on as it was sent")
  func good() throws {
    let platform = BusValue.options(["desktop-startup-id": .string("a_TIME7"), "other": .whole(1, code: "i")])
    let open = try read("Open", [.array(of: "s", [.string("BEACON://x/1"), .string("file:///tmp/a%20b")]), platform])
      .get()
    #expect(open.request.urls.map(\.absoluteString) == ["BEACON://x/1", "file:///tmp/a%20b"])
    #expect(open.request.token == "a_TIME7")
    let own = try String(contentsOf: URL(filePath: "/proc/sys/kernel/hostname"), encoding: .utf8).replacing(
      "\n", with: "")
    let here = ["localhost", own].map { "file://\($0)/tmp/x" }
    let files = try read("Open", [.array(of: "s", here.map { .string($0) }), .options([:])]).get()
    #expect(files.request.urls.map(\.absoluteString) == here)
    #expect(try read("Activate", [.options([:])]).get().request == IncomingRequest())
    let start = try read(
      "Start",
      [
        .options([
          "display": .string("unix:0.1"), "arguments": .array(of: "s", [.string("-x"), .string("")]),
          "directory": .string("/tmp"), "background": .bool(true), "later": .double(1),
          "activation-token": .string("t"),
        ])
      ], own: true
    ).get()
    #expect(start.request.arguments == ["-x", ""])
    #expect(start.request.directory == "/tmp")
    #expect(start.request.isBackground)
    #expect(start.request.token == "t")
  }

  @Test("What is too much, of wrong types or not for this program is refused with an error of D-Bus")
  func bad() {
    func open(_ urls: [String]) -> String? {
      failure(read("Open", [.array(of: "s", urls.map { .string($0) }), .options([:])]))
    }
    let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    let long = "beacon:" + String(repeating: "x", count: 1 << 16)
    for urls in [
      [], ["beacon:1", "http://x"], ["javascript:alert(1)"], [""], ["beacon"], ["beacon: x"], ["beacon:\u{1}"], [long],
      ["file:relative"], ["file://elsewhere/x"], ["file:///a%00b"], Array(repeating: "beacon:1", count: 1001),
    ] { #expect(open(urls) == invalid, "\(urls.prefix(2))") }
    #expect(open(Array(repeating: "beacon:1", count: 1000)) == nil)
    for values in [
      [], [.string("x")], [.array(of: "i", []), .options([:])], [.array(of: "s", []), .string("x")],
      [.array(of: "v", [.variant(.string("beacon:1"))]), .options([:])],
    ] as [[BusValue]] { #expect(failure(read("Open", values)) == invalid) }
    for platform in [
      ["desktop-startup-id": .whole(1, code: "i")], ["activation-token": .string(String(repeating: "x", count: 1025))],
    ] as [[String: BusValue]] { #expect(failure(read("Activate", [.options(platform)])) == invalid) }
    #expect(failure(read("Nothing", [])) == "org.freedesktop.DBus.Error.UnknownMethod")
    #expect(
      failure(read("ActivateAction", [.string("x"), .array(of: "v", []), .options([:])]))
        == InstanceInterface.Failure.noSuchAction)
    func start(_ entries: [String: BusValue]) -> String? { failure(read("Start", [.options(entries)], own: true)) }
    #expect(start([:]) == invalid)
    #expect(start(["display": .string(":1")]) == InstanceInterface.Failure.otherDisplay)
    for (key, value) in [
      "arguments": .string("x"), "directory": .string("x"), "background": .string("x"), "urls": .bool(true),
    ] as [String: BusValue] { #expect(start(["display": .string(":0"), key: value]) == invalid, "\(key)") }
  }

  @Test("An action is one of the program's own, with one text at most; any other is refused by its name")
  func actions() throws {
    let items = ["compose", "org.example.reply"].map { ApplicationShortcutItem(type: $0, localizedTitle: $0) }
    var rule = rule
    rule.shortcuts = items
    func read(_ name: BusValue, _ parameters: [BusValue] = []) -> Result<InstanceCall, BusFailure> {
      self.read(
        "ActivateAction",
        [name, .array(of: "v", parameters.map { .variant($0) }), .options(["activation-token": .string("a_TIME7")])],
        rule: rule)
    }
    let call = try read(.string("compose")).get()
    #expect(call.request.shortcut == items[0] && call.request.token == "a_TIME7")
    #expect(try read(.string("org-2eexample-2ereply")).get().request.shortcut == items[1])
    #expect(try read(.string("compose"), [.string("inbox")]).get().request.shortcut?.targetContentIdentifier == "inbox")
    let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    let long = BusValue.string(String(repeating: "x", count: URLRule.longest + 1))
    for parameters in [[.string("a"), .string("b")], [.whole(1, code: "i")], [long]] as [[BusValue]] {
      #expect(failure(read(.string("compose"), parameters)) == invalid)
    }
    #expect(failure(read(.string("none"))) == InstanceInterface.Failure.noSuchAction)
    #expect(failure(read(.string("none"), [long])) == InstanceInterface.Failure.noSuchAction)
    #expect(failure(read(.string(String(repeating: "x", count: 2000)))) == invalid)
    #expect(failure(read(.whole(1, code: "i"))) == invalid)
    func start(_ action: BusValue) -> Result<InstanceCall, BusFailure> {
      self.read("Start", [.options(["display": .string(":0"), "action": action])], own: true, rule: rule)
    }
    #expect(try start(.string("compose")).get().request.shortcut == items[0])
    #expect(failure(start(.string("none"))) == InstanceInterface.Failure.noSuchAction)
  }

  @Test("Items are actions of the desktop entry, each once, for launchers with and without the bus")
  func actionsOfEntry() throws {
    let items = [("new-window", "New\nWindow"), ("org.example.a", ""), ("new-window", "again"), ("", "none")].map {
      ApplicationShortcutItem(type: $0.0, localizedTitle: $0.1)
    }
    let entry = try DesktopEntry(
      identifier: "org.example.Editor", title: "Editor", program: "/a b", schemes: [], fileTypes: [], shortcuts: items
    ).entry
    #expect(
      entry.hasSuffix(
        """
        Actions=new-window;org-2eexample-2ea;

        [Desktop Action new-window]
        Name=New\\nWindow
        Exec="/a b" --action new-window

        [Desktop Action org-2eexample-2ea]
        Name=org.example.a
        Exec="/a b" --action org-2eexample-2ea

        """), "\(entry)")
  }

  @Test("An activity comes over as it is; of one that cannot be read the program hears that it failed")
  func activities() throws {
    var activity = StoredActivity(activityType: "org.example.edit")
    activity.userInfo = [
      "n": .int(7), "d": try JSONValue(Date(timeIntervalSinceReferenceDate: 1), key: "d"), "a": .array([.null]),
    ]
    let text = try #require(ActivityText.write(activity))
    let values: [BusValue] = [.string("org.example.edit"), .string(text), .options([:])]
    #expect(try read("Continue", values, own: true).get().request.activity == .whole(activity))
    let deep = String(repeating: "[", count: 100_000)
    for (type, text) in [("org.example.edit", "{}"), ("other", text), ("x", "{\"activityType\":7}"), ("x", deep)] {
      let call = try read("Continue", [.string(type), .string(text), .options([:])], own: true).get()
      #expect(call.request.activity == .failed(type: type, reason: "the activity cannot be read"))
      #expect(call.failure != nil)
    }
    #expect(failure(read("Continue", [.string(""), .string(text), .options([:])], own: true)) != nil)
  }

  @Test("Programs' paths stand in the files as the specifications say")
  func escapes() throws {
    func entry(_ path: String, _ script: String? = nil) throws(DesktopEntry.Failure) -> DesktopEntry {
      try DesktopEntry(
        identifier: "org.example.Editor", title: "Editor", program: path, script: script,
        schemes: ["Beacon", "b c", ""], fileTypes: ["text/plain"])
    }
    let plain = try entry("/usr/bin/editor")
    #expect(plain.entry.contains("\nExec=\"/usr/bin/editor\" %U\n"))
    #expect(plain.entry.contains("\nMimeType=x-scheme-handler/beacon;text/plain;\n"))
    #expect(plain.service == "[D-BUS Service]\nName=org.example.Editor\nExec='/usr/bin/editor' --background\n")
    let odd = try entry("/a b/\"c\"/$d/`e`/100%/f\\g/h'i/j\nk")
    #expect(odd.entry.contains(#"Exec="/a b/\\"c\\"/\\$d/\\`e\\`/100%%/f\\\\g/h'i/j\nk" %U"#))
    #expect(odd.service.contains(#"Exec='/a b/"c"/$d/`e`/100%/f\\g/h'"'"'i/j\nk' --background"#))
    // Marks that join what stands before them
    let joined = try entry("/\"\u{301}$\u{301}%\u{301}'\u{301}")
    #expect(joined.entry.contains("Exec=\"/\\\\\"\u{301}\\\\$\u{301}%%\u{301}'\u{301}\" %U"), "\(joined.entry)")
    #expect(
      joined.service.contains("Exec='/\"\u{301}$\u{301}%\u{301}'\"'\"'\u{301}' --background"), "\(joined.service)")
    let run = try entry("/usr/bin/python3", "/a b/c=d.py")
    #expect(run.entry.contains("\nExec=\"/usr/bin/python3\" \"/a b/c=d.py\" %U\n"))
    #expect(run.service.contains("\nExec='/usr/bin/python3' '/a b/c=d.py' --background\n"))
    #expect(throws: DesktopEntry.Failure.self) { try entry("/a=b") }
    #expect(throws: DesktopEntry.Failure.self) { try entry("relative") }
  }

  @Test("What an interpreter runs is a script, where it is a file; a program's own command line is none")
  func scripts() throws {
    func script(_ arguments: [String], _ process: [String]) throws(DesktopEntry.Failure) -> String? {
      try DesktopInstaller.script(arguments, in: process)
    }
    #expect(try script(["/etc/passwd", "-x"], ["python3", "/etc/passwd", "-x"])?.hasPrefix("/") == true)
    #expect(try script(["/etc/passwd", "-x"], ["python3", "-B", "/etc/passwd", "-x"])?.hasPrefix("/") == true)
    // Whatever the script has taken out of its command line, or Python's own options are.
    #expect(try script(["/etc/passwd"], ["python3", "/etc/passwd", "--debug"]) != nil)
    #expect(try script(["/etc/passwd"], ["python3", "-m", "module"]) != nil)
    for (arguments, process) in [
      (["Name"], ["editor", "--verbose"]), (["/proc/self/exe"], ["editor", "--verbose"]),
      (["editor", "-x"], ["editor", "-x"]), (["editor", "-x"], ["editor", "-y", "-x"]), ([], ["editor"]),
      (["name", "-x"], ["editor", "-x"]), (["name", "-x"], ["editor", "-y", "-z"]),
    ] {
      #expect(try script(arguments, process) == nil)
    }
    for name in ["-c", "/etc", "/etc/nothing"] {
      #expect(throws: DesktopEntry.Failure.self) { try script([name, "-x"], ["python3", name, "code", "-x"]) }
    }
  }

  @Test("Extensions have the type that counts most in the database")
  func types() {
    let database = "# comment\n50:text/plain:*.txt\n80:text/x-better:*.TXT\n50:a/b:*.c:cs\nrubbish\n50:x/y:name.txt\n"
    #expect(FileTypes.types(of: ["txt", "C", "none"], database: database) == ["text/x-better", "a/b"])
  }
}
