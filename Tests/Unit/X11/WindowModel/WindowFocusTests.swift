import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Who has the keyboard, by core focus events alone.
@Suite("The focus of a window")
struct WindowFocusTests {
  private func subject(focused: Bool, managed: Bool = true) -> Subject {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    if !focused { subject.take("FO(N/Nl)") }
    if !managed { subject.take("WM- R") }
    return subject
  }

  @Test(
    "follows the recorded sequences",
    arguments: [
      // click, pointer only (window managers that let the focus follow it)
      (false, "FI(N/Nl)", true), (false, "FO(N/Pt) FI(N/Nl)", true), (false, "", false), (true, "FO(N/Nl)", false),
      // bspwm between desktops
      (true, "FO(N/An)", false), (false, "FO(N/Pt) FI(N/An)", true),
      // a foreign grab, an own grab, both ended
      (true, "FO(Grab/An) FO(Ungrab/Pt) FI(Ungrab/An)", true), (true, "FO(Grab/Nl) FI(Grab/Nl)", true),
      (true, "FO(Grab/Nl) FI(Grab/Nl) FO(Ungrab/Nl) FI(Ungrab/Nl)", true),
      // the focus moves during a grab: the window it leaves, the one it comes to, matchbox' order
      (true, "FO(Grab/An) FO(WG/Nl) FO(Ungrab/Pt)", false), (false, "FI(WG/Nl) FI(Ungrab/An)", true),
      (true, "FO(Grab/An) FO(WG/Nl)", false), (false, "FI(WG/Nl) FO(Ungrab/Pt) FI(Ungrab/An)", true),
      // i3lock, unlocked
      (true, "FO(Grab/An) FO(Ungrab/Pt) FI(Ungrab/An)", true),
    ] as [(Bool, String, Bool)])
  func sequences(before: Bool, signals: String, after: Bool) {
    var subject = subject(focused: before)
    subject.take(signals)
    #expect(subject.levels.focused == after)
    #expect(!subject.levels.grabbed)
  }

  @Test(
    "is interrupted while another client holds the keyboard, and no longer",
    arguments: [
      ("FO(Grab/An)", true), ("FO(Grab/Nl)", true), ("FO(Grab/An) FO(Ungrab/Pt)", true),
      ("FO(Grab/An) FO(Ungrab/Pt) FI(Ungrab/An)", false), ("FO(Grab/Nl) FI(Ungrab/Nl)", false),
      // our own grab
      ("FO(Grab/Nl) FI(Grab/Nl)", false), ("FO(Grab/Nl) FI(Grab/Nl) FO(Ungrab/Nl)", false),
      ("FO(Grab/Nl) FI(Grab/Nl) FO(WG/Nl) FI(WG/Nl)", false),
      // the focus leaves, and comes back, during the grab
      ("FO(Grab/An) FO(WG/Nl)", false), ("FO(Grab/An) FO(WG/Nl) FI(WG/Nl)", true),
      ("FO(Grab/An) FO(WG/Nl) FI(WG/Nl) FI(Ungrab/An)", false),
      ("FO(WG/Nl) FI(WG/Nl)", true),
      // the end was lost, and a later event could only come without a grab
      ("FO(Grab/An) K", false), ("FO(Grab/An) FI(N/Nl)", false), ("FO(Grab/An) FO(N/Pt)", false),
      ("FO(Grab/An) FO(N/Nl)", false), ("FO(Grab/An) FO(N/Nl) FI(N/Nl)", false), ("FO(Grab/An) Unmap Map", false),
      // details that say something about the pointer or a child are no grabs
      ("FO(Grab/Pt)", false), ("FI(Grab/Pt)", false), ("FO(Grab/In)", false), ("FO(Grab/An) FI(Grab/Pt)", true),
    ])
  func grabs(signals: String, grabbed: Bool) {
    var subject = subject(focused: true)
    subject.take(signals)
    #expect(subject.levels.grabbed == grabbed, "\(signals)")
  }

  @Test(
    "tells what decided",
    arguments: [
      ("", "focus-in"), ("FO(N/Nl)", "focus-out"), ("Unmap", "unmapped"), ("Unmap FO(N/Nl)", "unmapped"),
      ("FO(N/Nl) Unmap", "unmapped"), ("FO(N/Nl) K", "key-press"), ("FO(N/Nl) FI(WG/An)", "focus-in"),
      ("Withdraw", "unmapped"),
    ])
  func causes(signals: String, cause: String) {
    var subject = subject(focused: true)
    subject.take(signals)
    #expect(subject.levels.focusedCause.description == cause)
  }

