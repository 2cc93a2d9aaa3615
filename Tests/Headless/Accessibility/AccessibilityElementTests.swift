import Testing

@testable import ProsceniumCore
@testable import ProsceniumTesting

/// Elements of a program that draws by its own means.
@MainActor @Suite("Elements without views", .serialized) struct AccessibilityElementTests {
  private final class Board: Window, AccessibilityContainer {
    var elements: [any AccessibilityObject] = []
    var accessibilityElements: [any AccessibilityObject]? { elements }
  }

  private final class Main: Responder, WindowSceneDelegate {
    static var last: Board?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let board = Board(windowScene: scene)
      board.frame = Rect(x: 10, y: 20, width: 300, height: 200)
      board.makeKeyAndVisible()
      Self.last = board
    }
  }

  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: Main.init)])
  }

  private func start() throws -> (HeadlessProgram, Board, Delegate) {
    let (program, delegate) = (HeadlessProgram(), Delegate())
    program.launch(delegate)
    program.advance(by: 100)
    return (program, try #require(Main.last), delegate)
  }

  @Test("They are read, told of and asked as views are")
  func elements() throws {
    let (program, board, delegate) = try start()
    defer { withExtendedLifetime(delegate) {} }
    var heard: [AccessibilityRequest] = []
    let stone = AccessibilityElement(.button, label: "Stone", frame: Rect(x: 5, y: 5, width: 20, height: 20))
    stone.accessibilityProperties.actions = ["press"]
    stone.accessibilityHandler = { request in
      heard.append(request)
      return true
    }
    let far = AccessibilityElement(.image, label: "Far", frame: Rect(x: 0, y: 5000, width: 20, height: 20))
    board.elements = [stone, far]
    program.machine.startScreenReader()
    program.advance(by: 100)
    func window() throws -> AccessibleElement { try #require(program.machine.accessibleWindows.first) }
    let read = try #require(try window().first(.button))
    #expect(read.frame == Rect(x: 15, y: 25, width: 20, height: 20) && read.properties.states.contains(.showing))
    #expect(try window().first(.image)?.properties.states.contains(.showing) == false)
    program.machine.perform(.action(0), on: read)
    program.advance(by: 100)
    #expect(heard == [.action(0)])
    stone.accessibilityLabel = "White stone"
    program.advance(by: 100)
    #expect(try window().first(.button)?.properties.label == "White stone")
    // One that is gone gets nothing, whatever takes its place
    board.elements = [AccessibilityElement(.button, label: "Other")]
    Accessibility.post(notification: .layoutChanged)
    program.advance(by: 100)
    program.machine.perform(.action(0), on: read)
    program.advance(by: 100)
    #expect(try heard.count == 1 && (window().elements.map(\.properties.label)) == ["Other"])
  }

  private final class Toolkit: AdoptedWindowOwner {
    func setWindow(_ window: Window, isHidden: Bool) {}
    func destroyWindow(_ window: Window) {}
  }

  @Test("A toolkit's window is not among the program's: its toolkit shows it")
  func adopted() throws {
    let (program, board, delegate) = try start()
    defer { withExtendedLifetime(delegate) {} }
    let toolkit = Toolkit()
    let scene = try #require(board.windowScene)
    let window = try Window(adopting: 0x0f00_0001, in: scene, owner: toolkit)
    program.advance(by: 3000)
    program.machine.startScreenReader()
    program.advance(by: 100)
    #expect(!window.isHidden && program.machine.accessibleWindows.count == 1)
    withExtendedLifetime(toolkit) {}
  }

  @Test("Elements that hold themselves, and endless ones, are read within limits")
  func endless() throws {
    final class Endless: AccessibilityObject {
      var accessibilityProperties: AccessibilityProperties { AccessibilityProperties(role: .group) }
      var accessibilityFrame: Rect { Rect(x: Int.max, y: Int.min, width: Int.max, height: -1) }
      static var made: [Endless] = []
      var accessibilityObjects: [any AccessibilityObject] {
        let new = (0..<3).map { _ in Endless() }
        Self.made += new
        return new
      }
    }
    let (program, board, delegate) = try start()
    defer { withExtendedLifetime(delegate) {} }
    let ring = AccessibilityElement()
    ring.accessibilityObjects = [ring]
    board.elements = [ring, Endless(), ring]
    program.machine.startScreenReader()
    program.advance(by: 100)
    let count = program.machine.accessibility.tree.nodes.count
    #expect(count == AccessibilityWalk.mostNodes)
    Endless.made = []
    ring.accessibilityObjects = []
  }
}
