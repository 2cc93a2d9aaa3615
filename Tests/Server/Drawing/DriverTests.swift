import CXCB
import DeskSupport
import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// A window into which a driver draws, on the platform's connection.
  @MainActor @Suite("Drivers") struct DriverTests {
    @Test("Frames come with the screen where a driver presents its own, with the numbers from 1 on")
    func presenting() throws {
      let server = try #require(TestServer([]))
      let easel = try Easel(display: server.display)
      let parts = easel.stage.platform.parts
      let (connection, window) = (parts.server.connection, easel.window.rawValue)
      let depth = try #require(easel.stage.platform.handle(for: easel.window)?.depth)
      let pixmap = connection.makeID()
      connection.sent(xcb_create_pixmap(connection.raw, depth, pixmap, window, 300, 200), "CreatePixmap", window)
      let start = MonotonicClock.seconds
      for serial in 1...40 {
        try #require(easel.frame())
        parts.server.extensions.send(
          .presentPixmap(pixmap, on: window, serial: UInt32(serial), update: 0, isImmediate: true))
      }
      // Of the server's 60 a second; a slow machine takes longer.
      #expect(MonotonicClock.seconds - start > 0.5)
      #expect(easel.stage.errors == [])
    }
  }
}
