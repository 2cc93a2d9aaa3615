import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import TestSupport
import Testing

@MainActor private final class Manifest: Responder, ApplicationDelegate {
  let manifest: ApplicationManifest
  init(_ configurations: [SceneConfiguration], multiple: Bool = true) {
    manifest = ApplicationManifest(sceneConfigurations: configurations, supportsMultipleScenes: multiple)
  }
}

/// As UIKit's templates write it: a name, and no more.
@MainActor private final class Template: Responder, ApplicationDelegate {
  let manifest: ApplicationManifest
  var answer: (SceneSession) -> SceneConfiguration
  init(_ configurations: [SceneConfiguration], answer: @escaping (SceneSession) -> SceneConfiguration) {
    manifest = ApplicationManifest(sceneConfigurations: configurations)
    self.answer = answer
  }
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration { answer(session) }
}

private class Plain: Responder, WindowSceneDelegate {
  var window: Window?
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
}
private final class Derived: Plain {
  let made: String
  override init() {
    made = "by its class"
    super.init()
  }
}
private final class Detail: Plain {}
private final class NotAResponder: DelegateInitializable, SceneDelegate {}
private final class Needy: Responder, SceneDelegate {
  let need: Int
  init(need: Int) { self.need = need }
}
private final class Stranger: SceneDelegate {
  init(_ number: Int) {}
}
private final class OwnScene: WindowScene {
  /// What has been made, in order.
  static var made: [String] = []
  override init(session: SceneSession, connectionOptions: ConnectionOptions) {
    Self.made.append("scene")
    super.init(session: session, connectionOptions: connectionOptions)
  }
}
private final class OwnWindow: Window {}
private final class OwnWindowScene: Responder, WindowSceneDelegate {
  // A subclass may be named where the protocol says Window.
  var window: OwnWindow?
}

/// Declares no optional callback, but says itself which ones it has.
private class Silent: Responder, WindowSceneDelegate {
  var window: Window?
  func implements(_ callback: OptionalSceneCallback) -> Bool { false }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
}
private final class Adding: Silent {
  override func implements(_ callback: OptionalSceneCallback) -> Bool { true }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? { nil }
  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply { .cancel }
}

@MainActor @Suite("Configurations") struct ConfigurationTests {
  private func launch(_ delegate: any ApplicationDelegate) -> HeadlessProgram {
    let program = HeadlessProgram()
    program.launch(delegate)
    return program
  }
  private func errors(_ program: HeadlessProgram) -> [String] {
    program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") }
  }

  @Test("A delegate class is made by its own init(), and handed back as it is")
  func delegateClass() throws {
    let configuration = SceneConfiguration(name: "Main", sessionRole: .windowApplication)
    configuration.delegateClass = Derived.self
    let program = launch(Manifest([configuration]))
    let scene = try #require(program.application.connectedScenes.first)
    #expect((scene.delegate as? Derived)?.made == "by its class")
    #expect(scene.activationState == .foregroundActive)
  }

  @Test("A class that is no responder is made if it conforms to DelegateInitializable")
  func initializable() throws {
    let configuration = SceneConfiguration(name: "Main", sessionRole: .windowApplication)
    configuration.delegateClass = NotAResponder.self
    let program = launch(Manifest([configuration]))
    #expect(program.application.connectedScenes.first?.delegate is NotAResponder)
  }

  @Test("A class that cannot be made is a launch error that names it, not a trap")
  func stranger() {
    let configuration = SceneConfiguration(name: "Main", sessionRole: .windowApplication)
    configuration.delegateClass = Stranger.self
    let program = launch(Manifest([configuration]))
    #expect(program.application.connectedScenes.isEmpty)
    #expect(errors(program).contains { $0.contains("Stranger") && $0.contains("factory") })
    #expect(program.platform.quitStatus == 1)
  }

  @Test("A responder without init() ends the program with a message that names the class and the initialiser")
  func needy() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      endTrapsAtOnce()
      await MainActor.run {
        let configuration = SceneConfiguration(name: "Main", sessionRole: .windowApplication)
        configuration.delegateClass = Needy.self
        HeadlessProgram().launch(Manifest([configuration]))
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Needy") && text.contains("init()"), "\(text)")
  }

