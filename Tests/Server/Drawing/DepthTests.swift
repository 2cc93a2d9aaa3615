import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Screens whose own pixels are not those that a program draws.
  @MainActor @Suite("Depths") struct DepthTests {
    /// A server's screen, and what windows are made of there.
    struct Screen: CustomTestStringConvertible, Sendable {
      var options: [String]
      var depth: UInt8
      /// What is drawn is converted on the way.
      var isConverted: Bool
      /// What the root's own pixels tell of the window: nothing where they are entries of a colormap.
      var showsOnRoot = true

      init(_ depth: Int, _ options: [String] = [], windows: UInt8, isConverted: Bool, showsOnRoot: Bool = true) {
        self.options = ["-screen", "0", "640x480x\(depth)"] + options
        self.depth = windows
        self.isConverted = isConverted
        self.showsOnRoot = showsOnRoot
      }

      var testDescription: String { options.dropFirst(2).joined(separator: " ") }

      /// Without Composite there is no visual but the root's.
      static let all = [
        Screen(16, windows: 32, isConverted: false), Screen(15, windows: 32, isConverted: false),
        Screen(30, windows: 32, isConverted: false),
        Screen(16, ["-extension", "COMPOSITE"], windows: 16, isConverted: true),
        Screen(15, ["-extension", "COMPOSITE"], windows: 15, isConverted: true),
        Screen(30, ["-extension", "COMPOSITE"], windows: 30, isConverted: true),
        Screen(8, windows: 8, isConverted: true, showsOnRoot: false),
        Screen(24, ["-cc", "5"], windows: 24, isConverted: false, showsOnRoot: false),
      ]
    }

    private let whole = Rect(x: 0, y: 0, width: 300, height: 200)

    @Test("What is drawn is there, as exactly as the screen can show it", arguments: Screen.all)
    func drawn(_ screen: Screen) throws {
      // Given a window
      let server = try #require(TestServer(screen.options))
      let easel = try Easel(display: server.display)
      #expect(easel.witness.depth(of: easel.window.rawValue) == screen.depth)
      let handle = try #require(easel.stage.platform.handle(for: easel.window))
      #expect(handle.depth == screen.depth)
      // When it is drawn, all and parts with odd edges
      #expect(easel.fill(whole, 0xFF0000))
      #expect(easel.surface?.method == (screen.isConverted ? .request : .present))
      let parts: [(Rect, UInt32)] = [
        (Rect(x: 1, y: 1, width: 99, height: 77), 0x00FF00), (Rect(x: 150, y: 3, width: 33, height: 101), 0x0000FF),
        (Rect(x: 7, y: 120, width: 41, height: 80), 0xB36A1C),
      ]
      #expect(easel.draw(parts))
      #expect(easel.fill(Rect(x: 299, y: 199, width: 1, height: 1), 0xFFFFFF))
      // Then that is what it shows, and the screen with it
      #expect(easel.stage.runLooking { easel.shows(of: easel.window.rawValue) })
      if screen.showsOnRoot {
        #expect(easel.stage.runLooking { easel.shows(of: easel.witness.root, at: Point(x: 20, y: 20)) })
      }
      #expect(easel.stage.errors == [])
    }

    @Test(
      "Opaque windows are opaque, whatever alpha is drawn, and their background has the colour", arguments: Screen.all)
    func opaque(_ screen: Screen) throws {
      let server = try #require(TestServer(screen.options))
      let easel = try Easel(display: server.display, describe: { $0.background = Color(rgb: 0x3060C0) })
      let (stage, id) = (easel.stage, easel.window.rawValue)
      func first() -> UInt32? {
        stage.synchronise()
        return easel.witness.colors(of: id, x: 0, y: 0, width: 1, height: 1)?.colors.first
      }
      func isNear(_ color: UInt32) -> Bool {
        let seen = easel.witness.colors(of: id, x: 0, y: 0, width: 1, height: 1)
        return seen.map { Easel.isNear($0.colors, [color], $0.precision) } ?? false
      }
      #expect(stage.runLooking { first() != nil && isNear(0x3060C0) })
      #expect(easel.frame())
      #expect(
        stage.platform.draw(easel.window, damage: Damage([Rect(x: 0, y: 0, width: 300, height: 200)])) { buffer, _ in
          for y in 0..<200 { buffer.withRow(y) { $0.update(repeating: 0x00E0_5010) } }
        })
      #expect(stage.runLooking { first() != nil && isNear(0xE05010) })
      if screen.depth == 32 { #expect(easel.seenFirst.map { $0 >> 24 } == 0xFF) }
      #expect(stage.errors == [])
    }

    @Test("Pictures stand for what would be drawn", arguments: Screen.all)
    func pictures(_ screen: Screen) throws {
      let server = try #require(TestServer(screen.options))
      let stage = try Recording(server)
      let witness = try XClient(display: server.display)
      let size = Rect(x: 0, y: 0, width: 101, height: 80)
      let picture = try #require(Picture(size: size.size) { $0.fill(size, with: Color(rgb: 0xA03060)) })
      let window = stage.makeWindow { $0.size = size.size }
      func shows(_ color: UInt32) -> Bool {
        stage.synchronise()
        let seen = witness.colors(of: window.rawValue, x: 0, y: 0, width: 101, height: 80)
        return seen.map { Easel.isNear($0.colors, Array(repeating: color, count: 101 * 80), $0.precision) } ?? false
      }
      // As the background, before anything is drawn
      stage.perform(.showPicture(window, Snapshot(picture)))
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      #expect(stage.runLooking { shows(0xA03060) })
      // And over what was drawn
      let other = try #require(Picture(size: size.size) { $0.fill(size, with: Color(rgb: 0x20C070)) })
      stage.perform(.cover(window, Snapshot(other)))
      #expect(stage.runLooking { shows(0x20C070) })
      #expect(stage.errors == [])
    }

    @Test(
      "Transparent windows have alpha where there is Composite, and are opaque elsewhere", arguments: [true, false])
    func transparent(_ hasComposite: Bool) throws {
      let server = try #require(
        TestServer(["-screen", "0", "640x480x16"] + (hasComposite ? [] : ["-extension", "COMPOSITE"])))
      let easel = try Easel(display: server.display, describe: { $0.isTransparent = true })
      #expect(easel.witness.depth(of: easel.window.rawValue) == (hasComposite ? 32 : 16))
      #expect(easel.frame())
      #expect(
        easel.stage.platform.draw(easel.window, damage: Damage([whole])) { buffer, _ in
          for y in 0..<200 { buffer.withRow(y) { $0.update(repeating: 0x4010_2030) } }
        })
      if hasComposite { #expect(easel.stage.runLooking { easel.seenFirst == 0x4010_2030 }) }
      #expect(easel.stage.errors == [])
    }

    @Test("A screen without TrueColor is reported once, on standard error too")
    func withoutTrueColor() async throws {
      let server = try await XServer()
      let proxy = try XProxy(to: server, hiding: [XProxy.trueColor])
      let easel = try Easel(display: proxy.display, witness: server.display)
      for _ in 0..<3 { #expect(!easel.fill(whole, 0xFF)) }
      let other = easel.stage.makeWindow("other")
      easel.stage.perform(.show(other, .activated))
      #expect(easel.stage.run { easel.stage.isVisible(other) })
      #expect(!easel.stage.platform.draw(other, damage: Damage([whole])) { _, _ in })
      let deadline = DeadlineID(rawValue: 78)
      easel.stage.perform(.setDeadline(deadline, milliseconds: 1))
      #expect(easel.stage.run { easel.stage.events.contains(.deadline(deadline)) })
      #expect(easel.stage.faults.count == 1)
      #expect(easel.stage.faults.first?.contains("no TrueColor visual. Start the X server") == true)
      #expect(easel.stage.errors == easel.stage.faults)
    }
  }
}

extension Easel {
  /// Whether what a window shows from a place on is what was drawn.
  func shows(of drawable: UInt32, at place: Point = Point(x: 0, y: 0)) -> Bool {
    stage.synchronise()
    let seen = witness.colors(of: drawable, x: place.x, y: place.y, width: size.width, height: size.height)
    return seen.map { Self.isNear($0.colors, expected, $0.precision) } ?? false
  }

  /// Whether colours differ by no more than a visual's precision in each channel.
  static func isNear(_ seen: [UInt32], _ expected: [UInt32], _ precision: [Int]) -> Bool {
    guard seen.count == expected.count else { return false }
    return zip(seen, expected).allSatisfy { one, other in
      zip([UInt32(16), 8, 0], precision).allSatisfy { shift, least in
        abs(Int(one >> shift & 0xFF) - Int(other >> shift & 0xFF)) <= least
      }
    }
  }
}
