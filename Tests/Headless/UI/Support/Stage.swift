import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

/// A program with one window of 320 by 240 pixels, without a display.
@MainActor final class UIStage {
  final class MainScene: Responder, WindowSceneDelegate {
    static var setUp: ((Window) -> Void)?
    static var last: Window?
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let window = Window(windowScene: scene)
      window.frame = Rect(x: 100, y: 100, width: 320, height: 240)
      Self.setUp?(window)
      window.makeKeyAndVisible()
      self.window = window
      Self.last = window
    }
    /// Keys and the key command that came as far as this.
    var heard: [String] = []
    func act(_ sender: AnyObject?) { heard.append("command") }
    override var keyCommands: [KeyCommand] { [KeyCommand(input: "w", action: Action(MainScene.act))] }
    override func handle(_ event: Event) -> Bool {
      if case .key(let key) = event.kind { heard.append(key.characters) }
      return false
    }
  }
  final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: MainScene.init)])
    /// Keys that came as far as this.
    var heard: [String] = []
    override func handle(_ event: Event) -> Bool {
      if case .key(let key) = event.kind { heard.append(key.characters) }
      return false
    }
  }

  let program = HeadlessProgram()
  let delegate = Delegate()
  let window: Window
  let id: WindowID

  init(_ setUp: @escaping (Window) -> Void) throws {
    #expect(TestFonts.isSet, "DejaVu Sans is missing (fonts-dejavu-core)")
    InterfaceStyle.preferred = .light
    MainScene.setUp = setUp
    program.launch(delegate)
    program.advance(by: 100)
    window = try #require(MainScene.last)
    id = try #require(window.id)
  }

  var scene: MainScene? { window.windowScene?.delegate as? MainScene }

  /// What the window shows.
  func surface() throws -> HeadlessSurface { try #require(program.platform.surface(of: id)) }

  func send(_ kinds: InputEvent.Kind..., to window: Window? = nil) {
    for kind in kinds { program.platform.send(.input((window ?? self.window).id ?? id, InputEvent(kind, time: 1))) }
  }
  func settle() { program.advance(by: 100) }
}

extension InputEvent.Kind {
  static func press(_ x: Int, _ y: Int, _ number: Int = 1) -> Self {
    .button(PointerButton(number: number, isDown: true, location: Point(x: x, y: y)))
  }
  static func release(_ x: Int, _ y: Int, _ number: Int = 1) -> Self {
    .button(PointerButton(number: number, isDown: false, location: Point(x: x, y: y)))
  }
  static func move(_ x: Int, _ y: Int) -> Self { .motion(Motion(phase: .moved, location: Point(x: x, y: y))) }
  static func exit() -> Self { .motion(Motion(phase: .exited, location: Point(x: -1, y: -1))) }
  static func type(_ symbol: UInt32, _ characters: String = "", _ modifiers: ModifierFlags = []) -> Self {
    .key(Key(code: 30, symbol: symbol, characters: characters, isDown: true, modifiers: modifiers))
  }
}