  @Test("A scene class is made by its own initialiser, before the delegate")
  func sceneClass() throws {
    OwnScene.made = []
    let configuration = SceneConfiguration(name: "Main") { _ in
      OwnScene.made.append("delegate")
      return Plain()
    }
    configuration.sceneClass = OwnScene.self
    let program = launch(Manifest([configuration]))
    #expect(program.application.connectedScenes.first is OwnScene && OwnScene.made == ["scene", "delegate"])
  }

  @Test("A name in configurationForConnecting stands for the configuration of the manifest")
  func template() {
    let manifest = [SceneConfiguration(name: "Default Configuration", delegate: Plain.init)]
    let program = launch(
      Template(manifest) { SceneConfiguration(name: "Default Configuration", sessionRole: $0.role) })
    #expect(program.application.connectedScenes.first?.delegate is Plain)
  }

  @Test("A callback that only a subclass has is reported, and what is stored of its scene stays")
  func addedBySubclass() throws {
    // With a disk, or nobody would ask for what is to be stored.
    let program = HeadlessProgram(delegate: {
      Manifest([SceneConfiguration(name: "Main", delegate: Adding.init)])
    })
    program.launch()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.platform.deliver()
    let scene = try #require(program.application.connectedScenes.first as? WindowScene)
    scene.session.stateRestorationActivity = UserActivity(activityType: "kept")
    for _ in 0..<3 {
      scene.invalidateRestorableState()
      program.platform.advance(by: 1100)
    }
    #expect(scene.session.stateRestorationActivity?.activityType == "kept")
    program.desk.close(try #require(scene.windows.first))
    #expect(program.application.openSessions.count == 1)
    for method in ["stateRestorationActivity(for:)", "sceneShouldClose(_:)"] {
      let told = errors(program).filter { $0.contains(method) }
      #expect(told.count == 1 && told.allSatisfy { $0.contains("class that conforms") }, "\(told)")
    }
  }

  @Test(
    "What a reference changes counts for its session, and the rest is that of the manifest", arguments: [true, false])
  func changedReference(isNamed: Bool) throws {
    let main = SceneConfiguration(name: "Main", delegate: Plain.init)
    main.restorePolicy = .never
    main.activationPolicy = .whenVisible
    let program = launch(
      Template([main]) {
        let reference = SceneConfiguration(name: isNamed ? "Main" : nil, sessionRole: $0.role)
        reference.closePolicy = .background
        reference.activationPolicy = .whenFocused
        reference.treatsOcclusionAsHidden = true
        reference.launchSize = Size(width: 300, height: 200)
        return reference
      })
    let session = try #require(program.application.openSessions.first)
    #expect(session.scene?.delegate is Plain && session.configuration.name == "Main")
    #expect(session.configuration.closePolicy == .background && session.configuration.treatsOcclusionAsHidden)
    #expect(session.configuration.launchSize == Size(width: 300, height: 200))
    // A value that is the default says nothing.
    #expect(session.configuration.restorePolicy == .never && session.configuration.activationPolicy == .whenVisible)
    #expect(main.closePolicy == .discard)
    program.desk.close(try #require((session.scene as? WindowScene)?.windows.first))
    program.platform.advance(by: 1000)
    #expect(session.scene?.activationState == .background)
  }

  @Test("A session whose configuration is not in the manifest comes back with it", arguments: ["Detail", nil])
  func ownConfiguration(name: String?) throws {
    let manifest = [SceneConfiguration(name: "Main", delegate: Plain.init)]
    var asked: [String?] = []
    var isDetail = true
    let program = HeadlessProgram(delegate: {
      Template(manifest) {
        asked.append($0.configuration.name)
        let detail = SceneConfiguration(name: name, sessionRole: $0.role)
        detail.delegateClass = Detail.self
        return isDetail ? detail : SceneConfiguration(name: "Main", sessionRole: $0.role)
      }
    })
    program.launch()
    program.advance(by: .seconds(2))
    isDetail = false
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(2))
    #expect(asked == ["Main", "Main"])
    program.kill()
    (asked, isDetail) = ([], true)
    program.relaunch()
    program.advance(by: .seconds(2))
    // Asked for the one alone that the manifest does not have.
    #expect(asked == [name])
    let scenes = program.application.connectedScenes
    #expect(scenes.count == 2 && scenes.count { $0.delegate is Detail } == 1)
    #expect(program.application.openSessions.allSatisfy { $0.holdReason == nil })
  }

  @Test("A session whose configuration has another role by now is one without a configuration: the delegate is asked")
  func otherRole() throws {
    let document = SceneSession.Role(rawValue: "document")
    var role = document
    var asked: [SceneSession.Role] = []
    let program = HeadlessProgram(delegate: {
      let manifest = [("Main", .windowApplication), ("Editor", role)] as [(String, SceneSession.Role)]
      return Template(manifest.map { SceneConfiguration(name: $0, sessionRole: $1, delegate: Plain.init) }) {
        asked.append($0.role)
        guard $0.role == document, role != document else { return SceneConfiguration(name: nil, sessionRole: $0.role) }
        let late = SceneConfiguration(name: "Late", sessionRole: $0.role)
        late.delegateClass = Detail.self
        return late
      }
    })
    program.launch()
    program.advance(by: .seconds(2))
    program.application.activateSceneSession(for: SceneSessionActivationRequest(role: document))
    program.advance(by: .seconds(2))
    #expect(program.application.openSessions.map(\.role.rawValue).sorted() == ["document", "windowApplication"])
    program.kill()
    (asked, role) = ([], .windowApplication)
    program.relaunch()
    program.advance(by: .seconds(2))
    #expect(asked == [document])
    #expect(program.application.openSessions.allSatisfy { $0.holdReason == nil }, "\(errors(program))")
    #expect(program.application.connectedScenes.contains { $0.delegate is Detail })
  }

  @Test("A session that is held back for its configuration can be activated once the delegate has an answer")
  func activatedLater() throws {
    let manifest = [SceneConfiguration(name: "Main", delegate: Plain.init)]
    var asked = 0
    var answer: (name: String, hasClass: Bool) = ("Main", false)
    let program = HeadlessProgram(delegate: {
      Template(manifest) {
        asked += 1
        let configuration = SceneConfiguration(name: answer.name, sessionRole: $0.role)
        if answer.hasClass { configuration.delegateClass = Detail.self }
        return configuration
      }
    })
    program.launch()
    program.advance(by: .seconds(2))
    answer = ("Detail", true)
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(2))
    program.kill()
    answer = ("Nowhere", false)
    program.relaunch()
    program.advance(by: .seconds(2))
    let held = try #require(program.application.openSessions.first { $0.holdReason == .unknownConfiguration })
    var failures: [any Error] = []
    func activate() {
      program.application.requestSceneSessionActivation(held, userActivity: nil) { failures.append($0) }
      program.advance(by: .seconds(2))
    }
    asked = 0
    activate()
    #expect(asked == 1 && (failures as? [SceneError])?.map(\.code) == [.requestDenied])
    #expect(held.holdReason == .unknownConfiguration && held.scene == nil)
    answer = ("Detail", true)
    activate()
    #expect(asked == 2 && failures.count == 1 && held.holdReason == nil && held.scene?.delegate is Detail)
  }