  @Test(
    "obeys Normal and WhileGrabbed events about itself, and no others", arguments: WindowSignal.Mode.allCases,
    WindowSignal.Detail.allCases)
  func everyEvent(mode: WindowSignal.Mode, detail: WindowSignal.Detail) {
    let obeys: Bool =
      switch (mode, detail) {
      case (.normal, .ancestor), (.normal, .virtual), (.normal, .nonlinear), (.normal, .nonlinearVirtual): true
      case (.whileGrabbed, .ancestor), (.whileGrabbed, .virtual), (.whileGrabbed, .nonlinear): true
      case (.whileGrabbed, .nonlinearVirtual): true
      default: false
      }
    for before in [true, false] {
      for isIn in [true, false] {
        var subject = subject(focused: before)
        _ = subject.window.apply(isIn ? .focusIn(mode, detail) : .focusOut(mode, detail), root: subject.root)
        #expect(subject.levels.focused == (obeys ? isIn : before), "\(mode) \(detail) \(before) \(isIn)")
      }
    }
  }

  @Test("by the pointer counts only without a window manager, but keys are accepted", arguments: [true, false])
  func pointerFocus(managed: Bool) {
    // Given no focus of its own, and the focus on the root
    var subject = subject(focused: false, managed: managed)
    // When the pointer comes in
    _ = subject.window.apply(.enter(.normal, .ancestor, focus: true), root: subject.root)
    // Then keys come here
    #expect(subject.window.acceptsKeys)
    #expect(subject.levels.focused == !managed)
    if !managed { #expect(subject.levels.focusedCause == "pointer-focus") }
    // When it goes
    _ = subject.window.apply(.leave(.normal, .ancestor, focus: true), root: subject.root)
    #expect(!subject.window.acceptsKeys && !subject.levels.focused)
  }

  @Test(
    "by the pointer follows focus events while the pointer is inside",
    arguments: [
      ("FI(N/Pt)", true), ("FI(N/Pt) FO(N/Pt)", false), ("FO(N/An)", true), ("FO(N/Vi)", true),
      ("FI(N/Pt) FI(N/Nl) FO(N/Nl)", false),
      ("FI(N/Pt) FI(N/An) FO(N/Nl)", false), ("FI(N/PR)", false), ("FI(Grab/Pt)", false),
    ])
  func pointerFocusEvents(signals: String, accepts: Bool) {
    var subject = subject(focused: false, managed: false)
    _ = subject.window.apply(.enter(.normal, .ancestor, focus: false), root: subject.root)
    subject.take(signals)
    #expect(subject.window.acceptsKeys == accepts)
  }

  @Test("by the pointer ends when it leaves, wherever the focus is by then", arguments: [true, false])
  func pointerLeaves(focus: Bool) {
    var subject = subject(focused: false, managed: false)
    _ = subject.window.apply(.enter(.normal, .ancestor, focus: true), root: subject.root)
    _ = subject.window.apply(.leave(.normal, .nonlinear, focus: focus), root: subject.root)
    #expect(!subject.window.acceptsKeys)
  }

  @Test("is not touched by what the pointer does between the window and its children")
  func inferior() {
    var subject = subject(focused: false, managed: false)
    _ = subject.window.apply(.enter(.normal, .inferior, focus: true), root: subject.root)
    #expect(!subject.window.acceptsKeys)
  }

  @Test("concluded from a key ends when a crossing event says that the focus is elsewhere")
  func guess() {
    var subject = subject(focused: false)
    subject.take("K")
    #expect(subject.levels.focused)
    _ = subject.window.apply(.enter(.normal, .nonlinear, focus: true), root: subject.root)
    #expect(subject.levels.focused)
    _ = subject.window.apply(.leave(.normal, .nonlinear, focus: false), root: subject.root)
    #expect(!subject.levels.focused)
  }

  @Test("is told by keys only what is not known: else they leave everything as it is")
  func keysThatTellNothing() {
    var random = SeededNumbers(testSeed(7))
    var told = [true: 0, false: 0]
    for _ in 0..<200 {
      var tracker = FocusTracker()
      for _ in 0..<50 {
        let mode = WindowSignal.Mode.allCases.randomElement(using: &random) ?? .normal
        let detail = WindowSignal.Detail.allCases.randomElement(using: &random) ?? .nonlinear
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3: tracker.focus(isIn: .random(using: &random), mode, detail)
        case 3: tracker.cross(isEnter: .random(using: &random), detail, focus: .random(using: &random))
        case 4: tracker.keyPress()
        default: tracker.unmap()
        }
        var after = tracker
        after.keyPress()
        #expect(tracker.learnsFromKeys == (after != tracker))
        told[tracker.learnsFromKeys, default: 0] += 1
      }
    }
    #expect(told.values.allSatisfy { $0 > 100 })
  }

  @Test("cannot come to an unmapped window", arguments: ["FI(N/Nl)", "FI(WG/Nl)", "K"])
  func unmapped(signal: String) {
    var subject = subject(focused: true)
    subject.take("Unmap \(signal)")
    #expect(!subject.levels.focused && !subject.window.acceptsKeys)
  }

  @Test("stays on a window that is hidden without being unmapped: the two levels are independent")
  func independent() {
    var subject = subject(focused: true)
    subject.take("S3 +H")
    #expect(subject.levels.focused && !subject.levels.visible)
  }
}
