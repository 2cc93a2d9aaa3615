import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Each rule of visibility alone, and which one is named where several apply.
@Suite("The rules of visibility")
struct PrecedenceTests {
  /// A rule, what makes it apply to a window shown under KWin, and whether it needs a window manager.
  private struct Condition: Sendable {
    var cause: LevelCause
    var signals: String
    var needsManager: Bool
  }

  /// In the order of precedence; the signals of one do not undo another's, whichever of them are chosen.
  private static let conditions = [
    Condition(cause: "withdrawn", signals: "Withdraw", needsManager: false),
    Condition(cause: "unmapped", signals: "Unmap", needsManager: false),
    Condition(cause: "frame-unmapped", signals: "fUnmap", needsManager: false),
    Condition(cause: "wm-state", signals: "S3", needsManager: true),
    Condition(cause: "hidden-latch", signals: "+H", needsManager: true),
    Condition(cause: "showing-desktop", signals: "+desk +show", needsManager: true),
    Condition(cause: "other-desktop", signals: "C1", needsManager: true),
    Condition(cause: "off-screen", signals: "off", needsManager: false),
  ]

  @Test(
    "The first that applies decides, for every set of them, with a window manager and without",
    arguments: [true, false])
  func everySet(managed: Bool) {
    for set in 0..<(1 << Self.conditions.count) {
      let chosen = Self.conditions.enumerated().filter { set & 1 << $0.offset != 0 }.map(\.element)
      var subject = Subject(Shorthand.shown("KWin", framed: true))
      subject.take("FO(N/Nl)")
      // The withdrawal comes last, because it ends what the window manager said.
      for condition in chosen.reversed() { subject.take(condition.signals) }
      if !managed {
        // Take back presence only: what the window manager wrote is still on the window and the root.
        var unmanaged = RootModel()
        for signal: RootSignal in [
          .monitors([Shorthand.monitor]), .showingDesktop(subject.root.isShowingDesktop),
          .currentWorkspace(subject.root.currentWorkspace),
        ] { _ = unmanaged.apply(signal) }
        subject.root = unmanaged
      }
      let deciding = chosen.first { managed || !$0.needsManager }
      // A withdrawal drops the latch, which is below it anyway.
      #expect(subject.levels.visibleCause == deciding?.cause ?? "viewable", "\(chosen.map(\.cause))")
      #expect(subject.levels.visible == (deciding == nil))
    }
  }

  @Test(
    "WM_STATE hides with every value but Normal, and says nothing where it is missing",
    arguments: [
      ("S0", false), ("S1", true), ("S2", false), ("S3", false), ("S7", false), ("S-", true),
    ])
  func wmState(signal: String, visible: Bool) {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take(signal)
    #expect(subject.levels.visible == visible)
  }

  @Test("A window is not visible before it is asked for and mapped")
  func beforeMap() {
    var subject = Subject(Shorthand.entries("WM+Openbox C0"))
    for signal in ["", "Create", "Show", "F", "[viewable]"] {
      subject.take(signal)
      #expect(!subject.levels.visible && subject.levels.isWithdrawn && subject.levels.visibleCause == "not-mapped")
    }
    subject.take("Map")
    #expect(subject.levels.visible && !subject.levels.isWithdrawn)
  }

  @Test("A new window whose frames are not known yet is not taken for visible: they may stay unmapped")
  func firstFrames() {
    var subject = Subject(Shorthand.entries("WM+awesome C0 Create Show F Map"))
    #expect(subject.levels.visibleCause == "not-mapped")
    subject.take("[unviewable]")
    #expect(subject.levels.visibleCause == "frame-unmapped")
    subject.take("fMap")
    #expect(subject.levels.visible)
  }

  @Test("A window that is framed anew stays what it was until its new frames are known")
  func newFrames() {
    var subject = Subject(Shorthand.shown("Metacity", framed: true))
    subject.take("Unmap R Map Unmap F Map")
    #expect(subject.levels.visible)
    subject.take("[unviewable]")
    #expect(subject.levels.visibleCause == "frame-unmapped")
  }

