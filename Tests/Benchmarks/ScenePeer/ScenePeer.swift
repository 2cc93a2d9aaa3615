import CXCB
import Glibc
import Proscenium

/// What Tests/Benchmarks/Peers/xcb.c does, on Proscenium: the contract stands in Peers/peer.h.
@main final class ScenePeer: Responder, ApplicationDelegate {
  private let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
  private let stays = getenv("XB_STAY") != nil

  private var configured = 0

  /// Suspended without a grace, as all holds are off.
  var manifest: ApplicationManifest {
    var manifest = ApplicationManifest()
    manifest.suspensionPolicy = getenv("XB_SUSPEND") == nil ? .never : .whenAllInBackground
    return manifest
  }

  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    application.holdTimes = .none
    return true
  }

  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    for _ in 1..<max(count, 2) where count > 1 {
      application.activateSceneSession(for: SceneSessionActivationRequest())
    }
    return true
  }

  /// A configuration for each window, because each has a place of its own.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let configuration = SceneConfiguration(name: "Peer", delegate: PeerScene.init)
    configuration.launchPosition = Point(x: configured % 12 * 160, y: configured / 12 % 12 * 100)
    configuration.launchSize = Size(width: 160, height: 100)
    configured += 1
    return configuration
  }

  /// The second start is measured; its number of windows counts for nothing.
  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {}

  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { !stays }
}

/// One window, and the properties that say what its scene was told.
final class PeerScene: Responder, WindowSceneDelegate {
  var window: Window?
  private static var answers: Answers?

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: Scene.ConnectionOptions) {
    guard let windowScene = scene as? WindowScene else { return }
    let window = Window(windowScene: windowScene)
    window.title = "peer"
    window.backgroundColor = Color(rgb: 0x2E8B57)
    if Self.answers == nil, let handle = window.x11Handle { Self.answers = Answers(handle.connection) }
    window.isHidden = false
    self.window = window
  }

  func sceneDidBecomeActive(_ scene: Scene) { answer(.active) }
  func sceneDidEnterBackground(_ scene: Scene) { answer(.hidden) }
  func sceneWillEnterForeground(_ scene: Scene) { answer(.shown) }

  private func answer(_ answer: Answers.Name) {
    guard let handle = window?.x11Handle else { return }
    Self.answers?.write(answer, on: handle.window)
  }
}

/// The properties that the benchmark waits for, written on the program's own connection.
@MainActor final class Answers {
  enum Name: Int {
    case active, hidden, shown
  }

  private let connection: OpaquePointer
  private let cookies: [xcb_intern_atom_cookie_t]
  private var atoms: [xcb_atom_t] = []
  private var counter: UInt32 = 0

  /// Asks for the atoms; what comes of it is read when the first is needed.
  init(_ connection: OpaquePointer) {
    self.connection = connection
    let names: [StaticString] = ["_BENCH_ACTIVE", "_BENCH_HIDDEN", "_BENCH_SHOWN"]
    cookies = names.map { name in
      name.withUTF8Buffer { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          xcb_intern_atom(connection, 0, UInt16($0.count), $0.baseAddress)
        }
      }
    }
  }

  func write(_ name: Name, on window: UInt32) {
    if atoms.isEmpty {
      atoms = cookies.map { cookie in
        guard let reply = xcb_intern_atom_reply(connection, cookie, nil) else { return 0 }
        defer { free(reply) }
        return reply.pointee.atom
      }
    }
    counter += 1
    xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atoms[name.rawValue], XCB_ATOM_CARDINAL.rawValue, 32,
      1, &counter)
  }
}
