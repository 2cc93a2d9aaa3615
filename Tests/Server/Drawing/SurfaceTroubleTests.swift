import CXCB
import DeskSupport
import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Servers, links and window managers as they are.
  @MainActor @Suite("Surfaces in trouble") struct SurfaceTroubleTests {
    private let whole = Rect(x: 0, y: 0, width: 300, height: 200)

    @Test("Where descriptors get lost on the way, and where SHM is missing, the pixels themselves are sent")
    func descriptorsLost() async throws {
      for hidden in [Set<String>(), ["MIT-SHM"], ["MIT-SHM", "Present", "XFIXES"]] {
        let server = try await XServer()
        let proxy = try XProxy(to: server, hiding: hidden)
        let easel = try Easel(display: proxy.display, witness: server.display)
        #expect(easel.fill(whole, 0x112233))
        // Refused, the window is exposed, and drawn again.
        if hidden.isEmpty {
          #expect(easel.stage.run { easel.stage.platform.parts.drawing.frames.support.method == .request })
        }
        #expect(easel.fill(whole, 0x332211))
        #expect(easel.surface?.method == .request)
        #expect(easel.showsExpected())
        #expect(easel.stage.errors == [])
      }
    }

    @Test("Where the process has no descriptors left to share memory by, the pixels themselves are sent")
    func noDescriptors() async {
      // The limit is the whole process's.
      await #expect(processExitsWith: .success) { try await SurfaceTroubleTests().drawWithoutDescriptors() }
    }

    private func drawWithoutDescriptors() throws {
      let server = try #require(TestServer())
      // Small enough for the socket.
      let easel = try Easel(display: server.display, describe: { $0.size = Size(width: 60, height: 40) })
      let (stage, witness) = (easel.stage, easel.witness)
      let all = Rect(x: 0, y: 0, width: 60, height: 40)
      #expect(easel.frame())
      // Given a frame that the server has yet to show, and no descriptors for a second buffer
      xcb_grab_server(witness.connection)
      witness.sync()
      #expect(easel.fillNow(all, 0x112233))
      #expect(easel.surface?.method == .present)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 256
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      while dup(0) >= 0 {}
      // When the window is drawn into again
      #expect(easel.fillNow(Rect(x: 5, y: 5, width: 9, height: 9), 0x445566))
      xcb_ungrab_server(witness.connection)
      witness.sync()
      // Then the program draws all of it, and the window shows all of it
      #expect(easel.asked == Damage([all]) && easel.surface?.method == .request)
      #expect(easel.fill(all, 0x112233) && easel.showsExpected())
      // And so does a new one
      let other = stage.makeWindow("other") { $0.size = Size(width: 60, height: 40) }
      stage.perform(.show(other, .activated))
      #expect(stage.run { stage.isVisible(other) })
      #expect(easel.showsCorner(of: other))
      #expect(stage.errors == [])
    }

    @Test("A slow link gets one frame at a time, and damage sends only the damage")
    func slowLink() async throws {
      let server = try await XServer()
      let proxy = try XProxy(to: server, hiding: ["MIT-SHM", "Present"], delay: .milliseconds(100))
      let easel = try Easel(display: proxy.display, witness: server.display)
      #expect(easel.fill(whole, 0x112233))
      let start = easel.stage.platform.now
      for color in UInt32(1)...5 { #expect(easel.fill(Rect(x: 1, y: 1, width: 9, height: 9), color)) }
      #expect(easel.stage.platform.now - start > 0.9)
      #expect(easel.showsExpected())
      #expect(easel.stage.errors == [])
    }

    @Test("A server that dies in the middle of drawing is told once, and drawing says no")
    func death() throws {
      let server = try #require(TestServer())
      let easel = try Easel(display: server.display)
      for color in UInt32(0)..<10 { #expect(easel.fill(whole, color)) }
      easel.stage.perform(.requestFrame(easel.window))
      #expect(easel.stage.platform.isConnected)
      server.process.end(SIGKILL)
      // Before the loop has heard of it.
      #expect(!easel.stage.platform.isConnected && !easel.stage.platform.parts.server.isLost)
      _ = easel.fillNow(whole, 5)
      let isLoss: (PlatformEvent) -> Bool = { if case .connectionLost = $0 { true } else { false } }
      #expect(easel.stage.run { easel.stage.events.contains(where: isLoss) })
      #expect(!easel.fillNow(whole, 7))
      easel.stage.perform(.requestFrame(easel.window))
      easel.stage.perform(.purgeSurface(easel.window))
      easel.stage.perform(.destroy(easel.window))
      #expect(easel.stage.events.count(where: isLoss) == 1)
      #expect(easel.stage.errors == [])
    }

    @Test("A window that another client destroys in the middle costs nothing")
    func destroyed() throws {
      let server = try #require(TestServer())
      let easel = try Easel(display: server.display)
      #expect(easel.fill(whole, 1))
      easel.stage.perform(.requestFrame(easel.window))
      easel.witness.destroy(easel.window.rawValue)
      _ = easel.fillNow(whole, 2)
      #expect(easel.stage.run { easel.stage.events.contains(.destroyed(easel.window)) })
      let other = easel.stage.makeWindow()
      easel.stage.perform(.show(other, .activated))
      #expect(easel.stage.run { easel.stage.isVisible(other) })
      #expect(easel.stage.platform.parts.drawing.frames.support.method == .present)
      #expect(easel.stage.errors == [])
    }

    @Test(
      "A window that is destroyed before it is drawn for the first time costs the others nothing",
      arguments: [false, true])
    func destroyedAtOnce(isTransparent: Bool) throws {
      let server = try #require(TestServer())
      let easel = try Easel(
        display: server.display, without: { $0.presents = false }, describe: { $0.isTransparent = isTransparent })
      let (stage, witness) = (easel.stage, easel.witness)
      let other = stage.makeWindow("other") { $0.isTransparent = isTransparent }
      stage.perform(.show(other, .activated))
      #expect(stage.run { stage.isVisible(other) })
      #expect(easel.frame())
      // What is drawn comes to the server after the end of the window, of which the program hears later
      xcb_grab_server(witness.connection)
      witness.sync()
      #expect(easel.fillNow(whole, 1))
      stage.platform.flush()
      witness.destroy(easel.window.rawValue)
      xcb_ungrab_server(witness.connection)
      witness.sync()
      #expect(stage.run { stage.events.contains(.destroyed(easel.window)) })
      func hasFrame() -> Bool { stage.events.contains { if case .frame(other, _) = $0 { true } else { false } } }
      stage.perform(.requestFrame(other))
      #expect(stage.run { hasFrame() })
      #expect(easel.showsCorner(of: other))
      #expect(stage.errors == [])
    }

    @Test("A transparent window has an alpha channel, and says so to who draws by other means")
    func transparency() throws {
      let server = try #require(TestServer())
      let easel = try Easel(display: server.display, describe: { $0.isTransparent = true })
      #expect(easel.witness.depth(of: easel.window.rawValue) == 32)
      let handle = easel.stage.platform.handle(for: easel.window)
      #expect(handle?.depth == 32 && handle?.visual != 0)
      #expect(easel.frame())
      #expect(
        easel.stage.platform.draw(easel.window, damage: Damage([whole])) { buffer, _ in
          buffer.withRow(0) { $0[0] = 0x4010_2030 }
        })
      #expect(easel.stage.runLooking { easel.seenFirst == 0x4010_2030 })
      #expect(easel.stage.errors == [])
    }

    @Test("Xft.dpi gives the scale, at the start and when it changes")
    func scale() throws {
      let server = try #require(TestServer())
      let easel = try Easel(display: server.display)
      func scales(_ id: WindowID) -> [Double] {
        easel.stage.events.compactMap { if case .scale(id, let scale, _) = $0 { scale } else { nil } }
      }
      #expect(scales(easel.window) == [])
      let root = easel.witness.root
      easel.witness.setProperty(
        root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: Array("Xft.dpi:\t144\n".utf8))
      #expect(easel.stage.run { scales(easel.window) == [1.5] })
      let other = easel.stage.makeWindow("other")
      #expect(easel.stage.run { scales(other) == [1.5] })
      #expect(easel.stage.platform.parts.screens.current.allSatisfy { $0.scale == 1.5 })
      // It is known before the first window is made, which the window manager places for its size.
      #expect(try Recording(display: server.display).screensAtStart.map(\.scale) == [1.5])
      easel.witness.setProperty(root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: Array("x".utf8))
      #expect(easel.stage.run { scales(other) == [1.5, 1] })
    }

    @Test("A window takes the scale of the screen that it is moved to", .enabled(if: TestServer.exists("xrandr")))
    func scaleOfScreens() throws {
      // Given a usual screen, and a second one with small pixels at its right
      let server = try #require(TestServer())
      let easel = try Easel(display: server.display)
      let stage = easel.stage
      let usual = server.run("xrandr", "--setmonitor", "usual", "576/152x900/238+0+0", "screen")
      let small = server.run("xrandr", "--setmonitor", "small", "576/100x900/156+576+0", "none")
      try #require(usual == 0 && small == 0)
      #expect(stage.run { stage.platform.parts.screens.current.map(\.scale) == [1, 2] })
      var scales: [Double] {
        stage.events.compactMap { if case .scale(easel.window, let scale, _) = $0 { scale } else { nil } }
      }
      #expect(scales == [])
      // When the window is moved there, about, and back
      for (step, x) in [500, 700, 800, 100].enumerated() {
        let rect = Rect(x: x, y: 50, width: 300, height: 200)
        stage.perform(.request(RequestID(rawValue: step), easel.window, .geometry(rect)))
        #expect(stage.run { stage.geometry[easel.window]?.frame == rect })
      }
      // Then it is told once each
      #expect(scales == [2, 1])
      // And a window that is made there has that scale from the first
      let other = stage.makeWindow("other") { $0.position = Point(x: 700, y: 10) }
      #expect(stage.run { stage.events.contains(.scale(other, 2)) })
      #expect(stage.errors == [])
    }

    @Test(
      "The window manager's counter waits for the new size, for a second at most",
      .enabled(if: TestServer.exists("openbox")))
    func synchronised() async throws {
      let server = try #require(TestServer())
      let manager = try #require(try server.launchOpenbox())
      defer { manager.end() }
      let easel = try Easel(display: server.display)
      let stage = easel.stage
      #expect(stage.run { stage.platform.parts.context.windows[easel.window.rawValue]?.sync.counter ?? 0 != 0 })
      let counter = try #require(stage.platform.parts.context.windows[easel.window.rawValue]?.sync.counter)
      #expect(easel.fill(whole, 1))
      func resize(_ value: UInt32) -> Rect {
        let rect = Rect(x: 100, y: 100, width: 300 + Int(value), height: 220)
        easel.witness.sendMessage(
          easel.window.rawValue, "WM_PROTOCOLS", [easel.witness.atom("_NET_WM_SYNC_REQUEST"), 0, value, 0])
        stage.perform(.request(RequestID(rawValue: Int(value)), easel.window, .geometry(rect)))
        return rect
      }
      let first = resize(11)
      #expect(stage.run { stage.geometry[easel.window]?.frame.size == first.size })
      stage.synchronise()
      #expect(easel.witness.counter(counter) == 0)
      #expect(easel.fill(Rect(x: 0, y: 0, width: first.size.width, height: first.size.height), 2))
      #expect(easel.showsExpected())
      #expect(easel.witness.counter(counter) == 11)
      let start = stage.platform.now
      let second = resize(12)
      #expect(stage.run { stage.geometry[easel.window]?.frame.size == second.size })
      #expect(
        stage.run {
          stage.synchronise()
          return easel.witness.counter(counter) == 12
        })
      #expect(stage.platform.now - start >= 0.8)
      #expect(stage.errors == [])
    }

    @Test(
      "A size that is taken back before it is handed out keeps no window manager waiting",
      .enabled(if: TestServer.exists("openbox")))
    func takenBack() throws {
      let server = try #require(TestServer())
      let manager = try #require(try server.launchOpenbox())
      defer { manager.end() }
      let easel = try Easel(display: server.display)
      let (stage, id) = (easel.stage, easel.window.rawValue)
      #expect(stage.run { stage.platform.parts.context.windows[id]?.sync.counter ?? 0 != 0 })
      let counter = try #require(stage.platform.parts.context.windows[id]?.sync.counter)
      #expect(easel.fill(whole, 1))
      #expect(easel.showsExpected())
      // Nothing else is on its way.
      let quiet = DeadlineID(rawValue: 78)
      stage.perform(.setDeadline(quiet, milliseconds: 1000))
      #expect(stage.run { stage.events.contains(.deadline(quiet)) })
      // Both sizes are there when the platform reads next.
      let place = try #require(easel.witness.place(of: id))
      easel.witness.sendMessage(id, "WM_PROTOCOLS", [easel.witness.atom("_NET_WM_SYNC_REQUEST"), 0, 21, 0])
      for width in [place.width - 40, place.width] {
        let next = Place(place.x, place.y, width, place.height)
        easel.witness.move(id, to: next)
        let start = stage.platform.now
        while easel.witness.place(of: id) != next, stage.platform.now - start < 60 { usleep(1000) }
        #expect(easel.witness.place(of: id) == next)
      }
      #expect(
        stage.run {
          stage.synchronise()
          return easel.witness.counter(counter) == 21
        })
      #expect(stage.errors == [])
    }

    @Test("Through 200 sizes under a window manager the background never shows", arguments: ["openbox", "xfwm4"])
    func sizes(manager: String) throws {
      if !TestServer.exists(manager) { try Test.cancel("\(manager) is not installed") }
      let server = try #require(TestServer())
      let child = try #require(
        manager == "openbox" ? try server.launchOpenbox() : server.launch("dbus-run-session", "--", manager))
      defer { child.end() }
      let unpainted: UInt32 = 0xFF00FE
      let easel = try Easel(display: server.display, describe: { $0.background = Color(rgb: unpainted) })
      let stage = easel.stage
      #expect(stage.run { stage.windowManager == .settled && stage.platform.parts.context.windows.root.isManaged })
      // One that starts meanwhile takes the window into a frame, which empties it.
      let model = { stage.platform.parts.context.windows[easel.window.rawValue]?.model }
      #expect(
        stage.run { model().map { !$0.frames.isOnRoot && $0.isViewable && stage.isVisible(easel.window) } == true })
      #expect(easel.fill(whole, 1))
      #expect(easel.showsExpected())
      var samples = 0
      for step in 1...200 {
        let rect = Rect(x: 60, y: 60, width: 200 + (step * 37) % 300, height: 150 + (step * 23) % 250)
        stage.perform(.request(RequestID(rawValue: step), easel.window, .geometry(rect)))
        stage.perform(.requestFrame(easel.window))
        var frames = easel.frames.count
        var bad = 0
        let isDone = stage.run {
          if easel.frames.count > frames {
            frames = easel.frames.count
            let size = stage.geometry[easel.window]?.frame.size ?? rect.size
            _ = easel.fillNow(Rect(x: 0, y: 0, width: size.width, height: size.height), UInt32(step))
            if size != rect.size { stage.perform(.requestFrame(easel.window)) }
          }
          stage.synchronise()
          let size = easel.size
          samples += 1
          let seen =
            easel.witness.pixels(
              of: easel.window.rawValue, x: 0, y: 0, width: size.width, height: size.height) ?? []
          if seen.hasPixel(unpainted) { bad += 1 }
          let isDone = size == rect.size && seen.isSame(as: easel.expected)
          // The other client may have been faster.
          if !isDone { stage.perform(.requestFrame(easel.window)) }
          return isDone
        }
        guard isDone, bad == 0 else {
          let shown = "\(easel.size), shown \(easel.seen == easel.expected)"
          Issue.record("step \(step) to \(rect): \(isDone), \(bad) samples with background, \(shown)")
          return
        }
      }
      #expect(samples >= 200)
    }
  }
}

extension Easel {
  /// Draws into a corner of another window; whether it comes to be seen there.
  func showsCorner(of other: WindowID) -> Bool {
    let (corner, color) = (Rect(x: 0, y: 0, width: 10, height: 10), UInt32(0x123456))
    let isDrawn = stage.platform.draw(other, damage: Damage([corner])) { buffer, _ in
      buffer.fill(corner, with: Color(rgb: color))
    }
    return isDrawn
      && stage.runLooking { [self] in
        stage.synchronise()
        let seen = witness.pixels(of: other.rawValue, x: 0, y: 0, width: 10, height: 10)
        return seen?.allSatisfy { $0 & 0xFF_FFFF == color } == true
      }
  }

  /// The upper left pixel, with its alpha.
  var seenFirst: UInt32? {
    stage.synchronise()
    return witness.pixels(of: window.rawValue, x: 0, y: 0, width: 1, height: 1)?.first
  }
}
