import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import TestSupport
import Testing

@testable import ProsceniumCore

/// A toolkit whose files have a title, and windows whose content is that title.
private struct TitleSource: InterfaceSource {
  nonisolated let path: String
  var log: (@MainActor (String) -> Void)?

  func load(_ document: InterfaceDocument) throws(InterfaceError) -> LoadedInterface {
    log?("load")
    guard let title = document.root["title"] else {
      throw InterfaceError(line: document.root.line, "There is no title.")
    }
    return LoadedInterface(
      controller: "Title", windowSize: document.root["width"].flatMap { Int($0) }.map { Size(width: $0, height: 200) }
    ) { window in
      log?("install")
      window.title = title
    }
  }
}

/// Records the order of the calls, with what is true of the window in each of them.
private final class LoggedScene: Responder, WindowSceneDelegate {
  var log: [String] = []
  var window: Window? { didSet { log.append("window") } }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    let own = (scene as? WindowScene)?.windows.first
    log.append("connect \(window?.title ?? "none") \(own === window) \(window?.isHidden == true)")
  }
  func sceneWillEnterForeground(_ scene: Scene) { log.append("foreground \(window?.isHidden == false)") }
  func sceneDidBecomeActive(_ scene: Scene) { log.append("active \(window?.isKeyWindow == true)") }
}

