import DeskSupport
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

#if canImport(ProsceniumUI)
  import ProsceniumUI
#endif

extension X11PlatformTests {
  /// Nothing is drawn in the background: requests are counted on their way to the server.
  @MainActor @Suite("Drawing in the background", .enabled(if: WindowManager.openbox.isInstalled))
  struct BackgroundDrawingTests {
    enum Hiding: CaseIterable { case iconified, withdrawn }
    /// Pixels in requests, which the proxy counts by name, or shared memory, which does not pass one.
    enum Way: CaseIterable { case request, present }

    /// What a window is drawn with: by hand, or by a view.
    enum Content: CaseIterable {
      case byHand, view

      static var possible: [Content] {
        #if canImport(ProsceniumUI)
          allCases
        #else
          [.byHand]
        #endif
      }
    }

    #if canImport(ProsceniumUI)
      private final class Sheet: View {
        override func draw(_ rect: Rect, in context: DrawingContext) {
          context.fill(rect, with: Color(rgb: 0x336699))
        }
      }
    #endif

    @Test(
      "10,000 setNeedsDisplay of a hidden window send no request, and one redraw is drawn on return",
      arguments: Hiding.allCases, Content.possible)
    func nothingForNobody(hiding: Hiding, content: Content) async throws {
      try await check(hiding, content, .request)
    }

    @Test("The same through shared memory and Present", arguments: Hiding.allCases, Content.possible)
    func nothingForNobodyShared(hiding: Hiding, content: Content) async throws {
      try await check(hiding, content, .present)
    }

    private func check(_ hiding: Hiding, _ content: Content, _ way: Way) async throws {
      // Given a window that has been drawn, and a function that is called before each of its frames
      let desktop = try await PrivateDesktop(.openbox)
      let proxy = try way == .request ? XProxy(to: desktop.server, hiding: ["MIT-SHM", "Present"]) : nil
      var ask: () -> Void = {}
      let program = try XProgram(display: proxy?.display ?? desktop.server.display) { window in
        ask = { window.setNeedsDisplay(Rect(x: 3, y: 3, width: 20, height: 20)) }
        #if canImport(ProsceniumUI)
          if content == .view {
            let sheet = Sheet()
            window.rootView = sheet
            ask = { sheet.setNeedsDisplay(Rect(x: 3, y: 3, width: 20, height: 20)) }
          }
        #endif
      }
      let window = try #require(program.window)
      let id = try #require(window.id?.rawValue)
      var calls = 0
      let link = FrameLink(window: window) { _ in calls += 1 }
      defer { link.invalidate() }
      ask()
      try #require(program.run { window.draws.count > 0 && calls > 3 })
      // When it is hidden, and its scene has come to the background
      switch hiding {
      case .iconified: desktop.desk.iconify(id)
      case .withdrawn: window.isHidden = true
      }
      try #require(program.run { program.calls.last == "scene1 sceneDidEnterBackground" })
      // What the step itself asked for, which the proxy has counted when an answer has come through it.
      program.run(milliseconds: 100)
      program.synchronise()
      let before = (
        draws: window.draws.count, calls: calls, sent: sent(program), counts: proxy?.counts
      )
      // And 10,000 redraws are asked for
      for _ in 0..<10_000 { ask() }
      // Then nothing at all is sent in the time of 18 frames, and nothing is called
      program.run(milliseconds: 300)
      #expect(window.draws.count == before.draws)
      #expect(calls == before.calls)
      #expect(sent(program) == before.sent)
      #expect(proxy?.counts.requests == before.counts?.requests)
      // And when it comes back all of it is drawn, once
      link.isPaused = true
      switch hiding {
      case .iconified: desktop.desk.restore(id)
      case .withdrawn: window.makeKeyAndVisible()
      }
      try #require(program.run { program.scene?.activationState == .foregroundActive })
      try #require(program.run { window.draws.count > before.draws })
      program.run(milliseconds: 300)
      #expect(window.draws.count == before.draws + 1)
      #expect(window.draws.last == [Rect(x: 0, y: 0, width: 200, height: 100)])
      // PutImage (72); what the server lost of it is sent again, where the window was not quite in sight yet.
      if let proxy {
        let puts = (proxy.counts.byOpcode[72] ?? 0) - (before.counts?.byOpcode[72] ?? 0)
        #expect((1...2).contains(puts), "\(puts)")
      }
      let seen = desktop.desk.client.pixels(of: id, x: 0, y: 0, width: 200, height: 100)
      #expect(seen?.allSatisfy { $0 == 0x336699 } == true)
    }

    /// How many requests have been sent.
    private func sent(_ program: XProgram) -> Int { program.platform.parts.server.connection.lastRequest }
  }
}
