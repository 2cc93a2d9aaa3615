import Proscenium

#if canImport(ProsceniumUI)
  import ProsceniumUI
#endif

/// The delegate of one scene: shows the state of its scene and logs its callbacks.
@MainActor final class LabScene: Responder {
  /// The highest number that is in use; nil until one is needed.
  private static var count: Int?

  var window: Window?
  private var name = "scene"
  private var identifier = ""
  #if canImport(ProsceniumUI)
    /// Made when the scene is first visible: a scene that stays in the background needs none.
    private var face: Face?
  #endif

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind else { return false }
    return Lab.press(key, in: event.window?.windowScene)
  }
}

extension LabScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    name = Self.name(of: session)
    identifier = session.persistentIdentifier
    log("willConnectTo", options.isReconnect ? "comes back" : "new session")
    guard let scene = scene as? WindowScene else { return }
    let window = Window(windowScene: scene)
    self.window = window
    show(.background)
    window.makeKeyAndVisible()
  }

  func sceneWillEnterForeground(_ scene: Scene) {
    showOnFace(scene)
    change(to: .foregroundInactive, "sceneWillEnterForeground")
  }
  func sceneDidBecomeActive(_ scene: Scene) { change(to: .foregroundActive, "sceneDidBecomeActive") }
  func sceneWillResignActive(_ scene: Scene) { change(to: .foregroundInactive, "sceneWillResignActive") }
  func sceneDidEnterBackground(_ scene: Scene) { change(to: .background, "sceneDidEnterBackground") }

  func sceneDidDisconnect(_ scene: Scene) {
    log("sceneDidDisconnect", scene.disconnectionReason?.rawValue ?? "")
    // The history of a discarded session is removed.
    Lab.histories[identifier]?.enter(.unattached)
  }

  private func change(to state: Scene.ActivationState, _ call: String) {
    log(call)
    show(state)
  }

  private func show(_ state: Scene.ActivationState) {
    Lab.show(state, in: window, of: name)
    Lab.histories[identifier, default: History()].enter(state)
    #if canImport(ProsceniumUI)
      face?.show(state, Lab.histories[identifier] ?? History())
    #endif
  }

  private func showOnFace(_ scene: Scene) {
    #if canImport(ProsceniumUI)
      guard face == nil, !SceneLab.isPlain, let window else { return }
      let face = Face(name, in: window) { [weak scene] in Lab.perform($0, in: scene) }
      window.rootView = face
      self.face = face
    #endif
  }

  private func log(_ call: String, _ detail: String = "") { Lab.log(name, call, detail) }

  /// A session keeps its number when it is connected again, also in another run.
  private static func name(of session: SceneSession) -> String {
    if let number = session.userInfo?["number"] as? Int { return "scene \(number)" }
    let known = count ?? Application.shared.openSessions.compactMap { $0.userInfo?["number"] as? Int }.max() ?? 0
    count = known + 1
    session.userInfo = ["number": known + 1]
    return "scene \(known + 1)"
  }
}
