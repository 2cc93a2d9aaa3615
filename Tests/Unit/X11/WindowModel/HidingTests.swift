import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Every hiding that was recorded, under every window manager.
@Suite("A window that a window manager hides")
struct HidingTests {
  private static let managed = HidingFixture.all.filter { $0.description != "none" }

  /// Runs a log through its text form, so that what is asserted of the model holds for recorded files too.
  private func end(of entries: [WindowLog.Entry]) throws -> WindowLevels {
    let replay = WindowReplay(WindowLog.text(entries))
    #expect(replay.errors.isEmpty)
    return try #require(replay.levels(WindowID(rawValue: 0xA)))
  }

  private func shown(_ fixture: HidingFixture) -> [WindowLog.Entry] {
    Shorthand.shown(fixture.name, framed: fixture.framed)
  }

  @Test("is visible and focused before anything happens", arguments: managed)
  func start(fixture: HidingFixture) throws {
    let levels = try end(of: shown(fixture))
    #expect(levels.visible && levels.focused && !levels.isWithdrawn && !levels.occluded && !levels.grabbed)
  }

  @Test("is hidden while iconified and visible afterwards", arguments: managed)
  func iconify(fixture: HidingFixture) throws {
    let isIgnored = fixture.iconify.isEmpty || fixture.iconify == "S1"
    let iconified = shown(fixture) + Shorthand.entries(fixture.iconify)
    #expect(try end(of: iconified).visible == isIgnored)
    #expect(try end(of: iconified + Shorthand.entries(fixture.undo(fixture.iconify))).visible)
  }

  @Test("is hidden while its desktop is away, whichever is heard first", arguments: managed, [true, false])
  func root(fixture: HidingFixture, rootFirst: Bool) throws {
    func switching(_ root: String, _ signals: String) -> [WindowLog.Entry] {
      Shorthand.entries(rootFirst ? "\(root) \(signals)" : "\(signals) \(root)")
    }
    let needsRule = fixture.name == "KWin"
    guard !fixture.away.isEmpty || needsRule else { return }
    let away = shown(fixture) + switching("C1", fixture.away + " FO(N/Nl)") + Shorthand.entries("due")
    let position = fixture.away.contains("off") ? " on" : ""
    let back = away + switching("C0", fixture.back + position) + Shorthand.entries("due FI(N/Nl)")
    let left = try end(of: away)
    #expect(!left.visible && !left.focused)
    if fixture.away.isEmpty { #expect(left.visibleCause == "other-desktop") }
    let returned = try end(of: back)
    #expect(returned.visible && returned.focused)
  }

  @Test("is hidden after it was sent to another desktop", arguments: managed)
  func send(fixture: HidingFixture) throws {
    guard !fixture.send.isEmpty else { return }
    #expect(try !end(of: shown(fixture) + Shorthand.entries(fixture.send)).visible)
  }

  @Test("is hidden while the desktop is shown and visible afterwards", arguments: managed, [true, false])
  func showDesktop(fixture: HidingFixture, rootFirst: Bool) throws {
    guard !fixture.showDesktop.isEmpty else { return }
    let shows = fixture.showDesktop
    let on = Shorthand.entries(rootFirst ? "+show \(shows) FO(N/Nl)" : "\(shows) FO(N/Nl) +show")
    let off = Shorthand.entries(rootFirst ? "-show \(fixture.undo(shows))" : "\(fixture.undo(shows)) -show")
    #expect(try !end(of: shown(fixture) + on).visible)
    #expect(try end(of: shown(fixture) + on + off).visible)
  }

  @Test("is occluded but visible under a full-screen window, unless it is hidden", arguments: managed)
  func cover(fixture: HidingFixture) throws {
    let levels = try end(of: shown(fixture) + Shorthand.entries(fixture.cover))
    switch fixture.cover {
    case "": #expect(levels.visible && !levels.occluded)
    case "V2": #expect(levels.visible && levels.occluded)
    default: #expect(!levels.visible && !levels.occluded)
    }
  }

  @Test("is hidden while shaded, where the window manager says so", arguments: managed)
  func shade(fixture: HidingFixture) throws {
    let levels = try end(of: shown(fixture) + Shorthand.entries(fixture.shade))
    let staysMapped = ["", "V2", "V1 V2 fUnmap fMap V2"].contains(fixture.shade)
    #expect(levels.visible == staysMapped)
  }

  @Test(
    "shows again without HIDDEN being removed, and hides again when it is written anew", arguments: ["jwm", "fvwm3"])
  func staleHidden(name: String) throws {
    // Given a window that was de-iconified by MapWindow, with HIDDEN left on it
    let fixture = try #require(HidingFixture.named(name))
    let iconified = shown(fixture) + Shorthand.entries(fixture.iconify)
    let stale = iconified + Shorthand.entries(fixture.undo(fixture.iconify))
    #expect(try end(of: stale).visible)
    // When another part of the state changes and HIDDEN is merely still there, then nothing happens
    let maximized: WindowSignal = .netState([.hidden, .maximizedVertically])
    let touched = stale + [.window(WindowID(rawValue: 0xA), maximized)]
    #expect(try end(of: touched).visible)
    // When another window covers all of it, then it is covered, and not hidden
    let covered = try end(of: touched + Shorthand.entries("FO(N/Nl) V2 +H"))
    #expect(covered.visible && covered.occluded)
    // When it goes and comes, then it hides
    #expect(try end(of: touched + Shorthand.entries("-H +H")).visibleCause == "hidden-latch")
  }

  @Test(
    "is visible where it was an icon and is mapped again before the answer comes, which still has HIDDEN",
    arguments: ["jwm", "fvwm3"], ["Unmap fUnmap ~H S3 Map fMap +H S1", "Unmap fUnmap S3 ~H Map fMap V0 ~H S1 +H"])
  func staleAnswer(name: String, history: String) throws {
    let fixture = try #require(HidingFixture.named(name))
    let back = shown(fixture) + Shorthand.entries(history)
    #expect(try end(of: back).visible)
    #expect(try end(of: back + Shorthand.entries("V0 -cm V2")).visible)
    // What is announced after the map counts, and so does all that i3 writes, which leaves nothing behind.
    #expect(try end(of: back + Shorthand.entries("~H -H ~H +H")).visibleCause == "hidden-latch")
    let tab = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) ~H Unmap Map ~H +H")
    #expect(try end(of: tab).visibleCause == "hidden-latch")
  }

