import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

/// Windows on screens whose points are several pixels.
@MainActor @Suite("Windows in points", .serialized) struct PointTests {
  private static let size = Size(width: 640, height: 480)
  private let far = Rect(x: 2200, y: 100, width: 640, height: 480)

  /// A program with a usual screen, and one of two pixels per point at its right.
  private func launched() throws -> (HeadlessProgram, Window) {
    let (program, window) = try KitProgram.launched()
    var second = HeadlessScreen("DP-1", frame: Rect(x: 1920, y: 0, width: 3840, height: 2160))
    second.scale = 2
    program.desk.screens.append(second)
    return (program, window)
  }

  @Test("Moved to a screen of another scale and back, a window keeps its size in points")
  func moved() throws {
    let (program, window) = try launched()
    #expect(window.frame.size == Self.size && window.pixelSize == Self.size && window.scale == 1)
    program.desk.move(window, to: far)
    #expect(window.scale == 2 && window.pixelSize == Size(width: 1280, height: 960))
    #expect(window.frame.size == Self.size && window.contentSize == (640, 480))
    #expect(window.windowScene?.effectiveGeometry?.frame == window.frame)
    program.desk.move(window, to: Rect(x: 100, y: 100, width: 1280, height: 960))
    #expect(window.scale == 1 && window.frame.size == Self.size && window.pixelSize == Self.size)
  }

  @Test("Sizes that the user or the window manager gives stay as they are in pixels")
  func resized() throws {
    let (program, window) = try launched()
    // Resized and moved at once, as a tiling manager does.
    program.desk.move(window, to: Rect(x: 2200, y: 100, width: 700, height: 500))
    #expect(window.scale == 2 && window.pixelSize == Size(width: 700, height: 500))
    #expect(window.frame.size == Size(width: 350, height: 250))
    program.desk.move(window, to: Rect(x: 100, y: 100, width: 700, height: 500))
    program.desk.maximize(window)
    let filled = window.pixelSize
    program.desk.screens[0].scale = 2
    #expect(window.scale == 2 && window.pixelSize == filled)
  }

  @Test("What a program asks for is points, and a size with parts of points stays")
  func requested() throws {
    let (program, window) = try launched()
    program.desk.screens[0].scale = 1.5
    var outcome: RequestOutcome?
    window.requestFrame(Rect(x: 20, y: 40, width: 300, height: 201)) { outcome = $0 }
    program.advance(by: .seconds(1))
    #expect(outcome == .done && window.pixelSize == Size(width: 450, height: 301))
    #expect(window.frame == Rect(x: 20, y: 40, width: 300, height: 201))
    var frame = window.frame
    frame.origin.x += 10
    window.frame = frame
    program.advance(by: .seconds(1))
    #expect(window.pixelSize == Size(width: 450, height: 301) && window.frame == frame)
    window.requestFrame(Rect(x: 0, y: 0, width: 30_000, height: 100)) { outcome = $0 }
    guard case .refused = outcome else {
      Issue.record("45,000 pixels are more than a window has, not \(String(describing: outcome))")
      return
    }
  }

