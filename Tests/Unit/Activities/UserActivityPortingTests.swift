import ProsceniumCore
import Testing

/// Code as it is written for UIKit, less the prefixes.
@Suite("User activities as UIKit programs use them")
@MainActor
struct UserActivityPortingTests {
  private final class DocumentController: Responder {
    var text = ""
    var caret = 0

    override func updateUserActivityState(_ activity: UserActivity) {
      activity.addUserInfoEntries(from: ["text": text, "caret": caret])
      super.updateUserActivityState(activity)
    }

    override func restoreUserActivityState(_ activity: UserActivity) {
      super.restoreUserActivityState(activity)
      text = activity.userInfo?["text"] as? String ?? ""
      caret = activity.userInfo?["caret"] as? Int ?? 0
    }
  }

  private final class DocumentSceneDelegate: Responder, SceneDelegate {
    let controller = DocumentController()

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      if let activity = options.userActivities.first ?? session.stateRestorationActivity {
        scene.userActivity = activity
        controller.restoreUserActivityState(activity)
      } else {
        let activity = UserActivity(activityType: "org.example.document")
        activity.title = "Document"
        activity.userInfo?["version"] = 1
        scene.userActivity = activity
      }
      controller.userActivity = scene.userActivity
      scene.userActivity?.becomeCurrent()
      session.userInfo = ["sidebar": true]
      session.userInfo?["width"] = 200
    }
  }

  @Test("A document's state goes through the session to the next scene")
  func document() {
    let session = SceneSession(
      persistentIdentifier: "1", role: .windowApplication,
      configuration: SceneConfiguration(name: nil, sessionRole: .windowApplication))
    do {
      let scene = Scene(session: session, connectionOptions: Scene.ConnectionOptions())
      let delegate = DocumentSceneDelegate()
      delegate.scene(scene, willConnectTo: session, options: Scene.ConnectionOptions())
      delegate.controller.text = "hello"
      delegate.controller.caret = 3
      scene.userActivity?.collect()
      session.stateRestorationActivity = scene.userActivity
    }

    let scene = Scene(session: session, connectionOptions: Scene.ConnectionOptions())
    let delegate = DocumentSceneDelegate()
    delegate.scene(scene, willConnectTo: session, options: Scene.ConnectionOptions())

    #expect(delegate.controller.text == "hello" && delegate.controller.caret == 3)
    #expect(session.userInfo?["sidebar"] as? Bool == true && session.userInfo?["width"] as? Int == 200)
    delegate.controller.text = "bye"
    scene.userActivity?.collect()
    #expect(session.stateRestorationActivity?.userInfo?["text"] as? String == "bye")
    #expect(session.stateRestorationActivity?.title == "Document")
  }
}