/// When the interface of a file is in its window, and what happens where it cannot be used.
@MainActor @Suite("Interface files", .enabled(if: InterfaceParser.library != nil)) struct InterfaceFilesTests {
  final class Delegate: Responder, ApplicationDelegate {
    var manifest: ApplicationManifest
    var calls: [String] = []
    init(_ manifest: ApplicationManifest) { self.manifest = manifest }
    func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      calls.append("will")
      return true
    }
    func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      calls.append("did")
      return true
    }
    func applicationDidBecomeActive(_ application: Application) { calls.append("active") }
  }

  private func configuration(
    _ source: TitleSource?, _ make: @escaping @MainActor () -> any SceneDelegate
  ) -> SceneConfiguration {
    let configuration = SceneConfiguration(name: "Main", delegate: make)
    configuration.interfaceFile = source
    return configuration
  }

  /// Whether an error of the program has a text.
  private func says(_ program: HeadlessProgram, _ text: String) -> Bool {
    program.trace.contains { $0.kind == "error" && $0.description.contains(text) }
  }

  @Test("A manifest's file names another file for an interface that the program has, and for no other one")
  func manifestFile() {
    let (own, other) = (TemporaryFile("<interface title='Own'/>"), TemporaryFile("<interface title='Other'/>"))
    func title(_ text: String, _ source: TitleSource?) -> (title: String?, isReported: Bool) {
      let file = TemporaryFile(text)
      let scene = LoggedScene()
      let program = HeadlessProgram()
      program.application.host.manifestFile = file.path
      program.launch(Delegate(ApplicationManifest(sceneConfigurations: [configuration(source) { scene }])))
      program.advance(by: .seconds(1))
      return (scene.window?.title, says(program, "cannot be used") && says(program, "interfaceFile"))
    }
    let source = TitleSource(path: own.path)
    let named = #"{"sceneConfigurations": {"Main": {"interfaceFile": "\#(other.path)"}}}"#
    #expect(title(named, source) == ("Other", false))
    #expect(title(#"{"sceneConfigurations": {"Main": {"interfaceFile": ""}}}"#, source) == ("Own", true))
    #expect(title(#"{"sceneConfigurations": {"Main": {"interfaceFile": 1}}}"#, source) == ("Own", true))
    #expect(title(named, nil) == (nil, true))
    var manifest = ApplicationManifest()
    let main = TemporaryFile(#"{"mainInterface": "Main.ui"}"#)
    #expect(manifest.replaceValues(from: main.path).count == 1 && manifest.mainInterface == nil)
    manifest.mainInterface = source
    #expect(manifest.replaceValues(from: main.path) == [] && manifest.mainInterface?.path == "Main.ui")
  }

  @Test("The window is made with the interface, and is the delegate's, before the scene connects, and is shown after")
  func order() throws {
    let file = TemporaryFile("<interface title='Hello' width='300'/>")
    var calls: [String] = []
    var interface: TraceDetails?
    let scene = LoggedScene()
    let delegate = Delegate(
      ApplicationManifest(
        sceneConfigurations: [configuration(TitleSource(path: file.path) { scene.log.append($0) }) { scene }]))
    let program = HeadlessProgram()
    program.onEntry = { record in
      guard case .system(let system) = record, system.name == "interface" else { return }
      (calls, interface) = (scene.log, system.details)
    }
    program.launch(delegate)
    program.advance(by: 100)
    #expect(
      scene.log == [
        "load", "window", "install", "connect Hello true true", "foreground true", "active true",
      ])
    #expect(calls == ["load", "window", "install"])
    #expect(!program.trace.contains { $0.kind == "error" }, "\(program.trace.map(\.description))")
    #expect(scene.window?.frame.size == Size(width: 300, height: 200))
    let details = try #require(interface)
    #expect(details["file"]?.text == file.path && details["controller"]?.text == "Title")
    let session = scene.window?.windowScene?.session.persistentIdentifier
    #expect(details["window"]?.text != nil && details["scene"]?.text == session)
  }

  @Test("Each connection reads the file anew, and a program without a file reads nothing")
  func connections() throws {
    let file = TemporaryFile("<interface title='Hello'/>")
    var loads = 0
    var made: [LoggedScene] = []
    let make = { @MainActor () -> any SceneDelegate in
      made.append(LoggedScene())
      return made[made.count - 1]
    }
    let delegate = Delegate(
      ApplicationManifest(
        sceneConfigurations: [
          configuration(TitleSource(path: file.path) { if $0 == "load" { loads += 1 } }, make)
        ]))
    let program = HeadlessProgram()
    program.launch(delegate)
    program.advance(by: 100)
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: 100)
    #expect(loads == 2 && made.count == 2 && made[0].window !== made[1].window)
    // A session whose scene is made again
    let session = try #require(made[0].window?.windowScene?.session)
    program.desk.minimize(try #require(made[0].window))
    program.advance(by: 5000)
    program.application.requestSceneDisconnection(session)
    program.advance(by: 100)
    program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
    program.advance(by: 100)
    #expect(loads == 3 && made.count == 3 && made[2].log.contains("connect Hello true true"))

    let plain = HeadlessProgram()
    let scene = LoggedScene()
    plain.launch(Delegate(ApplicationManifest(sceneConfigurations: [configuration(nil) { scene }])))
    plain.advance(by: 100)
    #expect(
      scene.log.first == "connect none true false" && !scene.log.contains("window")
        && !plain.trace.contains { $0.name == "interface" })
  }

  @Test(
    "A file that cannot be used keeps its scene from connecting, with the file and the line, and the launch fails",
    arguments: [
      ("<interface>\n</wrong>", ":2: This is no XML: mismatched tag."), ("<interface/>", ":1: There is no title."),
      (nil, ": The file"),
    ])
  func failure(text: String?, reason: String) {
    let file = text.map { TemporaryFile($0) }
    let path = file?.path ?? "/nowhere/Main.ui"
    let scene = LoggedScene()
    let program = HeadlessProgram()
    program.launch(
      Delegate(ApplicationManifest(sceneConfigurations: [configuration(TitleSource(path: path)) { scene }])))
    program.advance(by: 100)
    #expect(program.exitStatus == 1)
    #expect(scene.log == [])
    #expect(says(program, "cannot connect: " + path + reason))
  }

  @Test("A session whose file is broken for one launch is there with the next one")
  func keptSession() throws {
    let files = [TemporaryFile("<interface title='Hello'/>"), TemporaryFile("<interface>")]
    var launches = 0
    let program = HeadlessProgram {
      launches += 1
      let source = TitleSource(path: files[launches == 2 ? 1 : 0].path)
      return Delegate(ApplicationManifest(sceneConfigurations: [self.configuration(source) { LoggedScene() }]))
    }
    program.launch()
    program.advance(by: 5000)
    let first = try #require(program.application.openSessions.first?.persistentIdentifier)
    for _ in 0..<2 {
      program.kill()
      program.relaunch()
      program.advance(by: 5000)
    }
    #expect(program.application.openSessions.map(\.persistentIdentifier).contains(first))
    #expect(program.application.connectedScenes.contains { $0.session.persistentIdentifier == first })
  }

  /// A delegate whose window is of a class of its own.
  private final class OwnScene: Responder, WindowSceneDelegate {
    final class Own: Window {}
    var window: Own?
    init(makes: Bool) { window = makes ? Own() : nil }
  }

  @Test("The delegate's own window gets the interface; one that it has not made is an error")
  func ownWindow() throws {
    let file = TemporaryFile("<interface title='Hello'/>")
    let scene = OwnScene(makes: true)
    let program = HeadlessProgram()
    program.launch(
      Delegate(ApplicationManifest(sceneConfigurations: [configuration(TitleSource(path: file.path)) { scene }])))
    program.advance(by: 100)
    #expect(scene.window?.title == "Hello" && scene.window?.windowScene?.windows.count == 1)
    #expect(scene.window?.isHidden == false)
    let other = HeadlessProgram()
    let without = OwnScene(makes: false)
    other.launch(
      Delegate(ApplicationManifest(sceneConfigurations: [configuration(TitleSource(path: file.path)) { without }])))
    #expect(other.exitStatus == 1 && says(other, "Make it in the delegate's initialiser"))
  }

  @Test("A configuration with a file alone is no reference to another one")
  func reference() {
    let file = TemporaryFile("<interface title='Hello'/>")
    let main = SceneConfiguration(name: "Main", sessionRole: .windowApplication)
    main.interfaceFile = TitleSource(path: file.path)
    let program = HeadlessProgram()
    program.launch(Delegate(ApplicationManifest(sceneConfigurations: [main])))
    #expect(program.exitStatus == 1 && says(program, "has no delegate"))
    #expect(main.copy().interfaceFile?.path == file.path)
  }

  // MARK: The app-based model

  final class MainDelegate: Responder, ApplicationDelegate, MainInterfaceDelegate {
    var manifest = ApplicationManifest()
    var calls: [String] = []
    var window: Window? { didSet { calls.append("window") } }
    func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      calls.append("will \(window?.title ?? "none")")
      return true
    }
    func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      calls.append("did \(window?.isHidden == true)")
      return true
    }
    func applicationDidBecomeActive(_ application: Application) { calls.append("active \(window?.isHidden == false)") }
  }

  @Test("The main interface is there before the launch callbacks, and is shown after them")
  func mainInterface() {
    let file = TemporaryFile("<interface title='Main'/>")
    let delegate = MainDelegate()
    delegate.manifest.mainInterface = TitleSource(path: file.path) { [weak delegate] in delegate?.calls.append($0) }
    let program = HeadlessProgram()
    program.launch(delegate)
    program.advance(by: 100)
    #expect(delegate.calls == ["load", "window", "install", "will Main", "did true", "active true"])
    // A delegate that does not want the window has it shown, too
    let plain = Delegate(ApplicationManifest())
    plain.manifest.mainInterface = TitleSource(path: file.path)
    let other = HeadlessProgram()
    other.launch(plain)
    other.advance(by: 100)
    #expect(plain.calls == ["will", "did", "active"])
  }

  @Test("A main interface that cannot be used ends the launch before any callback")
  func brokenMainInterface() {
    let file = TemporaryFile("<interface/>")
    let delegate = MainDelegate()
    delegate.manifest.mainInterface = TitleSource(path: file.path)
    let program = HeadlessProgram()
    program.launch(delegate)
    #expect(program.exitStatus == 1 && delegate.calls == [])
    #expect(says(program, file.path + ":1: There is no title."))
  }

  @Test("A main interface is not used in the scene-based model")
  func sceneBased() {
    let scene = LoggedScene()
    var manifest = ApplicationManifest(sceneConfigurations: [configuration(nil) { scene }])
    manifest.mainInterface = TitleSource(path: "/nowhere")
    let program = HeadlessProgram()
    program.launch(Delegate(manifest))
    program.advance(by: 100)
    #expect(program.exitStatus == nil && scene.log.first == "connect none true false")
  }
}
