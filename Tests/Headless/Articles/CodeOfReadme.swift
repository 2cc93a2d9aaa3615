import FoundationEssentials
import Proscenium

// Begin: code of README.md
private final class AppDelegate: Responder {
  let manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
}

extension AppDelegate: ApplicationDelegate {}

private final class EditorScene: Responder {
  var window: Window?
}

extension EditorScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.title = "Editor"
    window?.makeKeyAndVisible()
  }
  func sceneDidBecomeActive(_ scene: Scene) { window?.backgroundColor = .white }
  func sceneWillResignActive(_ scene: Scene) { window?.backgroundColor = Color(rgb: 0xDDDDDD) }
  func sceneDidEnterBackground(_ scene: Scene) { print("hidden: stop timers, release memory") }
}
// End: code of README.md

#if !WITHOUT_Documents
  // Begin: code of README.md
  private final class Note: Document {
    private(set) var text = ""

    override func contents(forType typeName: String) throws -> Data { Data(text.utf8) }
    override func load(fromContents contents: Data, ofType typeName: String) throws {
      text = String(decoding: contents, as: UTF8.self)
    }

    func setText(_ new: String) {
      let old = text
      undoManager.registerUndo(withTarget: self) { $0.setText(old) }
      text = new
    }
  }

  extension EditorScene {
    func open(_ url: URL, in scene: WindowScene) {
      let note = Note(fileURL: url)
      scene.document = note
      Task { await note.open() }
    }
  }
// End: code of README.md
#endif
