import Proscenium
import ProsceniumUI

/// Postcards whose interface is drawn in Glade: `Postcard.ui`.
@main @MainActor final class PostcardProgram: Responder {
  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Postcard", delegate: PostcardScene.init)
    configuration.launchSize = Size(width: 560, height: 320)
    // Beside the program, where the package manager puts the target's resources.
    configuration.interfaceFile = InterfaceFile(
      "Proscenium_Postcard.resources/Postcard.ui",
      classes: [
        InterfaceClass("PostcardController", PostcardController.init) {
          $0.outlet("message", \.message)
          $0.outlet("stamp", \.stamp)
          $0.outlet("count", \.count)
          $0.action("stamp_clicked", PostcardController.putStamp)
          $0.action("clear_clicked", PostcardController.clear)
        },
        InterfaceClass("StampView", StampView.init),
      ])
    return ApplicationManifest(
      applicationIdentifier: "org.proscenium.Postcard", sceneConfigurations: [configuration])
  }
}

extension PostcardProgram: ApplicationDelegate {}

/// The delegate of one postcard: its window has the interface already when the scene connects.
@MainActor final class PostcardScene: Responder {
  private static let activityType = "org.proscenium.Postcard.card"

  var window: Window?
  private var card: PostcardController? { window?.rootViewController as? PostcardController }
}

extension PostcardScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    window?.title = "Postcard"
    window?.minimumSize = Size(width: 420, height: 240)
    let kept = session.stateRestorationActivity?.userInfo
    card?.show(text: kept?["text"] as? String ?? "", stamps: kept?["stamps"] as? Int ?? 0)
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    guard let card else { return nil }
    let activity = UserActivity(activityType: Self.activityType)
    activity.userInfo = ["text": card.text, "stamps": card.stamps]
    return activity
  }
}
