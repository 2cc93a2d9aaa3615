import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension SecondDesk {
  /// The demos with other toolkits, each with its adapter.
  @Suite("Guests", .enabled(if: Requirement.server))
  struct GuestDemoTests {
    /// GUEST_KILLS is how often a guest is killed at a random moment, too; TEST_SEED repeats the moments.
    private static let kills = getenv("GUEST_KILLS").flatMap { Int(String(cString: $0)) } ?? 0

    @Test("After kills both windows are where they were, with what was in them", arguments: Guest.killed)
    func killed(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let path = try await guest.build(in: builds)
      func start() throws -> Program {
        try desktop.start(path, ["--scenes", "2"], environment: guestEnvironment, home: home)
      }
      // Given two windows with contents of their own
      var program = try start()
      let (first, second) = try await windows(of: program)
      try await fill(first, "hello", guest, desktop, program)
      try await fill(second, "there", guest, desktop, program)
      // What has the focus may go on by itself, as a game does
      let other = desktop.desk.client.makeWindow(x: 900, y: 700, width: 40, height: 40) { _ in }
      try await desktop.desk.waitUntil("another window") { desktop.desk.truth(other).isViewable }
      desktop.desk.focus(other)
      try await program.waitForScene(0, toBe: .foregroundInactive)
      try await program.waitForScene(1, toBe: .foregroundInactive)
      desktop.desk.client.move(first, to: Place(123, 145, 400, 240))
      desktop.desk.client.move(second, to: Place(567, 389, 420, 250))
      // That are stored
      let identifiers = try program.trace.lines().scenes.map(\.identifier)
      var contents: [String: String] = [:]
      try await waitUntil("all to be saved", evidence: { program.evidence }) {
        let records = home.records(of: guest.rawValue)
        for (identifier, (window, width)) in zip(identifiers, [(first, 400), (second, 420)]) {
          let (title, record) = (desktop.desk.title(of: window) ?? "", records[identifier] ?? "")
          contents[identifier] = title
          guard guest.has(title, in: record), record.contains("\"width\":\(width)") else { return false }
        }
        return true
      }
      let places = [first, second].map { desktop.desk.place(of: $0) }
      // When the program is killed and started again, then they are back
      func kill() async throws {
        program.send(SIGKILL)
        #expect(try await program.end() == .signalled(SIGKILL), "\(program.evidence)")
      }
      func areBack() async throws -> [String: UInt32] {
        _ = try await windows(of: program)
        let scenes = try program.trace.lines().scenes
        let found = Dictionary(
          uniqueKeysWithValues: scenes.compactMap { scene in scene.window.map { (scene.identifier, $0) } })
        #expect(Set(found.keys) == Set(identifiers), "\(program.evidence)")
        for (identifier, place) in zip(identifiers, places) {
          let window = try #require(found[identifier], "\(program.evidence)")
          try await waitUntil("\(identifier) to be back", evidence: { program.evidence }) {
            let title = desktop.desk.title(of: window) ?? ""
            return guest.continues(contents[identifier] ?? "", in: title) && desktop.desk.place(of: window) == place
          }
        }
        return found
      }
      try await kill()
      program = try start()
      var found = try await areBack()
      // At any moment, too: of the launch, or after something that may have been stored
      var numbers = SeededNumbers(testSeed())
      for number in 0..<Self.kills {
        if number % 2 == 1, guest.isText, let window = found[identifiers[0]] {
          let old = contents[identifiers[0]] ?? ""
          try await focus(window, desktop, program)
          try desktop.desk.type("x")
          var new = old
          try await waitUntil("what is typed", evidence: { program.evidence }) {
            new = desktop.desk.title(of: window) ?? ""
            return new != old
          }
          usleep(UInt32.random(in: 0...1_500_000, using: &numbers))
          try await kill()
          if guest.has(new, in: home.records(of: guest.rawValue)[identifiers[0]] ?? "") {
            contents[identifiers[0]] = new
          }
        } else {
          try await kill()
          program = try start()
          usleep(UInt32.random(in: 0...1_000_000, using: &numbers))
          try await kill()
        }
        program = try start()
        found = try await areBack()
      }
      // And one that is closed goes, and leaves the other
      let closed = try #require(try program.trace.lines().scenes.first?.window)
      desktop.desk.close(closed)
      try await program.waitForScene(0, toBe: .unattached)
      try await waitUntil("its end", evidence: { program.evidence }) { !desktop.desk.truth(closed).exists }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      #expect(!program.errors.contains("is ended"), "the watchdog ended it: \(program.errors)")
    }

    @Test(
      "A minimised window comes back minimised, with its title, and then with its contents", arguments: Guest.allCases)
    func killedMinimized(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let (path, client) = (try await guest.build(in: builds), desktop.desk.client)
      var program = try desktop.start(path, environment: guestEnvironment, home: home)
      let window = try await program.wait(for: "a scene to be seen") { lines in
        lines.scenes.first { $0.state.hasPrefix("foreground") }?.window
      }
      try await fill(window, "hello", guest, desktop, program)
      desktop.desk.iconify(window)
      try await program.waitForScene(0, toBe: .background)
      let title = desktop.desk.title(of: window) ?? ""
      try await waitUntil("all to be saved", evidence: { "\(home.records(of: guest.rawValue))" }) {
        let record = home.records(of: guest.rawValue).values.first ?? ""
        return guest.has(title, in: record) && record.contains("\"isMinimized\":true")
      }
      program.send(SIGKILL)
      _ = try await program.end()
      try await waitUntil("the window to be forgotten") {
        (client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW") ?? []).isEmpty
      }
      program = try desktop.start(path, environment: guestEnvironment, home: home)
      // Its own window is not there yet: what stands for it says what it is
      let icon = try await waitFor("the icon", evidence: { program.evidence }) {
        client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW")?.first
      }
      #expect(desktop.desk.title(of: icon) == title, "\(program.evidence)")
      let back = try await waitFor("the scene to be seen", evidence: { program.evidence }) {
        // One that is restored while the program still waits for it to be an icon is made one once more.
        if client.longs(icon, "WM_STATE", type: "WM_STATE")?.first == 3 { desktop.desk.restore(icon) }
        return try program.trace.lines().scenes.first { $0.state.hasPrefix("foreground") }?.window
      }
      try await waitUntil("its content", evidence: { program.evidence }) {
        guest.continues(title, in: desktop.desk.title(of: back) ?? "")
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test(
      "A log-out keeps what is open: the session manager has one client of the program",
      arguments: [Guest.editor, .notes])
    func loggedOut(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"), ["--all"])
      let path = try await guest.build(in: builds)
      let environment = guestEnvironment.merging(["SESSION_MANAGER": manager.address]) { $1 }
      let program = try desktop.start(path, ["--scenes", "2"], environment: environment, home: home)
      _ = try await windows(of: program)
      try await manager.wait(for: "properties", evidence: { program.evidence })
      try await waitUntil("both records", evidence: { program.evidence }) {
        home.records(of: guest.rawValue).count == 2
      }
      #expect(manager.lines.count { $0.hasPrefix("registered ") } == 1, "\(manager.lines)")
      manager.tell("save 2 1 0 0")
      try await manager.wait(for: "save-done 1", evidence: { program.evidence })
      manager.tell("die")
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      #expect(home.records(of: guest.rawValue).count == 2, "\(program.evidence)")
    }

    @Test(
      "A text is saved to the file that was chosen, after a kill, too, with its line ends; no other text is opened",
      arguments: [Guest.editor, .notes])
    func files(_ guest: Guest) async throws {
      try Requirement.windowManager(.openbox)
      let (desktop, home, builds) = (
        try await PrivateDesktop(.openbox), try TemporaryFolder(), try TemporaryFolder()
      )
      let path = try await guest.build(in: builds)
      var program = try desktop.start(path, ["--scenes", "2"], environment: guestEnvironment, home: home)
      let (first, second) = try await windows(of: program)
      try await fill(first, "hello", guest, desktop, program)
      try await choose("saved.txt", home, by: "s", of: 0, desktop, program)
      try await waitUntil("the file", evidence: { program.evidence }) { home.read("saved.txt") == "hello" }
      try home.write("returns.txt", "one\r\ntwo\r\n")
      try await focus(second, desktop, program)
      try await choose("returns.txt", home, by: "o", of: 1, desktop, program)
      try await waitUntil("their names to be kept", evidence: { program.evidence }) {
        let records = home.records(of: guest.rawValue).values
        return ["saved.txt", "returns.txt"].allSatisfy { name in records.contains { guest.has(name, in: $0) } }
      }
      program.send(SIGKILL)
      _ = try await program.end()
      program = try desktop.start(path, environment: guestEnvironment, home: home)
      let back = try await windows(of: program)
      func title(_ window: UInt32) -> String { desktop.desk.title(of: window) ?? "" }
      try await waitUntil("the text", evidence: { program.evidence }) {
        [back.0, back.1].contains { title($0) == "hello" }
      }
      let isFirst = title(back.0) == "hello"
      let (saved, other) = isFirst ? back : (back.1, back.0)
      try await focus(saved, desktop, program)
      try desktop.desk.type(" again")
      try await waitUntil("what is typed", evidence: { program.evidence }) { title(saved) == "hello again" }
      try desktop.desk.press("s", .control)
      try await waitUntil("the file", evidence: { program.evidence }) { home.read("saved.txt") == "hello again" }
      try await focus(other, desktop, program)
      try desktop.desk.type("three\nx")
      try await waitUntil("the line ends", evidence: { "\(home.read("returns.txt").debugDescription)" }) {
        try desktop.desk.press("s", .control)
        return home.read("returns.txt") == "one\r\ntwo\r\nthree\r\nx"
      }
      try Data([0xFF, 0xD8]).write(to: URL(filePath: home.file("picture")))
      try home.write("long.txt", String(repeating: "line\n", count: 1_677_722))
      try home.write("mixed.txt", "a\r\nb\n")
      try #require(mkfifo(home.file("pipe"), 0o600) == 0)
      // One that was there before has the focus for a moment once the dialog has gone.
      var refusals: Set<UInt32> = []
      for (name, reason) in [
        ("picture", "not a text"), ("long.txt", "longer than 8 MB"), ("pipe", "not a regular file"),
        ("mixed.txt", "several ways"),
      ]
      where name != "mixed.txt" || guest == .notes {
        try await choose(name, home, by: "o", of: isFirst ? 1 : 0, desktop, program)
        try await waitUntil("the refusal, which takes the focus", evidence: { program.evidence }) {
          let active = desktop.desk.client.longs(desktop.desk.client.root, "_NET_ACTIVE_WINDOW", type: "WINDOW")?.first
          guard program.errors.contains(reason), let active, title(active) == "Error" else { return false }
          return refusals.insert(active).inserted
        }
        #expect(title(other) == "one")
        try await focus(other, desktop, program)
      }
      // A byte order mark and a no-break space stay.
      let marked = "\u{FEFF}a\u{A0}b"
      try home.write("marked.txt", marked)
      try await choose("marked.txt", home, by: "o", of: isFirst ? 1 : 0, desktop, program)
      try await waitUntil("the text", evidence: { program.evidence }) { title(other).contains("b") }
      try await focus(other, desktop, program)
      try desktop.desk.type("c")
      try await waitUntil("what is typed", evidence: { program.evidence }) { title(other).contains("bc") }
      try desktop.desk.press("s", .control)
      try await waitUntil("the file", evidence: { "\(home.read("marked.txt").debugDescription) \(program.evidence)" }) {
        home.read("marked.txt").unicodeScalars.elementsEqual((marked + "c").unicodeScalars)
      }
      if guest == .editor {
        try home.write("twice.txt", "one\r\r\n")
        try await choose("twice.txt", home, by: "o", of: isFirst ? 1 : 0, desktop, program)
        try await waitUntil("the text", evidence: { program.evidence }) { title(other) == "one" }
        try await focus(other, desktop, program)
        try desktop.desk.type("x")
        try await waitUntil("the line ends", evidence: { "\(home.read("twice.txt").debugDescription)" }) {
          try desktop.desk.press("s", .control)
          return home.read("twice.txt") == "one\r\r\nx"
        }
      }
      try await choose("saved.txt", home, by: "o", of: isFirst ? 1 : 0, desktop, program)
      try await waitUntil("the text", evidence: { program.evidence }) { title(other) == "hello again" }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    /// Types a path into the toolkit's dialog, which a key of the scene with the focus brings.
    ///
    /// Nothing completes a path with a dot: the list of completions would take the Return, where it is there in time.
    private func choose(
      _ name: String, _ home: TemporaryFolder, by key: Character, of scene: Int, _ desktop: PrivateDesktop,
      _ program: Program
    ) async throws {
      try desktop.desk.press(DeskKey(key), .control)
      try await program.waitForScene(scene, toBe: .foregroundInactive)
      try desktop.desk.type("\(home.path)/./\(name)\n")
    }

    private func focus(_ window: UInt32, _ desktop: PrivateDesktop, _ program: Program) async throws {
      try await desktop.settle(program) { truths in
        // Once more where a dialog has asked for the focus meanwhile: GTK does so a moment after its window is seen.
        let hasFocus = truths.contains { $0.window == window && $0.hasFocus }
        if !hasFocus { desktop.desk.focus(window) }
        return hasFocus
      }
    }

    /// Compiles a program in C.
    /// - Returns: Its path.
    private func compile(_ source: String, in folder: TemporaryFolder) async throws -> String {
      let (prefix, path) = (try await Guest.install(in: folder), folder.file("program"))
      try folder.write("main.c", source)
      let command = [
        "cc", "-o", path, folder.file("main.c"), "-I\(prefix)/include", "-L\(prefix)/lib", "-lproscenium", "-lxcb",
        "-Wl,-rpath,\(prefix)/lib",
      ]
      try #require(try await Guest.run(command, in: folder) == .exited(0), "\(folder.read("errors"))")
      return path
    }

    @Test("In C callbacks of the launch a turn does nothing, and the descriptor is not there yet")
    func launchInC() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let program = try server.start(try await compile(Self.launch, in: folder), home: folder)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test("In C a launch by the bus is over, with its request, when psc_attach() returns")
    func launchByBus() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let (path, name) = (try await compile(Self.launchedByBus, in: folder), "org.example.bus")
      try folder.write(
        "data/dbus-1/services/\(name).service", "[D-BUS Service]\nName=\(name)\nExec='\(path)' --background\n")
      let bus = try await PrivateBus(variables: [
        "XDG_DATA_HOME": folder.file("data"), "DISPLAY": server.server.display, "HOME": folder.path,
        "XDG_STATE_HOME": folder.file("state"),
      ])
      try await bus.launch(
        name, "/org/example/bus", "org.freedesktop.Application.Open", ["asa{sv}", "1", "note:cold", "0"])
      try await waitUntil("the return", evidence: { bus.output }) { bus.output.contains("attached") }
      #expect(bus.output.contains("attached, with note:cold"), "\(bus.output)")
      try await bus.killOwner(of: name, with: SIGTERM)
      // The first one may have the name for a moment, and one that ends within the call may be gone before it answers
      for _ in 1...200 where !bus.output.contains("ended with 3") {
        try? await bus.launch(
          name, "/org/example/bus", "org.freedesktop.Application.Open", ["asa{sv}", "1", "note:end", "0"])
      }
      try await waitUntil("the end", evidence: { bus.output }) { bus.output.contains("ended with 3") }
    }

    /// Says what had come when it was attached.
    private static let launchedByBus = """
      #include <poll.h>
      #include <proscenium.h>
      #include <stdio.h>
      #include <string.h>
      static char url[100];
      static void will_connect(void *data, psc_scene scene, const psc_connection *connection) {
        (void)data, (void)scene;
        if (connection->url_count == 1) snprintf(url, sizeof url, "%s", connection->urls[0]);
        if (strcmp(url, "note:end") == 0) psc_terminate(3);
      }
      static int goes_on(void *data) { (void)data; return 0; }
      int main(int argc, char **argv) {
        psc_application application = {
          .size = sizeof application, .identifier = "org.example.bus", .scene_will_connect = will_connect,
          .manifest = "{\\"openedURLSchemes\\": [\\"note\\"]}", .should_terminate_after_last_scene_closed = goes_on};
        int outcome = psc_attach(&application, argc, argv);
        if (outcome != PSC_OK && outcome != PSC_ENDED) return 10;
        if (outcome == PSC_OK) printf("attached, with %s\\n", url);
        fflush(stdout);
        struct pollfd due = {.fd = psc_descriptor(), .events = POLLIN};
        while (outcome == PSC_OK && psc_turn() == PSC_OK) poll(&due, 1, -1);
        printf("ended with %d\\n", psc_exit_status());
        return psc_exit_status();
      }
      """

    @Test(
      "In C a request to minimise that is refused or ignored is told, and nothing of processes that fork or are forwarded"
    )
    func refusalInC() async throws {
      try Requirement.windowManager(.i3)
      let folder = try TemporaryFolder()
      let path = try await compile(Self.refusal, in: folder)
      let ignored = "the window manager does not do it"
      for (kind, reason, isForwarded) in [
        (WindowManager.none, "no window manager", false), (.i3, ignored, false), (.i3, ignored, true),
      ] {
        let (desktop, home) = (try await PrivateDesktop(kind), try TemporaryFolder())
        // The server is told of another process than the program's: its parent, or what forwards its connection.
        let proxy = isForwarded ? try XProxy(to: desktop.server) : nil
        defer { withExtendedLifetime(proxy) {} }
        let environment = proxy.map { ["DISPLAY": $0.display, "TOOLKIT_DISPLAY": desktop.server.display] }
        let program = try desktop.start(path, environment: environment ?? ["FORKS": "1"], home: home)
        #expect(try await program.end() == .exited(0), "\(program.evidence)")
        #expect(program.errors.contains("was not minimised: \(reason)"), "\(program.errors)")
        #expect(!program.errors.contains("of another process"), "\(program.errors)")
      }
    }

    /// Ends with 0 when it has been told.
    private static let refusal = """
      #include <poll.h>
      #include <proscenium.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <sys/wait.h>
      #include <unistd.h>
      #include <xcb/xcb.h>
      static xcb_connection_t *connection;
      static uint32_t window;
      static void ignore_hidden(void *data, uint32_t xid, int is_hidden) { (void)data, (void)xid, (void)is_hidden; }
      static void ignore(void *data, uint32_t xid) { (void)data, (void)xid; }
      static void will_connect(void *data, psc_scene scene, const psc_connection *options) {
        (void)data, (void)options;
        const psc_window_owner owner = {.size = sizeof owner, .set_hidden = ignore_hidden, .destroy = ignore};
        xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
        window = xcb_generate_id(connection);
        xcb_create_window(connection, 0, window, screen->root, 0, 0, 300, 200, 0, 1, 0, 0, NULL);
        if (psc_window_adopt(scene, window, &owner) != PSC_OK) psc_terminate(2);
        xcb_map_window(connection, window);
        xcb_flush(connection);
      }
      static void will_enter_foreground(void *data, psc_scene scene) {
        (void)data, (void)scene;
        if (psc_window_minimize(window) != PSC_OK) psc_terminate(3);
      }
      static void request_failed(void *data, const char *message) {
        (void)data;
        fprintf(stderr, "%s\\n", message);
        psc_terminate(0);
      }
      int main(int argc, char **argv) {
        connection = xcb_connect(getenv("TOOLKIT_DISPLAY"), NULL);
        int status;
        if (getenv("FORKS") && fork()) return wait(&status) < 0 ? 11 : WEXITSTATUS(status);
        psc_application application = {
          .size = sizeof application, .identifier = "org.example.refusal", .request_failed = request_failed,
          .scene_will_connect = will_connect, .scene_will_enter_foreground = will_enter_foreground};
        if (psc_attach(&application, argc, argv) != PSC_OK) return 10;
        struct pollfd due = {.fd = psc_descriptor(), .events = POLLIN};
        while (psc_turn() == PSC_OK) poll(&due, 1, -1);
        return psc_exit_status();
      }
      """

    /// Ends with 0 where all is as the header says.
    private static let launch = """
      #include <proscenium.h>
      static int wrong;
      static void check(void *data) {
        (void)data;
        if (psc_turn() != PSC_OK) wrong |= 1;
        if (psc_descriptor() != PSC_ERROR_STATE || psc_time_to_next_turn() != PSC_ERROR_STATE) wrong |= 2;
      }
      int main(int argc, char **argv) {
        psc_application application = {
          .size = sizeof application, .identifier = "org.example.launch", .did_finish_launching = check};
        if (psc_attach(&application, argc, argv) != PSC_OK) return 10;
        if (psc_descriptor() < 0) wrong |= 4;
        if (psc_terminate(0) != PSC_OK) return 11;
        while (psc_turn() == PSC_OK) {}
        return wrong;
      }
      """

    @Test(
      "A program in Python that cannot attach, or whose only scene fails, ends; another scene that fails goes alone")
    func failureInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.failure)
      let environment = [
        "PYTHONPATH": "\(prefix)/share/proscenium", "PROSCENIUM_LIBRARY": "\(prefix)/lib/libproscenium.so.0",
      ]
      for (scenes, status) in [("1", 1), ("2", 7)] {
        let program = try server.start(
          "/usr/bin/env", ["python3", folder.file("program.py"), scenes], environment: environment, home: folder)
        #expect(try await program.end() == .exited(Int32(status)), "\(program.evidence)")
        #expect(program.evidence.description.contains("no window for scene \(scenes)"))
      }
      // An identifier with a slash.
      let program = try server.start(
        "/usr/bin/env", ["python3", folder.file("program.py"), "/"], environment: environment, home: folder)
      #expect(try await program.end() == .exited(1), "\(program.evidence)")
      #expect(program.errors.contains("cannot name a directory"), "\(program.errors)")
    }

    /// The last of so many scenes fails; with 7 the program ends by itself once that one is gone.
    private static let failure = """
      import select, sys, proscenium
      class Program(proscenium.Application):
          identifier = "org.example.failure" + sys.argv[1]
          count = 0
          def scene_will_connect(self, scene, connection):
              self.count += 1
              if self.count == int(sys.argv[1]):
                  raise RuntimeError(f"no window for scene {self.count}")
              self.new_scene()
          def scene_did_disconnect(self, scene):
              if self.count > 1:
                  self.count = 0
                  self.terminate(7)
      program = Program()
      program.attach([sys.argv[0]])
      while program.turn():
          select.select([program.descriptor], [], [])
      sys.exit(program.exit_status)
      """

    @Test("A misspelt callback in Python is refused, with the name that was meant")
    func misspeltInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.misspelt)
      let environment = [
        "PYTHONPATH": "\(prefix)/share/proscenium", "PROSCENIUM_LIBRARY": "\(prefix)/lib/libproscenium.so.0",
      ]
      for (name, status) in [("scene_did_enter_backgroud", 3), ("scene_did_enter_background", 0), ("did_all", 0)] {
        let program = try server.start(
          "/usr/bin/python3", [folder.file("program.py"), name], environment: environment, home: folder)
        #expect(try await program.end() == .exited(Int32(status)), "\(program.evidence)")
        #expect(program.output.contains("scene_did_enter_background") == (status == 3), "\(program.evidence)")
      }
    }

    /// Has a method of the name that it gets.
    private static let misspelt = """
      import sys, proscenium
      Program = type("Program", (proscenium.Application,), {
          "identifier": "org.example.misspelt", sys.argv[1]: lambda self, *_: None,
          "scene_state": lambda self: None, "scene_count": property(lambda self: len(self.sessions))})
      program = Program()
      try:
          program.attach([sys.argv[0]])
      except proscenium.Error as error:
          print(error)
          sys.exit(3 if error.code == -2 else 4)
      program.terminate()
      while program.turn():
          pass
      """

    @Test("The desktop entry of a program in Python starts its script")
    func entryInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("a program.py", Self.installed)
      let environment = [
        "PYTHONPATH": "\(prefix)/share/proscenium", "PROSCENIUM_LIBRARY": "\(prefix)/lib/libproscenium.so.0",
        "XDG_DATA_HOME": folder.file("data"),
      ]
      func install(_ arguments: [String]) async throws -> Program {
        let program = try server.start(
          "/usr/bin/python3", arguments + ["--install-desktop-entry"], environment: environment, home: folder)
        _ = try await program.end()
        return program
      }
      let program = try await install(["-B", folder.file("a program.py")])
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      let entry = folder.read("data/applications/org.example.installed.desktop")
      let exec = entry.split(separator: "\n").first { $0.hasPrefix("Exec=") } ?? ""
      #expect(exec.hasPrefix("Exec=\"/") && exec.contains("\" \"/") && exec.hasSuffix("/a program.py\" %U"), "\(entry)")
      #expect(entry.contains("Name=a program\n"))
      let service = folder.read("data/dbus-1/services/org.example.installed.service")
      #expect(service.contains("/a program.py' --background"), "\(service)")
      // One that is in no file
      let other = try await install(["-c", Self.installed])
      #expect(try await other.end() == .exited(1), "\(other.evidence)")
      #expect(other.errors.contains("no file"), "\(other.errors)")
    }

    private static let installed = """
      import sys, proscenium
      class Program(proscenium.Application):
          identifier = "org.example.installed"
      try:
          Program().attach(sys.argv)
      except proscenium.Ended as ended:
          sys.exit(ended.status)
      except proscenium.Error as error:
          print(error)
          sys.exit(1)
      """

    @Test("Another script of a program's interpreter is not the program itself")
    func otherScript() async throws {
      let (folder, server, bus) = (try TemporaryFolder(), try await PrivateDesktop(.none), try await PrivateBus())
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.called)
      let environment = bus.environment.merging([
        "PYTHONPATH": "\(prefix)/share/proscenium", "PROSCENIUM_LIBRARY": "\(prefix)/lib/libproscenium.so.0",
      ]) { $1 }
      // The one that runs the other script, too.
      let program = try server.start(
        "/usr/bin/python3", [folder.file("program.py")], environment: environment, home: folder)
      try await waitUntil("its name", evidence: { program.evidence }) {
        try program.trace.lines().contains { $0.name == "name" }
      }
      try await bus.serve(Self.caller, name: "org.example.caller")
      try await waitUntil("the call", evidence: { program.evidence }) {
        try program.trace.lines().contains { $0.name == "request" }
      }
      let request = try program.trace.lines().first { $0.name == "request" }
      #expect(request?.text.contains("org.example.called") == false, "\(program.evidence)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    private static let called = """
      import select, sys, proscenium
      class Program(proscenium.Application):
          identifier = "org.example.called"
      program = Program()
      program.attach([sys.argv[0]])
      while program.turn():
          select.select([program.descriptor], [], [])
      sys.exit(program.exit_status)
      """

    /// Calls the program, and then has a name of its own.
    private static let caller = """
      import dbus, time
      bus = dbus.SessionBus()
      program = bus.get_object('org.example.called', '/org/example/called', introspect=False)
      program.Activate(dbus.Dictionary({}, signature='sv'), dbus_interface='org.freedesktop.Application')
      bus.request_name('org.example.caller')
      time.sleep(600)
      """

    /// The windows of the program's two scenes, once both are seen.
    private func windows(of program: Program) async throws -> (UInt32, UInt32) {
      try await program.wait(for: "two scenes to be seen") { lines in
        let seen = lines.scenes.filter { $0.state.hasPrefix("foreground") }.compactMap(\.window)
        return seen.count == 2 ? (seen[0], seen[1]) : nil
      }
    }

    /// Gives a window some content, which its title shows.
    private func fill(
      _ window: UInt32, _ text: String, _ guest: Guest, _ desktop: PrivateDesktop, _ program: Program
    ) async throws {
      try await focus(window, desktop, program)
      switch guest {
      case .game: break
      case .clock: try desktop.desk.type(" ")
      default: try desktop.desk.type(text)
      }
      try await waitUntil("its content", evidence: { program.evidence }) {
        let title = desktop.desk.title(of: window) ?? ""
        return switch guest {
        case .game: Guest.numbers(title).reduce(0, +) > 0
        case .clock: Guest.numbers(title) == [1]
        default: title == text
        }
      }
    }
  }
}

/// A demo with another toolkit, whose windows' titles say what is in them.
enum Guest: String, CaseIterable, CustomTestStringConvertible {
  case editor = "GTK4Editor"
  case notes = "Qt6Notes"
  case game = "SDLGame"
  case clock = "GLFWClock"
  case python = "PythonNotes"

  /// Those that are killed: GUEST is the only one.
  static let killed = getenv("GUEST").flatMap { Guest(rawValue: String(cString: $0)) }.map { [$0] } ?? allCases

  var testDescription: String { rawValue }
  var isText: Bool { self == .editor || self == .notes || self == .python }

  /// Builds the program, as `Demos/run` does, with a library that is linked from the objects of the tests' own build.
  /// - Returns: The program's path.
  func build(in folder: TemporaryFolder) async throws -> String {
    if self == .clock {
      try Requirement.library("libglfw.so.3")
      return Program.besideTests(rawValue)
    }
    let (build, programs) = (Self.repository + "/Demos/Guests/build", Program.besideTests("guests/programs"))
    if !mustNotSkip, try await Self.run([build, "--check", rawValue], in: folder) != .exited(0) {
      try Test.cancel("\(folder.read("errors"))")
    }
    let prefix = try await Self.install(in: folder)
    return try await Builds.shared.once(rawValue) {
      let ending = try await Self.run([build, rawValue, prefix, programs], in: folder)
      try #require(ending == .exited(0), "\(rawValue): \(folder.read("output"))\(folder.read("errors"))")
      return "\(programs)/\(rawValue)"
    }
  }

  private static let repository = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

  /// Installs the library, its header and the module for Python.
  /// - Returns: Where.
  static func install(in folder: TemporaryFolder) async throws -> String {
    try await Builds.shared.once("prefix") {
      let prefix = Program.besideTests("guests/prefix")
      let objects = Program.besideTests("ProsceniumC.product/Objects.LinkFileList")
      let ending = try await run([repository + "/Bindings/install", "--objects", objects, prefix], in: folder)
      try #require(ending == .exited(0), "\(folder.read("output"))\(folder.read("errors"))")
      return prefix
    }
  }

  static func run(_ command: [String], in folder: TemporaryFolder) async throws -> ChildProcess.Ending {
    try await ChildProcess(
      command,
      environment: try privateEnvironment(home: folder, display: nil).merging(["CFLAGS": "-O0"]) { $1 },
      output: folder.file("output"), errors: folder.file("errors")
    ).wait(limit: .seconds(900))
  }

  /// Whether a session's record has what a title says.
  func has(_ title: String, in record: String) -> Bool {
    if self == .clock { return record.contains("\"hours\":\(Guest.numbers(title).first ?? -1)") }
    // The bytes of `psc_session_set_state()`, in base 64.
    let encoded = record.split(separator: "\"$data\":\"").dropFirst().first?.prefix { $0 != "\"" }
    guard let encoded, let data = Data(base64Encoded: String(encoded)) else { return false }
    let state = String(decoding: data, as: UTF8.self)
    if self == .game { return Guest.numbers(state).prefix(2) == Guest.numbers(title)[...] }
    return state.contains(title)
  }

  /// Whether a window has what it had, or, a game, has gone on from there.
  func continues(_ old: String, in new: String) -> Bool {
    guard self == .game else { return new == old }
    let (before, now) = (Guest.numbers(old), Guest.numbers(new))
    return now.count == 2 && zip(before, now).allSatisfy { $0 <= $1 }
  }

  /// The numbers in a text, such as "2 hits, 1 misses".
  static func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.compactMap { Int($0) } }
}
