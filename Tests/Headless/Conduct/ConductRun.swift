import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import ProsceniumTrace

/// One run of an article's program with one window, on a disk in memory; the next run has the same disk.
@MainActor final class ConductRun {
  let program: HeadlessProgram
  var platform: HeadlessPlatform { program.platform }
  var application: Application { program.application }
  var scene: WindowScene? { application.scenesByActivity.first as? WindowScene }
  var window: Window? { scene?.windows.first }
  var errors: [String] { program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }

  init(
    _ delegate: any ApplicationDelegate, on disk: CuttableDisk = CuttableDisk(), arguments: [String] = []
  ) {
    program = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
    program.launch(delegate, arguments: arguments)
    platform.advance(by: 100)
  }

  /// Out of sight for longer than the hold.
  func minimize() {
    window.map(program.desk.minimize)
    platform.advance(by: 300)
  }

  func restore() {
    window.map(program.desk.restore)
    platform.advance(by: 100)
  }

  /// The focus goes to another program, for longer than the hold.
  func leave() {
    program.desk.focus(nil)
    platform.advance(by: 200)
  }

  func kill() { program.kill() }

  func waits(until condition: () -> Bool) async -> Bool { await program.waits(until: condition) }
}

/// The delegate of a program with one kind of scene, and nothing else to say.
@MainActor final class ConductDelegate: Responder, ApplicationDelegate {
  var manifest: ApplicationManifest

  init(_ scene: @escaping @MainActor () -> any SceneDelegate) {
    manifest = ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: scene)])
    #if !WITHOUT_OpenRequests
      manifest.openedURLSchemes = ["doc"]
    #endif
    super.init()
  }
}
