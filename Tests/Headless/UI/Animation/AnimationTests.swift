import ProsceniumTesting
import ProsceniumUI
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform

/// A view that counts how often it is drawn.
@MainActor final class CountedView: View {
  var draws = 0
  var bounded: [Rect] = []
  override func draw(_ rect: Rect, in context: DrawingContext) {
    draws += 1
    bounded.append(bounds)
  }
}

extension UISuites {
  /// What is drawn while views are animated, and when nothing runs.
  @MainActor @Suite("Animation") struct AnimationTests {
    private let frame = Rect(x: 0, y: 0, width: 40, height: 40)
    private let black = Color.black.pixel
    private let white = Color.white.pixel

    private func stage(_ view: View) throws -> UIStage {
      view.backgroundColor = .black
      let stage = try UIStage(view, frame)
      view.superview?.backgroundColor = .white
      stage.program.advance(by: 500)
      return stage
    }

    /// The pixel of the window now, without waiting.
    private func now(_ stage: UIStage, _ x: Int, _ y: Int) throws -> UInt32 {
      try stage.surface()[x, y] & 0xFF_FFFF
    }

    @Test("The value is set at once, what is drawn goes there in time, and then nothing runs")
    func moves() throws {
      let view = CountedView()
      let stage = try stage(view)
      var ends: [Bool] = []
      View.animate(withDuration: .seconds(1), options: .curveLinear) {
        view.frame.origin.x = 200
      } completion: {
        ends.append($0)
      }
      #expect(view.frame.origin.x == 200 && ends == [])
      stage.program.advance(by: 550)
      #expect(try now(stage, 120, 20) == black && now(stage, 20, 20) == white && now(stage, 220, 20) == white)
      // Input is for where the view will be.
      #expect(view.superview?.hitTest(Point(x: 220, y: 20)) === view)
      #expect(view.superview?.hitTest(Point(x: 120, y: 20)) !== view)
      stage.program.advance(by: 1000)
      #expect(try now(stage, 220, 20) == black && now(stage, 120, 20) == white && ends == [true])
      #expect(55...65 ~= view.draws)
      let (draws, frames) = (view.draws, stage.frameRequests)
      stage.program.advance(by: 5000)
      #expect(view.draws == draws && stage.frameRequests == frames)
    }

    @Test("Size, opacity, colour, scrolling and transform are animated", arguments: 0..<5)
    func properties(_ number: Int) throws {
      let view = CountedView()
      let stage = try stage(view)
      let part = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
      part.backgroundColor = Color(rgb: 0xFF0000)
      view.addSubview(part)
      stage.program.advance(by: 500)
      view.bounded = []
      View.animate(withDuration: .seconds(1), options: .curveLinear) {
        switch number {
        case 0: view.frame.size.width = 240
        case 1: view.alpha = 0
        case 2: view.backgroundColor = .white
        case 3: view.bounds.origin.y = -20
        default: view.transform = Transform(translationX: 200, y: 0)
        }
      }
      stage.program.advance(by: 510)
      let middle = try now(stage, 130, 30)
      let own = try now(stage, 30, 30) & 0xFF
      switch number {
      case 0:
        #expect(
          middle == black && view.bounded.contains { 100...160 ~= $0.size.width } && view.bounds.size.width == 240)
      case 1, 2: #expect(0x60...0xA0 ~= own)
      case 3: #expect(try now(stage, 5, 12) == 0xFF0000 && now(stage, 5, 2) == black && now(stage, 5, 25) == black)
      default: #expect(middle == black && own == 0xFF)
      }
      stage.program.advance(by: 1000)
      switch number {
      case 0: #expect(try now(stage, 230, 30) == black)
      case 1, 2: #expect(try now(stage, 30, 30) == white)
      case 3: #expect(try now(stage, 5, 25) == 0xFF0000)
      default: #expect(try now(stage, 230, 30) == black && view.frame == frame)
      }
    }

    @Test("An animation goes on from what is drawn of another one, without a jump")
    func interrupted() throws {
      let view = View()
      let stage = try stage(view)
      var ends: [String] = []
      View.animate(withDuration: .seconds(1), options: .curveLinear) {
        view.frame.origin.x = 200
      } completion: {
        ends.append("there \($0)")
      }
      stage.program.advance(by: 520)
      View.animate(withDuration: .seconds(1), options: .curveLinear) {
        view.frame.origin.x = 0
      } completion: {
        ends.append("back \($0)")
      }
      stage.program.advance(by: 30)
      #expect(try now(stage, 120, 20) == black)
      stage.program.advance(by: 1500)
      #expect(try now(stage, 20, 20) == black && ends == ["there true", "back true"])
    }

