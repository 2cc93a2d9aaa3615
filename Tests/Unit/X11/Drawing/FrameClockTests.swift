import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

@Suite("Frame clock") struct FrameClockTests {
  private func isFrame(_ step: FrameClock.Step) -> Bool { if case .frame = step { true } else { false } }

  @Test("the first frame comes at once, and the next when the screen has shown it, at the screen's time")
  func pacing() {
    var clock = FrameClock()
    #expect(clock.next(now: 10, canDraw: true, hasPresent: true) == .wait)
    clock.request()
    #expect(isFrame(clock.next(now: 10, canDraw: true, hasPresent: true)))
    let first = clock.present(now: 10, isUrgent: false)
    #expect(first.isImmediate)
    clock.request()
    #expect(clock.next(now: 10, canDraw: true, hasPresent: true) == .wait)
    clock.complete(.init(window: 1, serial: first.serial, isFrame: true, ust: 9_990_000, msc: 100), now: 10.001)
    #expect(isFrame(clock.next(now: 10.001, canDraw: true, hasPresent: true)))
    let second = clock.present(now: 10.002, isUrgent: false)
    #expect(!second.isImmediate)
    clock.complete(.init(window: 1, serial: second.serial, isFrame: true, ust: 10_010_000, msc: 101), now: 10.011)
    clock.request()
    #expect(isFrame(clock.next(now: 10.011, canDraw: true, hasPresent: true)))
    // The rate is that of frames that waited for the screen, and of no others.
    #expect(clock.interval == FrameClock.usualInterval)
    let third = clock.present(now: 10.011, isUrgent: false)
    #expect(!third.isImmediate)
    clock.complete(.init(window: 1, serial: third.serial, isFrame: true, ust: 10_030_000, msc: 102), now: 10.031)
    clock.request()
    let step = clock.next(now: 10.031, canDraw: true, hasPresent: true)
    #expect(step == .frame(FrameTiming(timestamp: .seconds(10.03), targetTimestamp: .seconds(10.03 + 0.02))))
    // What is drawn after a rest of a frame or more waits for nothing.
    #expect(clock.present(now: 10.06, isUrgent: false).isImmediate)
    #expect(clock.next(now: 10.06, canDraw: true, hasPresent: true) == .wait)
  }

  @Test("who draws nothing is asked again when the screen says so, or after a sixtieth of a second")
  func idle() {
    var clock = FrameClock()
    clock.request()
    _ = clock.next(now: 10, canDraw: true, hasPresent: false)
    clock.request()
    #expect(clock.next(now: 10, canDraw: true, hasPresent: false) == .at(10 + 1.0 / 60))
    guard case .ask(let serial) = clock.next(now: 10, canDraw: true, hasPresent: true) else {
      Issue.record("not asked")
      return
    }
    #expect(clock.next(now: 10.1, canDraw: true, hasPresent: true) == .wait)
    // What a driver shows in the same window, also where it has come to the same number
    clock.complete(.init(window: 1, serial: serial, isFrame: true, ust: 1, msc: 1), now: 10.1)
    #expect(clock.next(now: 10.1, canDraw: true, hasPresent: true) == .wait)
    clock.reset()
    clock.complete(.init(window: 1, serial: serial, isFrame: false, ust: 1, msc: 1), now: 11)
    #expect(clock.next(now: 11, canDraw: true, hasPresent: true) == .wait)
  }

  @Test("completions of other frames, and times from nowhere, change nothing")
  func rubbish() {
    var clock = FrameClock()
    let shown = clock.present(now: 5, isUrgent: false)
    clock.request()
    clock.complete(.init(window: 1, serial: shown.serial &+ 7, isFrame: true, ust: .max, msc: .max), now: 5)
    #expect(clock.next(now: 5, canDraw: true, hasPresent: true) == .wait)
    clock.complete(.init(window: 1, serial: shown.serial, isFrame: true, ust: .max, msc: .max), now: 5.5)
    #expect(clock.interval == FrameClock.usualInterval)
    guard case .frame(let timing) = clock.next(now: 5.5, canDraw: true, hasPresent: true) else {
      Issue.record("no frame")
      return
    }
    #expect(timing.timestamp == .seconds(5.5) && timing.targetTimestamp > .seconds(5.5))
    let next = clock.present(now: 6, isUrgent: false)
    clock.complete(.init(window: 1, serial: next.serial, isFrame: true, ust: 0, msc: 0), now: 6)
    #expect(clock.interval == FrameClock.usualInterval)
  }

