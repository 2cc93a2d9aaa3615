import Glibc
import ProsceniumCore
import ProsceniumTesting

/// How many tests of a program's life a second of one core takes: `KitPeer [SECONDS]`.
///
/// Each is a program of its own with a store, which is launched, loses the focus, is minimised and has every line
/// expected.
@main @MainActor struct KitPeer {
  static func main() throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
    let start = processorTime()
    var count = 0
    while count == 0 || processorTime() - start < Double(seconds) {
      for _ in 0..<100 { try live() }
      count += 100
    }
    print(Int(Double(count) / (processorTime() - start)))
  }

  /// What the process has had of the processors, in seconds: the same however busy the machine is.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func live() throws {
    try HeadlessProgram(delegate: Delegate.init).exhaustively { program in
      program.launch()
      try program.expect(
        """
        willFinishLaunchingWithOptions [inactive]
        didFinishLaunchingWithOptions [inactive]
        scene1 sceneWillConnect unattached -> background
        scene1 sceneWillEnterForeground background -> foregroundInactive
        applicationWillEnterForeground [inactive]
        scene1 sceneDidBecomeActive foregroundInactive -> foregroundActive
        applicationDidBecomeActive [active]
        """)
      program.desk.focus(nil)
      program.advance(by: .milliseconds(300))
      try program.expect(
        """
        scene1 sceneWillResignActive foregroundActive -> foregroundInactive
        applicationWillResignActive [inactive]
        """)
      program.windows.first.map(program.desk.minimize)
      program.advance(by: .milliseconds(300))
      try program.expect(
        """
        scene1 sceneDidEnterBackground foregroundInactive -> background
        applicationDidEnterBackground [background]
        """)
    }
  }

  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: MainScene.init)])
  }

  private final class MainScene: Responder, WindowSceneDelegate {
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
    }
  }
}
