import DeskSupport
import Glibc
import ProsceniumCore
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension OwnServer {
  /// How long a window manager has to do what it is asked.
  @MainActor @Suite("Requests to a window manager", .enabled(if: Requirement.server)) struct RequestTimeTests {
    private func shownWindow(_ stage: Recording) -> WindowID {
      let id = stage.makeWindow {
        $0.position = Point(x: 100, y: 100)
        $0.size = Size(width: 300, height: 200)
      }
      stage.perform(.show(id, .activated))
      #expect(stage.run { stage.isFocused(id) })
      return id
    }

    @Test("are done, and said to be, on a line that is slower than the window manager may be")
    func slowLine() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let proxy = try XProxy(to: desktop.server, delay: .milliseconds(300))
      let stage = try Recording(display: proxy.display)
      let id = shownWindow(stage)
      let requests: [WindowRequest] = [
        .maximize(true), .maximize(false), .fullScreen(true), .fullScreen(false),
        .geometry(Rect(x: 200, y: 150, width: 320, height: 240)), .minimize, .activate,
      ]
      for (number, what) in requests.enumerated() {
        let request = RequestID(rawValue: number + 1)
        stage.perform(.request(request, id, what))
        #expect(stage.run { stage.outcome(request) != nil })
        #expect(stage.outcome(request) == .done, "\(what)")
      }
      #expect(stage.errors == [])
    }

    @Test(
      "are done however long a busy window manager takes to read them",
      arguments: [(WindowManager.openbox, 1500), (.xfwm4, 1500), (.metacity, 1500), (.mutter, 3000)])
    func busy(kind: WindowManager, milliseconds: Int) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let stage = try Recording(display: desktop.server.display)
      let id = shownWindow(stage)
      for (number, what) in [WindowRequest.maximize(true), .minimize].enumerated() {
        let request = RequestID(rawValue: number + 1)
        desktop.desk.signalWindowManager(SIGSTOP)
        stage.perform(.request(request, id, what))
        #expect(stage.runOn(for: .milliseconds(milliseconds)))
        desktop.desk.signalWindowManager(SIGCONT)
        #expect(stage.run { stage.outcome(request) != nil })
        #expect(stage.outcome(request) == .done, "\(kind) \(what)")
      }
      #expect(stage.errors == [])
    }

    @Test("are ignored where a window manager says nothing for too long, and done again once it says something")
    func silent() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try Recording(display: desktop.server.display)
      let id = shownWindow(stage)
      let question = stage.platform.parts.windows.managerQuestion
      #expect(ask(stage, 1, id, .maximize(true)) == .done)
      question.silence = .milliseconds(200)
      desktop.desk.signalWindowManager(SIGSTOP)
      #expect(ask(stage, 2, id, .maximize(false)) == .ignored)
      // It is not asked again.
      question.silence = .seconds(1000)
      #expect(ask(stage, 3, id, .fullScreen(true)) == .ignored)
      desktop.desk.signalWindowManager(SIGCONT)
      #expect(stage.run { stage.geometry[id]?.isFullScreen == true })
      desktop.desk.signalWindowManager(SIGSTOP)
      stage.perform(.request(RequestID(rawValue: 4), id, .fullScreen(false)))
      #expect(stage.runOn(for: .milliseconds(1500)))
      desktop.desk.signalWindowManager(SIGCONT)
      #expect(stage.run { stage.outcome(RequestID(rawValue: 4)) != nil })
      #expect(stage.outcome(RequestID(rawValue: 4)) == .done)
      #expect(stage.errors == [])
    }

    @Test("have an outcome also where the window manager dies before it reads them")
    func dead() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try Recording(display: desktop.server.display)
      let id = shownWindow(stage)
      stage.platform.parts.windows.managerQuestion.silence = .seconds(1000)
      desktop.desk.signalWindowManager(SIGSTOP)
      let request = RequestID(rawValue: 1)
      stage.perform(.request(request, id, .maximize(true)))
      #expect(stage.runOn(for: .milliseconds(100)))
      try await desktop.killWindowManager(9)
      #expect(stage.run { stage.outcome(request) != nil })
      #expect(stage.outcome(request) == .ignored && stage.errors == [])
    }

    private func ask(_ stage: Recording, _ number: Int, _ id: WindowID, _ what: WindowRequest) -> RequestOutcome? {
      let request = RequestID(rawValue: number)
      stage.perform(.request(request, id, what))
      #expect(stage.run { stage.outcome(request) != nil })
      return stage.outcome(request)
    }
  }
}
