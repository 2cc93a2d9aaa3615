import FoundationEssentials
import Proscenium
import ProsceniumUI

/// The delegate of one window: a note, how it is shown, and how it comes back.
@MainActor final class NoteScene: Responder {
  /// The origin of a request to close a note that cannot be closed at once.
  enum CloseQuestion {
    /// The window manager, and it waits for an answer.
    case windowManager
    /// The key for it.
    case key
  }

  var window: Window?
  /// The open question about a note that is to be closed.
  private var question: CloseQuestion?
  /// Whether the user is being asked about two versions.
  private var asksAboutConflict = false
  /// Whether a dialog for files is open.
  var isAsking = false
  /// The last error, shown in the bottom row until the next key.
  var problem: String?
  /// The note's last error, shown there until it is over.
  private var trouble: DocumentError?
  private weak var scene: WindowScene?
  let view = NoteView()
  let recentNotes = Menu("Open Recent")
  private(set) var note: Note?
  /// The caret and the scroll position that the text gets when it has been read; none after the user has changed it.
  var viewState: [String: Int]?
  /// The first save of a new note.
  private var making: Task<Void, Never>?
  /// What waits for the saving that the user has asked for; nil where none is under way.
  private var waiting: [(Bool) -> Void]?
  private var observers: [NotificationCenter.ObservationToken] = []

  /// Keys of the window reach its scene's delegate along the responder chain.
  override var keyCommands: [KeyCommand] { Self.commands + Self.findCommands + [Self.goOnCommand] }
  /// The view registers what is typed here, and the note counts its changes by it.
  override var undoManager: UndoManager? { note?.undoManager }
  /// What another program needs to go on with the note.
  override func updateUserActivityState(_ activity: UserActivity) { activity.documentURL = note?.fileURL }
}

