import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// A whole program with one scene on a real server, within the test, which records the calls that it receives.
@MainActor final class XProgram: PlatformClient {
  /// Records the events of its window, and fills it with one colour.
  final class PaintedWindow: Window {
    weak var program: XProgram?
    var color = Color(rgb: 0x336699)
    private(set) var draws: [[Rect]] = []

    override func sendEvent(_ event: Event) {
      program?.record(event)
      super.sendEvent(event)
    }
    override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      draws.append(damage)
      guard content == nil else { return super.draw(&buffer, damage: damage) }
      for rect in damage { buffer.fill(rect, with: color) }
    }
  }

  /// Shows a window of the program.
  private final class XScene: RecordingSceneDelegate {
    private unowned let program: XProgram

    init(_ program: XProgram, session: SceneSession) {
      self.program = program
      super.init(program.delegate, session: session)
    }

    override func makeWindow(for scene: WindowScene) -> Window? { program.makeWindow(for: scene) }
    override func windowScene(
      _ windowScene: WindowScene, didUpdate space: any CoordinateSpace, interfaceOrientation: InterfaceOrientation,
      traitCollection: TraitCollection
    ) {
      program.surroundings.append(interfaceOrientation)
    }
  }

  private final class Delegate: RecordingDelegate {
    /// Adds the state of the scene to a call with URLs.
    override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
      var call = call
      if call.name == "openURLContexts", let scene = call.scene.flatMap({ sessions[$0 - 1].scene }) {
        call.details += " \(scene.activationState)"
      }
      return call
    }
  }

  let platform: X11Platform
  private let application = Application()
  private let delegate = Delegate()
  private let setUp: (PaintedWindow) -> Void
  private(set) var window: PaintedWindow?
  /// The scene on a display beside the main one.
  private(set) weak var displayScene: WindowScene?
  /// Calls about the states of scenes and about URLs, and the user's input to the main window.
  ///
  /// Input is `down`, `up`, `scroll`, `key a`. The main scene is scene 1, that of a display is scene 2.
  var calls: [DelegateCall] { delegate.calls }
  /// The orientation before each change of a scene's surroundings.
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
    display: String, showsOnDisplays: Bool = false, host: ApplicationHost = ApplicationHost(),
    setUp: @escaping (PaintedWindow) -> Void = { _ in }
  ) throws {
    self.setUp = setUp
    platform = X11Platform(display: display, hosting: .guest)
    delegate.recordedNames = RecordingDelegate.sceneStates.union([
      "sceneWillConnect", "sceneDidDisconnect", "openURLContexts", "key", "down", "up", "scroll",
    ])
    delegate.manifest.sceneConfigurations = [
      SceneConfiguration(name: "Main") { [unowned self] in XScene(self, session: $0) }
    ]
    #if !WITHOUT_ExternalDisplays
      if showsOnDisplays {
        delegate.manifest.sceneConfigurations.append(
          SceneConfiguration(name: "Display", sessionRole: .windowExternalDisplayNonInteractive) {
            [unowned self] in XScene(self, session: $0)
          })
      }
    #endif
    application.attach(platform: platform, host: host)
    platform.client = self
    condition = { [unowned self] in scene?.activationState == .foregroundActive }
    platform.perform(.setDeadline(Self.limit, milliseconds: 60_000))
    try #require(application.run(delegate: delegate, arguments: ["program"]) == 0)
    platform.perform(.cancelDeadline(Self.limit))
  }

  var scene: WindowScene? { window?.windowScene }
  var screens: [Screen] { application.screens }

  private func makeWindow(for scene: WindowScene) -> Window {
    let window = PaintedWindow(windowScene: scene)
    guard scene.session.configuration.name == "Main" else {
      displayScene = scene
      return window
    }
    window.program = self
    window.frame = Rect(x: 100, y: 100, width: 200, height: 100)
    setUp(window)
    self.window = window
    return window
  }

  /// Starts a source of the desktop environment, which a host's would have been stopped at the end of the first run.
  func start(_ source: any SystemSource) { if let conductor = application.conductor { source.start(conductor) } }

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

  /// Runs until something is true; whether it became so within a minute.
  func run(until condition: @escaping () -> Bool) -> Bool {
    platform.perform(.setDeadline(Self.tick, milliseconds: 10))
    return wait(until: condition)
  }

  private func wait(until condition: @escaping () -> Bool) -> Bool {
    self.condition = condition
    platform.perform(.setDeadline(Self.limit, milliseconds: 60_000))
    let status = platform.run()
    platform.perform(.cancelDeadline(Self.limit))
    platform.perform(.cancelDeadline(Self.tick))
    return status == 0
  }

  /// The same for what tasks of the main actor bring about: they run between turns of the loop.
  func waits(until condition: @escaping () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while !condition() {
      if ContinuousClock.now > limit { return false }
      run(milliseconds: 10)
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  /// Waits until the server has done what was asked of it.
  func synchronise() {
    let connection = platform.parts.server.connection
    connection.whenDone {}
    connection.awaitAll()
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

  private func record(_ event: Event) {
    switch event.kind {
    case .key(let key): if key.isDown { delegate.record("key", nil, key.characters) }
    case .button(let button): delegate.record(button.isDown ? "down" : "up")
    case .scroll: delegate.record("scroll")
    case .motion, .touch, .remoteControl, .deviceMotion, .exposed, .resized: break
    }
  }
}
