import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI

/// What a table costs until its first paint, and for each frame while it scrolls: `ListPeer ROWS`.
///
/// Drawn by Cairo into a window in memory. Prints milliseconds of the processor, of the first paint and of a frame.
@main @MainActor struct ListPeer {
  private static let frames = 600

  static func main() {
    let rows = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100
    let program = HeadlessProgram(delegate: Delegate.init)
    // Fonts and the theme, which every window needs.
    MainScene.rows = 1
    program.launch()
    MainScene.rows = rows
    let start = processorTime()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .milliseconds(100))
    let painted = processorTime()
    guard let table = MainScene.table else { return }
    let end = table.contentSize.height - table.bounds.size.height
    for frame in 1...frames {
      // A wheel's three lines, and now and then a jump.
      let next = frame % 100 == 0 ? end / frame * 100 : table.contentOffset.y + 90
      table.contentOffset = Point(x: 0, y: min(max(next, 0), end))
      program.advance(by: .milliseconds(17))
    }
    let scrolled = processorTime()
    print(String((painted - start) * 1000), String((scrolled - painted) * 1000 / Double(frames)))
  }

  /// What the process has had of the processors, in seconds: the same however busy the machine is.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: MainScene.init)])
  }

  private final class MainScene: Responder, WindowSceneDelegate, TableViewDataSource {
    static var rows = 1
    static var table: TableView?
    private let rows = MainScene.rows
    var window: Window?

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let window = Window(windowScene: scene)
      window.frame = Rect(x: 0, y: 0, width: 800, height: 600)
      let table = TableView()
      table.register(TableViewCell.init, forCellReuseIdentifier: "row")
      table.dataSource = self
      window.rootView = table
      window.makeKeyAndVisible()
      (self.window, Self.table) = (window, table)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { rows }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
      cell.textLabel.text = "Row \(indexPath.row)"
      return cell
    }
  }
}
