import ProsceniumCore
import ProsceniumDesk
import SceneLifecycle
import Testing

/// What happens to all windows at once: desktops, monitors, and a window manager that dies.
extension PlatformContractTests {
  /// Two windows that are seen, of which the second has the focus.
  private func makeTwo(on ground: any Ground) throws -> (first: WindowID, second: WindowID) {
    let first = try #require(ground.makeActiveWindow())
    let second = try #require(ground.makeActiveWindow { $0.position = Point(x: 500, y: 300) })
    return (first, second)
  }

  @Test("A window that is sent to another desktop is hidden there, and its neighbour has the focus", arguments: kinds)
  func sendingToDesktop(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let (first, second) = try makeTwo(on: ground)
    try await ground.send(second, toDesktop: 1)
    #expect(ground.run { !listener.isVisible(second) && listener.isActive(first) })
    #expect(ground.run { listener.geometry[second]?.desktop == 1 && listener.geometry[first]?.desktop == 0 })
    #expect(listener.levels[second]?.isWithdrawn == false && listener.levels[second]?.focused == false)
    #expect(listener.geometry[second]?.isMinimized == false)
    try await ground.send(second, toDesktop: 0)
    #expect(ground.run { listener.isVisible(second) && listener.geometry[second]?.desktop == 0 })
    #expect(listener.violations == [])
  }

  @Test("Of another desktop the windows are seen that are there, and one of them has the focus", arguments: kinds)
  func switchingDesktops(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let (first, second) = try makeTwo(on: ground)
    try await ground.send(second, toDesktop: 1)
    #expect(ground.run { !listener.isVisible(second) && listener.isActive(first) })
    try await ground.goTo(desktop: 1)
    #expect(ground.run { listener.isActive(second) && !listener.isVisible(first) })
    #expect(listener.levels[first]?.isWithdrawn == false && listener.levels[first]?.focused == false)
    try await ground.goTo(desktop: 0)
    #expect(ground.run { listener.isActive(first) && !listener.isVisible(second) })
    #expect(listener.violations == [])
  }

  @Test("Where the desktop is shown no window is seen or has the focus, until it is no longer", arguments: kinds)
  func showingDesktop(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let (first, second) = try makeTwo(on: ground)
    ground.showDesktop(true)
    #expect(ground.run { !listener.isVisible(first) && !listener.isVisible(second) && !listener.hasFocus })
    #expect(listener.levels[first]?.isWithdrawn == false)
    ground.showDesktop(false)
    #expect(ground.run { listener.isVisible(first) && listener.isActive(second) })
    #expect(listener.violations == [])
  }

  @Test("Over a desktop that is shown a new window is seen and has the focus, the others stay hidden", arguments: kinds)
  func newWindowOverDesktop(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let (first, second) = try makeTwo(on: ground)
    ground.showDesktop(true)
    #expect(ground.run { !listener.isVisible(first) && !listener.isVisible(second) && !listener.hasFocus })
    let third = ground.makeWindow()
    ground.perform(.show(third, .activated))
    #expect(ground.run { listener.isActive(third) })
    ground.pass(milliseconds: 300)
    #expect(listener.isActive(third) && !listener.isVisible(first) && !listener.isVisible(second))
    // When another one comes, then this one is still seen
    let fourth = ground.makeWindow()
    ground.perform(.show(fourth, .activated))
    #expect(ground.run { listener.isActive(fourth) && !listener.isActive(third) })
    ground.pass(milliseconds: 300)
    #expect(listener.isVisible(third) && !listener.isVisible(first) && !listener.isVisible(second))
    #expect(listener.violations == [])
  }

  @Test("A window manager that dies leaves all windows seen, and the next one manages them", arguments: kinds)
  func windowManagers(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let (first, second) = try makeTwo(on: ground)
    let third = try #require(ground.makeActiveWindow { $0.position = Point(x: 300, y: 500) })
    ground.minimize(first)
    #expect(ground.run { !listener.isVisible(first) })
    try await ground.send(second, toDesktop: 1)
    #expect(ground.run { !listener.isVisible(second) && listener.isActive(third) })
    let before = listener.events.count
    try await ground.killWindowManager()
    #expect(ground.run { listener.windowManager == .absent })
    // Which window has the focus then is not promised.
    #expect(ground.run { [first, second, third].allSatisfy(listener.isVisible) })
    #expect(ground.run { listener.geometry[first]?.isMinimized == false })
    ground.pass(milliseconds: 300)
    #expect([first, second, third].allSatisfy(listener.isVisible))
    try await ground.startWindowManager()
    #expect(ground.run { listener.windowManager == .settled })
    ground.focus(third)
    #expect(ground.run { listener.isActive(third) })
    ground.minimize(third)
    #expect(ground.run { !listener.isVisible(third) })
    let states = listener.events.dropFirst(before).compactMap {
      if case .windowManager(let state, cause: _) = $0 { state } else { nil }
    }
    #expect(states == [.changing, .absent, .changing, .settled])
    #expect(listener.count(.destroyed(first)) == 0)
    #expect(listener.violations == [])
  }

  @Test(
    "Monitors that come and go are told once each, and change nothing for a window that is on one",
    arguments: kinds.filter { $0 == .memory || mustNotSkip || isInstalled("xrandr") })
  func monitors(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    let frame = Rect(x: 120, y: 90, width: 300, height: 200)
    #expect(ground.run { listener.geometry[window]?.frame == frame })
    let left = Rect(x: 0, y: 0, width: 576, height: 900)
    let right = Rect(x: 576, y: 0, width: 576, height: 900)
    for monitors in [[("left", left)], [("left", left), ("right", right)], [("left", left)]] {
      try await ground.setMonitors(monitors)
      #expect(ground.run { listener.screens.map(\.name) == monitors.map(\.0) }, "\(listener.screens)")
      #expect(listener.screens.map(\.frame) == monitors.map(\.1))
      ground.pass(milliseconds: 100)
      #expect(listener.isActive(window) && listener.geometry[window]?.frame == frame)
    }
    // Nothing is told twice.
    let told = listener.events.compactMap { if case .screens(let screens) = $0 { screens } else { nil } }
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
    #expect(listener.violations == [])
  }
}
