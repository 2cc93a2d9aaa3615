import DeskSupport
import FoundationEssentials
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// The modes of a real Xorg's outputs: known, chosen and put back.
  @MainActor
  @Suite("Modes of outputs", .enabled(if: mustNotSkip || (XorgServer.isInstalled && TestServer.exists("xrandr"))))
  struct ScreenModeTests {
    let server: XorgServer
    private let large = Size(width: 1152, height: 900)
    private let small = Size(width: 800, height: 600)
    private let other = Size(width: 1024, height: 768)

    init() async throws { server = try await .required() }

    @discardableResult private func xrandr(_ arguments: String...) -> Int32 {
      QuietProcess(["xrandr"] + arguments, environment: ["DISPLAY": server.display])?.wait() ?? -1
    }

    /// The size of the server's root window now, as another client sees it.
    private func root() throws -> Size {
      let stage = try Recording(display: server.display, needsScreens: true)
      return stage.platform.parts.screens.rootSize
    }

    private func modes(_ stage: Recording) -> [ScreenModes] { stage.platform.parts.screens.current.compactMap(\.modes) }

    private func mode(_ size: Size, _ stage: Recording) -> ScreenMode? {
      modes(stage).first?.available.first { $0.size == size }
    }

    private func outcomes(_ stage: Recording) -> [ScreenModeError?] {
      stage.events.compactMap { if case .screenMode(let error, "DUMMY0") = $0 { .some(error) } else { nil } }
    }

    #if !WITHOUT_ScreenModes
      @Test("A program's choice holds while it is in the foreground, and what somebody else chooses stays")
      func program() throws {
        let program = try XProgram(display: server.display)
        #expect(program.run { program.screens.map(\.name) == ["DUMMY0"] })
        let screen = try #require(program.screens.first)
        #expect(screen.availableModes.isEmpty)
        #expect(program.run { !screen.availableModes.isEmpty })
        #expect(screen.currentMode?.size == large && screen.preferredMode == screen.currentMode)
        #expect(screen.currentMode.map { Int($0.refreshRate.rounded()) } == 66)
        let rates = screen.availableModes.filter { $0.size == other }.map { Int($0.refreshRate.rounded()) }
        #expect(rates == [85, 75, 70, 60])
        let chosen = try #require(screen.availableModes.first { $0.size == small })
        var results: [Bool] = []
        screen.requestMode(chosen) { results.append((try? $0.get()) != nil) }
        #expect(program.run { results == [true] && screen.frame.size == small })
        #expect(screen.currentMode == chosen)
        #expect(try root() == small)
        program.window?.isHidden = true
        #expect(program.run { screen.frame.size == large })
        #expect(try root() == large)
        program.window?.isHidden = false
        #expect(program.run { screen.frame.size == small })
        // The user prefers a third one.
        #expect(xrandr("--output", "DUMMY0", "--mode", "1024x768", "--rate", "60") == 0)
        #expect(program.run { screen.frame.size == other })
        program.window?.isHidden = true
        #expect(program.run { program.scene?.activationState == .background })
        program.run(milliseconds: 200)
        #expect(try root() == other && screen.frame.size == other)
      }
    #endif

    @Test("Nothing is asked for before the program asks; the last thing that it does puts the mode back")
    func end() throws {
      let stage = try Recording(display: server.display, needsScreens: true)
      #expect(stage.run { !stage.platform.parts.screens.current.isEmpty })
      #expect(modes(stage).isEmpty)
      stage.perform(.followScreenModes)
      #expect(stage.run { !modes(stage).isEmpty })
      let chosen = try #require(mode(small, stage))
      stage.perform(.setScreenMode(chosen, screen: "DUMMY0"))
      #expect(stage.run { outcomes(stage) == [nil] })
      #expect(modes(stage).first?.current == chosen)
      // Another choice of the program is not what it goes back to.
      let next = try #require(mode(other, stage))
      stage.perform(.setScreenMode(next, screen: "DUMMY0"))
      #expect(stage.run { outcomes(stage) == [nil, nil] })
      #expect(try root() == other)
      stage.perform(.setScreenMode(nil, screen: "DUMMY0"))
      // Nothing is read any more.
      stage.platform.flush()
      #expect(try root() == large)
      #expect(stage.errors == [])
    }

    @Test("Other outputs stay where they are, and the root window is as large as all of them need")
    func several() throws {
      #expect(xrandr("--addmode", "DUMMY1", "800x600") == 0)
      #expect(xrandr("--output", "DUMMY1", "--mode", "800x600", "--pos", "1152x300") == 0)
      let stage = try Recording(display: server.display, needsScreens: true)
      stage.perform(.followScreenModes)
      #expect(stage.run { modes(stage).count == 2 })
      let whole = Size(width: 1952, height: 900)
      #expect(stage.platform.parts.screens.rootSize == whole)
      let chosen = try #require(mode(small, stage))
      stage.perform(.setScreenMode(chosen, screen: "DUMMY0"))
      #expect(stage.run { outcomes(stage) == [nil] })
      #expect(try root() == whole)
      #expect(
        stage.platform.parts.screens.current.map(\.frame) == [
          Rect(x: 0, y: 0, width: 800, height: 600), Rect(x: 1152, y: 300, width: 800, height: 600),
        ])
      stage.perform(.setScreenMode(nil, screen: "DUMMY0"))
      #expect(stage.run { stage.platform.parts.screens.current.first?.frame.size == large })
      #expect(stage.errors == [])
    }

    @Test("What the server refuses is told, and changes nothing; so are modes and screens that are not there")
    func refused() throws {
      let stage = try Recording(display: server.display, needsScreens: true)
      stage.perform(.followScreenModes)
      #expect(stage.run { !modes(stage).isEmpty })
      let chosen = try #require(mode(small, stage))
      stage.perform(.setScreenMode(ScreenMode(size: small, refreshRate: 60, id: 0xFFFF_FFFF), screen: "DUMMY0"))
      stage.perform(.setScreenMode(chosen, screen: "NONE"))
      #expect(stage.run { stage.events.contains(.screenMode(.disconnected, screen: "NONE")) })
      #expect(outcomes(stage) == [.unavailable])
      // The mode goes, and the program has not heard of it.
      #expect(xrandr("--newmode", "odd", "50", "700", "760", "800", "900", "500", "501", "504", "520") == 0)
      #expect(xrandr("--addmode", "DUMMY0", "odd") == 0)
      #expect(stage.run { mode(Size(width: 700, height: 500), stage) != nil })
      let odd = try #require(mode(Size(width: 700, height: 500), stage))
      #expect(xrandr("--delmode", "DUMMY0", "odd") == 0)
      stage.perform(.setScreenMode(odd, screen: "DUMMY0"))
      #expect(stage.run { outcomes(stage) == [.unavailable, .refused] })
      #expect(stage.run { modes(stage).first?.current?.size == large })
      #expect(try root() == large)
      // There is nothing to put back.
      stage.perform(.setScreenMode(nil, screen: "DUMMY0"))
      stage.platform.flush()
      #expect(try root() == large)
    }

    @Test(
      "Of several choices that are not answered yet the last one that the server performs is put back",
      arguments: [[true, false, true], [false, true, true]])
    func refusedTwice(_ areRare: [Bool]) throws {
      let stage = try Recording(display: server.display, needsScreens: true)
      stage.perform(.followScreenModes)
      #expect(stage.run { !modes(stage).isEmpty })
      let chosen = try #require(mode(small, stage))
      // The mode goes, and the program has not heard of it.
      #expect(xrandr("--newmode", "rare", "50", "704", "760", "800", "900", "500", "501", "504", "520") == 0)
      #expect(xrandr("--addmode", "DUMMY0", "rare") == 0)
      #expect(stage.run { mode(Size(width: 704, height: 500), stage) != nil })
      let rare = try #require(mode(Size(width: 704, height: 500), stage))
      #expect(xrandr("--delmode", "DUMMY0", "rare") == 0)
      for isRare in areRare { stage.perform(.setScreenMode(isRare ? rare : chosen, screen: "DUMMY0")) }
      let expected = areRare.map { $0 ? ScreenModeError.refused : nil }
      #expect(stage.run { outcomes(stage) == expected && modes(stage).first?.current == chosen })
      #expect(try root() == small)
      stage.perform(.setScreenMode(nil, screen: "DUMMY0"))
      stage.platform.flush()
      #expect(try root() == large)
    }
  }
}