extension NoteScene: WindowSceneDelegate {
  // MARK: Connecting and coming back

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    self.scene = scene
    var asked = [session.documentURL(options)].compactMap { $0 }
    asked += options.urlContexts.map(\.url).sorted { $0.path < $1.path }
    // Two windows of one document would have two texts of it.
    if let url = asked.first, !scene.claimDocument(at: url) { return }
    for other in asked.dropFirst() { DocumentController.shared.openDocument(at: other) }
    view.text.delegate = self
    if let url = asked.first { show(Note(fileURL: url), in: scene) } else { beginNote() }
    let window = Window(windowScene: scene)
    window.minimumSize = Size(width: 160, height: 80)
    self.window = window
    view.bar.menus = menus
    view.findBar.find = { [weak self] in self?.find(backwards: $0) }
    window.rootView = view
    view.text.becomeFirstResponder()
    show()
    window.makeKeyAndVisible()
  }

  /// Begins the note of a window that shows no document; again with each change of a text whose folder could not be
  /// made.
  private func beginNote() {
    guard note == nil, let scene else { return }
    do {
      let note = Note(fileURL: try Note.fileOfNewNote(of: scene.session))
      let isLate = !view.text.text.isEmpty
      // What has been written is not to be replaced by what an earlier run has left there.
      if isLate, note.hasFile { throw Note.Taken() }
      show(note, in: scene)
      // The view had no undo manager that counts it.
      if isLate { note.updateChangeCount(.done) }
    } catch {
      problem = "\(error)"
      // A document that is asked for would come to this scene, which shows none.
      scene.activationConditions.canActivateForTargetContentIdentifier = .none
    }
  }

  private func show(_ note: Note, in scene: WindowScene) {
    self.note = note
    note.currentText = { [view] in view.text.text }
    note.textWasLoaded = { [weak self] in self?.textWasLoaded() }
    note.failed = { [weak self] error in
      self?.trouble = error
      self?.show()
    }
    note.textIsWithheld = { [weak self] in self?.textIsWithheld() }
    let center = NotificationCenter.default
    observers = [
      center.addObserver(of: note, for: .documentStateDidChange) { [weak self] _ in self?.stateDidChange() },
      center.addObserver(of: Application.shared, for: .protectedDataWillBecomeUnavailable) { [weak note] _ in
        guard let note else { return }
        let task = Application.shared.beginBackgroundTask(withName: "the text of \(note.name)")
        Task {
          await note.withhold()
          Application.shared.endBackgroundTask(task)
        }
      },
      center.addObserver(of: Application.shared, for: .protectedDataDidBecomeAvailable) { [weak self, weak note] _ in
        Task {
          await note?.giveBack()
          self?.stateDidChange()
        }
      },
    ]
    scene.document = note
    guard note.isToBeRead else { return }
    view.text.isEditable = false
    Task { [weak self] in
      await note.openOrBegin()
      self?.stateDidChange()
    }
  }

  /// The note has been read, or another program has changed it.
  private func textWasLoaded() {
    guard let note else { return }
    let state = viewState.take() ?? view.text.restorationState
    view.text.text = note.text
    view.text.restorationState = state
  }

  /// The note lets its text go; the places in it come back with it.
  private func textIsWithheld() {
    viewState = viewState ?? view.text.restorationState
    view.text.text = ""
    view.text.isEditable = false
    view.findBar.words.text = ""
    endFinding()
    show()
  }

  private func stateDidChange() {
    guard let note else { return }
    // A file that cannot be opened is not written over with a text that it never had, and what is typed before a new
    // note has come back would be lost.
    view.text.isEditable = !note.documentState.contains(.editingDisabled) && !note.isUnread && !note.isWithheld
    // Without changes of its own the note has the file's text at once, unless that cannot be read.
    if note.documentState.contains(.inConflict), note.hasUnsavedChanges || note.error?.reason != .changedElsewhere {
      askAboutConflict()
    }
    if note.error == nil || note.documentState == .normal { trouble = nil }
    show()
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    // The scroll position is restored, even where it hides the caret.
    let state = (activity.userInfo ?? [:]).compactMapValues { $0 as? Int }
    if note?.documentState == .normal, note?.isWithheld != true {
      view.text.restorationState = state
    } else {
      viewState = state
    }
    show()
  }

  // A note is only asked for its own document, which it shows: it is enough that it comes forward.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {}
  func scene(_ scene: Scene, continue userActivity: UserActivity) {}

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    guard let activity = note?.restorationActivity() else { return nil }
    activity.addUserInfoEntries(from: viewState ?? view.text.restorationState)
    return activity
  }

  func sceneDidBecomeActive(_ scene: Scene) {
    show()
    offer()
    updateRecentNotes()
  }

  /// Other programs of the developer may go on with the note: Beacon lists it.
  private func offer() {
    guard let note else { return }
    let activity = userActivity ?? UserActivity(activityType: "org.proscenium.Notes.note")
    activity.title = note.name
    userActivity = activity
    activity.becomeCurrent()
  }

  // Not yet another state: drawn as inactive all the same.
  func sceneWillResignActive(_ scene: Scene) { show(isActive: false) }

  // MARK: The note

  /// Makes the file of a new note, with its first letter.
  func makeFile() {
    beginNote()
    // What is being saved has a file of the user's soon.
    guard let note, note.isNew, note.documentState == .closed, making == nil, waiting == nil else { return }
    making = Task {
      await note.save(to: note.fileURL, for: .forCreating)
      making = nil
    }
  }

  /// Whether the text is in no file, not even in one of the program's own.
  ///
  /// Not where the window is gone: there is no text to keep then, and nobody to ask.
  var isWithoutFile: Bool {
    window?.windowScene != nil && !view.text.text.isEmpty && (note == nil || note?.documentState == .closed)
  }

  /// Tries again to make the file, where there is none; asks the user where that fails.
  /// - Returns: Whether the program may end.
  func mayEnd() async -> Bool {
    // The first try may be under way still.
    _ = await savingUnderWay()
    await making?.value
    if isWithoutFile {
      makeFile()
      await making?.value
    }
    show()
    return isWithoutFile ? await isGivenUp() : true
  }

  private func isGivenUp() async -> Bool {
    await withMainActorContinuation { continuation in
      let reason = problem ?? note?.error.map { "\($0)" } ?? ""
      let alert = AlertController(
        title: "\(name) cannot be saved.", message: reason + " What has been written is lost if the program ends now.")
      alert.addAction(AlertAction("Discard", style: .destructive) { continuation.resume(returning: true) })
      // Also when the scene ends while the question stands.
      alert.addAction(AlertAction("Keep Open", style: .cancel) { continuation.resume(returning: false) })
      present(alert)
    }
  }

  /// Whether the document has the text now, under a name of its own.
  @discardableResult func keep() async -> Bool {
    // A key may be pressed twice; a second file is not made for that.
    if let isKept = await savingUnderWay() { return isKept }
    return await save { await $0.keep() }
  }

  /// Waits for the saving that is under way, and returns whether it has succeeded; nil where there is none.
  private func savingUnderWay() async -> Bool? {
    guard waiting != nil else { return nil }
    return await withMainActorContinuation { continuation in waiting?.append { continuation.resume(returning: $0) } }
  }

  /// Saves the note, after the saving that is under way, and shows why that was not possible.
  @discardableResult func save(_ save: @MainActor (Note) async -> Bool) async -> Bool {
    while await savingUnderWay() != nil {}
    beginNote()
    waiting = []
    var isSaved = false
    if let note { isSaved = await save(note) }
    let others = waiting.take() ?? []
    if isWithoutFile { makeFile() }
    if !isSaved {
      if note?.documentState.contains(.inConflict) == true, note?.error?.reason == .changedElsewhere {
        askAboutConflict()
      } else {
        problem = note?.error.map { "\($0)" } ?? problem
      }
    }
    show()
    for answer in others { answer(isSaved) }
    return isSaved
  }

  private var name: String { note?.name ?? "Untitled" }

  private func askAboutConflict() {
    guard let note, !asksAboutConflict else { return }
    asksAboutConflict = true
    let alert = AlertController(
      title: "\(note.name) has been changed by another program.",
      message: "What you have written is not in its file. Which version is to stay?")
    func answer(_ title: String, _ style: AlertAction.Style = .default, _ version: Document.Version?) {
      alert.addAction(
        AlertAction(title, style: style) { [weak self] in
          self?.asksAboutConflict = false
          if let version { Task { await note.resolveConflict(keeping: version) } }
        })
    }
    answer("Take the File's", .destructive, .onDisk)
    // It is asked again when something changes; what is written is kept meanwhile.
    answer("Later", .cancel, nil)
    answer("Keep Mine", .default, .own)
    alert.present(above: window)
  }

  // MARK: Closing

  /// Only a new note asks, and one that cannot be saved: every other one is saved by itself.
  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    guard needsQuestion else { return .now }
    ask(for: .windowManager)
    return .later
  }

  func closeByKey() {
    guard let scene else { return }
    if needsQuestion { ask(for: .key) } else { Application.shared.requestSceneSessionDestruction(scene.session) }
  }

  private var needsQuestion: Bool {
    guard let note else { return !view.text.text.isEmpty }
    guard note.isNew else { return note.hasUnsavedChanges }
    // What has been written may have no file yet, or cannot have one; what has a file may not be read yet.
    return !view.text.text.isEmpty || note.hasFile || !note.documentState.contains(.closed)
  }

  private var isNotReadYet: Bool { note?.hasFile == true && note?.documentState.contains(.closed) == true }

  private func ask(for asker: CloseQuestion) {
    let isAsked = question != nil
    // The window manager waits for the answer, whatever key is pressed meanwhile.
    if !isAsked || asker == .windowManager { question = asker }
    guard !isAsked else { return }
    if let note, !note.isNew { return saveAndAnswer(note) }
    if view.text.text.isEmpty, !isNotReadYet { return discard() }
    let alert = AlertController(
      title: "Save \(name) before it closes?", message: "It is lost otherwise.")
    alert.addAction(AlertAction("Discard", style: .destructive) { [weak self] in self?.discard() })
    // Also when the scene ends while the question stands.
    alert.addAction(AlertAction("Cancel", style: .cancel) { [weak self] in self?.answer(closes: false) })
    // A note that cannot be saved stays open, and shows the reason.
    alert.addAction(AlertAction("Save") { [weak self] in self?.keepAndAnswer() })
    present(alert)
  }

  private func saveAndAnswer(_ note: Note) {
    Task {
      if await note.autosave() { return answer(closes: true) }
      let alert = AlertController(
        title: "\(note.name) cannot be saved.",
        message: (note.error.map { "\($0) " } ?? "") + "What has been written is lost if it closes now.")
      alert.addAction(AlertAction("Discard", style: .destructive) { [weak self] in self?.discard() })
      alert.addAction(AlertAction("Keep Open", style: .cancel) { [weak self] in self?.answer(closes: false) })
      present(alert)
    }
  }

  private func present(_ alert: AlertController) {
    // A minimised window is asked too, and the question is to be seen. In sight, the focus is for the question.
    if let scene, !view.text.text.isEmpty, scene.activationState < .foregroundInactive {
      Application.shared.activateSceneSession(for: SceneSessionActivationRequest(session: scene.session))
    }
    alert.present(above: window)
  }

  private func keepAndAnswer() { Task { answer(closes: await keep()) } }

  private func discard() {
    Task {
      await note?.discard()
      answer(closes: true)
    }
  }

  /// Answers the open question.
  private func answer(closes: Bool) {
    show()
    let asked = question
    question = nil
    guard let scene, let asked else { return }
    switch asked {
    case .windowManager: scene.reply(toShouldClose: closes)
    case .key: if closes { Application.shared.requestSceneSessionDestruction(scene.session) }
    }
  }

  // MARK: Showing it

  private var message: String {
    problem ?? trouble.map { "\($0)" } ?? "Ctrl-N new  Ctrl-S save  Ctrl-F find  Ctrl-W close  Ctrl-Q quit"
  }

  func show() { show(isActive: scene?.activationState == .foregroundActive) }

  private func show(isActive: Bool) {
    // Not whether there are changes that have not been saved: a screen reader would read it after each of them.
    if scene?.title != name { scene?.title = name }
    view.proxy.url = scene?.representedURL
    view.show(message, isActive: isActive)
  }
}
