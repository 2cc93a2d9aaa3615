import Proscenium

/// Every control, a thousand pictures, and windows for them.
@main @MainActor final class GalleryProgram: Responder {
  var manifest: ApplicationManifest {
    let gallery = SceneConfiguration(name: "Gallery", delegate: GalleryScene.init)
    gallery.launchSize = Size(width: 820, height: 620)
    let picture = SceneConfiguration(name: "Picture", delegate: PictureScene.init)
    picture.launchSize = Size(width: 480, height: 480)
    return ApplicationManifest(
      applicationIdentifier: "org.proscenium.Gallery", sceneConfigurations: [gallery, picture])
  }

  // Commands of menus and windows arrive here at last, along the responder chain.
  static let newCommand = KeyCommand(input: "n", title: "New Window", action: Action(GalleryProgram.new))
  static let quitCommand = KeyCommand(input: "q", title: "Quit", action: Action(GalleryProgram.quit))

  private func new(_ sender: AnyObject?) {
    Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
  }

  private func quit(_ sender: AnyObject?) { Application.shared.terminate() }
}

/// What the delegates of all windows have in common: the window, and the command that closes it.
@MainActor class ClosingScene: Responder {
  static let closeCommand = KeyCommand(input: "w", title: "Close", action: Action(ClosingScene.close))

  var window: Window?

  private func close(_ sender: AnyObject?) {
    guard let session = window?.windowScene?.session else { return }
    Application.shared.requestSceneSessionDestruction(session)
  }
}

extension GalleryProgram: ApplicationDelegate {
  /// A new window shows a picture if it is asked to, and the gallery else.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let isPicture = options.userActivities.contains { $0.activityType == PictureScene.activityType }
    return SceneConfiguration(name: isPicture ? "Picture" : "Gallery", sessionRole: session.role)
  }
}
