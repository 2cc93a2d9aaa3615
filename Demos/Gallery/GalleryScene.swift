import Proscenium
import ProsceniumUI

/// The delegate of a window with the controls and the pictures.
@MainActor final class GalleryScene: ClosingScene {
  let gallery = GalleryController()
}

extension GalleryScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    scene.title = "Gallery"
    // Pictures are asked for by their identifiers: no such request is one for this window.
    scene.activationConditions.canActivateForTargetContentIdentifier = .none
    let window = Window(windowScene: scene)
    window.minimumSize = Size(width: 360, height: 280)
    window.rootViewController = gallery
    self.window = window
    window.makeKeyAndVisible()
  }

  // What can be drawn again need not wait in memory.
  func sceneDidEnterBackground(_ scene: Scene) { gallery.pictures.list.cache.purge() }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.proscenium.Gallery.gallery")
    activity.userInfo = gallery.restorationState
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    gallery.restorationState = activity.userInfo ?? [:]
  }
}
