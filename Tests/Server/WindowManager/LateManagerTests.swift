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
    nonisolated private static let maximized = "_NET_WM_STATE_MAXIMIZED_VERT"

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
  }
}
