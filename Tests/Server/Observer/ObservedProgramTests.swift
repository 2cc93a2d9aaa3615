import ProsceniumPlatform
import SceneLifecycle
import Testing

@testable import SceneObserver

/// What follows from the levels of windows, without a server.
@Suite("Windows of others as scenes of one program") struct ObservedProgramTests {
  private static let seen = WindowLevels(visible: true, visibleCause: "viewable")
  private static let used = WindowLevels(
    visible: true, visibleCause: "viewable", focused: true, focusedCause: "focus-in")
  private static let hidden = WindowLevels(visibleCause: "wm-state", focusedCause: "unmapped")

  private var program = ObservedProgram()
  private var number: SceneNumber = 1

  private mutating func observe(_ levels: [(UInt32, WindowLevels)], isChanging: Bool = false) -> [String] {
    program.observe(levels.map { (window: $0.0, levels: $0.1) }, &number, isChanging: isChanging).map(Self.text)
  }

  private static func text(_ consequence: ObservedProgram.Consequence) -> String {
    switch consequence {
    case .change(let window, let edge, let cause): "\(window) \(edge.to) (\(cause))"
    case .hold(let number, let hold, let long): "hold \(number) \(hold)\(long ? " long" : "")"
    case .release(let number, let hold): "release \(number) \(hold)"
    }
  }

  @Test("A window walks up step by step, and another one of the program takes the focus at once, down before up")
  mutating func siblings() {
    #expect(
      observe([(10, Self.used)]) == [
        "10 background (observed)", "10 foregroundInactive (viewable)", "10 foregroundActive (focus-in)",
      ])
    #expect(observe([(20, Self.seen)]) == ["20 background (observed)", "20 foregroundInactive (viewable)"])
    let lost = WindowLevels(visible: true, visibleCause: "viewable", focusedCause: "focus-out")
    #expect(
      observe([(20, Self.used), (10, lost)]) == ["10 foregroundInactive (focus-out)", "20 foregroundActive (focus-in)"])
    #expect(program.state(of: 10) == .foregroundInactive && program.state(of: 30) == nil)
  }

  @Test("A window that is hidden is held, longer while the window manager changes, and goes when the holds have passed")
  mutating func holds() {
    _ = observe([(10, Self.used)])
    #expect(
      observe([(10, Self.hidden)]) == ["hold 1 inactive", "hold 1 background", "hold 1 focus"])
    let longer = program.observeAll(isChanging: true).map(Self.text)
    #expect(longer == ["hold 1 background long", "hold 1 focus long"])
    #expect(program.expire(.inactive, of: 1, isChanging: true).map(Self.text) == ["10 foregroundInactive (wm-state)"])
    #expect(program.expire(.background, of: 1, isChanging: true).map(Self.text) == ["10 background (wm-state)"])
    #expect(program.expire(.background, of: 7, isChanging: true).isEmpty)
  }

  @Test("A window that is destroyed walks to its end at once, and the program is empty then")
  mutating func gone() {
    _ = observe([(10, Self.used)])
    #expect(
      program.remove(10, isGone: true).map(Self.text) == [
        "10 foregroundInactive (destroyed)", "10 background (destroyed)", "10 unattached (destroyed)",
      ])
    #expect(program.isEmpty && program.remove(10, isGone: true).isEmpty)
  }
}
