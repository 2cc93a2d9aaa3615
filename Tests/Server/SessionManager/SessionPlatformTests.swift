import DeskSupport
import Glibc
import ProsceniumCore
import SceneLifecycle
import SuiteSupport
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// The platform and a session manager, real libSM on both sides; the test answers for the program.
  @MainActor @Suite("With a session manager", .enabled(if: Requirement.sessionManager)) struct SessionPlatformTests {
    let server: TestServer

    init() throws { server = try #require(TestServer()) }

    @Test("Who registers is told of, is found by its id, and comes back with it")
    func registration() async throws {
      let (manager, stage) = try await join(["/usr/bin/notes", "a.txt"])
      let id = try #require(manager.clientID)
      #expect(manager.lines.contains("registering -"))
      #expect(leaderID(stage) == id)
      #expect(manager.property("Program") == "/usr/bin/notes")
      #expect(manager.property("CloneCommand") == "/usr/bin/notes|a.txt")
      #expect(manager.property("RestartCommand") == "/usr/bin/notes|a.txt|--session-id|\(id)")
      #expect(manager.property("RestartStyleHint") == "0")
      #expect(manager.property("ProcessID") == "\(getpid())")
      #expect(manager.property("UserID")?.isEmpty == false)
      #expect(manager.property("CurrentDirectory")?.hasPrefix("/") == true)
      // Children do not get the connection.
      let descriptor = try #require(stage.platform.parts.sessionManager.session?.descriptor)
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      // When the session manager starts it again as it was told to
      let command = try #require(manager.property("RestartCommand")).split(separator: "|").map(String.init)
      let again = try Recording(server, sessionManager: manager.address, arguments: command)
      // Then it has its id from the start, and keeps it
      #expect(leaderID(again) == id)
      #expect(again.run { again.platform.parts.sessionManager.state == .idle })
      try await manager.wait(for: "properties", times: 2)
      #expect(manager.lines.contains("registering \(id)"))
      #expect(leaderID(again) == id)
      #expect(manager.property("RestartCommand") == command.joined(separator: "|"))
      #expect(stage.errors == [] && again.errors == [])
    }

    @Test("A session manager that does not know a client gives it another id")
    func forgotten() async throws {
      let (manager, stage) = try await join(["notes", "--session-id", "1old"], ["--forget-clients"])
      let id = try #require(manager.clientID)
      #expect(id != "1old" && leaderID(stage) == id)
      #expect(manager.property("RestartCommand") == "notes|--session-id|\(id)")
    }

    @Test("A checkpoint is saved without a question, whatever may be asked", arguments: [0, 1, 2])
    func checkpoint(style: Int) async throws {
      let (manager, stage) = try await join()
      manager.tell("save 1 0 \(style) 0")
      #expect(stage.run { saves(stage) == [.sessionSave(endsSession: false, mayInteract: false)] })
      stage.perform(.sessionInteraction(cancelsShutdown: true))
      stage.perform(.sessionSaved(success: true))
      stage.perform(.sessionSaved(success: true))
      try await manager.wait(for: "save-done")
      manager.tell("complete")
      // A second one finds everything as it was.
      manager.tell("save 0 0 0 0")
      #expect(stage.run { saves(stage).count == 2 })
      stage.perform(.sessionSaved(success: false))
      try await manager.wait(for: "save-done 0")
      #expect(manager.heard == ["save-done 1", "save-done 0"])
      #expect(manager.lines.count { $0 == "properties" } == 3)
    }

    @Test(
      "The session ends, and the user may not be asked: none, errors only, in a hurry",
      arguments: ["save 2 1 0 0", "save 2 1 1 0", "save 1 1 2 1"])
    func shutdown(command: String) async throws {
      let (manager, stage) = try await join()
      manager.tell(command)
      #expect(stage.run { saves(stage) == [.sessionSave(endsSession: true, mayInteract: false)] })
      stage.perform(.sessionSaved(success: true))
      try await manager.wait(for: "save-done 1")
      manager.tell("die")
      #expect(stage.run { stage.events.contains(.sessionEnded) })
      #expect(manager.heard == ["save-done 1"])
    }

    @Test("The user is asked in turn; the session ends, or not", arguments: [false, true])
    func interaction(cancels: Bool) async throws {
      let (manager, stage) = try await join()
      manager.tell("save 2 1 2 0")
      #expect(stage.run { stage.platform.parts.sessionManager.state == .awaitingTurn })
      try await manager.wait(for: "interact-request 1")
      #expect(saves(stage) == [], "it is not its turn yet")
      manager.tell("interact")
      #expect(stage.run { saves(stage) == [.sessionSave(endsSession: true, mayInteract: true)] })
      stage.perform(.sessionInteraction(cancelsShutdown: cancels))
      stage.perform(.sessionSaved(success: true))
      try await manager.wait(for: "save-done 1")
      #expect(manager.heard == ["interact-request 1", "interact-done \(cancels ? 1 : 0)", "save-done 1"])
      manager.tell(cancels ? "cancel" : "die")
      let end = cancels ? PlatformEvent.sessionSaveCancelled : .sessionEnded
      #expect(stage.run { stage.events.contains(end) })
    }

    @Test("Who says that it has saved has no more to ask")
    func silentAnswer() async throws {
      let (manager, stage) = try await join()
      manager.tell("save 2 1 2 0")
      #expect(stage.run { stage.platform.parts.sessionManager.state == .awaitingTurn })
      manager.tell("interact")
      #expect(stage.run { saves(stage).count == 1 })
      stage.perform(.sessionSaved(success: false))
      try await manager.wait(for: "save-done 0")
      #expect(manager.heard == ["interact-request 1", "interact-done 0", "save-done 0"])
    }

    @Test("The end of the session is cancelled at any moment, and the next one is a new one", arguments: 0..<4)
    func cancelled(moment: Int) async throws {
      let (manager, stage) = try await join()
      manager.tell("save 2 1 2 0")
      #expect(stage.run { stage.platform.parts.sessionManager.state == .awaitingTurn })
      try await manager.wait(for: "interact-request 1")
      // Given a program that waits for its turn, asks the user, has its answer, or has saved
      if moment > 0 {
        manager.tell("interact")
        #expect(stage.run { saves(stage).count == 1 })
      }
      if moment > 1 { stage.perform(.sessionInteraction(cancelsShutdown: false)) }
      if moment > 2 { stage.perform(.sessionSaved(success: true)) }
      // When another program cancels
      manager.tell("cancel")
      #expect(stage.run { stage.platform.parts.sessionManager.state == .idle })
      try await manager.wait(for: "save-done")
      // Then it goes on, if it had heard of it, and what it owed has been said
      #expect(stage.events.filter { $0 == .sessionSaveCancelled }.count == (moment > 0 ? 1 : 0))
      let answers = moment > 0 ? ["interact-request 1", "interact-done 0"] : ["interact-request 1"]
      #expect(manager.heard == answers + ["save-done \(moment > 2 ? 1 : 0)"])
      // And an answer that comes too late counts for nothing
      stage.perform(.sessionInteraction(cancelsShutdown: true))
      stage.perform(.sessionSaved(success: true))
      manager.tell("save 1 0 0 0")
      #expect(stage.run { if case .sessionSave(endsSession: false, _)? = saves(stage).last { true } else { false } })
      stage.perform(.sessionSaved(success: true))
      try await manager.wait(for: "save-done", times: 2)
      #expect(manager.heard.last == "save-done 1")
    }

    @Test("Die comes at any moment", arguments: 0..<3)
    func die(moment: Int) async throws {
      let (manager, stage) = try await join()
      if moment > 0 {
        manager.tell("save 2 1 2 0")
        #expect(stage.run { stage.platform.parts.sessionManager.state == .awaitingTurn })
      }
      if moment > 1 {
        manager.tell("interact")
        #expect(stage.run { saves(stage).count == 1 })
      }
      manager.tell("die")
      #expect(stage.run { stage.events.contains(.sessionEnded) })
      manager.send(SIGKILL)
      #expect(stage.run { stage.platform.parts.sessionManager.session == nil })
      #expect(stage.errors == [], "a session manager that goes after Die has done its work")
      #expect(stage.events.filter { $0 == .sessionEnded }.count == 1)
    }

    @Test("A session manager that dies ends nothing but the end of the session", arguments: [false, true])
    func lost(whileSaving: Bool) async throws {
      let (manager, stage) = try await join()
      if whileSaving {
        manager.tell("save 2 1 0 0")
        #expect(stage.run { saves(stage).count == 1 })
      }
      manager.send(SIGKILL)
      #expect(stage.run { stage.platform.parts.sessionManager.session == nil })
      #expect(stage.events.contains(.sessionSaveCancelled) == whileSaving)
      #expect(stage.errors.count == 1)
      stage.perform(.sessionSaved(success: true))
      // Windows still come.
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
    }

    @Test("Half a message keeps the program for a while, and not for ever")
    func halfMessage() async throws {
      let (manager, stage) = try await join()
      manager.tell("raw 010300")
      try await manager.wait(for: "done raw")
      #expect(stage.run { stage.platform.parts.sessionManager.session == nil })
      #expect(stage.errors.count == 1)
    }

    @Test(
      "Rubbish from a session manager loses the session manager, and nothing else",
      arguments: testSeeds(60, test: "rubbish"))
    func rubbish(seed: UInt64) async throws {
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"))
      let stage = try Recording(server, sessionManager: manager.address, arguments: ["notes"])
      #expect(stage.run { stage.platform.parts.sessionManager.state == .idle }, "\(manager.lines) \(stage.errors)")
      var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
      let bytes = (0..<400).map { index -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Most begin as a message of ours would: an opcode of ICE or of XSMP.
        if index == 0, seed % 4 != 0 { return seed % 4 == 1 ? 0 : 1 }
        if index == 1, seed % 4 != 0 { return UInt8(truncatingIfNeeded: seed / 4) }
        if index > 3, index < 8, seed % 2 == 0 { return index == 4 ? 2 : 0 }
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      manager.tell("raw " + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
      try await manager.wait(for: "done raw")
      manager.send(SIGKILL)
      #expect(
        stage.run { stage.platform.parts.sessionManager.session == nil }, "\(stage.platform.parts.sessionManager.state)"
      )
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
    }

    /// A session manager, and a platform that has registered with it.
    private func join(
      _ arguments: [String] = ["notes"], _ options: [String] = []
    ) async throws -> (SessionManager, Recording) {
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"), options)
      let stage = try Recording(server, sessionManager: manager.address, arguments: arguments)
      #expect(stage.run { stage.platform.parts.sessionManager.state == .idle }, "\(manager.lines) \(stage.errors)")
      try await manager.wait(for: "properties")
      return (manager, stage)
    }

    private func saves(_ stage: Recording) -> [PlatformEvent] {
      stage.events.filter { if case .sessionSave = $0 { true } else { false } }
    }

    /// `SM_CLIENT_ID` of the client leader, as the server has it.
    private func leaderID(_ stage: Recording) -> String? {
      let platform = stage.platform
      var id: String?
      platform.parts.server.connection.property(
        platform.parts.server.leader, platform.parts.server.atoms[.smClientID], limit: 256
      ) { value in
        id = value.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
      }
      #expect(stage.run { id != nil })
      return id
    }
  }
}
