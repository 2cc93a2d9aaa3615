import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// The window manager's comings and goings, and the rule that hides windows of other desktops.
@Suite("The desktop")
struct DesktopModelTests {
  private func window(_ signals: String, root: RootModel) -> WindowModel {
    var subject = Subject()
    subject.root = root
    subject.take("Create Show Map S1 D0 " + signals)
    return subject.window
  }

  private func root(_ name: String?, monitors: Int = 1) -> RootModel {
    Subject(Shorthand.shown(name, framed: false, monitors: monitors)).root
  }

  @Test("is settled before anything is known, and after the first answer, whatever it is")
  func start() {
    var root = RootModel()
    #expect(root.windowManager == .settled && !root.isManaged && !root.isKnownUnmanaged)
    #expect(root.apply(.windowManager(present: false, name: nil)) == [])
    #expect(root.windowManager == .settled && root.isKnownUnmanaged)
    root = RootModel()
    #expect(root.apply(.windowManager(present: true, name: nil)) == [])
    #expect(root.windowManager == .settled && root.isManaged)
    // The name comes later than the first answer, and is no change.
    #expect(root.apply(.windowManager(present: true, name: "Openbox")) == [])
    #expect(root.windowManager == .settled && root.name == "Openbox")
  }

  @Test("changes when a window manager starts after us")
  func lateStart() {
    var root = RootModel()
    _ = root.apply(.windowManager(present: false, name: nil))
    #expect(root.apply(.windowManager(present: true, name: "i3")) == [.startSettling])
    #expect(root.windowManager == .changing)
    #expect(root.apply(.windowManagerSettled) == [])
    #expect(root.windowManager == .settled)
  }

  @Test("changes with every sign, and looks again")
  func sign() {
    var root = root("Openbox")
    #expect(root.apply(.windowManagerChanged(cause: "selection")) == [.recheckWindowManager, .startSettling])
    #expect(root.windowManager == .changing)
    // Found as it was: it settles in its time.
    #expect(root.apply(.windowManager(present: true, name: "Openbox")) == [])
    #expect(root.windowManager == .changing)
    _ = root.apply(.windowManagerSettled)
    #expect(root.windowManager == .settled)
  }

  @Test("is without a window manager after its loss, until another comes")
  func loss() {
    var root = root("Openbox")
    _ = root.apply(.supports(activeWindow: true, hidden: true))
    _ = root.apply(.windowManagerChanged(cause: "selection"))
    #expect(root.apply(.windowManager(present: false, name: nil)) == [.discardManagerProperties])
    #expect(root.windowManager == .absent && !root.supportsActiveWindow && root.supportsHidden == nil)
    #expect(root.currentWorkspace == nil)
    // The timer of the sign is still running.
    _ = root.apply(.windowManagerSettled)
    #expect(root.windowManager == .absent)
    // A second look finds nothing new.
    #expect(root.apply(.windowManager(present: false, name: nil)) == [])
    #expect(root.apply(.windowManager(present: true, name: "i3")) == [.startSettling])
    #expect(root.windowManager == .changing)
  }

  @Test("changes when the window manager is replaced by another one")
  func replacement() {
    var root = root("Openbox")
    #expect(root.apply(.windowManager(present: true, name: "Xfwm4")) == [.startSettling])
    #expect(root.windowManager == .changing && root.isManaged)
    // Nothing is forgotten: the new one has written its properties already.
    #expect(root.currentWorkspace == 0)
  }

  @Test("hides windows of other desktops under KWin, whatever the monitors", arguments: ["KWin", "kwin"], [1, 2])
  func neededRule(name: String, monitors: Int) {
    var root = root(name, monitors: monitors)
    let left = window("", root: root)
    #expect(root.apply(.currentWorkspace(1), windows: [left]) == [])
    #expect(left.levels(root: root).visibleCause == "other-desktop")
    #expect(window("D*", root: root).levels(root: root).visible)
    #expect(window("D1", root: root).levels(root: root).visible)
  }

