import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// What stays true when the window manager goes, and when one comes back.
@Suite("A window whose window manager goes")
struct DeathTests {
  private func shown(_ death: DeathFixture) throws -> (HidingFixture, Subject) {
    let hiding = try #require(HidingFixture.named(death.description))
    return (hiding, Subject(Shorthand.shown(hiding.name, framed: hiding.framed)))
  }

  /// The records write R for both directions: a window manager that comes puts the window into a frame.
  private func framing(_ signals: String) -> String {
    let isFramed = signals.contains("R ")
    let words = signals.split(separator: " ").map { $0 == "R" ? "F" : String($0) }.joined(separator: " ")
    return isFramed && !signals.contains("[unviewable]") ? words + " [viewable]" : words
  }

  @Test("stays visible through SIGTERM and the next start", arguments: DeathFixture.all)
  func terminated(death: DeathFixture) throws {
    var (hiding, subject) = try shown(death)
    // When it ends, and is found to have ended
    subject.take("\(death.terminated) FO(N/Nl) WM-")
    // Then the window is visible, as it was
    #expect(subject.levels.visible)
    #expect(subject.root.windowManager == .absent)
    #expect(subject.rootEffects.contains(.discardManagerProperties))
    // When it comes back, then so it is too, unless it comes back as an i3 tab behind others
    _ = subject.root.apply(.windowManager(present: true, name: hiding.name))
    #expect(subject.root.windowManager == .changing)
    subject.take("C0 \(framing(death.again))")
    #expect(subject.levels.visible == (death.description != "i3-tabbed"))
    subject.take([.root(.windowManagerSettled)])
    #expect(subject.root.windowManager == .settled)
  }

  @Test("is visible after SIGKILL although its properties still say Iconic and HIDDEN", arguments: DeathFixture.all)
  func killed(death: DeathFixture) throws {
    // Given an iconified window
    var (hiding, subject) = try shown(death)
    subject.take(hiding.iconify)
    // When the window manager is killed, and is found to be gone
    subject.take("\(death.killedIconified) WM-")
    // Then it is visible where the save-set brought it back; compiz has no frames, and leaves it unmapped
    #expect(subject.levels.visible == (death.description != "compiz"))
    // When another one comes and adopts it as what its properties say
    subject.take("WM+Other C0 \(framing(death.other))")
    // Then that counts again
    let isHidden = death.other.contains("S3") || death.description == "compiz"
    #expect(subject.levels.visible != isHidden)
  }

  @Test("forgets the properties, and keeps the map state and the focus")
  func forgets() {
    for (signal, cause) in [
      ("S3", "viewable"), ("+H", "viewable"), ("Unmap", "unmapped"), ("fUnmap", "frame-unmapped"),
    ] {
      var subject = Subject(Shorthand.shown("Openbox", framed: true))
      subject.take("\(signal) WM-")
      #expect(subject.levels.visibleCause.description == cause)
      // The next one has not written anything yet.
      subject.take("WM+Openbox")
      #expect(subject.levels.visibleCause.description == cause)
    }
    var subject = Subject(Shorthand.shown("KWin", framed: true))
    subject.take("FO(N/Nl) +show C1 WM-")
    #expect(subject.levels.visible)
    subject.take("WM+KWin C1")
    #expect(subject.levels.visible)
    subject.take("FI(N/Nl) WM-")
    #expect(subject.levels.focused)
  }

  @Test("believes HIDDEN again where the next window manager writes what the last one left")
  func hiddenAgain() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take("+H R Map V0 WM-")
    #expect(subject.levels.visible)
    subject.take("WM+Openbox F [viewable] Map +H")
    #expect(subject.levels.visibleCause == "hidden-latch")
  }

  @Test("believes HIDDEN again without frames, where only the loss itself is heard")
  func hiddenAgainWithoutFrames() {
    var subject = Subject(Shorthand.shown("compiz", framed: false))
    subject.take("+H WM- WM+compiz")
    #expect(subject.levels.visible)
    subject.take("+H")
    #expect(subject.levels.visibleCause == "hidden-latch")
  }

  @Test("believes HIDDEN again where the window manager was replaced before anybody noticed")
  func replaced() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take("+H Unmap R Map F [viewable] Map +H")
    #expect(subject.levels.visibleCause == "hidden-latch")
  }

  @Test("takes a reparenting that we did not cause for a sign, and no other")
  func signs() {
    let toRoot = WindowSignal.reparented(parent: 1, parentIsRoot: true)
    let toFrame = WindowSignal.reparented(parent: 7, parentIsRoot: false)
    let sign = RootSignal.windowManagerChanged(cause: "reparented")
    // Under a window manager
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    func found(_ signal: WindowSignal, isForeign: Bool = false) -> RootSignal? {
      subject.window.windowManagerSign(in: signal, root: subject.root, isForeign: isForeign)
    }
    #expect(found(toRoot) == sign)
    #expect(found(.wmState(1)) == nil)
    #expect(found(.unmapped) == nil)
    // After another library's withdrawal, which nobody has told; an icon is not withdrawn
    subject.take("Unmap")
    #expect(found(toRoot) == sign && found(toRoot, isForeign: true) == nil)
    #expect(found(toFrame) == sign && found(toFrame, isForeign: true) == nil)
    subject.take("S3")
    #expect(found(toRoot, isForeign: true) == sign)
    // Which the server maps again where the window manager is gone, and its owner once it has a frame
    subject.take("S1 R")
    #expect(found(.mapped) == nil && found(.mapped, isForeign: true) == sign)
    subject.take("F")
    #expect(found(.mapped, isForeign: true) == nil)
    subject.take("Map")
    #expect(found(toRoot, isForeign: true) == sign)
    // After our own withdrawal
    subject.take("Withdraw Unmap")
    #expect(found(toRoot) == nil)
    // When a new window is framed for the first time
    subject.take("R Show")
    #expect(found(toFrame) == nil)
    // When no window manager was known that could frame it
    subject.take("WM-")
    #expect(found(toFrame) == sign)
    let state = found(.wmState(1))
    #expect(state == .windowManagerChanged(cause: "wm-state"))
    // Before the first answer nothing is a sign.
    subject = Subject(Shorthand.entries("Create Show"))
    #expect(found(toFrame) == nil)
    #expect(found(.wmState(1)) == nil)
  }
}
