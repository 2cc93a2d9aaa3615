import DeskSupport
import Glibc
import SuiteSupport
import TestSupport
import Testing

extension SecondDesk {
  /// What programs in Python are told, by the module as it is installed.
  @Suite("Programs in Python", .enabled(if: Requirement.server))
  struct ProgramsInPythonTests {
    /// Where Python finds what is installed.
    private static func environment(_ prefix: String) -> [String: String] {
      ["PYTHONPATH": "\(prefix)/share/proscenium", "PROSCENIUM_LIBRARY": "\(prefix)/lib/libproscenium.so.0"]
    }

    @Test(
      "A program in Python that cannot attach, or whose only scene fails, ends; another scene that fails goes alone")
    func failureInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.failure)
      let environment = Self.environment(prefix)
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

    @Test("In Python a restored scene that fails goes alone, also the first one")
    func restoredInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.restored)
      let environment = Self.environment(prefix)
      for (fails, status) in [("none", 0), ("first", 7)] {
        let program = try server.start(
          "/usr/bin/env", ["python3", folder.file("program.py"), fails], environment: environment, home: folder)
        #expect(try await program.end() == .exited(Int32(status)), "\(program.evidence)")
      }
    }

    /// Opens two scenes and ends; ends with 7 when the first one, which fails, is gone and the other is there.
    private static let restored = """
      import select, sys, proscenium
      class Program(proscenium.Application):
          identifier = "org.example.restored"
          count = 0
          def scene_will_connect(self, scene, connection):
              self.count += 1
              if sys.argv[1] == "first":
                  if self.count == 1:
                      raise RuntimeError("no window")
              elif self.count == 1:
                  self.new_scene()
              else:
                  self.terminate()
          def scene_did_disconnect(self, scene):
              if sys.argv[1] == "first" and len(self.sessions) == self.count == 2:
                  self.terminate(7)
      program = Program()
      program.attach([sys.argv[0]])
      while program.turn():
          select.select([program.descriptor], [], [])
      sys.exit(program.exit_status)
      """

    @Test("Ctrl-C ends a program in Python in order, also in the loop of asyncio, which has its own handler elsewhere")
    func interruptedInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.interrupted)
      let environment = Self.environment(prefix)
      let program = try server.start(
        "/usr/bin/env", ["python3", folder.file("program.py")], environment: environment, home: folder)
      try await waitUntil("its loop", evidence: { program.evidence }) { program.output.contains("running\n") }
      program.send(SIGINT)
      #expect(try await program.end() == .exited(130), "\(program.evidence)")
      #expect(program.output.contains("Python's own: True\n"), "\(program.output)")
      #expect(program.output.contains("will terminate\n"), "\(program.output)")
    }

    /// Begins with an attachment that is refused, which changes nothing.
    private static let interrupted = """
      import asyncio, signal, sys, proscenium
      class Program(proscenium.Application):
          identifier = "an identifier/with a slash"
          def will_terminate(self):
              print("will terminate", flush=True)
      program = Program()
      try:
          program.attach([sys.argv[0]])
      except proscenium.Error:
          print("Python's own:", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
      program.identifier = "org.example.interrupted"
      program.attach([sys.argv[0]])
      async def main():
          loop = asyncio.get_running_loop()
          ended = loop.create_future()
          def turn():
              if not program.turn() and not ended.done():
                  ended.set_result(None)
          loop.add_reader(program.descriptor, turn)
          print("running", flush=True)
          await ended
      asyncio.run(main())
      sys.exit(program.exit_status)
      """

    @Test("A misspelt callback in Python is refused, with the name that was meant")
    func misspeltInPython() async throws {
      let (folder, server) = (try TemporaryFolder(), try await PrivateDesktop(.none))
      let prefix = try await Guest.install(in: folder)
      try folder.write("program.py", Self.misspelt)
      let environment = Self.environment(prefix)
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
      let environment = Self.environment(prefix).merging([
        "XDG_DATA_HOME": folder.file("data")
      ]) { $1 }
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
      let environment = bus.environment.merging(Self.environment(prefix)) { $1 }
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
  }
}
