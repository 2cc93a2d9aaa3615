import DeskSupport
import FoundationEssentials
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Dialogs of a portal over a real bus, which does as it is told by the dialog's title.
@MainActor @Suite("Dialogs of the portal", .serialized, .enabled(if: BusRequirement.isMet)) struct DialogTests {
  static let portal = "org.freedesktop.portal.Desktop"
  private let host = TestHost()
  private let daemon: PrivateBus
  private let source: BusSource
  private let window = WindowID(rawValue: 0x1A0_0003)

  init() async throws {
    daemon = try await PrivateBus()
    try await daemon.serve(Self.service, name: Self.portal)
    source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
  }

  private func outcome(
    _ title: String, _ kind: FileDialogKind = .open, _ options: FileDialogOptions? = nil
  ) -> DesktopDialogOutcome? {
    var options = options ?? FileDialogOptions()
    options.title = title
    return outcome(.files(kind, options))
  }

  private func outcome(_ dialog: DesktopDialog) -> DesktopDialogOutcome? {
    var result: DesktopDialogOutcome?
    _ = source.requested.dialogs.show(dialog, above: window) { result = $0 }
    #expect(result == nil)
    #expect(host.turn { result != nil }, "\(dialog)")
    return result
  }

  private func words(_ outcome: DesktopDialogOutcome?) -> String? {
    switch outcome {
    case .answered: "answered"
    case .cancelled: "cancelled"
    case .unavailable: "unavailable"
    case .failed: "failed"
    case nil: nil
    }
  }

  private func log() async throws -> String {
    try await daemon.call(Self.portal, "/org/freedesktop/portal/desktop", "test.Dialogs.Log")
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test("An answer is believed for what it is, whenever it comes, and under whichever name")
  func answers() async throws {
    defer { source.stop() }
    let file = try url("file:///tmp/a%20%C3%A9.txt")
    for way in ["later", "early", "renamed"] {
      #expect(outcome("\(way) file:///tmp/a%20%C3%A9.txt") == .answered(.urls([file])), "\(way)")
    }
    #expect(
      outcome("later file:///a file:///b http://c/d file:/// rubbish")
        == .answered(.urls([try url("file:///a"), try url("file:///b"), try url("file:///")])))
    for way in ["cancel", "close"] { #expect(outcome(way) == .cancelled, "\(way)") }
    for rubbish in [
      "later", "later http://a/b", "later file://elsewhere/a", "later %%%", "code", "wrong", "numbers",
    ] { #expect(words(outcome(rubbish)) == "failed", "\(rubbish)") }
    #expect(words(outcome("absent")) == "unavailable")
    #expect(words(outcome("denied")) == "failed")
  }

  @Test("A dialog that the portal has shown while the thread stood still is there, though the portal's time is over")
  func lateTurn() async throws {
    defer { source.stop() }
    #expect(outcome("cancel") == .cancelled && host.settle())
    var result: DesktopDialogOutcome?
    _ = source.requested.dialogs.show(.files(.open, FileDialogOptions(title: "cancel")), above: window) { result = $0 }
    for _ in 0..<12_000 where host.readableCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    // The loop lets deadlines pass before it hears
    host.passTime()
    #expect(host.turn { result == .cancelled }, "\(String(describing: result))")
  }

  @Test("Nobody but the portal answers")
  func strangers() async throws {
    defer { source.stop() }
    var result: DesktopDialogOutcome?
    _ = source.requested.dialogs.show(
      .files(.open, FileDialogOptions(title: "renamed silent")), above: window
    ) { result = $0 }
    #expect(outcome("cancel") == .cancelled)
    let caller = try #require(try await log().firstMatch(of: /:1\.[0-9]+/)).output
    try await daemon.emit(
      "/org/freedesktop/portal/desktop/request/other", "org.freedesktop.portal.Request.Response", "uint32:1",
      "dict:string:string:", to: String(caller))
    #expect(outcome("cancel") == .cancelled)
    #expect(result == nil)
    #expect(outcome("cancel other") == .cancelled)
    #expect(host.turn { result == .cancelled })
  }

  @Test("A portal of another display shows nothing: the dialog is the program's to show")
  func portalElsewhere() async throws {
    source.stop()
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", Self.portal)
    // (uint32 123,)
    let process = try #require(Int(answer.filter(\.isNumber).dropFirst(2)))
    for (display, expected) in [(":0", "unavailable"), ("localhost:10.0", "cancelled")] {
      let processes = try TemporaryFolder()
      try processes.write("\(process)/environ", "HOME=/home/a\0DISPLAY=\(display)\0")
      var environment = daemon.environment
      environment["DISPLAY"] = "localhost:10"
      let source = BusSource(
        environment: environment, processFolder: processes.path, thermalFolder: "/missing"
      ) { _ in }
      defer { source.stop() }
      source.start(host)
      host.passTime()
      var result: DesktopDialogOutcome?
      let dialog = DesktopDialog.files(.open, FileDialogOptions(title: "cancel"))
      _ = source.requested.dialogs.show(dialog, above: window) { result = $0 }
      #expect(host.turn { result != nil })
      #expect(words(result) == expected)
      #expect(try await log().contains("OpenFile") == (expected == "cancelled"))
    }
  }

  @Test("The options are sent as the portal has them")
  func options() async throws {
    defer { source.stop() }
    var options = FileDialogOptions(
      directory: URL(filePath: "/tmp/é"), suggestedName: "a\0b.txt",
      filters: [
        FileFilter("Pictures", extensions: ["png", "t?r"], contentTypes: ["image/*"]), FileFilter("None"),
      ], allowsMultipleSelection: true)
    options.acceptLabel = "Import"
    for kind in FileDialogKind.allCases { _ = outcome("cancel", kind, options) }
    let log = try await log()
    for part in [
      "OpenFile x11:1a00003 accept_label=Import current_filter=Pictures:0*.[pP][nN][gG];0*.[tT][?][rR];1image/* "
        + "current_folder=/tmp/é filters=Pictures:0*.[pP][nN][gG];0*.[tT][?][rR];1image/* multiple=1",
      "SaveFile x11:1a00003 accept_label=Import current_filter=Pictures:0*.[pP][nN][gG];0*.[tT][?][rR];1image/* "
        + "current_folder=/tmp/é current_name=ab.txt filters=",
      "OpenFile x11:1a00003 accept_label=Import current_folder=/tmp/é directory=1'",
    ] { #expect(log.contains(part), "\(log)") }
  }

  @Test("A colour, a picture of the screen and a printed file")
  func others() async throws {
    defer { source.stop() }
    #expect(outcome(.color) == .answered(.color(Color(red: 1, green: 0.5, blue: 0))))
    for _ in ["two", "large", "text", "nan"] { #expect(words(outcome(.color)) == "failed") }
    #expect(outcome(.screenshot(isInteractive: true)) == .answered(.urls([try url("file:///tmp/a.png")])))
    #expect(words(outcome(.screenshot(isInteractive: false))) == "failed")
    let folder = try TemporaryFolder()
    let pdf = URL(filePath: try folder.write("a.pdf", "%PDF-"))
    #expect(outcome(.print(pdf, title: "A\0B")) == .answered(.printed))
    #expect(outcome(.print(pdf, title: "early")) == .answered(.printed))
    #expect(outcome(.print(pdf, title: "rubbish")) == .answered(.printed))
    #expect(outcome(.print(pdf, title: "cancel")) == .cancelled)
    #expect(words(outcome(.print(pdf, title: "denied"))) == "failed")
    // A portal that does not let the user choose before shows its dialog when it prints.
    #expect(outcome(.print(pdf, title: "absent")) == .answered(.printed))
    #expect(
      outcome(.print(URL(filePath: folder.file("none.pdf")), title: ""))
        == .failed(
          "the file cannot be opened: No such file or directory"))
    let log = try await log()
    for title in ["AB", "early"] {
      #expect(log.contains("prepare x11:1a00003 \(title)', 'print x11:1a00003 \(title) token=7 %PDF-"), "\(log)")
    }
    for title in ["rubbish", "absent"] {
      #expect(log.contains("print x11:1a00003 \(title) token=none %PDF-"), "\(log)")
    }
    for title in ["cancel", "denied"] { #expect(!log.contains("print x11:1a00003 \(title)"), "\(log)") }
  }

  @Test("What is closed while the user chooses how to print is not printed")
  func closedBeforePrinting() async throws {
    defer { source.stop() }
    let folder = try TemporaryFolder()
    let pdf = URL(filePath: try folder.write("a.pdf", "%PDF-"))
    var answers = 0
    for isShown in [false, true] {
      let dialog = source.requested.dialogs.show(.print(pdf, title: "silent"), above: window) { _ in answers += 1 }
      if isShown { #expect(outcome("cancel") == .cancelled) }
      dialog.close()
      #expect(outcome("cancel") == .cancelled)
    }
    let log = try await log()
    #expect(log.ranges(of: "Close ").count == 2 && !log.contains("print x11") && answers == 0, "\(log)")
  }

  @Test("One that is closed, before the portal shows it too, is closed there, and is not answered")
  func closing() async throws {
    defer { source.stop() }
    var answers = 0
    // The portal has not even been asked when this one is closed.
    let first = source.requested.dialogs.show(
      .files(.open, FileDialogOptions(title: "silent one")), above: window
    ) { _ in answers += 1 }
    first.close()
    let second = source.requested.dialogs.show(
      .files(.open, FileDialogOptions(title: "silent two")), above: window
    ) { _ in answers += 1 }
    #expect(outcome("cancel") == .cancelled)
    second.close()
    second.close()
    #expect(outcome("cancel") == .cancelled)
    let log = try await log()
    #expect(log.contains("Close one") && log.contains("Close two") && answers == 0, "\(log)")
    #expect(log.ranges(of: "Close").count == 2)
  }

  @Test("A portal that disappears, or never answers, leaves nobody waiting")
  func silence() async throws {
    defer { source.stop() }
    var results: [DesktopDialogOutcome] = []
    func show(_ title: String) {
      _ = source.requested.dialogs.show(.files(.open, FileDialogOptions(title: title)), above: window) {
        results.append($0)
      }
    }
    show("never")
    #expect(outcome("cancel") == .cancelled)
    #expect(results == [])
    host.passTime()
    #expect(results == [.unavailable("the desktop's portal does not answer")])
    results = []
    show("silent one")
    #expect(outcome("cancel") == .cancelled)
    #expect(results == [])
    try await daemon.endServices()
    #expect(host.turn { results.count == 1 })
    #expect(results == [.failed("the desktop's portal has ended")])
    // Another one works.
    try await daemon.serve(Self.service, name: Self.portal)
    #expect(outcome("later file:///a") == .answered(.urls([try url("file:///a")])))
    // And without a bus there is none.
    results = []
    show("silent two")
    #expect(outcome("cancel") == .cancelled)
    try await daemon.kill()
    #expect(host.turn { results.count == 1 })
    #expect(words(outcome("later file:///a")) == "unavailable")
  }

  /// A portal that does as the title of a dialog says.
  private static let service = """
    import dbus, dbus.lowlevel, dbus.mainloop.glib, dbus.service, os
    from gi.repository import GLib
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    chooser, root = "org.freedesktop.portal.FileChooser", "/org/freedesktop/portal/desktop"
    root_name = "org.freedesktop.portal."
    log, tokens = [], {}
    colors = [
        dbus.Struct((1.0, 0.5, 0.0)), dbus.Struct((1.0, 0.5)), dbus.Struct((1.0, 2.0, 0.0)), "red",
        dbus.Struct((float("nan"), 0.0, 0.0)),
    ]

    def respond(path, sender, signature, *values):
        signal = dbus.lowlevel.SignalMessage(path, "org.freedesktop.portal.Request", "Response")
        signal.append(signature=signature, *values)
        signal.set_destination(sender)
        bus.send_message(signal)

    def text(name, value):
        if name == "current_folder":
            return bytes(value).rstrip(bytes(1)).decode()
        if name.endswith("filter"):
            return value[0] + ":" + ";".join(str(kind) + rule for kind, rule in value[1])
        if name == "filters":
            return ",".join(text("filter", one) for one in value)
        return str(value)

    class Desktop(dbus.service.Object):
        @dbus.service.method(chooser, "ssa{sv}", "o", ("answer", "fail"), "sender")
        def OpenFile(self, parent, title, options, answer, fail, sender):
            self.show("OpenFile", parent, title, options, answer, fail, sender)
        @dbus.service.method(chooser, "ssa{sv}", "o", ("answer", "fail"), "sender")
        def SaveFile(self, parent, title, options, answer, fail, sender):
            self.show("SaveFile", parent, title, options, answer, fail, sender)

        def show(self, method, parent, title, options, answer, fail, sender):
            token = options.pop("handle_token")
            log.append(" ".join([sender, method, parent] + [n + "=" + text(n, options[n]) for n in sorted(options)]))
            way, *rest = title.split(" ")
            path = root + "/request/" + sender[1:].replace(".", "_") + "/" + token
            if way == "renamed":
                path = root + "/request/other"
            tokens[path.split("/")[-1]] = rest[0] if rest else ""
            uris = dbus.Dictionary({"uris": dbus.Array(rest, signature="s")}, signature="sv")
            replies = {
                "later": ("ua{sv}", dbus.UInt32(0), uris), "renamed": ("ua{sv}", dbus.UInt32(0), uris),
                "early": ("ua{sv}", dbus.UInt32(0), uris),
                "cancel": ("ua{sv}", dbus.UInt32(1), dbus.Dictionary(signature="sv")),
                "close": ("ua{sv}", dbus.UInt32(2), dbus.Dictionary(signature="sv")),
                "code": ("ua{sv}", dbus.UInt32(3), dbus.Dictionary(signature="sv")),
                "wrong": ("ss", "a", "b"),
                "numbers": ("ua{sv}", dbus.UInt32(0), dbus.Dictionary({"uris": dbus.Int32(5)}, signature="sv")),
            }
            if way == "absent":
                return fail(dbus.DBusException("no", name="org.freedesktop.DBus.Error.UnknownMethod"))
            if way == "denied":
                return fail(dbus.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied"))
            if way == "never":
                return
            if way == "early":
                respond(path, sender, *replies[way])
            answer(dbus.ObjectPath(path))
            if way in replies and way != "early" and rest != ["silent"]:
                respond(path, sender, *replies[way])
            if way == "cancel" and rest == ["other"]:
                respond(root + "/request/other", sender, *replies[way])

        @dbus.service.method(root_name + "Screenshot", "sa{sv}", "o", ("answer", "fail"), "sender")
        def PickColor(self, parent, options, answer, fail, sender):
            value = colors.pop(0)
            self.end(options, answer, sender, {"color": value})

        @dbus.service.method(root_name + "Screenshot", "sa{sv}", "o", ("answer", "fail"), "sender")
        def Screenshot(self, parent, options, answer, fail, sender):
            self.end(options, answer, sender, {"uri": "file:///tmp/a.png"} if options["interactive"] else {"no": "uri"})

        @dbus.service.method(root_name + "Print", "ssha{sv}", "o", ("answer", "fail"), "sender")
        def Print(self, parent, title, fd, options, answer, fail, sender):
            token = " token=" + str(options.get("token", "none")) + " "
            with os.fdopen(fd.take()) as file:
                log.append("print " + parent + " " + title + token + file.read())
            self.end(options, answer, sender, {"no": "thing"})

        @dbus.service.method(root_name + "Print", "ssa{sv}a{sv}a{sv}", "o", ("answer", "fail"), "sender")
        def PreparePrint(self, parent, title, settings, setup, options, answer, fail, sender):
            log.append("prepare " + parent + " " + title)
            errors = {"absent": "UnknownMethod", "denied": "AccessDenied"}
            if title in errors:
                return fail(dbus.DBusException("no", name="org.freedesktop.DBus.Error." + errors[title]))
            token = "x" if title == "rubbish" else dbus.UInt32(7)
            self.end(options, answer, sender, {"settings": dbus.Dictionary(signature="sv"), "token": token}, title)

        def end(self, options, answer, sender, results, way=""):
            path = root + "/request/x/" + options["handle_token"]
            values = dbus.UInt32(1 if way == "cancel" else 0), dbus.Dictionary(results, signature="sv")
            if way == "early":
                respond(path, sender, "ua{sv}", *values)
            answer(dbus.ObjectPath(path))
            if way != "early" and not way.startswith("silent"):
                respond(path, sender, "ua{sv}", *values)

        @dbus.service.method("test.Dialogs", "", "as")
        def Log(self): return dbus.Array(log, signature="s")

    class Request(dbus.service.FallbackObject):
        SUPPORTS_MULTIPLE_OBJECT_PATHS = True
        @dbus.service.method("org.freedesktop.portal.Request", "", "", path_keyword="path")
        def Close(self, path): log.append("Close " + tokens.get(path.split("/")[-1], "?"))

    name = dbus.service.BusName("\(portal)", bus)
    desktop = Desktop(bus, root)
    requests = Request(bus, root + "/request")
    GLib.MainLoop().run()
    """
}
