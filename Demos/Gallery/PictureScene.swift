import Proscenium
import ProsceniumUI

/// The delegate of a window with one picture.
@MainActor final class PictureScene: ClosingScene {
  static let activityType = "org.proscenium.Gallery.picture"

  private(set) var artwork: Artwork?
  private let picture = ArtworkView()
  /// How many quarters the picture is turned.
  private(set) var quarters = 0

  /// Opens a picture in a window of its own; one that it has already comes forward.
  static func open(_ artwork: Artwork) {
    let activity = activity(of: artwork)
    Application.shared.activateSceneSession(for: SceneSessionActivationRequest(userActivity: activity))
  }

  /// What asks for the window of a picture, whoever has it.
  static func activity(of artwork: Artwork) -> UserActivity {
    let activity = UserActivity(activityType: activityType)
    activity.title = artwork.name
    activity.targetContentIdentifier = "picture " + artwork.identifier
    activity.userInfo = ["picture": artwork.identifier]
    return activity
  }

  // MARK: Keys

  override var keyCommands: [KeyCommand] { [Self.turnCommand, Self.closeCommand, GalleryProgram.quitCommand] }
  static let turnCommand = KeyCommand(input: "r", title: "Turn", action: Action(PictureScene.turn))

  private func turn(_ sender: AnyObject?) {
    quarters = (quarters + 1) % 4
    View.animate(withDuration: .milliseconds(300)) { showTurn() }
    window?.windowScene?.invalidateRestorableState()
  }

  private func showTurn() { picture.transform = Transform(rotationAngle: Double(quarters) * .pi / 2) }
}

extension PictureScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    let activity = options.userActivities.first ?? session.stateRestorationActivity
    artwork = (activity?.userInfo?["picture"] as? String).flatMap(Artwork.init)
    scene.title = artwork?.name ?? "Picture"
    // Who asks for this picture gets this window, and who asks for another one a new window.
    if let identifier = artwork.flatMap({ Self.activity(of: $0).targetContentIdentifier }) {
      scene.activationConditions.canActivateForTargetContentIdentifier = .equals(identifier)
      scene.activationConditions.prefersToActivateForTargetContentIdentifier = .equals(identifier)
    }
    let window = Window(windowScene: scene)
    window.minimumSize = Size(width: 120, height: 120)
    window.rootView = picture
    self.window = window
    window.makeKeyAndVisible()
  }

  // The window shows the picture already: it is enough that it comes forward.
  func scene(_ scene: Scene, continue userActivity: UserActivity) {}

  func sceneWillEnterForeground(_ scene: Scene) {
    picture.show(artwork)
    picture.draw()
  }

  func sceneDidEnterBackground(_ scene: Scene) { picture.free() }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    guard let artwork else { return nil }
    let activity = Self.activity(of: artwork)
    activity.userInfo?["quarters"] = quarters
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    quarters = min(max(activity.userInfo?["quarters"] as? Int ?? 0, 0), 3)
    showTurn()
  }
}
