import Glibc
import Proscenium

/// Opens windows that show their scenes' states.
@main @MainActor final class SceneLab: Responder {
  /// Whether windows show their colour alone.
  private(set) static var isPlain = false
  private let options: Options
  /// The window of the app-based model.
  private var window: Window?

  override init() {
    switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
    case .success(let options): self.options = options
    case .failure(let problem):
      let text = "SceneLab: \(problem.text)\n\(Options.usage)\n"
      _ = text.withCString { write(2, $0, strlen($0)) }
      exit(2)
    }
    super.init()
    Self.isPlain = options.isPlain
  }

  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Lab", delegate: LabScene.init)
    configuration.launchSize = Size(width: 360, height: 240)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.SceneLab", sceneConfigurations: options.isAppBased ? [] : [configuration])
    manifest.suspensionPolicy = .whenAllInBackground
    return manifest
  }

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind else { return false }
    return Lab.press(key, in: event.window?.windowScene)
  }
}

extension SceneLab: ApplicationDelegate {
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    log("willFinishLaunching")
    return true
  }

  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    log("didFinishLaunching")
    if options.isAppBased {
      let window = Window()
      Lab.show(.background, in: window, of: "application")
      window.makeKeyAndVisible()
      self.window = window
    } else {
      openScenes(until: options.scenes, application)
    }
    if let seconds = options.quitAfter { quit(after: seconds) }
    return true
  }

  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    log("didReceiveSecondLaunch", launch.arguments.joined(separator: " "))
    // The other process has ended with an error where the options are none.
    guard case .success(let options) = Options.parse(launch.arguments) else { return }
    if !self.options.isAppBased { openScenes(until: options.scenes, application) }
    if let seconds = options.quitAfter { quit(after: seconds) }
  }

  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    log("didDiscardSceneSessions", "\(sceneSessions.count)")
    for session in sceneSessions { Lab.histories[session.persistentIdentifier] = nil }
  }

  func applicationWillTerminate(_ application: Application) { log("applicationWillTerminate") }

  // Called in the app-based model only.
  func applicationWillEnterForeground(_ application: Application) {
    change(to: .foregroundInactive, "applicationWillEnterForeground")
  }
  func applicationDidBecomeActive(_ application: Application) {
    change(to: .foregroundActive, "applicationDidBecomeActive")
  }
  func applicationWillResignActive(_ application: Application) {
    change(to: .foregroundInactive, "applicationWillResignActive")
  }
  func applicationDidEnterBackground(_ application: Application) {
    change(to: .background, "applicationDidEnterBackground")
  }

  private func change(to state: Scene.ActivationState, _ call: String) {
    log(call)
    Lab.show(state, in: window, of: "application")
  }

  /// Opens scenes until there are so many; those of the last run are restored by the framework, or the first one where
  /// there was none.
  private func openScenes(until count: Int, _ application: Application) {
    let coming = max(application.openSessions.count, 1)
    for _ in coming..<max(count, coming) { application.activateSceneSession(for: SceneSessionActivationRequest()) }
  }

  private func quit(after seconds: Double) {
    Task {
      try? await Task.sleep(for: .milliseconds(Int64(seconds * 1000)))
      Application.shared.terminate()
    }
  }

  private func log(_ call: String, _ detail: String = "") { Lab.log("application", call, detail) }
}
