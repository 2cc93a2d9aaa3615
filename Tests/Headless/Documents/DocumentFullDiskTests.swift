import FoundationEssentials
import Glibc
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumStore

/// Changes that can neither be saved nor kept.
@MainActor @Suite("Documents on full disks", .serialized) struct DocumentFullDiskTests {
  private let home: RealHome
  init() throws { home = try RealHome() }

  private static let state = ".local/state/org.example.letters"

  /// A letter that can be neither saved nor kept: it has two names, so that a write needs the folder of kept versions,
  /// which cannot be made.
  private func stuck(_ run: DocumentRun) async throws -> Letter {
    try home.write("letter.txt", "old")
    try #require(link(home.path + "/letter.txt", home.path + "/other.txt") == 0)
    try home.write(Self.state, "a file where the folder is to be")
    let letter = try await run.open()
    letter.write("new")
    return letter
  }

  private func makeRoom() { unlink(home.path + "/" + Self.state) }

  @Test("A document that can be neither saved nor kept is not closed; it is tried again, and closed when it is saved")
  func closed() async throws {
    let run = DocumentRun(home)
    let letter = try await stuck(run)
    #expect(await !letter.close())
    #expect(letter.hasUnsavedChanges && letter.documentState == .savingError && run.controller.documents == [letter])
    let errors = letter.errors
    run.platform.advance(by: 12_000)
    #expect(await run.waits { !letter.jobs.isBusy })
    #expect(await !letter.close())
    #expect(letter.errors.count <= errors.count + 1 && !errors.isEmpty, "\(letter.errors)")
    makeRoom()
    #expect(await run.passes { letter.documentState == .closed })
    #expect(home.read("letter.txt") == "new" && home.read("other.txt") == "new" && run.versions == [])
    #expect(run.controller.documents == [] && run.events.suffix(2) == ["saved", "closed"])
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("One whose file is gone is closed when its changes are kept")
  func closedWhenKept() async throws {
    let run = DocumentRun(home)
    let letter = try await stuck(run)
    unlink(home.path + "/letter.txt")
    #expect(await run.passes { letter.errors.contains(.vanished) && !letter.jobs.isBusy })
    #expect(await !letter.close())
    makeRoom()
    #expect(await run.passes { letter.documentState == .closed })
    #expect(run.kept() == "new" && run.events.suffix(2) == ["kept", "closed"])
  }

  @Test(
    "One that a scene shows stays open when it is saved; one whose scene is gone is closed", arguments: [true, false])
  func shown(_ isShown: Bool) async throws {
    let run = DocumentRun(home)
    let letter = try await stuck(run)
    let scene = try #require(run.program.scenes.first)
    run.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 3000)
    scene.document = letter
    if isShown {
      #expect(await !letter.close())
    } else {
      run.program.application.requestSceneSessionDestruction(scene.session)
    }
    #expect(await run.passes { letter.error != nil && !letter.jobs.isBusy })
    #expect(letter.hasUnsavedChanges && run.controller.documents == [letter])
    makeRoom()
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(await run.passes { letter.documentState == (isShown ? .normal : .closed) })
    #expect(home.read("letter.txt") == "new")
  }

