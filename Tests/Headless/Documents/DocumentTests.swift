import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import Testing

@testable import ProsceniumCore

/// Documents in real files, in a program without a display.
@MainActor @Suite("Documents", .serialized) struct DocumentTests {
  private let home: RealHome
  init() throws { home = try RealHome() }

  // MARK: Opening, saving, closing

  @Test("It is opened, changed, saved a second later and no sooner, and closed")
  func saved() async throws {
    let run = DocumentRun(home)
    let letter = run.letter("letter.txt")
    try home.write("letter.txt", "old")
    #expect(letter.documentState == .closed && letter.fileType == "text/plain" && letter.localizedName == "letter")
    #expect(await letter.open())
    #expect(letter.documentState == .normal && letter.text == "old" && !letter.hasUnsavedChanges)
    #expect(letter.fileModificationDate != nil && run.controller.documents == [letter])
    letter.write("new")
    letter.write("newer")
    #expect(letter.hasUnsavedChanges && letter.takes == 0)
    run.platform.advance(by: 990)
    #expect(!letter.jobs.isBusy)
    run.platform.advance(by: 20)
    #expect(await run.waits { !letter.hasUnsavedChanges })
    #expect(home.read("letter.txt") == "newer" && letter.takes == 1)
    #expect(await letter.close())
    #expect(letter.documentState == .closed && run.controller.documents == [])
    #expect(run.events == ["opened", "edited", "saved", "closed"])
  }

  /// Begins work on a document, which may be over by the time that this test has the main actor again.
  private func begin(
    _ letter: Letter, _ body: @escaping @MainActor () async -> Bool
  ) async -> Task<Bool, Never> {
    var isOver = false
    let task = Task {
      defer { isOver = true }
      return await body()
    }
    while !letter.jobs.isBusy, !isOver { await Task.yield() }
    return task
  }

  @Test("One that was not opened writes its file over, and is open then", arguments: [true, false])
  func savedUnopened(isThere: Bool) async throws {
    let run = DocumentRun(home)
    if isThere { try home.write("letter.txt", "old") }
    let letter = run.letter("letter.txt")
    letter.write("new")
    #expect(await letter.save(to: letter.fileURL, for: .forOverwriting))
    #expect(home.read("letter.txt") == "new" && letter.loads == 0 && letter.errors == [])
    #expect(letter.documentState == .normal && !letter.hasUnsavedChanges && run.controller.documents == [letter])
    // What is changed now is saved as ever
    letter.write("newer")
    #expect(await letter.close() && home.read("letter.txt") == "newer")
  }