  @Test("Any unmapped frame hides, however far from the window")
  func nestedFrames() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take("F")
    _ = subject.window.apply(
      .ancestors([.init(window: 0xF0, isMapped: true), .init(window: 0xF1, isMapped: true)]), root: subject.root)
    #expect(subject.levels.visible)
    _ = subject.window.apply(.ancestorUnmapped(0xF1), root: subject.root)
    #expect(subject.levels.visibleCause == "frame-unmapped")
    _ = subject.window.apply(.ancestorUnmapped(0xF7), root: subject.root)
    _ = subject.window.apply(.ancestorMapped(0xF1), root: subject.root)
    #expect(subject.levels.visible)
  }

  @Test("A late answer about frames that are gone changes nothing")
  func lateFrames() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take("F R [unviewable]")
    #expect(subject.levels.visible)
    _ = subject.window.apply(.reparented(parent: 0xF9, parentIsRoot: false), root: subject.root)
    subject.take("[unviewable]")
    #expect(subject.levels.visible)
  }

  @Test("What a frame says while it is asked for counts more than the answer")
  func overtakenAnswer() {
    var subject = Subject(Shorthand.entries("WM+awesome C0 Create Show F Map fUnmap [viewable]"))
    #expect(subject.levels.visibleCause == "frame-unmapped")
    subject = Subject(Shorthand.entries("WM+awesome C0 Create Show F Map fMap [unviewable]"))
    #expect(subject.levels.visible)
  }

  @Test("A withdrawn window is hidden until it is asked for and mapped again, whatever is heard between")
  func withdrawn() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    for signal in ["Withdraw", "Unmap", "R", "S0", "S-", "-H", "Map", "Unmap"] {
      subject.take(signal)
      #expect(!subject.levels.visible && !subject.levels.focused && subject.levels.isWithdrawn)
      #expect(subject.levels.visibleCause == "withdrawn")
    }
    subject.take("Show")
    #expect(subject.levels.visibleCause == "not-mapped" && subject.levels.isWithdrawn)
    subject.take("F Map S1 [viewable]")
    #expect(subject.levels.visible && !subject.levels.isWithdrawn)
  }

  @Test("A window shown again before its withdrawal was heard waits for its new map")
  func shownAgainAtOnce() {
    var subject = Subject(Shorthand.shown(nil, framed: false))
    subject.take("Withdraw Show")
    #expect(subject.window.isMapped)
    #expect(subject.levels.visibleCause == "not-mapped")
    subject.take("Unmap")
    #expect(subject.levels.visibleCause == "not-mapped")
    subject.take("Map")
    #expect(subject.levels.visible)
  }

  @Test("Showing a window that is shown already, iconified or not, changes nothing")
  func shownTwice() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    let before = subject.window
    subject.take("Show")
    #expect(subject.window == before)
    subject.take("Unmap Show")
    #expect(subject.levels.visibleCause == "unmapped" && !subject.levels.isWithdrawn)
  }

  @Test("A window is off the screen only where monitors are known and none of them shows a pixel of it")
  func offScreen() {
    var subject = Subject(Shorthand.shown("dwm", framed: false))
    subject.take("off")
    #expect(subject.levels.visibleCause == "off-screen")
    let second = Rect(x: -1152, y: 0, width: 1152, height: 900)
    _ = subject.root.apply(.monitors([Shorthand.monitor, second]))
    #expect(subject.levels.visible)
    _ = subject.root.apply(.monitors([]))
    #expect(subject.levels.visible)
  }

  @Test(
    "Occlusion ends with an exposure, a map or a frame's map, and hides nothing",
    arguments: ["Unmap Map", "fUnmap fMap", "V1"])
  func occlusion(signals: String) {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take("V2")
    #expect(subject.levels.occluded && subject.levels.visible)
    var exposed = subject
    _ = exposed.window.apply(.exposed, root: exposed.root)
    #expect(!exposed.levels.occluded)
    subject.take(signals)
    #expect(!subject.levels.occluded)
  }
}