    @Test("Nothing moves before the delay has passed, and hardly a frame is drawn meanwhile", arguments: [200, 0])
    func delayed(_ milliseconds: Int) throws {
      let view = CountedView()
      let stage = try stage(view)
      let (draws, frames) = (view.draws, stage.frameRequests)
      View.animate(withDuration: .milliseconds(milliseconds), delay: .seconds(2)) { view.frame.origin.x = 200 }
      stage.program.advance(by: 1900)
      #expect(try now(stage, 20, 20) == black && view.draws - draws < 5 && stage.frameRequests - frames < 5)
      stage.program.advance(by: 500)
      #expect(try now(stage, 220, 20) == black)
    }

    @Test("It repeats until the scene leaves the foreground, and in the background nothing of it runs")
    func leaves() throws {
      let view = CountedView()
      let stage = try stage(view)
      var ends: [Bool] = []
      View.animate(withDuration: .milliseconds(300), options: [.repeat, .autoreverse]) {
        view.alpha = 0.2
      } completion: {
        ends.append($0)
      }
      stage.program.advance(by: 5000)
      #expect(ends == [] && view.draws > 200)
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(ends == [false])
      let (draws, frames) = (view.draws, stage.frameRequests)
      View.animate(withDuration: .seconds(1)) {
        view.frame.origin.x = 100
      } completion: {
        ends.append($0)
      }
      #expect(ends == [false])
      stage.program.advance(by: 5000)
      #expect(view.draws == draws && stage.frameRequests == frames)
      stage.program.desk.restore(stage.window)
      stage.program.advance(by: 1000)
      #expect(view.draws <= draws + 2 && view.frame.origin.x == 100)
    }

    @Test("Changes that nobody sees are done at once, and their end is told after the caller has gone on")
    func unseen() async throws {
      let view = View()
      var ends: [Bool] = []
      View.animate(withDuration: .seconds(100)) {
        view.alpha = 0
      } completion: {
        ends.append($0)
      }
      #expect(ends == [] && view.alpha == 0)
      let stage = try stage(View())
      await stage.wait { ends == [true] }
      #expect(await View.animate(withDuration: .seconds(100)) {})
    }

    @Test("A view that leaves its window is where it was sent, and the last one ends the animation")
    func removed() throws {
      let (view, other) = (View(), View())
      let stage = try stage(view)
      other.frame = Rect(x: 0, y: 100, width: 40, height: 40)
      view.superview?.addSubview(other)
      var ends: [Bool] = []
      View.animate(withDuration: .seconds(1)) {
        for one in [view, other] { one.frame.origin.x = 200 }
      } completion: {
        ends.append($0)
      }
      stage.program.advance(by: 100)
      let root = try #require(view.superview)
      view.removeFromSuperview()
      #expect(ends == [])
      root.addSubview(view)
      stage.program.advance(by: 50)
      #expect(try now(stage, 220, 20) == black)
      for one in [view, other] { one.removeFromSuperview() }
      #expect(ends == [false])
    }

    @Test("A view that comes into its window within the changes of an animation does not end it")
    func addedWithin() throws {
      let (view, badge) = (View(), View())
      let stage = try stage(view)
      var ends: [AnimatingPosition] = []
      let animator = Animator(duration: .seconds(1), curve: .linear) {
        badge.frame = Rect(x: 0, y: 100, width: 40, height: 40)
        view.superview?.addSubview(badge)
        view.frame.origin.x = 200
      }
      animator.addCompletion { ends.append($0) }
      animator.startAnimation()
      #expect(ends == [] && animator.state == .active && animator.isRunning)
      stage.program.advance(by: 550)
      #expect(try now(stage, 120, 20) == black && ends == [] && animator.state == .active)
      stage.program.advance(by: 500)
      #expect(try now(stage, 220, 20) == black && ends == [.end] && animator.state == .inactive)
      let again = Animator(duration: .seconds(1)) { view.frame.origin.x = 0 }
      again.addCompletion { ends.append($0) }
      again.startAnimation()
      // Nothing is left to move.
      again.addAnimations { view.removeFromSuperview() }
      #expect(ends == [.end, .end] && again.state == .inactive)
    }