  @Test("without an idle buffer nothing comes until there is one")
  func busy() {
    var clock = FrameClock()
    clock.request()
    #expect(clock.next(now: 1, canDraw: false, hasPresent: true) == .wait)
    #expect(isFrame(clock.next(now: 1, canDraw: true, hasPresent: true)))
  }

  @Test("images are cut into slices that fit, which cover them once")
  func slices() {
    for (rect, bytes) in [
      (Rect(x: 3, y: 4, width: 100, height: 50), 1000), (Rect(x: 0, y: 0, width: 300, height: 3), 400),
      (Rect(x: 0, y: 0, width: 32_767, height: 2), 262_000), (Rect(x: 0, y: 0, width: 5, height: 5), 0),
    ] {
      let slices = ImageSlices.cut(rect, bytes: bytes)
      #expect(slices.allSatisfy { rect.contains($0) && $0.size.width * $0.size.height * 4 <= max(bytes, 4) })
      #expect(slices.reduce(0) { $0 + $1.size.width * $1.size.height } == rect.size.width * rect.size.height)
      #expect(Set(slices).count == slices.count)
    }
  }

  @Test("the scale is the user's, else 2 where pixels are small and the size is believed")
  func scale() {
    let uhd = Size(width: 3840, height: 2160)
    #expect(ScaleRule.scale(dpi: nil, pixels: uhd, millimetres: Size(width: 597, height: 336)) == 2)
    #expect(ScaleRule.scale(dpi: nil, pixels: uhd, millimetres: Size(width: 160, height: 90)) == 1)
    #expect(ScaleRule.scale(dpi: nil, pixels: uhd, millimetres: Size(width: 0, height: 0)) == 1)
    // Turned by a quarter
    let tall = Size(width: 2160, height: 3840)
    #expect(ScaleRule.scale(dpi: nil, pixels: tall, millimetres: Size(width: 336, height: 597)) == 2)
    for nonsense in [Size(width: 90, height: 160), Size(width: 100, height: 160)] {
      #expect(ScaleRule.scale(dpi: nil, pixels: tall, millimetres: nonsense) == 1)
    }
    for (pixels, size) in [
      (Size(width: 1920, height: 1080), Size(width: 121, height: 68)),
      (Size(width: 1080, height: 1920), Size(width: 68, height: 121)),
    ] {
      #expect(ScaleRule.scale(dpi: nil, pixels: pixels, millimetres: size) == 2)
    }
    #expect(ScaleRule.scale(dpi: 120, pixels: uhd, millimetres: Size(width: 597, height: 336)) == 1.25)
    #expect(ScaleRule.dpi(inResources: "Xft.antialias: 1\nXft.dpi:\t192\n") == 192)
    #expect(ScaleRule.dpi(inResources: "Xft.antialias: 1\r\nXft.dpi:\t192\r\n") == 192)
    for rubbish in ["Xft.dpi:", "Xft.dpi: nan", "Xft.dpi: -5", "Xft.dpi: 1e99", "Xft.dpix: 96", "*Xft.dpi", ""] {
      #expect(ScaleRule.dpi(inResources: rubbish) == nil)
    }
  }

  @Test("a window has the scale of the screen that shows most of it, else the primary one's")
  func scaleOfWindows() {
    let screens = [
      ScreenDescription(name: "a", frame: Rect(x: 0, y: 0, width: 100, height: 100), isPrimary: false, scale: 2),
      ScreenDescription(name: "b", frame: Rect(x: 100, y: 0, width: 100, height: 100), isPrimary: true, scale: 1),
    ]
    func scale(_ x: Int, _ y: Int, _ width: Int = 50) -> Double {
      screens.scale(ofWindow: Rect(x: x, y: y, width: width, height: 50))
    }
    #expect(scale(0, 0) == 2 && scale(60, 0) == 2 && scale(80, 0) == 1 && scale(150, 0) == 1)
    // As much on both, on neither, and without screens.
    #expect(scale(75, 0) == 1 && scale(500, 0) == 1 && scale(.max, .min, .max) == 1)
    #expect([ScreenDescription]().scale(ofWindow: Rect(x: 0, y: 0, width: 9, height: 9)) == 1)
  }
}
