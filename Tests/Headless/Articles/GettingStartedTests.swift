import FoundationEssentials
import Proscenium
import ProsceniumTesting
import Testing

// Begin: code of GettingStarted.md
private final class AppDelegate: Responder {
  let manifest = ApplicationManifest(
    applicationIdentifier: "org.example.Swatch",
    sceneConfigurations: [SceneConfiguration(name: "Swatch", delegate: SwatchScene.init)])
}

extension AppDelegate: ApplicationDelegate {}

// What the window shows is a file, which saves itself within a second.
private final class Swatch: Document {
  private(set) var index = 0

  override func contents(forType typeName: String) throws -> Data { Data("\(index)".utf8) }
  override func load(fromContents contents: Data, ofType typeName: String) throws {
    index = max(0, Int(String(decoding: contents, as: UTF8.self)) ?? 0)
  }

  func setIndex(_ new: Int) {
    let old = index
    undoManager.registerUndo(withTarget: self) { $0.setIndex(old) }
    index = new
  }
}

private final class SwatchScene: Responder {
  static let colors = [0x2E8B57, 0xE0A030, 0x37474F, 0x9C27B0].map { Color(rgb: $0) }
  var window: Window?
  var swatch: Swatch?

  // The undo manager of everything in the window: of Ctrl-Z in a text view, say.
  override var undoManager: UndoManager? { swatch?.undoManager }

  // Events that the window does not handle arrive here, along the responder chain.
  override func handle(_ event: Event) -> Bool {
    guard case .button(let button) = event.kind, button.isDown, let swatch else { return false }
    swatch.setIndex((swatch.index + 1) % Self.colors.count)
    show()
    return true
  }

  func show() { window?.backgroundColor = Self.colors[(swatch?.index ?? 0) % Self.colors.count] }
}

extension SwatchScene: WindowSceneDelegate {
  // A window for the new scene, and the document of its session. The file is made once, and read by every later launch.
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.title = "Swatch"
    show()
    window?.makeKeyAndVisible()
    guard let folder = try? Application.shared.directories.support else { return }
    let swatch = Swatch(fileURL: folder.appending(path: "\(session.persistentIdentifier).swatch"))
    self.swatch = swatch
    scene.document = swatch
    Task {
      if FileManager.default.fileExists(atPath: swatch.fileURL.path) {
        await swatch.open()
      } else {
        await swatch.save(to: swatch.fileURL, for: .forCreating)
      }
      show()
    }
  }
}
// End: code of GettingStarted.md

@MainActor @Suite("The program of the article Getting started", .serialized) enum GettingStarted {
  @Test("Its test passes") static func minimized() throws {
    // Begin: code of GettingStarted.md
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.launch()
    program.ignoreLines()
    program.windows.first.map(program.desk.minimize)
    program.advance(by: .milliseconds(300))
    try program.expect(
      """
      scene1 sceneWillResignActive foregroundActive -> foregroundInactive
      applicationWillResignActive [inactive]
      scene1 sceneDidEnterBackground foregroundInactive -> background
      applicationDidEnterBackground [background]
      """)
    // End: code of GettingStarted.md
  }

  @Test("Its colour survives a kill, a second after the click, in its file") static func killed() async throws {
    let home = try RealHome()
    let program = HeadlessProgram(delegate: AppDelegate.init)
    program.disk.home = home.path
    program.launch()
    func swatch() -> Swatch? { (program.scenes.first?.delegate as? SwatchScene)?.swatch }
    #expect(await program.waits { swatch()?.documentState == .normal })
    let window = try #require(program.windows.first)
    program.desk.send(.button(PointerButton(number: 1, isDown: true, location: Point(x: 5, y: 5))), to: window)
    program.advance(by: .seconds(2))
    #expect(await program.waits { swatch()?.index == 1 && swatch()?.hasUnsavedChanges == false })
    program.kill()
    program.relaunch()
    #expect(await program.waits { swatch()?.index == 1 })
    #expect(await program.waits { program.windows.first?.backgroundColor == SwatchScene.colors[1] })
    // And the click can be undone in the file, too
    swatch()?.setIndex(2)
    swatch()?.undoManager.undo()
    #expect(swatch()?.index == 1 && swatch()?.hasUnsavedChanges == false)
  }
}
