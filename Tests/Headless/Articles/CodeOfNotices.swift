import FoundationEssentials
import Proscenium

@MainActor private func archive(_ identifier: String) {}
@MainActor private func showReply(in scene: Scene?) {}

// Begin: code of Notices.md
@MainActor final class MailDelegate: Responder {
  func mailArrived(_ identifier: String, from sender: String, _ text: String) {
    let content = UserNotificationContent(
      title: sender, body: text, categoryIdentifier: "mail", targetContentIdentifier: "mail:\(identifier)")
    UserNotificationCenter.current.add(UserNotificationRequest(identifier: identifier, content: content))
  }
}

extension MailDelegate: ApplicationDelegate, UserNotificationCenterDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    let center = UserNotificationCenter.current
    center.delegate = self
    center.categories = [
      UserNotificationCategory(
        identifier: "mail",
        actions: [
          UserNotificationAction(identifier: "reply", title: "Reply"),
          UserNotificationAction(identifier: "archive", title: "Archive", opensScene: false),
        ])
    ]
    return true
  }

  func userNotificationCenter(
    _ center: UserNotificationCenter, didReceive response: UserNotificationResponse, targetScene: Scene?
  ) {
    switch response.actionIdentifier {
    case "archive": archive(response.request.identifier)
    case "reply": showReply(in: targetScene)
    case _: break
    }
  }
}
// End: code of Notices.md

// Begin: code of Notices.md
@MainActor func remind(of meeting: String, at hour: Int) {
  let content = UserNotificationContent(title: meeting, targetContentIdentifier: "meeting:\(meeting)")
  let center = UserNotificationCenter.current
  center.add(UserNotificationRequest(identifier: meeting, content: content, trigger: .after(.seconds(600))))
  // Each Monday.
  let monday = DateComponents(hour: hour, weekday: 2)
  center.add(
    UserNotificationRequest(identifier: "weekly", content: content, trigger: .matching(monday, repeats: true)))
  center.removePendingNotificationRequests(withIdentifiers: ["yesterday"])
}
// End: code of Notices.md
