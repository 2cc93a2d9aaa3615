import ProsceniumCore
import ProsceniumDesk
import SceneLifecycle
import Testing

/// What the framework relies on, said once and true of both platforms: of the model as of the world.
@MainActor @Suite("One contract for both platforms", .serialized) struct PlatformContractTests {
  /// Those that can be had here.
  nonisolated static let kinds: [GroundKind] = GroundKind.allCases.filter {
    $0 == .memory || mustNotSkip || (XServer.isInstalled && WindowManager.openbox.isInstalled)
  }

  // MARK: Windows

  @Test("A window is nothing before it is shown, and seen where it was asked for with the focus then", arguments: kinds)
  func showing(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = ground.makeWindow()
    ground.pass(milliseconds: 50)
    #expect(!listener.isVisible(window) && listener.levels[window]?.focused != true)
    ground.perform(.show(window, .activated))
    #expect(ground.run { listener.isActive(window) })
    let levels = try #require(listener.levels[window])
    #expect(levels.visibleCause == "viewable" && !levels.isWithdrawn && !levels.grabbed)
    #expect(ground.run { listener.geometry[window]?.frame == Rect(x: 120, y: 90, width: 300, height: 200) })
    let geometry = try #require(listener.geometry[window])
    #expect(geometry.normalFrame == geometry.frame)
    #expect(!geometry.isMaximized && !geometry.isFullScreen && !geometry.isMinimized)
    #expect(listener.violations == [])
  }

  @Test("A window that is shown quietly leaves the focus where it is", arguments: kinds)
  func quiet(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = ground.makeWindow { $0.position = Point(x: 500, y: 300) }
    ground.perform(.show(second, .quiet))
    #expect(ground.run { listener.isVisible(second) })
    ground.pass(milliseconds: 200)
    #expect(listener.isActive(first) && listener.levels[second]?.focused == false)
    #expect(listener.violations == [])
  }

  @Test("A menu that is shown, with the pointer held for it, changes no level of any window", arguments: kinds)
  func popUp(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    ground.pass(milliseconds: 100)
    let count = listener.countOfLevels
    var description = WindowDescription()
    description.position = Point(x: 130, y: 100)
    description.size = Size(width: 90, height: 150)
    description.transientFor = window
    description.popUp = .menu
    let menu = ground.platform.makeWindowID()
    for command in [PlatformCommand.create(menu, description), .show(menu, .quiet), .holdPointer(window)] {
      ground.perform(command)
    }
    ground.perform(.requestFrame(menu))
    #expect(ground.run { !listener.frames(of: menu).isEmpty })
    #expect(ground.platform.draw(menu, damage: Damage([Rect(x: 0, y: 0, width: 9, height: 9)])) { _, _ in })
    ground.pass(milliseconds: 200)
    ground.perform(.releasePointer)
    ground.perform(.destroy(menu))
    listener.forget(menu)
    ground.pass(milliseconds: 200)
    #expect(listener.isActive(window) && listener.levels[menu] == nil && listener.geometry[menu] == nil)
    #expect(listener.countOfLevels == count && listener.count(.pointerLost) == 0)
    #expect(listener.violations == [])
  }

  @Test("The focus goes to one window at a time, and to another program", arguments: kinds)
  func focus(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    #expect(ground.run { !listener.isActive(first) && listener.isVisible(first) })
    ground.focus(first)
    #expect(ground.run { listener.isActive(first) && !listener.isActive(second) })
    ground.focusAnotherProgram()
    #expect(ground.run { !listener.isActive(first) && !listener.isActive(second) })
    ground.pass(milliseconds: 100)
    #expect(listener.isVisible(first) && listener.isVisible(second))
    #expect(listener.violations == [])
  }

  @Test(
    "A minimised window is not seen, without having been withdrawn, and its neighbour has the focus", arguments: kinds)
  func minimizing(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    ground.minimize(second)
    #expect(ground.run { !listener.isVisible(second) && listener.isActive(first) })
    #expect(ground.run { listener.geometry[second]?.isMinimized == true })
    #expect(listener.levels[second]?.isWithdrawn == false && listener.levels[second]?.focused == false)
    ground.restore(second)
    #expect(ground.run { listener.isActive(second) && !listener.isActive(first) })
    #expect(ground.run { listener.geometry[second]?.isMinimized == false })
    #expect(listener.violations == [])
  }

  @Test("A withdrawn window says so, hands on the focus, and can be shown again", arguments: kinds)
  func withdrawing(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    ground.perform(.withdraw(second))
    #expect(ground.run { listener.levels[second]?.isWithdrawn == true && listener.isActive(first) })
    #expect(listener.levels[second]?.visible == false && listener.levels[second]?.visibleCause == "withdrawn")
    ground.perform(.show(second, .activated))
    #expect(ground.run { listener.isActive(second) && listener.levels[second]?.isWithdrawn == false })
    #expect(listener.count(.destroyed(second)) == 0)
    #expect(listener.violations == [])
  }