  @Test("What is changed while it is being written is saved next")
  func duringWriting() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("one")
    let saving = await begin(letter) { await letter.autosave() }
    letter.write("two")
    #expect(await saving.value && letter.hasUnsavedChanges)
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(home.read("letter.txt") == "two")
    #expect(run.events == ["opened", "edited", "saved", "edited", "saved"])
  }

  /// Does something once as it is asked for its content.
  private final class Asking: Letter {
    var act: (() -> Void)?
    override func contents(forType typeName: String) throws -> Data {
      act.take()?()
      return try super.contents(forType: typeName)
    }
  }

  @Test("What asks for a save while another one begins is answered as well", arguments: [true, false])
  func askedWhileBeginning(_ isNotice: Bool) async throws {
    let run = DocumentRun(home)
    try home.write("letter.txt", "old")
    let letter = Asking(fileURL: run.url("letter.txt"))
    letter.application = run.program.application
    #expect(await letter.open())
    var (outer, inner): (Bool?, Bool?)
    func ask() { Task.immediate { inner = await letter.autosave() } }
    var token: NotificationCenter.ObservationToken?
    letter.write("new")
    if isNotice {
      var hasAsked = false
      token = NotificationCenter.default.addObserver(of: letter, for: .documentStateDidChange) { _ in
        guard !hasAsked else { return }
        hasAsked = true
        ask()
      }
    } else {
      letter.act = ask
    }
    Task { outer = await letter.autosave() }
    #expect(await run.passes { outer != nil && inner != nil })
    #expect(outer == true && inner == true && home.read("letter.txt") == "new" && !letter.hasUnsavedChanges)
    #expect(await letter.close())
    #expect(letter.documentState == .closed)
    withExtendedLifetime(token) {}
  }

  @Test("A new document makes its file and is open; it replaces none")
  func new() async throws {
    let run = DocumentRun(home)
    let letter = run.letter("new.txt")
    letter.text = "one"
    let saving = await begin(letter) { await letter.save(to: run.url("new.txt"), for: .forCreating) }
    // Typed meanwhile
    letter.write("two")
    #expect(await saving.value)
    #expect(home.read("new.txt") == "one" && letter.documentState == .normal && letter.hasUnsavedChanges)
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(home.read("new.txt") == "two")
    let other = run.letter("new.txt")
    #expect(await !other.save(to: run.url("new.txt"), for: .forCreating))
    #expect(other.error?.reason == .exists && other.documentState == .closed && home.read("new.txt") == "two")
  }

  @Test("A save into another file makes that the document's; one that fails changes nothing")
  func elsewhere() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("new")
    #expect(await !letter.save(to: run.url("no folder/b.txt"), for: .forCreating))
    #expect(letter.error?.url == run.url("no folder/b.txt") && letter.documentState == .normal)
    #expect(letter.fileURL == run.url("letter.txt") && letter.hasUnsavedChanges)
    #expect(await letter.save(to: run.url("b.txt"), for: .forCreating))
    #expect(letter.fileURL == run.url("b.txt") && !letter.hasUnsavedChanges && letter.error == nil)
    #expect(home.read("letter.txt") == "old" && home.read("b.txt") == "new")
    // The other file is watched from now on
    try home.write("b.txt", "theirs")
    #expect(await run.passes { letter.text == "theirs" })
  }

  @Test("Reverting gives up what is not saved")
  func reverted() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.replace("new")
    #expect(await letter.revert())
    #expect(letter.text == "old" && !letter.hasUnsavedChanges && !letter.undoManager.canUndo)
    run.platform.advance(by: 2000)
    #expect(!letter.jobs.isBusy && home.read("letter.txt") == "old")
  }

  @Test("Closing saves; a document that is not open can be closed, and one can be opened again")
  func closed() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("new")
    #expect(await letter.close())
    #expect(home.read("letter.txt") == "new")
    #expect(await letter.close())
    letter.updateChangeCount(.done)
    #expect(!letter.hasUnsavedChanges)
    #expect(await letter.open())
    #expect(await letter.open())
    #expect(letter.loads == 2)
  }

  // MARK: Undo

  @Test("Undoing to what was saved leaves nothing to save, undoing past it does")
  func undo() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "a")
    letter.replace("b")
    #expect(letter.hasUnsavedChanges)
    letter.undoManager.undo()
    #expect(!letter.hasUnsavedChanges && letter.text == "a")
    letter.undoManager.redo()
    #expect(letter.hasUnsavedChanges)
    #expect(await letter.autosave())
    letter.replace("c")
    letter.undoManager.undo()
    #expect(letter.text == "b" && !letter.hasUnsavedChanges)
    letter.undoManager.undo()
    #expect(letter.text == "a" && letter.hasUnsavedChanges)
    // What was saved cannot be reached any more
    letter.replace("d")
    #expect(letter.hasUnsavedChanges)
    #expect(await letter.autosave())
    #expect(home.read("letter.txt") == "d")
  }

  @Test("A change whose undo does nothing, because its object is gone, is saved")
  func undoneForNothing() async throws {
    final class Words {}
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "a")
    var words: Words? = Words()
    if let words { letter.undoManager.registerUndo(withTarget: words) { _ in letter.text = "a" } }
    letter.text = "b"
    words = nil
    letter.undoManager.undo()
    #expect(letter.text == "b" && letter.hasUnsavedChanges && !letter.undoManager.canUndo)
    #expect(await letter.autosave())
    #expect(home.read("letter.txt") == "b")
  }

  // MARK: Scenes and the program

  @Test("It is saved when its scene resigns, at once")
  func resigns() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    run.program.scenes.first?.document = letter
    letter.write("new")
    run.platform.focus(nil)
    run.platform.deliver()
    // The hold of the focus, and no second
    run.platform.advance(by: 300)
    #expect(run.program.scenes.first?.activationState == .foregroundInactive)
    #expect(await run.waits { home.read("letter.txt") == "new" })
  }

  @Test("A scene that is closed closes its document, which is saved before the program ends")
  func sceneCloses() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    run.program.scenes.first?.document = letter
    letter.write("new")
    run.program.windows.first.map(run.program.desk.close)
    #expect(await run.passes { run.program.exitStatus == 0 })
    #expect(home.read("letter.txt") == "new" && letter.documentState == .closed)
    #expect(run.events == ["opened", "edited", "saved", "closed"])
  }

  @Test("It is saved before the program ends, and what the last callback changes, too", arguments: [15, 1])
  func ends(_ signal: Int32) async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("new")
    let token = NotificationCenter.default.addObserver(of: run.program.application, for: .willTerminate) { _ in
      letter.write(letter.text + " and last")
    }
    run.platform.send(.signal(signal))
    #expect(await run.passes { run.program.exitStatus == 0 })
    NotificationCenter.default.removeObserver(token)
    #expect(home.read("letter.txt") == "new and last")
    let lines = run.program.trace.map(\.description)
    #expect(lines.contains { $0.contains("applicationWillTerminate") })
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("What another program writes is seen by a test that waits with the kit alone")
  func elsewhereInTests() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    try home.write("letter.txt", "theirs")
    #expect(
      await run.program.waits {
        run.program.advance(by: .milliseconds(10))
        return letter.text == "theirs"
      })
  }

  #if !WITHOUT_Suspension
    @Test("The program is not suspended before it is saved, and hears of changes when it runs again")
    func suspension() async throws {
      let run = DocumentRun(home, suspends: true)
      let letter = try await run.open("letter.txt", "old")
      letter.write("new")
      run.minimize()
      #expect(await run.passes { run.platform.isSuspended })
      #expect(home.read("letter.txt") == "new")
      let lines = run.program.entries.compactMap { record -> String? in
        guard case .system(let system) = record else { return nil }
        return system.name == "document" ? system.details["event"]?.text : system.name
      }
      let suspended = try #require(lines.firstIndex(of: "suspended"))
      #expect(lines[..<suspended].contains("saved"))
      let loads = letter.loads
      try home.write("letter.txt", "theirs")
      run.platform.pollSources()
      run.platform.advance(by: 3000)
      #expect(!letter.jobs.isBusy && letter.loads == loads && run.platform.isSuspended)
      run.restore()
      #expect(await run.passes { letter.text == "theirs" })
      #expect(run.program.violations.isEmpty, "\(run.program.violations)")
    }

    @Test("What is changed in the background is saved before the program is suspended")
    func inBackground() async throws {
      let run = DocumentRun(home, suspends: true)
      let letter = try await run.open("letter.txt", "old")
      run.minimize()
      run.platform.advance(by: 500)
      letter.write("new")
      #expect(await run.passes { run.platform.isSuspended })
      #expect(home.read("letter.txt") == "new" && run.program.violations.isEmpty, "\(run.program.violations)")
    }
  #endif

  @Test("A kill loses nothing that was saved; the next process brings the scene back with its document")
  func killed() async throws {
    let run = DocumentRun(home)
    try home.write("letter.txt", "old")
    run.controller.openDocument(at: run.url("letter.txt"))
    run.platform.advance(by: 3000)
    func scene() -> LetterScene? {
      run.program.scenes.compactMap { $0.delegate as? LetterScene }.first { $0.letter != nil }
    }
    #expect(await run.passes { scene()?.letter?.documentState == .normal })
    scene()?.letter?.write("new")
    #expect(await run.passes { home.read("letter.txt") == "new" })
    run.platform.advance(by: 2000)
    run.program.kill()
    run.program.relaunch()
    #expect(await run.passes { scene()?.letter?.text == "new" })
    #expect(scene()?.asked == run.url("letter.txt"))
  }

  @Test("A second opening of a URL, also through a link, brings the scene forward that has it")
  func oneScene() async throws {
    let run = DocumentRun(home)
    try home.write("letter.txt", "old")
    symlink("letter.txt", home.path + "/link.txt")
    let application = run.program.application
    run.controller.openDocument(at: run.url("letter.txt"))
    run.platform.advance(by: 3000)
    let first = try #require(run.program.scenes.last)
    application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 3000)
    let count = run.program.scenes.count
    #expect(first.activationState != .foregroundActive)
    run.controller.openDocument(at: run.url("letter.txt"))
    run.platform.advance(by: 3000)
    #expect(run.program.scenes.count == count && first.activationState == .foregroundActive)
    // A request that knows only the link, as that of a file manager
    application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 3000)
    let activity = UserActivity(activityType: Document.activityType)
    activity.documentURL = run.url("link.txt")
    activity.targetContentIdentifier = run.url("link.txt").absoluteString
    application.activateSceneSession(for: SceneSessionActivationRequest(userActivity: activity))
    #expect(await run.passes { first.activationState == .foregroundActive })
    #expect(await run.passes { run.program.scenes.count == count + 1 })
  }

  @Test("Two sessions that have come to one document are one scene after the next launch", arguments: [true, false])
  func twoSessions(areMultipleSupported: Bool) async throws {
    let settings = LetterSettings()
    let run = DocumentRun(home, settings: settings)
    let letter = try await run.open("letter.txt", "old")
    run.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.advance(by: 3000)
    for scene in run.program.scenes { scene.document = letter }
    run.platform.advance(by: 3000)
    #expect(run.program.application.openSessions.count == 2)
    run.program.kill()
    settings.supportsMultipleScenes = areMultipleSupported
    run.program.relaunch()
    #expect(await run.passes { run.letters.map(\.text) == ["old"] })
    #expect(run.program.application.openSessions.count == 1 && run.program.isRunning)
  }

  @Test("A session that is held back keeps no other scene from its document")
  func heldBack() async throws {
    let settings = LetterSettings()
    let run = DocumentRun(home, settings: settings)
    run.program.scenes.first?.document = try await run.open("letter.txt", "old")
    run.platform.advance(by: 3000)
    run.program.kill()
    settings.configuration = "Note"
    run.program.relaunch()
    run.controller.openDocument(at: run.url("letter.txt"))
    #expect(await run.passes { run.letters.map(\.text) == ["old"] })
    #expect(run.program.application.openSessions.contains { $0.holdReason == .unknownConfiguration })
  }

  @Test("Where there is one scene, the document that is asked for takes the place of the one that it had")
  func askedForInstead() async throws {
    let run = DocumentRun(home, settings: LetterSettings(supportsMultipleScenes: false))
    let scene = try #require(run.program.scenes.first)
    let session = scene.session
    scene.document = try await run.open("letter.txt", "old")
    try home.write("other.txt", "other")
    run.minimize()
    run.platform.advance(by: 3000)
    run.program.application.requestSceneDisconnection(session)
    run.platform.advance(by: 3000)
    #expect(session.scene == nil && session.stateRestorationActivity?.documentURL == run.url("letter.txt"))
    run.controller.openDocument(at: run.url("other.txt"))
    #expect(await run.passes { run.letters.map(\.text) == ["other"] })
    #expect(session.scene != nil && session.stateRestorationActivity?.documentURL == run.url("other.txt"))
    // What was kept of the one before is not for this one
    #expect((session.scene?.delegate as? LetterScene)?.restorations == 0)
    // After a kill, by the command line
    run.platform.advance(by: 3000)
    run.program.kill()
    run.program.relaunch(arguments: [home.path + "/letter.txt"])
    #expect(await run.passes { run.letters.map(\.text) == ["old"] })
  }

  @Test("A scene that gets its document while it connects has nothing to restore, and its session comes back with it")
  func nothingToRestore() async throws {
    let run = DocumentRun(home)
    try home.write("letter.txt", "old")
    run.controller.openDocument(at: run.url("letter.txt"))
    #expect(await run.passes { run.program.scenes.count == 2 })
    #expect(run.program.scenes.last?.session.stateRestorationActivity?.documentURL == run.url("letter.txt"))
    let scene = run.program.scenes.last?.delegate as? LetterScene
    #expect(scene?.letter != nil && scene?.restorations == 0)
  }

  @Test("A save into another file is what the scene is for, and comes back for, from now on")
  func moves() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    let scene = try #require(run.program.scenes.first as? WindowScene)
    scene.document = letter
    #expect(scene.session.stateRestorationActivity?.documentURL == run.url("letter.txt"))
    #expect(scene.representedURL == run.url("letter.txt"))
    #expect(await letter.save(to: run.url("b.txt"), for: .forCreating))
    #expect(scene.representedURL == run.url("b.txt"))
    #expect(scene.session.stateRestorationActivity?.documentURL == run.url("b.txt"))
    let conditions = scene.activationConditions.prefersToActivateForTargetContentIdentifier
    #expect(conditions.accepts(run.url("b.txt").absoluteString))
    #expect(!conditions.accepts(run.url("letter.txt").absoluteString))
    scene.document = nil
    #expect(scene.representedURL == nil)
  }

  @Test("A file that is not to be seen in lists is none that its scene represents")
  func hiddenFile() async throws {
    final class Draft: Letter { override var isNotedAsRecent: Bool { false } }
    let run = DocumentRun(home)
    let scene = try #require(run.program.scenes.first as? WindowScene)
    scene.representedURL = run.url("another.txt")
    let draft = Draft(fileURL: run.url("draft.txt"))
    draft.application = run.program.application
    scene.document = draft
    #expect(scene.representedURL == nil)
  }
}
