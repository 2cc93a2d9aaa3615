import ProsceniumTesting
import ProsceniumUI
import Testing

@testable import ProsceniumCore

// Begin: code of Menus.md
private final class ListScene: Responder, MenuValidating {
  var window: Window?
  var isSorted = false

  func sort(_ sender: AnyObject?) { isSorted.toggle() }

  func validate(_ item: MenuItem) { item.state = isSorted ? .on : .off }
}

extension ListScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    let bar = MenuBar([
      Menu(
        "List",
        children: [
          MenuItem(KeyCommand(input: "s", title: "Sort", action: Action(ListScene.sort))),
          Menu(
            options: .displayInline,
            children: [
              MenuItem("Close") { [weak self] in self?.window?.performClose() }
            ]),
        ])
    ])
    window = Window(windowScene: scene)
    window?.rootView = StackView(.vertical, spacing: 0, [bar, TextView()])
    window?.makeKeyAndVisible()
  }
}
// End: code of Menus.md

extension UISuites {
  /// The menu bar of the article, used by keys.
  @MainActor @Suite("The article about menus") struct MenusArticleTests {
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "List", delegate: ListScene.init)])
    }

    @Test("An item's keys work while the menu is closed, and it is chosen by keys while it is open")
    func used() throws {
      let program = HeadlessProgram(delegate: Delegate.init)
      program.launch()
      program.advance(by: .seconds(1))
      let list = try #require(program.scenes.first?.delegate as? ListScene)
      let id = try #require(list.window?.id)
      func type(_ symbol: UInt32, _ characters: String = "", _ modifiers: ModifierFlags = []) {
        program.platform.send(.input(id, InputEvent(.type(symbol, characters, modifiers), time: 1)))
      }
      type(0x73, "\u{13}", .control)
      #expect(list.isSorted)
      type(0x6C, "l", .alternate)
      type(KeySymbol.return)
      #expect(!list.isSorted)
      type(KeySymbol.function(10))
      type(KeySymbol.end)
      type(KeySymbol.return)
      program.advance(by: .seconds(1))
      // Closed as by the window manager's button: the session goes with it, and the program with its last window.
      #expect(program.application.openSessions.isEmpty && program.exitStatus == 0)
    }
  }
}
