import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// The window manager's comings and goings, and the rule that hides windows of other desktops.
@Suite("The desktop")
struct DesktopModelTests {
  private func window(_ signals: String, desktop: DesktopModel) -> WindowModel {
    var subject = Subject()
    subject.desktop = desktop
    subject.take("Create Show Map S1 D0 " + signals)
    return subject.window
  }

  private func desktop(_ name: String?, monitors: Int = 1) -> DesktopModel {
    Subject(Shorthand.shown(name, framed: false, monitors: monitors)).desktop
  }

  @Test("is settled before anything is known, and after the first answer, whatever it is")
  func start() {
    var desktop = DesktopModel()
    #expect(desktop.windowManager == .settled && !desktop.isManaged && !desktop.isKnownUnmanaged)
    #expect(desktop.apply(.windowManager(present: false, name: nil)) == [])
    #expect(desktop.windowManager == .settled && desktop.isKnownUnmanaged)
    desktop = DesktopModel()
    #expect(desktop.apply(.windowManager(present: true, name: nil)) == [])
    #expect(desktop.windowManager == .settled && desktop.isManaged)
    // The name comes later than the first answer, and is no change.
    #expect(desktop.apply(.windowManager(present: true, name: "Openbox")) == [])
    #expect(desktop.windowManager == .settled && desktop.name == "Openbox")
  }

  @Test("changes when a window manager starts after us")
  func lateStart() {
    var desktop = DesktopModel()
    _ = desktop.apply(.windowManager(present: false, name: nil))
    #expect(desktop.apply(.windowManager(present: true, name: "i3")) == [.startSettling])
    #expect(desktop.windowManager == .changing)
    #expect(desktop.apply(.windowManagerSettled) == [])
    #expect(desktop.windowManager == .settled)
  }

  @Test("changes with every sign, and looks again")
  func sign() {
    var desktop = desktop("Openbox")
    #expect(desktop.apply(.windowManagerChanged(cause: "selection")) == [.recheckWindowManager, .startSettling])
    #expect(desktop.windowManager == .changing)
    // Found as it was: it settles in its time.
    #expect(desktop.apply(.windowManager(present: true, name: "Openbox")) == [])
    #expect(desktop.windowManager == .changing)
    _ = desktop.apply(.windowManagerSettled)
    #expect(desktop.windowManager == .settled)
  }

  @Test("is without a window manager after its loss, until another comes")
  func loss() {
    var desktop = desktop("Openbox")
    _ = desktop.apply(.supportsActiveWindow(true))
    _ = desktop.apply(.windowManagerChanged(cause: "selection"))
    #expect(desktop.apply(.windowManager(present: false, name: nil)) == [.forgetManagerProperties])
    #expect(desktop.windowManager == .absent && !desktop.supportsActiveWindow && desktop.current == nil)
    // The timer of the sign is still running.
    _ = desktop.apply(.windowManagerSettled)
    #expect(desktop.windowManager == .absent)
    // A second look finds nothing new.
    #expect(desktop.apply(.windowManager(present: false, name: nil)) == [])
    #expect(desktop.apply(.windowManager(present: true, name: "i3")) == [.startSettling])
    #expect(desktop.windowManager == .changing)
  }

  @Test("changes when the window manager is replaced by another one")
  func replacement() {
    var desktop = desktop("Openbox")
    #expect(desktop.apply(.windowManager(present: true, name: "Xfwm4")) == [.startSettling])
    #expect(desktop.windowManager == .changing && desktop.isManaged)
    // Nothing is forgotten: the new one has written its properties already.
    #expect(desktop.current == 0)
  }

  @Test("hides windows of other desktops under KWin, whatever the monitors", arguments: ["KWin", "kwin"], [1, 2])
  func neededRule(name: String, monitors: Int) {
    var desktop = desktop(name, monitors: monitors)
    let left = window("", desktop: desktop)
    #expect(desktop.apply(.currentDesktop(1), windows: [left]) == [])
    #expect(left.levels(desktop: desktop).visibleCause == "other-desktop")
    #expect(window("D*", desktop: desktop).levels(desktop: desktop).visible)
    #expect(window("D1", desktop: desktop).levels(desktop: desktop).visible)
  }

