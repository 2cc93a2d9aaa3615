import FoundationEssentials
import ProsceniumCore
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// The modes of screens, and the program's choices among them.
@MainActor @Suite("Modes of screens", .serialized) struct ScreenModeTests {
  private static let large = HeadlessScreen.mode(Size(width: 1920, height: 1080))
  private static let fast = HeadlessScreen.mode(Size(width: 1920, height: 1080), refreshRate: 120)
  private static let small = HeadlessScreen.mode(Size(width: 800, height: 600))
  private static let other = HeadlessScreen.mode(Size(width: 1024, height: 768))

  /// A program on a monitor with modes.
  @MainActor private final class Run {
    let program: HeadlessProgram
    var screen: Screen { program.application.screens[0] }

    init() {
      let delegate = RecordingDelegate()
      program = HeadlessProgram(delegate: { delegate })
      var screen = HeadlessScreen("DP-1", frame: Rect(x: 0, y: 0, width: 1920, height: 1080), isPrimary: true)
      screen.modes = [large, fast, small, other]
      program.platform.windowManager.screens = [screen.description()]
      program.launch()
      program.advance(by: .seconds(3))
    }

    /// The commands about modes.
    var commands: [PlatformCommand] {
      program.platform.commands.filter {
        switch $0 {
        case .followScreenModes, .setScreenMode: true
        default: false
        }
      }
    }

    func choose(_ mode: Screen.Mode?, on screen: Screen) -> [String] {
      var results: [String] = []
      screen.requestMode(mode) { result in
        switch result {
        case .success: results.append("done")
        case .failure(let error): results.append("\(error)")
        }
      }
      #expect(results == [])
      program.advance(by: .zero)
      return results
    }

    func leave() {
      program.desk.minimize(program.windows[0])
      program.advance(by: .seconds(3))
    }

    func comeBack() {
      program.desk.restore(program.windows[0])
      program.advance(by: .seconds(3))
    }

    /// Lets the modes be known.
    func ask() {
      _ = screen.availableModes
      program.advance(by: .zero)
    }
  }

  @Test("A monitor that is plugged in leaves the modes of the others, of which two may have one size")
  func pluggedIn() {
    let run = Run()
    run.ask()
    #expect(run.choose(Self.fast, on: run.screen) == ["done"])
    run.program.desk.screens.append(HeadlessScreen("DP-2", frame: Rect(x: 1920, y: 0, width: 800, height: 600)))
    #expect(run.screen.currentMode == Self.fast)
    run.leave()
    #expect(run.program.platform.windowManager.screens[0].modes?.current == Self.large)
    // One that the user sets is another.
    run.program.desk.screens[0].frame.size = Self.small.size
    #expect(run.screen.currentMode == Self.small)
  }

  @Test("Nothing is asked for before the program asks; then the modes are known, and are told once")
  func asked() {
    let run = Run()
    #expect(run.commands == [])
    var told = 0
    let center = NotificationCenter.default
    let token = center.addObserver(of: run.screen, for: .availableModesDidChange) { _ in told += 1 }
    #expect(run.screen.availableModes == [] && run.screen.currentMode == nil && run.screen.preferredMode == nil)
    run.program.advance(by: .zero)
    #expect(run.commands == [.followScreenModes] && told == 1)
    #expect(run.screen.availableModes == [Self.large, Self.fast, Self.small, Self.other])
    #expect(run.screen.currentMode == Self.large && run.screen.preferredMode == Self.large)
    // The same again is nothing.
    run.program.desk.screens[0].frame.origin.x = 0
    run.program.advance(by: .zero)
    #expect(run.commands == [.followScreenModes] && told == 1)
    withExtendedLifetime(token) {}
  }

  @Test("A mode holds while the program is in the foreground, and comes back with it")
  func chosen() {
    let run = Run()
    run.ask()
    var modes: [Size] = []
    let token = NotificationCenter.default.addObserver(of: run.screen, for: .modeDidChange) {
      modes.append($0.screen.frame.size)
    }
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    #expect(
      run.screen.currentMode == Self.small && run.screen.frame.size == Self.small.size && modes == [Self.small.size])
    run.screen.currentMode = Self.fast
    run.program.advance(by: .zero)
    #expect(run.screen.frame.size == Self.large.size)
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    run.leave()
    #expect(run.program.application.applicationState == .background)
    #expect(run.screen.currentMode == Self.large)
    #expect(run.choose(Self.small, on: run.screen) == ["inBackground"])
    #expect(run.commands.last == .setScreenMode(nil, screen: "DP-1"))
    run.comeBack()
    #expect(run.screen.currentMode == Self.small)
    // Taken back it stays as it was.
    #expect(run.choose(nil, on: run.screen) == ["done"])
    #expect(run.screen.currentMode == Self.large)
    let count = run.commands.count
    #expect(run.choose(nil, on: run.screen) == ["done"])
    run.leave()
    run.comeBack()
    #expect(run.commands.count == count && run.program.violations.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("At the end of the program the screen shows what it showed before")
  func ends() {
    let run = Run()
    run.ask()
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    run.program.machine.send(signal: 15)
    run.program.advance(by: .seconds(10))
    #expect(!run.program.isRunning && run.commands.last == .setScreenMode(nil, screen: "DP-1"))
    #expect(run.program.desk.screens[0].frame.size == Self.large.size)
  }

