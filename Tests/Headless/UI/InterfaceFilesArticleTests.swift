import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import TestSupport
import Testing

// Begin: code of InterfaceFiles.md
final class GreetingController: ViewController {
  var name: TextView?
  weak var greeting: Label?

  override func viewDidLoad() { greeting?.text = "Who are you?" }

  func greet() { greeting?.text = "Hello, " + (name?.text ?? "") }
  func clear(_ sender: Button) { name?.text = "" }
}

final class GreetingScene: Responder {
  var window: Window?
}

extension GreetingScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    window?.minimumSize = Size(width: 240, height: 120)
  }
}

@MainActor func greetingConfiguration(_ path: String = "App_App.resources/Greeting.ui") -> SceneConfiguration {
  let configuration = SceneConfiguration(name: "Greeting", delegate: GreetingScene.init)
  configuration.interfaceFile = InterfaceFile(
    path,
    classes: [
      InterfaceClass("GreetingController", GreetingController.init) {
        $0.outlet("name", \.name)
        $0.outlet("greeting", \.greeting)
        $0.action("greet", GreetingController.greet)
        $0.action("clear", GreetingController.clear)
      }
    ])
  return configuration
}
// End: code of InterfaceFiles.md

extension UISuites {
  /// The program of the article, with the file of the article.
  @MainActor @Suite("The article about interface files") struct InterfaceFilesArticleTests {
    final class Delegate: Responder, ApplicationDelegate {
      let manifest: ApplicationManifest
      init(_ configuration: SceneConfiguration) {
        manifest = ApplicationManifest(sceneConfigurations: [configuration])
      }
    }

    private func article() throws -> String { try ArticleCode.read(ArticleCode.articles + "InterfaceFiles.md") }

    @Test("The file and the program of the article belong together")
    func program() throws {
      let text = try #require(try article().split(separator: "```xml\n").last?.split(separator: "```").first)
      let file = TemporaryFile(String(text))
      let delegate = Delegate(greetingConfiguration(file.path))
      #expect(TestFonts.isSet)
      let program = HeadlessProgram(delegate: { delegate })
      program.launch()
      program.advance(by: 100)
      #expect(!program.trace.contains { $0.kind == "error" }, "\(program.trace.map(\.description))")
      let scene = try #require(program.application.connectedScenes.first?.delegate as? GreetingScene)
      let controller = try #require(scene.window?.rootViewController as? GreetingController)
      #expect(controller.greeting?.text == "Who are you?" && scene.window?.isHidden == false)
      controller.name?.text = "Ada"
      // Within the row, the column and the margin of the column.
      let views = controller.view.subviews.flatMap(\.subviews).flatMap(\.subviews)
      let buttons = views.compactMap { $0 as? Button }
      #expect(buttons.map(\.title) == ["Greet", "Clear"])
      for button in buttons { button.primaryAction(nil) }
      #expect(controller.greeting?.text == "Hello, Ada" && controller.name?.text == "")
    }

    @Test("The table of the article has the widgets that there are")
    func widgets() throws {
      let file = TemporaryFile("<interface><object class='Nothing'/></interface>")
      let error = #expect(throws: InterfaceError.self) { try InterfaceFile(file.path).makeViewController() }
      let list = error?.reason.split(separator: "There are views for ").last?.split(separator: ";").first
      let known = Set(try #require(list).split(separator: ", ").map(String.init))
      let rows = try article().split(separator: "\n").filter { $0.hasPrefix("| `Gtk") }
      let named = rows.flatMap { row in
        (row.split(separator: "|").first ?? "").split(separator: "`").filter { $0.hasPrefix("Gtk") }.map(String.init)
      }
      #expect(Set(named) == known && known.count > 9)
    }
  }
}
