import ProsceniumCore
import Testing

/// What is asked of the window manager, and what becomes of it.
extension PlatformContractTests {
  @Test("What is asked for is done once the window is so, in the same batch at the latest", arguments: kinds)
  func requests(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    let frame = Rect(x: 240, y: 260, width: 320, height: 280)
    #expect(ground.does(.geometry(frame), window))
    #expect(listener.geometry[window]?.frame == frame)
    // Where it goes back to is where it has rested: not what a moment may have been on the way to another state.
    #expect(ground.run { listener.geometry[window]?.normalFrame == frame })
    #expect(ground.does(.maximize(true), window))
    #expect(listener.geometry[window]?.isMaximized == true && listener.geometry[window]?.normalFrame == frame)
    #expect(ground.does(.maximize(false), window))
    #expect(ground.run { listener.geometry[window]?.isMaximized == false && listener.geometry[window]?.frame == frame })
    #expect(ground.does(.fullScreen(true), window))
    #expect(listener.geometry[window]?.isFullScreen == true && listener.geometry[window]?.normalFrame == frame)
    #expect(ground.run { listener.geometry[window]?.frame.origin == Point(x: 0, y: 0) })
    #expect(ground.does(.fullScreen(false), window))
    #expect(
      ground.run { listener.geometry[window]?.isFullScreen == false && listener.geometry[window]?.frame == frame })
    #expect(ground.does(.minimize, window))
    #expect(ground.run { listener.geometry[window]?.isMinimized == true && !listener.isVisible(window) })
    #expect(ground.does(.activate, window))
    #expect(listener.isActive(window) && listener.geometry[window]?.isMinimized == false)
    #expect(listener.isActive(window))
    #expect(listener.violations == [])
  }

  @Test("An activation that the window manager ignores leaves the focus where it is", arguments: kinds)
  func disobeyed(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    ground.stopObeying()
    let start = ground.platform.now
    #expect(ground.outcome(of: .activate, first) == .ignored)
    // Half a second at least, as the outcome's documentation has it.
    #expect(ground.platform.now - start > 0.45)
    #expect(!listener.isActive(first) && listener.isActive(second))
    #expect(listener.violations == [])
  }

  @Test("What was asked of a window that goes is refused", arguments: kinds)
  func lostRequests(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    _ = try #require(ground.makeActiveWindow())
    let second = ground.makeWindow { $0.position = Point(x: 500, y: 300) }
    ground.perform(.show(second, .quiet))
    #expect(ground.run { listener.isVisible(second) })
    ground.stopObeying()
    let request = listener.makeRequestID()
    ground.perform(.request(request, second, .activate))
    ground.perform(.destroy(second))
    listener.forget(second)
    #expect(ground.run { listener.outcomes[request] != nil })
    guard case .refused = listener.outcomes[request] else {
      Issue.record("\(String(describing: listener.outcomes[request]))")
      return
    }
    #expect(listener.violations == [])
  }

  @Test("What only a window manager does is refused where none runs", arguments: kinds)
  func withoutWindowManager(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    try await ground.killWindowManager()
    #expect(ground.run { listener.windowManager == .absent })
    for what in [WindowRequest.minimize, .maximize(true), .maximize(false)] {
      let outcome = ground.outcome(of: what, window)
      guard case .refused(let reason) = outcome else {
        Issue.record("\(what): \(String(describing: outcome))")
        continue
      }
      #expect(reason.contains("no window manager"))
    }
    #expect(ground.run { listener.isVisible(window) })
    #expect(listener.geometry[window]?.isMinimized != true && listener.geometry[window]?.isMaximized != true)
    #expect(listener.violations == [])
  }

  @Test("A window that the user moves and resizes says where it is", arguments: kinds)
  func moving(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    let frame = Rect(x: 300, y: 200, width: 400, height: 300)
    ground.move(window, to: frame)
    #expect(ground.run { listener.geometry[window]?.frame == frame })
    #expect(ground.run { listener.geometry[window]?.normalFrame == frame })
    #expect(listener.isActive(window))
    #expect(listener.violations == [])
  }
}
