import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// Real lockers that say nothing on a bus.
  @Suite("Lockers that tell nobody", .enabled(if: Requirement.sceneLab))
  struct LockerProgramTests {
    /// The lockers.
    enum Locker: String, CaseIterable {
      case i3lock, slock, xsecurelock, xscreensaver

      /// xscreensaver refuses to lock for root.
      func arguments(home: TemporaryFolder) -> [String] {
        switch self {
        case .i3lock: ["i3lock", "-n"]
        // The system's own has capabilities that a container does not grant; a copy has none.
        case .slock: ["sh", "-c", #"cp "$(command -v slock)" "$HOME" && exec "$HOME/slock""#]
        case .xsecurelock: ["env", "XSECURELOCK_SAVER=saver_blank", "xsecurelock"]
        case .xscreensaver: Self.asNobody + ["xscreensaver", "--no-splash"]
        }
      }

      static var asNobody: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
      }
    }

    private func names(_ program: Program, from index: Int) throws -> [String] {
      try program.trace.lines().dropFirst(index).filter { $0.kind == "edge" || $0.kind == "app" }.compactMap(\.name)
    }

    /// Waits for a fact, or for protected data that goes with it.
    private func wait(_ program: Program, for name: String, from index: Int) async throws {
      try await program.wait(for: name) { lines in
        lines.dropFirst(index).contains { $0.name == name } ? true : nil
      }
    }

    @Test("A locked screen hides the scene, and the end of the locker brings it back", arguments: Locker.allCases)
    func lock(locker: Locker) async throws {
      if !mustNotSkip, !isInstalled(locker.rawValue) { try Test.cancel("\(locker) is not installed") }
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await desktop.startSceneLab()
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      let home = try TemporaryFolder()
      chmod(home.path, 0o777)
      let environment = [
        "DISPLAY": desktop.desk.server.display, "HOME": home.path, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
      ]
      func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(arguments, environment: environment, output: home.file("output"), errors: home.file("errors"))
      }
      let index = try program.trace.lines().count
      let process = try start(locker.arguments(home: home))
      if locker == .xscreensaver {
        // Its daemon answers once it runs.
        var answer: ChildProcess.Ending?
        for _ in 0..<4000 where answer != .exited(0) {
          answer = try await start(Locker.asNobody + ["xscreensaver-command", "-lock"]).wait()
          try await Task.sleep(for: .milliseconds(50))
        }
        #expect(answer == .exited(0), "\(text(of: home.file("errors")))")
      }
      try await wait(program, for: "applicationProtectedDataWillBecomeUnavailable", from: index)
      let lines = try program.trace.lines().dropFirst(index)
      let fact = try #require(lines.first { $0.kind == "fact" && $0.name == "locked" && $0.to == "true" })
      #expect(fact.text.contains("\"locker"))
      if [.i3lock, .xsecurelock].contains(locker) { #expect(fact.text.contains("\"locker \(locker)\"")) }
      #expect(try names(program, from: index).contains("sceneDidEnterBackground"))
      process.send(SIGTERM)
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      #expect(try names(program, from: index).last == "applicationDidBecomeActive")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A program that is started below a locker is active only when the locker is gone")
    func startedBelow() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let first = try await desktop.startSceneLab()
      try await desktop.settle(first) { $0.contains { $0.expectedState == .foregroundActive } }
      let home = try TemporaryFolder()
      let locker = try ChildProcess(
        ["i3lock", "-n"], environment: ["DISPLAY": desktop.desk.server.display, "PATH": "/usr/bin:/bin"],
        output: home.file("output"), errors: home.file("errors"))
      try await wait(first, for: "locked", from: 0)
      let program = try desktop.start(Program.besideTests("SceneLab"), ["--plain"], home: home)
      try await wait(program, for: "locked", from: 0)
      #expect(!(try names(program, from: 0).contains("sceneDidBecomeActive")))
      locker.send(SIGTERM)
      try await wait(program, for: "sceneDidBecomeActive", from: 0)
      for program in [program, first] {
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0))
      }
    }

    /// Programs that hold the keyboard, and hide nothing.
    @Test(
      "A menu, and the choice of a part of the screen, interrupt the scene and lock nothing",
      arguments: [["sh", "-c", "echo one | dmenu"], ["slop"]])
    func others(arguments: [String]) async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await desktop.startSceneLab()
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      let folder = try TemporaryFolder()
      let index = try program.trace.lines().count
      let other = try ChildProcess(
        arguments, environment: ["DISPLAY": desktop.desk.server.display, "PATH": "/usr/bin:/bin"],
        output: folder.file("output"), errors: folder.file("errors"))
      try await wait(program, for: "sceneWillResignActive", from: index)
      // The screen has been looked at three times by then.
      try await Task.sleep(for: .seconds(2))
      other.send(SIGKILL, toGroup: true)
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      #expect(!(try program.trace.lines().contains { $0.kind == "fact" && $0.name == "locked" }))
      #expect(!(try names(program, from: index).contains("sceneDidEnterBackground")))
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }
  }
}
