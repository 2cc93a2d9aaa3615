import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumCore

@MainActor @Suite("The callback of a second launch", .serialized) struct SecondLaunchTests {
  /// Its first scene gets notes once the program has been started again.
  private final class Delegate: ApplicationDelegate {
    static var scenes: [NoteScene] = []
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.example.Notes",
      sceneConfigurations: [SceneConfiguration(name: "Note", sessionRole: .windowApplication) { NoteScene() }])

    init() {
      Self.scenes = []
      manifest.openedURLSchemes = ["note"]
    }

    func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
      Self.scenes[0].scene?.activationConditions.prefersToActivateForTargetContentIdentifier = .prefix("note:")
    }
  }

  private final class NoteScene: WindowSceneDelegate {
    weak var scene: Scene?
    var window: Window?
    var urls = 0

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      self.scene = scene
      Delegate.scenes.append(self)
      window = (scene as? WindowScene).map { Window(windowScene: $0) }
      window?.makeKeyAndVisible()
    }

    func scene(_ scene: Scene, openURLContexts contexts: Set<OpenURLContext>) { urls += contexts.count }
  }

  @Test("Activation conditions that it sets choose the scene of the same request")
  func conditions() {
    let program = HeadlessProgram(delegate: { Delegate() })
    program.launch()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    program.machine.startAgain(["note:x"])
    program.advance(by: .seconds(1))
    #expect(Delegate.scenes.map(\.urls) == [1, 0])
  }

  @Test("Preferences are written after the sessions, which matter more when time is short")
  func order() throws {
    let names = Features.all.map { "\($0)" }
    let sessions = try #require(names.firstIndex(of: "Saving"))
    #expect(sessions < names.firstIndex(of: "PreferencesFeature") ?? names.count)
  }

  @Test("Only scenes of external displays are not interactive, whatever another role is called")
  func roles() {
    #expect(SceneSession.Role(rawValue: "ownNonInteractive").isInteractive)
    #expect(!SceneSession.Role(rawValue: "windowExternalDisplayNonInteractive").isInteractive)
  }
}
