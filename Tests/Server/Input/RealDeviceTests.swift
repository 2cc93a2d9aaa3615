import CXCB
import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Wheels and fingers, through Xorg's own way from a device to a window.
  @MainActor @Suite("Real devices", .enabled(if: mustNotSkip || XorgServer.isInstalled)) struct RealDeviceTests {
    let server: XorgServer
    let stage: Recording
    let window: WindowID

    /// A window in the middle of a screen of 1152 by 900 pixels, and the pointer in it.
    init() async throws {
      server = try await .required()
      stage = try Recording(display: server.display)
      window = stage.makeWindow {
        $0.size = Size(width: 576, height: 450)
        $0.position = Point(x: 288, y: 225)
      }
      stage.perform(.show(window, .activated))
      let (stage, window) = (stage, window)
      try #require(stage.run { stage.isVisible(window) && stage.platform.parts.input.pointer.devices.isAvailable })
      // The server has heard what is listened to.
      var isDone = false
      stage.platform.parts.server.connection.whenDone { isDone = true }
      try #require(stage.run { isDone })
    }

    private func inputs<Value>(_ value: (InputEvent.Kind) -> Value?) -> [Value] {
      stage.events.compactMap { if case .input(window, let input) = $0 { value(input.kind) } else { nil } }
    }
    private var touches: [Touch] { inputs { if case .touch(let touch) = $0 { touch } else { nil } } }
    private var scrolls: [Scroll] { inputs { if case .scroll(let scroll) = $0 { scroll } else { nil } } }
    private var motions: [Motion] { inputs { if case .motion(let motion) = $0 { motion } else { nil } } }
    private var buttons: [PointerButton] { inputs { if case .button(let button) = $0 { button } else { nil } } }

    @Test("Fingers come down, move and go, each by itself, and no pointer is made of them")
    func fingers() throws {
      let screen = server.touchScreen
      // Two at once, of which one moves
      try screen.touch(.begin, 1, x: 0.5, y: 0.5)
      try screen.touch(.begin, 2, x: 0.3, y: 0.3)
      try screen.touch(.update, 1, x: 0.5 + 100.0 / 1152, y: 0.5)
      try screen.touch(.end, 2, x: 0.3, y: 0.3)
      try screen.touch(.end, 1, x: 0.5 + 100.0 / 1152, y: 0.5)
      #expect(stage.run { touches.count { $0.phase == .ended } == 2 })
      let numbers = touches.filter { $0.phase == .began }.map(\.identifier)
      try #require(Set(numbers).count == 2)
      func story(_ number: Int) -> [Touch] { touches.filter { $0.identifier == number } }
      #expect(story(numbers[0]).map(\.phase) == [.began, .moved, .ended])
      #expect(story(numbers[1]).map(\.phase) == [.began, .ended])
      for (place, touch) in zip([288, 388, 388], story(numbers[0])) {
        #expect(abs(touch.location.x - place) <= 1 && abs(touch.location.y - 225) <= 1, "\(touch)")
      }
      for touch in story(numbers[1]) {
        #expect(abs(touch.location.x - 57) <= 1 && abs(touch.location.y - 45) <= 1, "\(touch)")
      }
      #expect(buttons.isEmpty)
      #expect(stage.errors == [])
    }

    @Test("A finger that is down when its window is hidden is cancelled, and never ends")
    func cancelled() throws {
      try server.touchScreen.touch(.begin, 1, x: 0.5, y: 0.5)
      #expect(stage.run { touches.count == 1 })
      stage.perform(.withdraw(window))
      #expect(stage.run { touches.last?.phase == .cancelled })
      try server.touchScreen.touch(.end, 1, x: 0.5, y: 0.5)
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      #expect(touches.map(\.phase) == [.began, .cancelled])
      #expect(stage.errors == [])
    }

    @Test("Wheels turn by parts of a line, both at once, with the pointer where it is")
    func wheels() throws {
      // The pointer comes to the middle of the window; the first turn says where the wheels stand
      try server.pointer.move(x: 5)
      try server.pointer.move(x: -5)
      #expect(stage.run { !motions.isEmpty && stage.platform.parts.input.pointer.devices.areAxesKnown })
      try server.pointer.move(wheelX: 1, wheelY: 1)
      try server.pointer.move(wheelY: 30)
      try server.pointer.move(wheelY: -60)
      try server.pointer.move(wheelX: 120, wheelY: 12)
      #expect(stage.run { scrolls.contains { $0.deltaX == 1 } })
      #expect(scrolls.suffix(3).map(\.deltaY) == [0.25, -0.5, 0.1])
      #expect(scrolls.allSatisfy { $0.isPrecise })
      // What the server makes buttons 4 to 7 of is no press, and where nothing was moved there is no motion.
      #expect(buttons.isEmpty)
      let place = motions.last?.location
      #expect(scrolls.allSatisfy { $0.location == place })
      try server.pointer.button(1, isDown: true)
      try server.pointer.button(1, isDown: false)
      #expect(stage.run { buttons.count == 2 })
      #expect(stage.errors == [])
    }

    @Test("Each click of a wheel counts once, also the first one after the pointer has come into the window")
    func clicks() throws {
      let client = try XClient(display: server.display)
      func goOutAndIn() -> Bool {
        let before = motions.count { $0.phase == .entered }
        for place in [(10, 10), (576, 450)] as [(Int16, Int16)] {
          xcb_warp_pointer(client.connection, 0, client.root, 0, 0, 0, 0, place.0, place.1)
          client.sync()
        }
        return stage.run { motions.count { $0.phase == .entered } > before }
      }
      try server.pointer.move(x: 5)
      #expect(stage.run { !motions.isEmpty && stage.platform.parts.input.pointer.devices.areAxesKnown })
      for round in 1...2 {
        #expect(goOutAndIn())
        let count = scrolls.count
        try server.pointer.move(wheelY: 120)
        try server.pointer.move(wheelX: -120)
        for _ in 0..<2 { try server.pointer.move(wheelY: 120) }
        try server.pointer.move(wheelX: -120, wheelY: -120)
        // All that was before it has come then
        try server.pointer.button(1, isDown: true)
        try server.pointer.button(1, isDown: false)
        #expect(stage.run { buttons.count == 2 * round })
        let turned = scrolls.dropFirst(count)
        #expect(turned.map(\.deltaY) == [1, 0, 1, 1, -1])
        #expect(turned.map(\.deltaX) == [0, -1, 0, 0, -1])
        #expect(turned.map(\.isPrecise) == [false, false, true, true, true])
      }
      // Of two wheels one of which is known
      #expect(goOutAndIn())
      let count = scrolls.count
      try server.pointer.move(wheelY: 120)
      try server.pointer.move(wheelX: 120, wheelY: 120)
      try server.pointer.button(1, isDown: true)
      #expect(stage.run { buttons.count == 5 })
      let turned = scrolls.dropFirst(count)
      #expect(turned.reduce(0) { $0 + $1.deltaY } == 2 && turned.reduce(0) { $0 + $1.deltaX } == 1)
      #expect(stage.errors == [])
    }
  }
}