    @Test("Where less motion is wanted it jumps to its end with the next frame", arguments: [true, false])
    func reduced(_ repeats: Bool) throws {
      let view = CountedView()
      let stage = try stage(view)
      var settings = DesktopSettings()
      settings.prefersReducedMotion = true
      stage.program.platform.send(.settings(settings))
      stage.settle()
      #expect(stage.program.application.traitCollection.prefersReducedMotion)
      let (draws, frames) = (view.draws, stage.frameRequests)
      var ends: [Bool] = []
      View.animate(withDuration: .seconds(1), delay: .seconds(9), options: repeats ? .repeat : []) {
        view.frame.origin.x = 200
      } completion: {
        ends.append($0)
      }
      #expect(ends == [])
      stage.program.advance(by: 50)
      #expect(try now(stage, 220, 20) == black && now(stage, 20, 20) == white && ends == [true])
      stage.program.advance(by: 2000)
      #expect(view.draws == draws + 1 && stage.frameRequests - frames <= 2)
    }

    @Test("What is done without animation is not animated")
    func without() throws {
      let view = View()
      let stage = try stage(view)
      View.animate(withDuration: .seconds(1)) {
        View.performWithoutAnimation { view.frame.origin.x = 200 }
        view.alpha = 0.5
      }
      stage.program.advance(by: 30)
      #expect(try now(stage, 220, 20) != white && now(stage, 20, 20) == white)
    }

    // MARK: Animators

    @Test("An animator is paused, set to a place, reversed, and ends at its start")
    func reversed() throws {
      let view = View()
      let stage = try stage(view)
      var ends: [AnimatingPosition] = []
      let animator = Animator(duration: .seconds(1), curve: .linear) { view.frame.origin.x = 200 }
      animator.addCompletion { ends.append($0) }
      #expect(animator.state == .inactive && view.frame.origin.x == 0)
      animator.fractionComplete = 0.5
      #expect(animator.state == .active && !animator.isRunning && view.frame.origin.x == 200)
      stage.program.advance(by: 1000)
      #expect(try now(stage, 120, 20) == black && animator.fractionComplete == 0.5)
      let frames = stage.frameRequests
      stage.program.advance(by: 3000)
      #expect(stage.frameRequests == frames)
      animator.startAnimation()
      stage.program.advance(by: 270)
      #expect(0.7...0.8 ~= animator.fractionComplete && ends == [])
      animator.isReversed = true
      stage.program.advance(by: 600)
      #expect(0.1...0.3 ~= animator.fractionComplete)
      stage.program.advance(by: 300)
      #expect(ends == [.start] && animator.state == .inactive && view.frame.origin.x == 0)
      #expect(try now(stage, 20, 20) == black)
    }

    @Test("A reversed animator is at its start at once where nobody sees it any more", arguments: [true, false])
    func reversedAndGone(_ isRemoved: Bool) throws {
      let view = View()
      let stage = try stage(view)
      var ends: [AnimatingPosition] = []
      let animator = Animator(duration: .seconds(1)) { view.frame.origin.x = 200 }
      animator.addCompletion { ends.append($0) }
      animator.startAnimation()
      stage.program.advance(by: 500)
      animator.isReversed = true
      if isRemoved { view.removeFromSuperview() } else { stage.window.isHidden = true }
      stage.program.advance(by: 100)
      #expect(ends == [.start] && view.frame.origin.x == 0 && animator.state == .inactive)
    }

    @Test("A picture of a view is made once while it moves, fades and turns")
    func rasterized() throws {
      let view = CountedView()
      let stage = try stage(view)
      view.shouldRasterize = true
      stage.program.advance(by: 500)
      let draws = view.draws
      View.animate(withDuration: .milliseconds(500)) {
        view.frame.origin.x = 200
        view.alpha = 0.5
        view.transform = Transform(rotationAngle: 2)
      }
      stage.program.advance(by: 1000)
      #expect(view.draws == draws)
    }

    @Test("A stopped animator leaves the views as they are drawn, and is finished where the program wants")
    func stopped() throws {
      for position in [AnimatingPosition.current, .start, .end] {
        let view = View()
        let stage = try stage(view)
        var ends: [AnimatingPosition] = []
        let animator = Animator(duration: .seconds(1), curve: .linear) { view.frame.origin.x = 200 }
        animator.addCompletion { ends.append($0) }
        animator.startAnimation()
        stage.program.advance(by: 520)
        animator.stopAnimation(false)
        #expect(animator.state == .stopped && 90...110 ~= view.frame.origin.x && ends == [])
        animator.finishAnimation(at: position)
        #expect(animator.state == .inactive && ends == [position])
        switch position {
        case .start: #expect(view.frame.origin.x == 0)
        case .end: #expect(view.frame.origin.x == 200)
        case .current: #expect(90...110 ~= view.frame.origin.x)
        }
        let again = Animator(duration: .seconds(1), dampingRatio: 0.5) { view.frame.origin.x = 0 }
        again.addCompletion { ends.append($0) }
        again.startAnimation()
        again.stopAnimation(true)
        stage.program.advance(by: 2000)
        #expect(ends == [position] && again.state == .inactive)
      }
    }

