import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// A window that is drawn into, and what it should show.
@MainActor final class Easel {
  let stage: Recording
  let window: WindowID
  let witness: XClient
  private(set) var expected: [UInt32] = []
  private(set) var size = Size(width: 0, height: 0)
  /// What the last call was told to draw.
  private(set) var asked = Damage()
  var frames: [FrameTiming] {
    stage.events.compactMap { if case .frame(window, let timing) = $0 { timing } else { nil } }
  }

  init(
    display: String, witness: String? = nil, without: (inout SurfaceSupport) -> Void = { _ in },
    describe: (inout WindowDescription) -> Void = { _ in }
  ) throws {
    stage = try Recording(display: display)
    self.witness = try XClient(display: witness ?? display)
    window = stage.makeWindow("easel") {
      $0.size = Size(width: 300, height: 200)
      $0.position = Point(x: 20, y: 20)
      describe(&$0)
    }
    stage.perform(.show(window, .activated))
    let (stage, window) = (stage, window)
    stage.platform.parts.drawing.frames.begin()
    try #require(stage.run { stage.isVisible(window) && stage.platform.parts.drawing.frames.support.isKnown })
    without(&stage.platform.parts.drawing.frames.support)
  }

  var drawing: WindowDrawing? { stage.platform.parts.context.windows[window.rawValue]?.drawing }
  var surface: Surface? { drawing?.surface }

  /// Waits for a frame; whether one came.
  @discardableResult func frame() -> Bool {
    let before = frames.count
    stage.perform(.requestFrame(window))
    return stage.run { self.frames.count > before }
  }

  /// Draws at the next frame: a colour into each rectangle.
  @discardableResult func draw(_ parts: [(Rect, UInt32)]) -> Bool { frame() && drawNow(parts) }

  func fill(_ rect: Rect, _ color: UInt32) -> Bool { draw([(rect, color)]) }
  func fillNow(_ rect: Rect, _ color: UInt32) -> Bool { drawNow([(rect, color)]) }

  func drawNow(_ parts: [(Rect, UInt32)]) -> Bool {
    let now = stage.geometry[window]?.frame.size ?? size
    if now != size {
      size = now
      expected = Array(repeating: 0, count: now.width * now.height)
    }
    return stage.platform.draw(window, damage: Damage(parts.map(\.0))) { buffer, damage in
      asked = damage
      #expect(buffer.size == size)
      for (rect, color) in parts {
        buffer.fill(rect, with: Color(rgb: color))
        guard let part = rect.intersection(whole) else { continue }
        // At once, where a debug build would take long.
        guard part != whole else {
          expected = Array(repeating: color, count: expected.count)
          continue
        }
        for y in part.origin.y..<part.origin.y + part.size.height {
          for x in part.origin.x..<part.origin.x + part.size.width { expected[y * size.width + x] = color }
        }
      }
    }
  }

  var whole: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  var seen: [UInt32] {
    stage.synchronise()
    return witness.pixels(of: window.rawValue, x: 0, y: 0, width: size.width, height: size.height) ?? []
  }

  /// Whether the window comes to show what was drawn.
  func showsExpected() -> Bool {
    let isSettled = stage.run {
      self.stage.platform.parts.context.windows[self.window.rawValue]?.drawing.clock.awaited == nil
    }
    return isSettled && seen == expected
  }
}
