import Proscenium

/// The delegate of one scene: shows the state of its scene and says what it is told.
@MainActor final class LabScene: Responder, WindowSceneDelegate {
  private static var count = 0
  private static var names: [String: String] = [:]

  var window: Window?
  private var name = "scene"

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    name = Self.name(of: session)
    say("willConnectTo", options.isReconnect ? "reconnected" : "new session")
    guard let scene = scene as? WindowScene else { return }
    let window = Window(windowScene: scene)
    Lab.show(.background, in: window, of: name)
    window.makeKeyAndVisible()
    self.window = window
  }

  func sceneWillEnterForeground(_ scene: Scene) { change(to: .foregroundInactive, "sceneWillEnterForeground") }
  func sceneDidBecomeActive(_ scene: Scene) { change(to: .foregroundActive, "sceneDidBecomeActive") }
  func sceneWillResignActive(_ scene: Scene) { change(to: .foregroundInactive, "sceneWillResignActive") }
  func sceneDidEnterBackground(_ scene: Scene) { change(to: .background, "sceneDidEnterBackground") }

  func sceneDidDisconnect(_ scene: Scene) {
    say("sceneDidDisconnect", scene.disconnectionReason?.rawValue ?? "")
  }

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind else { return false }
    return Lab.press(key, in: event.window?.windowScene)
  }

  private func change(to state: Scene.ActivationState, _ call: String) {
    say(call)
    Lab.show(state, in: window, of: name)
  }

  private func say(_ call: String, _ detail: String = "") { Lab.say(name, call, detail) }

  /// A session keeps its number when it is connected again.
  private static func name(of session: SceneSession) -> String {
    if let name = names[session.persistentIdentifier] { return name }
    count += 1
    let name = "scene \(count)"
    names[session.persistentIdentifier] = name
    return name
  }
}