    @Test("Changes added on the way take the time that is left")
    func added() throws {
      let (view, other) = (View(), View())
      let stage = try stage(view)
      other.frame = Rect(x: 0, y: 100, width: 40, height: 40)
      other.backgroundColor = .black
      view.superview?.addSubview(other)
      let animator = Animator(duration: .seconds(1), curve: .linear) { view.frame.origin.x = 200 }
      animator.startAnimation()
      stage.program.advance(by: 520)
      animator.addAnimations { other.frame.origin.x = 200 }
      stage.program.advance(by: 30)
      #expect(try now(stage, 25, 120) == black)
      stage.program.advance(by: 220)
      #expect(try now(stage, 120, 120) == black)
      stage.program.advance(by: 500)
      #expect(try now(stage, 220, 120) == black && now(stage, 220, 20) == black && animator.state == .inactive)
    }

    @Test("An animator that is paused in its delay goes on at once")
    func resumed() throws {
      let view = View()
      let stage = try stage(view)
      let animator = Animator(duration: .milliseconds(200)) { view.frame.origin.x = 200 }
      animator.startAnimation(afterDelay: .seconds(10))
      stage.program.advance(by: 500)
      animator.pauseAnimation()
      animator.startAnimation()
      stage.program.advance(by: 500)
      #expect(try now(stage, 220, 20) == black && animator.state == .inactive)
    }

    @Test("Changes added on the way are undone where the animator runs back, and go no further")
    func addedAndReversed() throws {
      let (view, other) = (View(), View())
      let stage = try stage(view)
      other.frame = Rect(x: 100, y: 100, width: 40, height: 40)
      other.backgroundColor = .black
      view.superview?.addSubview(other)
      let animator = Animator(duration: .seconds(1), curve: .linear) { view.frame.origin.x = 200 }
      animator.startAnimation()
      stage.program.advance(by: 520)
      animator.addAnimations { other.frame.origin.x = 200 }
      animator.isReversed = true
      stage.program.advance(by: 300)
      #expect(try now(stage, 120, 120) == black && now(stage, 90, 120) == white)
      stage.program.advance(by: 500)
      #expect(try now(stage, 120, 120) == black && other.frame.origin.x == 100 && animator.state == .inactive)
    }

    @Test("What another animator moves goes on from where one is stopped, without a jump")
    func stoppedAmongOthers() throws {
      let view = View()
      let stage = try stage(view)
      let first = Animator(duration: .seconds(1), curve: .linear) { view.frame.origin.x = 100 }
      let second = Animator(duration: .seconds(1), curve: .linear) { view.frame.origin.x = 200 }
      first.startAnimation()
      stage.program.advance(by: 520)
      second.startAnimation()
      first.stopAnimation(true)
      stage.program.advance(by: 20)
      #expect(try now(stage, 70, 20) == black && now(stage, 30, 20) == white && now(stage, 110, 20) == white)
      stage.program.advance(by: 1500)
      #expect(try now(stage, 170, 20) == black && 140...160 ~= view.frame.origin.x)
    }

    @Test("Wild durations, delays and values do no harm")
    func wild() throws {
      let view = View()
      let stage = try stage(view)
      let times: [Duration] = [.zero, .seconds(-5), .seconds(Int64.max), .seconds(Int64.min / 2), .nanoseconds(1)]
      for duration in times {
        for delay in times {
          View.animate(withDuration: duration, delay: delay, options: [.repeat, .autoreverse]) {
            view.frame = Rect(x: .max, y: .min, width: .max, height: .max)
            view.alpha = .nan
            view.transform = Transform(scaleX: 1e300, y: .leastNonzeroMagnitude)
            view.center = Point(x: .max, y: .min)
          }
          stage.program.advance(by: 50)
          View.performWithoutAnimation { (view.frame, view.alpha, view.transform) = (frame, 1, .identity) }
        }
      }
      stage.program.advance(by: 500)
      stage.window.isHidden = true
      stage.program.advance(by: 500)
    }
  }
}
