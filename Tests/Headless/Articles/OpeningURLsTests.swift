import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import Testing

@MainActor private func open(_ contexts: Set<OpenURLContext>) {
  Opening.opened += contexts.map(\.url.absoluteString)
}

// Begin: code of OpeningURLs.md
private final class EditorScene: Responder {}

extension EditorScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    // ... the window, and then:
    open(options.urlContexts)
  }
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) { open(urlContexts) }
}
// End: code of OpeningURLs.md

@MainActor private enum Opening {
  static var opened: [String] = []

  final class AppDelegate: Responder, ApplicationDelegate {
    let sceneConfigurations = [SceneConfiguration(name: "Editor", delegate: EditorScene.init)]
    var openedURLSchemes: Set<String> { ["note"] }
    var manifest: ApplicationManifest {
      var manifest = ApplicationManifest(sceneConfigurations: sceneConfigurations)
      manifest.openedURLSchemes = openedURLSchemes
      return manifest
    }
  }

  final class ShortcutProgram: Responder, ApplicationDelegate, WindowSceneDelegate {
    var sceneConfigurations: [SceneConfiguration] {
      [SceneConfiguration(name: "Main") { [unowned self] in self }]
    }

    // Begin: code of OpeningURLs.md
    var manifest: ApplicationManifest {
      var manifest = ApplicationManifest(sceneConfigurations: sceneConfigurations)
      manifest.shortcutItems = [ApplicationShortcutItem(type: "new-window", localizedTitle: "New Window")]
      return manifest
    }

    // In the delegate of the scene:
    func windowScene(
      _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @MainActor (Bool) -> Void
    ) {
      // ... perform the item, and then say whether it is done:
      completionHandler(true)
    }
    // End: code of OpeningURLs.md
  }
}

@MainActor @Suite("The code of URLs, actions and activities", .serialized) struct OpeningURLsTests {
  @Test("A URL is opened once, when it launches the program and later") func urls() {
    Opening.opened = []
    let program = HeadlessProgram(delegate: Opening.AppDelegate.init)
    program.launch(arguments: ["note:1"])
    program.advance(by: .seconds(6))
    URL(string: "note:2").map { program.machine.open($0) }
    program.advance(by: .seconds(6))
    #expect(Opening.opened == ["note:1", "note:2"])
  }

  @Test("An item is performed, and the completion handler says so") func shortcut() throws {
    let delegate = Opening.ShortcutProgram()
    let program = HeadlessProgram(delegate: { delegate })
    program.launch()
    program.machine.performAction(for: try #require(delegate.manifest.shortcutItems.first))
    program.advance(by: .seconds(6))
    let said = program.entries.filter { $0.kind == "request" && $0.text("name") == "performActionFor" }
    #expect(said.count == 1)
  }
}
