import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// What the menus of Notes are for: files of dialogs, recent notes, and words that are looked for.
  @Suite("The menus of Notes", .enabled(if: Requirement.program("Notes")))
  struct NotesMenuTests {
    let home: TemporaryFolder
    let desktop: PrivateDesktop

    init() async throws {
      try Requirement.windowManager(.openbox)
      home = try TemporaryFolder()
      desktop = try await PrivateDesktop(.openbox)
    }

    private func start(
      _ arguments: [String] = [], windows: Int, documents: Int = 0, _ environment: [String: String] = [:]
    ) async throws -> Program {
      let program = try desktop.start(
        Program.besideTests("Notes"), arguments, environment: environment, home: home)
      try await settle(program, windows: windows)
      try await program.opens(documents: documents)
      return program
    }

    private func settle(_ program: Program, windows: Int) async throws {
      try await desktop.settle(program, quiet: .milliseconds(200), "\(windows) notes") { truths in
        truths.count == windows && truths.contains { $0.expectedState == .foregroundActive }
      }
    }

    private func press(_ key: DeskKey, _ modifiers: DeskModifiers = []) throws {
      try desktop.desk.press(key, modifiers)
    }

    private func has(_ document: String, _ words: String, _ program: Program) async throws {
      try await waitUntil("\(words) in the file", evidence: { text(of: document) + program.evidence }) {
        text(of: document) == words
      }
    }

    private func window(_ name: String, _ program: Program) throws -> UInt32? {
      try program.windows().first { desktop.desk.client.text($0, "_NET_WM_NAME", type: "UTF8_STRING") == name }
    }

    @Test("Words are found by keys, forwards, backwards and round; what is typed then replaces them")
    func finds() async throws {
      let document = try home.write("list.txt", "one two One\n")
      let program = try await start([document], windows: 1, documents: 1)
      try press(DeskKey("f"), .control)
      try desktop.desk.type("ONE\n")
      try press(DeskKey("g"), .control)
      // Now the second one is selected.
      try press(.escape)
      try desktop.desk.type("1")
      try await has(document, "one two 1\n", program)
      // Round the end, and without the row.
      try press(DeskKey("g"), .control)
      try desktop.desk.type("2")
      try await has(document, "2 two 1\n", program)
      // Other words, which replace those in the row; the one before.
      try press(DeskKey("f"), .control)
      try desktop.desk.type("w")
      try press(DeskKey("g"), [.control, .shift])
      try press(.escape)
      try desktop.desk.type("3")
      try await has(document, "2 t3o 1\n", program)
    }

    @Test("What is looked for in vain is no change of the note: what is undone then is the last one of its text")
    func findsNothing() async throws {
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document], windows: 1, documents: 1)
      try desktop.desk.type("x")
      try await has(document, "xmilk\n", program)
      try press(DeskKey("f"), .control)
      try desktop.desk.type("tea\n")
      try press(.escape)
      try press(DeskKey("z"), .control)
      try await has(document, "milk\n", program)
    }

    @Test("A note that was open is opened again by the menu of recent ones, also after a kill")
    func recent() async throws {
      // Given a document that was closed, and a new note
      let document = try home.write("list.txt", "milk\n")
      let program = try await start([document], windows: 1, documents: 1)
      let first = try #require(try program.windows().first)
      let session = try #require(desktop.desk.client.text(first, "WM_WINDOW_ROLE", type: "STRING"))
      try press(DeskKey("n"), .control)
      try await settle(program, windows: 2)
      desktop.desk.close(first)
      try await settle(program, windows: 1)
      // A kill before that is on disk would bring it back, and lose the new one.
      try await waitUntil("the new one to be saved, and the closed one forgotten", evidence: { program.evidence }) {
        let sessions = home.records(of: "Notes").keys
        return sessions.count == 1 && !sessions.contains(session)
      }
      // When the program is killed, launched again, and asked for it by keys
      program.send(SIGKILL)
      _ = try await program.end()
      let next = try await start(windows: 1)
      try press(DeskKey("f"), .alt)
      for key in [DeskKey.down, .down, .right, .return] { try press(key) }
      // Then it is there
      try await settle(next, windows: 2)
      try await next.opens(documents: 1)
      #expect(try window("list.txt", next) != nil, "\(next.evidence)")
    }

    @Test(
      "Files are opened and saved by the dialogs of the desktop", .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func dialogs() async throws {
      let bus = try await PrivateBus()
      let (list, copy) = (try home.write("list.txt", "milk\n"), home.file("copy.txt"))
      try await bus.serve(Self.portal(opens: list, saves: copy), name: "org.freedesktop.portal.Desktop")
      let program = try await start(windows: 1, bus.environment)
      try press(DeskKey("o"), .control)
      try await settle(program, windows: 2)
      try await program.opens(documents: 1)
      // It is saved as another file, in which it goes on.
      try desktop.desk.type("x")
      try await has(list, "xmilk\n", program)
      try press(DeskKey("s"), [.control, .shift])
      try await waitUntil("the title of the copy", evidence: { program.evidence }) {
        try window("copy.txt", program) != nil
      }
      try desktop.desk.type("y")
      try await has(copy, "xymilk\n", program)
      #expect(text(of: list) == "xmilk\n")
    }

    @Test(
      "A note that is saved as a file that is there leaves beside it what it had, under a name that nothing has",
      .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func savedOver() async throws {
      let bus = try await PrivateBus()
      let (list, old) = (try home.write("list.txt", "milk\n"), try home.write("old.txt", "tea\n"))
      let earlier = try home.write("old.txt~", "water\n")
      chmod(old, 0o640)
      try await bus.serve(Self.portal(opens: list, saves: old), name: "org.freedesktop.portal.Desktop")
      let program = try await start([list], windows: 1, documents: 1, bus.environment)
      try press(DeskKey("s"), [.control, .shift])
      try await waitUntil("the title of the other file", evidence: { program.evidence }) {
        try window("old.txt", program) != nil
      }
      try desktop.desk.type("x")
      try await has(old, "xmilk\n", program)
      #expect(text(of: earlier) == "water\n" && text(of: old + "~2") == "tea\n")
      var status = stat()
      #expect(stat(old + "~2", &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test(
      "A note that cannot be read is not saved as another file",
      .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func unread() async throws {
      let bus = try await PrivateBus()
      let (list, copy) = (home.file("list.txt"), home.file("copy.txt"))
      // Latin 1.
      try Data([0x66, 0xFC, 0x72]).write(to: URL(filePath: list))
      try await bus.serve(
        Self.portal(opens: try home.write("tea.txt", "tea\n"), saves: copy), name: "org.freedesktop.portal.Desktop")
      let program = try await start([list], windows: 1, bus.environment)
      try await fails(program)
      try press(DeskKey("s"), [.control, .shift])
      try await opensAnother(program, windows: 2)
      #expect(access(copy, F_OK) != 0, "\(program.evidence)")
    }

    @Test(
      "A note is not saved over a file that is open in another window, also through a symbolic link",
      .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func savedOverOpen() async throws {
      let bus = try await PrivateBus()
      let (list, tea) = (try home.write("notes/list.txt", "milk\n"), try home.write("tea.txt", "tea\n"))
      symlink(home.file("notes"), home.file("link"))
      try await bus.serve(
        Self.portal(opens: try home.write("water.txt", "water\n"), saves: home.file("link/list.txt")),
        name: "org.freedesktop.portal.Desktop")
      let program = try await start([list, tea], windows: 2, documents: 2, bus.environment)
      let other = try #require(try window("tea.txt", program))
      desktop.desk.focus(other)
      try await desktop.settle(program, quiet: .milliseconds(200)) { truths in
        truths.contains { $0.window == other && $0.expectedState == .foregroundActive }
      }
      try press(DeskKey("s"), [.control, .shift])
      try await opensAnother(program, windows: 3)
      #expect(try text(of: list) == "milk\n" && window("tea.txt", program) == other, "\(program.evidence)")
    }

    @Test(
      "A note whose file is gone is saved anew under its own name", .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func savedAnew() async throws {
      let (bus, list) = (try await PrivateBus(), try home.write("list.txt", "milk\n"))
      try await bus.serve(Self.portal(opens: list, saves: list), name: "org.freedesktop.portal.Desktop")
      let program = try await start([list], windows: 1, documents: 1, bus.environment)
      unlink(list)
      try await fails(program)
      try desktop.desk.type("x")
      try press(DeskKey("s"), [.control, .shift])
      try await has(list, "xmilk\n", program)
    }

    /// Waits until a file could not be read, or is gone.
    private func fails(_ program: Program) async throws {
      try await waitUntil("the failure", evidence: { program.evidence }) {
        try program.documentEvents().contains("failed")
      }
    }

    /// Opens the portal's file: not before the dialog that is open is done with.
    private func opensAnother(_ program: Program, windows count: Int) async throws {
      for _ in 1...20 where try program.windows().count < count {
        try press(DeskKey("o"), .control)
        try? await waitUntil("the window", limit: .seconds(3)) { try program.windows().count == count }
      }
      try await settle(program, windows: count)
    }

    @Test(
      "A panel that comes shows the menus, what is chosen in it is done, and it may go",
      .enabled(if: mustNotSkip || PrivateBus.isInstalled))
    func panel() async throws {
      let (bus, log) = (try await PrivateBus(), home.file("registered"))
      let program = try await start(windows: 1, bus.environment)
      try await bus.serve(Self.registrar(log), name: "com.canonical.AppMenu.Registrar")
      func registered() -> [[String]] {
        text(of: log).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      }
      func evidence() -> String { text(of: log) + program.evidence }
      try await waitUntil("the menus at the registrar", evidence: evidence) { registered().count == 1 }
      let first = try #require(registered().first)
      #expect(try first[0] == "\(#require(program.windows().first))")
      let interface = "com.canonical.dbusmenu"
      let layout = try await bus.call(first[1], first[2], "\(interface).GetLayout", "--", "0", "-1", "[]")
      // The number of the item is in front of its properties.
      let before = layout.prefix(upTo: try #require(layout.firstRange(of: "'New'")).lowerBound)
      let number = before.split(separator: "(").last?.prefix { $0.isNumber } ?? ""
      try await bus.call(first[1], first[2], "\(interface).Event", "\(number)", "clicked", "<0>", "0")
      try await settle(program, windows: 2)
      try await waitUntil("the menus of both windows", evidence: evidence) { registered().count == 2 }
      try await bus.endServices()
      try await program.wait(for: "the end of the panel") { lines in
        lines.contains { $0.name == "panelMenus" && $0.text.contains("\"isOn\":false") } ? true : nil
      }
      // The menus are the windows' own again, and open by their keys.
      try press(DeskKey("f"), .alt)
      try press(.return)
      try await settle(program, windows: 3)
    }

    /// A registrar of menus that writes down what is registered.
    private static func registrar(_ log: String) -> String {
      """
      import dbus, dbus.mainloop.glib, dbus.service
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      name = "com.canonical.AppMenu.Registrar"
      class Registrar(dbus.service.Object):
          @dbus.service.method(name, in_signature="uo", sender_keyword="sender")
          def RegisterWindow(self, window, path, sender):
              with open("\(log)", "a") as file: print(window, sender, path, file=file)
          @dbus.service.method(name, in_signature="u")
          def UnregisterWindow(self, window): pass
      bus = dbus.SessionBus()
      registrar = Registrar(bus, "/com/canonical/AppMenu/Registrar")
      owned = dbus.service.BusName(name, bus)
      GLib.MainLoop().run()
      """
    }

    /// A portal whose user chooses always the same.
    static func portal(opens: String, saves: String) -> String {
      """
      import dbus, dbus.lowlevel, dbus.mainloop.glib, dbus.service
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.SessionBus()
      chooser, root = "org.freedesktop.portal.FileChooser", "/org/freedesktop/portal/desktop"

      class Desktop(dbus.service.Object):
          @dbus.service.method(chooser, "ssa{sv}", "o", ("answer", "fail"), "sender")
          def OpenFile(self, parent, title, options, answer, fail, sender):
              self.choose("\(opens)", options, answer, sender)
          @dbus.service.method(chooser, "ssa{sv}", "o", ("answer", "fail"), "sender")
          def SaveFile(self, parent, title, options, answer, fail, sender):
              self.choose("\(saves)", options, answer, sender)

          def choose(self, path, options, answer, sender):
              request = root + "/request/" + sender[1:].replace(".", "_") + "/" + options["handle_token"]
              answer(dbus.ObjectPath(request))
              signal = dbus.lowlevel.SignalMessage(request, "org.freedesktop.portal.Request", "Response")
              uris = dbus.Dictionary({"uris": dbus.Array(["file://" + path], signature="s")}, signature="sv")
              signal.append(dbus.UInt32(0), uris, signature="ua{sv}")
              signal.set_destination(sender)
              bus.send_message(signal)

      desktop = Desktop(bus, root)
      name = dbus.service.BusName("org.freedesktop.portal.Desktop", bus)
      GLib.MainLoop().run()
      """
    }
  }
}