  @Test("The user can give the changes up")
  func givenUp() async throws {
    let run = DocumentRun(home)
    let letter = try await stuck(run)
    #expect(await !letter.close())
    letter.updateChangeCount(.cleared)
    #expect(await letter.close())
    #expect(home.read("letter.txt") == "old" && run.events.suffix(2) == ["undone", "closed"])
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("The end of the program waits for no room, and says which document loses its changes")
  func ends() async throws {
    let run = DocumentRun(home)
    let letter = try await stuck(run)
    run.program.scenes.first?.document = letter
    run.platform.send(.signal(15))
    #expect(await run.passes { run.program.exitStatus == 0 })
    #expect(run.errors.contains { $0.contains("letter.txt") && $0.contains("lost") }, "\(run.errors)")
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("So it says of a new document that could not be saved at all, unless its changes were given up")
  func endsNew() async throws {
    for isGivenUp in [false, true] {
      let run = DocumentRun(home)
      try home.write("folder", "a file where the folder is to be")
      let letter = run.letter("folder/letter.txt")
      try #require(run.program.scenes.first).document = letter
      letter.write("new")
      #expect(await !letter.save(to: letter.fileURL, for: .forCreating))
      if isGivenUp { letter.updateChangeCount(.cleared) }
      run.platform.send(.signal(15))
      #expect(await run.passes { run.program.exitStatus == 0 })
      let isTold = run.errors.contains { $0.contains("letter.txt") && $0.contains("lost") }
      #expect(isTold == !isGivenUp, "\(run.errors)")
      #expect(run.program.violations.isEmpty, "\(run.program.violations)")
    }
  }

  /// A new letter in the first scene, whose first save has failed: its folder cannot be made.
  private func homeless(_ run: DocumentRun) async throws -> (letter: Letter, scene: Scene) {
    try home.write("folder", "a file where the folder is to be")
    let letter = run.letter("folder/letter.txt")
    let scene = try #require(run.program.scenes.first)
    scene.document = letter
    letter.write("new")
    #expect(await !letter.save(to: letter.fileURL, for: .forCreating))
    return (letter, scene)
  }

  @Test("So it says, once, of one whose scene has lost its window")
  func endsWithoutWindow() async throws {
    let run = DocumentRun(home)
    let window = try #require(run.platform.windows.keys.first)
    run.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 3000)
    let (letter, scene) = try await homeless(run)
    run.platform.destroyForeign(window)
    run.platform.advance(by: 100)
    #expect(scene.activationState == .unattached && letter.machine.isWithoutFile)
    run.platform.send(.signal(15))
    #expect(await run.passes { run.program.exitStatus == 0 })
    #expect(run.errors.filter { $0.contains("letter.txt") && $0.contains("lost") }.count == 1, "\(run.errors)")
  }

  #if !WITHOUT_Memory
    @Test("The scene of a new document that could not be saved is not reclaimed before the changes are given up")
    func notReclaimed() async throws {
      let run = DocumentRun(home)
      let (letter, scene) = try await homeless(run)
      let session = scene.session
      run.minimize()
      #expect(await run.passes { run.program.application.applicationState == .background && !letter.jobs.isBusy })
      run.program.application.reclaimPolicy.maximumBackgroundScenes = 0
      run.platform.advance(by: 3000)
      #expect(session.scene === scene && letter.machine.isWithoutFile)
      letter.updateChangeCount(.cleared)
      run.program.application.reclaimPolicy.maximumBackgroundScenes = nil
      run.program.application.reclaimPolicy.maximumBackgroundScenes = 0
      #expect(await run.passes { session.scene == nil })
    }

    @Test("Nor is that of one whose changes have no room anywhere, until they are saved")
    func notReclaimedWithoutRoom() async throws {
      let run = DocumentRun(home)
      let letter = try await stuck(run)
      let scene = try #require(run.program.scenes.first)
      let session = scene.session
      scene.document = letter
      run.minimize()
      #expect(
        await run.passes {
          run.program.application.applicationState == .background && letter.machine.isStuck && !letter.jobs.isBusy
        })
      run.program.application.reclaimPolicy.maximumBackgroundScenes = 0
      run.platform.advance(by: 3000)
      #expect(session.scene === scene && letter.hasUnsavedChanges)
      makeRoom()
      // They may have been kept first.
      #expect(await run.passes { session.scene == nil && home.read("letter.txt") == "new" })
    }
  #endif

  @Test("The end of the program waits for the first save of a new document")
  func endsWhileNew() async throws {
    let run = DocumentRun(home)
    let letter = run.letter("letter.txt")
    try #require(run.program.scenes.first).document = letter
    letter.write("new")
    letter.jobs.enqueue(.save(letter.fileURL, .forCreating))
    #expect(letter.jobs.isBusy)
    run.program.machine.send(signal: 15)
    run.platform.advance(by: 20_000)
    #expect(run.program.exitStatus == 0 && run.events.contains("saved") && home.read("letter.txt") == "new")
    #expect(!run.errors.contains { $0.contains("lost") }, "\(run.errors)")
  }

  @Test("A version that a failed write into the file has taken away is kept again")
  func keptAgain() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    let place = try #require(letter.known?.place)
    let versions = try KeptVersions(applicationIdentifier: "org.example.letters", environment: ["HOME": home.path])
    letter.write("new")
    for _ in 0..<3 {
      letter.reduce(.writing)
      // The file has what it had again, and what was kept meanwhile is gone.
      try versions.remove(place.path)
      #expect(!letter.handle(.notWritten(.file(.system(ENOSPC))), of: .autosave))
      #expect(await run.waits { run.kept() == "new" && !letter.jobs.isBusy })
    }
    #expect(letter.errors == [.diskFull])
    #expect(await letter.close())
    #expect(home.read("letter.txt") == "new" && run.versions == [])
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("A full disk is promised to be tried again only where it is")
  func promised() async throws {
    let run = DocumentRun(home)
    let full = DocumentOutcome.notWritten(.file(.system(ENOSPC)))
    let new = run.letter("new.txt")
    new.reduce(.writing)
    _ = new.handle(full, of: .save(new.fileURL, .forCreating))
    #expect(new.error?.reason == .diskFull && new.error?.description.contains("by itself") == false)
    let letter = try await run.open("letter.txt", "old")
    letter.reduce(.writing)
    _ = letter.handle(full, of: .save(run.url("other.txt"), .forCreating))
    #expect(letter.error?.reason == .diskFull && letter.error?.description.contains("by itself") == false)
    letter.write("new")
    letter.reduce(.writing)
    _ = letter.handle(full, of: .autosave)
    #expect(letter.error?.reason == .diskFull && letter.error?.description.contains("by itself") == true)
  }
}
