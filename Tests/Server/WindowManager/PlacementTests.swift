import DeskSupport
import Glibc
import ProsceniumCore
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension OwnServer {
  @Suite("Windows that come back", .enabled(if: Requirement.server)) struct PlacementTests {
    /// Another program's window that has the focus.
    @MainActor private func someoneElse(on desk: Desk) async throws -> UInt32 {
      let client = desk.client
      let window = client.makeWindow(x: 900, y: 600)
      try await waitUntil("another window") { @Sendable in client.truth(window).isViewable }
      desk.focus(window)
      try await waitUntil("its focus") { @Sendable in client.truth(window).hasFocus }
      return window
    }

    @Test("are where and what they were, mapped once, not moved after, without the focus", arguments: windowManagers)
    @MainActor func comeBack(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let desk = desktop.desk
      let client = desk.client
      let other = try await someoneElse(on: desk)
      let stage = try Recording(display: desktop.server.display, needsScreens: true)
      for what in PlacementCase.allCases {
        // Given another program's window with the focus
        let id = stage.makeWindow(what.rawValue) { $0.placement = what.placement }
        #expect(stage.run { stage.levels[id] != nil })
        client.sync()
        let witness = try XWitness(display: desktop.server.display, window: id.rawValue)
        let count = stage.events.count
        // When a window comes back
        stage.perform(.show(id, .quiet))
        if kind != .none { #expect(stage.isTaken([id], by: client)) }
        #expect(stage.settle())
        witness.look()
        // Then it is there
        let place = try #require(client.place(of: id.rawValue))
        if let expected = what.place(under: kind) { #expect(place == expected, "\(kind) \(what)") }
        let geometry = try #require(stage.geometry[id])
        let expected = what.states(under: kind)
        #expect(geometry.isMaximized == expected.isMaximized || kind == .i3, "\(kind) \(what)")
        #expect(geometry.isFullScreen == expected.isFullScreen, "\(kind) \(what)")
        #expect(geometry.isMinimized == expected.isMinimized, "\(kind) \(what)")
        #expect(geometry.desktop == expected.desktop, "\(kind) \(what)")
        #expect(geometry.normalFrame == what.placement.frame, "\(kind) \(what)")
        if expected.isMinimized {
          let state: UInt32? = kind == .none ? nil : 3
          #expect(stage.runLooking { client.truth(id.rawValue).wmState == state }, "\(kind) \(what)")
          #expect(stage.everVisible(id, since: count) == false, "\(kind) \(what)")
        }
        // And mapped once, and not moved after.
        #expect(witness.maps <= 1, "\(kind) \(what)")
        if kind != .i3 {
          #expect(witness.places.allSatisfy { $0 == place } && witness.sizes.isEmpty, "\(kind) \(what)")
        }
        // And the other one still has the focus, and never lost it to us.
        if what.keepsFocus(under: kind) {
          #expect(client.truth(other).hasFocus, "\(kind) \(what)")
          #expect(stage.everFocused(id, since: count) == false, "\(kind) \(what)")
        }
        stage.perform(.destroy(id))
        desk.focus(other)
        try await waitUntil("the focus back") { @Sendable in client.truth(other).hasFocus }
      }
      #expect(stage.errors == [])
    }

    @Test(
      "go back to their own rectangle from maximised and full screen",
      arguments: windowManagers + [.icewm, .fluxbox, .metacity, .jwm])
    @MainActor func goBack(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let stage = try Recording(display: desktop.server.display)
      for (what, wish) in [(PlacementCase.maximized, WindowRequest.maximize(false)), (.fullScreen, .fullScreen(false))]
      {
        let id = stage.makeWindow(what.rawValue) { $0.placement = what.placement }
        stage.perform(.show(id, .activated))
        #expect(stage.settle())
        // A busy mutter takes a window over before it maximises it, and hears of no wish in between.
        if kind.speaksEWMH, kind != .i3 || what != .maximized {
          #expect(stage.run { stage.geometry[id]?.isMaximized == true || stage.geometry[id]?.isFullScreen == true })
          #expect(stage.settle())
        }
        let request = RequestID(rawValue: Int(id.rawValue))
        stage.perform(.request(request, id, wish))
        #expect(stage.run { stage.outcome(request) != nil })
        #expect(stage.settle())
        let frame = what.placement.frame
        // i3 maximises nothing: such a window is a tile, whose place counts once another size of it follows.
        if kind != .i3 || what != .maximized {
          #expect(stage.geometry[id]?.normalFrame == frame, "\(kind) \(what)")
        }
        // mutter takes the frame's height off a window that was full screen from the start; a tile is a tile.
        if kind != .i3, !(kind == .mutter && what == .fullScreen) {
          // A busy manager moves a window later than it says that it is not maximised any more.
          _ = stage.run { stage.geometry[id]?.frame == frame }
          #expect(stage.geometry[id]?.frame == frame, "\(kind) \(what)")
        }
        stage.perform(.destroy(id))
      }
      #expect(stage.errors == [])
    }

    @Test("come back the same again and again: what was reported once is reported each time", arguments: windowManagers)
    @MainActor func roundTrips(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      var known: [WindowGeometry] = []
      for round in 0..<3 {
        let stage = try Recording(display: desktop.server.display)
        let ids = PlacementCase.allCases.enumerated().map { index, what in
          stage.makeWindow(what.rawValue) { $0.placement = round == 0 ? what.placement : known[index].placement }
        }
        for id in ids { stage.perform(.show(id, .quiet)) }
        if kind != .none {
          #expect(stage.isTaken(ids, by: desktop.desk.client))
          if kind.speaksEWMH { #expect(stage.run { ids.allSatisfy { stage.geometry[$0]?.desktop != nil } }) }
        }
        #expect(stage.settle())
        // A busy manager moves a window to its desktop later than it shows it.
        if round > 0, kind != .i3 { _ = stage.run { ids.compactMap { stage.geometry[$0] } == known } }
        let now = ids.compactMap { stage.geometry[$0] }
        for (before, after) in zip(known, now) where kind != .i3 { #expect(before == after, "\(kind), round \(round)") }
        #expect(now.count == ids.count)
        known = now
        for id in ids { stage.perform(.destroy(id)) }
        stage.synchronise()
        // The server gives the same numbers to the next client, whose windows must not be taken for those that go.
        let client = desktop.desk.client
        try await waitUntil("the windows to be forgotten") { @Sendable in
          (client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW") ?? []).isEmpty
        }
        #expect(stage.errors == [])
      }
    }

    @Test("are remembered where the user put them, not where they were maximised", arguments: windowManagers)
    @MainActor func remembered(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      guard kind.speaksEWMH, kind != .i3 else { return }
      let desktop = try await PrivateDesktop(kind)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      let stage = try Recording(display: desktop.server.display)
      let id = stage.makeWindow { $0.placement = PlacementCase.plain.placement }
      stage.perform(.show(id, .activated))
      #expect(stage.isTaken([id], by: client))
      #expect(stage.settle())
      // When the user moves it
      let moved = Rect(x: 301, y: 203, width: 401, height: 307)
      stage.perform(.request(RequestID(rawValue: 1), id, .geometry(moved)))
      #expect(stage.run { stage.geometry[id]?.normalFrame == moved })
      // And makes it as large as can be, and small again, and full screen, and an icon
      let states = ["_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"].map { client.atom($0) }
      for isOn: UInt32 in [1, 0, 1] {
        client.ask(id.rawValue, "_NET_WM_STATE", [isOn, states[0], states[1], 2])
        #expect(
          stage.run {
            stage.geometry[id]?.isMaximized == (isOn == 1) && (stage.geometry[id]?.frame == moved) == (isOn == 0)
          })
        #expect(stage.settle())
      }
      desk.setFullScreen(id.rawValue, true)
      #expect(stage.run { stage.geometry[id]?.isFullScreen == true })
      desk.iconify(id.rawValue)
      #expect(stage.settle())
      // Then nothing but the move was ever told.
      #expect(stage.normalFrames(id).allSatisfy { $0 == moved || $0 == PlacementCase.plain.placement.frame })
      #expect(stage.geometry[id]?.normalFrame == moved)
    }

    @Test("are remembered where the user put them just before they were hidden", arguments: windowManagers)
    @MainActor func movedAndHidden(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      guard kind.speaksEWMH, kind != .i3 else { return }
      let desktop = try await PrivateDesktop(kind)
      let desk = desktop.desk
      let stage = try Recording(display: desktop.server.display)
      let id = stage.makeWindow { $0.placement = PlacementCase.plain.placement }
      stage.perform(.show(id, .activated))
      #expect(stage.settle())
      // It has come back: what moves it from now on is not the window manager.
      #expect(stage.runOn(for: NormalFrameTracker.rest * 2))
      let ways: [(_ isHidden: Bool) async throws -> Void] = [
        { $0 ? desk.iconify(id.rawValue) : desk.restore(id.rawValue) },
        { try await desk.sendToDesktop(id.rawValue, $0 ? 1 : 0) },
        { try await desk.switchDesktop($0 ? 1 : 0) },
      ]
      for (number, way) in ways.enumerated() {
        // Given a window that the user has just moved
        let moved = Rect(x: 301 + 20 * number, y: 203 + 20 * number, width: 401, height: 307)
        stage.perform(.request(RequestID(rawValue: 1 + number), id, .geometry(moved)))
        #expect(stage.run { stage.geometry[id]?.frame == moved })
        #expect(stage.runOn(for: NormalFrameTracker.briefRest * 2))
        // When it is hidden
        try await way(true)
        #expect(stage.run { !stage.isVisible(id) })
        // Then this is its place, and stays it.
        #expect(stage.geometry[id]?.normalFrame == moved, "\(kind), \(number)")
        #expect(stage.settle())
        #expect(stage.geometry[id]?.normalFrame == moved, "\(kind), \(number)")
        try await way(false)
        #expect(stage.run { stage.isVisible(id) })
        #expect(stage.settle())
      }
      #expect(stage.errors == [])
    }

    @Test("are remembered where the user put them, whatever a window manager's death does", arguments: windowManagers)
    @MainActor func managerDeath(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      guard kind != .none, kind != .i3 else { return }
      let desktop = try await PrivateDesktop(kind)
      let stage = try Recording(display: desktop.server.display)
      let frame = PlacementCase.plain.placement.frame
      let id = stage.makeWindow { $0.placement = PlacementCase.plain.placement }
      stage.perform(.show(id, .activated))
      #expect(stage.settle())
      try await desktop.killWindowManager(9)
      #expect(stage.run { stage.windowManager == .absent })
      try await desktop.startWindowManager(kind == .openbox ? .xfwm4 : .openbox)
      #expect(stage.run { stage.windowManager == .settled })
      #expect(stage.settle())
      #expect(stage.normalFrames(id).allSatisfy { $0 == frame })
    }

    @Test("are maximised as a window manager says that takes them over", arguments: [WindowManager.openbox, .xfwm4])
    @MainActor func takenOver(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given a maximised window, whose window manager is killed
      let desktop = try await PrivateDesktop(kind)
      let stage = try Recording(display: desktop.server.display)
      let id = stage.makeWindow { $0.placement = PlacementCase.maximized.placement }
      stage.perform(.show(id, .activated))
      #expect(stage.run { stage.geometry[id]?.isMaximized == true })
      try await desktop.killWindowManager(9)
      #expect(stage.run { stage.windowManager == .absent })
      // When it comes again, and writes what the window is before it can be asked what it supports
      try await desktop.startWindowManager(kind)
      #expect(stage.run { stage.windowManager == .settled })
      #expect(stage.settle())
      // Then that has been heard
      let states = desktop.desk.client.truth(id.rawValue).netWMState
      #expect(states.isSuperset(of: ["_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"]))
      #expect(stage.geometry[id]?.isMaximized == true)
      #expect(stage.geometry[id]?.desktop == 0)
    }

    @Test("come back bare, keep their place in the taskbar, and are taken over as they are", arguments: windowManagers)
    @MainActor func bare(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      guard kind != .none else { return }
      let desktop = try await PrivateDesktop(kind)
      let (desk, client) = (desktop.desk, desktop.desk.client)
      let stage = try Recording(display: desktop.server.display)
      // Given a bare window from nothing, an icon
      let id = stage.makeWindow("bare") { $0.placement = PlacementCase.iconic.placement }
      stage.perform(.bare(id))
      stage.synchronise()
      let witness = try XWitness(display: desktop.server.display, window: id.rawValue)
      stage.perform(.show(id, .quiet))
      #expect(stage.settle())
      #expect(client.longs(id.rawValue, "WM_CLIENT_LEADER", type: "WINDOW")?.count == 1)
      #expect(client.longs(id.rawValue, "WM_NORMAL_HINTS", type: "WM_SIZE_HINTS")?.prefix(3).last == 162)
      // mutter makes it an icon a while after it has mapped it.
      if kind != .i3 {
        #expect(stage.runLooking { client.truth(id.rawValue).wmState == 3 && !stage.isVisible(id) })
      }
      // When the user brings it back, and a scene takes it over
      desk.restore(id.rawValue)
      #expect(stage.run { stage.isVisible(id) })
      #expect(stage.settle())
      let place = try #require(client.place(of: id.rawValue))
      var description = WindowDescription()
      description.title = "taken over"
      description.placement = PlacementCase.desktop.placement
      let count = stage.events.count
      stage.perform(.adopt(id, description))
      #expect(stage.run { stage.events.dropFirst(count).contains { $0.isLevels(of: id) } })
      #expect(stage.settle())
      // Then it is where it was, and was not mapped again by us.
      #expect(stage.isVisible(id))
      #expect(client.place(of: id.rawValue) == place)
      if let expected = PlacementCase.iconic.place(under: kind) { #expect(place == expected) }
      #expect(stage.geometry[id]?.desktop == (kind.speaksEWMH ? 0 : nil))
      witness.look()
      #expect(witness.maps <= (kind == .openbox || kind == .xfwm4 || kind == .twm ? 1 : 2))
      #expect(stage.errors == [])
    }

    @Test("as icons stay on their workspace, also where everything that happens to them is read at once")
    @MainActor func readAtOnce() async throws {
      try Requirement.windowManager(.mutter)
      let desktop = try await PrivateDesktop(.mutter)
      let client = desktop.desk.client
      let stage = try Recording(display: desktop.server.display, needsScreens: true)
      let what = PlacementCase.iconicOnDesktop
      let id = stage.makeWindow { $0.placement = what.placement }
      #expect(stage.run { stage.levels[id] != nil })
      // Given a window that is to be an icon on another workspace
      desktop.desk.signalWindowManager(SIGSTOP)
      stage.perform(.show(id, .quiet))
      #expect(stage.run { stage.platform.parts.context.windows[id.rawValue]?.model.workspace == 2 })
      // When mutter brings it back to the current one, and all of that has come before any of it is read
      desktop.desk.signalWindowManager(SIGCONT)
      try await waitUntil("the window on the current workspace") { @Sendable in
        client.longs(id.rawValue, "_NET_WM_DESKTOP", type: "CARDINAL") == [0] && client.truth(id.rawValue).isViewable
      }
      // Then it is iconic, and where it was
      #expect(stage.settle())
      #expect(stage.geometry[id]?.isMinimized == true && stage.geometry[id]?.desktop == what.placement.desktop)
      #expect(client.longs(id.rawValue, "_NET_WM_DESKTOP", type: "CARDINAL") == [2])
    }

    @Test(
      "as icons stay icons, however long a busy window manager takes to answer, whatever it has done by then",
      arguments: [
        BusyManager(.openbox, .shown), .init(.xfwm4, .shown), .init(.metacity, .shown), .init(.mutter, .shown),
        .init(.mutter, .shown, 5500), .init(.openbox, .framed), .init(.metacity, .framed), .init(.mutter, .framed),
        .init(.mutter, .framed, 6000), .init(.mutter, .mapped), .init(.mutter, .mapped, 6000),
      ])
    @MainActor func answeredLate(busy: BusyManager) async throws {
      try Requirement.windowManager(busy.kind)
      let desktop = try await PrivateDesktop(busy.kind)
      let client = desktop.desk.client
      let stage = try Recording(display: desktop.server.display)
      let id = stage.makeWindow { $0.placement = PlacementCase.iconic.placement }
      #expect(stage.run { stage.levels[id] != nil })
      let count = stage.events.count
      if busy.since == .shown { desktop.desk.signalWindowManager(SIGSTOP) }
      stage.perform(.show(id, .quiet))
      // It gets no further, for the program has not read yet what it has done.
      stage.synchronise()
      switch busy.since {
      case .shown: break
      case .framed: try await waitUntil("a frame") { @Sendable in client.truth(id.rawValue).mapped.count > 1 }
      case .mapped: try await waitUntil("the map") { @Sendable in client.truth(id.rawValue).isViewable }
      }
      desktop.desk.signalWindowManager(SIGSTOP)
      #expect(stage.runOn(for: .milliseconds(busy.milliseconds)))
      desktop.desk.signalWindowManager(SIGCONT)
      #expect(stage.runLooking { client.truth(id.rawValue).wmState != nil })
      #expect(stage.settle())
      #expect(stage.runOn(for: .milliseconds(600)))
      #expect(client.truth(id.rawValue).wmState == 3)
      #expect(stage.geometry[id]?.isMinimized == true && stage.everVisible(id, since: count) == false)
      #expect(stage.errors == [])
    }

    @Test("as icons stay icons on a slow line")
    @MainActor func slowLine() async throws {
      try Requirement.windowManager(.mutter)
      let desktop = try await PrivateDesktop(.mutter)
      let proxy = try XProxy(to: desktop.server, delay: .milliseconds(350))
      let stage = try Recording(display: proxy.display)
      let id = stage.makeWindow { $0.placement = PlacementCase.iconic.placement }
      stage.perform(.show(id, .quiet))
      #expect(stage.runLooking { desktop.desk.client.truth(id.rawValue).isViewable })
      #expect(stage.runLooking { desktop.desk.client.truth(id.rawValue).wmState == 3 })
      #expect(stage.settle())
      #expect(stage.geometry[id]?.isMinimized == true && stage.everVisible(id, since: 0) == false)
      #expect(stage.errors == [])
    }

    @Test("as icons wait for a window manager that keeps icons")
    @MainActor func heldBack() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.none)
      let stage = try Recording(display: desktop.server.display)
      let (icon, shown) = (
        stage.makeWindow("icon") { $0.placement = PlacementCase.iconicOnDesktop.placement },
        stage.makeWindow("shown") {
          $0.placement = PlacementCase.plain.placement
        }
      )
      stage.perform(.show(icon, .quiet))
      stage.perform(.show(shown, .quiet))
      #expect(stage.run { stage.isVisible(shown) })
      #expect(stage.geometry[icon]?.isMinimized == true && !stage.isVisible(icon))
      try await desktop.startWindowManager(.openbox)
      #expect(stage.run { stage.windowManager == .settled && stage.geometry[icon]?.desktop == 2 })
      #expect(desktop.desk.client.truth(icon.rawValue).wmState == 3)
      #expect(!stage.isVisible(icon) && stage.isVisible(shown))
      #expect(stage.geometry[icon]?.normalFrame == PlacementCase.iconicOnDesktop.placement.frame)
      #expect(stage.errors == [])
    }

    @Test("are shown by an activation, where no window manager keeps icons")
    @MainActor func activatedIcon() async throws {
      let desktop = try await PrivateDesktop(.none)
      let stage = try Recording(display: desktop.server.display)
      let id = stage.makeWindow { $0.placement = PlacementCase.iconic.placement }
      stage.perform(.show(id, .quiet))
      #expect(stage.run { stage.geometry[id]?.isMinimized == true })
      stage.perform(.request(RequestID(rawValue: 1), id, .activate))
      #expect(stage.run { stage.isVisible(id) && stage.geometry[id]?.isMinimized == false })
      #expect(stage.geometry[id]?.frame == PlacementCase.iconic.placement.frame)
      #expect(stage.errors == [])
    }

    @Test("find the real screens at start where they ask for them")
    @MainActor func screens() async throws {
      let desktop = try await PrivateDesktop(.none)
      let stage = try Recording(display: desktop.server.display, needsScreens: true)
      #expect(stage.screensAtStart.map(\.frame) == [Rect(x: 0, y: 0, width: 1152, height: 900)])
      #expect(stage.screensAtStart.first?.physicalSize.width ?? 0 > 0)
      #expect(stage.run { stage.events.contains { if case .screens = $0 { true } else { false } } })
      #expect(stage.platform.parts.screens.current.map(\.isProvisional) == [false])
      #expect(stage.errors == [])
    }

    @Test("find the whole desktop, whatever its size, where the server knows no monitors, as before RandR 1.5")
    @MainActor func noMonitors() async throws {
      let desktop = try await PrivateDesktop(.none)
      let opcode = try #require(desktop.desk.client.majorOpcode("RANDR"))
      // What follows RRQueryVersion and RRSelectInput: BadRequest.
      let refused = (3...20).map { (XFaults.Request.opcode(opcode, $0), UInt8(1)) }
      let proxy = try XProxy(
        to: desktop.server, Faults(), XFaults(refusing: Dictionary(uniqueKeysWithValues: refused)))
      let stage = try Recording(display: proxy.display)
      let screens = stage.platform.parts.screens
      #expect(stage.run { screens.current.map(\.isProvisional) == [false] })
      #expect(screens.current.map(\.frame) == [Rect(x: 0, y: 0, width: 1152, height: 900)])
      #expect(screens.current.first?.physicalSize.width ?? 0 > 0)
      stage.platform.parts.monitors.rootResized(to: Size(width: 1600, height: 1000))
      #expect(stage.run { screens.current.map(\.frame) == [Rect(x: 0, y: 0, width: 1600, height: 1000)] })
      #expect(stage.errors == [])
    }
  }
}

/// A window manager that is stopped for a while once it has done some of what it does with a new window.
struct BusyManager: Sendable, CustomTestStringConvertible {
  enum Step: Sendable { case shown, framed, mapped }

  let kind: WindowManager
  let since: Step
  let milliseconds: Int

  init(_ kind: WindowManager, _ since: Step, _ milliseconds: Int = 1500) {
    (self.kind, self.since, self.milliseconds) = (kind, since, milliseconds)
  }

  var testDescription: String { "\(kind), \(since), \(milliseconds) ms" }
}

extension WindowGeometry {
  /// What is kept of it.
  fileprivate var placement: WindowPlacement {
    var placement = WindowPlacement(frame: normalFrame)
    placement.desktop = desktop
    placement.isMaximized = isMaximized
    placement.isFullScreen = isFullScreen
    placement.isMinimized = isMinimized
    return placement
  }
}

extension PlatformEvent {
  fileprivate func isLevels(of id: WindowID) -> Bool { if case .levels(id, _) = self { true } else { false } }
}

extension Recording {
  /// Runs until nothing has been told for longer than a window rests; whether that came to be.
  fileprivate func settle() -> Bool {
    let quiet = DeadlineID(rawValue: 77)
    let rest = Int(NormalFrameTracker.rest / .milliseconds(1))
    let before = events.filter { $0 == .deadline(quiet) }.count
    var known = -1
    return run { [unowned self] in
      let fired = events.filter { $0 == .deadline(quiet) }.count
      let others = events.count - fired
      guard others == known else {
        known = others
        perform(.setDeadline(quiet, milliseconds: rest + 200))
        return false
      }
      return fired > before
    }
  }

  /// Runs until the window manager has framed windows, has read all that has been asked of it, and what it had said by
  /// then has been read: one that gets no processor says nothing for longer than a window rests.
  ///
  /// `WM_STATE` is no sign: openbox and i3 write none onto a window of another workspace.
  fileprivate func isTaken(_ ids: [WindowID], by client: XClient) -> Bool {
    guard runLooking(until: { ids.allSatisfy { client.truth($0.rawValue).mapped.count > 1 } }) else { return false }
    var hasRead = false
    platform.parts.windows.managerQuestion.silence = .seconds(50)
    platform.parts.windows.managerQuestion.whenReadAndHeard { hasRead = true }
    return run { hasRead }
  }

  /// Runs for a while.
  func runOn(for time: Duration) -> Bool {
    let passed = DeadlineID(rawValue: 78)
    let before = events.filter { $0 == .deadline(passed) }.count
    perform(.setDeadline(passed, milliseconds: Int(time / .milliseconds(1))))
    return run { [unowned self] in events.filter { $0 == .deadline(passed) }.count > before }
  }

  fileprivate func everVisible(_ id: WindowID, since count: Int) -> Bool {
    events.dropFirst(count).contains { if case .levels(id, let levels) = $0 { levels.visible } else { false } }
  }

  fileprivate func everFocused(_ id: WindowID, since count: Int) -> Bool {
    events.dropFirst(count).contains { if case .levels(id, let levels) = $0 { levels.focused } else { false } }
  }

  fileprivate func normalFrames(_ id: WindowID) -> [Rect] {
    events.compactMap { if case .geometry(id, let geometry) = $0 { geometry.normalFrame } else { nil } }
  }
}
