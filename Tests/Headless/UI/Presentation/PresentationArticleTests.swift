import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

// Begin: code of Presentation.md
private final class FolderController: ViewController {
  override func viewDidLoad() {
    title = "Folders"
    let open = Button("Open \u{201C}Letters\u{201D}") { [weak self] in self?.open("Letters") }
    let new = Button("New Folder...") { [weak self] in self?.askForName() }
    view = StackView(.vertical, spacing: 8, margin: 12, [open, new, Spacer()])
  }
  func open(_ folder: String) {
    navigationController?.pushViewController(NoteController(folder))
  }
  func askForName() {
    present(NameController())
  }
  override func viewController(withRestorationIdentifier identifier: String) -> ViewController? {
    identifier == "name" ? NameController() : NoteController(identifier)
  }
}

private final class NoteController: ViewController {
  let text = TextView()
  init(_ folder: String) {
    super.init()
    title = folder
    restorationIdentifier = folder
  }
  override func loadView() { view = text }
  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["text": text.text]) { $1 } }
    set {
      text.text = newValue["text"] as? String ?? ""
      super.restorationState = newValue
    }
  }
}

private final class NameController: ViewController {
  let name = TextField()
  override func viewDidLoad() {
    title = "New Folder"
    restorationIdentifier = "name"
    let cancel = Button("Cancel") { [weak self] in self?.dismiss() }
    view = StackView(.vertical, spacing: 8, margin: 16, [name, cancel])
  }
  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["name": name.text]) { $1 } }
    set {
      name.text = newValue["name"] as? String ?? ""
      super.restorationState = newValue
    }
  }
}

private final class FolderScene: Responder {
  var window: Window?
  let root = NavigationController(rootViewController: FolderController())
}

extension FolderScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.rootViewController = root
    window?.makeKeyAndVisible()
  }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.folders")
    activity.userInfo = ["controllers": root.restorationState]
    return activity
  }
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    root.restorationState = activity.userInfo?["controllers"] as? [String: any Sendable] ?? [:]
  }
}
// End: code of Presentation.md

extension UISuites {
  /// The controllers of the article, pushed, presented and killed.
  @MainActor @Suite("The article about presentation") struct PresentationArticleTests {
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Folders", delegate: FolderScene.init)])
    }

    @Test(
      "What was pushed and presented is there again after a kill, with what was typed in it", arguments: [true, false])
    func killed(_ presents: Bool) throws {
      let program = HeadlessProgram(delegate: Delegate.init)
      func root() throws -> NavigationController {
        try #require((program.scenes.first?.delegate as? FolderScene)?.root)
      }
      program.launch()
      program.advance(by: .seconds(3))
      // Given a stack with a controller above the root, or a sheet
      let folders = try #require(root().topViewController as? FolderController)
      if presents { folders.askForName() } else { folders.open("Letters") }
      program.advance(by: .seconds(1))
      // When something is typed, and the program is killed two seconds later
      if presents {
        let sheet = try #require(root().presentedViewController as? NameController)
        #expect(sheet.name.isFirstResponder)
        let id = try #require(sheet.window?.id)
        program.platform.send(.input(id, InputEvent(.type(0x78, "x"), time: 1)))
      } else {
        let note = try #require(root().topViewController as? NoteController)
        #expect(note.text.becomeFirstResponder())
        let id = try #require(program.windows.first?.id)
        program.platform.send(.input(id, InputEvent(.type(0x78, "x"), time: 1)))
      }
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      // Then both are there again
      if presents {
        let sheet = try #require(root().presentedViewController as? NameController)
        #expect(sheet.name.text == "x" && sheet.window?.windowScene?.windows.count == 2)
      } else {
        let note = try #require(root().topViewController as? NoteController)
        #expect(try note.text.text == "x" && root().viewControllers.count == 2 && note.window != nil)
      }
    }
  }

  /// Tabs and columns after the death of the program, and states that are no states.
  @MainActor @Suite("Containers that are restored") struct ContainerRestorationTests {
    private final class Settings: Responder, WindowSceneDelegate {
      let tabs = TabBarController(["One", "Two", "Three"].map { LoggedController($0) })
      private(set) lazy var split = SplitViewController(primary: LoggedController("List"), secondary: tabs)
      var window: Window?

      func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
        guard let scene = scene as? WindowScene else { return }
        window = Window(windowScene: scene)
        window?.rootViewController = split
        window?.makeKeyAndVisible()
      }
      func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        let activity = UserActivity(activityType: "settings")
        activity.userInfo = ["state": split.restorationState]
        return activity
      }
      func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        split.restorationState = activity.userInfo?["state"] as? [String: any Sendable] ?? [:]
      }
    }
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Settings", delegate: Settings.init)])
    }

    @Test("The chosen tab and the place of the divider are there again after a kill", arguments: ["tab", "divider"])
    func killed(_ means: String) throws {
      let program = HeadlessProgram(delegate: Delegate.init)
      func settings() throws -> Settings { try #require(program.scenes.first?.delegate as? Settings) }
      program.launch()
      program.advance(by: .seconds(3))
      if means == "tab" { try settings().tabs.selectedIndex = 2 } else { try settings().split.primaryColumnWidth = 321 }
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      #expect(try settings().tabs.selectedIndex == (means == "tab" ? 2 : 0))
      #expect(try settings().split.primaryColumnWidth == (means == "tab" ? 240 : 321))
      #expect(try settings().tabs.selectedViewController?.view.window != nil)
    }

    @Test("States that are no states change nothing")
    func rubbish() {
      let navigation = NavigationController(rootViewController: LoggedController("A"))
      let tabs = TabBarController([LoggedController("A")])
      let split = SplitViewController(primary: navigation, secondary: tabs)
      let wild: [any Sendable] = [1, "x", Int.max, Int.min, [1, 2], ["a": "b"], [["name": 7]]]
      for value in wild {
        for key in ["stack", "root", "tabs", "selected", "divider", "columns", "presented", "presentedState"] {
          split.restorationState = [key: value]
          split.restorationState = ["columns": [[key: value], [key: value]]]
        }
      }
      #expect(tabs.selectedIndex == 0 && navigation.viewControllers.count == 1)
      #expect((0...1 << 24).contains(split.primaryColumnWidth) && split.presentedViewController == nil)
    }
  }
}
