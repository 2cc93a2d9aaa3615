import FoundationEssentials
import Glibc
import Proscenium
import ScenarioKit

#if !WITHOUT_UserNotifications
  /// A program that adds a notice at its launch, so many seconds from then: `--notice=SECONDS`; with
  /// `--killed` it does not outlive that.
  @MainActor final class RemindersDelegate: Responder, ApplicationDelegate {
    private static let prefix = "--notice="

    /// Whether the program is to be this one: also as the service manager starts it.
    static var isMeant: Bool {
      CommandLine.arguments.contains { $0.hasPrefix(prefix) || $0 == "proscenium notice" }
    }

    var manifest: ApplicationManifest {
      ApplicationManifest(
        applicationIdentifier: "org.proscenium.Reminders",
        sceneConfigurations: [SceneConfiguration(name: "Main", delegate: ScenarioScene.init)])
    }

    func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
      if let option = CommandLine.arguments.first(where: { $0.hasPrefix(Self.prefix) }),
        let seconds = Double(option.dropFirst(Self.prefix.count))
      {
        UserNotificationCenter.current.add(
          UserNotificationRequest(
            identifier: "reminder", content: UserNotificationContent(title: "It is time"),
            trigger: .after(.seconds(seconds))))
        if CommandLine.arguments.contains("--killed") { kill(getpid(), SIGKILL) }
      }
      return true
    }

    override func handle(_ event: Event) -> Bool { false }
  }
#else
  @MainActor enum RemindersDelegate { static let isMeant = false }
#endif
