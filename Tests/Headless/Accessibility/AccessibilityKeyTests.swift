import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumTesting

/// Keys that a screen reader hears of before their windows.
@MainActor @Suite("Keys and a screen reader", .serialized) struct AccessibilityKeyTests {
  private final class Main: Responder, WindowSceneDelegate {
    static var last: Main?
    var window: Window?
    var typed = ""

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let window = Window(windowScene: scene)
      window.makeKeyAndVisible()
      self.window = window
      Self.last = self
    }

    override func handle(_ event: Event) -> Bool {
      switch event.kind {
      case .key(let key): typed += key.characters
      case .button(let button): typed += button.isDown ? "[" : "]"
      default: return false
      }
      return true
    }
  }

  private final class Delegate: Responder, ApplicationDelegate {
    var manifest = ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: Main.init)])
  }

  @MainActor private final class Run {
    let program = HeadlessProgram()
    let delegate = Delegate()
    let main: Main
    var heard = ""

    init(_ prepare: (inout ApplicationManifest) -> Void = { _ in }) throws {
      prepare(&delegate.manifest)
      program.launch(delegate)
      program.advance(by: 100)
      main = try #require(Main.last)
    }

    func startScreenReader() -> Run {
      program.machine.startScreenReader()
      program.advance(by: 100)
      return self
    }

    /// Begins to listen, with what is answered for each key.
    func listen(_ answer: @escaping @MainActor (String) -> Bool?) {
      program.machine.accessibility.listener = { [unowned self] key in
        heard += key.characters
        return answer(key.characters)
      }
    }

    func type(_ text: String) throws {
      let window = try #require(main.window?.id)
      for character in text {
        let key = Key(
          code: 30, symbol: character.unicodeScalars.first?.value ?? 0, characters: String(character), isDown: true)
        program.platform.send(.input(window, InputEvent(.key(key), time: 1)))
      }
    }

    func click() throws {
      let window = try #require(main.window?.id)
      for isDown in [true, false] {
        let button = PointerButton(number: 1, isDown: isDown, location: Point(x: 5, y: 5))
        program.platform.send(.input(window, InputEvent(.button(button), time: 1)))
      }
    }
  }

  @Test("It hears each key before the window, and keeps its own commands")
  func commands() throws {
    let run = try Run().startScreenReader()
    try run.type("a")
    #expect(run.main.typed == "a" && run.heard.isEmpty, "nobody listens")
    run.listen { $0 == "h" }
    try run.type("shown")
    run.program.advance(by: 1)
    #expect(run.heard == "shown" && run.main.typed == "asown")
    run.program.machine.accessibility.listener = nil
    try run.type("h")
    #expect(run.main.typed == "asownh")
  }

  @Test("One that hangs holds a key for a second, and those behind it no longer, until it answers")
  func hangs() throws {
    let run = try Run().startScreenReader()
    run.listen { _ in nil }
    try run.type("ab")
    run.program.advance(by: 999)
    #expect(run.main.typed.isEmpty)
    run.program.advance(by: 1)
    #expect(run.main.typed == "ab" && run.heard == "a")
    try run.type("c")
    #expect(run.main.typed == "abc" && run.heard == "a")
    // The late answer.
    run.program.machine.post(.accessibility(.answer(1, isHandled: true)))
    run.listen { _ in false }
    try run.type("d")
    run.program.advance(by: 1)
    #expect(run.main.typed == "abcd" && run.heard == "ad")
  }

  @Test("A click behind a key that waits comes after it, and before the next one; without such a key at once")
  func clicks() throws {
    let run = try Run().startScreenReader()
    run.listen { _ in nil }
    try run.click()
    #expect(run.main.typed == "[]")
    try run.type("a")
    try run.click()
    try run.type("b")
    #expect(run.main.typed == "[]" && run.heard == "a")
    run.program.machine.post(.accessibility(.answer(1, isHandled: false)))
    #expect(run.main.typed == "[]a[]" && run.heard == "ab")
    run.program.machine.post(.accessibility(.answer(2, isHandled: true)))
    try run.click()
    #expect(run.main.typed == "[]a[][]")
  }

  @Test("A key that waits while the window leaves the foreground is dropped")
  func background() throws {
    let run = try Run().startScreenReader()
    run.listen { _ in nil }
    try run.type("a")
    run.program.desk.minimize(try #require(run.main.window))
    run.program.advance(by: 5000)
    #expect(run.main.typed.isEmpty)
  }

  #if !WITHOUT_Suspension
    @Test("One that starts while the program is suspended hears the keys of when it runs again")
    func suspended() throws {
      let run = try Run { $0.suspensionPolicy = .whenAllInBackground }
      let window = try #require(run.main.window)
      run.program.desk.minimize(window)
      run.program.advance(by: 10_000)
      #expect(run.program.platform.isSuspended)
      _ = run.startScreenReader()
      #expect(run.program.platform.isSuspended)
      run.program.desk.restore(window)
      run.program.advance(by: 100)
      run.listen { _ in false }
      try run.type("a")
      run.program.advance(by: 1)
      #expect(run.heard == "a" && run.main.typed == "a")
    }
  #endif
}
