import DeskSupport
import ProsceniumCore
import ProsceniumDesk
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Windows of a real server whose points are several pixels.
  @MainActor @Suite("Windows in points on a server") struct PointServerTests {
    private func launch() async throws -> (PrivateDesktop, XProgram, XProgram.PaintedWindow) {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let program = try XProgram(display: desktop.server.display) { window in
        window.minimumSize = Size(width: 100, height: 60)
        window.setNeedsDisplay()
      }
      try #require(program.run { program.window?.draws.isEmpty == false })
      return (desktop, program, try #require(program.window))
    }

    private func setDPI(_ dpi: Int, _ desktop: PrivateDesktop) {
      let client = desktop.desk.client
      client.setProperty(
        client.root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: Array("Xft.dpi:\t\(dpi)\n".utf8))
    }

    /// The least width and height of `WM_NORMAL_HINTS`.
    private func least(_ desktop: PrivateDesktop, _ window: UInt32) -> [Int]? {
      desktop.desk.client.longs(window, "WM_NORMAL_HINTS", type: "WM_SIZE_HINTS").map {
        $0.dropFirst(5).prefix(2).map { Int($0) }
      }
    }

    @Test("A new scale gives the window, and its limits, other pixels for the same points")
    func scale() async throws {
      let (desktop, program, window) = try await launch()
      let id = try #require(window.id?.rawValue)
      let (points, client) = (window.frame.size, desktop.desk.client)
      #expect(least(desktop, id) == [100, 60])
      setDPI(144, desktop)
      let wide = points.width * 3 / 2
      try #require(program.run { client.place(of: id)?.width == wide && window.pixelSize.width == wide })
      #expect(window.scale == 1.5 && window.frame.size == points)
      try #require(program.run { least(desktop, id) == [150, 90] })
      setDPI(96, desktop)
      try #require(program.run { client.place(of: id)?.width == points.width && window.frame.size == points })
      // Maximised it has the pixels that the window manager gives it.
      window.requestMaximized(true)
      try #require(
        program.run {
          window.windowScene?.effectiveGeometry?.isMaximized == true && window.pixelSize.height > 2 * points.height
        })
      let filled = window.pixelSize
      setDPI(192, desktop)
      try #require(program.run { window.scale == 2 })
      program.run(milliseconds: 100)
      #expect(window.pixelSize == filled)
    }

    @Test("Dragged to a screen with small pixels and back, it has the same points", .enabled(if: hasXrandr))
    func dragged() async throws {
      let (desktop, program, window) = try await launch()
      let (client, id) = (desktop.desk.client, try #require(window.id?.rawValue))
      let (width, height) = (Int(client.width), Int(client.height))
      let half = width / 2
      // Of 96 dots per inch, and of small pixels.
      func monitor(_ name: String, at x: Int, dpi: Int, _ output: String) throws -> Int32 {
        let (wide, high) = ((half * 254 + dpi * 5) / dpi / 10, (height * 254 + dpi * 5) / dpi / 10)
        let arguments = ["xrandr", "--setmonitor", name, "\(half)/\(wide)x\(height)/\(high)+\(x)+0", output]
        return try #require(QuietProcess(arguments, environment: ["DISPLAY": desktop.server.display])).wait()
      }
      try #require(monitor("usual", at: 0, dpi: 96, "screen") == 0)
      try #require(monitor("small", at: half, dpi: 145, "none") == 0)
      let screens = program.platform.parts.screens
      try #require(program.run { screens.current.map(\.scale) == [1, 2] })
      desktop.desk.move(id, to: Place(40, 60, 120, 80))
      try #require(program.run { window.pixelSize == Size(width: 120, height: 80) })
      desktop.desk.move(id, to: Place(half + 100, 100, 120, 80))
      try #require(program.run { window.pixelSize == Size(width: 240, height: 160) && window.scale == 2 })
      #expect(window.frame.size == Size(width: 120, height: 80))
      try #require(program.run { client.place(of: id)?.width == 240 })
      let there = try #require(client.place(of: id))
      desktop.desk.move(id, to: Place(40, 60, there.width, there.height))
      try #require(program.run { window.pixelSize == Size(width: 120, height: 80) && window.scale == 1 })
      #expect(program.run { client.place(of: id)?.width == 120 })
    }

    private nonisolated static let hasXrandr = TestServer.exists("xrandr")
  }
}
