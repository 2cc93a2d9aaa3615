import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

/// A program with one window for the tests of the kit.
@MainActor final class KitProgram: Responder, ApplicationDelegate {
  final class MainScene: Responder, WindowSceneDelegate {
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
    }
    func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
      hear(urlContexts.map(\.url.absoluteString).sorted { $0 > $1 }.joined(separator: " "))
    }
    func windowScene(
      _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
      completionHandler: @escaping @MainActor (Bool) -> Void
    ) {
      hear(shortcutItem.type)
      completionHandler(true)
    }
    private func hear(_ what: String) { (Application.shared.delegate as? KitProgram)?.heard.append(what) }
  }

  static var reply = TerminateReply.now
  let sceneConfigurations = [SceneConfiguration(name: "Main", delegate: MainScene.init)]
  let shortcutItems = [ApplicationShortcutItem(type: "greet", localizedTitle: "Greet")]
  var supportsMultipleScenes: Bool { true }
  var openedURLSchemes: Set<String> { ["kit"] }
  var manifest: ApplicationManifest {
    var manifest = ApplicationManifest(
      sceneConfigurations: sceneConfigurations, supportsMultipleScenes: supportsMultipleScenes)
    manifest.openedURLSchemes = openedURLSchemes
    manifest.shortcutItems = shortcutItems
    return manifest
  }
  var heard: [String] = []
  func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    heard.append("shouldTerminate \(application.terminationCause?.rawValue ?? "?")")
    return Self.reply
  }
  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    heard.append("again \(launch.arguments.joined(separator: " "))")
  }
  func applicationSignificantTimeChange(_ application: Application) { heard.append("time") }
  override func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind { heard.append("key \(key.characters)") }
    return true
  }
  func applicationDidReceiveMemoryWarning(_ application: Application) { heard.append("memory") }

  /// Launched, with every hold run out.
  static func launched(on disk: HeadlessDisk = HeadlessDisk()) throws -> (HeadlessProgram, Window) {
    reply = .now
    let program = HeadlessProgram(delegate: KitProgram.init, disk: disk)
    program.launch()
    program.advance(by: .seconds(1))
    program.ignoreLines()
    return (program, try #require(program.windows.first))
  }
}

extension HeadlessProgram {
  /// The delegate of the present process.
  var kit: KitProgram? { application.delegate as? KitProgram }
}