  @Test("Windows are made in points of their screen; a second one of the first one's")
  func made() throws {
    let (program, window) = try launched()
    program.desk.screens[0].scale = 2
    #expect(window.pixelSize == Size(width: 1280, height: 960))
    let panel = Window(windowScene: try #require(window.windowScene))
    #expect(panel.scale == 2 && panel.frame.size == Self.size && panel.pixelSize == Size(width: 1280, height: 960))
    // A frame that is set without a scene is in points of the scene that it gets.
    let later = Window()
    later.windowScene = nil
    later.frame = Rect(x: 10, y: 10, width: 100, height: 50)
    later.windowScene = window.windowScene
    #expect(later.pixelSize == Size(width: 200, height: 100))
    #expect(later.frame == Rect(x: 10, y: 10, width: 100, height: 50))
  }

  @Test("Points of one space are those of another by the pixels of the desktop")
  func converted() throws {
    let (program, window) = try launched()
    program.desk.move(window, to: far)
    let scene = try #require(window.windowScene)
    let screens = program.application.screens
    let (usual, small) = (try #require(screens.first), try #require(screens.last))
    let corner = scene.coordinateSpace.convert(Point(x: 10, y: 10), to: small)
    let pixels = scene.coordinateSpace.originOnDesktop
    #expect(corner == Point(x: (pixels.x - 1920) / 2 + 10, y: pixels.y / 2 + 10))
    #expect(usual.convert(Point(x: 1920, y: 0), to: small) == Point(x: 0, y: 0))
    #expect(small.frame == Rect(x: 960, y: 0, width: 1920, height: 1080))
    #expect(scene.screen === small)
  }

  @Test("A session comes back with the points that it had, on a screen that has another scale by then")
  func restored() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.move(window, to: Rect(x: 100, y: 200, width: 500, height: 300))
    program.advance(by: .seconds(5))
    program.kill()
    program.desk.screens[0].scale = 2
    program.relaunch()
    program.advance(by: .seconds(1))
    let back = try #require(program.windows.first)
    #expect(back.scale == 2 && back.frame.size == Size(width: 500, height: 300))
    #expect(back.pixelSize == Size(width: 1000, height: 600))
    program.advance(by: .seconds(5))
    program.kill()
    program.desk.screens[0].scale = 1
    program.relaunch()
    program.advance(by: .seconds(1))
    let again = try #require(program.windows.first)
    #expect(again.pixelSize == Size(width: 500, height: 300) && again.scale == 1)
  }
  @Test("A minimised session that comes back without its scene keeps its points, also when the scale changes then")
  func restoredBare() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.screens[0].scale = 2
    program.desk.move(window, to: Rect(x: 100, y: 200, width: 1000, height: 600))
    #expect(window.frame.size == Size(width: 500, height: 300))
    program.desk.minimize(window)
    program.advance(by: .seconds(5))
    program.relaunch()
    // The place is stored anew, without a scene.
    program.advance(by: .seconds(5))
    #expect(program.scenes.isEmpty)
    program.kill()
    program.desk.screens[0].scale = 1
    program.relaunch()
    program.advance(by: .seconds(1))
    #expect(program.scenes.isEmpty)
    program.desk.screens[0].scale = 2
    program.desk.restore(try #require(program.application.openSessions.first))
    program.advance(by: .seconds(2))
    let back = try #require(program.windows.first)
    #expect(back.scale == 2 && back.pixelSize == Size(width: 1000, height: 600))
    #expect(back.frame.size == Size(width: 500, height: 300))
  }
  @Test("The frame of a maximised window stays one of the scale that it was made for")
  func maximized() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.move(window, to: Rect(x: 100, y: 200, width: 500, height: 300))
    program.desk.maximize(window)
    program.desk.screens[0].scale = 2
    // Its place is stored again.
    program.desk.move(window, toWorkspace: nil)
    program.advance(by: .seconds(5))
    program.relaunch()
    program.advance(by: .seconds(1))
    let back = try #require(program.windows.first)
    #expect(back.windowScene?.effectiveGeometry?.isMaximized == true && back.scale == 2)
    program.desk.maximize(back, false)
    #expect(back.pixelSize == Size(width: 1000, height: 600) && back.frame.size == Size(width: 500, height: 300))
  }
  @Test("Dropped over the edge of two screens, a window that becomes smaller stays on the one that shows most of it")
  func droppedOverEdge() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.screens[0].scale = 2
    program.desk.screens.append(HeadlessScreen("DP-1", frame: Rect(x: 1920, y: 0, width: 1920, height: 1080)))
    #expect(window.pixelSize == Size(width: 1280, height: 960))
    program.desk.move(window, to: Rect(x: 1300, y: 100, width: 1280, height: 960))
    #expect(window.scale == 1 && window.pixelSize == Self.size && window.frame.size == Self.size)
  }
  @Test("A window that is put on a screen of another scale before it is shown stays there, and has its points")
  func placedBeforeShown() throws {
    let (program, window) = try KitProgram.launched()
    var first = HeadlessScreen("DP-1", frame: Rect(x: 0, y: 0, width: 3840, height: 2160), isPrimary: true)
    first.scale = 2
    program.desk.screens = [first, HeadlessScreen("DP-2", frame: Rect(x: 3840, y: 0, width: 1920, height: 1080))]
    let panel = Window(windowScene: try #require(window.windowScene))
    panel.frame = Rect(x: 1920, y: 100, width: 600, height: 400)
    #expect(panel.scale == 2 && panel.pixelSize == Size(width: 1200, height: 800))
    let id = try #require(panel.id)
    // As X11 says it, and the desk in memory does not.
    program.platform.send(.scale(id, 1, isResized: false))
    #expect(panel.scale == 1 && panel.frame == Rect(x: 3840, y: 200, width: 600, height: 400))
  }
}
