import Dispatch
import ProsceniumLoop
import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumCore

/// The program's declarations, and how a launch uses them.
@MainActor @Suite("The manifest", .serialized) struct ManifestTests {
  @discardableResult
  private func launch(
    _ delegate: RecordingDelegate, _ change: (inout ApplicationManifest) -> Void = { _ in }
  ) -> HeadlessProgram {
    change(&delegate.manifest)
    let program = HeadlessProgram()
    program.launch(delegate)
    program.advance(by: .seconds(1))
    return program
  }

  @Test("An empty manifest has the documented values")
  func defaults() {
    let manifest = ApplicationManifest()
    #expect(manifest.applicationIdentifier == ProgramName.own && manifest.sceneConfigurations.isEmpty)
    #expect(manifest.supportsMultipleScenes && manifest.lifecycleModel == nil)
    #expect(manifest.instancePolicy == .single && !manifest.exitsOnSuspend)
    let other = ApplicationManifest(
      applicationIdentifier: "org.example.Other", sceneConfigurations: [SceneConfiguration(name: "A") { Plain() }],
      supportsMultipleScenes: false)
    #expect(other.applicationIdentifier == "org.example.Other" && !other.supportsMultipleScenes)
    #expect(other.sceneConfigurations.map(\.name) == ["A"])
  }

  private final class Plain: Responder, WindowSceneDelegate {}

  @Test("The manifest in force is the delegate's, from launch on")
  func resolved() {
    let delegate = RecordingDelegate()
    let program = launch(delegate) { $0.applicationIdentifier = "org.example.Resolved" }
    #expect(program.application.resolvedManifest.applicationIdentifier == "org.example.Resolved")
    #expect(program.application.identifier == "org.example.Resolved")
    // Read once: a later change has no effect
    delegate.manifest.supportsMultipleScenes = false
    #expect(program.application.supportsMultipleScenes)
  }

  @Test(
    "Forced to the app-based model, a program with configurations has one scene, whose delegate is the application's")
  func forcedAppBased() {
    let delegate = RecordingDelegate()
    delegate.onCall = { if $0 == "didFinishLaunchingWithOptions" { Window().makeKeyAndVisible() } }
    let program = launch(delegate) { $0.lifecycleModel = .appBased }
    #expect(delegate.calls.last == "applicationDidBecomeActive", "\(delegate.calls)")
    #expect(delegate.sessions.isEmpty)
    #expect(!program.application.supportsMultipleScenes)
  }

  @Test("Forced to the scene-based model, a program that names no configuration has no scene, and says why")
  func forcedSceneBased() {
    let delegate = RecordingDelegate()
    let program = launch(delegate) { ($0.lifecycleModel, $0.sceneConfigurations) = (.sceneBased, []) }
    #expect(delegate.sessions.isEmpty && program.exitStatus == 1)
    #expect(!delegate.calls.contains("applicationDidBecomeActive"))
    #expect(program.trace.contains { $0.kind == "error" })
  }

  @Test("The same program without a word about its model is app-based")
  func impliedAppBased() {
    let delegate = RecordingDelegate()
    delegate.onCall = { if $0 == "didFinishLaunchingWithOptions" { Window().makeKeyAndVisible() } }
    launch(delegate) { $0.sceneConfigurations = [] }
    #expect(delegate.calls.last == "applicationDidBecomeActive")
  }

  @Test("A session has the default configuration of its role while the delegate chooses another one")
  func defaultConfiguration() {
    final class Choosing: RecordingDelegate {
      var defaults: [String?] = []
      override func implements(_ callback: OptionalApplicationCallback) -> Bool { true }
      override func application(
        _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
      ) -> SceneConfiguration {
        defaults.append(session.configuration.name)
        return SceneConfiguration(name: "Other", sessionRole: session.role)
      }
    }
    let delegate = Choosing()
    let program = launch(delegate) { manifest in
      manifest.sceneConfigurations.append(
        SceneConfiguration(name: "Other") { [unowned delegate] in delegate.makeSceneDelegate(for: $0) })
    }
    #expect(delegate.defaults == ["Main"])
    #expect(delegate.sessions.map(\.configuration.name) == ["Other"])
    #expect(program.scenes.map(\.activationState) == [.foregroundActive])
  }

  @Test("A delegate is made with the session of its scene, for each connection")
  func delegateOfSession() {
    final class Making: RecordingDelegate {
      var made: [SceneSession] = []
      override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
        made.append(session)
        return super.makeSceneDelegate(for: session)
      }
    }
    let delegate = Making()
    let program = launch(delegate)
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    #expect(delegate.made == delegate.sessions && delegate.made.count == 2)
    #expect(program.scenes.compactMap { ($0.delegate as? RecordingSceneDelegate)?.session } == delegate.made)
    program.desk.minimize(program.windows[0])
    program.advance(by: .seconds(1))
    program.application.requestSceneDisconnection(delegate.made[0]) { _ in }
    program.advance(by: .seconds(1))
    program.application.activateSceneSession(for: SceneSessionActivationRequest(session: delegate.made[0]))
    program.advance(by: .seconds(1))
    #expect(delegate.made == delegate.sessions + [delegate.sessions[0]])
  }

  @Test("The shared application is the same object on every thread")
  func shared() {
    let application = ObjectIdentifier(HeadlessProgram().application)
    let elsewhere = Mutex<ObjectIdentifier?>(nil)
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      elsewhere.withLock { $0 = ObjectIdentifier(Application.shared) }
    }
    group.wait()
    #expect(ObjectIdentifier(Application.shared) == application)
    #expect(elsewhere.withLock { $0 } == application)
  }
}
