#if !WITHOUT_OpenRequests
  import FoundationEssentials
  import Glibc
  import ProsceniumTesting
  import ScenarioKit
  import Testing

  @testable import ProsceniumCore
  @testable import ProsceniumStore
  @testable import ProsceniumTrace

  @MainActor @Suite("A store that is opened after the launch") struct LateStoreTests {
    /// Launches a program whose directory of sessions is below a link.
    private func launch(_ directory: TemporaryDirectory) -> HeadlessProgram {
      let program = HeadlessProgram(store: .directory(environment: ["XDG_STATE_HOME": directory.path + "/state"]))
      program.launch(HistoryProgram(.plain))
      program.advance(by: .seconds(1))
      return program
    }

    private func lead(_ directory: TemporaryDirectory, to target: String) throws {
      let link = directory.path + "/state"
      try #require(symlink(target, link + ".new") == 0 && rename(link + ".new", link) == 0)
    }

    @Test("Its sessions are there, and the first request that shows the program brings them back")
    func restored() async throws {
      let directory = try TemporaryDirectory()
      // Given a program with two scenes
      try #require(mkdir(directory.path + "/kept", 0o700) == 0)
      try lead(directory, to: "kept")
      do {
        let first = launch(directory)
        first.application.activateSceneSession(for: SceneSessionActivationRequest())
        first.advance(by: .seconds(3))
        #expect(first.scenes.count == 2)
        first.platform.send(.signal(SIGTERM))
        #expect(first.exitStatus == 0)
      }
      // When its next launch finds no directory, and there is one later
      try lead(directory, to: "nowhere")
      let program = launch(directory)
      #expect(program.scenes.count == 1 && program.application.openSessions.count == 1)
      try lead(directory, to: "kept")
      try await waitUntil {
        program.advance(by: .milliseconds(100))
        return program.application.openSessions.count > 1
      }
      // Then they are known, and come with the next start
      #expect(program.scenes.count == 1 && program.application.openSessions.count == 3)
      #expect(program.application.restorationReason == .launch)
      program.machine.startAgain()
      program.advance(by: .seconds(3))
      #expect(program.scenes.count == 3)
      #expect(program.entries.count { $0.kind == "error" } == 1)
      program.platform.send(.signal(SIGTERM))
      #expect(program.exitStatus == 0)
    }

    @Test("Sessions that a process of another machine has open are named with it, and the bus is not asked")
    func ownedElsewhere() throws {
      let directory = try TemporaryDirectory()
      let environment = ["XDG_STATE_HOME": directory.path]
      let delegate = HistoryProgram(.plain)
      let identifier = delegate.manifest.applicationIdentifier
      let place = StorePlace(
        applicationIdentifier: identifier, environment: environment, display: ":0", isSeparate: false)
      let opened = try place.open()
      defer { withExtendedLifetime(opened) {} }
      directory.put("\(identifier)/lock", Array("4711 %3A0 far 0f0f\n".utf8))
      let program = HeadlessProgram(store: .directory(environment: environment))
      var isAsked = false
      program.application.host.sendSecondStart = { start in
        isAsked = true
        return .ownerEnded(left: start)
      }
      program.launch(delegate)
      #expect(program.exitStatus == 1 && !isAsked)
      let reports = program.entries.filter { $0.kind == "error" }.map { "\($0)" }
      #expect(
        reports.count == 1 && reports[0].contains("as process 4711 on display :0 of the machine far."), "\(reports)")
    }
  }
#endif
