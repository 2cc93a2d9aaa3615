import ProsceniumCore
import ProsceniumTesting
import Testing

/// Unsaved texts by session; writing them takes a while, and may fail.
@MainActor final class Drafts {
  private(set) var calls: [String] = []
  private(set) var kept: Set<String> = []
  var canWrite = true

  func keep(_ session: String) { kept.insert(session) }
  func keepAll() async -> Bool {
    for _ in 0..<3 { await Task.yield() }
    calls.append(canWrite ? "kept" : "cannot be kept")
    return canWrite
  }
  func remove(_ session: String) {
    kept.remove(session)
    calls.append("removed")
  }
  func close() { calls.append("closed") }
}

@MainActor private final class DraftScene: Responder, WindowSceneDelegate {
  private let drafts: Drafts
  var window: Window?

  init(_ drafts: Drafts) {
    self.drafts = drafts
    super.init()
  }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    drafts.keep(session.persistentIdentifier)
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
}

@MainActor private final class DraftsProgram: Responder, ApplicationDelegate {
  let drafts = Drafts()
  var manifest: ApplicationManifest {
    ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Draft") { [drafts] in DraftScene(drafts) }])
  }

  // Begin: code of ConductEnding.md
  // Nothing is lost by ending, so the user is not asked: what is unsaved is saved first, and the end waits for that.
  func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    Task {
      let isKept = await drafts.keepAll()
      // An answer has to come, whatever happened. Where a refusal is not allowed, the program ends all the same.
      application.reply(toApplicationShouldTerminate: isKept)
    }
    return .later
  }

  // Here alone something is deleted: a scene that is merely disconnected comes back.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions { drafts.remove(session.persistentIdentifier) }
  }

  // Lets go of what others wait for, and saves nothing: a program that is killed does not get here.
  func applicationWillTerminate(_ application: Application) { drafts.close() }
  // End: code of ConductEnding.md
}

@MainActor @Suite("Conduct ending", .serialized) struct ConductEndingTests {
  /// A run with two windows.
  private func launch(_ disk: CuttableDisk = CuttableDisk()) -> (ConductRun, DraftsProgram) {
    let program = DraftsProgram()
    let run = ConductRun(program, on: disk)
    run.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 100)
    return (run, program)
  }

  @Test("Quit: the program ends after everything is kept, and not before")
  func quit() async {
    let (run, program) = launch()
    run.application.terminate()
    run.platform.deliver()
    #expect(run.program.exitStatus == nil && run.application.connectedScenes.count == 2)
    #expect(await run.waits { run.program.exitStatus == 0 })
    #expect(program.drafts.calls == ["kept", "closed"] && program.drafts.kept.count == 2)
  }

  @Test("What cannot be kept keeps a program running that its user quits, but not one that is told to end")
  func refusal() async {
    let (run, program) = launch()
    program.drafts.canWrite = false
    run.application.terminate()
    #expect(await run.waits { program.drafts.calls == ["cannot be kept"] && run.application.terminationCause == nil })
    #expect(run.program.exitStatus == nil && run.application.connectedScenes.count == 2)
    run.platform.send(.signal(15))
    #expect(await run.waits { run.program.exitStatus == 0 })
    #expect(program.drafts.calls == ["cannot be kept", "cannot be kept", "closed"])
  }

  @Test("A closed window's draft is removed; those of a program that ends, or is killed, are not")
  func removal() async throws {
    let disk = CuttableDisk()
    let (run, program) = launch(disk)
    let session = try #require(run.scene?.session.persistentIdentifier)
    run.program.desk.close(try #require(run.window))
    #expect(program.drafts.calls == ["removed"] && !program.drafts.kept.contains(session))
    run.platform.advance(by: 2000)
    run.kill()
    // The next run has the other one, and quits.
    let next = DraftsProgram()
    let second = ConductRun(next, on: disk)
    #expect(next.drafts.kept == program.drafts.kept && next.drafts.kept.count == 1)
    second.application.terminate()
    #expect(await second.waits { second.program.exitStatus == 0 })
    #expect(next.drafts.calls == ["kept", "closed"])
  }
}
