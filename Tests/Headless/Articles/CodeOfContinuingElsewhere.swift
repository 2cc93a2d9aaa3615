import Proscenium

@MainActor private func markAsRead(_ letter: String) {}
@MainActor private func addMenuItem(_ title: String, _ action: @escaping @MainActor () -> Void) {}
@MainActor private func showProgress() {}
@MainActor private func showLetter(_ letter: String) {}
@MainActor private func showProblem(_ text: String) {}

// Begin: code of ContinuingElsewhere.md
@MainActor final class ReadingScene: Responder {
  private var letter = "42"

  override func updateUserActivityState(_ activity: UserActivity) {
    activity.addUserInfoEntries(from: ["letter": letter])
  }
}

extension ReadingScene: WindowSceneDelegate, UserActivityDelegate {
  func sceneDidBecomeActive(_ scene: Scene) {
    let activity = UserActivity(activityType: "org.example.letter")
    activity.title = "Letter to Ada"
    activity.delegate = self
    userActivity = activity
    activity.becomeCurrent()
  }

  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {
    userActivity.targetContentIdentifier = "letter:\(letter)"
  }

  func userActivityWasContinued(_ userActivity: UserActivity) { markAsRead(letter) }
}
// End: code of ContinuingElsewhere.md

// Begin: code of ContinuingElsewhere.md
@MainActor final class WriterDelegate: Responder {
  let manifest: ApplicationManifest = {
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.example.Writer",
      sceneConfigurations: [SceneConfiguration(name: "Letter", delegate: WriterScene.init)])
    manifest.userActivityTypes = ["org.example.letter"]
    return manifest
  }()

  func showOffers() async {
    for offer in await HandoffCenter.shared.activities() {
      addMenuItem(offer.title ?? offer.activityType) { HandoffCenter.shared.continueActivity(offer) }
    }
  }
}

extension WriterDelegate: ApplicationDelegate {}

@MainActor final class WriterScene: Responder {}

extension WriterScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) { showProgress() }

  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    if let letter = userActivity.userInfo?["letter"] as? String { showLetter(letter) }
  }

  func scene(_ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error) {
    showProblem("\(error)")
  }
}
// End: code of ContinuingElsewhere.md
