import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

// Begin: code of Lists.md
private final class MailScene: Responder {
  var window: Window?
  let table = TableView()
  var rows: TableViewDiffableDataSource<String, Int>?

  func show(_ messages: [Int], _ subject: @escaping @MainActor (Int) -> String) {
    table.register(TableViewCell.init, forCellReuseIdentifier: "message")
    rows = TableViewDiffableDataSource(tableView: table) { table, path, message in
      let cell = table.dequeueReusableCell(withIdentifier: "message", for: path)
      cell.textLabel.text = subject(message)
      return cell
    }
    var snapshot = DiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["Inbox"])
    snapshot.appendItems(messages)
    rows?.apply(snapshot)
  }
}

extension MailScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    table.allowsMultipleSelection = true
    show(Array(0..<100_000)) { "Message \($0)" }
    window = Window(windowScene: scene)
    window?.rootView = table
    window?.makeKeyAndVisible()
    table.becomeFirstResponder()
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.mail")
    activity.userInfo = ["list": table.restorationState]
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    table.restorationState = activity.userInfo?["list"] as? [String: any Sendable] ?? [:]
  }
}
// End: code of Lists.md

extension UISuites {
  /// The list of the article, scrolled and killed.
  @MainActor @Suite("The article about lists") struct ListsArticleTests {
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Mail", delegate: MailScene.init)])
    }

    @Test("What was selected and scrolled to is there again after a kill", arguments: ["keys", "wheel", "press"])
    func killed(_ means: String) throws {
      let program = HeadlessProgram(delegate: Delegate.init)
      func mail() throws -> MailScene { try #require(program.scenes.first?.delegate as? MailScene) }
      func send(_ kind: InputEvent.Kind) throws {
        let id = try #require(program.windows.first?.id)
        program.platform.send(.input(id, InputEvent(kind, time: 1)))
        program.advance(by: .milliseconds(20))
      }
      program.launch()
      program.advance(by: .seconds(3))
      // Given a list whose user has selected a message, or has only scrolled
      let place = Point(x: 60, y: 60)
      switch means {
      case "keys":
        try send(.type(Symbol.end))
        try send(.type(KeySymbol.up, "", .shift))
      case "wheel":
        for _ in 0..<100 { try send(.scroll(Scroll(deltaX: 0, deltaY: 1, isPrecise: false, location: place))) }
      default:
        try send(.press(place.x, place.y))
        try send(.release(place.x, place.y))
      }
      let (selected, offset) = (try mail().table.indexPathsForSelectedRows, try mail().table.contentOffset)
      #expect(selected.count == ["keys": 2, "wheel": 0][means] ?? 1 && (offset.y > 0) == (means != "press"))
      // When it is killed two seconds later
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      // Then it is as it was
      #expect(try mail().table.indexPathsForSelectedRows == selected && mail().table.contentOffset == offset)
      #expect(try mail().table.visibleCells.count < 100)
    }
  }
}
