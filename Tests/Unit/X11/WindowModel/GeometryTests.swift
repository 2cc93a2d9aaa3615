import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Where a window is, and what is asked to find that out.
@Suite("The place of a window")
struct GeometryTests {
  private let first = Rect(x: 5, y: 6, width: 70, height: 80)

  private func created() -> WindowModel {
    var model = WindowModel()
    _ = model.apply(.created(first), root: RootModel())
    return model
  }

  private func frame(_ model: WindowModel) -> Rect { model.geometry(root: RootModel()).frame }

  @Test("is what the window was created with, then what an absolute ConfigureNotify says")
  func absolute() {
    var model = created()
    #expect(frame(model) == first)
    let second = Rect(x: 1, y: 2, width: 3, height: 4)
    #expect(model.apply(.configured(second, isAbsolute: true), root: RootModel()) == [])
    #expect(frame(model) == second)
  }

  @Test("is asked for after a relative ConfigureNotify, whose size counts at once")
  func relative() {
    var model = created()
    let inFrame = Rect(x: 0, y: 20, width: 90, height: 91)
    #expect(model.apply(.configured(inFrame, isAbsolute: false), root: RootModel()) == [.translateCoordinates])
    #expect(frame(model) == Rect(x: 5, y: 6, width: 90, height: 91))
    #expect(model.apply(.translated(Point(x: 33, y: 44)), root: RootModel()) == [])
    #expect(frame(model) == Rect(x: 33, y: 44, width: 90, height: 91))
  }

  @Test("is asked for once at a time, and again where the window has moved since")
  func askedAgain() {
    var model = created()
    let rect = Rect(x: 0, y: 0, width: 9, height: 9)
    #expect(model.apply(.configured(rect, isAbsolute: false), root: RootModel()) == [.translateCoordinates])
    #expect(model.apply(.configured(rect, isAbsolute: false), root: RootModel()) == [])
    #expect(model.apply(.configured(rect, isAbsolute: false), root: RootModel()) == [])
    #expect(model.apply(.translated(Point(x: 1, y: 1)), root: RootModel()) == [.translateCoordinates])
    #expect(model.apply(.translated(Point(x: 2, y: 2)), root: RootModel()) == [])
    #expect(frame(model).origin == Point(x: 2, y: 2))
  }

  @Test("is not taken from an answer that an event has overtaken")
  func overtaken() {
    var model = created()
    let moved = Rect(x: 8, y: 8, width: 9, height: 9)
    _ = model.apply(.configured(first, isAbsolute: false), root: RootModel())
    _ = model.apply(.configured(moved, isAbsolute: true), root: RootModel())
    #expect(model.apply(.translated(Point(x: 1, y: 1)), root: RootModel()) == [])
    #expect(frame(model) == moved)
    // Nor from one that was not asked for.
    _ = model.apply(.translated(Point(x: 3, y: 3)), root: RootModel())
    #expect(frame(model) == moved)
  }

  @Test("is asked for after a reparenting, and the frames too unless the parent is the root")
  func reparented() {
    var model = created()
    let framed = WindowSignal.reparented(parent: 7, parentIsRoot: false)
    #expect(model.apply(framed, root: RootModel()) == [.queryAncestors, .translateCoordinates])
    _ = model.apply(.translated(Point(x: 1, y: 1)), root: RootModel())
    let freed = WindowSignal.reparented(parent: 1, parentIsRoot: true)
    #expect(model.apply(freed, root: RootModel()) == [.translateCoordinates])
  }

  @Test("is asked for, with the frames, when a frame is reparented or destroyed, and not for other windows")
  func frameMoved() {
    for signal in [WindowSignal.ancestorReparented(0xF0), .ancestorDestroyed(0xF0)] {
      var subject = Subject(Shorthand.shown("Openbox", framed: true))
      subject.windowEffects = []
      _ = subject.window.apply(.translated(Point(x: 1, y: 1)), root: subject.root)
      #expect(subject.window.apply(.ancestorReparented(0x99), root: subject.root) == [])
      let effects = subject.window.apply(signal, root: subject.root)
      #expect(effects == [.queryAncestors, .translateCoordinates])
      #expect(subject.levels.visible)
      subject.take("[unviewable]")
      #expect(!subject.levels.visible)
    }
  }

  @Test("does not overflow, whatever a log says")
  func extremes() {
    let huge = Rect(x: .max, y: .min, width: .max, height: .max)
    var subject = Subject(Shorthand.shown(nil, framed: false))
    for signal: WindowSignal in [
      .created(huge), .configured(huge, isAbsolute: true), .configured(huge, isAbsolute: false),
    ] {
      _ = subject.window.apply(signal, root: subject.root)
      _ = subject.root.apply(.monitors([huge, Shorthand.monitor]))
      _ = subject.levels
    }
    _ = subject.window.apply(.translated(Point(x: .min, y: .max)), root: subject.root)
    #expect(subject.levels.visibleCause == "off-screen")
  }

  @Test(
    "tells maximized, full screen and minimized apart",
    arguments: [
      ("", false), ("S3", true), ("S3 +H", true), ("+H", false), ("S0", false), ("S3 D1", false), ("+H S3 D1", true),
      ("S3 S1", false), ("S3 WM-", false), ("+H S0", false), ("+H S3 S1", false),
      ("listsH S3", false), ("listsH S3 +H", true), ("listsH S3 +H D1", true), ("listsH +H", false),
      ("lacksH S3", true), ("lacksH S3 D1", true), ("lacksH S2 D1", false), ("listsH S3 WM- WM+twm S3", true),
      ("listsH S3 WM+twm", true),
      // HIDDEN that is left on a window which was activated, as by fvwm3
      ("listsH Unmap S3 +H Map S1 S3 D1", false), ("listsH Unmap S3 +H Map S1 Unmap S3 +H", true),
    ])
  func minimized(signals: String, minimized: Bool) {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take(signals)
    #expect(subject.window.geometry(root: subject.root).isMinimized == minimized)
  }

  @Test("takes a shaded window that is iconified for an icon, except where shading writes the same")
  func shadedIcon() {
    for (name, isMinimized) in [("Openbox", true), ("Xfwm4", true), ("Metacity", false), ("Metacity (Marco)", false)] {
      var subject = Subject(Shorthand.shown(name, framed: true))
      _ = subject.window.apply(.netState([.shaded, .hidden]), root: subject.root)
      _ = subject.window.apply(.wmState(3), root: subject.root)
      #expect(subject.window.geometry(root: subject.root).isMinimized == isMinimized, "\(name)")
    }
  }

  @Test("takes maximized and full screen from _NET_WM_STATE, and shaded for none of them")
  func netState() {
    var subject = Subject(Shorthand.shown("Metacity", framed: true))
    for (state, maximized, full) in [
      ([], false, false), (.maximizedVertically, false, false),
      ([.maximizedVertically, .maximizedHorizontally], true, false), (.fullScreen, false, true),
      (.shaded, false, false), ([.shaded, .hidden], false, false),
    ] as [(WindowSignal.NetState, Bool, Bool)] {
      _ = subject.window.apply(.netState(state), root: subject.root)
      _ = subject.window.apply(.wmState(state.contains(.shaded) ? 3 : 1), root: subject.root)
      let geometry = subject.window.geometry(root: subject.root)
      #expect(geometry.isMaximized == maximized && geometry.isFullScreen == full && !geometry.isMinimized)
    }
  }
}
