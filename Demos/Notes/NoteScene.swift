import FoundationEssentials
import Proscenium
import ProsceniumUI

/// The delegate of one window: a note, how it is shown, and how it comes back.
@MainActor final class NoteScene: Responder {
  /// The origin of a request to close a note with unsaved changes.
  enum CloseQuestion {
    /// The window manager, and it waits for an answer.
    case windowManager
    /// The key for it.
    case key
  }

  private static let activityType = "org.proscenium.Notes.note"

  var window: Window?
  /// The open question about unsaved changes.
  private var question: CloseQuestion?
  /// The last error, shown in the bottom row until the next key.
  var problem: String?
  private(set) weak var scene: WindowScene?
  private let view = NoteView()
  private var note = Note.empty

  /// Keys of the window reach its scene's delegate along the responder chain.
  override var keyCommands: [KeyCommand] { Self.commands }
}

extension NoteScene: WindowSceneDelegate {
  // MARK: Connecting and coming back

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    self.scene = scene
    let stored = session.userInfo?["document"] as? String
    var asked = options.userActivities.compactMap { $0.userInfo(String.self, "document") }
    asked += options.urlContexts.map { $0.url.path }.sorted()
    asked = asked.map(Documents.canonical)
    let document = stored ?? asked.first
    // Two windows of one document would overwrite each other's text.
    if stored == nil, let document, let other = NotesProgram.session(for: document, besides: session) {
      Application.shared.activateSceneSession(for: SceneSessionActivationRequest(session: other))
      Application.shared.requestSceneSessionDestruction(session)
      return
    }
    for other in asked where other != document { NotesProgram.open(other) }
    let opened = Note.open(document: document, session: session.persistentIdentifier)
    (note, problem) = (opened.note, opened.problem)
    view.text.text = opened.text
    view.text.delegate = self
    rememberDocument()

    let window = Window(windowScene: scene)
    window.minimumSize = Size(width: 160, height: 80)
    self.window = window
    window.rootView = view
    view.text.becomeFirstResponder()
    show()
    window.makeKeyAndVisible()
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    // The scroll position is restored, even where it hides the caret.
    view.text.restorationState = (activity.userInfo ?? [:]).compactMapValues { $0 as? Int }
    show()
  }

  // A note is only asked for its own document, which it shows: it is enough that it comes forward.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {}
  func scene(_ scene: Scene, continue userActivity: UserActivity) {}

  /// Asked at most once a second while the user types: the time to keep the text as well.
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    writeAutosave()
    let activity = UserActivity(activityType: Self.activityType)
    activity.userInfo = view.text.restorationState
    return activity
  }

  func sceneDidBecomeActive(_ scene: Scene) { show() }

  func sceneWillResignActive(_ scene: Scene) {
    writeAutosave()
    // Not yet another state: drawn as inactive all the same.
    show(isActive: false)
  }

  func sceneDidEnterBackground(_ scene: Scene) { writeAutosave() }

  /// Writes the unsaved text to the autosave; false where that fails.
  @discardableResult func writeAutosave() -> Bool {
    do throws(Documents.Failure) {
      try note.writeAutosave(view.text.text)
      return true
    } catch {
      problem = error.text
      show()
      return false
    }
  }

  // MARK: Closing

  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    guard isWorthAsking else { return .now }
    // A minimised window is asked too, and the question is to be seen. In sight, the focus is for the question.
    if scene.activationState < .foregroundInactive {
      Application.shared.activateSceneSession(for: SceneSessionActivationRequest(session: scene.session))
    }
    ask(for: .windowManager)
    return .later
  }

  func closeByKey() {
    guard let scene else { return }
    guard isWorthAsking else { return Application.shared.requestSceneSessionDestruction(scene.session) }
    ask(for: .key)
  }

  private func ask(for asker: CloseQuestion) {
    let isAsked = question != nil
    question = asker
    guard !isAsked else { return }
    let alert = AlertController(
      title: "Save \(note.name) before it closes?",
      message: "What has been written since it was saved is lost otherwise.")
    alert.addAction(AlertAction("Discard", style: .destructive) { [weak self] in self?.answer(closes: true) })
    // Also when the scene ends while the question stands.
    alert.addAction(AlertAction("Cancel", style: .cancel) { [weak self] in self?.answer(closes: false) })
    // A note that cannot be saved stays open, and shows the reason.
    alert.addAction(AlertAction("Save") { [weak self] in if let self { answer(closes: save()) } })
    alert.present(above: window)
  }

  /// Answers the open question.
  private func answer(closes: Bool) {
    changed()
    let asked = question
    question = nil
    guard let scene, let asked else { return }
    switch asked {
    case .windowManager: scene.reply(toShouldClose: closes)
    case .key: if closes { Application.shared.requestSceneSessionDestruction(scene.session) }
    }
  }

  // MARK: The note

  /// Whether closing the note loses text.
  private var isWorthAsking: Bool { note.isEdited && !(note.document == nil && view.text.text.isEmpty) }

  func edited() { note.edited() }

  /// Whether the document has the text now.
  @discardableResult func save() -> Bool {
    do throws(Documents.Failure) {
      try note.save(view.text.text)
      rememberDocument()
      return true
    } catch {
      problem = error.text
      return false
    }
  }

  /// The session knows its document, and is the one to bring forward for it.
  private func rememberDocument() {
    guard let scene else { return }
    var conditions = SceneActivationConditions()
    if let document = note.document {
      scene.session.userInfo = ["document": document]
      let target = NotesProgram.target(of: document)
      conditions.canActivateForTargetContentIdentifier = .equals(target)
      conditions.prefersToActivateForTargetContentIdentifier = .equals(target)
    } else {
      // A new note is not the place to open something else in.
      conditions.canActivateForTargetContentIdentifier = .none
    }
    scene.activationConditions = conditions
  }

  // MARK: Showing it

  private var message: String { problem ?? "Ctrl-N new  Ctrl-S save  Ctrl-W close  Ctrl-Q quit" }

  func show() { show(isActive: scene?.activationState == .foregroundActive) }

  private func show(isActive: Bool) {
    let title = note.name + (note.isEdited ? " — edited" : "")
    if scene?.title != title { scene?.title = title }
    view.show(message, isActive: isActive)
  }
}

extension UserActivity {
  /// One value, if there is one of this type.
  func userInfo<Value>(_ type: Value.Type, _ key: String) -> Value? {
    let values: [String: any Sendable]? = userInfo
    return values?[key] as? Value
  }
}
