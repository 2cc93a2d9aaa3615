import FoundationEssentials
import Proscenium

private final class StoryView {
  var text = "" { didSet { isEditable = true } }
  var isEditable = true
}

// Begin: code of Documents.md
private final class Story: Document {
  struct NotText: Error {}
  private(set) var text = ""

  override func contents(forType typeName: String) throws -> Data { Data(text.utf8) }

  override func load(fromContents contents: Data, ofType typeName: String) throws {
    guard let text = String(validating: contents, as: UTF8.self) else { throw NotText() }
    self.text = text
  }

  func replaceText(_ new: String) {
    let old = text
    undoManager.registerUndo(withTarget: self) { $0.replaceText(old) }
    text = new
  }
}
// End: code of Documents.md

private final class StoryScene: Responder {
  var window: Window?
  private let view = StoryView()
  private var story: Story?
  private var observer: NotificationCenter.ObservationToken?
  override var undoManager: UndoManager? { story?.undoManager }
}

// Begin: code of Documents.md
extension StoryScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene,
      let url = options.urlContexts.first?.url ?? session.documentURL(options),
      // Another window has the document already, and comes forward in place of this one.
      scene.claimDocument(at: url)
    else { return }
    let story = Story(fileURL: url)
    self.story = story
    scene.document = story
    observer = NotificationCenter.default.addObserver(of: story, for: .documentStateDidChange) { [weak self] _ in
      self?.show()
    }
    Task { await story.open() }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }

  private func show() {
    guard let story else { return }
    view.text = story.text
    view.isEditable = story.documentState.isDisjoint(with: [.closed, .editingDisabled])
    window?.title = story.error?.description ?? story.localizedName
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? { story?.restorationActivity() }
}
// End: code of Documents.md
