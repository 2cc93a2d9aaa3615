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
    _ = model.apply(.created(first), desktop: DesktopModel())
    return model
  }

  private func frame(_ model: WindowModel) -> Rect { model.geometry(desktop: DesktopModel()).frame }

  @Test("is what the window was created with, then what an absolute ConfigureNotify says")
  func absolute() {
    var model = created()
    #expect(frame(model) == first)
    let second = Rect(x: 1, y: 2, width: 3, height: 4)
    #expect(model.apply(.configured(second, isAbsolute: true), desktop: DesktopModel()) == [])
    #expect(frame(model) == second)
  }

  @Test("is asked for after a relative ConfigureNotify, whose size counts at once")
  func relative() {
    var model = created()
    let inFrame = Rect(x: 0, y: 20, width: 90, height: 91)
    #expect(model.apply(.configured(inFrame, isAbsolute: false), desktop: DesktopModel()) == [.translateCoordinates])
    #expect(frame(model) == Rect(x: 5, y: 6, width: 90, height: 91))
    #expect(model.apply(.translated(Point(x: 33, y: 44)), desktop: DesktopModel()) == [])
    #expect(frame(model) == Rect(x: 33, y: 44, width: 90, height: 91))
  }

  @Test("is asked for once at a time, and again where the window has moved since")
  func askedAgain() {
    var model = created()
    let rect = Rect(x: 0, y: 0, width: 9, height: 9)
    #expect(model.apply(.configured(rect, isAbsolute: false), desktop: DesktopModel()) == [.translateCoordinates])
    #expect(model.apply(.configured(rect, isAbsolute: false), desktop: DesktopModel()) == [])
    #expect(model.apply(.configured(rect, isAbsolute: false), desktop: DesktopModel()) == [])
    #expect(model.apply(.translated(Point(x: 1, y: 1)), desktop: DesktopModel()) == [.translateCoordinates])
    #expect(model.apply(.translated(Point(x: 2, y: 2)), desktop: DesktopModel()) == [])
    #expect(frame(model).origin == Point(x: 2, y: 2))
  }

  @Test("is not taken from an answer that an event has overtaken")
  func overtaken() {
    var model = created()
    let moved = Rect(x: 8, y: 8, width: 9, height: 9)
    _ = model.apply(.configured(first, isAbsolute: false), desktop: DesktopModel())
    _ = model.apply(.configured(moved, isAbsolute: true), desktop: DesktopModel())
    #expect(model.apply(.translated(Point(x: 1, y: 1)), desktop: DesktopModel()) == [])
    #expect(frame(model) == moved)
    // Nor from one that was not asked for.
    _ = model.apply(.translated(Point(x: 3, y: 3)), desktop: DesktopModel())
    #expect(frame(model) == moved)
  }

  @Test("is asked for after a reparenting, and the frames too unless the parent is the root")
  func reparented() {
    var model = created()
    let framed = WindowSignal.reparented(parent: 7, parentIsRoot: false)
    #expect(model.apply(framed, desktop: DesktopModel()) == [.queryAncestors, .translateCoordinates])
    _ = model.apply(.translated(Point(x: 1, y: 1)), desktop: DesktopModel())
    let freed = WindowSignal.reparented(parent: 1, parentIsRoot: true)
    #expect(model.apply(freed, desktop: DesktopModel()) == [.translateCoordinates])
  }

  @Test("is asked for, with the frames, when a frame is reparented or destroyed, and not for other windows")
  func frameMoved() {
    for signal in [WindowSignal.ancestorReparented(0xF0), .ancestorDestroyed(0xF0)] {
      var subject = Subject(Shorthand.shown("Openbox", framed: true))
      subject.windowEffects = []
      _ = subject.window.apply(.translated(Point(x: 1, y: 1)), desktop: subject.desktop)
      #expect(subject.window.apply(.ancestorReparented(0x99), desktop: subject.desktop) == [])
      let effects = subject.window.apply(signal, desktop: subject.desktop)
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
      _ = subject.window.apply(signal, desktop: subject.desktop)
      _ = subject.desktop.apply(.monitors([huge, Shorthand.monitor]))
      _ = subject.levels
    }
    _ = subject.window.apply(.translated(Point(x: .min, y: .max)), desktop: subject.desktop)
    #expect(subject.levels.visibleCause == "off-screen")
  }

  @Test(
    "tells maximized, full screen and minimized apart",
    arguments: [
      ("", false), ("S3", true), ("S3 +H", true), ("+H", true), ("S0", false), ("S3 D1", false), ("+H S3 D1", true),
      ("S3 S1", false), ("S3 WM-", false),
    ])
  func minimized(signals: String, minimized: Bool) {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    subject.take(signals)
    #expect(subject.window.geometry(desktop: subject.desktop).isMinimized == minimized)
  }

  @Test("takes maximized and full screen from _NET_WM_STATE, and shaded for none of them")
  func netState() {
    var subject = Subject(Shorthand.shown("Openbox", framed: true))
    for (state, maximized, full) in [
      ([], false, false), (.maximizedVertically, false, false),
      ([.maximizedVertically, .maximizedHorizontally], true, false), (.fullScreen, false, true),
      (.shaded, false, false),
    ] as [(WindowSignal.NetState, Bool, Bool)] {
      _ = subject.window.apply(.netState(state), desktop: subject.desktop)
      _ = subject.window.apply(.wmState(state == .shaded ? 3 : 1), desktop: subject.desktop)
      let geometry = subject.window.geometry(desktop: subject.desktop)
      #expect(geometry.isMaximized == maximized && geometry.isFullScreen == full && !geometry.isMinimized)
    }
  }
}
