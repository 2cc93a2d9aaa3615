import FoundationEssentials
import Proscenium

@MainActor private final class Document {
  @discardableResult func autosave() async -> Bool { true }
}

#if !WITHOUT_Execution
  // Begin: code of InTheBackground.md
  @MainActor final class Player {
    private var playing: ExecutionToken?

    func play() { playing = Application.shared.beginExecution(.audio, reason: "playing") }
    func pause() { playing = nil }
  }
// End: code of InTheBackground.md
#endif

#if !WITHOUT_BackgroundScheduler
  private final class Feeds: Sendable {
    static let shared = Feeds()
    func load() async -> Bool { true }
  }

  // Begin: code of InTheBackground.md
  @MainActor final class Reader: Responder {
    static let refresh = "org.example.Reader.refresh"

    var manifest: ApplicationManifest {
      var manifest = ApplicationManifest(applicationIdentifier: "org.example.Reader")
      manifest.permittedTaskIdentifiers = [Self.refresh]
      return manifest
    }

    static func requestRefresh() {
      let request = AppRefreshTaskRequest(identifier: refresh, earliestBeginDate: Date(timeIntervalSinceNow: 3600))
      do { try BackgroundScheduler.shared.submit(request) } catch { print(error) }
    }
  }

  extension Reader: ApplicationDelegate {
    func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      BackgroundScheduler.shared.register(forTaskWithIdentifier: Self.refresh) { task in
        Self.requestRefresh()
        let work = Task {
          let isFresh = await Feeds.shared.load()
          task.setTaskCompleted(success: isFresh)
        }
        task.expirationHandler = { work.cancel() }
      }
      return true
    }

    // The first request; a scene's delegate has sceneDidEnterBackground for it. One that is pending stays: a program
    // that is started for the task enters the background before the task begins.
    func applicationDidEnterBackground(_ application: Application) {
      if BackgroundScheduler.shared.pendingTaskRequests.isEmpty { Self.requestRefresh() }
    }
  }
// End: code of InTheBackground.md
#endif

@MainActor private enum Background {
  static func finish(_ document: Document) async -> Bool {
    // Begin: code of InTheBackground.md
    let isSaved = await Application.shared.withBackgroundTask("saving") { await document.autosave() }
    // End: code of InTheBackground.md
    return isSaved
  }

  // On one line, as the article has it.
  // swift-format-ignore
  static func stop(_ scene: Scene, _ link: FrameLink) {
    // Begin: code of InTheBackground.md
    scene.whileActive { link.isPaused = false } stop: { link.isPaused = true }
    // End: code of InTheBackground.md
  }
}
