import Proscenium
import ProsceniumUI

// The code of the article: compiled, so that it stays correct.

// Begin: code of ViewsEventsAndDrawing.md
private final class AppDelegate: Responder {
  let manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Memo", delegate: MemoScene.init)])
}

extension AppDelegate: ApplicationDelegate {}

private final class MemoScene: Responder {
  var window: Window?
  let text = TextView()
  override var keyCommands: [KeyCommand] {
    [KeyCommand(input: "c", modifiers: [.control, .shift], action: Action(MemoScene.copyAll))]
  }
}

extension MemoScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    let clear = Button("Clear") { [weak self] in self?.ask() }
    window = Window(windowScene: scene)
    window?.rootView = StackView(.vertical, margin: 12, [text, clear])
    window?.makeKeyAndVisible()
    text.becomeFirstResponder()
  }
  func ask() {
    let alert = AlertController(title: "Clear the memo?")
    alert.addAction(AlertAction("Clear", style: .destructive) { [weak self] in self?.text.text = "" })
    alert.addAction(AlertAction("Keep", style: .cancel))
    alert.present(above: window)
  }
  func copyAll(_ sender: AnyObject?) { Pasteboard.general.setString(text.text) }
}
// End: code of ViewsEventsAndDrawing.md
