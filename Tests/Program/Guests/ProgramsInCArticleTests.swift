import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension SecondDesk {
  /// The programs of the article Programs in C and Python, as they stand there, with the adapters of the demos.
  @Suite("The article about programs in C and Python", .enabled(if: Requirement.server))
  struct ProgramsInCArticleTests {
    /// The first block of the article in a language.
    private func block(_ language: String) throws -> Substring {
      let path = Guest.repository + "/Sources/Proscenium/Proscenium.docc/ProgramsInC.md"
      let article = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      let rest = try #require(article.split(separator: "\n```\(language)\n", maxSplits: 1).dropFirst().first)
      return try #require(rest.split(separator: "\n```\n", maxSplits: 1).first)
    }

    @Test("The program in C has its state again at its second launch, and says why where it cannot be launched")
    func inC() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      _ = try await Guest.editor.build(in: folder)
      let (prefix, demo) = (try await Guest.install(in: folder), Guest.repository + "/Demos/Guests/GTK4Editor")
      let path = folder.file("editor")
      try folder.write("given.h", Self.given)
      try folder.write("editor.c", String(try block("c")))
      let ending = try await Guest.run(
        [
          "sh", "-c",
          """
          export PKG_CONFIG_PATH='\(prefix)/lib/pkgconfig'
          cc -Wall -Werror -o '\(path)' -I'\(demo)' -include '\(folder.file("given.h"))' '\(folder.file("editor.c"))' \
          '\(demo)/adapter.c' $(pkg-config --cflags --libs gtk4 proscenium) '-Wl,-rpath,\(prefix)/lib'
          """,
        ], in: folder)
      try #require(ending == .exited(0), "\(folder.read("errors"))")
      for state in ["none", "kept"] {
        let program = try server.start(path, environment: guestEnvironment, home: folder)
        _ = try await program.wait(for: "a scene in sight") { $0.scenes.first { $0.state.hasPrefix("foreground") } }
        #expect(program.output.contains("state \(state)\n"), "\(program.evidence)")
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0), "\(program.evidence)")
      }
      let program = try server.start(path, environment: ["DISPLAY": ":nowhere"], home: folder)
      #expect(try await program.end() == .exited(1), "\(program.evidence)")
      #expect(program.errors.contains("nowhere"), "\(program.errors)")
    }

    /// What the article leaves to its reader.
    private static let given = """
      #include <gtk/gtk.h>
      #include <proscenium.h>
      static const char text[] = "kept";
      enum { length = sizeof text - 1 };
      static inline GtkWindow *make_window(psc_scene scene) {
        (void)scene;
        return GTK_WINDOW(gtk_window_new());
      }
      static inline void restore(GtkWindow *window, psc_session session) {
        char state[9] = "none";
        if (psc_session_state(session, state, sizeof state) == 4) gtk_window_set_title(window, state);
        printf("state %.4s\\n", state);
        fflush(stdout);
      }
      """

    @Test("The program in Python ends with 0 and without a word where there is nothing to run")
    func inPython() async throws {
      let (folder, server, bus) = (try TemporaryFolder(), try await PrivateDesktop(.none), try await PrivateBus())
      _ = try await Guest.python.build(in: folder)
      let prefix = try await Guest.install(in: folder)
      try folder.write("notes.py", Self.note + String(try block("python")))
      let paths = "\(prefix)/share/proscenium:\(Guest.repository)/Demos/Guests/PythonNotes"
      let environment = guestEnvironment.merging(bus.environment) { $1 }.merging([
        "PYTHONPATH": paths, "PROSCENIUM_LIBRARY": "\(prefix)/lib/libproscenium.so.0", "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_DATA_HOME": folder.file("data"),
      ]) { $1 }
      func start(_ arguments: [String] = []) throws -> Program {
        try server.start(
          "/usr/bin/python3", [folder.file("notes.py")] + arguments, environment: environment, home: folder)
      }
      for state in ["None", "b'kept'"] {
        let program = try start()
        _ = try await program.wait(for: "a scene in sight") { $0.scenes.first { $0.state.hasPrefix("foreground") } }
        #expect(program.output.contains("state \(state)\n"), "\(program.evidence)")
        for arguments in [[], ["--install-desktop-entry"]] {
          let other = try start(arguments)
          #expect(try await other.end() == .exited(0), "\(other.evidence)")
          #expect(!other.errors.contains("Ended"), "\(other.errors)")
        }
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0), "\(program.evidence)")
      }
    }

    /// What the article leaves to its reader.
    private static let note = """
      class Note:
          def __init__(self, state):
              from gi.repository import Gtk
              self.window = Gtk.Window()
              self.state = b"kept"
              print("state", state, flush=True)


      """
  }
}
