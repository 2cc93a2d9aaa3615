import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// What the user did to switches and sliders, after the death of the program.
  @MainActor @Suite("Controls that are restored") struct ControlRestorationTests {
    private final class Settings: Responder, WindowSceneDelegate {
      let sound = Switch("Sound")
      let volume = Slider(50, in: 0...100)
      var window: Window?

      func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
        guard let scene = scene as? WindowScene else { return }
        let root = View()
        sound.frame = Rect(x: 10, y: 10, width: 100, height: 28)
        volume.frame = Rect(x: 10, y: 50, width: 124, height: 24)
        for view in [sound, volume] { root.addSubview(view) }
        window = Window(windowScene: scene)
        window?.rootView = root
        window?.makeKeyAndVisible()
      }
      func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        let activity = UserActivity(activityType: "settings")
        activity.userInfo = ["sound": sound.isOn, "volume": volume.value]
        return activity
      }
      func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        sound.isOn = activity.userInfo?["sound"] as? Bool ?? false
        volume.value = activity.userInfo?["volume"] as? Double ?? 50
      }
    }
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Settings", delegate: Settings.init)])
    }

    @Test(
      "What the user changed is there again after a kill",
      arguments: ["switch", "switch by key", "slider", "slider by key", "drag that goes on"])
    func killed(_ means: String) throws {
      let program = HeadlessProgram(delegate: Delegate.init)
      func settings() throws -> Settings { try #require(program.scenes.first?.delegate as? Settings) }
      program.launch()
      program.advance(by: .seconds(3))
      let before = try settings()
      let id = try #require(program.windows.first?.id)
      func send(_ kinds: InputEvent.Kind...) {
        for kind in kinds { program.platform.send(.input(id, InputEvent(kind, time: 1))) }
      }
      switch means {
      case "switch": send(.press(20, 20), .release(20, 20))
      case "switch by key":
        before.sound.becomeFirstResponder()
        send(.type(KeySymbol.space))
      case "slider": send(.press(32, 60), .release(32, 60))
      case "slider by key":
        before.volume.becomeFirstResponder()
        send(.type(KeySymbol.home))
      default:
        before.volume.isContinuous = false
        send(.press(32, 60), .move(42, 60))
      }
      let (isOn, value) = (before.sound.isOn, before.volume.value)
      #expect(isOn || value != 50)
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      #expect(try settings() !== before)
      #expect(try settings().sound.isOn == isOn && settings().volume.value == value)
    }
  }
}
