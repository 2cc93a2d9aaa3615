import FoundationEssentials
import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

// Begin: code of Documents.md
private final class Story: Document {
  struct NotText: Error {}
  // The text is the view's, so that each save has what was typed last.
  let view = TextView()

  override func contents(forType typeName: String) throws -> Data { Data(view.text.utf8) }

  override func load(fromContents contents: Data, ofType typeName: String) throws {
    guard let text = String(validating: contents, as: UTF8.self) else { throw NotText() }
    view.text = text
  }
}
// End: code of Documents.md

// Begin: code of Documents.md
private final class StoryScene: Responder {
  var window: Window?
  var story: Story?
  private var observer: NotificationCenter.ObservationToken?

  // The text view registers what is typed there, and the document counts its changes by it.
  override var undoManager: UndoManager? { story?.undoManager }
}

extension StoryScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    let own = try? Application.shared.directories.support.appending(path: "Story.txt")
    guard let scene = scene as? WindowScene,
      // A start without a file shows the program's own story.
      let url = options.urlContexts.first?.url ?? session.documentURL(options) ?? own,
      // Another window has the document already, and comes forward in place of this one.
      scene.claimDocument(at: url)
    else { return }
    let story = Story(fileURL: url)
    self.story = story
    scene.document = story
    observer = NotificationCenter.default.addObserver(of: story, for: .documentStateDidChange) { [weak self] _ in
      self?.show()
    }
    Task {
      if url == own, !FileManager.default.fileExists(atPath: url.path) {
        await story.save(to: url, for: .forCreating)
      } else {
        await story.open()
      }
    }
    window = Window(windowScene: scene)
    window?.rootView = story.view
    show()
    window?.makeKeyAndVisible()
    story.view.becomeFirstResponder()
  }

  private func show() {
    guard let story else { return }
    story.view.isEditable = story.documentState.isDisjoint(with: [.closed, .editingDisabled])
    window?.title = story.error?.description ?? story.localizedName
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? { story?.restorationActivity() }
}
// End: code of Documents.md

extension UISuites {
  /// The story of the article, written in, killed and begun without a file.
  @MainActor @Suite("The article about documents") struct DocumentsArticleTests {
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest: ApplicationManifest = {
        var manifest = ApplicationManifest(
          applicationIdentifier: "org.example.Stories",
          sceneConfigurations: [SceneConfiguration(name: "Story", delegate: StoryScene.init)])
        manifest.openedFileExtensions = ["txt"]
        return manifest
      }()
    }

    private let home: RealHome
    private let program: HeadlessProgram

    init() throws {
      home = try RealHome()
      program = HeadlessProgram(delegate: Delegate.init)
      program.disk.home = home.path
    }

    private var view: TextView? { program.windows.first?.rootView as? TextView }

    private func type(_ text: String) {
      guard let window = program.windows.first else { return }
      for letter in text {
        program.desk.send(
          .key(
            Key(
              code: 30, symbol: letter.unicodeScalars.first?.value ?? 0, characters: String(letter), isDown: true,
              modifiers: [])), to: window)
      }
    }

    /// Types, and lets the second pass after which it is saved.
    private func write(_ text: String, into name: String, at path: String) async throws {
      let old = try #require(view).text
      type(text)
      #expect(view?.text == text + old)
      program.advance(by: .seconds(2))
      #expect(await program.waits { home.read(path) == text + old })
      #expect(view?.text == text + old && program.windows.first?.title == name)
    }

    @Test("What is typed stays in the window, is in the file after a second, and is back after a kill")
    func typed() async throws {
      try home.write("tale.txt", "once upon")
      program.launch(arguments: [home.path + "/tale.txt"])
      #expect(view?.isEditable == false)
      #expect(await program.waits { view?.text == "once upon" })
      try await write("Hi ", into: "tale", at: "tale.txt")
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      #expect(await program.waits { view?.text == "Hi once upon" && view?.isEditable == true })
    }

    @Test("A start without a file shows the program's own story, once, also after it was closed")
    func own() async throws {
      program.launch()
      #expect(await program.waits { view?.isEditable == true })
      try await write("Hi", into: "Story", at: ".local/share/org.example.Stories/Story.txt")
      program.application.activateSceneSession(for: SceneSessionActivationRequest())
      program.advance(by: .seconds(2))
      #expect(program.scenes.count == 1)
      program.windows.first.map(program.desk.close)
      program.advance(by: .seconds(2))
      program.relaunch()
      #expect(await program.waits { view?.text == "Hi" && view?.isEditable == true })
    }
  }
}
