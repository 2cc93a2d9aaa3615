import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// A whole program with one scene on a real server, within the test: what it hears is written down.
@MainActor final class XProgram: PlatformClient {
  /// Writes down what its window hears, and fills it with one colour.
  final class PaintedWindow: Window {
    weak var program: XProgram?
    var color = Color(rgb: 0x336699)
    private(set) var draws: [[Rect]] = []

    override func sendEvent(_ event: Event) {
      program?.note(event)
      super.sendEvent(event)
    }
    override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      draws.append(damage)
      guard content == nil else { return super.draw(&buffer, damage: damage) }
      for rect in damage { buffer.fill(rect, with: color) }
    }
  }

  private final class MainScene: Responder, WindowSceneDelegate {
    unowned let program: XProgram
    var window: Window?

    init(_ program: XProgram) { self.program = program }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let window = PaintedWindow(windowScene: scene)
      window.program = program
      window.frame = Rect(x: 100, y: 100, width: 200, height: 100)
      program.setUp(window)
      window.makeKeyAndVisible()
      self.window = window
      program.window = window
    }
    func sceneDidBecomeActive(_ scene: Scene) { program.log.append("active") }
    func sceneWillResignActive(_ scene: Scene) { program.log.append("resign") }
    func sceneDidEnterBackground(_ scene: Scene) { program.log.append("background") }
    #if !WITHOUT_OpenRequests
      func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
        program.log.append("urls \(urlContexts.count) \(scene.activationState)")
      }
    #endif
    func windowScene(
      _ windowScene: WindowScene, didUpdate space: any CoordinateSpace, interfaceOrientation: InterfaceOrientation,
      traitCollection: TraitCollection
    ) {
      program.surroundings.append(interfaceOrientation)
    }
  }

  /// What is shown on a display beside the main one.
  private final class DisplayScene: Responder, WindowSceneDelegate {
    unowned let program: XProgram
    var window: Window?

    init(_ program: XProgram) { self.program = program }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      program.log.append("display connects")
      guard let scene = scene as? WindowScene else { return }
      program.displayScene = scene
      let window = PaintedWindow(windowScene: scene)
      window.makeKeyAndVisible()
      self.window = window
    }
    func sceneWillEnterForeground(_ scene: Scene) { program.log.append("display foreground") }
    func sceneDidBecomeActive(_ scene: Scene) { program.log.append("display active") }
    func sceneDidEnterBackground(_ scene: Scene) { program.log.append("display background") }
    func sceneDidDisconnect(_ scene: Scene) { program.log.append("display disconnects") }
  }

  private final class Delegate: Responder, ApplicationDelegate {
    let manifest: ApplicationManifest
    init(_ program: XProgram, showsOnDisplays: Bool) {
      let main = SceneConfiguration(name: "Main", delegate: { [unowned program] in MainScene(program) })
      var configurations = [main]
      #if !WITHOUT_ExternalDisplays
        if showsOnDisplays {
          configurations.append(
            SceneConfiguration(name: "Display", sessionRole: .windowExternalDisplayNonInteractive) {
              [unowned program] in DisplayScene(program)
            })
        }
      #endif
      manifest = ApplicationManifest(sceneConfigurations: configurations)
    }
  }

  let platform: X11Platform
  private let application = Application()
  private let setUp: (PaintedWindow) -> Void
  private(set) var window: PaintedWindow?
  fileprivate(set) weak var displayScene: WindowScene?
  /// Steps of the scene, and what came from the user's hands: `down`, `up`, `key a`; without motion.
  private(set) var log: [String] = []
  /// The orientation before each change that the scene was told of.
  private(set) var surroundings: [InterfaceOrientation] = []
  private var condition: () -> Bool = { true }
  private static let limit = DeadlineID(rawValue: -1)
  private static let pause = DeadlineID(rawValue: -2)
  /// Nothing tells of what has come to the server: it is looked at again and again.
  private static let tick = DeadlineID(rawValue: -3)
  private var isPaused = false
  private var atEnd: () -> Void = {}

  /// Launches, and waits until the window is active.
  init(
    display: String, showsOnDisplays: Bool = false, setUp: @escaping (PaintedWindow) -> Void = { _ in }
  ) throws {
    self.setUp = setUp
    platform = X11Platform(display: display, hosting: .guest)
    application.attach(platform: platform)
    platform.client = self
    condition = { [unowned self] in scene?.activationState == .foregroundActive }
    platform.perform(.setDeadline(Self.limit, milliseconds: 10_000))
    try #require(
      application.run(delegate: Delegate(self, showsOnDisplays: showsOnDisplays), arguments: ["program"]) == 0)
    platform.perform(.cancelDeadline(Self.limit))
  }

  var scene: WindowScene? { window?.windowScene }
  var screens: [Screen] { application.screens }

  /// Another program asks for something.
  func receive(_ request: IncomingRequest) { application.conductor?.post(.request(request)) }

  func handle(_ batch: [PlatformEvent]) {
    for case .deadline(let id) in batch {
      if id == Self.limit { platform.perform(.quit(1)) }
      if id == Self.pause {
        isPaused = false
        atEnd()
      }
      if id == Self.tick { platform.perform(.setDeadline(Self.tick, milliseconds: 10)) }
    }
    application.conductor?.handle(batch)
  }

  func turn() {
    application.conductor?.turn()
    if condition() { platform.perform(.quit(0)) }
  }

  var hasIdleWork: Bool { application.conductor?.hasIdleWork ?? false }

  func performIdleWork() { application.conductor?.performIdleWork() }

  /// Runs until something is true; whether it became so within ten seconds.
  func run(until condition: @escaping () -> Bool) -> Bool {
    platform.perform(.setDeadline(Self.tick, milliseconds: 10))
    return wait(until: condition)
  }

  private func wait(until condition: @escaping () -> Bool) -> Bool {
    self.condition = condition
    platform.perform(.setDeadline(Self.limit, milliseconds: 10_000))
    let status = platform.run()
    platform.perform(.cancelDeadline(Self.limit))
    platform.perform(.cancelDeadline(Self.tick))
    return status == 0
  }

  /// Runs for a time, in which nothing wakes the loop: the measure of tests that show that nothing happens, or that
  /// something does by itself.
  /// - Parameters:
  ///   - milliseconds: How long.
  ///   - atEnd: Called when the time is over, before anything else happens.
  func run(milliseconds: Int, atEnd: @escaping () -> Void = {}) {
    isPaused = true
    self.atEnd = atEnd
    platform.perform(.setDeadline(Self.pause, milliseconds: milliseconds))
    #expect(wait { !self.isPaused })
    self.atEnd = {}
  }

  private func note(_ event: Event) {
    switch event.kind {
    case .key(let key): if key.isDown { log.append("key \(key.characters)") }
    case .button(let button): log.append(button.isDown ? "down" : "up")
    case .scroll: log.append("scroll")
    case .motion, .touch, .exposed, .resized: break
    }
  }
}
