import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

// Begin: code of Forms.md
private final class SignUpScene: Responder {
  var window: Window?
  let name = TextField("", placeholder: "Name")
  let password = TextField("", placeholder: "Password")
  let newsletter = Switch("Send me the newsletter", style: .checkbox)
  let volume = Slider()
  let send = Button("Send", style: .filled)
}

extension SignUpScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    password.isSecureTextEntry = true
    name.delegate = self
    name.addAction(for: .editingChanged) { [weak self] in self?.validate() }
    send.isEnabled = false
    window = Window(windowScene: scene)
    window?.rootView = StackView(
      .vertical, spacing: 8, margin: 12, [name, password, newsletter, volume, send, Spacer()])
    window?.makeKeyAndVisible()
    name.becomeFirstResponder()
  }

  // Passwords do not belong into a restoration activity, which is a file: the field would give nil.
  private var kept: [String: any RestorableView] { ["name": name, "newsletter": newsletter, "volume": volume] }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let activity = UserActivity(activityType: "org.example.sign-up")
    activity.userInfo = kept.compactMapValues { $0.restorationValue }
    return activity
  }

  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    for (key, view) in kept { view.restorationValue = activity.userInfo?[key] }
    validate()
  }

  private func validate() { send.isEnabled = !name.text.isEmpty }
}

extension SignUpScene: TextFieldDelegate {
  func textField(
    _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
  ) -> Bool { !string.contains("@") }
}
// End: code of Forms.md

extension UISuites {
  /// The form of the article, filled in and killed.
  @MainActor @Suite("The article about forms") struct FormsArticleTests {
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Form", delegate: SignUpScene.init)])
    }

    @Test("What was filled in is there again after a kill, but for the password")
    func killed() throws {
      // Given a form that is filled in by keys
      let program = HeadlessProgram(delegate: Delegate.init)
      func form() throws -> SignUpScene { try #require(program.scenes.first?.delegate as? SignUpScene) }
      func type(_ symbol: UInt32, _ characters: String = "") throws {
        let id = try #require(program.windows.first?.id)
        program.platform.send(.input(id, InputEvent(.type(symbol, characters), time: 1)))
      }
      program.launch()
      program.advance(by: .seconds(3))
      #expect(try form().name.isFirstResponder && !form().send.isEnabled)
      for letter in "Ada@" { try type(letter.unicodeScalars.first?.value ?? 0, String(letter)) }
      try type(Symbol.left)
      #expect(try form().name.text == "Ada" && form().send.isEnabled)
      try type(Symbol.tab, "\t")
      try type(0x78, "x")
      try type(Symbol.tab, "\t")
      try type(0x20, " ")
      try type(Symbol.tab, "\t")
      try type(Symbol.end)
      let volume = try form().volume.value
      #expect(try form().password.text == "x" && form().newsletter.isOn && volume == form().volume.maximumValue)
      // When it is killed two seconds later
      program.advance(by: .seconds(2))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      // Then it is as it was
      #expect(try form().name.text == "Ada" && form().name.caretOffset == 2 && form().send.isEnabled)
      #expect(try form().newsletter.isOn && form().volume.value == volume && form().password.text.isEmpty)
    }
  }
}
