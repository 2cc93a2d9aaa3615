import FoundationEssentials
import Proscenium

private final class EditorScene: Responder, WindowSceneDelegate {
  var window: Window?
  init(session: SceneSession) {}
}
@MainActor private var showsWelcome = false
@MainActor private var news = ""
private func deleteOldPreviews() {}

// Begin: code of FilesOfTheProgram.md
private final class AppDelegate: Responder {
  private var token: NotificationCenter.ObservationToken?

  let manifest: ApplicationManifest = {
    var manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Editor") { EditorScene(session: $0) }])
    manifest.version = "2.1"
    manifest.defaultData = DefaultData(
      folder: "../share/editor", files: ["Themes", "dictionary.txt"], templates: ["Letter.txt"])
    return manifest
  }()
}

extension AppDelegate: ApplicationDelegate {
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    switch launchOptions?.firstLaunch {
    case .ofProgram: showsWelcome = true
    case .ofVersion(let last): news = "What is new since \(last)"
    case .no, nil: break
    }
    token = NotificationCenter.default.addObserver(of: application, for: .cachesShouldShrink) { message in
      if message.cause == .disk { deleteOldPreviews() }
    }
    return true
  }
}
// End: code of FilesOfTheProgram.md

private struct Preview {
  let name: String
  // Begin: code of FilesOfTheProgram.md
  @MainActor func keep(_ preview: Data, in application: Application) throws {
    try preview.write(to: application.directories.caches.appending(path: "\(name).preview"), options: .atomic)
  }
  // End: code of FilesOfTheProgram.md
}