  @Test("An unknown name is an error that lists the known ones")
  func unknownName() {
    let manifest = [SceneConfiguration(name: "Editor", delegate: Plain.init)]
    let program = launch(Template(manifest) { SceneConfiguration(name: "Editr", sessionRole: $0.role) })
    #expect(program.application.connectedScenes.isEmpty)
    #expect(errors(program).contains { $0.contains("\"Editr\"") && $0.contains("Editor") })
  }

  #if !WITHOUT_ExternalDisplays
    @Test("A configuration of another role is an error that names both")
    func wrongRole() {
      let program = launch(
        Template([]) { _ in
          SceneConfiguration(name: "X", sessionRole: .windowExternalDisplayNonInteractive, delegate: Plain.init)
        })
      #expect(program.application.connectedScenes.isEmpty)
      #expect(errors(program).contains { $0.contains("windowExternalDisplayNonInteractive") })
    }
  #endif

  @Test("A name that occurs twice ends the launch")
  func duplicate() {
    let program = launch(
      Manifest([
        SceneConfiguration(name: "Main", delegate: Plain.init), SceneConfiguration(name: "Main", delegate: Plain.init),
      ]))
    #expect(program.status == 1)
    #expect(errors(program).contains { $0.contains("\"Main\" occurs twice") })
  }

