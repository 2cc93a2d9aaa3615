import DeskSupport
import Glibc
import Testing

extension RealDesk {
  /// After every action the trace agrees with what another client is told by the server.
  @Suite("The trace agrees with the server", .enabled(if: Requirement.sceneLab))
  struct AgreementTests {
    static let cases = windowManagers.flatMap { kind in
      DeskAction.allCases.filter { kind.reasonAgainst($0) == nil }.map { Case(kind: kind, action: $0) }
    }
    static let refusals = windowManagers.flatMap { kind in
      DeskAction.allCases.filter { kind.reasonAgainst($0) != nil }.map { Case(kind: kind, action: $0) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
      var kind: WindowManager
      var action: DeskAction
      var testDescription: String { "\(kind): \(action.rawValue)" }
    }

    @Test("After each action under each window manager", arguments: cases)
    func agreement(_ test: Case) async throws {
      try Requirement.windowManager(test.kind)
      // Given two scenes, the first of them active
      let desktop = try await PrivateDesktop(test.kind)
      let program = try await desktop.startSceneLab(2)
      let (first, second) = try Self.pair(program)
      desktop.desk.focus(first)
      try await desktop.settle(program, "the first active") { $0[0].expectedState == .foregroundActive }
      // When somebody acts, then the trace follows, there and back
      try await Self.act(test.action, desktop, program, first, second)
      #expect(program.ending == nil)
    }

    @Test("What a window manager cannot do changes nothing", arguments: refusals)
    func refusal(_ test: Case) async throws {
      try Requirement.windowManager(test.kind)
      let desktop = try await PrivateDesktop(test.kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try Self.pair(program)
      desktop.desk.focus(first)
      let before = try await desktop.settle(program, "the first active") { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      // When it is asked all the same
      switch test.action {
      case .iconify: desktop.desk.iconify(first)
      case .switchDesktop: try await desktop.desk.switchDesktop(1)
      case .sendToDesktop: try await desktop.desk.sendToDesktop(first, 1)
      case .showDesktop: desktop.desk.showDesktop(true)
      case .focusFirst, .focusSecond, .cover, .close, .grabShortly, .grabForLong:
        Issue.record("everybody can \(test.action)")
      }
      // Then the reason holds: nothing changes
      let reason = test.kind.reasonAgainst(test.action) ?? ""
      #expect(try await desktop.settle(program) == before, "\(reason)")
      #expect(try program.edges(since: count).isEmpty, "\(reason)")
    }

    static func pair(_ program: Program) throws -> (UInt32, UInt32) {
      let windows = try program.windows()
      try #require(windows.count == 2, "\(program.evidence)")
      return (windows[0], windows[1])
    }

    static func act(
      _ action: DeskAction, _ desktop: PrivateDesktop, _ program: Program, _ first: UInt32, _ second: UInt32
    ) async throws {
      let desk = desktop.desk
      switch action {
      case .focusFirst:
        desk.focus(first)
        try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
      case .focusSecond:
        desk.focus(second)
        try await desktop.settle(program) { $0[1].expectedState == .foregroundActive }
        desk.focus(first)
        try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
      case .iconify:
        desk.iconify(first)
        try await desktop.settle(program, "iconified") { $0[0].expectedState == .background }
        desk.restore(first)
        try await desktop.settle(program, "restored") { $0[0].expectedState > .background }
      case .switchDesktop:
        try await desk.switchDesktop(1)
        try await desktop.settle(program, "away") { $0.allSatisfy { $0.expectedState == .background } }
        try await desk.switchDesktop(0)
        try await desktop.settle(program, "back") { $0.allSatisfy { $0.expectedState > .background } }
      case .sendToDesktop:
        try await desk.sendToDesktop(first, 1)
        try await desktop.settle(program, "sent") {
          $0[0].expectedState == .background && $0[1].expectedState > .background
        }
        try await desk.sendToDesktop(first, 0)
        try await desktop.settle(program, "sent back") { $0.allSatisfy { $0.expectedState > .background } }
      case .showDesktop:
        desk.showDesktop(true)
        try await desktop.settle(program, "on") { $0.allSatisfy { $0.expectedState == .background } }
        desk.showDesktop(false)
        try await desktop.settle(program, "off") { $0.allSatisfy { $0.expectedState > .background } }
      case .cover:
        let cover = desk.cover()
        // i3 hides what is under a full-screen window; elsewhere covered scenes stay in the foreground.
        try await desktop.settle(program, "covered") { _ in desk.client.truth(cover).isViewable }
        desk.client.destroy(cover)
        try await desktop.settle(program, "uncovered") { $0.allSatisfy { $0.expectedState > .background } }
      case .close:
        let count = try program.trace.lines().count
        desk.close(first)
        try await desktop.settle(program, "one left") { $0.count == 1 && $0[0].expectedState > .background }
        #expect(!desk.client.truth(first).exists)
        let edges = try program.edges(since: count).filter { $0.hasPrefix("A") }
        #expect(edges == ["A sceneWillResignActive", "A sceneDidEnterBackground", "A sceneDidDisconnect"])
        #expect(try program.applicationLines(since: count).filter { $0 == "didDiscardSceneSessions" }.count == 1)
      case .grabShortly:
        try await SequenceTests.grabShortly(desktop, program)
      case .grabForLong:
        try await SequenceTests.grabForLong(desktop, program)
      }
    }
  }
}