  @Test("A minimised window that is withdrawn and shown again is seen", arguments: kinds)
  func withdrawingMinimised(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    ground.minimize(window)
    #expect(ground.run { listener.geometry[window]?.isMinimized == true && !listener.isVisible(window) })
    ground.perform(.withdraw(window))
    #expect(ground.run { listener.levels[window]?.isWithdrawn == true })
    ground.perform(.show(window, .quiet))
    #expect(ground.run { listener.isVisible(window) && listener.geometry[window]?.isMinimized == false })
    #expect(listener.violations == [])
  }

  @Test("Of a window that we destroy nothing is heard any more, and its neighbour has the focus", arguments: kinds)
  func destroying(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    ground.perform(.requestFrame(second))
    ground.perform(.destroy(second))
    listener.forget(second)
    #expect(ground.run { listener.isActive(first) })
    // Late commands are dropped.
    ground.perform(.show(second, .activated))
    ground.perform(.setTitle(second, "late"))
    ground.perform(.requestFrame(second))
    ground.perform(.withdraw(second))
    ground.pass(milliseconds: 200)
    #expect(!ground.platform.draw(second, damage: Damage()) { _, _ in })
    #expect(listener.count(.destroyed(second)) == 0)
    #expect(listener.isActive(first))
    #expect(listener.violations == [])
  }

  @Test("Of a window that another program destroys this is heard once, as the last", arguments: kinds)
  func destroyedByAnother(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    ground.perform(.requestFrame(second))
    ground.destroyForeign(second)
    #expect(ground.run { listener.count(.destroyed(second)) == 1 && listener.isActive(first) })
    ground.pass(milliseconds: 200)
    #expect(listener.count(.destroyed(second)) == 1)
    guard case .refused = ground.outcome(of: .activate, second) else {
      Issue.record("a window that is gone was not refused")
      return
    }
    #expect(listener.violations == [])
  }

  @Test("The close button asks once, and changes nothing", arguments: kinds)
  func closing(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    ground.askToClose(window)
    #expect(ground.run { listener.count(.closeRequested(window)) == 1 })
    ground.pass(milliseconds: 100)
    #expect(listener.count(.closeRequested(window)) == 1 && listener.isActive(window))
    #expect(listener.violations == [])
  }

  @Test("Another client's grab is told of the window with the focus alone, which keeps it", arguments: kinds)
  func grabbing(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    ground.grabKeyboard(true)
    #expect(ground.run { listener.levels[second]?.grabbed == true })
    #expect(listener.isActive(second) && listener.levels[first]?.grabbed == false)
    ground.grabKeyboard(false)
    #expect(ground.run { listener.levels[second]?.grabbed == false })
    #expect(listener.isActive(second))
    #expect(listener.violations == [])
  }

  @Test("A bare window stays what it is, and says so again to the window that adopts it", arguments: kinds)
  func adopting(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    ground.pass(milliseconds: 100)
    ground.perform(.bare(window))
    ground.pass(milliseconds: 50)
    #expect(listener.isActive(window))
    #expect(!ground.platform.draw(window, damage: Damage()) { _, _ in })
    let before = listener.events.count
    var description = WindowDescription()
    description.title = "again"
    ground.perform(.adopt(window, description))
    func said(_ isIt: (PlatformEvent) -> Bool) -> Bool { listener.events.dropFirst(before).contains(where: isIt) }
    #expect(
      ground.run {
        said { if case .levels(window, let levels) = $0 { levels.visible && levels.focused } else { false } }
          && said { if case .geometry(window, _) = $0 { true } else { false } }
      })
    ground.perform(.requestFrame(window))
    #expect(ground.run { !listener.frames(of: window).isEmpty })
    #expect(ground.platform.draw(window, damage: Damage()) { _, _ in })
    #expect(listener.violations == [])
  }

  @Test("A window that comes back minimised is not seen before it is restored", arguments: kinds)
  func comingBackMinimised(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let frame = Rect(x: 200, y: 150, width: 320, height: 240)
    let window = ground.makeWindow {
      var placement = WindowPlacement(frame: frame)
      placement.isMinimized = true
      $0.placement = placement
    }
    ground.perform(.show(window, .quiet))
    #expect(ground.run { listener.geometry[window]?.isMinimized == true })
    ground.pass(milliseconds: 200)
    #expect(!listener.isVisible(window))
    ground.restore(window)
    #expect(ground.run { listener.isActive(window) && listener.geometry[window]?.isMinimized == false })
    #expect(listener.geometry[window]?.normalFrame == frame)
    #expect(listener.violations == [])
  }
}
