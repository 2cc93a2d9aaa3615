import FoundationEssentials
import Proscenium
import ScenarioKit

#if !WITHOUT_BackgroundScheduler
  /// A program with a scheduled task, which it requests at its launch with `--tasks=SECONDS`, and once more with each
  /// command `task SECONDS`.
  @MainActor final class TasksDelegate: Responder, ApplicationDelegate {
    private static let task = "org.proscenium.Tasks.refresh"

    /// Whether the program is to be this one: also as the service manager starts it.
    static var isMeant: Bool { CommandLine.arguments.contains { $0.hasPrefix("--tasks") || $0 == "--proscenium-task" } }

    var manifest: ApplicationManifest {
      var manifest = ApplicationManifest(
        applicationIdentifier: "org.proscenium.Tasks",
        sceneConfigurations: [SceneConfiguration(name: "Main", delegate: ScenarioScene.init)])
      manifest.permittedTaskIdentifiers = [Self.task]
      #if !WITHOUT_Suspension
        manifest.suspensionPolicy = .whenAllInBackground
      #endif
      return manifest
    }

    func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
      BackgroundScheduler.shared.register(forTaskWithIdentifier: Self.task) { task in
        Task {
          try? await Task.sleep(for: .milliseconds(100))
          task.setTaskCompleted(success: true)
        }
      }
      let prefix = "--tasks="
      if let option = CommandLine.arguments.first(where: { $0.hasPrefix(prefix) }) {
        _ = Self.request(option.dropFirst(prefix.count))
      }
      return true
    }

    static func perform(_ words: [Substring]) -> Bool { words.count == 2 && request(words[1]) }

    private static func request(_ seconds: Substring) -> Bool {
      guard let seconds = Double(seconds) else { return false }
      let date = Date(timeIntervalSinceNow: seconds)
      return
        (try? BackgroundScheduler.shared.submit(
          AppRefreshTaskRequest(identifier: task, earliestBeginDate: date))) != nil
    }

    override func handle(_ event: Event) -> Bool { false }
  }
#else
  @MainActor enum TasksDelegate {
    static let isMeant = false
    static func perform(_ words: [Substring]) -> Bool { false }
  }
#endif