  @Test(
    "never hides windows of other desktops under window managers with desktops per monitor",
    arguments: [
      "i3", "herbstluftwm", "bspwm", "awesome", "spectrwm", "qtile", "xmonad", "I3", "Qtile",
    ])
  func wrongRule(name: String) {
    var root = root(name)
    let left = window("", root: root)
    #expect(root.apply(.currentWorkspace(1), windows: [left]) == [])
    _ = root.apply(.workspaceRuleDue, windows: [left])
    #expect(left.levels(root: root).visible)
  }

  @Test("watches an unknown window manager on one monitor, and takes its word for the other windows too")
  func calibration() {
    // Given an unknown one that leaves a window without a sign
    var root = root("Unknown")
    let left = window("", root: root)
    #expect(root.apply(.currentWorkspace(1), windows: [left]) == [.startWorkspaceRuleDeadline])
    #expect(left.levels(root: root).visible)
    // When nothing has hidden it in time
    _ = root.apply(.workspaceRuleDue, windows: [left])
    // Then the rule does, from now on without a wait
    #expect(left.levels(root: root).visibleCause == "other-desktop")
    #expect(root.apply(.currentWorkspace(0), windows: [left]) == [])
    #expect(left.levels(root: root).visible)
    #expect(root.apply(.currentWorkspace(2), windows: [left]) == [])
    #expect(!left.levels(root: root).visible)
    // Until a second monitor comes
    _ = root.apply(.monitors([Shorthand.monitor, Shorthand.monitor]))
    #expect(left.levels(root: root).visible)
    _ = root.apply(.monitors([Shorthand.monitor]))
    // Or another window manager
    _ = root.apply(.windowManager(present: true, name: "Another"))
    #expect(left.levels(root: root).visible)
    #expect(root.apply(.currentWorkspace(3), windows: [left]) == [.startWorkspaceRuleDeadline])
  }

  @Test(
    "leaves the rule off where the window manager hides by itself what it leaves",
    arguments: [
      "Unmap", "S3", "S0", "Unmap S3", "off",
    ])
  func hidesByItself(signals: String) {
    var root = root("Unknown")
    _ = root.apply(.currentWorkspace(1), windows: [window("", root: root)])
    // One window was hidden; the other is shown in some way of the window manager's own.
    let other = window("", root: root)
    _ = root.apply(.workspaceRuleDue, windows: [other, window(signals, root: root)])
    #expect(other.levels(root: root).visible)
    // That is decided for good.
    #expect(root.apply(.currentWorkspace(2), windows: [other]) == [])
    _ = root.apply(.workspaceRuleDue, windows: [other])
    #expect(other.levels(root: root).visible)
  }

  @Test(
    "decides nothing by windows that cannot tell",
    arguments: [
      "D1", "D*", "+H", "+H Unmap S3", "Withdraw", "Withdraw Unmap", "Destroy",
    ])
  func cannotTell(signals: String) {
    var root = root("Unknown")
    let silent = window(signals, root: root)
    _ = root.apply(.currentWorkspace(1), windows: [silent])
    _ = root.apply(.workspaceRuleDue, windows: [silent])
    // The next change is watched again, and an iconified window does not speak for the other.
    let left = window("", root: root)
    #expect(root.apply(.currentWorkspace(2), windows: [silent, left]) == [.startWorkspaceRuleDeadline])
    _ = root.apply(.workspaceRuleDue, windows: [silent, left])
    #expect(left.levels(root: root).visibleCause == "other-desktop")
  }

  @Test("decides nothing where the user has come back before the time was over")
  func returned() {
    var root = root("Unknown")
    let left = window("", root: root)
    _ = root.apply(.currentWorkspace(1), windows: [left])
    _ = root.apply(.currentWorkspace(0), windows: [left])
    _ = root.apply(.workspaceRuleDue, windows: [left])
    #expect(root.apply(.currentWorkspace(1), windows: [left]) == [.startWorkspaceRuleDeadline])
  }

  @Test("watches only what leaves one of our windows behind")
  func nothingLeft() {
    var root = root("Unknown")
    #expect(root.apply(.currentWorkspace(1)) == [])
    #expect(root.apply(.currentWorkspace(2), windows: [window("D*", root: root)]) == [])
    #expect(root.apply(.currentWorkspace(2), windows: [window("", root: root)]) == [])
    #expect(root.apply(.currentWorkspace(nil), windows: [window("", root: root)]) == [])
  }
}
