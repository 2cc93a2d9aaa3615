#if canImport(ProsceniumUI)
  import DeskSupport
  import Glibc
  @testable import ProsceniumCore
  import ProsceniumDesk
  import ProsceniumTesting
  import SuiteSupport
  import Testing

  @testable import ProsceniumDesktop
  @testable import ProsceniumUI
  @testable import ProsceniumX11

  extension X11PlatformTests {
    /// Words of real engines, by the X Input Method Protocol where the program does not know their bus, and of Fcitx by
    /// its bus.
    @MainActor @Suite("XIM", .enabled(if: FcitxDesk.isInstalled && IBusDesk.isInstalled)) struct XIMServerTests {
      /// How a program comes to Fcitx.
      enum Way: CaseIterable {
        /// By its bus.
        case bus
        /// By XIM, with what is composed in the program's text.
        case onTheSpot
        /// By XIM, with what is composed in Fcitx's own window.
        case overTheSpot

        var composesInText: Bool { self != .overTheSpot }
        static let composing = allCases.filter(\.composesInText)
      }

      private func withFcitx(_ way: Way = .onTheSpot) async throws -> (Typing, FcitxDesk) {
        try Requirement.windowManager(.openbox)
        let desktop = try await PrivateDesktop(.openbox)
        let fcitx = try await FcitxDesk(display: desktop.server.display, isOnTheSpot: way.composesInText)
        InputMethods.patience = .seconds(30)
        let typing = try Typing(desktop, way == .bus ? fcitx.busEnvironment : fcitx.environment)
        try #require(typing.program.run { typing.source.requested.inputMethod.hasEngine })
        #expect((typing.source.requested.inputMethod.windowSystem?.isThere == true) == (way != .bus))
        if way.composesInText { try typing.warmUp() }
        return (typing, fcitx)
      }

      /// The user's own keys, of the letters that are typed.
      private func keys(of typing: Typing) -> [String] {
        typing.program.calls.filter { $0.name == "key" }.map(\.details)
      }

      @Test(
        "Fcitx: words, with what is composed in the text; keys that are not the engine's arrive once",
        arguments: Way.composing)
      func fcitx(_ way: Way) async throws {
        let (typing, fcitx) = try await withFcitx(way)
        defer { withExtendedLifetime(fcitx) {} }
        try typing.type("nihao")
        try #require(typing.program.run { typing.composed == "ni hao" }, typing.evidence)
        #expect(typing.text.text == "")
        // What is composed is the engine's, not the text's.
        try typing.press(.backspace)
        try #require(typing.program.run { typing.composed == "ni ha" }, typing.evidence)
        try typing.type("o ")
        try #require(typing.shows("你好"), typing.evidence)
        #expect(typing.composed == nil)
        let before = keys(of: typing).count
        try typing.press(.return)
        try typing.press(.backspace)
        try typing.press(.backspace)
        try #require(typing.shows("你"), typing.evidence)
        #expect(keys(of: typing).count == before + 3)
      }

      @Test("The candidates are at the caret, and follow it", arguments: Way.allCases)
      func candidates(_ way: Way) async throws {
        let (typing, fcitx) = try await withFcitx(way)
        defer { withExtendedLifetime(fcitx) {} }
        let client = try XClient(display: typing.desktop.server.display)
        func isAtCaret() throws -> Bool {
          try typing.type("ni")
          return typing.program.run {
            guard let caret = typing.text.window?.inputMethods?.active?.focusedText.caret,
              let place = client.places(ofWindowsTitled: "Fcitx5 Input Window").first
            else { return false }
            let foot = caret.origin.y + caret.size.height
            return abs(place.x - caret.origin.x) <= 40 && (foot - 2...foot + 40).contains(place.y)
          }
        }
        #expect(try isAtCaret(), typing.evidence)
        if way.composesInText { #expect(typing.program.run { typing.composed == "ni" }, typing.evidence) }
        try typing.type(" ")
        try #require(typing.shows("你"), typing.evidence)
        try typing.press(.return)
        try typing.press(.return)
        try #require(typing.shows("你\n\n"))
        #expect(try isAtCaret(), typing.evidence)
      }

      @Test(
        "A server that is stopped costs a key half a second, once; then keys pass it, until it goes on",
        arguments: Way.composing)
      func stopped(_ way: Way) async throws {
        let (typing, fcitx) = try await withFcitx(way)
        defer { withExtendedLifetime(fcitx) {} }
        try typing.passesStopped(fcitx.daemon.pid)
      }

      @Test("The server dies in the middle of a word, and the next one is found", arguments: Way.composing)
      func dies(_ way: Way) async throws {
        let (typing, fcitx) = try await withFcitx(way)
        try typing.type("w")
        let feature = try #require(typing.text.window?.inputMethods)
        try #require(typing.program.run { typing.composed != nil && feature.passage.isIdle })
        fcitx.daemon.send(SIGKILL, toGroup: true)
        try #require(typing.program.run { typing.composed == nil })
        try #require(typing.program.run { !typing.source.requested.inputMethod.hasEngine })
        try typing.type("ab")
        try #require(typing.shows("ab"), typing.evidence)
        try await fcitx.restart()
        try #require(typing.program.run { typing.source.requested.inputMethod.hasEngine })
        try typing.warmUp()
        try typing.type("nihao ")
        try #require(typing.shows("ab你好"), typing.evidence)
      }

      @Test("A secret is typed without the server", arguments: Way.composing)
      func secret(_ way: Way) async throws {
        let (typing, fcitx) = try await withFcitx(way)
        defer { withExtendedLifetime(fcitx) {} }
        let field = TextField()
        field.isSecureTextEntry = true
        let window = try #require(typing.program.window)
        window.rootView = field
        field.becomeFirstResponder()
        try #require(typing.program.run { field.frame.size.height > 0 })
        try typing.type("nihao ")
        try #require(typing.program.run { field.text == "nihao " })
      }

      @Test("Who has both is served over the bus, and no connection is made")
      func bus() async throws {
        try Requirement.windowManager(.openbox)
        let desktop = try await PrivateDesktop(.openbox)
        let fcitx = try await FcitxDesk(display: desktop.server.display)
        InputMethods.patience = .seconds(30)
        let typing = try Typing(desktop, fcitx.busEnvironment)
        try #require(typing.program.run { typing.source.requested.inputMethod.hasEngine })
        try typing.warmUp()
        try typing.type("nihao ")
        try #require(typing.shows("你好"), typing.evidence)
        #expect(typing.source.requested.inputMethod.windowSystem?.isThere == false)
        #expect(!typing.source.requested.inputMethod.followsWindowSystem)
      }

      @Test("IBus: words of a table")
      func ibus() async throws {
        try Requirement.windowManager(.openbox)
        let desktop = try await PrivateDesktop(.openbox)
        let ibus = try await IBusDesk(display: desktop.server.display, servesX: true)
        defer { withExtendedLifetime(ibus) {} }
        InputMethods.patience = .seconds(30)
        let typing = try Typing(desktop, ibus.displayEnvironment)
        try #require(typing.program.run { typing.source.requested.inputMethod.hasEngine })
        try typing.warmUp()
        try typing.type("wqvb")
        try #require(typing.program.run { typing.composed == "你好" }, typing.evidence)
        #expect(typing.text.text == "")
        try typing.type(" ")
        try #require(typing.shows("你好"), typing.evidence)
        #expect(typing.composed == nil)
        // Keys that are not the engine's go on: a line, the caret, and a command.
        try typing.press(.return)
        try #require(typing.shows("你好\n"), typing.evidence)
        try typing.press(.up)
        try typing.type("wqvb ")
        try #require(typing.shows("你好你好\n"), typing.evidence)
      }

      // MARK: Servers that do as they like

      private func withScript(overlooks: Bool = false) async throws -> (Typing, ScriptedXIMServer) {
        try Requirement.windowManager(.openbox)
        let desktop = try await PrivateDesktop(.openbox)
        let display = desktop.server.display
        let server = try ScriptedXIMServer(display: display, overlooks: overlooks)
        InputMethods.patience = .seconds(30)
        let typing = try Typing(
          desktop,
          [
            "HOME": "/missing", "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "XMODIFIERS": "@im=" + ScriptedXIMServer.name,
          ])
        let isReady = typing.program.run {
          server.step()
          return server.isReady
        }
        try #require(isReady, "\(server.received)")
        return (typing, server)
      }

      private func run(_ typing: Typing, _ server: ScriptedXIMServer, until condition: @escaping () -> Bool) -> Bool {
        typing.program.run {
          server.step()
          return condition()
        }
      }

      @Test("A server that lies, or sends nonsense, is harmless")
      func lies() async throws {
        let (typing, server) = try await withScript()
        try typing.type("a")
        try #require(run(typing, server) { typing.text.text == "a" }, typing.evidence)
        let whole = ScriptedXIMServer.commit(String(repeating: "b", count: 100))
        // More than is there, less than is there, and of another kind.
        for size: UInt32 in [0, 1, 3, 50, UInt32(whole.count) + 1, 1 << 20, .max] {
          server.sendProperty(whole, size: size)
        }
        for value: UInt32 in [0, 1, 2, 3, .max] {
          server.sendEvent("_XIM_PROTOCOL", format: 32, (0..<5).flatMap { _ in bytes(of: value) })
          server.sendEvent("_XIM_XCONNECT", format: 32, (0..<5).flatMap { _ in bytes(of: value) })
        }
        server.sendProperty(Array(repeating: 63, count: 200_000), size: 200_000)
        server.sendProperty(Array(repeating: 63, count: 300_000), size: 300_000)
        for opcode in UInt8(0)...100 {
          for length: UInt8 in [0, 1, 4, 255] {
            server.sendEvent(
              "_XIM_PROTOCOL", format: 8, [opcode, 0, length, length] + Array(repeating: 255, count: 16))
          }
        }
        server.send(ScriptedXIMServer.preedit("x", caret: .max, first: .min, length: .max))
        server.send(ScriptedXIMServer.commit("end"))
        try #require(run(typing, server) { typing.text.text.hasSuffix("end") }, typing.evidence)
        for key in 0..<30 {
          try typing.type("c")
          try #require(
            run(typing, server) { typing.text.text.hasSuffix("end" + String(repeating: "c", count: key + 1)) },
            typing.evidence)
        }
      }

      @Test("A server that sends more than can be read is not used any more, until it is another one")
      func flood() async throws {
        let (typing, server) = try await withScript()
        for number in 0..<3000 {
          server.send(ScriptedXIMServer.preedit("yyyyyyyyy", caret: -1, first: Int32(number), length: 0))
        }
        try #require(run(typing, server) { !typing.source.requested.inputMethod.hasEngine })
        try typing.type("a")
        try #require(run(typing, server) { typing.text.text == "a" }, typing.evidence)
        let next = try ScriptedXIMServer(display: typing.desktop.server.display)
        try #require(run(typing, next) { next.isReady })
        try typing.type("b")
        try #require(run(typing, next) { typing.text.text == "ab" }, typing.evidence)
        #expect(next.received.contains(XIMOpcode.forwardEvent.rawValue))
      }

      /// Fcitx 5 does so at times: nothing else is sent to it while a key waits for its answer.
      @Test("A server that overlooks an event until the next one comes is reminded")
      func overlooks() async throws {
        let (typing, server) = try await withScript(overlooks: true)
        server.givesKeysBack = false
        try typing.type("a")
        let feature = try #require(typing.text.window?.inputMethods)
        try #require(run(typing, server) { feature.passage.number > 0 && feature.passage.isIdle })
        #expect(feature.passage.engine == .ready)
        #expect(typing.text.text == "")
      }

      @Test("What a server commits when it is to forget the text is dropped")
      func forgets() async throws {
        let (typing, server) = try await withScript()
        server.givesKeysBack = false
        server.afterReset = [
          XIMRequest.message(.preeditDone, ScriptedXIMServer.ids), ScriptedXIMServer.commit("late"),
          XIMRequest.message(.sync, ScriptedXIMServer.ids),
        ]
        try typing.type("a")
        let feature = try #require(typing.text.window?.inputMethods)
        try #require(run(typing, server) { feature.passage.number > 0 && feature.passage.isIdle })
        server.send(ScriptedXIMServer.preedit("ni", caret: 2, first: 0, length: 0))
        try #require(run(typing, server) { typing.composed == "ni" })
        feature.active?.endComposition()
        #expect(typing.composed == nil)
        // All of it has come when the last one is answered.
        try #require(run(typing, server) { server.received.contains(XIMOpcode.syncReply.rawValue) })
        server.givesKeysBack = true
        try typing.type("b")
        try #require(run(typing, server) { typing.text.text.hasSuffix("b") })
        #expect(typing.text.text == "b")
      }
    }
  }
#endif