  @Test(
    "is hidden as an i3 tab that was chosen and left before the answer to either change", arguments: ["-cm", "+cm"])
  func tabGlimpsed(compositor: String) throws {
    let back = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) ~H +H V2")
    let glimpsed = "~H V0 FI(N/Nl) ~H FO(N/Nl) V2 \(compositor) +H"
    #expect(try end(of: back + Shorthand.entries(glimpsed)).visibleCause == "hidden-latch")
    // It is chosen again, with the answer before and after the focus.
    for chosen in ["~H V0 FI(N/Nl) -H", "~H -H V0 FI(N/Nl)"] {
      #expect(try end(of: back + Shorthand.entries("\(glimpsed) \(chosen)")).visible, "\(chosen)")
    }
  }

  @Test(
    "is hidden as an i3 tab in the back, and visible when its tab is chosen",
    arguments: [
      "FI(N/Nl)", "FI(N/An)", "FI(WG/Nl)", "-H", "V0 -cm", "V1 -cm", "S3 S1", "Unmap Map",
    ])
  func tab(chosen: String) throws {
    let back = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) +H")
    #expect(try end(of: back).visibleCause == "hidden-latch")
    #expect(try end(of: back + Shorthand.entries(chosen)).visible)
  }

  @Test(
    "stays hidden as an i3 tab in the back when its workspace is shown again, with and without VisibilityNotify",
    arguments: [
      "S0 fUnmap S1 fMap V2", "S0 fUnmap S1 fMap", "V2 S0 fUnmap S1 fMap V2",
      // Mapped before the tab in front.
      "S0 fUnmap S1 fMap V0 -cm V2", "S0 fUnmap S1 fMap V0 V2 -cm", "S0 fUnmap S1 fMap V0 -cm V1 V2 +H",
    ])
  func tabOfAWorkspace(awayAndBack: String) throws {
    let back = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) +H V2 " + awayAndBack)
    #expect(try end(of: back).visibleCause == "hidden-latch")
    #expect(try end(of: back + Shorthand.entries("-H V0 FI(N/Nl)")).visible)
  }

  @Test(
    "stays hidden as a tab in the back whose cover the server does not report: of another visual, or composited",
    arguments: ["", "apart "], ["V0", "V0 V1", "S0 fUnmap S1 fMap V0", "V0 +H"])
  func tabThatIsRedirected(itself: String, awayAndBack: String) throws {
    let back = Shorthand.shown("i3", framed: true) + Shorthand.entries(itself + "FO(N/Nl) +H " + awayAndBack)
    // While it is being asked, too.
    #expect(try end(of: back).visibleCause == "hidden-latch")
    let answered = back + Shorthand.entries(itself.isEmpty ? "+cm" : "-cm")
    #expect(try end(of: answered).visibleCause == "hidden-latch")
    #expect(try end(of: answered + Shorthand.entries("-H FI(N/Nl)")).visible)
  }

  @Test("asks once whether a compositing manager runs, and of each contradiction anew")
  func asksForTheCompositor() {
    var subject = Subject(Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl)"))
    func asked(_ text: String) -> Int {
      subject.windowEffects = []
      subject.take(text)
      return subject.windowEffects.filter { $0 == .queryCompositor }.count
    }
    #expect(asked("V1 V0 V2") == 0, "nothing is contradicted")
    #expect(asked("+H V0 V1 V0") == 1)
    #expect(asked("+cm") == 0)
    #expect(subject.levels.visibleCause == "hidden-latch")
    // A compositing manager may end.
    #expect(asked("V0") == 1)
    #expect(asked("-cm V0") == 0)
    #expect(subject.levels.visible)
  }

  @Test("an answer that comes late says nothing about what has happened since", arguments: ["-H +H", "Unmap Map +H"])
  func lateCompositor(since: String) throws {
    let asked = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) +H V0 -H " + since)
    #expect(try end(of: asked + Shorthand.entries("-cm")).visibleCause == "hidden-latch")
    let shown = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) +H V0 -H +cm")
    #expect(try end(of: shown).visible)
  }

  @Test("is hidden as an i3 tab whose HIDDEN was left by an i3 that died, once another tab is in front")
  func tabOfARestartedManager() throws {
    // Given a tab in the back; i3 dies and comes again, and finds HIDDEN on the window
    let back = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) +H V2")
    let adopted = back + Shorthand.entries("Unmap R Map V0 WM- V2 WM+i3 Unmap F [viewable] Map S1 +H V0 FI(N/Nl)")
    #expect(try end(of: adopted).visible)
    // When it is covered, and HIDDEN is merely still there, then nothing happens
    #expect(try end(of: adopted + Shorthand.entries("V2 +H FO(N/Nl)")).visible)
    // When the other tab comes in front, and i3 appends HIDDEN to the list that has it, then it is hidden
    for hiding in ["V2 +HH FO(N/Nl)", "+HH FO(N/Nl)", "FO(N/Nl) +HH V2"] {
      #expect(try end(of: adopted + Shorthand.entries(hiding)).visibleCause == "hidden-latch", "\(hiding)")
    }
    // Nothing is left once its tab is in front again
    let front = adopted + Shorthand.entries("V2 +HH FO(N/Nl) -H V0 FI(N/Nl)")
    #expect(try end(of: front).visible)
    #expect(try end(of: front + Shorthand.entries("FO(N/Nl) +H")).visibleCause == "hidden-latch")
  }

  @Test(
    "is visible with the focus though the next window manager writes beside a HIDDEN that the last one left",
    arguments: [
      // It is not known that there was none between the two, and it is known.
      ("Openbox", "+H S3 Unmap R Map Unmap F [viewable] Map"),
      ("Openbox", "+H S3 Unmap R Map V0 WM- WM+i3 Unmap F [viewable] Map"),
      ("compiz", "+H WM- WM+i3"),
      ("i3", "FO(N/Nl) +H V2 Unmap R Map V0 WM- WM+i3 Unmap F [viewable] Map"),
    ])
  func leftHidden(name: String, next: String) throws {
    let managed = Shorthand.shown(name, framed: name != "compiz") + Shorthand.entries(next + " S1 V0 FI(N/Nl)")
    #expect(try end(of: managed).visible)
    let beside = managed + Shorthand.entries("+H")
    #expect(try end(of: beside).visible)
    // When the focus goes to another window, and HIDDEN is still there
    #expect(try end(of: beside + Shorthand.entries("FO(N/Nl) +H")).visible)
    // When it is covered by that, then it is not hidden
    #expect(try end(of: beside + Shorthand.entries("FO(N/Nl) +H V2")).visible)
    // When HIDDEN comes anew, also beside the one that is there, then it counts
    for hiding in ["FO(N/Nl) +HH", "+HH FO(N/Nl)", "FO(N/Nl) V2 +HH +HHH", "-H FO(N/Nl) +H", "-H +H"] {
      #expect(try end(of: beside + Shorthand.entries(hiding)).visibleCause == "hidden-latch", "\(hiding)")
    }
  }

  @Test(
    "is hidden by the next window manager, which writes HIDDEN anew, once it has an icon of it or the focus is gone")
  func hiddenAfterALeftOne() throws {
    let managed =
      Shorthand.shown("Openbox", framed: true)
      + Shorthand.entries("+H S3 Unmap R Map V0 WM- WM+Mutter F [viewable] Map S1 FI(N/Nl)")
    for hiding in ["S3 +H S-", "FO(N/Nl) +H"] {
      #expect(try end(of: managed + Shorthand.entries(hiding)).visibleCause == "hidden-latch", "\(hiding)")
    }
  }

  @Test(
    "is visible though HIDDEN is found on it in the normal state, under all window managers but i3",
    arguments: [("JWM", true), ("FVWM", true), ("dwm", true), ("i3", false)])
  func foundHidden(name: String, isVisible: Bool) throws {
    let found = Shorthand.shown(name, framed: true) + Shorthand.entries("FO(N/Nl) =H")
    #expect(try end(of: found).visible == isVisible)
    // Found once more, or merely still there
    for again in ["=H", "+H", "=H +H V2 fUnmap fMap"] {
      #expect(try end(of: found + Shorthand.entries(again)).visible == isVisible, "\(again)")
    }
    for shown in ["-H", "FI(N/Nl)", "V0 -cm", "S3 S1", "Unmap Map"] {
      #expect(try end(of: found + Shorthand.entries(shown)).visible, "\(shown)")
    }
    for hidden in ["S-", "-H +H", "+HH", "=H +HH"] {
      #expect(try end(of: found + Shorthand.entries(hidden)).visibleCause == "hidden-latch", "\(hidden)")
    }
    #expect(try end(of: found + Shorthand.entries("V2")).visible == isVisible)
    // Found again under the next window manager, which has not written it
    for next in ["WM- WM+i3 =H", "WM- WM+i3 =H S1", "WM- WM+dwm S1 =H"] {
      #expect(try end(of: found + Shorthand.entries(next)).visible, "\(next)")
    }
    // Found where it has appeared before
    #expect(try end(of: found + Shorthand.entries("-H +H =H")).visibleCause == "hidden-latch")
  }

  @Test(
    "keeps the latch where nothing contradicts it",
    arguments: [
      "FI(N/Pt)", "FI(N/PR)", "FI(N/In)", "FI(Ungrab/An)", "FI(Grab/Nl)", "V2", "S1", "fUnmap fMap", "D0", "K", "+H",
    ])
  func keptLatch(signal: String) throws {
    let latched = Shorthand.shown("i3", framed: true) + Shorthand.entries("FO(N/Nl) +H")
    #expect(try end(of: latched + Shorthand.entries(signal)).visibleCause == "hidden-latch")
  }

  @Test("keeps the latch on a focus event while WM_STATE is not Normal")
  func keptLatchWhileIconic() throws {
    let iconic = Shorthand.shown("Mutter", framed: true) + Shorthand.entries("S3 +H FI(N/Nl) S-")
    #expect(try end(of: iconic).visibleCause == "hidden-latch")
  }

  @Test(
    "is visible once it is back, with the focus and without, whatever the root says of the desktop", arguments: managed)
  func backOverDesktop(fixture: HidingFixture) throws {
    guard !fixture.showDesktop.isEmpty else { return }
    let hidden = shown(fixture) + Shorthand.entries("+show \(fixture.showDesktop) FO(N/Nl)")
    let back = hidden + Shorthand.entries(fixture.undo(fixture.showDesktop))
    #expect(try end(of: back).visible)
    #expect(try end(of: back + Shorthand.entries("FI(N/Nl)")).visible)
    #expect(try end(of: back + Shorthand.entries("FI(N/Nl) FO(N/Nl)")).visible)
  }

  @Test("is hidden by show-desktop only under a desktop's window, without the focus, and for as long as it is shown")
  func showDesktopRule() throws {
    let asked = Shorthand.shown("KWin", framed: true) + Shorthand.entries("+show FO(N/Nl)")
    #expect(try end(of: asked).visible)
    let covered = asked + Shorthand.entries("+desk")
    #expect(try end(of: covered).visibleCause == "showing-desktop")
    for end in ["FI(N/Nl)", "-desk", "-show", "WM-"] {
      #expect(try self.end(of: covered + Shorthand.entries(end)).visible, "\(end)")
    }
    #expect(try end(of: covered + Shorthand.entries("WM- WM+KWin +show")).visible)
  }

  @Test("is hidden by show-desktop where desktops' windows cover all of it that is on monitors, one on each")
  func desktopsOfMonitors() throws {
    let left = Rect(x: 0, y: 0, width: 300, height: 900)
    let right = Rect(x: 300, y: 0, width: 852, height: 900)
    let widget = Rect(x: 20, y: 20, width: 600, height: 400)
    // Given a window on two monitors, whose lower edge is on neither
    let low = Rect(x: 10, y: 10, width: 640, height: 2000)
    let asked =
      Shorthand.shown("KWin", framed: true) + Shorthand.entries("+show FO(N/Nl)")
      + [.root(.monitors([left, right])), .window(WindowID(rawValue: 0xA), .configured(low, isAbsolute: true))]
    for (desktops, isVisible) in [
      ([left], true), ([right], true), ([widget], true), ([left, widget], true), ([left, right], false),
      ([left.union(right)], false),
    ] {
      let levels = try end(of: asked + [.window(WindowID(rawValue: 0xA), .desktopsAbove(desktops))])
      #expect(levels.visible == isVisible, "\(desktops)")
    }
  }
}