  @Test("When the program is killed, too")
  func killed() {
    let run = Run()
    run.ask()
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    run.program.kill()
    #expect(run.program.desk.screens[0].frame.size == Self.large.size)
    run.program.relaunch()
    run.ask()
    #expect(run.screen.currentMode == Self.large && run.screen.frame.size == Self.large.size)
  }

  @Test("What cannot be shown is refused with its reason, and not asked for again")
  func refused() {
    let run = Run()
    #expect(run.choose(Self.small, on: run.screen) == ["unavailable"])
    run.program.advance(by: .zero)
    let strange = HeadlessScreen.mode(Size(width: 1, height: 1))
    #expect(run.choose(strange, on: run.screen) == ["unavailable"])
    run.program.platform.windowManager.modes.refusal = .refused
    #expect(run.choose(Self.small, on: run.screen) == ["refused"])
    #expect(run.screen.currentMode == Self.large)
    run.program.platform.windowManager.modes.refusal = nil
    let count = run.commands.count
    run.leave()
    run.comeBack()
    #expect(run.commands.count == count)
    // A screen that has gone, and one that comes back without the choice.
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    let (gone, kept) = (run.screen, run.program.desk.screens)
    run.program.desk.screens = [HeadlessScreen("DP-2", frame: gone.frame, isPrimary: true)]
    run.program.advance(by: .zero)
    #expect(run.choose(Self.small, on: gone) == ["disconnected"])
    #expect(run.screen.availableModes == [])
    run.program.desk.screens = kept
    run.program.advance(by: .zero)
    let again = run.commands.count
    run.leave()
    #expect(run.commands.count == again)
  }

  @Test(
    "A refused choice leaves the one before it, which is put back in the background and comes back with the program")
  func refusedLater() {
    let run = Run()
    run.ask()
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    run.program.platform.windowManager.modes.refusal = .refused
    #expect(run.choose(Self.other, on: run.screen) == ["refused"])
    run.program.platform.windowManager.modes.refusal = nil
    #expect(run.screen.currentMode == Self.small)
    run.leave()
    #expect(run.screen.currentMode == Self.large)
    run.comeBack()
    #expect(run.screen.currentMode == Self.small)
    // One that is refused after it has been put back is not asked for again
    run.leave()
    run.program.platform.windowManager.modes.refusal = .refused
    run.comeBack()
    run.program.platform.windowManager.modes.refusal = nil
    #expect(run.screen.currentMode == Self.large)
    let count = run.commands.count
    run.leave()
    run.comeBack()
    #expect(run.commands.count == count && run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("Of several choices that are not answered yet only the answer to the last one decides")
  func refusedTwice() {
    let run = Run()
    run.ask()
    // The same mode before and after another one, of which only that one can be shown.
    for (mode, refusal) in [(Self.small, ScreenModeError.refused), (Self.other, nil), (Self.small, .refused)] {
      run.program.platform.windowManager.modes.refusal = refusal
      run.screen.requestMode(mode)
    }
    run.program.advance(by: .zero)
    run.program.platform.windowManager.modes.refusal = nil
    #expect(run.screen.currentMode == Self.other)
    run.leave()
    #expect(run.screen.currentMode == Self.large)
    run.comeBack()
    #expect(run.screen.currentMode == Self.other)
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("What is answered after a choice was taken back is no choice before the next one")
  func takenBack() {
    let run = Run()
    run.ask()
    run.screen.requestMode(Self.small)
    run.screen.requestMode(nil)
    run.program.platform.windowManager.modes.refusal = .refused
    #expect(run.choose(Self.other, on: run.screen) == ["refused"])
    let count = run.commands.count
    run.leave()
    #expect(run.commands.count == count && run.screen.currentMode == Self.large)
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("What somebody else has chosen meanwhile stays")
  func elsewhere() {
    let run = Run()
    run.ask()
    #expect(run.choose(Self.small, on: run.screen) == ["done"])
    run.program.desk.screens[0].frame.size = Self.other.size
    run.program.advance(by: .zero)
    #expect(run.screen.currentMode == Self.other)
    run.leave()
    #expect(run.screen.currentMode == Self.other)
  }

  @Test(
    "The launch orientation gives the first window its shape",
    arguments: [
      (LaunchOrientation.automatic, Size(width: 300, height: 500), Size(width: 300, height: 500)),
      (.landscape, Size(width: 300, height: 500), Size(width: 500, height: 300)),
      (.landscape, Size(width: 500, height: 300), Size(width: 500, height: 300)),
      (.portrait, Size(width: 500, height: 300), Size(width: 300, height: 500)),
      (.portrait, Size(width: 300, height: 300), Size(width: 300, height: 300)),
    ])
  func launchOrientation(orientation: LaunchOrientation, size: Size, expected: Size) throws {
    let delegate = RecordingDelegate()
    delegate.manifest.launchOrientation = orientation
    for configuration in delegate.manifest.sceneConfigurations { configuration.launchSize = size }
    let program = HeadlessProgram(delegate: { delegate })
    program.launch()
    #expect(program.windows.first?.frame.size == expected)
  }
}