  @Test("A second scene of a program that supports one is refused")
  func oneScene() {
    let program = launch(Manifest([SceneConfiguration(name: "Main", delegate: Plain.init)], multiple: false))
    var code: SceneError.Code?
    program.application.activateSceneSession(for: SceneSessionActivationRequest()) { code = ($0 as? SceneError)?.code }
    program.platform.deliver()
    #expect(code == .multipleScenesNotSupported)
    #expect(program.application.connectedScenes.count == 1)
  }

  @Test("Where one scene is supported, a request for one brings the disconnected session back")
  func oneSceneDisconnected() throws {
    let program = launch(Manifest([SceneConfiguration(name: "Main", delegate: Plain.init)], multiple: false))
    let session = try #require(program.application.openSessions.first)
    let window = try #require((session.scene as? WindowScene)?.windows.first?.id)
    program.platform.minimize(window)
    program.platform.advance(by: 1000)
    program.application.requestSceneDisconnection(session)
    program.platform.deliver()
    #expect(session.scene == nil)
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.platform.deliver()
    #expect(session.scene?.activationState == .foregroundActive)
    #expect(program.application.openSessions == [session])
  }

  @Test("Requests about a discarded session are refused")
  func discarded() throws {
    let program = launch(Manifest([SceneConfiguration(name: "Main", delegate: Plain.init)]))
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.platform.deliver()
    let session = try #require(program.application.openSessions.first)
    program.application.requestSceneSessionDestruction(session)
    program.platform.deliver()
    var failures: [SceneError.Code?] = []
    program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session)) {
      failures.append(($0 as? SceneError)?.code)
    }
    program.application.requestSceneSessionDestruction(session) { failures.append(($0 as? SceneError)?.code) }
    program.application.requestSceneDisconnection(session) { failures.append(($0 as? SceneError)?.code) }
    program.platform.deliver()
    #expect(failures == [.requestDenied, .requestDenied, .requestDenied])
  }

  @Test("Only a scene in the background can be disconnected")
  func disconnectActive() throws {
    let program = launch(Manifest([SceneConfiguration(name: "Main", delegate: Plain.init)]))
    let session = try #require(program.application.openSessions.first)
    var code: SceneError.Code?
    program.application.requestSceneDisconnection(session) { code = ($0 as? SceneError)?.code }
    program.platform.deliver()
    #expect(code == .requestDenied)
    #expect(session.scene?.activationState == .foregroundActive)
  }

  @Test("A platform that does not start ends the program with its message")
  func noPlatform() {
    let program = HeadlessProgram()
    program.platform.startError = PlatformError("There is no display.")
    program.launch(Manifest([SceneConfiguration(name: "Main", delegate: Plain.init)]))
    #expect(program.status == 1)
    #expect(errors(program) == ["There is no display."])
  }

  @Test("The model in force follows from what the delegate implements, without a call")
  func models() {
    let manifest = HeadlessProgram()
    manifest.launch(Manifest([SceneConfiguration(name: "Main", delegate: Plain.init)]))
    #expect(manifest.application.supportsMultipleScenes)
    let implicit = HeadlessProgram()
    implicit.launch(Manifest([]))
    #expect(!implicit.application.supportsMultipleScenes)
    #expect(implicit.application.connectedScenes.first?.delegate == nil)
  }
}
