import Proscenium

/// Windows with a clock that runs while its scene is active, and an upload that completes in the background.
///
/// `--upload` begins one as soon as a window is active; `--upload-seconds N` says how long one takes (10).
@main @MainActor final class MeterProgram: Responder {
  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Meter", delegate: MeterScene.init)
    configuration.launchSize = Size(width: 420, height: 200)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Meter", sceneConfigurations: [configuration])
    // The program does not run while its windows are hidden, once the uploads are done.
    manifest.suspensionPolicy = .whenAllInBackground
    // A meter that hangs is ended as on a phone; the next launch restores its windows.
    manifest.watchdogPolicy = .terminate
    return manifest
  }
}

extension MeterProgram: ApplicationDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    let arguments = CommandLine.arguments
    if let index = arguments.firstIndex(of: "--upload-seconds"), index + 1 < arguments.count,
      let seconds = Double(arguments[index + 1])
    {
      Upload.seconds = seconds.isNaN ? Upload.seconds : min(max(seconds, 0.1), 3600)
    }
    Upload.beginsAtOnce = arguments.contains("--upload")
    return true
  }

  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions { log("closed for good", session) }
  }

  func applicationWillTerminate(_ application: Application) { log("ends") }
}