  @Test(
    "never hides windows of other desktops under window managers with desktops per monitor",
    arguments: [
      "i3", "herbstluftwm", "bspwm", "awesome", "spectrwm", "qtile", "xmonad", "I3", "Qtile",
    ])
  func wrongRule(name: String) {
    var desktop = desktop(name)
    let left = window("", desktop: desktop)
    #expect(desktop.apply(.currentDesktop(1), windows: [left]) == [])
    _ = desktop.apply(.desktopRuleDue, windows: [left])
    #expect(left.levels(desktop: desktop).visible)
  }

  @Test("watches an unknown window manager on one monitor, and takes its word for the other windows too")
  func calibration() {
    // Given an unknown one that leaves a window without a sign
    var desktop = desktop("Unknown")
    let left = window("", desktop: desktop)
    #expect(desktop.apply(.currentDesktop(1), windows: [left]) == [.startDesktopRuleTimer])
    #expect(left.levels(desktop: desktop).visible)
    // When nothing has hidden it in time
    _ = desktop.apply(.desktopRuleDue, windows: [left])
    // Then the rule does, from now on without a wait
    #expect(left.levels(desktop: desktop).visibleCause == "other-desktop")
    #expect(desktop.apply(.currentDesktop(0), windows: [left]) == [])
    #expect(left.levels(desktop: desktop).visible)
    #expect(desktop.apply(.currentDesktop(2), windows: [left]) == [])
    #expect(!left.levels(desktop: desktop).visible)
    // Until a second monitor comes
    _ = desktop.apply(.monitors([Shorthand.monitor, Shorthand.monitor]))
    #expect(left.levels(desktop: desktop).visible)
    _ = desktop.apply(.monitors([Shorthand.monitor]))
    // Or another window manager
    _ = desktop.apply(.windowManager(present: true, name: "Another"))
    #expect(left.levels(desktop: desktop).visible)
    #expect(desktop.apply(.currentDesktop(3), windows: [left]) == [.startDesktopRuleTimer])
  }

  @Test(
    "leaves the rule off where the window manager hides by itself what it leaves",
    arguments: [
      "Unmap", "S3", "S0", "Unmap S3", "off",
    ])
  func hidesByItself(signals: String) {
    var desktop = desktop("Unknown")
    _ = desktop.apply(.currentDesktop(1), windows: [window("", desktop: desktop)])
    // One window was hidden; the other is shown in some way of the window manager's own.
    let other = window("", desktop: desktop)
    _ = desktop.apply(.desktopRuleDue, windows: [other, window(signals, desktop: desktop)])
    #expect(other.levels(desktop: desktop).visible)
    // That is decided for good.
    #expect(desktop.apply(.currentDesktop(2), windows: [other]) == [])
    _ = desktop.apply(.desktopRuleDue, windows: [other])
    #expect(other.levels(desktop: desktop).visible)
  }

  @Test(
    "decides nothing by windows that cannot tell",
    arguments: [
      "D1", "D*", "+H", "+H Unmap S3", "Withdraw", "Withdraw Unmap", "Destroy",
    ])
  func cannotTell(signals: String) {
    var desktop = desktop("Unknown")
    let silent = window(signals, desktop: desktop)
    _ = desktop.apply(.currentDesktop(1), windows: [silent])
    _ = desktop.apply(.desktopRuleDue, windows: [silent])
    // The next change is watched again, and an iconified window does not speak for the other.
    let left = window("", desktop: desktop)
    #expect(desktop.apply(.currentDesktop(2), windows: [silent, left]) == [.startDesktopRuleTimer])
    _ = desktop.apply(.desktopRuleDue, windows: [silent, left])
    #expect(left.levels(desktop: desktop).visibleCause == "other-desktop")
  }

  @Test("decides nothing where the user has come back before the time was over")
  func returned() {
    var desktop = desktop("Unknown")
    let left = window("", desktop: desktop)
    _ = desktop.apply(.currentDesktop(1), windows: [left])
    _ = desktop.apply(.currentDesktop(0), windows: [left])
    _ = desktop.apply(.desktopRuleDue, windows: [left])
    #expect(desktop.apply(.currentDesktop(1), windows: [left]) == [.startDesktopRuleTimer])
  }

  @Test("watches only what leaves one of our windows behind")
  func nothingLeft() {
    var desktop = desktop("Unknown")
    #expect(desktop.apply(.currentDesktop(1)) == [])
    #expect(desktop.apply(.currentDesktop(2), windows: [window("D*", desktop: desktop)]) == [])
    #expect(desktop.apply(.currentDesktop(2), windows: [window("", desktop: desktop)]) == [])
    #expect(desktop.apply(.currentDesktop(nil), windows: [window("", desktop: desktop)]) == [])
  }
}
