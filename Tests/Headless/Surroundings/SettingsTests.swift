import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@MainActor private final class SettingsProgram: RecordingDelegate {
  override init() {
    super.init()
    numbersScenes = false
    recordedNames = Self.sceneStates.union(["didUpdateCoordinateSpace"])
  }
  override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
    guard let previous = value as? TraitCollection, let scene = sessions[0].scene as? WindowScene else { return call }
    return "\(previous.userInterfaceStyle) -> \(scene.traitCollection.userInterfaceStyle)"
  }
}

/// What the user has chosen for all programs, and savers that lock nothing.
@MainActor @Suite("Settings of the desktop, and savers", .serialized) struct SettingsTests {
  @MainActor private final class Run {
    let source = WordSource()
    let delegate = SettingsProgram()
    let program: HeadlessProgram
    private var tokens: [NotificationCenter.ObservationToken] = []
    init(suspends: Bool = false) {
      program = HeadlessProgram(store: .none, sources: [source])
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program.launch(delegate)
      program.platform.advance(by: 3000)
      delegate.calls = []
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(of: program.application, for: .traitCollectionDidChange) { [weak delegate] message in
          delegate?.calls.append("traits")
        }
      ]
      #if !WITHOUT_Locale
        tokens.append(
          center.addObserver(of: program.application, for: .localeDidChange) { [weak delegate] message in
            delegate?.calls.append("locale \(message.application.localeIdentifier)")
          })
      #endif
    }
    var application: Application { program.application }
    var platform: HeadlessPlatform { program.platform }
    func portal(_ change: (inout DesktopSettings) -> Void) {
      source.host?.post(.settings(settings(change)))
      platform.deliver()
    }
    func xsettings(_ change: (inout DesktopSettings) -> Void) { platform.send(.settings(settings(change))) }
    private func settings(_ change: (inout DesktopSettings) -> Void) -> DesktopSettings {
      var settings = DesktopSettings()
      change(&settings)
      return settings
    }
    func saver(_ isOn: Bool, _ source: String) {
      self.source.host?.post(.screenSaver(isOn: isOn, source: source))
      platform.deliver()
    }
    func takeCalls() -> [DelegateCall] { delegate.takeCalls() }
  }

  @Test("Scenes hear of dark and light, then the application; the portal is believed before XSETTINGS")
  func appearance() {
    let run = Run()
    #expect(run.application.traitCollection == TraitCollection())
    run.xsettings { $0.style = .dark }
    #expect(run.takeCalls() == ["light -> dark", "traits"])
    run.portal { $0.style = .light }
    #expect(run.takeCalls() == ["dark -> light", "traits"])
    run.xsettings { $0.style = .light }
    run.xsettings { $0.style = .dark }
    #expect(run.takeCalls() == [])
    // Where the portal says nothing of it, the other one's word counts.
    run.portal {
      $0.accentColor = Color(rgb: 0x123456)
      $0.prefersHighContrast = true
    }
    #expect(run.takeCalls() == ["light -> dark", "traits"])
    #expect(run.application.traitCollection.accentColor == Color(rgb: 0x123456))
    #expect(run.application.traitCollection.prefersHighContrast)
    run.portal { _ in }
    run.xsettings { _ in }
    #expect(run.takeCalls() == ["dark -> dark", "traits", "dark -> light", "traits"])
    #expect(run.application.traitCollection == TraitCollection())
  }

  #if !WITHOUT_Locale
    @Test("Another region is told once, and not what the program was launched with")
    func locale() {
      let run = Run()
      let launched = run.application.localeIdentifier
      run.portal { $0.region = launched }
      #expect(run.takeCalls() == [])
      run.portal { $0.region = "xx_YY.UTF-8" }
      run.portal { $0.region = "xx_YY.UTF-8" }
      #expect(run.takeCalls() == ["locale xx_YY.UTF-8"])
      run.portal { _ in }
      #expect(run.takeCalls() == ["locale \(launched)"])
    }
  #endif

  @Test("A text that is no name of a region is none")
  func regions() {
    for text in ["", String(repeating: "x", count: 101), "a b", "../../etc", "ä", "a\n"] {
      #expect(DesktopSettings.region(text) == nil)
    }
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended nothing is told; on return once, what differs then")
    func suspended() {
      let run = Run(suspends: true)
      for window in run.platform.windows.keys { run.platform.minimize(window) }
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      run.portal { $0.style = .dark }
      run.portal { $0.region = "xx_YY" }
      run.portal { ($0.style, $0.region) = (.dark, "yy_ZZ") }
      run.xsettings { $0.style = .dark }
      run.xsettings { $0.style = .light }
      #expect(run.takeCalls() == [] && run.platform.isSuspended)
      for window in run.platform.windows.keys { run.platform.restore(window) }
      run.platform.deliver()
      // Before the scene comes back
      var expected: [DelegateCall] = ["light -> dark", "traits", "locale yy_ZZ", "sceneWillEnterForeground"]
      #if WITHOUT_Locale
        expected.remove(at: 2)
      #endif
      #expect(run.takeCalls().prefix(expected.count) == expected[...])
    }
  #endif

  @Test("A saver without a lock: inactive while any is on, and no frame; then all that was asked for at once")
  func saver() throws {
    let run = Run()
    let window = try #require(run.program.application.connectedScenes.first as? WindowScene).windows[0]
    window.setNeedsDisplay()
    run.platform.advance(by: 100)
    let drawn = run.platform.drawCount
    #expect(drawn > 0)
    run.saver(true, "a")
    #expect(run.takeCalls() == ["sceneWillResignActive"])
    #expect(run.application.applicationState == .inactive && run.application.isProtectedDataAvailable)
    run.platform.send(.screenSaver(isOn: true))
    window.setNeedsDisplay()
    let link = FrameLink(window: window) { _ in Issue.record("a frame that cannot be seen") }
    run.platform.advance(by: 1000)
    #expect(run.platform.drawCount == drawn && !window.mayPresentFrame())
    link.invalidate()
    run.saver(false, "a")
    run.platform.advance(by: 1000)
    #expect(run.takeCalls() == [] && run.platform.drawCount == drawn)
    run.platform.send(.screenSaver(isOn: false))
    #expect(run.takeCalls() == ["sceneDidBecomeActive"])
    run.platform.advance(by: 1000)
    #expect(run.platform.drawCount == drawn + 1 && window.mayPresentFrame())
  }

  @Test("A frame that was on its way when a saver came is not reported")
  func lateFrame() throws {
    let run = Run()
    let window = try #require(run.program.application.connectedScenes.first as? WindowScene).windows[0]
    let link = FrameLink(window: window) { _ in }
    run.platform.advance(by: 100)
    run.saver(true, "a")
    run.platform.send(.screenSaver(isOn: true))
    run.platform.advance(by: 1000)
    #expect(window.display.refusedFrames == 0)
    #expect(!run.program.entries.contains { $0.text("name") == "presentFrame" })
    run.platform.send(.screenSaver(isOn: false))
    run.saver(false, "a")
    run.platform.advance(by: 1000)
    #expect(window.display.refusedFrames == 0)
    link.invalidate()
  }

  @Test("A lock during a saver gives background; unlocked, the saver still makes inactive")
  func lockedSaver() {
    let run = Run()
    run.saver(true, "a")
    run.source.host?.post(.concealment(.locked, isOn: true, source: "b"))
    run.platform.deliver()
    #expect(run.takeCalls() == ["sceneWillResignActive", "sceneDidEnterBackground"])
    run.source.host?.post(.concealment(.locked, isOn: false, source: "b"))
    run.platform.deliver()
    #expect(run.takeCalls() == ["sceneWillEnterForeground"])
    run.saver(false, "a")
    #expect(run.takeCalls() == ["sceneDidBecomeActive"])
  }

  @MainActor private final class Inhibitor: IdleInhibitor {
    var wishes: [Bool] = []
    func setInhibited(_ isWanted: Bool) { wishes.append(isWanted) }
  }

  @Test("The desktop's saver is kept away while a scene is in the foreground and the program wants it")
  func idle() {
    let run = Run()
    run.application.isIdleTimerDisabled = true
    let inhibitor = Inhibitor()
    run.source.host?.offer(inhibitor)
    #expect(inhibitor.wishes == [true])
    for window in run.platform.windows.keys { run.platform.minimize(window) }
    run.platform.advance(by: 1000)
    #expect(inhibitor.wishes == [true, false])
    for window in run.platform.windows.keys { run.platform.restore(window) }
    run.platform.deliver()
    run.application.isIdleTimerDisabled = true
    run.application.isIdleTimerDisabled = false
    #expect(inhibitor.wishes == [true, false, true, false])
  }
}
