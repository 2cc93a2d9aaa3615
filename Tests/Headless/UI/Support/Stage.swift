import ProsceniumTesting
import ProsceniumUI
import Testing

@testable import ProsceniumCore

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
    var manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: MainScene.init)])
    /// Keys that came as far as this.
    var heard: [String] = []
    var keys: [KeyCommand] = []
    override var keyCommands: [KeyCommand] { keys }
    override func handle(_ event: Event) -> Bool {
      if case .key(let key) = event.kind { heard.append(key.characters) }
      return false
    }
  }

  let program = HeadlessProgram()
  let delegate = Delegate()
  let window: Window
  let id: WindowID

  init(suspends: Bool = false, _ setUp: @escaping (Window) -> Void) throws {
    #expect(TestFonts.isSet, "DejaVu Sans is missing (fonts-dejavu-core)")
    InterfaceStyle.preferred = .light
    MainScene.setUp = setUp
    #if !WITHOUT_Suspension
      if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
    #endif
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

  // MARK: Typing and clicking

  private var time: UInt32 = 1000

  /// Text with the caret in it as `|`, or what is selected between `[` and `]`.
  static func marked(_ text: String, _ selected: Range<Int>) -> String {
    var text = Array(text)
    if selected.isEmpty {
      text.insert("|", at: selected.lowerBound)
    } else {
      text.insert("]", at: selected.upperBound)
      text.insert("[", at: selected.lowerBound)
    }
    return String(text)
  }

  func type(_ text: String) {
    for character in text {
      let symbol = character == "\n" ? 0xFF0D : character.unicodeScalars.first?.value ?? 0
      send(.type(symbol, character == "\n" ? "\r" : String(character)))
    }
  }

  func press(_ symbols: [UInt32], with modifiers: ModifierFlags = []) {
    for symbol in symbols { send(.type(symbol, "", modifiers)) }
  }

  /// Control and a letter, as the window system tells it: as a control character.
  func command(_ letter: Unicode.Scalar, _ modifiers: ModifierFlags = .control) {
    send(.type(letter.value, String(Unicode.Scalar(UInt8(letter.value & 0x1F))), modifiers))
  }

  /// Clicks with so much time since the last click.
  func click(_ x: Int, _ y: Int, _ number: Int = 1, after milliseconds: UInt32 = 2000, modifiers: ModifierFlags = []) {
    time += milliseconds
    let point = Point(x: x, y: y)
    for isDown in [true, false] {
      let button = PointerButton(number: number, isDown: isDown, location: point, modifiers: modifiers)
      program.platform.send(.input(id, InputEvent(.button(button), time: time)))
    }
  }

  /// What a command that waits for an answer brings about.
  func wait(until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) async {
    let end = ContinuousClock.now + .seconds(60)
    var turns = 0
    // Other tests may occupy the main actor for a long while.
    while !condition(), turns < 10_000 || ContinuousClock.now < end {
      turns += 1
      try? await Task.sleep(for: .milliseconds(1))
    }
    // Another test may have launched a program meanwhile.
    Application.sharedIfLaunched = program.application
    #expect(condition(), "this did not come about", sourceLocation: location)
  }
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
