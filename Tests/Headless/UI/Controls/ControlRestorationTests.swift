import FoundationEssentials
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

    @Test("Each control has what was entered as a property-list value, and takes that and nothing else")
    func values() throws {
      let stage = try UIStage { _ in }
      func make() -> [any RestorableView] {
        [
          Switch("Sound"), SegmentedControl(["Post", "Rail", "Air"]), Slider(0.5), Stepper(), NumberField(1),
          PopUpButton(["Laid", "Wove"]), DatePicker(Date(timeIntervalSince1970: 0)), ColorWell(.black),
          TextField("Ada"), TextView(),
        ]
      }
      func kept(_ views: [any RestorableView]) -> [String] { views.map { "\($0.restorationValue ?? "nothing")" } }
      let (before, after) = (make(), make())
      let first = kept(before)
      for view in before {
        switch view {
        case let view as Switch: view.isOn = true
        case let view as SegmentedControl: view.selectedSegmentIndex = 2
        case let view as Slider: view.value = 0.25
        case let view as Stepper: view.value = 7
        case let view as NumberField: view.value = 42
        case let view as PopUpButton: view.selectedIndex = 1
        case let view as DatePicker: view.date = Date(timeIntervalSince1970: 1_000_000_000)
        case let view as ColorWell: view.selectedColor = Color(rgb: 0x1A66D6)
        case let view as TextField: view.text = "Grace"
        case let view as TextView: view.text = "One\nTwo"
        default: break
        }
      }
      (before[8] as? TextField)?.selectedRange = 1..<2
      let values = before.map { $0.restorationValue }
      #expect(values.allSatisfy { $0 != nil } && !zip(first, kept(before)).contains { $0 == $1 })
      let activity = UserActivity(activityType: "values")
      activity.userInfo = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0)", $1 ?? 0) })
      for (index, view) in after.enumerated() { view.restorationValue = activity.userInfo?["\(index)"] }
      #expect((after[0] as? Switch)?.isOn == true && (after[1] as? SegmentedControl)?.selectedSegmentIndex == 2)
      #expect((after[2] as? Slider)?.value == 0.25 && (after[3] as? Stepper)?.value == 7)
      #expect((after[4] as? NumberField)?.value == 42 && (after[5] as? PopUpButton)?.selectedIndex == 1)
      #expect((after[6] as? DatePicker)?.date == Date(timeIntervalSince1970: 1_000_000_000))
      #expect((after[7] as? ColorWell)?.selectedColor == Color(rgb: 0x1A66D6))
      #expect((after[8] as? TextField)?.text == "Grace" && (after[8] as? TextField)?.selectedText == "r")
      #expect((after[9] as? TextView)?.text == "One\nTwo")
      for rubbish: (any Sendable)? in [nil, "x", [1], ["text": 1], ["selection": 2]] {
        for view in after { view.restorationValue = rubbish }
      }
      #expect((after[0] as? Switch)?.isOn == true && (after[2] as? Slider)?.value == 0.25)
      #expect((after[5] as? PopUpButton)?.selectedIndex == 1 && (after[8] as? TextField)?.text == "Grace")
      (after[2] as? Slider)?.restorationValue = 1
      #expect((after[2] as? Slider)?.value == 1, "a whole number may be read as such")
      _ = stage
    }

    @Test("Passwords, buttons and switches that are neither on nor off keep nothing")
    func nothing() {
      let (secret, toggle) = (TextField("word"), Switch("A", isOn: true))
      secret.isSecureTextEntry = true
      toggle.isIndeterminate = true
      for view in [secret, toggle, Button("Send"), Control()] { #expect(view.restorationValue == nil) }
      toggle.restorationValue = false
      #expect(!toggle.isIndeterminate && !toggle.isOn)
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
