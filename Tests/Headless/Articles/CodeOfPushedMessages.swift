import FoundationEssentials
import Proscenium

@MainActor private func tellServer(_ endpoint: URL) {}
@MainActor private func askServerEveryHour() {}
@MainActor private func fetch(announcedBy message: Data) {}

// Begin: code of PushedMessages.md
@MainActor final class ChatDelegate: Responder {}

extension ChatDelegate: ApplicationDelegate, RemoteNotificationCenterDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    RemoteNotificationCenter.current.delegate = self
    RemoteNotificationCenter.current.register()
    return true
  }

  func remoteNotificationCenter(_ center: RemoteNotificationCenter, didRegisterWith endpoint: URL) {
    tellServer(endpoint)
  }

  func remoteNotificationCenter(
    _ center: RemoteNotificationCenter, didFailToRegisterWith error: RemoteNotificationCenter.Failure
  ) { askServerEveryHour() }

  func remoteNotificationCenter(_ center: RemoteNotificationCenter, didReceive message: Data) {
    fetch(announcedBy: message)
  }
}
// End: code of PushedMessages.md
