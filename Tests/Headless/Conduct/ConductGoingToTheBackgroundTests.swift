import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// A window with numbers that are private.
@MainActor final class AccountWindow: Window {
  static let ink: UInt32 = 0x12_34AB
  var showsNumbers = true { didSet { setNeedsDisplay() } }
  private(set) var drawn: [Bool] = []

  override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    drawn.append(showsNumbers)
    for rect in damage { buffer.fill(rect, with: .white) }
    if showsNumbers { buffer.fill(Rect(x: 10, y: 20, width: 30, height: 5), with: Color(rgb: Self.ink)) }
  }
}

/// Data whose saving takes as long as the test wants.
@MainActor final class Account {
  enum Saving: Equatable { case notBegun, begun, done, cancelled }
  private(set) var saving = Saving.notBegun
  var mayFinish = false

  func save() async {
    saving = .begun
    // One that is never told, as after a kill, costs the other tests nothing.
    while !mayFinish, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
    saving = mayFinish ? .done : .cancelled
  }
}

@MainActor final class AccountScene: Responder, WindowSceneDelegate {
  var window: AccountWindow?
  let account = Account()
  var page = 1

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = AccountWindow(windowScene: scene)
    window?.setNeedsDisplay()
    window?.makeKeyAndVisible()
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    page = activity.userInfo?["page"] as? Int ?? 1
  }

  // Begin: code of ConductGoingToTheBackground.md
  func sceneDidEnterBackground(_ scene: Scene) {
    // Neither in the picture that is taken when this has returned, nor in a switcher of windows.
    window?.showsNumbers = false
    // The task is begun here, and not in the code that saves, which runs later: the end of the program waits only for
    // tasks that are open when this returns.
    let application = Application.shared
    let saving = Task { [account] in await account.save() }
    let task = application.beginBackgroundTask(withName: "saving the account") { saving.cancel() }
    Task {
      await saving.value
      application.endBackgroundTask(task)
    }
  }

  // Asked next, and saved before anything is drawn: what the scene shows, and never the only copy of the user's data.
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.account.page")
    activity.userInfo = ["page": page]
    return activity
  }

  // Before the first frame that is visible.
  func sceneWillEnterForeground(_ scene: Scene) { window?.showsNumbers = true }
  // End: code of ConductGoingToTheBackground.md
}

@MainActor @Suite("Conduct going to the background", .serialized) struct ConductGoingToTheBackgroundTests {
  private func launch(
    _ disk: CuttableDisk = CuttableDisk(), _ prepare: (inout ApplicationManifest) -> Void = { _ in }
  ) throws -> (ConductRun, AccountScene) {
    let delegate = ConductDelegate(AccountScene.init)
    prepare(&delegate.manifest)
    let run = ConductRun(delegate, on: disk)
    run.platform.advance(by: 100)
    return (run, try #require(run.scene?.delegate as? AccountScene))
  }

  #if !WITHOUT_Snapshots
    private func holdsInk(_ picture: Picture) -> Bool {
      let pixel = 0xFF00_0000 | AccountWindow.ink
      return (0..<picture.size.height).contains { y in (0..<picture.size.width).contains { picture[$0, y] == pixel } }
    }

    @Test("The numbers are on screen before, not in the picture that is kept, and on screen again after")
    func secrets() throws {
      let disk = CuttableDisk()
      let (run, scene) = try launch(disk)
      let window = try #require(scene.window)
      #expect(holdsInk(try #require(run.scene?.snapshot(afterUpdates: true))))
      let drawn = window.drawn.count
      run.minimize()
      let name = "\(run.scene?.session.persistentIdentifier ?? "").qoi"
      let kept = try #require(SnapshotFile.read(try disk.read(name, limit: 1 << 24)))
      #expect(!holdsInk(kept.picture))
      // It was drawn for the picture alone, and nothing was drawn before the numbers were back.
      #expect(Array(window.drawn[drawn...]) == [false])
      run.restore()
      #expect(Array(window.drawn[(drawn + 1)...]).first == true)
    }
  #endif

  @Test("The page is there after the program was killed in the background")
  func state() throws {
    let disk = CuttableDisk()
    let (run, scene) = try launch(disk)
    scene.page = 12
    run.minimize()
    run.kill()
    scene.account.mayFinish = true
    let next = ConductRun(ConductDelegate(AccountScene.init), on: disk)
    next.platform.restore(try #require(next.platform.windows.keys.first))
    next.platform.advance(by: 100)
    #expect((next.scene?.delegate as? AccountScene)?.page == 12)
  }

  #if !WITHOUT_Suspension
    @Test("The work is finished under its task, and only then is the program suspended")
    func finished() async throws {
      let (run, scene) = try launch(CuttableDisk()) { $0.suspensionPolicy = .whenAllInBackground }
      run.minimize()
      #expect(await run.waits { scene.account.saving == .begun })
      run.platform.advance(by: 10_000)
      #expect(!run.platform.isSuspended)
      scene.account.mayFinish = true
      #expect(await run.waits { run.application.hasBackgroundTasks == false })
      #expect(scene.account.saving == .done)
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
    }
  #endif

  @Test("The end of the program waits for the work")
  func end() async throws {
    let (run, scene) = try launch()
    run.application.terminate()
    #expect(await run.waits { scene.account.saving == .begun })
    #expect(run.program.exitStatus == nil && run.platform.windows.values.allSatisfy { !$0.isMapped })
    scene.account.mayFinish = true
    #expect(await run.waits { run.program.exitStatus == 0 })
    #expect(scene.account.saving == .done)
  }

  @Test("Work for which there is no time is cancelled, and its task ended in time")
  func expired() async throws {
    let (run, scene) = try launch()
    run.minimize()
    #expect(await run.waits { scene.account.saving == .begun })
    run.platform.advance(by: 29_000)
    #expect(await run.waits { run.application.hasBackgroundTasks == false })
    #expect(scene.account.saving == .cancelled)
    run.platform.advance(by: 5000)
    #expect(run.errors.isEmpty)
  }
}
