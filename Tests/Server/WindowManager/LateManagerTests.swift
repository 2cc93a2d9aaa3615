import DeskSupport
import Glibc
import ProsceniumCore
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension OwnServer {
  /// Windows that are there before their window manager, as at a login, or that it leaves to another one.
  @MainActor @Suite("States without a window manager", .enabled(if: Requirement.server)) struct LateManagerTests {
    private static let screen = Rect(x: 0, y: 0, width: 1152, height: 900)
    nonisolated private static let maximized = "_NET_WM_STATE_MAXIMIZED_VERT"
    nonisolated private static let fullScreen = "_NET_WM_STATE_FULLSCREEN"
    nonisolated private static let above = "_NET_WM_STATE_ABOVE"

    private func placement(_ change: (inout WindowPlacement) -> Void = { _ in }) -> WindowPlacement {
      var placement = WindowPlacement(frame: Rect(x: 141, y: 203, width: 333, height: 221))
      change(&placement)
      return placement
    }

    /// Shows a window that comes back as its placement says.
    private func show(_ stage: Recording, _ name: String, _ placement: WindowPlacement, level: Int = 0) -> WindowID {
      let id = stage.makeWindow(name) { $0.placement = placement }
      if level != 0 { stage.perform(.setLevel(id, level)) }
      stage.perform(.show(id, .quiet))
      #expect(stage.run { stage.isVisible(id) })
      return id
    }

    private func does(_ stage: Recording, _ what: WindowRequest, _ id: WindowID) -> Bool {
      let request = RequestID(rawValue: stage.events.count)
      stage.perform(.request(request, id, what))
      return stage.run { stage.outcome(request) != nil } && stage.outcome(request) == .done
    }

    @Test(
      "are taken over by one that comes after the windows",
      arguments: [WindowManager.openbox, .xfwm4, .icewm, .metacity, .jwm, .mutter])
    func takenOver(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given windows that come back, as a login starts programs before their window manager
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let stage = try Recording(display: desktop.server.display)
      let placements = [
        placement { $0.isMaximized = true }, placement { $0.isFullScreen = true }, placement { $0.desktop = 1 },
        placement { $0.desktop = -1 }, placement(),
      ]
      let ids = placements.enumerated().map { show(stage, "window \($0)", $1) }
      let (above, raised) = (show(stage, "above", placement(), level: 2000), show(stage, "raised", placement()))
      // And what the program asks of them while there is none
      stage.perform(.setLevel(raised, 2000))
      #expect(does(stage, .fullScreen(true), ids[4]))
      // Of which nothing is told that nobody does
      #expect(ids.map { stage.geometry[$0]?.isFullScreen } == [false, true, false, false, true])
      #expect(ids.allSatisfy { stage.geometry[$0]?.isMaximized == false && stage.geometry[$0]?.desktop == nil })
      for id in [ids[1], ids[4]] { #expect(stage.run { stage.geometry[id]?.frame == Self.screen }) }
      // When one comes
      try await desktop.startWindowManager(kind)
      // Then they are as they were to be
      #expect(
        stage.run {
          stage.windowManager == .settled && ids.map { stage.geometry[$0]?.desktop } == [0, 0, 1, -1, 0]
            && stage.geometry[ids[0]]?.isMaximized == true
        }, "\(kind)")
      #expect(ids.map { stage.geometry[$0]?.desktop } == [0, 0, 1, -1, 0], "\(kind)")
      #expect(ids.map { stage.geometry[$0]?.isMaximized } == [true, false, false, false, false], "\(kind)")
      #expect(ids.map { stage.geometry[$0]?.isFullScreen } == [false, true, false, false, true], "\(kind)")
      #expect(client.truth(ids[0].rawValue).netWMState.contains(Self.maximized), "\(kind)")
      for id in [ids[1], ids[4]] {
        #expect(client.truth(id.rawValue).netWMState.contains(Self.fullScreen), "\(kind)")
        #expect(stage.geometry[id]?.frame == Self.screen, "\(kind)")
      }
      for id in [above, raised] {
        #expect(stage.runLooking { client.truth(id.rawValue).netWMState.contains(Self.above) }, "\(kind)")
      }
      // And go back to their own rectangles.
      #expect(ids.allSatisfy { stage.geometry[$0]?.normalFrame == placement().frame }, "\(kind)")
      for (id, wish) in [(ids[0], WindowRequest.maximize(false)), (ids[1], .fullScreen(false))] {
        #expect(does(stage, wish, id), "\(kind)")
        #expect(stage.run { stage.geometry[id]?.frame.size == placement().frame.size }, "\(kind)")
      }
      #expect(stage.errors == [])
    }

    @Test("are asked for once where one that comes does not take them over")
    func askedFor() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let ears = try XEars(display: desktop.server.display)
      let stage = try Recording(display: desktop.server.display)
      let maximized = show(
        stage, "maximised",
        placement {
          $0.isMaximized = true
          $0.desktop = 1
        }, level: 2000)
      let covering = show(stage, "full screen", placement { $0.isFullScreen = true })
      let plain = show(stage, "plain", placement())
      #expect(stage.run { stage.geometry[covering]?.frame == Self.screen })
      // When one comes that begins with all windows as it likes, as fvwm3 does
      let names = ["", "_FULLSCREEN", "_MAXIMIZED_HORZ", "_MAXIMIZED_VERT", "_ABOVE", "_HIDDEN"]
      client.beginToManage(as: "Forgetful", supporting: ["_NET_WM_DESKTOP"] + names.map { "_NET_WM_STATE" + $0 })
      for id in [maximized, covering, plain] {
        client.setProperty(id.rawValue, "_NET_WM_STATE", type: "ATOM", longs: [])
        client.setProperty(id.rawValue, "_NET_WM_DESKTOP", type: "CARDINAL", longs: [0])
        client.setProperty(id.rawValue, "WM_STATE", type: "WM_STATE", longs: [1, 0])
      }
      #expect(stage.run { stage.windowManager == .settled && stage.geometry[maximized]?.desktop == 0 })
      // Then it is asked for what they were to be, and nothing is told that is not so
      func asked(_ id: WindowID, _ type: String) -> [[UInt32]] { ears.messages(about: id.rawValue, type) }
      #expect(stage.runLooking { asked(maximized, "_NET_WM_DESKTOP") == [[1, 1, 0]] })
      let states = ["_NET_WM_STATE_MAXIMIZED_HORZ", Self.maximized, Self.above, Self.fullScreen].map { client.atom($0) }
      #expect(stage.runLooking { asked(maximized, "_NET_WM_STATE").count >= 2 })
      stage.synchronise()
      #expect(Set(asked(maximized, "_NET_WM_STATE").flatMap { $0 }) == Set(states[..<3] + [1, 0]))
      #expect(asked(covering, "_NET_WM_STATE").map { $0.prefix(2) } == [[1, states[3]]])
      #expect(asked(plain, "_NET_WM_STATE") == [] && asked(plain, "_NET_WM_DESKTOP") == [])
      #expect(stage.geometry[maximized]?.isMaximized == false && stage.geometry[covering]?.isFullScreen == false)
      // Once: not when it is the same that shows a sign of a change.
      let count = asked(maximized, "_NET_WM_STATE").count
      stage.platform.parts.context.windows.apply(.windowManagerChanged(cause: "test"))
      #expect(stage.run { stage.windowManager == .changing })
      #expect(stage.run { stage.windowManager == .settled })
      stage.synchronise()
      #expect(asked(maximized, "_NET_WM_STATE").count == count && asked(covering, "_NET_WM_STATE").count == 1)
      #expect(stage.errors == [])
    }

    @Test(
      "are full screen while the window covers the screen, also when its window manager dies",
      arguments: [WindowManager.openbox, .xfwm4, .icewm])
    func fullScreenThroughDeath(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let client = desktop.desk.client
      let stage = try Recording(display: desktop.server.display)
      let ids = [show(stage, "left", placement()), show(stage, "kept", placement())]
      for id in ids {
        #expect(does(stage, .fullScreen(true), id))
        #expect(stage.run { stage.geometry[id]?.frame == Self.screen })
      }
      // When the window manager dies, which leaves them as they are
      try await desktop.killWindowManager(SIGKILL)
      #expect(stage.run { stage.windowManager == .absent })
      // Then they still cover the screen, and say so
      for id in ids {
        #expect(client.place(of: id.rawValue) == Place(0, 0, 1152, 900))
        #expect(stage.geometry[id]?.isFullScreen == true, "\(kind)")
        #expect(stage.geometry[id]?.normalFrame == placement().frame, "\(kind)")
      }
      // And one that is left is where it was
      #expect(does(stage, .fullScreen(false), ids[0]))
      #expect(stage.run { stage.geometry[ids[0]]?.frame == placement().frame }, "\(kind)")
      // Also for the next one, which finds the other as it is.
      try await desktop.startWindowManager(kind)
      #expect(stage.run { stage.windowManager == .settled })
      #expect(stage.geometry[ids[0]]?.isFullScreen == false && stage.geometry[ids[1]]?.isFullScreen == true, "\(kind)")
      #expect(!client.truth(ids[0].rawValue).netWMState.contains(Self.fullScreen), "\(kind)")
      #expect(client.truth(ids[1].rawValue).netWMState.contains(Self.fullScreen), "\(kind)")
      #expect(does(stage, .fullScreen(false), ids[1]))
      #expect(stage.run { stage.geometry[ids[1]]?.frame.size == placement().frame.size }, "\(kind)")
      #expect(stage.errors == [])
    }

    @Test("are none under one that does not know them, and not again when that has gone")
    func unknownToTheNext() async throws {
      try Requirement.windowManager(.twm)
      // Given a window that is full screen without a window manager, and one that comes back maximised
      let desktop = try await PrivateDesktop(.none)
      let stage = try Recording(display: desktop.server.display)
      let covering = show(stage, "full screen", placement())
      #expect(does(stage, .fullScreen(true), covering))
      let maximized = show(stage, "maximised", placement { $0.isMaximized = true })
      // When one comes that knows neither
      try await desktop.startWindowManager(.twm)
      // Then they are neither, and the first one goes back to its own size
      #expect(
        stage.run {
          stage.windowManager == .settled && stage.geometry[covering]?.frame.size == placement().frame.size
        })
      #expect(stage.geometry[covering]?.isFullScreen == false && stage.geometry[maximized]?.isMaximized == false)
      try await desktop.killWindowManager(SIGKILL)
      #expect(stage.run { stage.windowManager == .absent })
      #expect(stage.geometry[covering]?.isFullScreen == false && stage.geometry[maximized]?.isMaximized == false)
      #expect(stage.errors == [])
    }

    @Test("are those of the next one alone, whatever the one before has left", arguments: [WindowManager.twm, .i3])
    func droppedByTheNext(kind: WindowManager) async throws {
      for needed in [.openbox, kind] { try Requirement.windowManager(needed) }
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try Recording(display: desktop.server.display)
      let id = show(
        stage, "maximised",
        placement {
          $0.isMaximized = true
          $0.desktop = 0
        })
      #expect(stage.run { stage.geometry[id]?.isMaximized == true && stage.geometry[id]?.desktop == 0 })
      try await desktop.killWindowManager(SIGKILL)
      #expect(stage.run { stage.windowManager == .absent })
      #expect(stage.geometry[id]?.isMaximized == false && stage.geometry[id]?.desktop == nil)
      // When the next one has no such state, and what the last one wrote is still there
      try await desktop.startWindowManager(kind)
      #expect(stage.run { stage.windowManager == .settled })
      #expect(desktop.desk.client.truth(id.rawValue).netWMState.contains(Self.maximized))
      // Then it is not told.
      #expect(stage.geometry[id]?.isMaximized == false, "\(kind)")
      #expect(stage.geometry[id]?.desktop == (kind == .twm ? nil : 0))
      #expect(stage.errors == [])
    }

    @Test(
      "end in the window's own rectangle, also under one that has found it large",
      arguments: [WindowManager.openbox, .xfwm4, .icewm])
    func endedByTheNext(kind: WindowManager) async throws {
      for needed in [.openbox, kind] { try Requirement.windowManager(needed) }
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try Recording(display: desktop.server.display)
      let id = show(stage, "maximised", placement())
      #expect(stage.run { stage.geometry[id]?.frame == placement().frame })
      #expect(does(stage, .maximize(true), id))
      #expect(stage.run { stage.geometry[id]?.frame.size.width == 1152 })
      try await desktop.killWindowManager(SIGKILL)
      #expect(stage.run { stage.windowManager == .absent })
      // When another one has taken over the window, and the state ends
      try await desktop.startWindowManager(kind)
      #expect(stage.run { stage.windowManager == .settled && stage.geometry[id]?.isMaximized == true })
      #expect(does(stage, .maximize(false), id))
      // Then it is as large as it was.
      #expect(stage.run { stage.geometry[id]?.frame.size == placement().frame.size }, "\(kind)")
      #expect(stage.geometry[id]?.normalFrame.size == placement().frame.size)
      #expect(stage.errors == [])
    }

    @Test("are as the program wants them at last, beside those that are the user's")
    func changedMeanwhile() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      let stage = try Recording(display: desktop.server.display)
      func isAbove(_ id: WindowID) -> Bool { client.truth(id.rawValue).netWMState.contains(Self.above) }
      let (lowered, users) = (show(stage, "lowered", placement(), level: 2000), show(stage, "users", placement()))
      client.ask(users.rawValue, "_NET_WM_STATE", [1, client.atom(Self.above), 0, 2])
      #expect(stage.runLooking { isAbove(lowered) && isAbove(users) })
      try await desktop.killWindowManager(SIGKILL)
      #expect(stage.run { stage.windowManager == .absent })
      // When there is none, and the program lowers the one, makes the user's full screen, and hides and shows a third
      stage.perform(.setLevel(lowered, 0))
      #expect(does(stage, .fullScreen(true), users))
      #expect(stage.run { stage.geometry[users]?.frame == Self.screen })
      let hidden = show(stage, "hidden", placement { $0.isMaximized = true })
      stage.perform(.withdraw(hidden))
      #expect(stage.run { !stage.isVisible(hidden) })
      stage.perform(.show(hidden, .quiet))
      #expect(stage.run { stage.isVisible(hidden) })
      stage.synchronise()
      // Then the next one finds them so.
      try await desktop.startWindowManager(.openbox)
      #expect(stage.run { stage.windowManager == .settled && stage.geometry[hidden]?.isMaximized == true })
      #expect(!isAbove(lowered) && isAbove(users))
      #expect(stage.geometry[users]?.isFullScreen == true && stage.geometry[users]?.frame == Self.screen)
      #expect(stage.errors == [])
    }
  }
}
