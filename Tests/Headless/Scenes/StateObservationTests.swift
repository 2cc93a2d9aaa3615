import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import Testing

@MainActor @Suite("Notifications and sequences of states") struct StateObservationTests {
  @MainActor private final class Log { var lines: [String] = [] }

  @Test("Each edge posts its notification after the delegate's call, scene before application")
  func notifications() {
    let run = HeadlessScenario(arguments: [])
    let log = Log()
    let center = NotificationCenter.default
    func note(_ name: String) { log.lines.append("\(name) after \(run.probe.calls.last ?? "nothing")") }
    let application = run.program.application
    let tokens = [
      center.addObserver(of: Scene.self, for: .willConnect) { _ in note("willConnect") },
      center.addObserver(of: Scene.self, for: .willEnterForeground) { _ in note("willEnterForeground") },
      center.addObserver(of: Scene.self, for: .didActivate) { _ in note("didActivate") },
      center.addObserver(of: Scene.self, for: .willDeactivate) { _ in note("willDeactivate") },
      center.addObserver(of: Scene.self, for: .didEnterBackground) { _ in note("didEnterBackground") },
      center.addObserver(of: Scene.self, for: .didDisconnect) { _ in note("didDisconnect") },
      center.addObserver(of: application, for: Application.DidFinishLaunchingMessage.self) { _ in note("launched") },
      center.addObserver(of: application, for: Application.DidBecomeActiveMessage.self) { _ in note("app active") },
      center.addObserver(of: application, for: Application.WillResignActiveMessage.self) { _ in note("app resign") },
      center.addObserver(of: application, for: Application.WillEnterForegroundMessage.self) { _ in
        note("app foreground")
      },
      center.addObserver(of: application, for: Application.DidEnterBackgroundMessage.self) { _ in note("app background")
      },
      center.addObserver(of: application, for: Application.WillTerminateMessage.self) { _ in note("terminate") },
    ]
    defer { tokens.forEach { center.removeObserver($0) } }
    _ = run.perform("launch")
    _ = run.perform("terminate")
    #expect(
      log.lines == [
        "launched after didFinishLaunching", "willConnect after willConnect",
        "willEnterForeground after sceneWillEnterForeground", "app foreground after sceneWillEnterForeground",
        "didActivate after sceneDidBecomeActive", "app active after sceneDidBecomeActive",
        "willDeactivate after sceneWillResignActive", "app resign after sceneWillResignActive",
        "didEnterBackground after sceneDidEnterBackground", "app background after sceneDidEnterBackground",
        "didDisconnect after sceneDidDisconnect", "terminate after applicationWillTerminate",
      ])
  }

  private final class Panel: Window {}

  @Test("An observer of one window is told of that one, and an observer of the class of all")
  func subjects() throws {
    let run = HeadlessScenario(arguments: [])
    _ = run.perform("launch")
    let scene = try #require(run.program.application.connectedScenes.first as? WindowScene)
    let windows = [Window(windowScene: scene), Window(windowScene: scene), Panel(windowScene: scene)]
    let log = Log()
    let center = NotificationCenter.default
    var tokens = windows.indices.map { index in
      center.addObserver(of: windows[index], for: .didBecomeVisible) { message in
        log.lines.append("\(index): \(message.window === windows[index])")
      }
    }
    tokens.append(
      center.addObserver(of: Window.self, for: .didBecomeVisible) { message in
        log.lines.append("all: \(windows.firstIndex { $0 === message.window } ?? -1)")
      })
    defer { tokens.forEach { center.removeObserver($0) } }
    for window in windows.reversed() {
      window.isHidden = false
      run.program.advance(by: .seconds(1))
    }
    #expect(log.lines.sorted() == ["0: true", "1: true", "2: true", "all: 0", "all: 1", "all: 2"])
  }

  @Test("The property holds the old value in will-callbacks and the new one in did-callbacks")
  func property() {
    let run = HeadlessScenario(arguments: [])
    let log = Log()
    let center = NotificationCenter.default
    func note(_ scene: Scene) { log.lines.append("\(scene.activationState)") }
    let tokens = [
      center.addObserver(of: Scene.self, for: .willConnect) { note($0.scene) },
      center.addObserver(of: Scene.self, for: .willEnterForeground) { note($0.scene) },
      center.addObserver(of: Scene.self, for: .didActivate) { note($0.scene) },
      center.addObserver(of: Scene.self, for: .willDeactivate) { note($0.scene) },
      center.addObserver(of: Scene.self, for: .didEnterBackground) { note($0.scene) },
      center.addObserver(of: Scene.self, for: .didDisconnect) { note($0.scene) },
    ]
    defer { tokens.forEach { center.removeObserver($0) } }
    _ = run.perform("launch")
    _ = run.perform("terminate")
    #expect(
      log.lines == [
        "unattached", "background", "foregroundActive", "foregroundActive", "background", "unattached",
      ])
  }

  @Test("A sequence of states skips none and ends with the scene")
  func sequence() async throws {
    let run = HeadlessScenario(arguments: ["--stay"])
    _ = run.perform("launch")
    let scene = try #require(run.probe.sessions[0].scene)
    let states = scene.activationStates
    let application = run.program.application.applicationStates
    _ = run.perform("user minimize 1")
    _ = run.perform("user restore 1")
    _ = run.perform("user close 1")
    var seen: [Scene.ActivationState] = []
    for await state in states { seen.append(state) }
    #expect(
      seen == [
        .foregroundActive, .foregroundInactive, .background, .foregroundInactive, .foregroundActive,
        .foregroundInactive, .background, .unattached,
      ])
    var iterator = application.makeAsyncIterator()
    var applicationSeen: [Application.State] = []
    for _ in 0..<5 { if let state = await iterator.next() { applicationSeen.append(state) } }
    #expect(applicationSeen == [.active, .inactive, .background, .inactive, .active])
  }
}
