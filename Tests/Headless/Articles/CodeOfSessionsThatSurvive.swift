import FoundationEssentials
import Proscenium

private let (path, caret) = ("/tmp/note.txt", 3)
private func open(_ path: String?, caret: Int) {}

// Begin: code of SessionsThatSurvive.md
private final class EditorScene: Responder {}

extension EditorScene: WindowSceneDelegate {
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.editor.document")
    activity.addUserInfoEntries(from: ["path": path, "caret": caret])
    return activity
  }
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    open(activity.userInfo?["path"] as? String, caret: activity.userInfo?["caret"] as? Int ?? 0)
  }
}
// End: code of SessionsThatSurvive.md
