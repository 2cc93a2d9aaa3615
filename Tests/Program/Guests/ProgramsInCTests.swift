import DeskSupport
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension SecondDesk {
  /// What programs in C are told, by the header and the library as they are installed.
  @Suite("Programs in C", .enabled(if: Requirement.server))
  struct ProgramsInCTests {
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

    @Test("Who installs the library where nothing looks for it is told how programs find it")
    func installedElsewhere() async throws {
      let folder = try TemporaryFolder()
      let prefix = folder.file("prefix")
      let told = try await Guest.install(at: prefix, in: folder)
      for option in [
        "PKG_CONFIG_PATH=\(prefix)/lib/pkgconfig", "-Wl,-rpath,\(prefix)/lib",
        "PYTHONPATH=\(prefix)/share/proscenium", "PROSCENIUM_LIBRARY=\(prefix)/lib/libproscenium.so.0",
      ] { #expect(told.contains(option)) }
    }

    @Test("In C callbacks of the launch a turn does nothing, and the descriptor is not there yet")
    func launchInC() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let program = try server.start(try await compile(Self.launch, in: folder), home: folder)
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
    }

    @Test("In C a child that the program has forked ends by its signals itself, and the program goes on")
    func forkInC() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let program = try server.start(try await compile(Self.fork, in: folder), home: folder)
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

    /// Ends with 0 where a child dies of the signals that end the program, or of its handler, and the program of none.
    private static let fork = """
      #include <poll.h>
      #include <proscenium.h>
      #include <signal.h>
      #include <string.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static void leave(int number) { _exit(number); }
      static int run(int number, struct pollfd *due) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) for (;;) pause();
        if (child < 0 || kill(child, number) != 0) return -1;
        for (;;) {
          if (waitpid(child, &status, WNOHANG) == child) return status;
          if (psc_turn() != PSC_OK) break;
          poll(due, 1, 10);
        }
        kill(child, SIGKILL);
        return -1;
      }
      int main(int argc, char **argv) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = leave;
        if (sigaction(SIGINT, &action, NULL) != 0) return 9;
        psc_application application = {.size = sizeof application, .identifier = "org.example.fork"};
        if (psc_attach(&application, argc, argv) != PSC_OK) return 10;
        struct pollfd due = {.fd = psc_descriptor(), .events = POLLIN};
        int status = run(SIGTERM, &due);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM) return 11;
        status = run(SIGINT, &due);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != SIGINT) return 12;
        // The first end counts.
        if (psc_terminate(7) != PSC_OK) return 13;
        while (psc_turn() == PSC_OK) poll(&due, 1, -1);
        return psc_exit_status() == 7 ? 0 : 14;
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
  }
}
