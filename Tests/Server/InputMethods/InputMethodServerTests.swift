#if canImport(ProsceniumUI)
  import DeskSupport
  import Glibc
  @testable import ProsceniumCore
  import ProsceniumDesk
  import ProsceniumTesting
  import SuiteSupport
  import Testing

  @testable import ProsceniumDesktop
  @testable import ProsceniumLoop
  @testable import ProsceniumPlatform
  @testable import ProsceniumUI
  @testable import ProsceniumX11

  extension X11PlatformTests {
    /// Words of real engines, typed by keys of a real server.
    @MainActor @Suite("Input methods", .enabled(if: IBusDesk.isInstalled)) struct InputMethodServerTests {
      private func withIBus() async throws -> (Typing, IBusDesk) {
        try Requirement.windowManager(.openbox)
        let desktop = try await PrivateDesktop(.openbox)
        let ibus = try await IBusDesk(display: desktop.server.display)
        InputMethods.patience = .seconds(30)
        let typing = try Typing(desktop, ibus.environment)
        try #require(typing.program.run { typing.source.requested.inputMethod.hasEngine })
        try typing.warmUp()
        return (typing, ibus)
      }

      @Test("IBus: words of a table, with what is composed in the text until they are chosen")
      func ibus() async throws {
        let (typing, ibus) = try await withIBus()
        // Its end is that of the daemon.
        defer { withExtendedLifetime(ibus) {} }
        try typing.type("wqvb")
        try #require(typing.program.run { typing.composed == "你好" }, typing.evidence)
        #expect(typing.text.text == "")
        try typing.type(" ")
        try #require(typing.shows("你好"), typing.evidence)
        #expect(typing.composed == nil)
        // Keys that are not the engine's go on: a line, the caret, and a command.
        try typing.press(.return)
        try #require(typing.shows("你好\n"))
        try typing.press(.up)
        try typing.type("wqvb ")
        try #require(typing.shows("你好你好\n"))
      }

      @Test("An engine that is stopped costs a key half a second, once; then keys pass it, until it goes on")
      func stopped() async throws {
        let (typing, ibus) = try await withIBus()
        defer { withExtendedLifetime(ibus) {} }
        try typing.passesStopped(try #require(ibus.engineProcess))
      }

      @Test("The daemon dies in the middle of a word, and the next one is found")
      func dies() async throws {
        let (typing, ibus) = try await withIBus()
        try typing.type("w")
        // A key whose answer the daemon owes when it dies is typed as without it.
        let feature = try #require(typing.text.window?.inputMethods)
        try #require(typing.program.run { typing.composed != nil && feature.passage.isIdle })
        ibus.daemon.send(SIGKILL, toGroup: true)
        try #require(typing.program.run { typing.composed == nil })
        try typing.type("ab")
        try #require(typing.shows("ab"), typing.evidence)
        try await ibus.restart()
        try #require(typing.program.run { typing.source.requested.inputMethod.hasEngine })
        try typing.warmUp()
        try typing.type("wqvb ")
        try #require(typing.shows("ab你好"))
      }
    }
  }
#endif
